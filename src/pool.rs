//! Admission to the solver: a bounded queue before a bounded number of blocking workers.
//!
//! This is the one place that calls [`spawn_blocking`]. A blocking job is not one search but a
//! *drain*: it runs waiting searches until none is left, so that under load one thread wake-up
//! pays for many searches. At most `workers` drains run at a time.
//!
//! A puzzle that would wait for longer than it can afford is refused at once: where more comes in
//! than the workers can take, a queue in which everything waits for its whole deadline would keep
//! them busy with puzzles that nobody waits for any more.
//!
//! A worker is busy for as long as its thread is, not for as long as the caller waits: a caller
//! that leaves, or whose deadline passes, raises the [`Interrupt`] of its search, and the worker
//! goes on to the next one when the search has seen that. A search that has not begun is dropped
//! from the queue.
//!
//! Work that would keep a worker for long, such as a batch of puzzles, comes in *slices* of about
//! [`SLICE`]. They wait in a queue of their own, for as long as they must, and take turns behind the
//! single jobs: whenever none of those waits, and once in 20 ms even then.
//!
//! It is one file because queue, drains and interrupts are changed together, under one lock.

use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use tokio::task::spawn_blocking;
use tokio::time::timeout_at;

use crate::sudoku::Interrupt;

/// What it costs to wake a thread and to share the cores with it: only a longer wait is worth a
/// further drain.
const DRAIN_COST: Duration = Duration::from_micros(100);

/// How often a drain without work lets other threads run before it ends: they bring more work, and
/// to yield costs less than to end and be woken again.
const YIELDS: u32 = 2;

/// When a job that has not begun gets a drain of its own, in case the job before it is a long one.
const PATIENCE: Duration = Duration::from_millis(1);

/// The share of its deadline that a job may be expected to wait: the rest is for the job itself,
/// and for expectations that were wrong.
const MOST_EXPECTED_WAIT: u32 = 2;

/// How long a slice should run before it gives way; it may go on for what it cannot break off.
pub const SLICE: Duration = Duration::from_millis(1);

/// How long single jobs may keep all slices waiting: these get a twentieth of a busy worker.
const SLICE_TURN: Duration = Duration::from_millis(20);

/// The weight of the last job in the mean duration of jobs, as a divisor.
const MEAN_WINDOW: u32 = 8;

/// A handle to the workers and their queue; clones share them.
#[derive(Clone, Debug)]
pub struct Pool {
    shared: Arc<Shared>,
}

/// What became of a job, and where its time went.
#[derive(Debug)]
pub struct Report<T> {
    /// What the job returned, or why there is nothing.
    pub result: Result<T, PoolError>,
    /// Up to the report; a job that was interrupted may run on for a moment.
    pub timing: Timing,
}

/// Where the time of a job went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timing {
    /// Time from admission to the start of the job.
    pub queued: Duration,
    /// Time since the start.
    pub ran: Duration,
    /// Search nodes that the job has visited.
    pub nodes: u64,
}

/// Why a job has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PoolError {
    /// All workers are busy, and the queue is full or too long for the deadline.
    Full {
        /// Jobs that were waiting.
        waiting: usize,
    },
    /// The deadline passed while the job waited or ran.
    DeadlineExceeded,
    /// The pool was closed before the job ended.
    Closed,
    /// The job panicked; the panic hook has reported where.
    Panicked,
}

/// How much of the pool is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// Single jobs that have not begun.
    pub waiting: usize,
    /// Single jobs and slices that run.
    pub running: usize,
}

#[derive(Debug)]
struct Shared {
    workers: usize,
    queue: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    next_ticket: u64,
    /// Single jobs in order of arrival.
    waiting: BTreeMap<u64, Job>,
    /// Slices in order of arrival.
    waiting_slices: BTreeMap<u64, Job>,
    /// When a slice was last taken.
    last_slice: Option<Instant>,
    running: BTreeMap<u64, Arc<Progress>>,
    /// Blocking jobs started and not yet out of work.
    drains: usize,
    /// Moving average of how long a single job runs.
    mean_duration: Duration,
    closed: bool,
}

