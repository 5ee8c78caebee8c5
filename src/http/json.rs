//! Puzzles written as JSON: strings, nested arrays and flat ones.
//!
//! The values are taken out as raw JSON text first and read by hand then, so that an error names
//! the cell and shows what was found as it was written (`1.0`, `-0`), and no number is rounded.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::problem::{CellName, Code, GridError, Problem, excerpt};
use super::puzzle::{PUZZLE, Puzzle, Shape, only_puzzle};
use crate::sudoku::text::{Layout, MAX_ERRORS, is_blank};
use crate::sudoku::{Cell, Digit, Givens};

/// The member of a batch's item that is handed back with its answer.
const ID: &str = "id";

/// The most bytes of an id.
const MOST_ID: usize = 256;

/// Reads `{"puzzle": P}` or `P`.
///
/// # Errors
///
/// `invalid_json`, `invalid_request` or `invalid_puzzle`, with the place.
pub(super) fn parse(body: &[u8]) -> Result<Puzzle, Problem> {
    let text = text(body)?;
    let value = value(text)?;
    if !value.get().starts_with('{') {
        return bare_puzzle(value, text);
    }
    let Members(members) = read(value, text)?;
    only_puzzle("member", members.iter().map(|(name, _)| name.as_str()))?;
    let (_, value) = members[0];
    puzzle_member(value, text)
}

/// An item of a batch.
pub(super) struct Item<'a> {
    /// What the caller calls it, a string or a number.
    pub(super) id: Option<&'a RawValue>,
    /// What it asks, or what is wrong with it.
    pub(super) puzzle: Result<Puzzle, Problem>,
}

/// Reads `P`, or `{"puzzle": P}` with or without an `"id"`.
pub(super) fn item(body: &[u8]) -> Item<'_> {
    let mut id = None;
    let mut puzzle = || {
        let text = text(body)?;
        let value = value(text)?;
        if !value.get().starts_with('{') {
            return bare_puzzle(value, text);
        }
        let Members(members) = read(value, text)?;
        let (ids, others): (Vec<_>, Vec<_>) = members.into_iter().partition(|(name, _)| name == ID);
        id = one_id(&ids)?;
        only_puzzle("member", others.iter().map(|(name, _)| name.as_str()))?;
        let (_, value) = others[0];
        puzzle_member(value, text)
    };
    let puzzle = puzzle();
    Item { id, puzzle }
}

fn one_id<'a>(members: &[(String, &'a RawValue)]) -> Result<Option<&'a RawValue>, Problem> {
    let refuse = |found: &str| {
        let detail = format!(
            "expected a string or a number of at most {MOST_ID} bytes as the member \"{ID}\", \
             found {found}"
        );
        Err(Problem::new(Code::InvalidRequest, detail))
    };
    match members {
        [] => Ok(None),
        [(_, value)] => match (kind(value), value.get().len()) {
            ("a string" | "a number", 0..=MOST_ID) => Ok(Some(value)),
            ("a string" | "a number", length) => refuse(&format!("{length} bytes")),
            (kind, _) => refuse(kind),
        },
        _ => refuse("it twice"),
    }
}

/// Reads the beginning of a body that is a JSON array, and tells where its first element is, if
/// there is one.
///
/// # Errors
///
/// `invalid_json`, or `invalid_request` if it is JSON of another kind.
pub(super) fn open_array(body: &[u8]) -> Result<Option<usize>, Problem> {
    let Some(rest) = after_white_space(body).strip_prefix(b"[") else {
        let found = kind(value(text(body)?)?);
        let detail = format!("expected an array of puzzles, found {found}");
        return Err(Problem::new(Code::InvalidRequest, detail));
    };
    match after_white_space(rest).strip_prefix(b"]") {
        Some(after) => end_of_body(body, after).map(|()| None),
        None => next_place(body, rest).map(Some),
    }
}

/// One element of a JSON array.
pub(super) struct Element<'a> {
    /// As it was written.
    pub(super) value: &'a str,
    /// Where the next element is; after the last one the body has ended.
    pub(super) next: Option<usize>,
}

