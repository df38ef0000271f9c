//! One schema text for both engines: text compares byte by byte everywhere.
//!
//! SQLite does so by itself; PostgreSQL compares by the database's language unless a column says otherwise.
//! So in a migration every column type `TEXT` (in capitals, as a whole word) becomes `TEXT COLLATE "C"`. The
//! target of a cast, `AS TEXT`, is left alone, since a collation is not allowed there.

const TYPE: &str = "TEXT";

/// The migration's text as PostgreSQL is to read it.
pub(crate) fn with_c_collation(schema: &str) -> String {
    let mut written = String::with_capacity(schema.len() * 2);
    let mut rest = schema;
    while let Some(start) = rest.find(TYPE) {
        let (before, after) = (&rest[..start], &rest[start + TYPE.len()..]);
        written.push_str(before);
        written.push_str(TYPE);
        let is_word = !before.ends_with(is_word_part) && !after.starts_with(is_word_part);
        if is_word && !before.trim_end().ends_with(" AS") {
            written.push_str(" COLLATE \"C\"");
        }
        rest = after;
    }
    written.push_str(rest);
    written
}

fn is_word_part(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn column_types_get_the_collation_and_nothing_else_does() {
        let schema = "CREATE TABLE a (id TEXT NOT NULL, TEXTS BIGINT, note TEXT); \
                      UPDATE a SET note = CAST(TEXTS AS TEXT)";
        let expected = "CREATE TABLE a (id TEXT COLLATE \"C\" NOT NULL, TEXTS BIGINT, note TEXT COLLATE \"C\"); \
                        UPDATE a SET note = CAST(TEXTS AS TEXT)";
        assert_eq!(with_c_collation(schema), expected);
    }
}
