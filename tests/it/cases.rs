//! Requests from public bug reports about Sudoku solvers and services, with their answers.

use axum::body::Body;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use futures_util::stream;
use serde_json::Value;

use crate::support::{Answer, request, send, service};

const CASES: &str = include_str!("../data/cases.jsonl");

#[tokio::test]
async fn each_reported_request_gets_its_answer() {
    let service = service();
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in CASES.lines() {
        let case: Value = serde_json::from_str(line).expect("a JSON object a line");
        let answer = send(&service, case_request(&case["request"])).await;
        if let Err(reason) = check(&case["expect"], &answer) {
            wrong.push(format!("{}: {reason}: {} {}", case["id"], answer.status, answer.body));
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(count, 117);
}

fn case_request(request_of_case: &Value) -> axum::http::Request<Body> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let body = text(&request_of_case["body"]).map(String::into_bytes).or_else(|| {
        let encoded = text(&request_of_case["body_base64"])?;
        Some(BASE64_STANDARD.decode(encoded).expect("Base64"))
    });
    let headers: Vec<(String, String)> = request_of_case["headers"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, value)| (name.to_lowercase(), text(value).expect("a string")))
        .chain(text(&request_of_case["content_type"]).map(|ct| ("content-type".to_owned(), ct)))
        .collect();
    let headers: Vec<(&str, &str)> =
        headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let body = body.unwrap_or_default();
    let chunked = headers.contains(&("transfer-encoding", "chunked"));
    let body = if chunked {
        let chunks: Vec<_> = body.chunks(1000).map(<[u8]>::to_vec).collect();
        Body::from_stream(stream::iter(chunks.into_iter().map(Ok::<_, std::io::Error>)))
    } else {
        Body::from(body)
    };
    let method = request_of_case["method"].as_str().expect("a method");
    request(method, request_of_case["path"].as_str().expect("a path"), &headers, body)
}

fn check(expected: &Value, answer: &Answer) -> Result<(), String> {
    let status = answer.status.as_u16();
    let status_fits = match &expected["http"] {
        Value::Number(number) => number.as_u64() == Some(u64::from(status)),
        Value::String(text) => text.split(" or ").any(|one| match one.strip_suffix("xx") {
            Some(class) => class == (status / 100).to_string(),
            None => one == status.to_string(),
        }),
        other => panic!("a status, not {other}"),
    };
    ensure(status_fits, "status")?;
    for (name, part) in expected["headers"].as_object().into_iter().flatten() {
        let part = part.as_str().expect("a string");
        ensure(
            answer.header(name.to_lowercase()).to_lowercase().contains(&part.to_lowercase()),
            name,
        )?;
    }
    if let Some(code) = expected["code"].as_str() {
        ensure(answer.code() == code, "code")?;
    }
    if let Some(reason) = expected["reason"].as_str() {
        ensure(answer.json()["reason"] == reason, "reason")?;
    }
    if let Some(solution) = expected["solution"].as_str() {
        let digits = if expected["shape"] == "text" {
            answer.body.split_whitespace().collect()
        } else {
            let answer = answer.json();
            ensure(answer["unique"] == expected["unique"], "unique")?;
            ensure(
                shape(&answer["solution"]) == expected["shape"].as_str().unwrap_or("string"),
                "shape",
            )?;
            let digits = |value: &Value| value.to_string().replace(['[', ']', ',', '"'], "");
            digits(&answer["solution"])
        };
        ensure(digits == solution, "solution")?;
    }
    Ok(())
}

fn ensure(holds: bool, what: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what.to_owned()) }
}

fn shape(solution: &Value) -> &'static str {
    match solution {
        Value::String(_) => "string",
        Value::Array(items) if items[0].is_array() => "nested",
        _ => "flat",
    }
}