/// Reads the element at a place that [`open_array`] or the element before has named.
///
/// # Errors
///
/// `invalid_json`.
pub(super) fn element(body: &[u8], at: usize) -> Result<Element<'_>, Problem> {
    let rest = &body[at..];
    let mut values = serde_json::Deserializer::from_slice(rest).into_iter::<&RawValue>();
    let value = match values.next().expect("an element was expected where there is more") {
        Ok(value) => value.get(),
        Err(error) => return Err(not_json(&error, rest, body)),
    };
    let after = after_white_space(&body[offset(body, value.as_bytes()) + value.len()..]);
    if let Some(next) = after.strip_prefix(b",") {
        next_place(body, next).map(|next| Element { value, next: Some(next) })
    } else if let Some(after) = after.strip_prefix(b"]") {
        end_of_body(body, after).map(|()| Element { value, next: None })
    } else {
        Err(wrong_at(body, offset(body, after), "expected `,` or `]`"))
    }
}

/// Where the rest of a body begins, in which there has to be an element.
fn next_place(body: &[u8], rest: &[u8]) -> Result<usize, Problem> {
    match after_white_space(rest) {
        [] => Err(wrong_at(body, body.len(), "EOF while parsing a list")),
        element => Ok(offset(body, element)),
    }
}

fn end_of_body(body: &[u8], after: &[u8]) -> Result<(), Problem> {
    match after_white_space(after) {
        [] => Ok(()),
        more => Err(wrong_at(body, offset(body, more), "trailing characters")),
    }
}

fn after_white_space(body: &[u8]) -> &[u8] {
    let is_white = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
    &body[body.iter().take_while(|&byte| is_white(byte)).count()..]
}

/// The JSON value that the text is.
fn value(text: &str) -> Result<&RawValue, Problem> {
    if text.trim_ascii().is_empty() {
        let detail = "expected JSON, found an empty body".to_owned();
        return Err(Problem::invalid_json(detail, 1, 1));
    }
    serde_json::from_str(text).map_err(|error| not_json(&error, text.as_bytes(), text.as_bytes()))
}

/// Reads what stands without an object around it.
fn bare_puzzle(value: &RawValue, text: &str) -> Result<Puzzle, Problem> {
    puzzle(value, text)?.ok_or_else(|| {
        let found = kind(value);
        let detail = format!("expected an object, a string or an array, found {found}");
        Problem::new(Code::InvalidRequest, detail)
    })
}

/// Reads the member of an object.
fn puzzle_member(value: &RawValue, text: &str) -> Result<Puzzle, Problem> {
    puzzle(value, text)?.ok_or_else(|| {
        let found = kind(value);
        Problem::plain_invalid_puzzle(format!(
            "expected a string or an array as the {PUZZLE}, found {found}"
        ))
    })
}

/// Reads a string or an array; nothing else is a puzzle.
fn puzzle(value: &RawValue, text: &str) -> Result<Option<Puzzle>, Problem> {
    match value.get().as_bytes()[0] {
        b'"' => {
            let grid: String = read(value, text)?;
            Puzzle::from_text(&grid).map(Some)
        }
        b'[' => array(&read::<Vec<&RawValue>>(value, text)?).map(Some),
        _ => Ok(None),
    }
}

fn array(items: &[&RawValue]) -> Result<Puzzle, Problem> {
    let nested = items.iter().any(|item| item.get().starts_with('['));
    let (shape, cells) = if nested {
        (Shape::Nested, cells_of_rows(items)?)
    } else if items.len() == Cell::COUNT {
        (Shape::Flat, items.to_vec())
    } else {
        return Err(Problem::plain_invalid_puzzle(format!(
            "expected 9 rows of 9 cells, or 81 cells, found an array of {}",
            items.len()
        )));
    };
    let mut givens = Givens::default();
    let mut errors = Vec::new();
    for (cell, value) in Cell::all().zip(&cells) {
        match read_cell(value.get()) {
            Some(clue) => givens.set(cell, clue),
            None if errors.len() < MAX_ERRORS => errors.push(GridError {
                detail: format!(
                    "expected an integer 0-9, null, or a string with one digit or empty cell \
                     (0 . _ - * ? x X), found {} in {cell}",
                    excerpt(value.get())
                ),
                cell: Some(CellName(cell)),
                line: None,
                column: None,
            }),
            None => {}
        }
    }
    if !errors.is_empty() {
        return Err(Problem::invalid_puzzle(errors));
    }
    let layout = Layout { nine_lines: nested, spaced: false };
    Ok(Puzzle { givens, shape, layout, text_body: false })
}

