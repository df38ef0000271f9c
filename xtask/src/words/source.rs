//! The words in a Rust source: string literals with letters, but for those of tests, attributes and messages.

use std::iter::Peekable;
use std::str::CharIndices;

/// Calls and macros whose texts are for people or for the compiler.
const MESSAGES: [&str; 22] = [
    "expect",
    "panic",
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "unreachable",
    "trace",
    "debug",
    "info",
    "warn",
    "error",
    "env",
    "concat",
    "include",
    "include_str",
    "include_bytes",
    "debug_struct",
    "debug_tuple",
    "field",
    "anyhow",
    "bail",
];

/// Each word or phrase with its line, counted from one.
pub(super) fn words(source: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    // What each open bracket belongs to; true where texts are no words of a rule.
    let mut open: Vec<bool> = Vec::new();
    let tokens = tokens(source);
    let mut at = 0;
    while let Some((offset, token)) = tokens.get(at) {
        if let Some(end) = test_item(&tokens, at) {
            at = end;
            continue;
        }
        match token {
            Token::Text(text) if has_words(text) && !open.contains(&true) => {
                let line = source[..*offset].matches('\n').count() + 1;
                found.push((line, (*text).to_owned()));
            }
            Token::Sign('(' | '[' | '{') => open.push(is_message(&tokens[..at])),
            Token::Sign(')' | ']' | '}') => _ = open.pop(),
            _ => {}
        }
        at += 1;
    }
    found
}

