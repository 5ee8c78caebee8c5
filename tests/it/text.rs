//! The text-grid grammar: what is read, what is refused and where, and writing.

use sudoku_api::sudoku::text::{Layout, parse, write};
use sudoku_api::sudoku::{Givens, Interrupt, Outcome, Solution, solve};

use crate::support::PUZZLE;

const COMPACT: Layout = Layout { nine_lines: false, spaced: false };

fn rows(text: &str) -> Vec<String> {
    text.as_bytes().chunks(9).map(|row| String::from_utf8_lossy(row).into_owned()).collect()
}

/// The puzzle with a separator between the cells of a row, and one after each row.
fn laid_out(between: &str, after: &str) -> String {
    let spread =
        |row: &String| row.chars().map(String::from).collect::<Vec<_>>().join(between) + after;
    rows(PUZZLE).iter().map(spread).collect()
}

fn reads_as(text: &str) -> (String, Layout) {
    let (givens, layout) = parse(text).unwrap_or_else(|errors| panic!("{text:?}: {errors:?}"));
    (givens.to_string(), layout)
}

fn details(text: &str) -> Vec<String> {
    let errors = parse(text).expect_err(text);
    errors.into_iter().map(|error| error.detail).collect()
}

#[test]
fn a_compact_text_takes_every_sign_for_an_empty_cell() {
    for blank in "0._-*?xX ".chars() {
        let text = PUZZLE.replace('.', &blank.to_string());
        assert_eq!(reads_as(&text), (PUZZLE.to_owned(), COMPACT), "{blank:?}");
    }
    let mixed = PUZZLE.replacen('.', "x", 20).replacen('.', "-", 10);
    assert_eq!(reads_as(&mixed), (PUZZLE.to_owned(), COMPACT));
}

#[test]
fn one_final_line_end_and_a_byte_order_mark_do_not_count() {
    for text in ["{}\n", "{}\r\n", "{}\r", "\u{feff}{}", "\u{feff}{}\n"] {
        let text = text.replace("{}", PUZZLE);
        assert_eq!(reads_as(&text), (PUZZLE.to_owned(), COMPACT), "{text:?}");
    }
}

#[test]
fn a_space_at_the_end_is_a_cell() {
    let text = format!("{} ", "1".repeat(80));
    assert_eq!(reads_as(&text).0, format!("{}.", "1".repeat(80)));
}

#[test]
fn laid_out_texts_keep_their_arrangement() {
    let nine = |spaced| Layout { nine_lines: true, spaced };
    let frame = |line: &str| format!("{line}\n{}{line}\n", laid_out(" ", "\n"));
    for (text, layout) in [
        (laid_out("", "\n"), nine(false)),
        (laid_out("", "\n\n"), nine(false)),
        (laid_out(" ", "\r\n"), nine(true)),
        (laid_out("\t", "\r"), nine(true)),
        (laid_out(" | ", "\n"), nine(true)),
        (laid_out("|", "\n"), nine(false)),
        (laid_out(",", "\n"), nine(false)),
        (laid_out("\u{3000}", "\n"), nine(true)),
        (laid_out("│", "\n─────\n"), nine(false)),
        (frame("+-------+-------+"), nine(true)),
        (frame("*=======*"), nine(true)),
        (laid_out(" ", " "), Layout { nine_lines: false, spaced: true }),
        (laid_out("", " "), Layout { nine_lines: false, spaced: false }),
        (laid_out(" ", " | "), Layout { nine_lines: false, spaced: true }),
    ] {
        assert_eq!(reads_as(&text), (PUZZLE.to_owned(), layout), "{text}");
    }
    // Spaced in the first row is what counts, and every gap of it.
    let first_row_close = laid_out(" ", "\n").replacen("5 3", "53", 1);
    assert_eq!(reads_as(&first_row_close).1, nine(false));
}

#[test]
fn nothing_is_guessed() {
    for (text, expected) in [
        ("", vec!["expected 81 cells, found 0"]),
        ("---", vec!["expected 81 cells, found 0"]),
        ("123", vec!["expected 81 cells, found 3"]),
        (
            "1\n2",
            vec![
                "expected 9 rows of 9 cells, found 2 rows",
                "expected 9 cells, found 1 in line 1",
                "expected 9 cells, found 1 in line 2",
            ],
        ),
    ] {
        assert_eq!(details(text), expected, "{text:?}");
    }
    let line = |replacement: &str| laid_out("", "\n").replacen("53.", replacement, 1);
    let expected = "expected a digit 1-9 or an empty cell (0 . _ ? x X), found";
    assert_eq!(details(&line("5-.")), [format!("{expected} \"-\" at line 1, column 2")]);
    assert_eq!(details(&line("5*.")), [format!("{expected} \"*\" at line 1, column 2")]);
    assert_eq!(details(&line("5²3")), [format!("{expected} \"²\" (U+00B2) at line 1, column 2")]);
    assert_eq!(details(&line("\u{200b}53")), [format!("{expected} U+200B at line 1, column 1")]);
    assert_eq!(details(&line("53")), ["expected 9 cells, found 8 in line 1"]);
    let leading_count = format!("1\n{}", laid_out("", "\n"));
    assert_eq!(
        details(&leading_count),
        ["expected 9 rows of 9 cells, found 10 rows", "expected 9 cells, found 1 in line 1",]
    );
}

#[test]
fn a_wrong_character_of_a_compact_text_has_its_cell() {
    let errors = parse(&PUZZLE.replacen("53", "5O", 1)).expect_err("a letter");
    let [error] = errors.as_slice() else { panic!("one error: {errors:?}") };
    assert_eq!(error.cell.map(|cell| cell.to_string()).as_deref(), Some("r1c2"));
    assert_eq!((error.line, error.column, error.wrong_length), (Some(1), Some(2), false));
    let expected = "expected a digit 1-9 or an empty cell (0 . _ - * ? x X), found \"O\" in r1c2";
    assert_eq!(error.detail, expected);

    let space_beside_dots = PUZZLE.replacen("53", "5 ", 1);
    assert!(details(&space_beside_dots)[0].ends_with("found \" \" in r1c2"));
}

#[test]
fn what_is_written_is_read_back() {
    let solution = solution();
    for nine_lines in [false, true] {
        for spaced in [false, true] {
            let layout = Layout { nine_lines, spaced };
            let text = write(&solution, layout);
            assert_eq!(reads_as(&text), (solution.to_string(), layout), "{text}");
            assert!(text.ends_with('\n') && !text.contains('\r'));
        }
    }
}

fn solution() -> Solution {
    match solve(&Givens::default(), &Interrupt::new()) {
        Outcome::Solved { solution, .. } => solution,
        other => panic!("the empty grid has solutions: {other:?}"),
    }
}
