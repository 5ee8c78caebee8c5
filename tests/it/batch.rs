//! `POST /solve/batch`: the three forms, what stays with an item, and what holds for the whole.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use sudoku_api::http::{App, Limits, Solver, router};
use sudoku_api::pool::{Pool, Usage};
use sudoku_api::sudoku::{self, Givens, Interrupt, Outcome};
use tower::ServiceExt;

use crate::grids::{OWN, test_data};
use crate::support::{
    JSON, PUZZLE, SOLUTION, TEXT, app_with, empty_grid, gate, get, limits, post, post_batch,
    request, service, until,
};

const LINES: &str = "application/x-ndjson";

fn app(workers: usize, solver: Arc<Solver>, limits: Limits) -> (App, Router) {
    let app = app_with(Pool::new(workers, 1024), solver, limits);
    let router = router(&app, true);
    (app, router)
}

/// Begins a batch; its answer is read as far as the test wants.
async fn begin(router: &Router, body: String) -> Body {
    let request = request("POST", "/solve/batch", &[TEXT], body.into());
    let response = router.clone().oneshot(request).await.expect("the router is infallible");
    assert_eq!(response.status(), 200);
    response.into_body()
}

async fn metric(router: &Router, line: &str) -> bool {
    get(router, "/metrics", &[]).await.body.lines().any(|found| found == line)
}

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON on each line")).collect()
}

/// Solves each row alone and in a batch of each form.
async fn assert_batches_answer_as_single_solves(list: &str) {
    let router = service();
    let puzzles: Vec<&str> = list.lines().filter_map(|row| row.split(' ').nth(1)).collect();
    let mut singles = Vec::new();
    for puzzle in &puzzles {
        singles.push(post(&router, &[JSON], json!(puzzle).to_string()).await.json());
    }

    let objects: Vec<String> =
        puzzles.iter().map(|puzzle| json!({ "puzzle": puzzle }).to_string()).collect();
    let lines = post_batch(&router, LINES, objects.join("\n")).await;
    let array = post_batch(&router, JSON.1, json!(puzzles).to_string()).await;
    let text = post_batch(&router, "text/plain", puzzles.join("\n")).await;
    let lines = json_lines(&lines.body);
    let array = array.json()["results"].as_array().expect("results").clone();
    let text: Vec<&str> = text.body.lines().collect();
    assert_eq!([lines.len(), array.len(), text.len()], [puzzles.len(); 3]);

    for (index, single) in singles.iter().enumerate() {
        for result in [&lines[index], &array[index]] {
            assert_eq!(result["index"], index);
            assert_eq!(result["solution"], single["solution"], "{result}");
            assert_eq!(result["unique"], single["unique"], "{result}");
            for member in ["code", "status", "detail", "reason", "conflicts"] {
                assert_eq!(result["problem"][member], single[member], "{result}");
            }
        }
        let code_and_detail =
            || format!("! unsolvable: {}", single["detail"].as_str().expect("a detail"));
        let line = single["solution"].as_str().map_or_else(code_and_detail, str::to_owned);
        assert_eq!(text[index], line);
    }
}

#[tokio::test]
async fn a_batch_answers_each_own_grid_as_a_single_solve_does() {
    assert_batches_answer_as_single_solves(OWN).await;
}

#[tokio::test]
#[ignore = "needs the published puzzle lists: SUDOKU_TEST_DATA"]
async fn a_batch_answers_each_published_grid_as_a_single_solve_does() {
    let list = fs::read_to_string(test_data().join("cases/grids_published.txt"));
    assert_batches_answer_as_single_solves(&list.expect("the folder has the grids")).await;
}

