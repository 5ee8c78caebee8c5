//! Errors: codes, places, members, and the headers that every answer has.

use std::sync::Arc;

use axum::body::Body;
use axum::http::HeaderValue;
use serde_json::json;
use sudoku_api::http::{App, router};
use sudoku_api::metrics::Metrics;
use sudoku_api::pool::Pool;
use sudoku_api::sudoku;

use crate::support::{FORM, JSON, PUZZLE, TEXT, get, limits, post, request, send, service};

#[tokio::test]
async fn broken_json_says_where_it_breaks() {
    for (body, line, column) in [
        (&b""[..], 1, 1),
        (b"  ", 1, 1),
        (b"{", 1, 1),
        (b"{\"puzzle\": \"1\",}", 1, 16),
        (b"{\n \"puzzle\" 1}", 2, 11),
        (b"{\"puzzle\": \"1\n2\"}", 1, 14),
        (b"{\"puzzle\": \"\xff\"}", 1, 13),
        (b"{\"puzzle\":\n \"\\ud800\"}", 2, 9),
        (b"[1] 2", 1, 5),
        (b"\xef\xbb\xbf[1,]", 1, 4),
    ] {
        let answer = post(&service(), &[JSON], body).await;
        let shown = String::from_utf8_lossy(body);
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (400, "invalid_json"),
            "{shown}"
        );
        let problem = answer.json();
        assert_eq!(
            (&problem["line"], &problem["column"]),
            (&json!(line), &json!(column)),
            "{shown}: {problem}"
        );
    }
}

