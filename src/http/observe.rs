//! The outermost layer: the request's id, its log event and metrics, and the body of a problem.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use hyper::body::{Frame, SizeHint};
use hyper::header::{
    CACHE_CONTROL, CONNECTION, CONTENT_LENGTH, HeaderMap, HeaderName, HeaderValue,
    X_CONTENT_TYPE_OPTIONS,
};
use hyper::{Method, StatusCode};
use prometheus::IntGauge;
use tracing::Level;
use uuid::Uuid;

use super::problem::Problem;
use super::state::App;
use crate::pool::Timing;

/// The header that names a request in answers and logs.
pub(super) const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Middleware that names, completes, counts and logs.
pub(super) async fn observe(
    State((app, in_flight)): State<(App, IntGauge)>,
    mut request: Request,
    next: Next,
) -> Response {
    let mut exchange = Exchange::begin(app.clone(), in_flight, &request);
    // For those who write problems into an answer themselves.
    request.headers_mut().insert(X_REQUEST_ID, exchange.id.clone());
    let mut response = next.run(request).await;
    let problem = response.extensions_mut().remove::<Problem>();
    if let Some(problem) = &problem {
        let document = serde_json::to_vec(&problem.document(exchange.id()));
        let document = document.expect("a problem has only string keys and finite numbers");
        *response.body_mut() = Body::from(document);
        // That of the empty body, where a router has set one already.
        response.headers_mut().remove(CONTENT_LENGTH);
    }
    let server_error = response.status().is_server_error();
    let headers = response.headers_mut();
    headers.insert(X_REQUEST_ID, exchange.id.clone());
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if server_error {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    if app.is_draining() {
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
    }
    if response.body().size_hint().exact().is_some() {
        exchange.end(&response, problem.as_ref());
        response
    } else {
        response.map(|body| Body::new(Streamed { body, exchange }))
    }
}

/// The body of an answer that is written while it is sent: the request ends when the body does.
struct Streamed {
    body: Body,
    exchange: Exchange,
}

impl HttpBody for Streamed {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        match &frame {
            Some(Ok(_)) => {}
            Some(Err(_)) => self.exchange.end_streamed("cut"),
            None => self.exchange.end_streamed("sent"),
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// One request from its head to its answer; dropped without an end, its client has left.
struct Exchange {
    app: App,
    in_flight: IntGauge,
    id: HeaderValue,
    method: &'static str,
    route: Option<MatchedPath>,
    begun: Instant,
    ended: bool,
}

impl Exchange {
    fn begin(app: App, in_flight: IntGauge, request: &Request) -> Self {
        in_flight.inc();
        Self {
            app,
            in_flight,
            id: request_id(request.headers()),
            method: method_label(request.method()),
            route: request.extensions().get::<MatchedPath>().cloned(),
            begun: Instant::now(),
            ended: false,
        }
    }

    fn id(&self) -> &str {
        self.id.to_str().expect("a request id is visible ASCII")
    }

    /// The template, so that no path can add a label value of its own.
    fn route(&self) -> &str {
        self.route.as_ref().map_or("unmatched", MatchedPath::as_str)
    }

    fn end(&mut self, response: &Response, problem: Option<&Problem>) {
        self.ended = true;
        let timing = response.extensions().get::<Timing>();
        let outcome = problem.map(|problem| problem.code().as_str());
        self.record(response.status(), timing, outcome.or(timing.map(|_| "solved")));
    }

    fn end_streamed(&mut self, outcome: &str) {
        self.ended = true;
        self.record(StatusCode::OK, None, Some(outcome));
    }

    /// Logs and counts; a solve has a timing, and its outcome is `solved` or a problem's code.
    fn record(&self, status: StatusCode, timing: Option<&Timing>, outcome: Option<&str>) {
        let duration = self.begun.elapsed();
        let route = self.route();
        let metrics = &self.app.metrics;
        metrics.requests.with_label_values(&[self.method, route, status.as_str()]).inc();
        metrics.request_seconds.with_label_values(&[route]).observe(duration.as_secs_f64());
        macro_rules! log {
            ($level:expr) => {
                tracing::event!(
                    $level,
                    method = self.method,
                    route,
                    status = status.as_u16(),
                    duration_us = micros(duration),
                    queue_us = timing.map(|timing| micros(timing.queued)),
                    solve_us = timing.map(|timing| micros(timing.ran)),
                    nodes = timing.map(|timing| timing.nodes),
                    outcome,
                    request_id = self.id(),
                    "request"
                )
            };
        }
        if status == StatusCode::INTERNAL_SERVER_ERROR {
            log!(Level::ERROR);
        } else if status.is_server_error() {
            log!(Level::WARN);
        } else {
            log!(Level::INFO);
        }
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        if !self.ended {
            self.record(client_closed_request(), None, None);
        }
        self.in_flight.dec();
    }
}

/// What nginx calls a request whose client has left before the answer.
pub(super) fn client_closed_request() -> StatusCode {
    StatusCode::from_u16(499).expect("a status has three digits")
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

/// The caller's id where it is one that can be logged and sent back as it is, else a new one.
fn request_id(headers: &HeaderMap) -> HeaderValue {
    let usable = |id: &&HeaderValue| {
        (1..=128).contains(&id.len()) && id.as_bytes().iter().all(u8::is_ascii_graphic)
    };
    headers.get(X_REQUEST_ID).filter(usable).cloned().unwrap_or_else(|| {
        let id = Uuid::new_v4().hyphenated().to_string();
        HeaderValue::try_from(id).expect("a UUID is visible ASCII")
    })
}

/// Methods are an open set; labels are not.
fn method_label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}
