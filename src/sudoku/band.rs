//! The 27 cells of a band as bits of a word, which every technique works on.
//!
//! Bit 9 · row + column, so that an octal digit of a constant is a mini-row, three of them a row:
//!
//! ```text
//!  0  1  2 |  3  4  5 |  6  7  8
//!  9 10 11 | 12 13 14 | 15 16 17
//! 18 19 20 | 21 22 23 | 24 25 26
//! ```
//!
//! Flags are kept at the first cell of what they stand for. A multiplication spreads them: `flags × 0o7`
//! fills mini-rows, `× ROW` rows from their first cells, `× COLUMN` columns from the first row.

/// All 27 cells.
pub(super) const ALL: u32 = 0o777_777_777;

/// The first row.
pub(super) const ROW: u32 = 0o777;

/// The first column: the first cell of each row.
pub(super) const COLUMN: u32 = 0o001_001_001;

/// The first box.
pub(super) const BOX: u32 = 0o007_007_007;

/// The first cell of each mini-row.
pub(super) const MINI_ROWS: u32 = 0o111_111_111;

/// The first cell of each box.
pub(super) const BOXES: u32 = 0o111;