#[tokio::test]
async fn members_are_refused_by_name() {
    for (content_type, body, named) in [
        (JSON, "{}", "\"puzzle\", found none"),
        (JSON, r#"{"grid": 1}"#, "\"grid\""),
        (JSON, r#"{"puzzle": "", "size": 9}"#, "\"size\""),
        (JSON, r#"{"puzzle": "", "puzzle": ""}"#, "twice"),
        (JSON, "true", "found true"),
        (JSON, "17", "found a number"),
        (JSON, "null", "found null"),
        (FORM, "puzzle=1&puzzle=2", "twice"),
        (FORM, "puzzle=1&size=9", "\"size\""),
        (FORM, "grid=1", "\"grid\""),
    ] {
        let answer = post(&service(), &[content_type], body).await;
        assert_eq!(answer.code(), "invalid_request", "{body}: {}", answer.body);
        let detail = answer.json()["detail"].as_str().expect("a detail").to_owned();
        assert!(detail.contains(named), "{body}: {detail}");
    }
}

#[tokio::test]
async fn a_wrong_cell_is_shown_as_it_was_written() {
    for cell in
        ["-1", "-0", "10", "1.0", "1e0", "true", "\"12\"", "\"a\"", "{}", "[]", "\"\\ud800\""]
    {
        let cells = format!("[{cell}{}]", ",0".repeat(80));
        let body = if cell == "[]" { format!("[[[]{}],0]", ",0".repeat(8)) } else { cells };
        let answer = post(&service(), &[JSON], body).await;
        assert_eq!(answer.code(), "invalid_puzzle", "{cell}");
        let problem = answer.json();
        if cell != "[]" {
            assert_eq!(
                problem["errors"][0]["cell"],
                json!({"name": "r1c1", "row": 0, "column": 0})
            );
            let detail = problem["detail"].as_str().expect("a detail");
            assert!(detail.ends_with(&format!("found {cell} in r1c1")), "{detail}");
        }
    }
}

#[tokio::test]
async fn every_way_to_write_an_empty_cell_is_read() {
    for cell in [
        "0", "null", "\"\"", "\"0\"", "\".\"", "\"_\"", "\"-\"", "\"*\"", "\"?\"", "\"x\"",
        "\"X\"", "\" \"",
    ] {
        let body = format!("[{cell}{}]", ",\"1\"".repeat(80));
        let answer = post(&service(), &[JSON], body).await;
        assert_eq!(answer.code(), "unsolvable", "{cell}: {}", answer.body);
    }
}

#[tokio::test]
async fn a_wrong_shape_is_counted() {
    let row = "[0,0,0,0,0,0,0,0,0]";
    let rows = |count: usize| vec![row; count].join(",");
    for (body, details) in [
        ("[]".to_owned(), vec!["expected 9 rows of 9 cells, or 81 cells, found an array of 0"]),
        (format!("[{}]", rows(8)), vec!["expected 9 rows, found 8"]),
        (
            format!("[{},[0],null]", rows(7)),
            vec![
                "expected 9 cells, found 1 in row 8",
                "expected an array of 9 cells, found null in row 9",
            ],
        ),
        (
            format!("{{\"puzzle\": {}}}", 5),
            vec!["expected a string or an array as the puzzle, found a number"],
        ),
    ] {
        let answer = post(&service(), &[JSON], body).await;
        assert_eq!(answer.code(), "invalid_puzzle");
        let errors = answer.json()["errors"].clone();
        assert_eq!(
            errors,
            details.iter().map(|detail| json!({"detail": detail})).collect::<serde_json::Value>()
        );
    }
}

#[tokio::test]
async fn at_most_ten_errors_are_listed() {
    for (content_type, body) in [
        (TEXT, "z".repeat(81)),
        (TEXT, "z\n".repeat(200)),
        (JSON, format!("[{}\"z\"]", "\"z\",".repeat(80))),
        (JSON, format!("[{}]", vec!["[]"; 50].join(","))),
    ] {
        let answer = post(&service(), &[content_type], body).await;
        let problem = answer.json();
        assert_eq!(problem["errors"].as_array().map(Vec::len), Some(10));
        assert!(problem["detail"].as_str().expect("a detail").ends_with("(and at least 9 more)"));
    }
}

#[tokio::test]
async fn a_stripped_text_file_gets_a_hint() {
    let short = "0".repeat(80);
    let hint = |body: String| async move {
        post(&service(), &[FORM], body).await.body.contains("--data-binary")
    };
    assert!(hint(short.clone()).await, "one line of the wrong length");
    assert!(hint(short[..18].to_owned() + "\n" + &short[18..]).await, "two lines of it");
    assert!(hint("+---+---+---+| 5 3 . | . 7 .".to_owned()).await, "a frame without line ends");
    assert!(!hint("z".repeat(81)).await, "not a matter of length");
    assert!(!hint(format!("\"{short}\"")).await, "not a text body");
}

#[tokio::test]
async fn other_bodies_are_unsupported() {
    for headers in [
        [("content-type", "application/xml"), ("x-none", "")],
        [("content-type", "text/html"), ("x-none", "")],
        [("content-type", "multipart/form-data; boundary=x"), ("x-none", "")],
        [("content-type", "nonsense"), ("x-none", "")],
        [("content-type", "text/plain; charset=latin1"), ("x-none", "")],
        [JSON, ("content-encoding", "gzip")],
        [("content-encoding", "identity"), ("content-encoding", "gzip")],
        [TEXT, JSON],
    ] {
        let answer = post(&service(), &headers, PUZZLE).await;
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (415, "unsupported_media_type")
        );
        assert_eq!(answer.json()["accepted"][0], "application/json");
    }
    for content_type in
        ["application/vnd.sudoku+json", "APPLICATION/JSON; charset=us-ascii", "application/json;"]
    {
        let headers = [("content-type", content_type), ("content-encoding", "identity")];
        assert_eq!(post(&service(), &headers, format!("\"{PUZZLE}\"")).await.status, 200);
    }
}

#[tokio::test]
async fn clashing_givens_are_all_listed_without_a_search() {
    let puzzle = format!("11.......1{}", ".".repeat(71));
    let answer = post(&service(), &[], puzzle).await;
    assert_eq!((answer.status.as_u16(), answer.code().as_str()), (422, "unsolvable"));
    let problem = answer.json();
    assert_eq!(problem["reason"], "conflict");
    let cell = |name, row, column| json!({"name": name, "row": row, "column": column});
    let (r1c1, r1c2, r2c1) = (cell("r1c1", 0, 0), cell("r1c2", 0, 1), cell("r2c1", 1, 0));
    assert_eq!(
        problem["conflicts"],
        json!([
            {"house": "row 1", "digit": 1, "cells": [r1c1, r1c2]},
            {"house": "column 1", "digit": 1, "cells": [r1c1, r2c1]},
            {"house": "box 1", "digit": 1, "cells": [r1c1, r1c2, r2c1]},
        ])
    );
    assert_eq!(answer.header("server-timing"), "");
}

#[tokio::test]
async fn unknown_paths_and_methods_are_problems() {
    let service = service();
    for (method, path, status, code, allow) in [
        ("GET", "/", 404, "not_found", ""),
        ("POST", "/nothing", 404, "not_found", ""),
        ("OPTIONS", "/nothing", 404, "not_found", ""),
        ("GET", "/problems/nothing", 404, "not_found", ""),
        ("GET", "/solve", 405, "method_not_allowed", "POST"),
        ("OPTIONS", "/solve", 405, "method_not_allowed", "POST"),
        ("DELETE", "/livez", 405, "method_not_allowed", "GET,HEAD"),
    ] {
        let answer = send(&service, request(method, path, &[], Body::empty())).await;
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (status, code),
            "{method} {path}"
        );
        assert_eq!(answer.header("allow"), allow, "{method} {path}");
    }
}

#[tokio::test]
async fn every_problem_has_a_page() {
    let service = service();
    let page = get(&service, "/problems/unsolvable", &[]).await;
    assert_eq!(page.status, 200);
    assert_eq!(
        (page.json()["code"].as_str(), page.json()["status"].as_u64()),
        (Some("unsolvable"), Some(422))
    );
    let problem = get(&service, "/nothing", &[]).await.json();
    let page = get(&service, problem["type"].as_str().expect("a path"), &[]).await;
    assert_eq!(page.json()["title"], problem["title"]);
}

#[tokio::test]
async fn a_usable_request_id_comes_back_and_another_is_replaced() {
    let service = service();
    for id in ["abc-123", &"i".repeat(128)] {
        let answer = get(&service, "/nothing", &[("x-request-id", id)]).await;
        assert_eq!(answer.header("x-request-id"), id);
        assert_eq!(answer.json()["request_id"], id);
    }
    for id in ["", "two words", "tab\there", &"i".repeat(129)] {
        let answer = get(&service, "/livez", &[("x-request-id", id)]).await;
        assert_eq!(answer.header("x-request-id").len(), 36, "a UUID in place of {id:?}");
    }
}

#[tokio::test]
async fn listed_origins_may_call_and_others_may_not() {
    let pool = Pool::new(1, 1);
    let metrics = Metrics::new(&pool);
    let list = Some(vec![HeaderValue::from_static("https://a.example")]);
    let app = App::new(pool, Arc::new(sudoku::solve), limits(), list, metrics);
    let service = router(&app, true);
    for (origin, allowed) in [("https://a.example", "https://a.example"), ("https://b.example", "")]
    {
        let answer = get(&service, "/livez", &[("origin", origin)]).await;
        assert_eq!(answer.header("access-control-allow-origin"), allowed);
        assert_eq!(answer.header("vary"), "origin");
    }
}

#[tokio::test]
async fn every_answer_can_be_read_from_another_origin() {
    let service = service();
    let origin = ("origin", "https://example.org");
    for path in ["/livez", "/nothing", "/solve"] {
        let answer = get(&service, path, &[origin]).await;
        assert_eq!(answer.header("access-control-allow-origin"), "*", "{path}");
        assert_eq!(
            answer.header("access-control-expose-headers"),
            "x-request-id,server-timing,etag,retry-after"
        );
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
    }
    let other = send(&service, request("OPTIONS", "/solve", &[origin], Body::empty())).await;
    assert_eq!((other.status.as_u16(), other.header("allow")), (405, "POST"));
    assert_eq!(other.header("access-control-allow-origin"), "*");
    let preflight = [origin, ("access-control-request-method", "POST")];
    let answer = send(&service, request("OPTIONS", "/solve", &preflight, Body::empty())).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("access-control-allow-methods"), "GET,HEAD,POST,OPTIONS");
    assert_eq!(
        answer.header("access-control-allow-headers"),
        "content-type,x-request-id,if-none-match"
    );
    assert_eq!(answer.header("access-control-max-age"), "86400");
}