struct Job {
    progress: Arc<Progress>,
    run: Box<dyn FnOnce() + Send>,
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job").field("progress", &self.progress).finish_non_exhaustive()
    }
}

/// Who waits for whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Has a deadline, and is refused where that could not be held.
    Single,
    /// Waits behind single jobs for as long as it must.
    Slice,
}

/// How far a job is, for its caller to see.
#[derive(Debug)]
struct Progress {
    kind: Kind,
    interrupt: Interrupt,
    admitted: Instant,
    started: OnceLock<Instant>,
}

impl Progress {
    fn admitted_now(kind: Kind) -> Arc<Self> {
        let (interrupt, admitted) = (Interrupt::new(), Instant::now());
        Arc::new(Self { kind, interrupt, admitted, started: OnceLock::new() })
    }

    fn timing(&self) -> Timing {
        let now = Instant::now();
        let started = *self.started.get().unwrap_or(&now);
        Timing {
            queued: started - self.admitted,
            ran: now.saturating_duration_since(started),
            nodes: self.interrupt.nodes(),
        }
    }
}

/// Takes a job back when its caller stops waiting for it.
struct Waiter<'a> {
    shared: &'a Arc<Shared>,
    ticket: u64,
    progress: Arc<Progress>,
}

impl Waiter<'_> {
    fn start_drain_if_waiting(&self) {
        let mut state = self.shared.state();
        if state.drains < self.shared.workers && state.waiting.contains_key(&self.ticket) {
            state.drains += 1;
            start_draining(Arc::clone(self.shared));
        }
    }

    fn report<T>(&self, error: PoolError) -> Report<T> {
        Report { result: Err(error), timing: self.progress.timing() }
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        self.progress.interrupt.raise();
        self.shared.state().waiting(self.progress.kind).remove(&self.ticket);
    }
}

impl Pool {
    /// A pool of `workers` (at least one) with room for `queue` waiting jobs.
    #[must_use]
    pub fn new(workers: usize, queue: usize) -> Self {
        let workers = workers.max(1);
        Self { shared: Arc::new(Shared { workers, queue, state: Mutex::default() }) }
    }

    /// Runs a job on a worker and waits for it until the deadline.
    ///
    /// A job for which there is no room is refused at once. Dropping the future interrupts the
    /// job, or takes it out of the queue.
    ///
    /// # Panics
    ///
    /// Outside a tokio runtime.
    pub async fn run<T, F>(&self, deadline: Instant, job: F) -> Report<T>
    where
        T: Send + 'static,
        F: FnOnce(&Interrupt) -> T + Send + 'static,
    {
        let progress = Progress::admitted_now(Kind::Single);
        let (sender, mut receiver) = oneshot::channel();
        let run = Box::new(surviving_job(job, Arc::clone(&progress), sender));
        let time = deadline.saturating_duration_since(progress.admitted);
        let waiter = match self.admit(&progress, run, time) {
            Ok(waiter) => waiter,
            Err(error) => return Report { result: Err(error), timing: Timing::default() },
        };
        let patience = deadline.min(waiter.progress.admitted + PATIENCE);
        let mut answer = timeout_at(patience.into(), &mut receiver).await;
        if answer.is_err() {
            waiter.start_drain_if_waiting();
            answer = timeout_at(deadline.into(), receiver).await;
        }
        match answer {
            Ok(Ok(report)) => report,
            Ok(Err(_dropped)) => waiter.report(PoolError::Closed),
            Err(_elapsed) => waiter.report(PoolError::DeadlineExceeded),
        }
    }

