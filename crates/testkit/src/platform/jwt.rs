//! The platform's own keys and tokens, and the keys of the tool that it believes.

use super::{Shared, locked};
use axum::Json;
use axum::extract::State;
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ring::rsa::{KeyPair, PublicKeyComponents};
use ring::{hmac, rand, signature};
use serde_json::{Value, json};

/// Keys of the tests, which are used nowhere else.
pub const TOOL_KEY: &str = include_str!("tool.pem");
const PLATFORM_KEY: &str = include_str!("platform.pem");
/// The key that the platform changes to.
pub const ROTATED_KEY: &str = include_str!("rotated.pem");

/// How a token is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signature {
    /// As it should be.
    Right,
    /// Not at all.
    None,
    /// With the platform's public key as a secret that both know.
    Hmac,
    /// With a key of another name that it does not publish.
    UnknownKey,
    /// With another key under the right name.
    WrongKey,
}

#[derive(Debug)]
pub(super) struct Keys {
    own: KeyPair,
    kid: &'static str,
    /// Name, modulus and exponent of the tool's keys.
    tool: Vec<(String, Vec<u8>, Vec<u8>)>,
}

fn pair(pem: &str) -> KeyPair {
    let base64: String = pem.lines().filter(|line| !line.starts_with("-----")).collect();
    let der = STANDARD.decode(base64).expect("a key of the tests");
    KeyPair::from_pkcs8(&der).expect("a key of the tests")
}

fn sign(pair: &KeyPair, text: &str) -> Vec<u8> {
    let mut signature = vec![0; pair.public().modulus_len()];
    let random = rand::SystemRandom::new();
    pair.sign(&signature::RSA_PKCS1_SHA256, &random, text.as_bytes(), &mut signature).expect("the key signs");
    signature
}

impl Keys {
    pub(super) fn new() -> Keys {
        Keys { own: pair(PLATFORM_KEY), kid: "platform-1", tool: Vec::new() }
    }

    pub(super) fn rotate(&mut self) {
        (self.own, self.kid) = (pair(ROTATED_KEY), "platform-2");
    }

    pub(super) fn trust(&mut self, document: &Value) {
        let keys = document["keys"].as_array().expect("a set of keys");
        let part = |key: &Value, name: &str| {
            URL_SAFE_NO_PAD.decode(key[name].as_str().expect("an RSA key")).expect("base64url")
        };
        self.tool = keys
            .iter()
            .map(|key| {
                assert_eq!([&key["kty"], &key["alg"], &key["use"]], ["RSA", "RS256", "sig"], "{key}");
                assert!(key.get("d").is_none(), "the private half is private");
                (key["kid"].as_str().expect("a name").to_owned(), part(key, "n"), part(key, "e"))
            })
            .collect();
    }

    pub(super) fn sign(&self, claims: &Value, how: Signature) -> String {
        let (alg, kid) = match how {
            Signature::Right | Signature::WrongKey => ("RS256", self.kid),
            Signature::None => ("none", self.kid),
            Signature::Hmac => ("HS256", self.kid),
            Signature::UnknownKey => ("RS256", "nobody"),
        };
        let encode = |part: &Value| URL_SAFE_NO_PAD.encode(part.to_string());
        let header = json!({"alg": alg, "typ": "JWT", "kid": kid});
        let signed = format!("{}.{}", encode(&header), encode(claims));
        let signature = match how {
            Signature::Right => sign(&self.own, &signed),
            Signature::UnknownKey | Signature::WrongKey => sign(&pair(TOOL_KEY), &signed),
            Signature::None => Vec::new(),
            Signature::Hmac => {
                let key = hmac::Key::new(hmac::HMAC_SHA256, self.own.public().as_ref());
                hmac::sign(&key, signed.as_bytes()).as_ref().to_vec()
            }
        };
        format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
    }

    fn published(&self) -> Value {
        let PublicKeyComponents { n, e } = PublicKeyComponents::<Vec<u8>>::from(self.own.public());
        let (n, e) = (URL_SAFE_NO_PAD.encode(n), URL_SAFE_NO_PAD.encode(e));
        let other = json!({"kty": "EC", "crv": "P-256", "kid": "other", "x": "", "y": ""});
        json!({"keys": [other, {"kty": "RSA", "alg": "RS256", "use": "sig", "kid": self.kid, "n": n, "e": e}]})
    }

    /// The claims of a token that the tool signed with a key that it publishes.
    pub(super) fn verified(&self, token: &str) -> Result<Value, String> {
        let parts: Vec<&str> = token.split('.').collect();
        let [header, claims, signature] = parts[..] else { return Err("three parts".to_owned()) };
        let decode = |part: &str| URL_SAFE_NO_PAD.decode(part).map_err(|error| error.to_string());
        let read = |part: &str| -> Result<Value, String> {
            serde_json::from_slice(&decode(part)?).map_err(|error| error.to_string())
        };
        let header = read(header)?;
        if header["alg"] != "RS256" {
            return Err(format!("it is signed by {}", header["alg"]));
        }
        let key = self.tool.iter().find(|(kid, ..)| header["kid"] == **kid);
        let (_, n, e) = key.ok_or("its key is not published")?;
        let signed = &token[..token.len() - signature.len() - 1];
        signature::RsaPublicKeyComponents { n, e }
            .verify(&signature::RSA_PKCS1_2048_8192_SHA256, signed.as_bytes(), &decode(signature)?)
            .map_err(|_| "its signature is wrong")?;
        read(claims)
    }
}

pub(super) async fn publish(State(state): State<Shared>) -> Json<Value> {
    let mut inner = locked(&state);
    inner.fetched += 1;
    Json(inner.keys.published())
}
