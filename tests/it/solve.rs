//! Solves: bodies, shapes, layouts, negotiation, caching.

use axum::body::Body;

use crate::support::{FORM, JSON, PUZZLE, SOLUTION, TEXT, get, post, request, send, service};

/// The rows of a grid, each cell followed by the separator but the last.
fn laid_out(cells: &str, between: &str) -> String {
    let rows = cells.as_bytes().chunks(9).map(|row| {
        let row: Vec<String> = row.iter().map(|&byte| char::from(byte).to_string()).collect();
        row.join(between) + "\n"
    });
    rows.collect()
}

fn nested(cells: &str) -> serde_json::Value {
    let cell = |byte: &u8| if *byte == b'.' { 0 } else { byte - b'0' };
    cells.as_bytes().chunks(9).map(|row| row.iter().map(cell).collect::<Vec<_>>()).collect()
}

#[tokio::test]
async fn a_string_is_answered_by_a_string() {
    for body in [format!("\"{PUZZLE}\""), format!("{{\"puzzle\":\"{PUZZLE}\"}}")] {
        let answer = post(&service(), &[JSON], body).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("content-type"), "application/json");
        assert_eq!(answer.body, format!("{{\"solution\":\"{SOLUTION}\",\"unique\":true}}"));
    }
}

#[tokio::test]
async fn an_array_is_answered_by_an_array_of_its_shape() {
    let rows = nested(PUZZLE);
    let flat: Vec<_> = rows
        .as_array()
        .expect("rows")
        .iter()
        .flat_map(|row| row.as_array().expect("a row"))
        .collect();
    let flat = serde_json::json!(flat);
    for (puzzle, solution) in [
        (rows, nested(SOLUTION)),
        (flat, SOLUTION.bytes().map(|byte| byte - b'0').collect::<Vec<_>>().into()),
    ] {
        for body in [puzzle.to_string(), serde_json::json!({ "puzzle": puzzle }).to_string()] {
            let answer = post(&service(), &[JSON], body).await;
            assert_eq!(answer.json(), serde_json::json!({"solution": solution, "unique": true}));
        }
    }
}

#[tokio::test]
async fn several_solutions_are_answered_by_the_smallest() {
    let answer = post(&service(), &[JSON], format!("\"{}\"", ".".repeat(81))).await;
    let smallest =
        "123456789456789123789123456214365897365897214897214365531642978642978531978531642";
    assert_eq!(answer.body, format!("{{\"solution\":\"{smallest}\",\"unique\":false}}"));
}

#[tokio::test]
async fn a_text_grid_comes_back_in_its_layout() {
    let zeros = PUZZLE.replace('.', "0");
    for (puzzle, solution) in [
        (PUZZLE.to_owned(), format!("{SOLUTION}\n")),
        (format!("{PUZZLE}\r\n"), format!("{SOLUTION}\n")),
        (laid_out(&zeros, ""), laid_out(SOLUTION, "")),
        (laid_out(&zeros, "").replace('\n', "\r\n"), laid_out(SOLUTION, "")),
        (laid_out(&zeros, "").replace('\n', "\r"), laid_out(SOLUTION, "")),
        (laid_out(&zeros, " "), laid_out(SOLUTION, " ")),
        (laid_out(&zeros, ","), laid_out(SOLUTION, "")),
        (laid_out(&zeros, ", "), laid_out(SOLUTION, " ")),
        (format!("\u{feff}{}", laid_out(&zeros, "\t")), laid_out(SOLUTION, " ")),
    ] {
        for content_type in [TEXT, FORM, ("content-type", "text/plain; charset=\"UTF-8\"")] {
            let answer = post(&service(), &[content_type], puzzle.clone()).await;
            assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8", "{puzzle}");
            assert_eq!(answer.body, solution, "{puzzle}");
        }
        assert_eq!(post(&service(), &[], puzzle).await.body, solution, "no content type");
    }
}

#[tokio::test]
async fn what_curl_and_fetch_send_by_default_is_read() {
    let json = format!(" {{\"puzzle\": \"{PUZZLE}\"}}");
    let nested = nested(PUZZLE).to_string();
    let encoded: String = form_urlencoded::byte_serialize(nested.as_bytes()).collect();
    for (content_type, body, answers_json) in [
        (TEXT, json.clone(), true),
        (FORM, json, true),
        (FORM, nested, true),
        (FORM, PUZZLE.to_owned(), false),
        (FORM, format!("puzzle={PUZZLE}"), true),
        (FORM, format!("puzzle={encoded}"), true),
    ] {
        let answer = post(&service(), &[content_type], body.clone()).await;
        assert_eq!(answer.status, 200, "{body}: {}", answer.body);
        assert_eq!(answer.header("content-type") == "application/json", answers_json, "{body}");
    }
}