    /// Runs a slice on a worker, behind the single jobs, and waits for its result.
    ///
    /// Its interrupt is raised when it has run for `limit`; what it returns then counts all the
    /// same. Dropping the future interrupts the slice, or takes it out of the queue.
    ///
    /// # Errors
    ///
    /// [`PoolError::Closed`] or [`PoolError::Panicked`]; it is never refused for want of room, so
    /// who calls this has to bound how many wait.
    ///
    /// # Panics
    ///
    /// Outside a tokio runtime.
    pub async fn run_slice<T, F>(&self, limit: Duration, job: F) -> Result<T, PoolError>
    where
        T: Send + 'static,
        F: FnOnce(&Interrupt) -> T + Send + 'static,
    {
        let progress = Progress::admitted_now(Kind::Slice);
        let (sender, mut receiver) = oneshot::channel();
        let run = Box::new(surviving_job(job, Arc::clone(&progress), sender));
        let waiter = self.admit(&progress, run, Duration::MAX)?;
        loop {
            let started = waiter.progress.started.get().copied();
            let end = started.unwrap_or_else(Instant::now) + limit;
            match timeout_at(end.into(), &mut receiver).await {
                Ok(Ok(report)) => return report.result,
                Ok(Err(_dropped)) => return Err(PoolError::Closed),
                Err(_elapsed) if started.is_none() => {}
                Err(_elapsed) => {
                    waiter.progress.interrupt.raise();
                    return receiver.await.map_or(Err(PoolError::Closed), |report| report.result);
                }
            }
        }
    }

    /// Drops all waiting jobs, interrupts the running ones and admits no more.
    pub fn close(&self) {
        let mut state = self.shared.state();
        state.closed = true;
        state.waiting.clear();
        state.waiting_slices.clear();
        state.running.values().for_each(|progress| progress.interrupt.raise());
    }

    /// Whether [`close`](Self::close) was called.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.shared.state().closed
    }

    /// How much of the pool is in use now.
    #[must_use]
    pub fn usage(&self) -> Usage {
        let state = self.shared.state();
        Usage { waiting: state.waiting.len(), running: state.running.len() }
    }

    /// The most jobs that run at a time.
    #[must_use]
    pub fn workers(&self) -> usize {
        self.shared.workers
    }

    /// The most jobs that may wait for a worker.
    #[must_use]
    pub fn queue(&self) -> usize {
        self.shared.queue
    }

    fn admit(
        &self,
        progress: &Arc<Progress>,
        run: Box<dyn FnOnce() + Send>,
        time: Duration,
    ) -> Result<Waiter<'_>, PoolError> {
        let shared = &self.shared;
        let mut state = shared.state();
        if state.closed {
            return Err(PoolError::Closed);
        }
        let kind = progress.kind;
        // A slice is long enough to pay for a drain of its own.
        let pays = kind == Kind::Slice || state.needs_drain(shared);
        let start_drain = state.drains < shared.workers && pays;
        if kind == Kind::Single && !start_drain && !state.has_room(shared, time) {
            return Err(PoolError::Full { waiting: state.waiting.len() });
        }
        let ticket = state.next_ticket;
        state.next_ticket += 1;
        state.waiting(kind).insert(ticket, Job { progress: Arc::clone(progress), run });
        if start_drain {
            state.drains += 1;
            start_draining(Arc::clone(shared));
        }
        Ok(Waiter { shared, ticket, progress: Arc::clone(progress) })
    }
}

impl State {
    fn waiting(&mut self, kind: Kind) -> &mut BTreeMap<u64, Job> {
        match kind {
            Kind::Single => &mut self.waiting,
            Kind::Slice => &mut self.waiting_slices,
        }
    }

    fn take_next(&mut self) -> Option<(u64, Job)> {
        let turn = |last: Instant| last.elapsed() >= SLICE_TURN;
        let slice_first = !self.waiting_slices.is_empty() && self.last_slice.is_none_or(turn);
        let single = if slice_first { None } else { self.waiting.pop_first() };
        single.or_else(|| {
            let slice = self.waiting_slices.pop_first()?;
            self.last_slice = Some(Instant::now());
            Some(slice)
        })
    }

