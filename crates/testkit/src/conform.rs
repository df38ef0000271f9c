//! Holds responses against the OpenAPI description.

use jsonschema::Validator;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

static DESCRIPTION: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(&api::openapi::document()).expect("the description is JSON"));

static VALIDATORS: LazyLock<Mutex<HashMap<String, &'static Validator>>> = LazyLock::new(Mutex::default);

/// Panics when a described operation answers with a status or a body that the description does not have.
pub(crate) fn check(method: &str, path: &str, status: u16, body: &Value) {
    let Some((template, operation)) = operation(method, path) else { return };
    // 404 and 405 of the router itself belong to no operation.
    let Some(response) = operation["responses"].get(status.to_string()) else {
        panic!("{method} {template} answered {status}, which the description does not know");
    };
    let response = match response["$ref"].as_str() {
        Some(shared) => DESCRIPTION.pointer(&shared[1..]).expect("the description names what it has"),
        None => response,
    };
    let schema = &response["content"]["application/json"]["schema"];
    if schema.is_null() {
        return;
    }
    let errors: Vec<String> = validator(schema)
        .iter_errors(body)
        .map(|error| format!("{} at {}", error, error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{method} {template} answered {status} with {body:#}, but {errors:#?}");
}

/// The operation whose template fits the path.
fn operation(method: &str, path: &str) -> Option<(&'static str, &'static Value)> {
    let paths = DESCRIPTION["paths"].as_object()?;
    let (template, item) = paths.iter().find(|(template, _)| fits(template, path))?;
    item.get(method.to_lowercase()).map(|operation| (template.as_str(), operation))
}

fn fits(template: &str, path: &str) -> bool {
    let (mut wanted, mut given) = (template.split('/'), path.split('/'));
    loop {
        match (wanted.next(), given.next()) {
            (None, None) => return true,
            (Some(wanted), Some(given)) if wanted == given || wanted.starts_with('{') => {}
            _ => return false,
        }
    }
}

fn validator(schema: &'static Value) -> &'static Validator {
    let mut validators = VALIDATORS.lock().unwrap_or_else(PoisonError::into_inner);
    validators.entry(schema.to_string()).or_insert_with(|| {
        let whole = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "components": DESCRIPTION["components"],
            "allOf": [schema],
        });
        let validator = jsonschema::options().should_validate_formats(true).build(&whole);
        Box::leak(Box::new(validator.expect("the description's schemas are valid")))
    })
}
