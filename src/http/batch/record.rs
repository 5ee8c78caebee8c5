//! The answer to one item, in the form of its batch.

use serde::ser::{Serialize, SerializeStruct, Serializer};
use serde_json::value::RawValue;

use super::super::answer::Shaped;
use super::super::problem::Problem;
use super::super::puzzle::Shape;
use super::form::Form;
use crate::sudoku::{Digit, Solution};

/// An item that is done with.
pub(super) struct Record<'a> {
    pub(super) index: usize,
    /// The caller's name for it.
    pub(super) id: Option<&'a RawValue>,
    pub(super) result: Result<Solved, Problem>,
}

/// What is known of a puzzle that has a solution.
pub(super) struct Solved {
    pub(super) solution: Solution,
    pub(super) unique: bool,
    pub(super) shape: Shape,
}

impl Form {
    /// The media type of the answers.
    pub(super) fn media_type(self) -> &'static str {
        match self {
            Self::Text => "text/plain; charset=utf-8",
            Self::JsonLines => "application/x-ndjson",
            Self::Array => "application/json",
        }
    }

    /// What stands before all answers, and after them.
    pub(super) fn frame(self) -> (&'static str, &'static str) {
        match self {
            Self::Text | Self::JsonLines => ("", ""),
            Self::Array => ("{\"results\":[", "]}"),
        }
    }

    /// Writes an answer behind those before it.
    pub(super) fn write(self, record: &Record<'_>, request_id: &str, out: &mut Vec<u8>) {
        if self == Self::Text {
            match &record.result {
                Ok(solved) => out.extend(solved.solution.digits().map(|d| b'0' + Digit::get(d))),
                Err(problem) => {
                    let line = format!("! {}: {}", problem.code().as_str(), problem.detail());
                    out.extend(line.as_bytes());
                }
            }
            out.push(b'\n');
            return;
        }
        if self == Self::Array && record.index > 0 {
            out.push(b',');
        }
        serde_json::to_writer(&mut *out, &Named { record, request_id })
            .expect("a record has only string keys and finite numbers");
        if self == Self::JsonLines {
            out.push(b'\n');
        }
    }
}

/// A record, and the request whose problems it may tell.
struct Named<'a> {
    record: &'a Record<'a>,
    request_id: &'a str,
}

impl Serialize for Named<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Record { index, id, result } = self.record;
        let mut record = serializer.serialize_struct("Record", 4)?;
        record.serialize_field("index", index)?;
        if let Some(id) = id {
            record.serialize_field("id", id)?;
        }
        match result {
            Ok(Solved { solution, unique, shape }) => {
                record.serialize_field("solution", &Shaped(solution, *shape))?;
                record.serialize_field("unique", unique)?;
            }
            Err(problem) => {
                record.serialize_field("problem", &problem.document(self.request_id))?;
            }
        }
        record.end()
    }
}
