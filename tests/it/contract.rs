//! `openapi.yaml` and the service say the same: every example is replayed, every answer checked
//! against its schema, and routes and paths agree both ways.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use serde_json::{Value, json};
use sudoku_api::http::{Limits, router};
use sudoku_api::pool::Pool;
use sudoku_api::sudoku::{Givens, Interrupt, Outcome};

use crate::support::{Answer, app, app_with, get, limits, post, request, send, service};

/// Members that differ from run to run.
const VOLATILE: &[&str] = &["request_id"];

fn document() -> Value {
    serde_saphyr::from_str(include_str!("../../openapi.yaml")).expect("YAML")
}

/// Follows `$ref`s within the document.
fn resolve<'a>(document: &'a Value, mut value: &'a Value) -> &'a Value {
    while let Some(reference) = value.get("$ref").and_then(Value::as_str) {
        let pointer = reference.strip_prefix('#').expect("a reference within the document");
        value = document.pointer(pointer).unwrap_or_else(|| panic!("{reference} exists"));
    }
    value
}

fn object(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

/// Each operation: path, method, and what the document says of it.
fn operations(document: &Value) -> Vec<(&str, &str, &Value)> {
    const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];
    object(&document["paths"])
        .flat_map(|(path, item)| {
            object(item)
                .filter(|(method, _)| METHODS.contains(&method.as_str()))
                .map(move |(method, operation)| (path.as_str(), method.as_str(), operation))
        })
        .collect()
}

/// Refuses a value that does not fit the schema at `pointer`.
fn check_schema(document: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    let whole = json!({"allOf": [schema], "components": document["components"]});
    let validator = jsonschema::draft202012::new(&whole).expect("a valid schema");
    let errors: Vec<String> = validator
        .iter_errors(value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    if errors.is_empty() { Ok(()) } else { Err(errors.join("; ")) }
}

/// An answer fits what the document says of its status: media type, schema, headers.
fn check_answer(document: &Value, operation: &Value, answer: &Answer) {
    let status = answer.status.as_str();
    let response = resolve(document, &operation["responses"][status]);
    assert!(!response.is_null(), "{status} is described: {}", answer.body);
    for (name, header) in object(&response["headers"]) {
        let header = resolve(document, header);
        let value = answer.header(name.to_lowercase());
        assert!(!value.is_empty() || header["required"] != true, "{status} has {name}");
        if !value.is_empty() {
            let typed = match header["schema"]["type"].as_str() {
                Some("integer") => json!(value.parse::<u64>().expect("an integer")),
                _ => json!(value),
            };
            check_schema(document, &header["schema"], &typed)
                .unwrap_or_else(|error| panic!("{status} {name}: {error}"));
        }
    }
    let media_type = answer.header("content-type").split(';').next().unwrap_or_default();
    let content = &response["content"];
    if media_type.is_empty() && content.is_null() {
        return;
    }
    let described = &content[media_type];
    assert!(!described.is_null(), "{status} is described as {media_type}");
    let value = if is_json(media_type) { answer.json() } else { json!(answer.body) };
    if media_type == "application/x-ndjson" {
        let results =
            json!({"type": "array", "items": {"$ref": "#/components/schemas/BatchResult"}});
        check_schema(document, &results, &lines_apart(media_type, &value))
            .unwrap_or_else(|error| panic!("{status}: {error}: {value}"));
    }
    check_schema(document, &described["schema"], &value)
        .unwrap_or_else(|error| panic!("{status} {media_type}: {error}: {value}"));
}

fn without_volatile(value: &Value) -> Value {
    match value {
        Value::Object(members) => members
            .iter()
            .filter(|(name, _)| !VOLATILE.contains(&name.as_str()))
            .map(|(name, value)| (name.clone(), without_volatile(value)))
            .collect(),
        Value::Array(items) => items.iter().map(without_volatile).collect(),
        other => other.clone(),
    }
}

/// NDJSON as the array of its lines; other values as they are.
fn lines_apart(media_type: &str, value: &Value) -> Value {
    match value.as_str() {
        Some(lines) if media_type == "application/x-ndjson" => lines
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).expect("JSON on each line"))
            .collect(),
        _ => value.clone(),
    }
}

/// Whether a body is one JSON value.
fn is_json(media_type: &str) -> bool {
    media_type == "application/json" || media_type.ends_with("+json")
}

