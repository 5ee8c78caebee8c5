//! Lets pages of other origins call the service.

use axum::Router;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::response::IntoResponse;
use hyper::Method;
use hyper::header::{
    ACCESS_CONTROL_REQUEST_METHOD, CONTENT_TYPE, ETAG, HeaderName, HeaderValue, IF_NONE_MATCH,
    ORIGIN, RETRY_AFTER,
};
use std::time::Duration;
use tower::ServiceExt;
use tower_http::cors::{AllowOrigin, Any, CorsLayer};

use super::observe::X_REQUEST_ID;
use super::solve::SERVER_TIMING;
use super::state::CorsOrigins;

/// Adds the CORS headers to every answer of the routes and answers preflights.
///
/// `CorsLayer` takes every `OPTIONS` for a preflight; one that is none goes to the routes, which
/// know whether the path exists.
pub(super) fn layer(routes: Router, origins: &CorsOrigins) -> Router {
    let plain = routes.clone();
    let bypass = from_fn(move |request: Request, next: Next| {
        let plain = plain.clone();
        async move {
            if request.method() == Method::OPTIONS && !is_preflight(&request) {
                plain.oneshot(request).await.into_response()
            } else {
                next.run(request).await
            }
        }
    });
    routes.layer(cors(origins)).layer(bypass)
}

fn is_preflight(request: &Request) -> bool {
    let headers = request.headers();
    headers.contains_key(ORIGIN) && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

fn cors(origins: &CorsOrigins) -> CorsLayer {
    let layer = CorsLayer::new()
        .allow_methods([Method::GET, Method::HEAD, Method::POST, Method::OPTIONS])
        .allow_headers([CONTENT_TYPE, X_REQUEST_ID, IF_NONE_MATCH])
        .expose_headers([X_REQUEST_ID, SERVER_TIMING, ETAG, RETRY_AFTER])
        .max_age(Duration::from_hours(24));
    match origins {
        // The same for everyone, so caches need not tell origins apart.
        CorsOrigins::Any => layer.allow_origin(Any).vary([] as [HeaderName; 0]),
        CorsOrigins::List(list) => {
            let list = list.iter().filter_map(|origin| HeaderValue::from_str(origin).ok());
            layer.allow_origin(AllowOrigin::list(list)).vary([ORIGIN])
        }
    }
}
