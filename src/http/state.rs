//! What the handlers share.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper::header::HeaderValue;
use tokio::sync::Semaphore;

use super::problem::Code;
use crate::metrics::Metrics;
use crate::pool::Pool;
use crate::sudoku::{Givens, Interrupt, Outcome};

/// A solver; [`sudoku::solve`](crate::sudoku::solve), or what a test puts in its place.
pub type Solver = dyn Fn(&Givens, &Interrupt) -> Outcome + Send + Sync;

/// What a request may take.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The largest body, and the largest item of a batch, in bytes.
    pub body: usize,
    /// The largest batch, in bytes.
    pub batch: usize,
    /// The most batches at a time.
    pub batches: usize,
    /// Time to receive a body, to which its size adds.
    pub body_timeout: Duration,
    /// Time to wait and be solved.
    pub deadline: Duration,
}

impl Default for Limits {
    /// The defaults of the settings.
    fn default() -> Self {
        Self {
            body: 64 * 1024,
            batch: 16 * 1024 * 1024,
            batches: 4,
            body_timeout: Duration::from_secs(10),
            deadline: Duration::from_secs(1),
        }
    }
}

/// Which of the two listeners a connection came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listener {
    /// For callers.
    Public,
    /// For probes and scrapers.
    Admin,
}

impl Listener {
    /// The name as the metrics have it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Admin => "admin",
        }
    }
}

/// Origins whose pages may call, such as `https://example.org`; `None` is any.
pub type CorsOrigins = Option<Vec<HeaderValue>>;

/// A handle to the state of the service; clones share it.
#[derive(Clone, Debug)]
pub struct App(Arc<Shared>);

/// See [`App`].
pub struct Shared {
    /// Admission to the solver.
    pub pool: Pool,
    /// The solver.
    pub solver: Arc<Solver>,
    /// What a request may take.
    pub limits: Limits,
    /// Who may call from a browser.
    pub cors_origins: CorsOrigins,
    /// The service's counters.
    pub metrics: Metrics,
    /// Places for batches, which are received and solved with one.
    pub(super) batches: Arc<Semaphore>,
    draining: AtomicBool,
}

impl App {
    /// The state of a service that is ready.
    #[must_use]
    pub fn new(
        pool: Pool,
        solver: Arc<Solver>,
        limits: Limits,
        cors_origins: CorsOrigins,
        metrics: Metrics,
    ) -> Self {
        let draining = AtomicBool::new(false);
        // Rates are computed from the first sample on, so there should be one before it happens.
        for code in [Code::Overloaded, Code::DeadlineExceeded, Code::ShuttingDown] {
            metrics.refused.with_label_values(&[code.as_str()]);
        }
        let batches = Arc::new(Semaphore::new(limits.batches));
        Self(Arc::new(Shared { pool, solver, limits, cors_origins, metrics, batches, draining }))
    }
}

impl Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared")
            .field("pool", &self.pool)
            .field("limits", &self.limits)
            .field("draining", &self.draining)
            .finish_non_exhaustive()
    }
}

impl Shared {
    /// Declares the service not ready. There is no way back.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::Relaxed);
    }

    /// Whether the service is being stopped: it still answers, but wants no new callers.
    #[must_use]
    pub fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Relaxed)
    }
}
