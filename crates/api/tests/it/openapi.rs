//! The description: checked in, valid, complete.

use api::error::Code;
use serde_json::Value;

fn description() -> Value {
    serde_json::from_str(&api::openapi::document()).unwrap()
}

#[test]
fn the_checked_in_description_is_what_is_served() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../openapi.json");
    let checked_in = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        checked_in == api::openapi::document(),
        "run `cargo run -- openapi > openapi.json` and look at the change"
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
                assert!(!response["description"].is_null(), "{name} {status}");
                assert!(!response["headers"]["X-Request-Id"].is_null(), "{name} {status}");
                let has_body = !response["content"]["application/json"]["schema"].is_null();
                assert_eq!(has_body, status != "204", "{name} {status}");
            }
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                assert!(!parameter["description"].is_null(), "{name}: {parameter}");
            }
        }
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
    assert!(examples > 40, "{examples}");
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