#[tokio::test]
async fn an_error_stays_with_its_item_and_an_id_comes_back_as_it_was_written() {
    let long = "x".repeat(255);
    let items = [
        json!({ "puzzle": PUZZLE, "id": 7 }).to_string(),
        format!("{{\"id\": 1.50e1, \"puzzle\": \"{PUZZLE}\"}}"),
        format!("{{\"id\": \"\\u0041\", \"puzzle\": \"{}\"}}", PUZZLE.replacen('3', "5", 1)),
        json!({ "id": "short", "puzzle": "12" }).to_string(),
        json!({ "id": [], "puzzle": PUZZLE }).to_string(),
        json!({ "id": long, "puzzle": PUZZLE }).to_string(),
        format!("{{\"id\": 1, \"id\": 2, \"puzzle\": \"{PUZZLE}\"}}"),
        json!({ "id": 3, "grid": PUZZLE }).to_string(),
        json!({ "id": 4 }).to_string(),
        "true".to_owned(),
        json!([[1]]).to_string(),
        json!({ "puzzle": PUZZLE }).to_string(),
    ];
    let expected = [
        (Some("7"), "solved"),
        (Some("1.50e1"), "solved"),
        (Some("\"\\u0041\""), "unsolvable"),
        (Some("\"short\""), "invalid_puzzle"),
        (None, "invalid_request"),
        (None, "invalid_request"),
        (None, "invalid_request"),
        (Some("3"), "invalid_request"),
        (Some("4"), "invalid_request"),
        (None, "invalid_request"),
        (None, "invalid_puzzle"),
        (None, "solved"),
    ];
    let router = service();
    let lines = post_batch(&router, LINES, items.join("\n")).await;
    let array = post_batch(&router, JSON.1, format!("[{}]", items.join(","))).await;
    let array = array.body.replace("},{\"index\"", "}\n{\"index\"");
    let array = array.strip_prefix("{\"results\":[").and_then(|rest| rest.strip_suffix("]}"));
    for answers in [lines.body.as_str(), array.expect("the frame of an array")] {
        assert_eq!(answers.lines().count(), expected.len(), "{answers}");
        for (index, (line, (id, outcome))) in answers.lines().zip(expected).enumerate() {
            let id = id.map_or_else(String::new, |id| format!(",\"id\":{id}"));
            let rest = line.strip_prefix(&format!("{{\"index\":{index}{id},"));
            let rest = rest.unwrap_or_else(|| panic!("{index}{id}: {line}"));
            let answer: Value = serde_json::from_str(line).expect("JSON");
            if outcome == "solved" {
                assert_eq!(answer["solution"], SOLUTION, "{line}");
                assert_eq!(answer["unique"], true, "{line}");
            } else {
                assert!(rest.starts_with("\"problem\":{"), "{line}");
                assert_eq!(answer["problem"]["code"], outcome, "{line}");
                assert!(answer["problem"]["request_id"].is_string(), "{line}");
            }
        }
    }
}

#[tokio::test]
async fn each_item_is_answered_in_its_own_shape() {
    let rows: Value = SOLUTION
        .as_bytes()
        .chunks(9)
        .map(|row| row.iter().map(|digit| digit - b'0').collect::<Vec<_>>())
        .collect();
    let flat: Vec<u8> = SOLUTION.bytes().map(|digit| digit - b'0').collect();
    let body = json!([rows, { "puzzle": flat }, SOLUTION]).to_string();
    let answer = post_batch(&service(), "application/vnd.sudoku+json", body).await.json();
    let solutions: Vec<&Value> =
        answer["results"].as_array().expect("results").iter().map(|r| &r["solution"]).collect();
    assert_eq!(solutions, [&rows, &json!(flat), &json!(SOLUTION)]);
}

#[tokio::test]
async fn lines_without_a_puzzle_are_skipped() {
    let router = service();
    let text = format!("\u{feff}# from a magazine\n{PUZZLE}\r\n\r\n#\r{PUZZLE}\n\nx\n");
    let wrong = "! invalid_puzzle: expected a line of 81 cells, found 1";
    let answer = post_batch(&router, "text/plain", text).await;
    assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8");
    assert_eq!(answer.body, format!("{SOLUTION}\n{SOLUTION}\n{wrong}\n"));

    let lines = format!("\u{feff}\n \t\r\n\"{PUZZLE}\"\r\n\n");
    let answer = post_batch(&router, "application/jsonl", lines).await;
    assert_eq!(answer.header("content-type"), LINES);
    let expected = format!("{{\"index\":0,\"solution\":\"{SOLUTION}\",\"unique\":true}}\n");
    assert_eq!(answer.body, expected);
}

