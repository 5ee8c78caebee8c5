//! A puzzle as a request holds it.

use super::json::{self, WrongByte, utf8};
use super::media::BodyKind;
use super::problem::{Code, Problem, excerpt};
use crate::sudoku::text::{self, Layout, ParseError};
use crate::sudoku::{Cell, Givens};

/// The only member of a request object, and the only field of a form.
pub(super) const PUZZLE: &str = "puzzle";

const LINE_ENDS_HINT: &str = " (curl -d @file strips line ends, --data-binary keeps them)";

/// The JSON value that a puzzle was, and that its answer will be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A text grid.
    String,
    /// Nine arrays of nine cells.
    Nested,
    /// An array of 81 cells.
    Flat,
}

/// A well-formed puzzle and how it was written.
#[derive(Clone, Debug)]
pub(super) struct Puzzle {
    /// The clues.
    pub(super) givens: Givens,
    /// The shape of a JSON answer.
    pub(super) shape: Shape,
    /// The arrangement of a text answer.
    pub(super) layout: Layout,
    /// Whether the body itself was the text grid.
    pub(super) text_body: bool,
}

impl Puzzle {
    /// Reads the body of a request.
    ///
    /// # Errors
    ///
    /// `invalid_json`, `invalid_request` or `invalid_puzzle`, with the place.
    pub(super) fn from_body(kind: BodyKind, body: &[u8]) -> Result<Self, Problem> {
        let unmarked = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
        match kind {
            BodyKind::Json => json::parse(unmarked),
            _ if looks_like_json(unmarked) => json::parse(unmarked),
            BodyKind::Form if looks_like_form(unmarked) => Self::from_form(unmarked),
            _ => Self::from_text_body(body),
        }
    }

    /// Reads the 81 characters of a path.
    ///
    /// # Errors
    ///
    /// `invalid_puzzle`.
    pub(super) fn from_path(segment: &str) -> Result<Self, Problem> {
        let unmarked = segment.strip_prefix(text::BYTE_ORDER_MARK).unwrap_or(segment);
        let found = unmarked.chars().count();
        if found != Cell::COUNT {
            let detail = format!("expected {} cells, found {found}", Cell::COUNT);
            return Err(Problem::plain_invalid_puzzle(detail));
        }
        Self::from_text(segment)
    }

    /// Reads a text grid that a string, a form field or a path held.
    ///
    /// # Errors
    ///
    /// `invalid_puzzle`.
    pub(super) fn from_text(text: &str) -> Result<Self, Problem> {
        Self::from_text_with_hint(text, |_| "")
    }

    fn from_text_with_hint(
        text: &str,
        hint: impl Fn(&[ParseError]) -> &'static str,
    ) -> Result<Self, Problem> {
        let (givens, layout) = text::parse(text).map_err(|errors| {
            let hint = hint(&errors);
            Problem::text_grid(errors, hint)
        })?;
        Ok(Self { givens, shape: Shape::String, layout, text_body: false })
    }

    fn from_text_body(body: &[u8]) -> Result<Self, Problem> {
        let text = grid_text(body)?;
        let puzzle = Self::from_text_with_hint(text, |errors| {
            // A frame that has lost its line ends is no rule line any more.
            let broken_frame =
                !text.trim_ascii_end().contains(['\n', '\r']) && text.contains(['+', '|', '=']);
            if errors[0].wrong_length || broken_frame { LINE_ENDS_HINT } else { "" }
        })?;
        Ok(Self { text_body: true, ..puzzle })
    }

    /// Reads a line of a batch: a compact text grid.
    ///
    /// # Errors
    ///
    /// `invalid_puzzle`.
    pub(super) fn from_line(kind: BodyKind, line: &[u8]) -> Result<Self, Problem> {
        let text = grid_text(line)?;
        let found = text.chars().count();
        if found == Cell::COUNT {
            return Self::from_text(text);
        }
        let hint = match line[0] {
            b'{' | b'[' | b'"' => " (JSON is application/json or application/x-ndjson)",
            _ if kind == BodyKind::Form && found > Cell::COUNT => LINE_ENDS_HINT,
            _ => "",
        };
        let detail = format!("expected a line of {} cells, found {found}{hint}", Cell::COUNT);
        Err(Problem::plain_invalid_puzzle(detail))
    }

    /// Reads `puzzle=…`: a text grid, or an array as JSON text.
    fn from_form(body: &[u8]) -> Result<Self, Problem> {
        let fields: Vec<_> = form_urlencoded::parse(body).collect();
        only_puzzle("field", fields.iter().map(|(name, _)| name.as_ref()))?;
        let (_, value) = &fields[0];
        if value.trim_start().starts_with('[') {
            json::parse(value.as_bytes())
        } else {
            Self::from_text(value)
        }
    }
}

fn grid_text(body: &[u8]) -> Result<&str, Problem> {
    utf8(body).map_err(|WrongByte { line, column, byte }| {
        Problem::plain_invalid_puzzle(format!(
            "expected UTF-8, found the byte 0x{byte:02x} at line {line}, byte {column}"
        ))
    })
}

fn looks_like_json(body: &[u8]) -> bool {
    matches!(body.trim_ascii_start().first(), Some(b'{' | b'[' | b'"'))
}

/// Whether the body begins with the name of a field; no text grid does.
fn looks_like_form(body: &[u8]) -> bool {
    let name = body.split(|&byte| byte == b'=').next().unwrap_or_default();
    name.len() < body.len()
        && name.first().is_some_and(u8::is_ascii_alphabetic)
        && name.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-.+%[]".contains(byte))
}

/// Refuses any names but one `puzzle`; `part` is what they name.
pub(super) fn only_puzzle<'a>(
    part: &str,
    names: impl Iterator<Item = &'a str>,
) -> Result<(), Problem> {
    let refuse = |detail| Err(Problem::new(Code::InvalidRequest, detail));
    let mut seen = false;
    for name in names {
        if name != PUZZLE {
            let found = excerpt(name);
            let detail =
                format!("expected the {part} \"{PUZZLE}\" and no other, found \"{found}\"");
            return refuse(detail);
        }
        if seen {
            return refuse(format!("expected the {part} \"{PUZZLE}\" once, found it twice"));
        }
        seen = true;
    }
    if seen { Ok(()) } else { refuse(format!("expected the {part} \"{PUZZLE}\", found none")) }
}
