//! Which query parameters each operation takes, as the OpenAPI description tells; any other is refused.

use super::query::Query;
use crate::error::Error;
use std::collections::HashMap;
use utoipa::openapi::path::ParameterIn;
use utoipa::openapi::{OpenApi, PathItem, RefOr};

/// The names of each operation's query parameters, by route and method.
#[derive(Debug, Default)]
pub struct Queries(HashMap<String, HashMap<&'static str, Vec<String>>>);

impl Queries {
    /// Those of the operations that are described.
    pub fn of(description: &OpenApi) -> Queries {
        let routes = description.paths.paths.iter();
        Queries(routes.map(|(route, item)| (route.clone(), operations(item))).collect())
    }

    /// Refuses a request without a body for a parameter that its operation does not take. Those with a body are
    /// looked at when that was read, as the order of checks has it.
    pub fn check(&self, method: &http::Method, route: &str, query: Option<&str>) -> Result<(), Error> {
        let method = if method == http::Method::HEAD { "GET" } else { method.as_str() };
        let Some(known) = self.0.get(route).and_then(|operations| operations.get(method)) else {
            return Ok(());
        };
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        Query::parse(query, &known).map(drop)
    }
}

fn operations(item: &PathItem) -> HashMap<&'static str, Vec<String>> {
    let without_body = [("GET", &item.get), ("DELETE", &item.delete)];
    let described = without_body.into_iter().filter_map(|(method, operation)| {
        let parameters = operation.as_ref()?.parameters.iter().flatten();
        let names = parameters.filter_map(|parameter| match parameter {
            RefOr::T(parameter) if matches!(parameter.parameter_in, ParameterIn::Query) => {
                Some(parameter.name.clone())
            }
            _ => None,
        });
        Some((method, names.collect()))
    });
    described.collect()
}