#[tokio::test]
async fn a_batch_without_items_is_an_empty_answer() {
    let router = service();
    for (content_type, body, expected) in [
        ("text/plain", "", ""),
        ("text/plain", "\n# nothing\n", ""),
        (LINES, "\n", ""),
        (JSON.1, " [ ] ", "{\"results\":[]}"),
    ] {
        let answer = post_batch(&router, content_type, body).await;
        assert_eq!((answer.status.as_u16(), answer.body.as_str()), (200, expected), "{body:?}");
    }
}

#[tokio::test]
async fn a_body_that_is_no_array_is_refused_with_its_place() {
    let router = service();
    for (body, code, line, column) in [
        ("", "invalid_json", 1, 1),
        ("[1,\n]", "invalid_json", 2, 1),
        ("[1 2]", "invalid_json", 1, 4),
        ("[1,2] 3", "invalid_json", 1, 7),
        ("[]]", "invalid_json", 1, 3),
        ("[\n\n nul]", "invalid_json", 3, 5),
    ] {
        let answer = post_batch(&router, JSON.1, body).await;
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (400, code), "{body:?}");
        let problem = answer.json();
        assert_eq!([&problem["line"], &problem["column"]], [line, column], "{body:?}: {problem}");
    }
    for body in ["[", "[1", "[1,", "[\"", "{", "[\"\\x\"]"] {
        assert_eq!(post_batch(&router, JSON.1, body).await.code(), "invalid_json", "{body:?}");
    }
    for body in ["{}", "1", "null", "\"x\""] {
        let answer = post_batch(&router, JSON.1, body).await;
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (400, "invalid_request"));
    }
    let wrong_byte = post_batch(&router, JSON.1, b"[\"\xff\"]".to_vec()).await;
    assert_eq!(wrong_byte.code(), "invalid_json");
}

#[tokio::test]
async fn every_array_cut_short_anywhere_is_refused() {
    let router = service();
    let whole = json!([PUZZLE, { "puzzle": PUZZLE, "id": "ä" }, [[1, null]], "\"]"]).to_string();
    assert_eq!(post_batch(&router, JSON.1, whole.clone()).await.status, 200);
    for length in 0..whole.len() {
        let answer = post_batch(&router, JSON.1, whole.as_bytes()[..length].to_vec()).await;
        assert_eq!(answer.code(), "invalid_json", "{length} bytes");
    }
}

#[tokio::test]
async fn lost_line_ends_and_the_wrong_type_are_guessed_at() {
    let router = service();
    let form = "application/x-www-form-urlencoded";
    let answer = post_batch(&router, form, format!("{PUZZLE}{PUZZLE}")).await;
    assert!(answer.body.contains("found 162 (curl -d @file strips"), "{}", answer.body);
    let answer = post_batch(&router, "text/plain", format!("[\"{PUZZLE}\"]")).await;
    assert!(answer.body.contains("(JSON is application/json or"), "{}", answer.body);
}

