//! `/livez`, `/readyz` and `/metrics`: what probes and scrapers ask.

use std::time::Duration;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use hyper::header::{CONTENT_TYPE, HeaderValue};

use super::problem::{Code, Problem};
use super::state::App;

/// `GET /livez`: the process answers, also while it is being stopped.
pub(super) async fn livez() -> &'static str {
    "ok\n"
}

/// `GET /readyz`: new callers are welcome.
pub(super) async fn readyz(State(app): State<App>) -> Result<&'static str, Problem> {
    if app.is_draining() {
        let detail = "the service is being stopped and takes no new callers";
        return Err(Problem::new(Code::ShuttingDown, detail).retry_after(Duration::from_secs(1)));
    }
    Ok("ok\n")
}

/// `GET /metrics`: Prometheus' text format.
pub(super) async fn metrics(State(app): State<App>) -> Response {
    let content_type = HeaderValue::from_static(prometheus::TEXT_FORMAT);
    ([(CONTENT_TYPE, content_type)], app.metrics.render()).into_response()
}