/// The 81 cells of nine rows.
fn cells_of_rows<'a>(rows: &[&'a RawValue]) -> Result<Vec<&'a RawValue>, Problem> {
    let mut errors = Vec::new();
    if rows.len() != 9 {
        errors.push(format!("expected 9 rows, found {}", rows.len()));
    }
    let mut cells = Vec::with_capacity(Cell::COUNT);
    for (row, number) in rows.iter().zip(1..) {
        match serde_json::from_str::<Vec<&RawValue>>(row.get()) {
            Ok(row) if row.len() == 9 => cells.extend(row),
            Ok(row) => {
                errors.push(format!("expected 9 cells, found {} in row {number}", row.len()));
            }
            Err(_) => errors
                .push(format!("expected an array of 9 cells, found {} in row {number}", kind(row))),
        }
    }
    if errors.is_empty() {
        return Ok(cells);
    }
    errors.truncate(MAX_ERRORS);
    Err(Problem::invalid_puzzle(errors.into_iter().map(GridError::without_place).collect()))
}

/// Reads a cell: `Some(None)` is an empty one, `None` is no cell at all.
#[expect(clippy::option_option, reason = "the outer level is gone at the call")]
fn read_cell(json: &str) -> Option<Option<Digit>> {
    match json.as_bytes() {
        [byte @ b'0'..=b'9'] => Some(Digit::new(byte - b'0')),
        b"null" => Some(None),
        [b'"', ..] => {
            let sign: String = serde_json::from_str(json).ok()?;
            let mut chars = sign.chars();
            match (chars.next(), chars.next()) {
                (None, _) => Some(None),
                (Some(ch), None) if ch == ' ' || is_blank(ch) => Some(None),
                (Some(ch @ '1'..='9'), None) => Some(Digit::new(ch as u8 - b'0')),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Reads a value that was cut out of `text`. It is known to be JSON; what can still fail is an
/// escape in a string that names no character.
fn read<'a, T: Deserialize<'a>>(value: &'a RawValue, text: &str) -> Result<T, Problem> {
    serde_json::from_str(value.get())
        .map_err(|error| not_json(&error, value.get().as_bytes(), text.as_bytes()))
}

/// `invalid_json` for an error in `part`, which is the whole of `text` or cut out of it.
fn not_json(error: &serde_json::Error, part: &[u8], text: &[u8]) -> Problem {
    let start = offset(text, part);
    let message = error.to_string();
    let reason = message.rsplit_once(" at line ").map_or(message.as_str(), |(reason, _)| reason);
    // The parser counts the bytes that it has taken, the wrong one included, unless that is a
    // control character.
    let wrong_is_taken = !reason.starts_with("control character");
    let before_line: usize =
        part.split_inclusive(|&byte| byte == b'\n').take(error.line() - 1).map(<[u8]>::len).sum();
    let taken = start + before_line + error.column();
    wrong_at(text, taken.saturating_sub(usize::from(wrong_is_taken)), reason)
}

/// `invalid_json` at a place of `text`.
fn wrong_at(text: &[u8], place: usize, reason: &str) -> Problem {
    let (line, column) = position(&text[..place]);
    let detail = format!("expected JSON, found an error at line {line}, column {column}: {reason}");
    Problem::invalid_json(detail, line, column)
}

/// Where a part begins that was cut out of `text`.
fn offset(text: &[u8], part: &[u8]) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

/// The first byte that is no part of UTF-8 text, and where it is.
pub(super) struct WrongByte {
    pub(super) line: usize,
    /// In bytes.
    pub(super) column: usize,
    pub(super) byte: u8,
}

/// JSON as text.
///
/// # Errors
///
/// `invalid_json`.
pub(super) fn text(body: &[u8]) -> Result<&str, Problem> {
    utf8(body).map_err(|WrongByte { line, column, byte }| {
        let detail =
            format!("expected UTF-8, found the byte 0x{byte:02x} at line {line}, column {column}");
        Problem::invalid_json(detail, line, column)
    })
}

/// The body as text.
pub(super) fn utf8(body: &[u8]) -> Result<&str, WrongByte> {
    std::str::from_utf8(body).map_err(|error| {
        let (before, after) = body.split_at(error.valid_up_to());
        let (line, column) = position(before);
        WrongByte { line, column, byte: after[0] }
    })
}

/// The line and the byte within it, both from 1, that follow `before`.
fn position(before: &[u8]) -> (usize, usize) {
    let line = before.split(|&byte| byte == b'\n').count();
    let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count() + 1;
    (line, column)
}

fn kind(value: &RawValue) -> &'static str {
    match value.get().as_bytes()[0] {
        b'{' => "an object",
        b'[' => "an array",
        b'"' => "a string",
        b't' => "true",
        b'f' => "false",
        b'n' => "null",
        _ => "a number",
    }
}

/// The members of a JSON object in order, repeated ones too.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MembersVisitor;

        impl<'de> Visitor<'de> for MembersVisitor {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(MembersVisitor)
    }
}
