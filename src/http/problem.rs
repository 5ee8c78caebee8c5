//! Every error that the service answers: its code, its detail, its members (RFC 9457).
//!
//! A handler returns a [`Problem`]; the request's id and the body are added where the answer
//! leaves the application, in [`observe`](super::observe).

use std::time::Duration;

use axum::response::{IntoResponse, Response};
use hyper::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use serde::Serialize;
use serde::ser::SerializeStruct;

pub(super) use super::code::Code;
use crate::sudoku::text::{MAX_ERRORS, ParseError};
use crate::sudoku::{Cell, Conflict};

/// A cell as answers name it.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellName(pub Cell);

impl Serialize for CellName {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut cell = serializer.serialize_struct("Cell", 3)?;
        cell.serialize_field("name", &format_args!("{}", self.0))?;
        cell.serialize_field("row", &self.0.row())?;
        cell.serialize_field("column", &self.0.column())?;
        cell.end()
    }
}

/// One thing wrong with a puzzle.
#[derive(Clone, Debug, Serialize)]
pub(super) struct GridError {
    /// What was expected, what was found, where.
    pub detail: String,
    /// The cell, where one can be named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<CellName>,
    /// The line of the text, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The character within the line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
}

impl GridError {
    /// An error that concerns the grid as a whole.
    pub(super) fn without_place(detail: String) -> Self {
        Self { detail, cell: None, line: None, column: None }
    }
}

/// Why a puzzle has no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Reason {
    /// A digit stands twice in a house.
    Conflict,
    /// No completion of the givens exists.
    NoSolution,
}

/// A repeated digit in a house.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ConflictMember {
    house: String,
    digit: u8,
    cells: Vec<CellName>,
}

impl From<Conflict> for ConflictMember {
    fn from(conflict: Conflict) -> Self {
        Self {
            house: conflict.house.to_string(),
            digit: conflict.digit.get(),
            cells: conflict.cells.into_iter().map(CellName).collect(),
        }
    }
}

/// The members that only some codes have.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum Members {
    None {},
    Position { line: usize, column: usize },
    Errors { errors: Vec<GridError> },
    Limit { limit: usize },
    Accepted { accepted: &'static [&'static str] },
    Unsolvable { reason: Reason, conflicts: Vec<ConflictMember> },
}

/// One error answer.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    code: Code,
    detail: String,
    members: Members,
    retry_after: Option<Duration>,
}

