//! What a launch says, and whether it may: the rules of LTI 1.3 for a token whose signature was checked.

use super::{Refused, SCORE_SCOPE};
use crate::id::{Identifier as _, PaperId};
use crate::text::{ShortLine, is_forbidden};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde_json::Value;

/// How far the platform's clock may be from ours.
const LEEWAY: SignedDuration = SignedDuration::from_secs(60);
/// No token is taken that was made longer ago, whatever it says of its end.
const AGE_MAX: SignedDuration = SignedDuration::from_hours(1);
/// The most characters of an identifier (LTI 1.3 core, 5.3).
const ID_LENGTH_MAX: usize = 255;
const VERSION: &str = "1.3.0";
const MESSAGE: &str = "LtiResourceLinkRequest";
/// Who teaches the course that the link stands in. Roles elsewhere, at the institution or in the system, do not count.
const TEACHES: [&str; 2] = ["http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor", "Instructor"];

/// What the launch must agree with.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'e> {
    /// What the platform calls itself.
    pub issuer: &'e str,
    /// What it calls us.
    pub client_id: &'e str,
    /// What the login was begun with.
    pub nonce: &'e str,
    /// Where launches go.
    pub target: &'e str,
    /// The time.
    pub now: Timestamp,
}

/// A launch that may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Which installation of us is meant.
    pub deployment_id: String,
    /// Who comes.
    pub role: Role,
    /// By which name.
    pub name: ShortLine,
    /// The link that was clicked.
    pub resource_link_id: String,
    /// The paper that the link names itself.
    pub paper_id: Option<PaperId>,
    /// The column of the gradebook that we may send scores to.
    pub line_item: Option<String>,
}

/// Who comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A teacher of the course.
    Teacher,
    /// Anybody else.
    Other,
}

#[derive(Deserialize)]
struct Claims {
    iss: String,
    aud: Audience,
    azp: Option<String>,
    /// Seconds; some platforms write fractions.
    exp: f64,
    iat: f64,
    nonce: String,
    sub: Option<String>,
    name: Option<String>,
    given_name: Option<String>,
    family_name: Option<String>,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/version")]
    version: Option<String>,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/message_type")]
    message_type: Option<String>,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/deployment_id")]
    deployment_id: Option<String>,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/target_link_uri")]
    target: Option<String>,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/resource_link")]
    resource_link: Option<ResourceLink>,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/roles")]
    roles: Option<Vec<String>>,
    /// Whatever the platform's people have set: an object, or what their program makes of an empty one.
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/custom", default)]
    custom: Value,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint", default)]
    grades: Value,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Many(Vec<String>),
}

#[derive(Deserialize)]
struct ResourceLink {
    id: String,
}

impl Launch {
    /// Reads the claims of a token whose signature is the platform's.
    pub fn read(claims: &[u8], expected: &Expected<'_>) -> Result<Launch, Refused> {
        let claims: Claims = serde_json::from_slice(claims).map_err(|_| Refused::Malformed)?;
        if claims.iss != expected.issuer {
            return Err(Refused::Issuer);
        }
        check_audience(&claims, expected.client_id)?;
        check_times(&claims, expected.now)?;
        if claims.nonce != expected.nonce {
            return Err(Refused::Nonce);
        }
        let is_launch =
            claims.version.as_deref() == Some(VERSION) && claims.message_type.as_deref() == Some(MESSAGE);
        if !is_launch {
            return Err(Refused::Message);
        }
        if claims.target.as_deref() != Some(expected.target) {
            return Err(Refused::ForeignTarget);
        }
        let roles = claims.roles.as_ref().ok_or(Refused::Message)?;
        let teaches = roles.iter().any(|role| TEACHES.contains(&role.as_str()));
        let paper_id = match claims.custom.get("paper_id").and_then(Value::as_str).map(str::trim) {
            None | Some("") => None,
            Some(text) => Some(PaperId::parse(text).ok_or(Refused::UnknownPaper)?),
        };
        let name = name(&claims);
        Ok(Launch {
            role: if teaches { Role::Teacher } else { Role::Other },
            name,
            paper_id,
            line_item: line_item(&claims.grades),
            deployment_id: claims.deployment_id.ok_or(Refused::Deployment)?,
            resource_link_id: claims
                .resource_link
                .map(|link| link.id)
                .filter(|id| (1..=ID_LENGTH_MAX).contains(&id.len()) && !id.contains(is_forbidden))
                .ok_or(Refused::Message)?,
        })
    }
}

