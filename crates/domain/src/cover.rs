//! Cover sheets: what the code on one says, so that a script in a stack is known for its student's.

use crate::id::{Identifier as _, PaperId};
use crate::text::{ShortLine, hex};
use sha2::{Digest as _, Sha256};

/// What every code of ours begins with; the number is the version of what follows.
const MARK: &str = "TM1";
/// Hexadecimal digits of the checksum.
const CHECK_DIGITS: usize = 8;

/// Whose script of which paper lies under a sheet.
///
/// The checksum keeps another code, or one that was read wrongly, from being taken for one of ours. It is no
/// signature: whoever can print a name on a sheet of paper can print this, and a person confirms every split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cover {
    /// The paper.
    pub paper_id: PaperId,
    /// The client's own reference to the student.
    pub external_id: ShortLine,
}

impl Cover {
    /// What the code says.
    pub fn token(&self) -> String {
        let Cover { paper_id, external_id } = self;
        let paper = paper_id.to_string();
        let paper = paper.strip_prefix(PaperId::PREFIX).unwrap_or(&paper);
        format!("{MARK}:{paper}:{}:{external_id}", self.check())
    }

    /// What a code says, if it is one of ours.
    pub fn parse(token: &str) -> Option<Cover> {
        let mut parts = token.splitn(4, ':');
        let (mark, paper, check) = (parts.next()?, parts.next()?, parts.next()?);
        let external_id = ShortLine::parse(parts.next()?.to_owned()).ok()?;
        let paper_id = PaperId::parse(&format!("{}{paper}", PaperId::PREFIX))?;
        let cover = Cover { paper_id, external_id };
        (mark == MARK && check == cover.check()).then_some(cover)
    }

    fn check(&self) -> String {
        let sum = Sha256::digest(format!("{}:{}", self.paper_id, self.external_id));
        hex(&sum)[..CHECK_DIGITS].to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cover(external_id: &str) -> Cover {
        let external_id = ShortLine::parse(external_id.to_owned()).unwrap();
        Cover { paper_id: PaperId::from_number(7), external_id }
    }

    #[test]
    fn a_code_says_whose_script_it_is() {
        for id in ["s-1071", "a:b:c", "Zoë", "学生"] {
            assert_eq!(Cover::parse(&cover(id).token()), Some(cover(id)));
        }
        assert_eq!(cover("s-1").token(), "TM1:00000000000000000000000007:78a43393:s-1");
    }

    #[test]
    fn what_is_not_ours_or_was_read_wrongly_says_nothing() {
        let token = cover("s-1071").token();
        for wrong in [
            token.replace("s-1071", "s-1072"),
            token.replace("TM1", "TM2"),
            token.replacen('0', "1", 1),
            format!("{token}\n"),
            "https://example.com/".to_owned(),
            "TM1::".to_owned(),
            String::new(),
        ] {
            assert_eq!(Cover::parse(&wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_parser(text: String) {
            let _ = Cover::parse(&text);
            let _ = Cover::parse(&format!("TM1:{text}"));
        }
    }
}
