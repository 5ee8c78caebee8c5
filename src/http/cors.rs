//! Lets pages of other origins call the service.
//!
//! `CorsLayer` takes every `OPTIONS` for a preflight and answers it, whether the path exists or
//! not. One that is none is led past it under another method.

use std::time::Duration;

use axum::extract::Request;
use hyper::Method;
use hyper::header::{
    ACCESS_CONTROL_REQUEST_METHOD, CONTENT_TYPE, ETAG, HeaderName, IF_NONE_MATCH, ORIGIN,
    RETRY_AFTER,
};
use tower_http::cors::{AllowOrigin, Any, CorsLayer};

use super::observe::X_REQUEST_ID;
use super::solve::SERVER_TIMING;
use super::state::CorsOrigins;

/// Marks an `OPTIONS` that is no preflight and passes for a `GET`.
#[derive(Clone)]
struct Disguised;

/// To be done to a request before the [`layer`] sees it.
pub(super) fn disguise_options(mut request: Request) -> Request {
    let headers = request.headers();
    let is_preflight =
        headers.contains_key(ORIGIN) && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD);
    if request.method() == Method::OPTIONS && !is_preflight {
        *request.method_mut() = Method::GET;
        request.extensions_mut().insert(Disguised);
    }
    request
}

/// To be done to a request that has passed the [`layer`].
pub(super) fn unmask_options(mut request: Request) -> Request {
    if request.extensions_mut().remove::<Disguised>().is_some() {
        *request.method_mut() = Method::OPTIONS;
    }
    request
}

/// Adds the CORS headers to every answer, and answers preflights.
pub(super) fn layer(origins: &CorsOrigins) -> CorsLayer {
    let layer = CorsLayer::new()
        .allow_methods([Method::GET, Method::HEAD, Method::POST, Method::OPTIONS])
        .allow_headers([CONTENT_TYPE, X_REQUEST_ID, IF_NONE_MATCH])
        .expose_headers([X_REQUEST_ID, SERVER_TIMING, ETAG, RETRY_AFTER])
        .max_age(Duration::from_hours(24));
    match origins {
        // The same for everyone, so caches need not tell origins apart.
        None => layer.allow_origin(Any).vary([] as [HeaderName; 0]),
        Some(list) => layer.allow_origin(AllowOrigin::list(list.clone())).vary([ORIGIN]),
    }
}
