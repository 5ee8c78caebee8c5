//! The service's counters, in Prometheus' text format.

use std::time::Duration;

#[cfg(target_os = "linux")]
use prometheus::process_collector::ProcessCollector;
use prometheus::{
    Encoder, Histogram, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge,
    IntGaugeVec, Opts, Registry, TextEncoder, core::Collector,
};
use tracing_appender::non_blocking::ErrorCounter;

use crate::pool::Pool;

/// From 50 µs to 1 s, in seconds.
const REQUEST_BUCKETS: &[f64] = &[
    0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0,
];

/// From 1 µs to 1 s, in seconds.
const SOLVE_BUCKETS: &[f64] = &[
    0.000_001,
    0.000_002_5,
    0.000_005,
    0.000_01,
    0.000_025,
    0.000_05,
    0.0001,
    0.00025,
    0.0005,
    0.001,
    0.0025,
    0.005,
    0.01,
    0.05,
    0.25,
    1.0,
];

/// Search nodes; most puzzles need a few, the hardest some thousands.
const NODE_BUCKETS: &[f64] =
    &[0.0, 1.0, 4.0, 16.0, 64.0, 256.0, 1024.0, 4096.0, 16_384.0, 65_536.0, 262_144.0];

/// All metrics of one service.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    /// Answers by `method`, `route` and `status`.
    pub requests: IntCounterVec,
    /// Time from the request's head to the answer's, by `route`.
    pub request_seconds: HistogramVec,
    /// Requests that are being answered, by `listener`.
    pub requests_in_flight: IntGaugeVec,
    /// Time that puzzles waited for a worker.
    queue_seconds: Histogram,
    /// Time that searches took.
    solve_seconds: Histogram,
    /// Search nodes of each puzzle.
    solve_nodes: Histogram,
    /// Puzzles not answered, by `reason`: a problem's code.
    pub refused: IntCounterVec,
    /// Puzzles of batches, by `outcome`: `solved` or a problem's code.
    pub batch_puzzles: IntCounterVec,
    /// Answers that were begun and cut off, because the service was stopped.
    pub answers_cut: IntCounter,
    /// Panics in handlers and solver jobs.
    pub panics: IntCounter,
    /// Open connections, by `listener`.
    pub connections: IntGaugeVec,
    waiting: IntGauge,
    running: IntGauge,
    pool: Pool,
    dropped_log_lines: IntCounter,
    log: Option<ErrorCounter>,
}

impl Metrics {
    /// Fresh counters beside those of the process and the pool.
    ///
    /// # Panics
    ///
    /// Never: the names are valid and distinct.
    #[must_use]
    pub fn new(pool: &Pool) -> Self {
        let registry = Registry::new();
        let metrics = Self {
            requests: counters(
                "requests_total",
                "Requests by status; 499 is a client that left",
                &["method", "route", "status"],
            ),
            request_seconds: HistogramVec::new(
                histogram_opts(
                    "request_duration_seconds",
                    "Time to answer a request",
                    REQUEST_BUCKETS,
                ),
                &["route"],
            )
            .expect("the options are valid"),
            requests_in_flight: gauges(
                "requests_in_flight",
                "Requests being answered",
                &["listener"],
            ),
            queue_seconds: histogram("queue_duration_seconds", "Wait for a worker", SOLVE_BUCKETS),
            solve_seconds: histogram("solve_duration_seconds", "Time of a search", SOLVE_BUCKETS),
            solve_nodes: histogram("solve_nodes", "Search nodes of a puzzle", NODE_BUCKETS),
            refused: counters("refused_total", "Puzzles not answered", &["reason"]),
            batch_puzzles: counters("batch_puzzles_total", "Puzzles of batches", &["outcome"]),
            answers_cut: counter("answers_cut_total", "Answers cut off when stopping"),
            panics: counter("panics_total", "Panics survived"),
            connections: gauges("connections", "Open connections", &["listener"]),
            waiting: gauge("queue_waiting", "Puzzles waiting for a worker"),
            running: gauge("workers_running", "Workers that are solving"),
            pool: pool.clone(),
            dropped_log_lines: counter(
                "log_lines_dropped_total",
                "Log lines lost because the log's reader was too slow",
            ),
            log: None,
            registry,
        };
        let limit = |name, help, value: usize| {
            let gauge = gauge(name, help);
            gauge.set(level(value));
            gauge
        };
        let build = Opts::new("sudoku_build_info", "The version that runs")
            .const_label("version", env!("CARGO_PKG_VERSION"));
        let build = IntGauge::with_opts(build).expect("the options are valid");
        build.set(1);
        for collector in [
            boxed(&metrics.requests),
            boxed(&metrics.request_seconds),
            boxed(&metrics.requests_in_flight),
            boxed(&metrics.queue_seconds),
            boxed(&metrics.solve_seconds),
            boxed(&metrics.solve_nodes),
            boxed(&metrics.refused),
            boxed(&metrics.panics),
            boxed(&metrics.batch_puzzles),
            boxed(&metrics.answers_cut),
            boxed(&metrics.connections),
            boxed(&metrics.waiting),
            boxed(&metrics.running),
            boxed(&metrics.dropped_log_lines),
            boxed(&limit("workers", "Most puzzles solved at a time", pool.workers())),
            boxed(&limit("queue_capacity", "Most puzzles that may wait", pool.queue())),
            boxed(&build),
            #[cfg(target_os = "linux")]
            Box::new(ProcessCollector::for_self()),
        ] {
            metrics.registry.register(collector).expect("the names are distinct");
        }
        metrics
    }

