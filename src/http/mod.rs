//! The HTTP shell: routes, layers, and the connections that carry them.

mod answer;
mod batch;
mod body;
mod code;
mod cors;
mod docs;
mod health;
mod json;
mod media;
mod observe;
mod problem;
mod puzzle;
mod serve;
mod solve;
mod state;

use std::any::Any;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use hyper::header::{HeaderValue, VARY};
use hyper::{Method, Uri};
use tower::ServiceBuilder;
use tower::util::MapResponseLayer;
use tower_http::catch_panic::CatchPanicLayer;

use problem::{Code, Problem, excerpt};

pub use serve::{ConnectionLimits, serve};
pub use state::{App, CorsOrigins, Limits, Listener, Shared, Solver};

/// The public routes; with `probes` also those that an admin listener would serve.
pub fn router(app: &App, probes: bool) -> Router {
    let solve = Router::new()
        .route("/solve", post(solve::post))
        .route("/solve/{puzzle}", get(solve::get))
        .layer(MapResponseLayer::new(vary_by_accept));
    let routes = Router::new()
        .merge(solve)
        .route("/solve/batch", post(batch::post))
        .route("/openapi.yaml", get(docs::openapi_yaml))
        .route("/openapi.json", get(docs::openapi_json))
        .route("/problems/{code}", get(docs::problem));
    let routes = if probes { routes.merge(probe_routes()) } else { routes };
    layered(routes, app, Listener::Public)
}

/// The routes of the admin listener.
pub fn admin_router(app: &App) -> Router {
    layered(probe_routes(), app, Listener::Admin)
}

fn probe_routes() -> Router<App> {
    Router::new()
        .route("/livez", get(health::livez))
        .route("/readyz", get(health::readyz))
        .route("/metrics", get(health::metrics))
}

/// Routes under the layers of the service.
pub fn layered(routes: Router<App>, app: &App, listener: Listener) -> Router {
    let panics = app.metrics.panics.clone();
    let in_flight = app.metrics.requests_in_flight.with_label_values(&[listener.as_str()]);
    // Outermost first, in one piece: each `Router::layer` costs every request a box and its clone.
    let layers = ServiceBuilder::new()
        // Preflights and panics are logged and counted too.
        .layer(from_fn_with_state((app.clone(), in_flight), observe::observe))
        .map_request(cors::disguise_options)
        .layer(cors::layer(&app.cors_origins))
        .map_request(cors::unmask_options)
        .layer(CatchPanicLayer::custom(move |_payload: Box<dyn Any + Send>| {
            panics.inc();
            Problem::internal().into_response()
        }))
        // Also before those two fallbacks.
        .layer(from_fn_with_state(app.clone(), body::receive));
    routes
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(layers)
        .with_state(app.clone())
}

fn vary_by_accept(mut response: Response) -> Response {
    response.headers_mut().append(VARY, HeaderValue::from_static("accept"));
    response
}

async fn not_found(uri: Uri) -> Problem {
    let found = excerpt(uri.path());
    Problem::new(
        Code::NotFound,
        format!("expected a path that /openapi.yaml lists, found \"{found}\""),
    )
}

async fn method_not_allowed(method: Method, uri: Uri) -> Problem {
    let (method, path) = (excerpt(method.as_str()), excerpt(uri.path()));
    let detail =
        format!("expected a method that the Allow header lists, found {method} at \"{path}\"");
    Problem::new(Code::MethodNotAllowed, detail)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use axum::body::Body;
    use axum::extract::Request;
    use tower::ServiceExt;

    use super::*;
    use crate::metrics::Metrics;
    use crate::pool::Pool;
    use crate::sudoku;

    #[tokio::test]
    async fn a_panic_in_a_handler_costs_one_request() {
        let pool = Pool::new(1, 1);
        let second = Duration::from_secs(1);
        let limits = Limits { deadline: second, ..Limits::default() };
        let metrics = Metrics::new(&pool);
        let app = App::new(pool, Arc::new(sudoku::solve), limits, None, metrics);
        let routes = probe_routes().route("/panic", get(async || -> () { panic!("injected") }));
        let service = layered(routes, &app, Listener::Public);
        let status = async |path: &str| {
            let request = Request::get(path).body(Body::empty()).expect("a valid request");
            let response = service.clone().oneshot(request).await.expect("infallible");
            assert!(response.headers().contains_key("x-request-id"));
            response.status()
        };
        assert_eq!(status("/panic").await, 500);
        assert_eq!(status("/livez").await, 200);
        assert_eq!(app.metrics.panics.get(), 1);
        let in_flight = app.metrics.requests_in_flight.with_label_values(&["public"]);
        assert_eq!(in_flight.get(), 0);
    }
}
