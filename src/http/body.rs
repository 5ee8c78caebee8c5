//! Receives the body of a request, bounded in size and in time, before a handler sees it.
//!
//! Whatever the answer will be, the request has been read when it is sent: a client that sends
//! before it reads gets to see a 404 or a 413 instead of a reset connection. (A preflight, which has
//! no body, is answered before this.)

use std::error::Error;
use std::io;
use std::pin::pin;
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;
use hyper::Method;
use hyper::header::{CONNECTION, EXPECT, HeaderValue};
use tokio::time::{Instant, timeout, timeout_at};

use super::batch;
use super::observe::client_closed_request;
use super::problem::{Code, Problem};
use super::state::App;

/// Each so many bytes received earn a body one second more.
const BYTES_PER_SECOND: usize = 256 * 1024;

/// How long a body that is too large is read on and thrown away.
const DISCARD_TIME: Duration = Duration::from_secs(1);

/// Middleware that hands the body on as an extension of type [`Bytes`], or answers in the handler's
/// place.
///
/// A batch gets its place here already: it is its body that takes memory.
pub(super) async fn receive(State(app): State<App>, request: Request, next: Next) -> Response {
    let is_batch = is_batch(&request);
    let (mut parts, body) = request.into_parts();
    let waits_for_continue = parts.headers.contains_key(EXPECT);
    let mut limit = app.limits.body;
    if is_batch {
        limit = app.limits.batch;
        match batch::admit(&app, &parts.headers) {
            Ok(place) => {
                parts.extensions.insert(place);
            }
            Err(problem) if body.is_end_stream() => return problem.into_response(),
            Err(problem) => {
                refuse_unread(body, waits_for_continue).await;
                return closing(problem.into_response());
            }
        }
    }
    let received = if body.is_end_stream() {
        Ok(Bytes::new())
    } else {
        read(body, limit, app.limits.body_timeout, waits_for_continue).await
    };
    let response = match received {
        Ok(bytes) => {
            parts.extensions.insert(bytes);
            return next.run(Request::from_parts(parts, Body::empty())).await;
        }
        Err(Unread::Refused(problem)) => problem.into_response(),
        // Nobody reads this; it is for the log.
        Err(Unread::ClientLeft) => client_closed_request().into_response(),
    };
    closing(response)
}

fn is_batch(request: &Request) -> bool {
    let path = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    path == Some(batch::PATH) && request.method() == Method::POST
}

/// What is left of a body would be taken for the next request.
fn closing(mut response: Response) -> Response {
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

/// Why a body was not received.
enum Unread {
    Refused(Problem),
    ClientLeft,
}

async fn read(
    body: Body,
    limit: usize,
    time: Duration,
    waits_for_continue: bool,
) -> Result<Bytes, Unread> {
    let announced = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    if announced > limit {
        refuse_unread(body, waits_for_continue).await;
        return Err(Unread::Refused(Problem::body_too_large(limit)));
    }
    let start = Instant::now();
    let mut received = Vec::with_capacity(announced);
    let mut body = body;
    loop {
        let earned = Duration::from_secs((received.len() / BYTES_PER_SECOND) as u64);
        let frame = match timeout_at(start + time + earned, body.frame()).await {
            Ok(None) => return Ok(received.into()),
            Ok(Some(Ok(frame))) => frame,
            Ok(Some(Err(error))) => return Err(broken(&error)),
            Err(_elapsed) => return Err(too_slow(time, received.len())),
        };
        // Trailers are no part of the body.
        let Ok(data) = frame.into_data() else { continue };
        if received.len() + data.len() > limit {
            discard(body).await;
            return Err(Unread::Refused(Problem::body_too_large(limit)));
        }
        received.extend_from_slice(&data);
    }
}

/// Lets a client that sends before it reads come to the answer.
async fn refuse_unread(body: Body, waits_for_continue: bool) {
    if !waits_for_continue {
        discard(body).await;
    }
}

async fn discard(body: Body) {
    let mut body = pin!(body);
    let drain = async { while let Some(Ok(_)) = body.frame().await {} };
    // What is left when the time is up goes unread.
    let _ = timeout(DISCARD_TIME, drain).await;
}

fn broken(error: &axum::Error) -> Unread {
    let mut source = error.source();
    while let Some(cause) = source {
        let kind = cause.downcast_ref().map(io::Error::kind);
        if matches!(kind, Some(io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset)) {
            return Unread::ClientLeft;
        }
        source = cause.source();
    }
    let detail = format!("expected a whole body, found it malformed: {error}");
    Unread::Refused(Problem::new(Code::InvalidRequest, detail))
}

fn too_slow(time: Duration, received: usize) -> Unread {
    let detail = format!(
        "expected the whole body within {}, found {received} bytes of it",
        humantime::format_duration(time)
    );
    Unread::Refused(Problem::new(Code::RequestTimeout, detail))
}