    /// Also tells how many lines the log has lost.
    #[must_use]
    pub fn with_log(self, dropped_lines: ErrorCounter) -> Self {
        Self { log: Some(dropped_lines), ..self }
    }

    /// The metrics as text.
    ///
    /// # Panics
    ///
    /// Never: every metric has a name and its labels.
    #[must_use]
    pub fn render(&self) -> String {
        let usage = self.pool.usage();
        let dropped = self.log.as_ref().map_or(0, ErrorCounter::dropped_lines) as u64;
        self.dropped_log_lines.inc_by(dropped.saturating_sub(self.dropped_log_lines.get()));
        self.waiting.set(level(usage.waiting));
        self.running.set(level(usage.running));
        let mut text = Vec::new();
        TextEncoder::new()
            .encode(&self.registry.gather(), &mut text)
            .expect("the metrics are complete");
        String::from_utf8(text).expect("names and labels are UTF-8")
    }

    /// Counts one search, whatever came of it.
    pub fn searched(&self, queued: Duration, ran: Duration, nodes: u64) {
        self.queue_seconds.observe(queued.as_secs_f64());
        self.solve_seconds.observe(ran.as_secs_f64());
        #[expect(clippy::cast_precision_loss, reason = "a bucket is much wider than the loss")]
        self.solve_nodes.observe(nodes as f64);
    }
}

fn opts(name: &str, help: &str) -> Opts {
    Opts::new(format!("sudoku_{name}"), help)
}

fn histogram_opts(name: &str, help: &str, buckets: &[f64]) -> HistogramOpts {
    HistogramOpts::from(opts(name, help)).buckets(buckets.to_vec())
}

fn histogram(name: &str, help: &str, buckets: &[f64]) -> Histogram {
    Histogram::with_opts(histogram_opts(name, help, buckets)).expect("the options are valid")
}

fn counters(name: &str, help: &str, labels: &[&str]) -> IntCounterVec {
    IntCounterVec::new(opts(name, help), labels).expect("the options are valid")
}

fn counter(name: &str, help: &str) -> IntCounter {
    IntCounter::with_opts(opts(name, help)).expect("the options are valid")
}

fn gauge(name: &str, help: &str) -> IntGauge {
    IntGauge::with_opts(opts(name, help)).expect("the options are valid")
}

fn gauges(name: &str, help: &str, labels: &[&str]) -> IntGaugeVec {
    IntGaugeVec::new(opts(name, help), labels).expect("the options are valid")
}

/// A count as gauges take it.
fn level(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn boxed<C: Collector + Clone + 'static>(collector: &C) -> Box<dyn Collector> {
    Box::new(collector.clone())
}