#[tokio::test]
async fn an_item_has_the_limit_of_a_body_and_the_batch_its_own() {
    let limits = Limits { body: 100, batch: 3_000_000, ..limits() };
    let (_, router) = app(2, Arc::new(sudoku::solve), limits);
    let body = format!("{}\n{PUZZLE}\n", ".".repeat(101));
    let answer = post_batch(&router, "text/plain", body).await;
    let problem = "! body_too_large: expected a body of at most 100 bytes, found a longer one";
    assert_eq!(answer.body, format!("{problem}\n{SOLUTION}\n"));

    let full = "#".repeat(3_000_000);
    assert_eq!(post_batch(&router, "text/plain", full.clone()).await.status, 200);
    let answer = post_batch(&router, "text/plain", full + "#").await;
    assert_eq!(
        (answer.code().as_str(), &answer.json()["limit"]),
        ("body_too_large", &json!(3_000_000))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_without_a_place_is_refused_and_one_that_left_makes_room() {
    let gate = gate();
    let (app, router) = app(1, gate.solver, Limits { batches: 1, ..limits() });
    let body = begin(&router, empty_grid()).await;
    let reading = tokio::spawn(body.collect());
    gate.entered.recv().expect("the search begins");

    let refused = post_batch(&router, "text/plain", PUZZLE).await;
    assert_eq!((refused.status.as_u16(), refused.code().as_str()), (503, "overloaded"));
    assert_eq!(refused.header("retry-after"), "30");
    assert!(refused.body.contains("found all 1 taken"), "{}", refused.body);
    let unread = post_batch(&router, "image/png", PUZZLE).await;
    assert_eq!(unread.code(), "unsupported_media_type", "what needs no place takes none");

    reading.abort();
    gate.interrupted.recv().expect("the search is interrupted");
    until(|| app.pool.usage() == Usage { waiting: 0, running: 0 }).await;
    assert_eq!(post_batch(&router, "text/plain", PUZZLE).await.body.trim(), SOLUTION);
    assert!(metric(&router, "sudoku_requests_in_flight{listener=\"public\"} 1").await);
    let left = "sudoku_requests_total{method=\"POST\",route=\"/solve/batch\",status=\"499\"} 1";
    assert!(metric(&router, left).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_deadline_holds_for_each_puzzle_even_if_nobody_reads() {
    let gate = gate();
    let (app, router) =
        app(1, gate.solver, Limits { deadline: Duration::from_millis(5), ..limits() });
    let mut body = begin(&router, format!("{PUZZLE}\n{0}\n{PUZZLE}\n{0}\n", empty_grid())).await;
    // The first poll begins the work; then the caller does not read.
    let unread = tokio::time::timeout(Duration::ZERO, body.frame()).await;
    for _ in 0..2 {
        gate.entered.recv().expect("the search begins");
        gate.interrupted.recv().expect("the search is interrupted");
    }
    until(|| app.pool.usage().running == 0).await;
    let mut answers = match unread {
        Ok(Some(Ok(frame))) => frame.into_data().expect("data").to_vec(),
        Ok(other) => panic!("data, not {other:?}"),
        Err(_elapsed) => Vec::new(),
    };
    answers.extend(body.collect().await.expect("a whole answer").to_bytes());
    let answers = String::from_utf8(answers).expect("UTF-8");
    let lines: Vec<&str> = answers.lines().collect();
    let [first, second, third, fourth] = lines.as_slice() else { panic!("four: {answers}") };
    assert_eq!([first, third], [&SOLUTION, &SOLUTION]);
    for late in [second, fourth] {
        assert!(late.starts_with("! deadline_exceeded: "), "{late}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn single_puzzles_go_on_with_one_worker_during_a_batch() {
    let gate = gate();
    let (_, router) =
        app(1, gate.solver, Limits { deadline: Duration::from_millis(20), ..limits() });
    let batch = begin(&router, format!("{}\n", empty_grid()).repeat(50)).await;
    let batch = tokio::spawn(batch.collect());
    for _ in 0..3 {
        gate.entered.recv().expect("the batch is under way");
    }
    // The worker is busy for 20 ms at a time, which is within nobody's deadline.
    while post(&router, &[], PUZZLE).await.status != 200 {}
    assert!(!batch.is_finished(), "the batch goes on");
    batch.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_panic_costs_one_item() {
    let solver = |givens: &Givens, interrupt: &Interrupt| -> Outcome {
        assert!(*givens != Givens::default(), "injected");
        sudoku::solve(givens, interrupt)
    };
    let (_, router) = app(2, Arc::new(solver), limits());
    let body = format!("{PUZZLE}\n{}\n{PUZZLE}\n", empty_grid());
    let answer = post_batch(&router, "text/plain", body).await;
    let lines: Vec<&str> = answer.body.lines().collect();
    assert!(lines[1].starts_with("! internal: "), "{answer:?}");
    assert_eq!([lines[0], lines[2]], [SOLUTION, SOLUTION]);
    assert!(metric(&router, "sudoku_panics_total 1").await);
    assert!(metric(&router, "sudoku_batch_puzzles_total{outcome=\"solved\"} 2").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_that_is_cut_off_does_not_end_its_answer() {
    let gate = gate();
    let (app, router) = app(1, gate.solver, limits());
    let body = begin(&router, format!("{PUZZLE}\n{}\n", empty_grid())).await;
    let reading = tokio::spawn(body.collect());
    gate.entered.recv().expect("the search begins");
    app.pool.close();
    assert!(reading.await.expect("no panic").is_err());
    assert_eq!(app.metrics.answers_cut.get(), 1);
    assert_eq!(post_batch(&router, "text/plain", PUZZLE).await.code(), "shutting_down");
}
