//! Ten times more requests than the workers can take, in process: what is accepted, what is
//! refused, and how soon.
//!
//! `cargo bench --bench overload`: jobs of 20 ms on two workers (100 a second) and 1,000 requests
//! a second for ten seconds (or `SECONDS`). Fails if a figure is worse than asked for; `SLACK=5`
//! allows five times worse, for machines that are busy with other things.

#![expect(clippy::cast_precision_loss, reason = "counts of requests are small")]

use std::error::Error;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use sudoku_api::http::{App, Limits, router};
use sudoku_api::metrics::Metrics;
use sudoku_api::pool::Pool;
use sudoku_api::sudoku::{self, Givens, Interrupt};
use tokio::task::JoinSet;
use tower::ServiceExt;

const WORKERS: usize = 2;
const JOB: Duration = Duration::from_millis(20);
const ARRIVAL: Duration = Duration::from_millis(1);

/// Asked for: solved puzzles a second.
const LEAST_GOODPUT: f64 = 80.0;
/// Asked for: 99th percentile of the time to refuse.
const MOST_REFUSAL: Duration = Duration::from_millis(50);

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let (slack, seconds) = (number("SLACK", 1.0)?, number("SECONDS", 10.0)?);

    let running = Arc::new(AtomicUsize::new(0));
    let most_running = Arc::new(AtomicUsize::new(0));
    let service = service(Arc::clone(&running), Arc::clone(&most_running));
    let begun = Instant::now();
    let load = offer(&service, begun, seconds).await?;

    let goodput = load.solved as f64 / begun.elapsed().as_secs_f64();
    let refusal = percentile(load.refusals, 99);
    let most_running = most_running.load(Ordering::SeqCst);
    let mut out = std::io::stdout();
    writeln!(
        out,
        "offered {:.0} a second for {seconds} s, capacity 100 a second",
        load.offered as f64 / seconds
    )?;
    writeln!(out, "solved {goodput:.0} a second, refused {}, lost {}", load.refused, load.lost)?;
    writeln!(out, "refusals within {:.2} ms at the 99th percentile", refusal.as_secs_f64() * 1e3)?;
    writeln!(out, "most jobs at a time {most_running}, failed probes {}", load.failed_probes)?;

    for (holds, what) in [
        (goodput * slack >= LEAST_GOODPUT, "the goodput"),
        (refusal <= MOST_REFUSAL.mul_f64(slack), "the time to refuse"),
        (most_running <= WORKERS, "the number of jobs at a time"),
        (load.failed_probes == 0, "the number of failed probes"),
        (load.lost == 0, "the number of answers that are neither"),
    ] {
        if !holds {
            return Err(format!("{what} is worse than asked for").into());
        }
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "a knob of this benchmark, not a setting")]
fn number(name: &str, default: f64) -> Result<f64, Box<dyn Error>> {
    Ok(std::env::var(name).map_or(Ok(default), |value| value.parse())?)
}

fn service(running: Arc<AtomicUsize>, most_running: Arc<AtomicUsize>) -> Router {
    let solver = move |givens: &Givens, interrupt: &Interrupt| {
        most_running.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        std::thread::sleep(JOB);
        running.fetch_sub(1, Ordering::SeqCst);
        sudoku::solve(givens, interrupt)
    };
    let pool = Pool::new(WORKERS, 1024);
    let metrics = Metrics::new(&pool);
    router(&App::new(pool, Arc::new(solver), Limits::default(), None, metrics), true)
}

#[derive(Default)]
struct Load {
    offered: usize,
    solved: usize,
    refused: usize,
    lost: usize,
    failed_probes: usize,
    refusals: Vec<Duration>,
}

enum Sent {
    Puzzle(StatusCode, Duration),
    Probe(StatusCode),
}

/// Sends a puzzle at each tick, whatever became of those before, and a probe at each tenth.
async fn offer(service: &Router, begun: Instant, seconds: f64) -> Result<Load, Box<dyn Error>> {
    let mut load = Load::default();
    let mut sent = JoinSet::new();
    let mut ticks = tokio::time::interval(ARRIVAL);
    while begun.elapsed().as_secs_f64() < seconds {
        ticks.tick().await;
        load.offered += 1;
        let router = service.clone();
        sent.spawn(async move {
            let begun = Instant::now();
            let status = status(router, Request::post("/solve"), ".".repeat(81)).await;
            Sent::Puzzle(status, begun.elapsed())
        });
        if load.offered % 10 == 0 {
            let router = service.clone();
            sent.spawn(async {
                Sent::Probe(status(router, Request::get("/livez"), String::new()).await)
            });
        }
    }
    while let Some(result) = sent.join_next().await {
        match result? {
            Sent::Puzzle(StatusCode::OK, _) => load.solved += 1,
            Sent::Puzzle(StatusCode::SERVICE_UNAVAILABLE, time) => {
                load.refused += 1;
                load.refusals.push(time);
            }
            Sent::Puzzle(..) => load.lost += 1,
            Sent::Probe(status) => load.failed_probes += usize::from(status != StatusCode::OK),
        }
    }
    Ok(load)
}

async fn status(router: Router, request: axum::http::request::Builder, body: String) -> StatusCode {
    let request = request.body(Body::from(body)).expect("a valid request");
    router.oneshot(request).await.expect("the router is infallible").status()
}

fn percentile(mut values: Vec<Duration>, percent: usize) -> Duration {
    values.sort_unstable();
    values.get(values.len() * percent / 100).copied().unwrap_or_default()
}
