//! Writes what many operations have in common once, under a name of its own: list types, parameters, errors.

use super::complete::each;
use http::StatusCode;
use std::collections::BTreeMap;
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::openapi::schema::ArrayItems;
use utoipa::openapi::{OpenApi, Ref, RefOr, Required, Response, Schema};

/// What utoipa calls `List_Paper`, with a whole paper inside, becomes `PaperList`, which names the paper.
pub(super) fn lists(description: &mut OpenApi) {
    let schemas = &mut description.components.get_or_insert_default().schemas;
    let generic: Vec<String> = schemas.keys().filter(|name| name.starts_with("List_")).cloned().collect();
    for name in &generic {
        let (Some(mut schema), Some((_, item))) = (schemas.remove(name), name.split_once('_')) else {
            continue;
        };
        if let RefOr::T(Schema::Object(list)) = &mut schema
            && let Some(RefOr::T(Schema::Array(data))) = list.properties.get_mut("data")
        {
            data.items = ArrayItems::RefOrSchema(Box::new(Ref::from_schema_name(item).into()));
        }
        schemas.insert(format!("{item}List"), schema);
    }
    for item in description.paths.paths.values_mut() {
        for (_, operation) in each(item) {
            let responses = operation.responses.responses.values_mut();
            let contents = responses.filter_map(owned).flat_map(|response| response.content.values_mut());
            for content in contents.filter_map(owned) {
                if let Some(RefOr::Ref(reference)) = &mut content.schema
                    && let Some((_, item)) = reference.ref_location.split_once("/List_")
                {
                    *reference = Ref::from_schema_name(format!("{item}List"));
                }
            }
        }
    }
}

/// `object` is one of few words in each schema, which a generated client can tell apart by.
pub(super) fn object_names(description: &mut OpenApi) {
    for schema in description.components.get_or_insert_default().schemas.values_mut().filter_map(owned) {
        if let Schema::Object(schema) = schema
            && let Some(RefOr::T(Schema::Object(object))) = schema.properties.get_mut("object")
            && let Some(words) =
                object.pattern.as_deref().and_then(|it| it.strip_prefix('^')?.strip_suffix('$'))
        {
            let words = words.trim_start_matches('(').trim_end_matches(')').split('|');
            object.enum_values = Some(words.map(Into::into).collect());
            (object.pattern, object.example) = (None, None);
        }
    }
}

/// A parameter that several operations have.
pub(super) fn parameters(description: &mut OpenApi) {
    let mut uses: Vec<(String, Parameter, usize)> = Vec::new();
    for (path, item) in &mut description.paths.paths {
        for (_, operation) in each(item) {
            for parameter in operation.parameters.iter_mut().flatten().filter_map(owned) {
                match uses.iter_mut().find(|(_, known, _)| known == parameter) {
                    Some((_, _, count)) => *count += 1,
                    None => uses.push((parameter_name(path, parameter), parameter.clone(), 1)),
                }
            }
        }
    }
    uses.retain(|(_, _, count)| *count > 1);
    let mut shared: BTreeMap<String, RefOr<Parameter>> = BTreeMap::new();
    for (name, parameter, _) in uses {
        shared.entry(name).or_insert(RefOr::T(parameter));
    }
    for (path, item) in &mut description.paths.paths {
        for (_, operation) in each(item) {
            for parameter in operation.parameters.iter_mut().flatten() {
                let RefOr::T(inline) = &*parameter else { continue };
                let name = parameter_name(path, inline);
                if shared.get(&name) == Some(&*parameter) {
                    *parameter = RefOr::Ref(Ref::new(format!("#/components/parameters/{name}")));
                }
            }
        }
    }
    description.components.get_or_insert_default().parameters.append(&mut shared);
}

/// `limit`, `papers.id`, `Idempotency-Key.required`: parameters of one name that differ keep apart.
fn parameter_name(path: &str, parameter: &Parameter) -> String {
    let name = &parameter.name;
    match parameter.parameter_in {
        ParameterIn::Path => {
            let resource = path.trim_start_matches("/v1/").split('/').next().unwrap_or_default();
            format!("{resource}.{name}")
        }
        ParameterIn::Header if parameter.required == Required::True => format!("{name}.required"),
        _ => name.clone(),
    }
}

/// Of each status, the error that most operations answer with.
pub(super) fn errors(description: &mut OpenApi) {
    let mut uses: BTreeMap<String, Vec<(Response, usize)>> = BTreeMap::new();
    for item in description.paths.paths.values_mut() {
        for (_, operation) in each(item) {
            for (status, response) in &mut operation.responses.responses {
                let Some(response) = owned(response) else { continue };
                if status.starts_with('2') {
                    continue;
                }
                let known = uses.entry(status.clone()).or_default();
                match known.iter_mut().find(|(known, _)| known == response) {
                    Some((_, count)) => *count += 1,
                    None => known.push((response.clone(), 1)),
                }
            }
        }
    }
    let most_used = |(status, known): (String, Vec<(Response, usize)>)| {
        let most = known.into_iter().rev().max_by_key(|(_, count)| *count)?;
        let code = status.parse::<u16>().ok().and_then(|number| StatusCode::from_u16(number).ok())?;
        let name = code.canonical_reason()?.replace(' ', "");
        (most.1 > 1).then_some((status, (name, RefOr::T(most.0))))
    };
    let shared: BTreeMap<String, (String, RefOr<Response>)> =
        uses.into_iter().filter_map(most_used).collect();
    for item in description.paths.paths.values_mut() {
        for (_, operation) in each(item) {
            for (status, response) in &mut operation.responses.responses {
                match shared.get(status) {
                    Some((name, common)) if common == response => {
                        *response = RefOr::Ref(Ref::from_response_name(name.clone()));
                    }
                    _ => {
                        // The shared errors show how one looks; once is enough.
                        if let RefOr::T(response) = response
                            && !status.starts_with('2')
                        {
                            response.content.values_mut().filter_map(owned).for_each(|it| it.example = None);
                        }
                    }
                }
            }
        }
    }
    description.components.get_or_insert_default().responses.extend(shared.into_values());
}

/// What stands here itself and is no reference.
fn owned<T>(value: &mut RefOr<T>) -> Option<&mut T> {
    match value {
        RefOr::T(value) => Some(value),
        RefOr::Ref(_) => None,
    }
}
