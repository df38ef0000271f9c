//! The description: checked in, valid, complete.

use api::error::Code;
use serde_json::Value;

fn description() -> Value {
    serde_json::from_str(&api::openapi::document()).unwrap()
}

/// What a `$ref` names, or the value itself.
fn resolved<'d>(description: &'d Value, value: &'d Value) -> &'d Value {
    let Some(reference) = value["$ref"].as_str() else { return value };
    let place = reference.strip_prefix('#').unwrap();
    description.pointer(place).unwrap_or_else(|| panic!("{reference} names nothing"))
}

#[test]
fn the_checked_in_description_is_what_is_served() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../openapi.json");
    if std::env::var_os("INSTA_UPDATE").is_some_and(|how| how == "always") {
        std::fs::write(path, api::openapi::document()).unwrap();
    }
    let checked_in = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        checked_in == api::openapi::document(),
        "run `just openapi`, or this test with INSTA_UPDATE=always, and look at the change"
    );
}

#[test]
fn every_operation_is_described_in_full() {
    let description = description();
    assert_eq!(description["openapi"], "3.1.0");
    for (path, item) in description["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let name = format!("{method} {path}");
            for member in ["operationId", "summary", "description", "tags", "security"] {
                assert!(!operation[member].is_null(), "{name} has no {member}");
            }
            let responses = operation["responses"].as_object().unwrap();
            for status in ["401", "403", "500", "503"] {
                assert!(responses.contains_key(status), "{name} does not describe {status}");
            }
            for (status, response) in responses {
                let response = resolved(&description, response);
                assert!(!response["description"].is_null(), "{name} {status}");
                assert!(!response["headers"]["X-Request-Id"].is_null(), "{name} {status}");
                let has_body = !response["content"]["application/json"]["schema"].is_null();
                assert_eq!(has_body, status != "204", "{name} {status}");
            }
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let parameter = resolved(&description, parameter);
                assert!(!parameter["description"].is_null(), "{name}: {parameter}");
            }
        }
    }
}

/// Names that people say and programs are generated from: `papers.approve`.
#[test]
fn operations_have_readable_names() {
    let mut names = std::collections::BTreeSet::new();
    for item in description()["paths"].as_object().unwrap().values() {
        for operation in item.as_object().unwrap().values() {
            let name = operation["operationId"].as_str().unwrap().to_owned();
            let (resource, action) =
                name.split_once('.').unwrap_or_else(|| panic!("{name}: resource.action"));
            for word in [resource, action] {
                let is_word = word.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_');
                assert!(is_word && !word.is_empty(), "{name}");
            }
            assert!(names.insert(name.clone()), "{name} twice");
        }
    }
    insta::assert_snapshot!(names.into_iter().collect::<Vec<_>>().join("\n"));
}

/// A receiver finds every type of event, and what it is about, in the description.
#[test]
fn every_type_of_event_is_a_webhook() {
    let description = description();
    let webhooks = description["webhooks"].as_object().unwrap();
    let kinds: Vec<&str> = domain::event::EventType::ALL.iter().map(|kind| kind.name()).collect();
    assert_eq!(
        webhooks.keys().map(String::as_str).collect::<std::collections::BTreeSet<_>>(),
        kinds.into_iter().collect()
    );
    for (kind, item) in webhooks {
        let body =
            resolved(&description, &item["post"]["requestBody"]["content"]["application/json"]["schema"]);
        let kinds = body["properties"]["type"]["enum"].as_array().unwrap();
        assert!(kinds.iter().any(|name| name == kind), "{kind}: {body}");
        assert!(!body["properties"]["data"]["properties"]["object"].is_null(), "{kind}");
    }
}

/// Nothing is written twice, so the description stays small enough to be read.
#[test]
fn nothing_large_stands_in_the_description_twice() {
    let description = description();
    let mut seen = std::collections::HashMap::new();
    let mut twice = Vec::new();
    visit(&description, &mut |value| {
        let text = value.to_string();
        if value.is_object() && text.len() > 700 && seen.insert(text.clone(), ()).is_some() {
            twice.push(text);
        }
    });
    assert!(twice.is_empty(), "{twice:#?}");
}

fn visit(value: &Value, each: &mut impl FnMut(&Value)) {
    each(value);
    match value {
        Value::Array(items) => items.iter().for_each(|item| visit(item, each)),
        Value::Object(members) => members.values().for_each(|member| visit(member, each)),
        _ => {}
    }
}

/// Bodies that clients send may leave members out, and so may a report.
fn is_request(schema: &str) -> bool {
    let endings = ["Create", "Update", "Patch"];
    schema.starts_with("New")
        || endings.iter().any(|ending| schema.ends_with(ending))
        || ["FileReference", "Report"].contains(&schema)
}

#[test]
fn every_member_of_every_schema_is_described() {
    for (name, schema) in description()["components"]["schemas"].as_object().unwrap() {
        let members = schema["properties"].as_object();
        for (member, described) in members.into_iter().flatten() {
            let text = described.get("description").or(described.get("$ref")).or(described.get("oneOf"));
            assert!(text.is_some(), "{name}.{member} has no description");
            let is_required =
                schema["required"].as_array().is_some_and(|names| names.iter().any(|name| name == member));
            assert!(
                is_required || is_request(name),
                "{name}.{member}: our responses always have all members"
            );
        }
    }
}

/// Examples are read more than anything else, so they keep to their own schemas.
#[test]
fn every_example_conforms() {
    let description = description();
    let mut examples = 0;
    let mut check = |schema: &Value, example: &Value| {
        let whole = serde_json::json!({"components": description["components"], "allOf": [schema]});
        let validator = jsonschema::validator_for(&whole).unwrap();
        let errors: Vec<String> = validator.iter_errors(example).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{example:#} {errors:?}");
        examples += 1;
    };
    for schema in description["components"]["schemas"].as_object().unwrap().values() {
        if schema["type"] == "object" && !schema["example"].is_null() {
            check(schema, &schema["example"]);
        }
    }
    for response in description["components"]["responses"].as_object().unwrap().values() {
        let content = &response["content"]["application/json"];
        if !content["example"].is_null() {
            check(&content["schema"], &content["example"]);
        }
    }
    for item in description["paths"].as_object().unwrap().values() {
        for operation in item.as_object().unwrap().values() {
            for response in operation["responses"].as_object().unwrap().values() {
                let content = &response["content"]["application/json"];
                if !content["example"].is_null() {
                    check(&content["schema"], &content["example"]);
                }
            }
        }
    }
    assert!(examples > 20, "{examples}");
}

/// The table of contract section 12, as the code has it.
#[test]
fn the_table_of_errors_is_the_contracts() {
    let rows: Vec<String> = Code::ALL
        .iter()
        .map(|code| {
            format!("{} {} {:?} {:?}", code.name(), code.status().as_u16(), code.kind(), code.resource())
        })
        .collect();
    insta::assert_snapshot!(rows.join("\n"));
}
