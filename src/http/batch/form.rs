//! The three forms of a batch, and where its items are.

use std::ops::Range;
use std::time::Instant;

use axum::body::Bytes;
use memchr::{memchr, memchr2};

use super::super::json;
use super::super::media::BodyKind;
use super::super::problem::Problem;
use crate::pool::SLICE;
use crate::sudoku::Interrupt;

/// The most items that are cut off together: enough to be worth a job of their own.
const MOST_ITEMS: usize = 512;

/// Items are cut off together up to this many bytes.
const CUT: usize = 64 * 1024;

/// How the items of a batch are written, and their answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A text grid on each line.
    Text,
    /// A JSON value on each line.
    JsonLines,
    /// A JSON array.
    Array,
}

impl From<BodyKind> for Form {
    fn from(kind: BodyKind) -> Self {
        match kind {
            BodyKind::Json => Self::Array,
            BodyKind::JsonLines => Self::JsonLines,
            BodyKind::Text | BodyKind::Form => Self::Text,
        }
    }
}

impl Form {
    /// Where the first item may be.
    fn start(self, body: &[u8]) -> Result<usize, Problem> {
        match self {
            Self::Array => Ok(json::open_array(body)?.unwrap_or(body.len())),
            Self::Text | Self::JsonLines => Ok(0),
        }
    }

    /// Reads the item at or after a place, and where the next one may be.
    ///
    /// # Errors
    ///
    /// `invalid_json`, where an array is none.
    pub(super) fn next(self, body: &[u8], at: usize) -> Result<Option<(&[u8], usize)>, Problem> {
        if at == body.len() {
            return Ok(None);
        }
        if self == Self::Array {
            let element = json::element(body, at)?;
            return Ok(Some((element.value.as_bytes(), element.next.unwrap_or(body.len()))));
        }
        let mut at = at;
        while at < body.len() {
            let rest = &body[at..];
            let end = match self {
                Self::Text => memchr2(b'\n', b'\r', rest),
                _ => memchr(b'\n', rest),
            };
            let line = &rest[..end.unwrap_or(rest.len())];
            at += (line.len() + 1).min(rest.len());
            let skipped = match self {
                Self::Text => matches!(line, [] | [b'#', ..]),
                _ => line.trim_ascii().is_empty(),
            };
            if !skipped {
                return Ok(Some((line, at)));
            }
        }
        Ok(None)
    }
}

/// Some items that stand together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    /// Where they are in the body.
    pub(super) bytes: Range<usize>,
    /// How many items are before them.
    pub(super) index: usize,
}

/// Cuts a body into pieces that can be solved apart, and finds out whether it can be read at all.
#[derive(Debug)]
pub(super) struct Cutter {
    form: Form,
    body: Bytes,
    at: Option<usize>,
    index: usize,
    cuts: Vec<Cut>,
}

/// How far a [`Cutter`] has come.
#[derive(Debug)]
pub(super) enum Progress {
    /// It wants another turn.
    Unfinished(Cutter),
    /// To the end.
    Finished(Vec<Cut>),
}

impl Cutter {
    /// A cutter that has not begun.
    pub(super) fn new(form: Form, body: Bytes) -> Self {
        Self { form, body, at: None, index: 0, cuts: Vec::new() }
    }

    /// Cuts until it is time to give way.
    ///
    /// # Errors
    ///
    /// `invalid_json` or `invalid_request`, where an array is none.
    pub(super) fn run(mut self, interrupt: &Interrupt) -> Result<Progress, Problem> {
        let begun = Instant::now();
        let body = self.body.clone();
        let mut at = match self.at {
            Some(at) => at,
            None => self.form.start(&body)?,
        };
        while begun.elapsed() < SLICE && !interrupt.is_raised() {
            let (start, index) = (at, self.index);
            while at - start < CUT && self.index - index < MOST_ITEMS {
                let Some((_, next)) = self.form.next(&body, at)? else { break };
                at = next;
                self.index += 1;
            }
            if self.index == index {
                return Ok(Progress::Finished(self.cuts));
            }
            self.cuts.push(Cut { bytes: start..at, index });
        }
        self.at = Some(at);
        Ok(Progress::Unfinished(self))
    }
}
