//! Text grids: how people write a Sudoku down, read and written.
//!
//! A text is *compact* (81 characters, one a cell) or *laid out* (one line of 81 cells or nine
//! lines of nine, with white space, `|`, `,` and box drawing between the cells and rule lines
//! between the rows). The parser never guesses: what it does not know is refused with its place.

use std::fmt;

use super::{Cell, Digit, Givens, Solution};

/// The most errors that [`parse`] reports for one text.
pub const MAX_ERRORS: usize = 10;

/// What some editors put in front of a text; no part of it.
pub const BYTE_ORDER_MARK: char = '\u{feff}';

/// How the cells of a text grid were arranged, so that the answer can be arranged alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Nine lines of nine cells; otherwise one line of 81.
    pub nine_lines: bool,
    /// White space stands between every two neighbours of the first row.
    pub spaced: bool,
}

/// What kept a text from being a grid, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// What was expected and what was found, with the place in words.
    pub detail: String,
    /// The cell, where the text is compact.
    pub cell: Option<Cell>,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The character within the line, from 1.
    pub column: Option<usize>,
    /// Whether cells are missing or left over, rather than a character wrong.
    pub wrong_length: bool,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}

impl std::error::Error for ParseError {}

/// Reads a text grid.
///
/// # Errors
///
/// Everything wrong with the text, at most [`MAX_ERRORS`] entries and never none.
pub fn parse(text: &str) -> Result<(Givens, Layout), Vec<ParseError>> {
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let body = strip_line_end(text);
    if let Some(givens) = parse_common(body.as_bytes()) {
        return Ok((givens, Layout::default()));
    }
    match body.chars().take(Cell::COUNT + 1).count() {
        Cell::COUNT if !body.contains(['\n', '\r']) => parse_compact(body),
        _ => parse_laid_out(text),
    }
}

/// Writes a solution in a layout: the digits of [`Solution`], lines ended by LF.
#[must_use]
pub fn write(solution: &Solution, layout: Layout) -> String {
    let mut text = String::with_capacity(2 * Cell::COUNT);
    for cell in Cell::all() {
        text.push(char::from(b'0' + solution.get(cell).get()));
        let line_is_full = if layout.nine_lines { cell.column() == 8 } else { cell.index() == 80 };
        if line_is_full {
            text.push('\n');
        } else if layout.spaced {
            text.push(' ');
        }
    }
    text
}

/// Whether a character stands for an empty cell in a compact text.
///
/// A space does too, where none of these occurs.
#[must_use]
pub fn is_blank(ch: char) -> bool {
    is_laid_out_blank(ch) || matches!(ch, '-' | '*')
}

/// A character as an error message shows it: itself if it can be seen, and its code point if it
/// is not ASCII.
fn show(ch: char) -> String {
    if ch == ' ' || ch.is_ascii_graphic() {
        format!("\"{ch}\"")
    } else if ch.is_alphanumeric() {
        format!("\"{ch}\" (U+{:04X})", u32::from(ch))
    } else {
        format!("U+{:04X}", u32::from(ch))
    }
}

/// `-` and `*` draw frames in a laid-out text, so there they are no empty cells.
fn is_laid_out_blank(ch: char) -> bool {
    matches!(ch, '0' | '.' | '_' | '?' | 'x' | 'X')
}

fn is_box_drawing(ch: char) -> bool {
    matches!(ch, '\u{2500}'..='\u{257f}')
}

fn is_separator(ch: char) -> bool {
    ch.is_whitespace() || matches!(ch, '|' | ',') || is_box_drawing(ch)
}

fn is_rule_line(line: &str) -> bool {
    line.chars().all(|ch| {
        matches!(ch, '-' | '+' | '=' | '|' | '*') || ch.is_whitespace() || is_box_drawing(ch)
    })
}

fn digit(ch: char) -> Option<Digit> {
    ch.to_digit(10).and_then(|value| u8::try_from(value).ok()).and_then(Digit::new)
}

fn strip_line_end(text: &str) -> &str {
    text.strip_suffix("\r\n").or_else(|| text.strip_suffix(['\n', '\r'])).unwrap_or(text)
}

/// Splits at LF, CRLF and CR.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(end) = text.find(['\n', '\r']) else {
            return rest.take();
        };
        let (line, tail) = text.split_at(end);
        rest = Some(tail.strip_prefix("\r\n").unwrap_or(&tail[1..]));
        Some(line)
    })
}

