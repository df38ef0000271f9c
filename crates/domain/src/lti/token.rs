//! The signed token of a launch, taken apart. Nothing in it is believed before its signature is checked.

use super::Refused;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;
use serde::de::IgnoredAny;

/// No token of a launch is larger.
pub const TOKEN_BYTES_MAX: usize = 32 * 1024;

/// A token whose parts can be read, signed by RS256 as it says itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token<'t> {
    /// Which key it is signed with.
    pub key_id: String,
    /// What is signed.
    pub signed: &'t str,
    /// The signature.
    pub signature: Vec<u8>,
    /// What it says, as JSON.
    pub claims: Vec<u8>,
}

#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    /// Extensions that whoever does not know them must not ignore. We know none.
    crit: Option<IgnoredAny>,
}

impl Token<'_> {
    /// Takes a token apart.
    pub fn parse(text: &str) -> Result<Token<'_>, Refused> {
        if text.len() > TOKEN_BYTES_MAX {
            return Err(Refused::Malformed);
        }
        let (signed, signature) = text.rsplit_once('.').ok_or(Refused::Malformed)?;
        let (header, claims) = signed.split_once('.').ok_or(Refused::Malformed)?;
        let decoded = |part: &str| URL_SAFE_NO_PAD.decode(part).map_err(|_| Refused::Malformed);
        let header: Header = serde_json::from_slice(&decoded(header)?).map_err(|_| Refused::Malformed)?;
        if header.alg != "RS256" {
            return Err(Refused::Algorithm);
        }
        if header.crit.is_some() {
            return Err(Refused::Malformed);
        }
        let key_id = header.kid.ok_or(Refused::UnknownKey)?;
        Ok(Token { key_id, signed, signature: decoded(signature)?, claims: decoded(claims)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn token(header: &str) -> String {
        format!("{}.{}.{}", URL_SAFE_NO_PAD.encode(header), URL_SAFE_NO_PAD.encode("{}"), "c2ln")
    }

    #[test]
    fn a_token_is_taken_apart() {
        let text = token(r#"{"alg":"RS256","kid":"k","typ":"JWT"}"#);
        let token = Token::parse(&text).unwrap();
        assert_eq!(
            (token.key_id.as_str(), &*token.signature, &*token.claims),
            ("k", &b"sig"[..], &b"{}"[..])
        );
        assert_eq!(format!("{}.c2ln", token.signed), text);
    }

    #[test]
    fn only_rs256_is_taken() {
        for alg in ["none", "None", "HS256", "ES256", "rs256", "RS512", "PS256", ""] {
            let text = token(&format!(r#"{{"alg":"{alg}","kid":"k"}}"#));
            assert_eq!(Token::parse(&text), Err(Refused::Algorithm), "{alg}");
        }
        assert_eq!(Token::parse(&token(r#"{"alg":"RS256"}"#)), Err(Refused::UnknownKey));
    }

    #[test]
    fn what_is_no_token_is_refused() {
        let critical = token(r#"{"alg":"RS256","kid":"k","crit":["exp"]}"#);
        let twice = token(r#"{"alg":"RS256","alg":"none","kid":"k"}"#);
        let long = token(&format!(r#"{{"alg":"RS256","kid":"{}"}}"#, "k".repeat(TOKEN_BYTES_MAX)));
        let four = format!("{}.c2ln", token(r#"{"alg":"RS256","kid":"k"}"#));
        for text in ["", ".", "..", "a.b.c", "e30.e30.", &critical, &twice, &long, &four] {
            assert_eq!(Token::parse(text), Err(Refused::Malformed), "{text:.40}");
        }
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_parser(text: String) {
            let _ = Token::parse(&text);
            let _ = Token::parse(&format!("eyJhbGciOiJSUzI1NiIsImtpZCI6ImsifQ.{text}.{text}"));
        }
    }
}