/// It is for us and, where it is for others too, was asked for by us.
fn check_audience(claims: &Claims, client_id: &str) -> Result<(), Refused> {
    let (is_ours, is_shared) = match &claims.aud {
        Audience::One(name) => (name == client_id, false),
        Audience::Many(names) => (names.iter().any(|name| name == client_id), names.len() > 1),
    };
    let is_asked_by_us = match &claims.azp {
        Some(party) => party == client_id,
        None => !is_shared,
    };
    if is_ours && is_asked_by_us { Ok(()) } else { Err(Refused::Audience) }
}

fn check_times(claims: &Claims, now: Timestamp) -> Result<(), Refused> {
    let now = now.as_duration().as_secs_f64();
    let (leeway, age_max) = (LEEWAY.as_secs_f64(), AGE_MAX.as_secs_f64());
    // Written so that what is no number is refused.
    if !(claims.exp > now - leeway && claims.iat > now - age_max) {
        return Err(Refused::Expired);
    }
    if claims.iat < now + leeway { Ok(()) } else { Err(Refused::NotYet) }
}

/// The name that the record of the desk has: as the platform gives it or, where it gives none, its own id of the person.
fn name(claims: &Claims) -> ShortLine {
    let parts = [claims.given_name.as_deref(), claims.family_name.as_deref()];
    let joined = parts.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let given = [claims.name.as_deref(), Some(&*joined), claims.sub.as_deref()].into_iter().flatten();
    let clean = given.map(|text| {
        let text: String = text.chars().filter(|letter| !is_forbidden(*letter)).take(255).collect();
        text.trim().to_owned()
    });
    let mut usable = clean.filter_map(|text| ShortLine::parse(text).ok());
    usable.next().unwrap_or_else(|| ShortLine::trusted("A teacher".to_owned()))
}