    /// Whether the drains at work would keep a new job waiting for longer than it takes to start
    /// another.
    fn needs_drain(&self, shared: &Shared) -> bool {
        let clearing = self.expected_wait(self.drains);
        let stuck = |progress: &Arc<Progress>| progress.timing().ran > DRAIN_COST;
        clearing > DRAIN_COST
            || self.waiting.len() >= shared.queue
            || self.running.values().any(stuck)
    }

    /// Whether a job that has so much time may wait.
    fn has_room(&self, shared: &Shared, time: Duration) -> bool {
        // A drain that is between two jobs, was just started, or will soon be done with a slice, has
        // one of the waiting to take.
        let singles = self.running.values().filter(|progress| progress.kind == Kind::Single);
        let promised = self.drains - singles.count();
        self.waiting.len() < shared.queue + promised
            && self.expected_wait(shared.workers) <= time / MOST_EXPECTED_WAIT
    }

    /// How long so many workers need for the jobs that wait; without workers, for ever.
    fn expected_wait(&self, workers: usize) -> Duration {
        let ahead = u32::try_from(self.waiting.len()).unwrap_or(u32::MAX);
        let workers = u32::try_from(workers).unwrap_or(u32::MAX);
        self.mean_duration.saturating_mul(ahead).checked_div(workers).unwrap_or(Duration::MAX)
    }

    fn finish(&mut self, ticket: u64, duration: Duration) {
        let finished = self.running.remove(&ticket);
        if finished.is_some_and(|progress| progress.kind == Kind::Single) {
            self.mean_duration = (self.mean_duration * (MEAN_WINDOW - 1) + duration) / MEAN_WINDOW;
        }
    }
}

impl Shared {
    /// Every change to the state is complete before anything in it can panic.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs waiting jobs until there have been none for a while.
    fn drain(&self) {
        let mut finished = None;
        let mut yields = 0;
        loop {
            let gives_up = yields == YIELDS;
            if let Some((ticket, run)) = self.next(finished.take(), gives_up) {
                let started = Instant::now();
                run();
                finished = Some((ticket, started.elapsed()));
                yields = 0;
            } else if gives_up {
                return;
            } else {
                std::thread::yield_now();
                yields += 1;
            }
        }
    }

    /// Puts a finished job away and takes the next; the drain ends if there is none and it
    /// `gives_up`.
    fn next(
        &self,
        finished: Option<(u64, Duration)>,
        gives_up: bool,
    ) -> Option<(u64, Box<dyn FnOnce() + Send>)> {
        let mut state = self.state();
        if let Some((ticket, duration)) = finished {
            state.finish(ticket, duration);
        }
        let Some((ticket, job)) = state.take_next() else {
            state.drains -= usize::from(gives_up);
            return None;
        };
        state.running.insert(ticket, job.progress);
        Some((ticket, job.run))
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place that starts blocking work")]
fn start_draining(shared: Arc<Shared>) {
    spawn_blocking(move || shared.drain());
}

/// Wraps a job so that its panic ends with it, and what became of it is sent.
fn surviving_job<T, F>(
    job: F,
    progress: Arc<Progress>,
    sender: oneshot::Sender<Report<T>>,
) -> impl FnOnce() + Send
where
    T: Send + 'static,
    F: FnOnce(&Interrupt) -> T + Send + 'static,
{
    move || {
        progress.started.get_or_init(Instant::now);
        let result = catch_unwind(AssertUnwindSafe(|| job(&progress.interrupt)))
            .map_err(|_payload| PoolError::Panicked);
        // The caller may have left; then nobody wants the result.
        let _ = sender.send(Report { result, timing: progress.timing() });
    }
}