#[tokio::test]
async fn accept_decides_between_json_and_text() {
    let in_json = format!("\"{PUZZLE}\"");
    for (accept, body, text) in [
        ("*/*", PUZZLE, true),
        ("text/*", PUZZLE, true),
        ("application/json", PUZZLE, false),
        ("text/plain, application/json", PUZZLE, false),
        ("text/plain;q=0", PUZZLE, false),
        ("application/json;q=0.5, text/plain;q=0.6", PUZZLE, true),
        ("*/*", &in_json, false),
        ("text/plain", &in_json, true),
        ("text/plain;q=0.5, application/json;q=0.4", &in_json, true),
        ("text/plain;q=0.5, application/json;q=0.5", &in_json, false),
        ("image/png", &in_json, false),
    ] {
        let answer = post(&service(), &[("accept", accept)], body.to_owned()).await;
        let expected = if text { "text/plain; charset=utf-8" } else { "application/json" };
        assert_eq!(answer.header("content-type"), expected, "{accept}: {body}");
        assert_eq!(answer.header("vary"), "accept");
    }
}

#[tokio::test]
async fn text_for_json_keeps_the_arrangement() {
    let accept = ("accept", "text/plain");
    let nested = nested(PUZZLE).to_string();
    let flat = format!("[{}]", nested.replace(['[', ']'], ""));
    let rows = serde_json::json!({ "puzzle": laid_out(PUZZLE, " ") }).to_string();
    for (body, text) in [
        (nested, laid_out(SOLUTION, "")),
        (flat, format!("{SOLUTION}\n")),
        (rows, laid_out(SOLUTION, " ")),
    ] {
        assert_eq!(post(&service(), &[JSON, accept], body).await.body, text);
    }
}

#[tokio::test]
async fn a_path_is_solved_for_caches_to_keep() {
    let service = service();
    let path = format!("/solve/{PUZZLE}");
    let first = get(&service, &path, &[]).await;
    assert_eq!(first.json()["solution"], SOLUTION);
    assert_eq!(first.header("cache-control"), "public, max-age=86400");
    assert_eq!(first.header("vary"), "accept");
    let tag = first.header("etag");
    assert!(tag.starts_with('"') && tag.ends_with('"'), "{tag}");

    for named in [tag.to_owned(), format!("W/{tag}"), format!("\"other\", {tag}")] {
        let again = get(&service, &path, &[("if-none-match", &named)]).await;
        assert_eq!(again.status, 304, "{named}");
        assert_eq!(again.body, "");
        for header in ["etag", "cache-control", "vary"] {
            assert_eq!(again.header(header), first.header(header), "{header}");
        }
        assert_eq!(again.header("server-timing"), "", "nothing was solved");
    }
    for named in ["*", "\"other\""] {
        assert_eq!(get(&service, &path, &[("if-none-match", named)]).await.status, 200);
    }
    let text = get(&service, &path, &[("accept", "text/plain"), ("if-none-match", tag)]).await;
    assert_eq!(text.body, format!("{SOLUTION}\n"), "another representation has another tag");

    let clash = path.replacen("53", "55", 1);
    let tag_of_clash = tag.replacen("53", "55", 1);
    let answer = get(&service, &clash, &[("if-none-match", &tag_of_clash)]).await;
    assert_eq!(answer.status, 422, "what has no 200 has no tag");

    let blanks = path.replace('.', "%3F");
    assert_eq!(get(&service, &blanks, &[]).await.header("etag"), tag, "the same puzzle");
}

#[tokio::test]
async fn a_path_without_solution_may_be_cached_and_a_bad_one_may_not() {
    let service = service();
    let unsolvable = format!("/solve/12345678.........9{}", ".".repeat(63));
    let answer = get(&service, &unsolvable, &[]).await;
    assert_eq!((answer.status.as_u16(), answer.code().as_str()), (422, "unsolvable"));
    assert_eq!(answer.header("cache-control"), "public, max-age=86400");
    for (path, headers) in [
        (format!("/solve/{}", &PUZZLE[1..]), vec![("if-none-match", "*")]),
        (format!("/solve/{}z", &PUZZLE[1..]), vec![]),
        ("/solve/%ff".to_owned(), vec![]),
    ] {
        let answer = get(&service, &path, &headers).await;
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (400, "invalid_puzzle"));
        assert_eq!(answer.header("cache-control"), "");
    }
}

#[tokio::test]
async fn head_answers_like_get_without_a_body() {
    let path = format!("/solve/{PUZZLE}");
    let whole = get(&service(), &path, &[]).await;
    let head = send(&service(), request("HEAD", &path, &[], Body::empty())).await;
    assert_eq!((head.status, head.body.as_str()), (whole.status, ""));
    assert_eq!(head.header("content-length"), whole.body.len().to_string());
    assert_eq!(head.header("etag"), whole.header("etag"));
}

#[tokio::test]
async fn a_solve_tells_its_times_in_milliseconds() {
    let answer = post(&service(), &[], PUZZLE).await;
    let timing = answer.header("server-timing");
    let parts: Vec<&str> = timing.split(", ").collect();
    let [queue, solve] = parts.as_slice() else { panic!("two parts: {timing}") };
    for (part, name) in [(queue, "queue;dur="), (solve, "solve;dur=")] {
        let number = part.strip_prefix(name).unwrap_or_else(|| panic!("{name} in {part}"));
        let (_, decimals) = number.split_once('.').expect("decimals");
        assert_eq!(decimals.len(), 3);
        assert!(number.parse::<f64>().expect("a number") >= 0.0);
    }
}
