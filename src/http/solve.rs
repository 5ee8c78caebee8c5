//! `POST /solve` and `GET /solve/{puzzle}`.

use std::time::{Duration, Instant};

use axum::Extension;
use axum::body::Bytes;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use hyper::StatusCode;
use hyper::header::{CACHE_CONTROL, ETAG, HeaderMap, HeaderName, HeaderValue, IF_NONE_MATCH};

use super::answer::Format;
use super::media::puzzle_kind;
use super::problem::{Code, Problem};
use super::puzzle::Puzzle;
use super::state::App;
use crate::pool::{PoolError, Report, Timing};
use crate::sudoku::{Givens, Interrupt, Outcome};

pub(super) const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");

/// The answer to a puzzle never changes; this is how long caches are told to keep it.
const CACHEABLE: HeaderValue = HeaderValue::from_static("public, max-age=86400");

/// Part of every entity tag; to be raised when the same puzzle gets another body.
const FORMAT_VERSION: u32 = 1;

/// `POST /solve`: the smallest solution of the puzzle in the body, in kind.
pub(super) async fn post(
    State(app): State<App>,
    headers: HeaderMap,
    Extension(body): Extension<Bytes>,
) -> Result<Response, Problem> {
    let puzzle = Puzzle::from_body(puzzle_kind(&headers)?, &body)?;
    let format = Format::negotiated(&headers, &puzzle);
    Ok(answer(&app, &puzzle, format).await)
}

/// `GET /solve/{puzzle}`: the same for the 81 characters of the path, for caches to keep.
pub(super) async fn get(
    State(app): State<App>,
    headers: HeaderMap,
    path: Result<Path<String>, PathRejection>,
) -> Result<Response, Problem> {
    let Path(segment) = path.map_err(|_| not_utf8())?;
    let puzzle = Puzzle::from_path(&segment)?;
    let format = Format::negotiated(&headers, &puzzle);
    let tag = entity_tag(&puzzle.givens, format);
    // What has no 200 has no tag either; a clash is known without a search.
    let mut response = if is_named(&tag, &headers) && puzzle.givens.conflicts().is_empty() {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        answer(&app, &puzzle, format).await
    };
    let status = response.status();
    if matches!(status, StatusCode::OK | StatusCode::NOT_MODIFIED) {
        response.headers_mut().insert(ETAG, tag);
    }
    if !status.is_server_error() {
        response.headers_mut().insert(CACHE_CONTROL, CACHEABLE);
    }
    Ok(response)
}

fn not_utf8() -> Problem {
    Problem::plain_invalid_puzzle("expected 81 cells in UTF-8, found other bytes".to_owned())
}

/// Solves a well-formed puzzle and renders what came of it.
async fn answer(app: &App, puzzle: &Puzzle, format: Format) -> Response {
    let conflicts = puzzle.givens.conflicts();
    if !conflicts.is_empty() {
        return Problem::conflict(conflicts).into_response();
    }
    let Report { result, timing } = search(app, puzzle.givens).await;
    let mut response = match result {
        Ok(Outcome::Solved { solution, unique }) => format.render(puzzle, solution, unique),
        Ok(Outcome::Unsolvable) => Problem::no_solution().into_response(),
        Ok(Outcome::Interrupted) if app.pool.is_closed() => {
            refusal(app, PoolError::Closed).into_response()
        }
        Ok(Outcome::Interrupted) => refusal(app, PoolError::DeadlineExceeded).into_response(),
        Err(error) => refusal(app, error).into_response(),
    };
    response.headers_mut().insert(SERVER_TIMING, server_timing(timing));
    response.extensions_mut().insert(timing);
    response
}

async fn search(app: &App, givens: Givens) -> Report<Outcome> {
    tracing::debug!(puzzle = %givens, "solve");
    let admitted = Instant::now();
    let job = {
        let app = app.clone();
        // Counted here, so that a search whose caller has left is counted too.
        move |interrupt: &Interrupt| {
            let started = Instant::now();
            let outcome = (app.solver)(&givens, interrupt);
            app.metrics.searched(started - admitted, started.elapsed(), interrupt.nodes());
            outcome
        }
    };
    app.pool.run(admitted + app.limits.deadline, job).await
}

fn server_timing(timing: Timing) -> HeaderValue {
    let milliseconds = |duration: Duration| duration.as_secs_f64() * 1e3;
    let (queued, ran) = (milliseconds(timing.queued), milliseconds(timing.ran));
    HeaderValue::try_from(format!("queue;dur={queued:.3}, solve;dur={ran:.3}"))
        .expect("numbers are visible ASCII")
}

/// Counts a puzzle that gets no answer, and says when to try again.
pub(super) fn refusal(app: &App, error: PoolError) -> Problem {
    let deadline = app.limits.deadline;
    let (code, detail) = match error {
        PoolError::Full { waiting } => {
            let workers = app.pool.workers();
            let detail = format!(
                "expected a free worker or room in the queue, found {workers} busy and {waiting} \
                 waiting"
            );
            (Code::Overloaded, detail)
        }
        PoolError::DeadlineExceeded => {
            let within = humantime::format_duration(deadline);
            let detail = format!("expected an answer within {within}, found the search unfinished");
            (Code::DeadlineExceeded, detail)
        }
        PoolError::Closed => {
            let detail = "the service is shutting down and takes no more requests";
            (Code::ShuttingDown, detail.to_owned())
        }
        PoolError::Panicked => {
            app.metrics.panics.inc();
            return Problem::internal();
        }
    };
    app.metrics.refused.with_label_values(&[code.as_str()]).inc();
    // By then every puzzle that waits now has been answered or refused.
    Problem::new(code, detail).retry_after(deadline)
}

/// A strong tag that says all that the body depends on, so that every instance gives the same.
fn entity_tag(givens: &Givens, format: Format) -> HeaderValue {
    let format = format.as_str();
    HeaderValue::try_from(format!("\"{FORMAT_VERSION}-{format}-{givens}\""))
        .expect("the tag is visible ASCII")
}

/// Whether `If-None-Match` lists the tag; `*` is no tag, since nothing is stored here.
fn is_named(tag: &HeaderValue, headers: &HeaderMap) -> bool {
    headers
        .get_all(IF_NONE_MATCH)
        .iter()
        .flat_map(|value| value.as_bytes().split(|&byte| byte == b','))
        .map(<[u8]>::trim_ascii)
        .any(|listed| listed.strip_prefix(b"W/").unwrap_or(listed) == tag.as_bytes())
}