/// The line item of the link, where there is one and scores may be sent to it.
fn line_item(grades: &Value) -> Option<String> {
    let scopes = grades.get("scope")?.as_array()?;
    let may_send = scopes.iter().any(|scope| scope.as_str() == Some(SCORE_SCOPE));
    let line_item = grades.get("lineitem")?.as_str()?;
    may_send.then(|| line_item.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const TARGET: &str = "https://tickmark.test/lti/launch";

    fn now() -> Timestamp {
        Timestamp::from_second(1_000_000).unwrap()
    }

    fn claims() -> Value {
        json!({
            "iss": "https://school.example", "aud": "us", "sub": "u-1", "exp": 1_000_300, "iat": 1_000_000, "nonce": "n",
            "name": "Ms Okafor",
            "https://purl.imsglobal.org/spec/lti/claim/version": "1.3.0",
            "https://purl.imsglobal.org/spec/lti/claim/message_type": "LtiResourceLinkRequest",
            "https://purl.imsglobal.org/spec/lti/claim/deployment_id": "d",
            "https://purl.imsglobal.org/spec/lti/claim/target_link_uri": TARGET,
            "https://purl.imsglobal.org/spec/lti/claim/resource_link": {"id": "r", "title": "Biology"},
            "https://purl.imsglobal.org/spec/lti/claim/roles":
                ["http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor"],
        })
    }

    fn read(claims: &Value) -> Result<Launch, Refused> {
        let expected = Expected {
            issuer: "https://school.example",
            client_id: "us",
            nonce: "n",
            target: TARGET,
            now: now(),
        };
        Launch::read(claims.to_string().as_bytes(), &expected)
    }

    fn with(name: &str, value: Value) -> Value {
        let mut claims = claims();
        let place = match name {
            "version" | "message_type" | "deployment_id" | "target_link_uri" | "resource_link" | "roles"
            | "custom" => format!("https://purl.imsglobal.org/spec/lti/claim/{name}"),
            "grades" => "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint".to_owned(),
            other => other.to_owned(),
        };
        claims[place] = value;
        claims
    }

    #[test]
    fn a_right_launch_is_read() {
        let launch = read(&claims()).unwrap();
        assert_eq!((launch.role, launch.name.as_str()), (Role::Teacher, "Ms Okafor"));
        assert_eq!((launch.deployment_id.as_str(), launch.resource_link_id.as_str()), ("d", "r"));
        assert_eq!((launch.paper_id, launch.line_item), (None, None));
    }

    #[test]
    fn each_rule_refuses_what_breaks_it() {
        for (name, value, refused) in [
            ("iss", json!("https://evil.example"), Refused::Issuer),
            ("aud", json!("them"), Refused::Audience),
            ("aud", json!([]), Refused::Audience),
            ("aud", json!(["us", "them"]), Refused::Audience),
            ("azp", json!("them"), Refused::Audience),
            ("exp", json!(999_940), Refused::Expired),
            ("exp", json!("soon"), Refused::Malformed),
            ("iat", json!(996_400), Refused::Expired),
            ("iat", json!(1_000_060), Refused::NotYet),
            ("nonce", json!("other"), Refused::Nonce),
            ("nonce", json!(null), Refused::Malformed),
            ("version", json!("1.1"), Refused::Message),
            ("message_type", json!("LtiDeepLinkingRequest"), Refused::Message),
            ("deployment_id", json!(null), Refused::Deployment),
            ("target_link_uri", json!("javascript:alert(1)"), Refused::ForeignTarget),
            ("target_link_uri", json!("https://evil.example/lti/launch"), Refused::ForeignTarget),
            ("resource_link", json!(null), Refused::Message),
            ("resource_link", json!({"id": ""}), Refused::Message),
            ("resource_link", json!({"id": "a\nb"}), Refused::Message),
            ("resource_link", json!({"id": "r".repeat(256)}), Refused::Message),
            ("roles", json!(null), Refused::Message),
            ("custom", json!({"paper_id": "sub_1"}), Refused::UnknownPaper),
        ] {
            assert_eq!(read(&with(name, value.clone())), Err(refused), "{name} {value}");
        }
        let mut shared = with("aud", json!(["them", "us"]));
        shared["azp"] = json!("us");
        assert!(read(&shared).is_ok(), "asked for by us");
        assert!(read(&with("exp", json!(999_941.5))).is_ok(), "clocks differ a little");
        for text in ["", "null", "[]", "{", "{\"iss\":\"a\",\"iss\":\"b\"}"] {
            let expected = Expected { issuer: "", client_id: "", nonce: "", target: "", now: now() };
            assert_eq!(Launch::read(text.as_bytes(), &expected), Err(Refused::Malformed), "{text}");
        }
    }

    #[test]
    fn only_those_who_teach_the_course_are_teachers() {
        let learner = "http://purl.imsglobal.org/vocab/lis/v2/membership#Learner";
        let elsewhere = "http://purl.imsglobal.org/vocab/lis/v2/institution/person#Instructor";
        for roles in [json!([]), json!([learner]), json!([learner, elsewhere]), json!(["instructor"])] {
            assert_eq!(read(&with("roles", roles.clone())).unwrap().role, Role::Other, "{roles}");
        }
        assert_eq!(read(&with("roles", json!(["Instructor"]))).unwrap().role, Role::Teacher);
    }

    #[test]
    fn names_are_made_fit_for_the_record() {
        let named = |name: &str, value: Value| {
            let mut claims = with(name, value);
            claims["given_name"] = json!("Ada");
            read(&claims).unwrap().name.into_string()
        };
        assert_eq!(named("name", json!("A\u{202e}da\n Okafor ")), "Ada Okafor");
        assert_eq!(named("name", json!(null)), "Ada");
        assert_eq!(named("name", json!("x".repeat(300))).len(), 255);
        let mut bare = with("name", json!(null));
        assert_eq!(read(&bare).unwrap().name.as_str(), "u-1");
        bare["sub"] = json!(null);
        assert_eq!(read(&bare).unwrap().name.as_str(), "A teacher");
    }

    #[test]
    fn the_paper_and_the_line_item_are_taken_where_they_are_given() {
        let id = PaperId::from_number(7);
        let launch = read(&with("custom", json!({"paper_id": format!(" {id} "), "other": 1}))).unwrap();
        assert_eq!(launch.paper_id, Some(id));
        for nothing in [json!(null), json!([]), json!({}), json!({"paper_id": ""}), json!("x")] {
            assert_eq!(read(&with("custom", nothing)).unwrap().paper_id, None);
        }
        let item = "https://school.example/items/1";
        let may = json!({"scope": [SCORE_SCOPE], "lineitem": item});
        assert_eq!(read(&with("grades", may)).unwrap().line_item.as_deref(), Some(item));
        for not in [
            json!({"scope": [], "lineitem": item}),
            json!({"scope": [SCORE_SCOPE], "lineitems": item}),
            json!({"scope": SCORE_SCOPE, "lineitem": item}),
        ] {
            assert_eq!(read(&with("grades", not.clone())).unwrap().line_item, None, "{not}");
        }
    }
}