/// Where an example of this name is answered: each status and media type.
fn answers_named<'a>(
    document: &'a Value,
    operation: &'a Value,
    name: &str,
) -> Vec<(&'a str, &'a str, &'a Value)> {
    let mut found = Vec::new();
    for (status, response) in object(&operation["responses"]) {
        for (media_type, content) in object(&resolve(document, response)["content"]) {
            if let Some(example) = content["examples"].get(name) {
                found.push((status.as_str(), media_type.as_str(), &example["value"]));
            }
        }
    }
    found
}

/// Sends a request example and compares with the answer example of its name.
async fn replay(
    document: &Value,
    service: &Router,
    operation: &Value,
    (method, path): (&str, &str),
    (name, content_type, body): (&str, Option<&str>, String),
) {
    let expected = answers_named(document, operation, name);
    assert!(!expected.is_empty(), "the example {name} has an answer");
    for (status, media_type, value) in &expected {
        let mut headers = Vec::new();
        headers.extend(content_type.map(|content_type| ("content-type", content_type)));
        if expected.len() > 1 {
            headers.push(("accept", *media_type));
        }
        let answer = send(service, request(method, path, &headers, Body::from(body.clone()))).await;
        check_answer(document, operation, &answer);
        assert_eq!(answer.status.as_str(), *status, "{name}: {}", answer.body);
        assert_eq!(answer.header("content-type").split(';').next(), Some(*media_type), "{name}");
        let found = if is_json(media_type) { answer.json() } else { json!(answer.body) };
        let comparable = |value| without_volatile(&lines_apart(media_type, value));
        assert_eq!(comparable(&found), comparable(value), "{name}");
    }
}

#[tokio::test]
async fn every_request_example_gets_its_answer() {
    let document = document();
    let service = service();
    let mut replayed = 0;
    for (path, method, operation) in operations(&document) {
        for (content_type, content) in object(&operation["requestBody"]["content"]) {
            for (name, example) in object(&content["examples"]) {
                let value = &example["value"];
                let body = match value {
                    Value::String(text) if content_type != "application/json" => text.clone(),
                    value => value.to_string(),
                };
                replay(
                    &document,
                    &service,
                    operation,
                    (method_name(method), path),
                    (name, Some(content_type), body),
                )
                .await;
                replayed += 1;
            }
        }
        for parameter in path_parameters(&document, operation) {
            for (name, example) in object(&parameter["examples"]) {
                let value = example["value"].as_str().expect("a string");
                let value: String = form_urlencoded::byte_serialize(value.as_bytes()).collect();
                let placeholder = format!("{{{}}}", parameter["name"].as_str().expect("a name"));
                let path = path.replace(&placeholder, &value.replace('+', "%20"));
                replay(
                    &document,
                    &service,
                    operation,
                    (method_name(method), &path),
                    (name, None, String::new()),
                )
                .await;
                replayed += 1;
            }
        }
    }
    assert!(replayed > 50, "only {replayed} examples were found");
}

fn method_name(method: &str) -> &'static str {
    match method {
        "get" => "GET",
        "post" => "POST",
        other => panic!("a method of the service, not {other}"),
    }
}

fn path_parameters<'a>(document: &'a Value, operation: &'a Value) -> Vec<&'a Value> {
    operation["parameters"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|parameter| resolve(document, parameter))
        .filter(|parameter| parameter["in"] == "path")
        .collect()
}