/// What a byte means in a compact text: a digit, 0 for an empty cell, or nothing of either kind.
const CELL_VALUES: [u8; 256] = {
    let mut values = [NO_CELL; 256];
    let mut digit = b'0';
    while digit <= b'9' {
        values[digit as usize] = digit - b'0';
        digit += 1;
    }
    let blanks = b"._-*?xX";
    let mut index = 0;
    while index < blanks.len() {
        values[blanks[index] as usize] = 0;
        index += 1;
    }
    values
};

const NO_CELL: u8 = 0x80;

/// Reads what nearly all callers send, 81 cells and no spaces, ten times faster than
/// [`parse_compact`].
fn parse_common(text: &[u8]) -> Option<Givens> {
    let text: &[u8; Cell::COUNT] = text.try_into().ok()?;
    let values = text.map(|byte| CELL_VALUES[usize::from(byte)]);
    let wrong = values.iter().fold(0, |wrong, value| wrong | value) & NO_CELL;
    (wrong == 0).then(|| Givens::from(values.map(Digit::new)))
}

fn parse_compact(text: &str) -> Result<(Givens, Layout), Vec<ParseError>> {
    let space_is_blank = !text.contains(is_blank);
    let mut givens = Givens::default();
    let mut errors = Vec::new();
    for (cell, ch) in Cell::all().zip(text.chars()) {
        if let Some(digit) = digit(ch) {
            givens.set(cell, Some(digit));
        } else if !(is_blank(ch) || ch == ' ' && space_is_blank) && errors.len() < MAX_ERRORS {
            errors.push(ParseError {
                detail: format!(
                    "expected a digit 1-9 or an empty cell (0 . _ - * ? x X), found {} in {cell}",
                    show(ch)
                ),
                cell: Some(cell),
                line: Some(1),
                column: Some(cell.index() + 1),
                wrong_length: false,
            });
        }
    }
    if errors.is_empty() { Ok((givens, Layout::default())) } else { Err(errors) }
}

/// One line of a laid-out text that holds cells.
struct Row {
    line: usize,
    cells: Vec<Option<Digit>>,
    spaced: bool,
}

fn parse_laid_out(text: &str) -> Result<(Givens, Layout), Vec<ParseError>> {
    let mut errors = Vec::new();
    let mut rows = Vec::new();
    for (index, line) in lines(text).enumerate() {
        if !is_rule_line(line) {
            rows.push(parse_row(line, index + 1, &mut errors));
        }
    }
    if errors.is_empty() {
        check_shape(&rows, &mut errors);
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut givens = Givens::default();
    for (cell, digit) in Cell::all().zip(rows.iter().flat_map(|row| &row.cells)) {
        givens.set(cell, *digit);
    }
    Ok((givens, Layout { nine_lines: rows.len() == 9, spaced: rows[0].spaced }))
}

fn parse_row(line: &str, number: usize, errors: &mut Vec<ParseError>) -> Row {
    let mut cells = Vec::with_capacity(9);
    let mut spaced = true;
    let mut white_space_before = false;
    for (index, ch) in line.chars().enumerate() {
        let digit = digit(ch);
        if digit.is_some() || is_laid_out_blank(ch) {
            spaced &= white_space_before || cells.is_empty() || cells.len() >= 9;
            white_space_before = false;
            cells.push(digit);
        } else if is_separator(ch) {
            white_space_before |= ch.is_whitespace();
        } else if errors.len() < MAX_ERRORS {
            let column = index + 1;
            errors.push(ParseError {
                detail: format!(
                    "expected a digit 1-9 or an empty cell (0 . _ ? x X), found {} at line \
                     {number}, column {column}",
                    show(ch)
                ),
                cell: None,
                line: Some(number),
                column: Some(column),
                wrong_length: false,
            });
        }
    }
    Row { line: number, cells, spaced }
}

/// Refuses whatever is not one row of 81 cells or nine rows of nine.
fn check_shape(rows: &[Row], errors: &mut Vec<ParseError>) {
    let wrong_length =
        |detail, line| ParseError { detail, cell: None, line, column: None, wrong_length: true };
    match rows {
        [] | [_] => {
            let found = rows.first().map_or(0, |row| row.cells.len());
            if found != Cell::COUNT {
                errors.push(wrong_length(
                    format!("expected {} cells, found {found}", Cell::COUNT),
                    None,
                ));
            }
        }
        rows => {
            if rows.len() != 9 {
                let detail = format!("expected 9 rows of 9 cells, found {} rows", rows.len());
                errors.push(wrong_length(detail, None));
            }
            let ragged = rows.iter().filter(|row| row.cells.len() != 9);
            errors.extend(ragged.take(MAX_ERRORS - errors.len()).map(|row| {
                let (found, line) = (row.cells.len(), row.line);
                wrong_length(format!("expected 9 cells, found {found} in line {line}"), Some(line))
            }));
        }
    }
}
