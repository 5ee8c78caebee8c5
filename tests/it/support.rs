//! What the tests share: a service in process, and requests to it.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use http_body_util::BodyExt;
use hyper::header::{HeaderMap, HeaderName};
use hyper::{Request, StatusCode};
use serde_json::Value;
use sudoku_api::http::{App, Limits, Solver, router};
use sudoku_api::metrics::Metrics;
use sudoku_api::pool::Pool;
use sudoku_api::sudoku::{self, Givens, Interrupt, Outcome};
use tower::ServiceExt;

/// A proper puzzle, and its solution.
pub(crate) const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
pub(crate) const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// Limits that no test runs into by accident.
pub(crate) fn limits() -> Limits {
    Limits {
        body_timeout: Duration::from_mins(1),
        deadline: Duration::from_mins(1),
        ..Limits::default()
    }
}

/// A service with a solver of the test's choice.
pub(crate) fn app_with(pool: Pool, solver: Arc<Solver>, limits: Limits) -> App {
    let metrics = Metrics::new(&pool);
    App::new(pool, solver, limits, None, metrics)
}

/// The service as it is.
pub(crate) fn app() -> App {
    app_with(Pool::new(2, 1024), Arc::new(sudoku::solve), limits())
}

/// A solver that stops at the empty grid until the test lets it go or raises its interrupt.
pub(crate) struct Gate {
    pub(crate) entered: Receiver<()>,
    pub(crate) release: Sender<()>,
    pub(crate) interrupted: Receiver<()>,
    pub(crate) solver: Arc<Solver>,
}

pub(crate) fn gate() -> Gate {
    let (enter, entered) = channel();
    let (release, released) = channel();
    let (interrupt_seen, interrupted) = channel();
    let released = Mutex::new(released);
    let solver = move |givens: &Givens, interrupt: &Interrupt| {
        if *givens == Givens::default() {
            enter.send(()).expect("the test listens");
            while !interrupt.is_raised() {
                if released.lock().expect("no panic").try_recv().is_ok() {
                    return sudoku::solve(givens, interrupt);
                }
                std::thread::yield_now();
            }
            // The test may have ended already.
            let _ = interrupt_seen.send(());
            return Outcome::Interrupted;
        }
        sudoku::solve(givens, interrupt)
    };
    Gate { entered, release, interrupted, solver: Arc::new(solver) }
}

/// The grid at which a gate stops.
pub(crate) fn empty_grid() -> String {
    ".".repeat(81)
}

/// An answer, its body read.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn header(&self, name: impl AsRef<str>) -> &str {
        self.headers.get(name.as_ref()).map_or("", |value| value.to_str().expect("visible ASCII"))
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// The code of a problem, which also has to be well-formed.
    pub(crate) fn code(&self) -> String {
        assert_eq!(self.header("content-type"), "application/problem+json", "{}", self.body);
        let problem = self.json();
        assert_eq!(problem["status"], self.status.as_u16());
        assert_eq!(problem["request_id"], self.header("x-request-id"));
        let code = problem["code"].as_str().expect("a code").to_owned();
        assert_eq!(problem["type"], format!("/problems/{code}"));
        code
    }
}

/// Sends one request through the router, without a socket.
pub(crate) async fn send(router: &Router, request: Request<Body>) -> Answer {
    let response = router.clone().oneshot(request).await.expect("the router is infallible");
    let (parts, body) = response.into_parts();
    let body = body.collect().await.expect("a whole body").to_bytes();
    Answer {
        status: parts.status,
        headers: parts.headers,
        body: String::from_utf8(body.to_vec()).expect("UTF-8"),
    }
}

pub(crate) async fn get(router: &Router, path: &str, headers: &[(&str, &str)]) -> Answer {
    send(router, request("GET", path, headers, Body::empty())).await
}

/// Posts a body to `/solve`.
pub(crate) async fn post(
    router: &Router,
    headers: &[(&str, &str)],
    body: impl Into<Body>,
) -> Answer {
    send(router, request("POST", "/solve", headers, body.into())).await
}

pub(crate) fn request(
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: Body,
) -> Request<Body> {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(name.parse::<HeaderName>().expect("a header name"), *value);
    }
    request.body(body).expect("a valid request")
}

/// The service with the real solver and probes.
pub(crate) fn service() -> Router {
    router(&app(), true)
}

/// Posts a body to `/solve/batch`.
pub(crate) async fn post_batch(
    router: &Router,
    content_type: &str,
    body: impl Into<Body>,
) -> Answer {
    let headers = [("content-type", content_type)];
    send(router, request("POST", "/solve/batch", &headers, body.into())).await
}

pub(crate) const JSON: (&str, &str) = ("content-type", "application/json");
pub(crate) const TEXT: (&str, &str) = ("content-type", "text/plain");
pub(crate) const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");

/// Waits, without a limit of its own, for a state that another task brings about.
pub(crate) async fn until(mut state: impl FnMut() -> bool) {
    while !state() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}
