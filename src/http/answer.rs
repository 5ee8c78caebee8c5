//! A solution as an answer: JSON in the shape of its puzzle, or text in its layout.

use axum::response::{IntoResponse, Response};
use hyper::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use serde::ser::{Serialize, SerializeSeq, SerializeStruct, Serializer};

use super::media::prefers_text;
use super::puzzle::{Puzzle, Shape};
use crate::sudoku::{Cell, Digit, Solution, text};

/// The representation of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// An object with `solution` and `unique`.
    Json,
    /// A text grid.
    Text,
}

impl Format {
    /// What the caller accepts, and where that is open, what suits the puzzle.
    pub(super) fn negotiated(headers: &HeaderMap, puzzle: &Puzzle) -> Self {
        if prefers_text(headers, puzzle.text_body) { Self::Text } else { Self::Json }
    }

    /// The name by which caches tell the representations apart.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Text => "text",
        }
    }

    /// The answer with status 200.
    pub(super) fn render(self, puzzle: &Puzzle, solution: Solution, unique: bool) -> Response {
        let (content_type, body) = match self {
            Self::Text => {
                ("text/plain; charset=utf-8", text::write(&solution, puzzle.layout).into_bytes())
            }
            Self::Json => {
                let answer = Answer { solution, unique, shape: puzzle.shape };
                let body = serde_json::to_vec(&answer).expect("an answer is digits and booleans");
                ("application/json", body)
            }
        };
        ([(CONTENT_TYPE, HeaderValue::from_static(content_type))], body).into_response()
    }
}

struct Answer {
    solution: Solution,
    unique: bool,
    shape: Shape,
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut answer = serializer.serialize_struct("Answer", 2)?;
        answer.serialize_field("solution", &Shaped(&self.solution, self.shape))?;
        answer.serialize_field("unique", &self.unique)?;
        answer.end()
    }
}

/// A solution as the JSON value that its puzzle was.
pub(super) struct Shaped<'a>(pub(super) &'a Solution, pub(super) Shape);

impl Serialize for Shaped<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let digits = self.0.digits().map(Digit::get);
        match self.1 {
            Shape::String => Compact(&digits).serialize(serializer),
            Shape::Nested => Rows(&digits).serialize(serializer),
            Shape::Flat => digits.as_slice().serialize(serializer),
        }
    }
}

struct Compact<'a>(&'a [u8; Cell::COUNT]);

impl Serialize for Compact<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let characters = self.0.map(|digit| b'0' + digit);
        serializer.serialize_str(std::str::from_utf8(&characters).expect("digits are ASCII"))
    }
}

struct Rows<'a>(&'a [u8; Cell::COUNT]);

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut rows = serializer.serialize_seq(Some(9))?;
        for row in self.0.chunks(9) {
            rows.serialize_element(row)?;
        }
        rows.end()
    }
}