/// True when a bracket after these tokens opens an attribute or a message.
fn is_message(before: &[(usize, Token<'_>)]) -> bool {
    match before {
        [.., (_, Token::Sign('#'))] | [.., (_, Token::Sign('#')), (_, Token::Sign('!'))] => true,
        [.., (_, Token::Name(name)), (_, Token::Sign('!'))] | [.., (_, Token::Name(name))] => {
            MESSAGES.contains(name)
        }
        _ => false,
    }
}

/// Behind an item that begins at this token with `#[cfg(test)]`.
fn test_item(tokens: &[(usize, Token<'_>)], at: usize) -> Option<usize> {
    let attribute = [
        Token::Sign('#'),
        Token::Sign('['),
        Token::Name("cfg"),
        Token::Sign('('),
        Token::Name("test"),
        Token::Sign(')'),
        Token::Sign(']'),
    ];
    let given = tokens[at..].iter().take(attribute.len()).map(|(_, token)| token);
    if !given.eq(&attribute) {
        return None;
    }
    let mut depth = 0_usize;
    let ends = tokens[at + attribute.len()..].iter().position(|(_, token)| {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && matches!(token, Token::Sign(';' | '}'))
    });
    Some(ends.map_or(tokens.len(), |length| at + attribute.len() + length + 1))
}

/// True for a text with two letters side by side, apart from what is put into it, its escapes and Roman numerals.
fn has_words(text: &str) -> bool {
    let mut plain = String::with_capacity(text.len());
    let mut depth = 0_usize;
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match c {
            '\\' => _ = characters.next(),
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ if depth == 0 => {
                plain.push(c);
                continue;
            }
            _ => {}
        }
        plain.push(' ');
    }
    let letters: Vec<char> = plain.chars().collect();
    let is_numeral = letters
        .iter()
        .filter(|c| c.is_alphabetic())
        .all(|c| matches!(c.to_ascii_lowercase(), 'i' | 'v' | 'x'));
    !is_numeral && letters.windows(2).any(|pair| pair.iter().all(|c| c.is_alphabetic()))
}

#[derive(Debug, PartialEq)]
enum Token<'s> {
    /// A name, a keyword or a number.
    Name(&'s str),
    /// What stands between the quotation marks of a string.
    Text(&'s str),
    Sign(char),
}

/// The tokens of a source with where they begin, without comments, characters and lifetimes.
fn tokens(source: &str) -> Vec<(usize, Token<'_>)> {
    let mut found = Vec::new();
    let mut rest = source.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        let next = rest.peek().map(|&(_, next)| next);
        match c {
            '/' if next == Some('/') => while rest.next_if(|&(_, c)| c != '\n').is_some() {},
            '/' if next == Some('*') => skip_comment(&mut rest),
            '\'' => skip_character(&mut rest, source, at),
            '"' => found.push((at, Token::Text(text(&mut rest, source, at + 1, 0, false)))),
            _ if c.is_alphanumeric() || c == '_' => {
                while rest.next_if(|&(_, c)| c.is_alphanumeric() || c == '_').is_some() {}
                let end = rest.peek().map_or(source.len(), |&(end, _)| end);
                let name = &source[at..end];
                match string_behind(name, &source[end..]) {
                    Some(hashes) => {
                        for _ in 0..=hashes {
                            rest.next();
                        }
                        let raw = name.contains('r');
                        let start = end + hashes + 1;
                        found.push((at, Token::Text(text(&mut rest, source, start, hashes, raw))));
                    }
                    None => found.push((at, Token::Name(name))),
                }
            }
            _ if c.is_whitespace() => {}
            _ => found.push((at, Token::Sign(c))),
        }
    }
    found
}

/// For a name that marks the string behind it (`r#"`, `b"`): how many hashes stand between them.
fn string_behind(name: &str, behind: &str) -> Option<usize> {
    let hashes = behind.bytes().take_while(|byte| *byte == b'#').count();
    let marks = matches!(name, "r" | "br" | "cr") || (matches!(name, "b" | "c") && hashes == 0);
    (marks && behind[hashes..].starts_with('"')).then_some(hashes)
}

/// The text from `start` to the quotation mark, and as many hashes, that end it.
fn text<'s>(
    rest: &mut Peekable<CharIndices<'s>>,
    source: &'s str,
    start: usize,
    hashes: usize,
    raw: bool,
) -> &'s str {
    while let Some((at, c)) = rest.next() {
        let closing = &source[at + c.len_utf8()..];
        if c == '\\' && !raw {
            rest.next();
        } else if c == '"' && closing.bytes().take(hashes).filter(|byte| *byte == b'#').count() == hashes {
            for _ in 0..hashes {
                rest.next();
            }
            return &source[start..at];
        }
    }
    &source[start..]
}

/// Comments nest.
fn skip_comment(rest: &mut Peekable<CharIndices<'_>>) {
    let mut depth = 1_usize;
    let mut before = '/';
    rest.next();
    for (_, c) in rest.by_ref() {
        match (before, c) {
            ('*', '/') => depth -= 1,
            ('/', '*') => depth += 1,
            _ => {
                before = c;
                continue;
            }
        }
        // The sign that ended one mark begins no other.
        before = ' ';
        if depth == 0 {
            return;
        }
    }
}

/// `'a'` and `'\''` are characters; `'a` is a lifetime, of which only the sign is dropped.
fn skip_character(rest: &mut Peekable<CharIndices<'_>>, source: &str, at: usize) {
    let mut behind = source[at + 1..].chars();
    let first = behind.next();
    if first == Some('\\') {
        rest.next();
        rest.next();
        while rest.next().is_some_and(|(_, c)| c != '\'') {}
    } else if behind.next() == Some('\'') {
        rest.next();
        rest.next();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(source: &str) -> Vec<String> {
        words(source).into_iter().map(|(_, word)| word).collect()
    }

    #[test]
    fn words_are_found_in_every_kind_of_string() {
        assert_eq!(
            found(r####"let all = ["or", b"and", r"but", br#"so "that" it"#, r##"a"# is"##, "não"];"####),
            ["or", "and", "but", "so \"that\" it", "a\"# is", "não"]
        );
        assert_eq!(words("fn one() {\n    two(\"three\")\n}"), [(2, "three".to_owned())]);
    }

    #[test]
    fn signs_letters_and_what_is_put_in_are_no_words() {
        assert_eq!(
            found(r#"let all = [", ", "x", "{name} {other:?}", "\n\t", "iv", "ivxIVX", "3 s"];"#),
            [""; 0]
        );
        assert_eq!(found(r#"format!("{name} or {other}")"#), ["{name} or {other}"]);
    }

    #[test]
    fn comments_characters_and_lifetimes_hide_nothing_and_are_nothing() {
        let source = "// \"one\"\n/* \"two\" /* \"three\" */ \"four\" */ let a: &'static str = f('\"', '\\'', \"five\");";
        assert_eq!(found(source), ["five"]);
    }

    #[test]
    fn tests_attributes_and_messages_are_left_out() {
        let source = r#"
            #[expect(lint, reason = "because")]
            fn rule() { value.expect("it holds"); panic!("it {} not", does("hold")); has("word") }
            #[cfg(test)]
            mod tests { fn one() { let x = "test"; } }
            #[cfg(test)]
            use super::test;
            const AFTER: &str = "after";
        "#;
        assert_eq!(found(source), ["word", "after"]);
    }
}