impl Problem {
    /// A problem without members of its own.
    #[must_use]
    pub(super) fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into(), members: Members::None {}, retry_after: None }
    }

    /// `invalid_json` at a line and a byte of it, both from 1.
    #[must_use]
    pub(super) fn invalid_json(detail: String, line: usize, column: usize) -> Self {
        Self::new(Code::InvalidJson, detail).with(Members::Position { line, column })
    }

    /// `invalid_puzzle`; the first error speaks for all.
    ///
    /// # Panics
    ///
    /// Without an error.
    #[must_use]
    pub(super) fn invalid_puzzle(errors: Vec<GridError>) -> Self {
        let detail = match errors.as_slice() {
            [] => unreachable!("an invalid puzzle has at least one error"),
            [only] => only.detail.clone(),
            [first, more @ ..] => {
                let at_least = if errors.len() == MAX_ERRORS { "at least " } else { "" };
                format!("{} (and {at_least}{} more)", first.detail, more.len())
            }
        };
        Self::new(Code::InvalidPuzzle, detail).with(Members::Errors { errors })
    }

    /// `invalid_puzzle` for the grid as a whole.
    #[must_use]
    pub(super) fn plain_invalid_puzzle(detail: String) -> Self {
        Self::invalid_puzzle(vec![GridError::without_place(detail)])
    }

    /// `invalid_puzzle` for a text grid, with a hint after what was found.
    #[must_use]
    pub(super) fn text_grid(errors: Vec<ParseError>, hint: &str) -> Self {
        let errors = errors.into_iter().map(|error| GridError {
            detail: error.detail + hint,
            cell: error.cell.map(CellName),
            line: error.line,
            column: error.column,
        });
        Self::invalid_puzzle(errors.collect())
    }

    /// `body_too_large`, with the limit in bytes.
    #[must_use]
    pub(super) fn body_too_large(limit: usize) -> Self {
        let detail = format!("expected a body of at most {limit} bytes, found a longer one");
        Self::new(Code::BodyTooLarge, detail).with(Members::Limit { limit })
    }

    /// `unsupported_media_type`, with what is read instead.
    #[must_use]
    pub(super) fn unsupported_media_type(
        detail: String,
        accepted: &'static [&'static str],
    ) -> Self {
        Self::new(Code::UnsupportedMediaType, detail).with(Members::Accepted { accepted })
    }

    /// `unsolvable` because nothing completes the givens.
    #[must_use]
    pub(super) fn no_solution() -> Self {
        Self::new(Code::Unsolvable, "no solution keeps all the givens")
            .with(Members::Unsolvable { reason: Reason::NoSolution, conflicts: Vec::new() })
    }

    /// `unsolvable` because digits clash; needs no search. The first clash speaks for all.
    ///
    /// # Panics
    ///
    /// Without a conflict.
    #[must_use]
    pub(super) fn conflict(conflicts: Vec<Conflict>) -> Self {
        let first = conflicts.first().expect("a conflict has at least one house");
        let cells: Vec<String> = first.cells.iter().map(Cell::to_string).collect();
        let detail = format!(
            "expected each digit at most once in {}, found {} in {}",
            first.house,
            first.digit,
            cells.join(" and ")
        );
        Self::new(Code::Unsolvable, detail).with(Members::Unsolvable {
            reason: Reason::Conflict,
            conflicts: conflicts.into_iter().map(ConflictMember::from).collect(),
        })
    }

    /// `internal`; what happened is in the log, not in the answer.
    #[must_use]
    pub(super) fn internal() -> Self {
        Self::new(
            Code::Internal,
            "the service failed to answer this request; the log has more under the request id",
        )
    }

    /// Tells the caller when to try again.
    #[must_use]
    pub(super) fn retry_after(self, delay: Duration) -> Self {
        Self { retry_after: Some(delay), ..self }
    }

    /// The kind of problem.
    #[must_use]
    pub(super) fn code(&self) -> Code {
        self.code
    }

    /// What was expected, what was found and where.
    #[must_use]
    pub(super) fn detail(&self) -> &str {
        &self.detail
    }

    /// The document, once the request's id is known.
    #[must_use]
    pub(super) fn document<'a>(&'a self, request_id: &'a str) -> impl Serialize + use<'a> {
        Document {
            r#type: format!("/problems/{}", self.code.as_str()),
            title: self.code.title(),
            status: self.code.status().as_u16(),
            detail: &self.detail,
            code: self.code.as_str(),
            request_id,
            members: &self.members,
        }
    }

    fn with(self, members: Members) -> Self {
        Self { members, ..self }
    }
}

#[derive(Serialize)]
struct Document<'a> {
    r#type: String,
    title: &'static str,
    status: u16,
    detail: &'a str,
    code: &'static str,
    request_id: &'a str,
    #[serde(flatten)]
    members: &'a Members,
}

impl IntoResponse for Problem {
    /// Status and headers; the body follows when the request's id is known.
    fn into_response(self) -> Response {
        let mut response = self.code.status().into_response();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(delay) = self.retry_after {
            let seconds = delay.as_secs() + u64::from(delay.subsec_nanos() > 0);
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds.clamp(1, 30)));
        }
        response.extensions_mut().insert(self);
        response
    }
}

/// The beginning of what was found, so that a message stays short whatever was sent.
pub(super) fn excerpt(found: &str) -> String {
    const LENGTH: usize = 24;
    let mut short: String =
        found.chars().take(LENGTH).map(|ch| if ch.is_control() { ' ' } else { ch }).collect();
    if found.chars().nth(LENGTH).is_some() {
        short.push('…');
    }
    short
}
