//! `POST /solve/batch`: many puzzles in one request, answered in their order as they are found.
//!
//! ```text
//!          cut                     solve, some at a time            in order
//! body ──────────> ranges of ───────────────────────────> answers ──────────> client
//!        whole, so    items     on the pool, a slice of a           no more than a few
//!      400 is real              millisecond after the other          ranges are ahead
//! ```
//!
//! Every step is a slice of work on the pool, which gives way to single puzzles. A client that has
//! left takes the stream with it, and the stream its slices.

mod form;
mod record;

use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, StreamExt};
use hyper::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::JoinSet;

use super::json;
use super::media::{BodyKind, batch_kind};
use super::observe::X_REQUEST_ID;
use super::problem::{Code, Problem};
use super::puzzle::Puzzle;
use super::solve::refusal;
use super::state::App;
use crate::pool::{PoolError, SLICE};
use crate::sudoku::{Interrupt, Outcome};
use form::{Cut, Cutter, Form, Progress};
use record::{Record, Solved};

/// The path; what has it is a batch before its handler is reached.
pub(super) const PATH: &str = "/solve/batch";

/// The leave to hold a batch in memory.
#[derive(Clone, Debug)]
pub(super) struct Place(#[expect(dead_code, reason = "held, not used")] Arc<OwnedSemaphorePermit>);

/// Gives a batch a place, before its body is received.
///
/// # Errors
///
/// `unsupported_media_type`; `overloaded` if all places are taken.
pub(super) fn admit(app: &App, headers: &HeaderMap) -> Result<Place, Problem> {
    batch_kind(headers)?;
    if let Ok(permit) = Arc::clone(&app.batches).try_acquire_owned() {
        return Ok(Place(Arc::new(permit)));
    }
    let most = app.limits.batches;
    app.metrics.refused.with_label_values(&[Code::Overloaded.as_str()]).inc();
    let detail = format!("expected a place for a batch, found all {most} taken");
    Err(Problem::new(Code::Overloaded, detail).retry_after(app.limits.deadline))
}

/// `POST /solve/batch`: the smallest solution of each puzzle in the body, or its problem.
pub(super) async fn post(
    State(app): State<App>,
    Extension(place): Extension<Place>,
    headers: HeaderMap,
    Extension(body): Extension<Bytes>,
) -> Result<Response, Problem> {
    let kind = batch_kind(&headers)?;
    let request_id = headers.get(X_REQUEST_ID).and_then(|id| id.to_str().ok()).unwrap_or_default();
    let batch = Arc::new(Batch {
        request_id: request_id.to_owned(),
        kind,
        form: kind.into(),
        body: unmarked(&body),
        app,
        _place: place,
    });
    let cuts = batch.cuts().await?;
    Ok(batch.answer(cuts))
}

fn unmarked(body: &Bytes) -> Bytes {
    let mark = b"\xef\xbb\xbf";
    body.slice(if body.starts_with(mark) { mark.len() } else { 0 }..)
}

/// A batch under way.
struct Batch {
    app: App,
    request_id: String,
    kind: BodyKind,
    form: Form,
    body: Bytes,
    _place: Place,
}

impl Batch {
    /// Cuts the whole body.
    async fn cuts(&self) -> Result<Vec<Cut>, Problem> {
        let mut cutter = Cutter::new(self.form, self.body.clone());
        loop {
            let cut = |interrupt: &Interrupt| cutter.run(interrupt);
            match self.app.pool.run_slice(self.app.limits.deadline + SLICE, cut).await {
                Ok(Ok(Progress::Finished(cuts))) => return Ok(cuts),
                Ok(Ok(Progress::Unfinished(unfinished))) => cutter = unfinished,
                Ok(Err(problem)) => return Err(problem),
                Err(error) => return Err(refusal(&self.app, error)),
            }
        }
    }

    fn answer(self: Arc<Self>, cuts: Vec<Cut>) -> Response {
        let (before, after) = self.form.frame();
        let part = |text: &'static str| {
            stream::iter((!text.is_empty()).then(|| Ok(Bytes::from_static(text.as_bytes()))))
        };
        let content_type = HeaderValue::from_static(self.form.media_type());
        // One more than can be solved at a time, so that no worker waits for the client.
        let ahead = self.app.pool.workers() + 1;
        let answers =
            stream::iter(cuts).map(move |cut| Arc::clone(&self).solved(cut)).buffered(ahead);
        let body = Body::from_stream(part(before).chain(answers).chain(part(after)));
        ([(CONTENT_TYPE, content_type)], body).into_response()
    }

    /// The answers to some items.
    ///
    /// A task of its own: nobody looks at the stream while the client does not read, but the
    /// deadline of a puzzle has to be seen all the same.
    async fn solved(self: Arc<Self>, cut: Cut) -> io::Result<Bytes> {
        let app = self.app.clone();
        let mut task = JoinSet::new();
        task.spawn(self.solve(cut));
        let solved =
            task.join_next().await.and_then(Result::ok).unwrap_or(Err(PoolError::Panicked));
        solved.map_err(|error| {
            // The status has been sent: all that is left is not to end the answer.
            app.metrics.answers_cut.inc();
            io::Error::other(format!("the answer is cut: {error:?}"))
        })
    }

    async fn solve(self: Arc<Self>, mut cut: Cut) -> Result<Bytes, PoolError> {
        let pool = self.app.pool.clone();
        // No puzzle begins when the slice is over, so this is when the last one is out of time.
        let limit = self.app.limits.deadline + SLICE;
        let mut answers = Vec::with_capacity(2 * cut.bytes.len());
        while !cut.bytes.is_empty() {
            let batch = Arc::clone(&self);
            let slice = move |interrupt: &Interrupt| {
                batch.solve_some(&mut cut, &mut answers, interrupt);
                (cut, answers)
            };
            (cut, answers) = pool.run_slice(limit, slice).await?;
            if pool.is_closed() {
                return Err(PoolError::Closed);
            }
        }
        Ok(answers.into())
    }

    /// Answers items, and takes them off the cut, until it is time to give way.
    fn solve_some(&self, cut: &mut Cut, answers: &mut Vec<u8>, interrupt: &Interrupt) {
        let begun = Instant::now();
        let mut outcomes = BTreeMap::new();
        while !cut.bytes.is_empty() && begun.elapsed() < SLICE && !interrupt.is_raised() {
            let item = self.form.next(&self.body, cut.bytes.start);
            let (item, next) = item.ok().flatten().expect("it was read when it was cut");
            let record = self.record(item, cut.index, interrupt);
            let outcome = record.result.as_ref().map_or_else(|p| p.code().as_str(), |_| "solved");
            *outcomes.entry(outcome).or_insert(0) += 1;
            self.form.write(&record, &self.request_id, answers);
            cut.bytes.start = next;
            cut.index += 1;
        }
        for (outcome, count) in outcomes {
            self.app.metrics.batch_puzzles.with_label_values(&[outcome]).inc_by(count);
        }
    }

    fn record<'a>(&self, item: &'a [u8], index: usize, interrupt: &Interrupt) -> Record<'a> {
        let (id, puzzle) = match self.form {
            _ if item.len() > self.app.limits.body => {
                (None, Err(Problem::body_too_large(self.app.limits.body)))
            }
            Form::Text => (None, Puzzle::from_line(self.kind, item)),
            Form::JsonLines | Form::Array => {
                let json::Item { id, puzzle } = json::item(item);
                (id, puzzle)
            }
        };
        Record { index, id, result: puzzle.and_then(|puzzle| self.solution(&puzzle, interrupt)) }
    }

    fn solution(&self, puzzle: &Puzzle, interrupt: &Interrupt) -> Result<Solved, Problem> {
        let Puzzle { givens, shape, .. } = puzzle;
        let search = || (self.app.solver)(givens, interrupt);
        match catch_unwind(AssertUnwindSafe(search)) {
            Ok(Outcome::Solved { solution, unique }) => {
                Ok(Solved { solution, unique, shape: *shape })
            }
            // Clashes need no search, but to look for them costs more than an easy puzzle.
            Ok(Outcome::Unsolvable) => match givens.conflicts() {
                conflicts if conflicts.is_empty() => Err(Problem::no_solution()),
                conflicts => Err(Problem::conflict(conflicts)),
            },
            Ok(Outcome::Interrupted) => Err(refusal(&self.app, PoolError::DeadlineExceeded)),
            Err(_payload) => Err(refusal(&self.app, PoolError::Panicked)),
        }
    }
}