#[test]
fn every_answer_example_fits_its_schema() {
    let document = document();
    let mut checked = 0;
    for (path, method, operation) in operations(&document) {
        for (status, response) in object(&operation["responses"]) {
            for (media_type, content) in object(&resolve(&document, response)["content"]) {
                let examples: Vec<_> = object(&content["examples"]).collect();
                assert!(
                    !examples.is_empty(),
                    "{method} {path} {status} {media_type} has an example"
                );
                for (name, example) in examples {
                    check_schema(&document, &content["schema"], &example["value"])
                        .unwrap_or_else(|error| panic!("{method} {path} {status} {name}: {error}"));
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 80, "only {checked} examples were found");
}

#[tokio::test]
async fn every_documented_path_exists_and_takes_the_documented_methods() {
    let document = document();
    let service = service();
    for (path, item) in object(&document["paths"]) {
        let path = path.replace("{puzzle}", &"0".repeat(81)).replace("{code}", "internal");
        let mut allowed: BTreeSet<&str> = BTreeSet::new();
        for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] {
            let answer = send(&service, request(method, &path, &[], Body::empty())).await;
            assert_ne!(answer.status, 404, "{method} {path}");
            if answer.status != 405 {
                allowed.insert(method);
            }
        }
        let documented = object(item).filter_map(|(method, _)| match method.as_str() {
            "get" => Some(["GET", "HEAD"].as_slice()),
            "post" => Some(["POST"].as_slice()),
            _ => None,
        });
        assert_eq!(allowed, documented.flatten().copied().collect(), "{path}");
    }
}

#[test]
fn every_route_is_documented() {
    let document = document();
    let paths: BTreeSet<&str> = object(&document["paths"]).map(|(path, _)| path.as_str()).collect();
    // axum keeps its route table to itself, so it is read where it is written.
    let (source, _) =
        include_str!("../../src/http/mod.rs").split_once("#[cfg(test)]").expect("tests at its end");
    let routes: BTreeSet<&str> =
        source.split(".route(\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(routes, paths);
}

#[tokio::test]
async fn the_document_is_served_as_yaml_and_as_json() {
    let service = service();
    let yaml = get(&service, "/openapi.yaml", &[]).await;
    assert_eq!(yaml.header("content-type"), "application/yaml");
    assert_eq!(yaml.body, include_str!("../../openapi.yaml"));
    let json = get(&service, "/openapi.json", &[]).await;
    assert_eq!(json.header("content-type"), "application/json");
    assert_eq!(json.json(), document());
}

#[tokio::test]
async fn every_get_fits_its_schema() {
    let document = document();
    let app = app();
    let service = router(&app, true);
    for draining in [false, true] {
        for path in ["/livez", "/readyz", "/metrics", "/openapi.yaml", "/openapi.json"] {
            let operation = &document["paths"][path]["get"];
            check_answer(&document, operation, &get(&service, path, &[]).await);
        }
        if !draining {
            app.drain();
        }
    }
}

#[tokio::test]
async fn a_304_fits_its_description() {
    let document = document();
    let operation = &document["paths"]["/solve/{puzzle}"]["get"];
    let service = service();
    let path = format!("/solve/{}", ".".repeat(81));
    let first = get(&service, &path, &[]).await;
    check_answer(&document, operation, &first);
    let again = get(&service, &path, &[("if-none-match", first.header("etag"))]).await;
    assert_eq!(again.status, 304);
    check_answer(&document, operation, &again);
}

#[test]
fn the_version_is_that_of_the_package() {
    assert_eq!(document()["info"]["version"], env!("CARGO_PKG_VERSION"));
}

/// The answers that no plain request brings about fit too.
#[tokio::test]
async fn the_problems_of_a_busy_service_fit_their_schema() {
    let document = document();
    let operation = &document["paths"]["/solve"]["post"];
    let checked = |answer: Answer, code: &str| {
        check_answer(&document, operation, &answer);
        assert_eq!(answer.code(), code);
    };
    let interrupted = |_: &Givens, _: &Interrupt| Outcome::Interrupted;
    let app = app_with(Pool::new(1, 1), Arc::new(interrupted), limits());
    let service = router(&app, true);
    checked(post(&service, &[], ".".repeat(81)).await, "deadline_exceeded");
    app.pool.close();
    checked(post(&service, &[], ".".repeat(81)).await, "shutting_down");

    let panics = |_: &Givens, _: &Interrupt| -> Outcome { panic!("injected") };
    let small = Limits { body: 81, body_timeout: Duration::from_millis(1), ..limits() };
    let service = router(&app_with(Pool::new(1, 1), Arc::new(panics), small), true);
    checked(post(&service, &[], ".".repeat(81)).await, "internal");
    checked(post(&service, &[], ".".repeat(82)).await, "body_too_large");
    let silent =
        Body::from_stream(futures_util::stream::pending::<Result<Vec<u8>, std::io::Error>>());
    checked(post(&service, &[], silent).await, "request_timeout");
    checked(post(&service, &[("content-type", "image/png")], "x").await, "unsupported_media_type");
    checked(
        send(&service, request("GET", "/solve", &[], Body::empty())).await,
        "method_not_allowed",
    );
}
