//! Plain integers: what runs where there is no better instruction set.
//!
//! A word of 64 bits for each row, in which three of four lanes are in use:
//!
//! ```text
//!   bit    63 ··· 48 │ 47 ··· 32 │ 31 ··· 16 │ 15 ···· 0
//!   stack            │     3     │     2     │     1
//! ```
//!
//! Each operation is done nine times, without a branch, which compilers turn into what vector instructions there
//! are. What would borrow from the next lane is kept from it by the highest bit of each lane, which is in
//! use nowhere else: sets of digits have nine bits.
#![expect(clippy::cast_possible_truncation, reason = "lanes are sixteen bits of a word")]
#![expect(clippy::inline_always, reason = "see `Job`")]

use std::ops::{Add, BitAnd, BitOr};

use super::super::cell::Cell;
use super::{ALL_DIGITS, Job, Vector};

/// 27 lanes, three a row.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Portable([u64; 9]);

/// The lowest bit of each lane.
const LOWEST: u64 = 0x0001_0001_0001;

/// The highest bit of each lane.
const HIGHEST: u64 = LOWEST << 15;

/// All bits of all lanes.
const USED: u64 = (1 << 48) - 1;

/// An expression for each of the nine rows.
macro_rules! rows {
    ($row:ident => $word:expr) => {
        Portable([
            {
                const $row: usize = 0;
                $word
            },
            {
                const $row: usize = 1;
                $word
            },
            {
                const $row: usize = 2;
                $word
            },
            {
                const $row: usize = 3;
                $word
            },
            {
                const $row: usize = 4;
                $word
            },
            {
                const $row: usize = 5;
                $word
            },
            {
                const $row: usize = 6;
                $word
            },
            {
                const $row: usize = 7;
                $word
            },
            {
                const $row: usize = 8;
                $word
            },
        ])
    };
}

/// In the lanes that are not empty the highest bit, which no lane has yet.
#[inline(always)]
const fn some(word: u64) -> u64 {
    (word + (HIGHEST - LOWEST)) & HIGHEST
}

/// All bits of the lanes of which there is the highest.
#[inline(always)]
const fn filled(highest: u64) -> u64 {
    (highest << 1) - (highest >> 15)
}

/// Each lane without its lowest bit.
#[inline(always)]
const fn without_lowest(word: u64) -> u64 {
    word & ((word | HIGHEST) - LOWEST)
}

/// All bits of the lanes that have more than one.
#[inline(always)]
const fn several(word: u64) -> u64 {
    filled(some(without_lowest(word)))
}

impl Portable {
    #[inline(always)]
    fn in_one_row(self) -> u64 {
        self.0.into_iter().fold(0, BitOr::bitor)
    }
}

impl Vector for Portable {
    #[inline(always)]
    fn run<J: Job<Self>>(job: J) -> J::Output {
        job.run()
    }

    fn from_digits(digits: &[u8; Cell::COUNT]) -> [Self; 3] {
        let mut vectors = [Self([0; 9]); 3];
        for (cell, &digit) in Cell::all().zip(digits) {
            let bits = 1_u64 << digit >> 1;
            vectors[cell.column() % 3].0[cell.row()] |= bits << (16 * (cell.column() / 3));
        }
        vectors
    }

    fn to_digits(cells: [Self; 3]) -> [u8; Cell::COUNT] {
        let mut digits = [0; Cell::COUNT];
        for (cell, digit) in Cell::all().zip(&mut digits) {
            let bits = cells[cell.column() % 3].lane(cell.row(), cell.column() / 3);
            *digit = bits.trailing_zeros() as u8 + 1;
        }
        digits
    }

    #[inline(always)]
    fn cell_indices() -> [Self; 3] {
        const FIRST: u64 = 0x0006_0003_0000;
        let first = rows!(ROW => FIRST + LOWEST * (9 * ROW as u64));
        let one = Self::splat(1);
        [first, first + one, first + one + one]
    }

    #[inline(always)]
    fn splat(bits: u16) -> Self {
        Self([LOWEST * u64::from(bits); 9])
    }

    #[inline(always)]
    fn lane(&self, row: usize, stack: usize) -> u16 {
        (self.0[row] >> (16 * stack)) as u16
    }

    #[inline(always)]
    fn one_lane(row: usize, stack: usize, bits: u16) -> Self {
        let mut rows = [0; 9];
        rows[row] = u64::from(bits) << (16 * stack);
        Self(rows)
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        rows!(ROW => self.0[ROW] & !other.0[ROW])
    }

    #[inline(always)]
    fn next_stack(self) -> Self {
        rows!(ROW => self.0[ROW] >> 16 | self.0[ROW] << 32 & USED)
    }

    #[inline(always)]
    fn previous_stack(self) -> Self {
        rows!(ROW => self.0[ROW] >> 32 | self.0[ROW] << 16 & USED)
    }

    #[inline(always)]
    fn next_row(self) -> Self {
        rows!(ROW => self.0[ROW / 3 * 3 + (ROW + 1) % 3])
    }

    #[inline(always)]
    fn previous_row(self) -> Self {
        rows!(ROW => self.0[ROW / 3 * 3 + (ROW + 2) % 3])
    }

    #[inline(always)]
    fn next_band(self) -> Self {
        rows!(ROW => self.0[(ROW + 3) % 9])
    }

    #[inline(always)]
    fn previous_band(self) -> Self {
        rows!(ROW => self.0[(ROW + 6) % 9])
    }

    #[inline(always)]
    fn in_one_band(self) -> Self {
        rows!(ROW => self.0[ROW % 3] | self.0[ROW % 3 + 3] | self.0[ROW % 3 + 6])
    }

    #[inline(always)]
    fn in_two_bands(self) -> Self {
        rows!(ROW => {
            let [first, second, third] = [self.0[ROW % 3], self.0[ROW % 3 + 3], self.0[ROW % 3 + 6]];
            first & second | (first | second) & third
        })
    }

    #[inline(always)]
    fn single_or_in(self, kept: Self) -> Self {
        rows!(ROW => self.0[ROW] & (!several(self.0[ROW]) | kept.0[ROW]))
    }

    #[inline(always)]
    fn or_else(self, other: Self) -> Self {
        rows!(ROW => self.0[ROW] | other.0[ROW] & !filled(some(self.0[ROW])))
    }

    #[inline(always)]
    fn where_several(self, bits: Self) -> Self {
        rows!(ROW => self.0[ROW] & several(bits.0[ROW]))
    }

    #[inline(always)]
    fn where_three(self) -> Self {
        rows!(ROW => {
            let two = without_lowest(without_lowest(self.0[ROW]));
            self.0[ROW] & filled(some(two)) & !several(two)
        })
    }

    #[inline(always)]
    fn count<const SHIFT: u32>(self) -> Self {
        rows!(ROW => {
            let pairs = self.0[ROW] - ((self.0[ROW] >> 1) & (LOWEST * 0x5555));
            let fours = (pairs & (LOWEST * 0x3333)) + ((pairs >> 2) & (LOWEST * 0x3333));
            let eights = (fours + (fours >> 4)) & (LOWEST * 0x0F0F);
            ((eights + (eights >> 8)) & (LOWEST * 0xF)) << SHIFT
        })
    }

    #[inline(always)]
    fn is_full(self) -> bool {
        Self::splat(ALL_DIGITS).without(self).in_one_row() == 0
    }

    #[inline(always)]
    fn any_empty([a, b, c]: [Self; 3]) -> bool {
        let least = rows!(ROW => some(a.0[ROW]) & some(b.0[ROW]) & some(c.0[ROW]));
        least.0.into_iter().fold(HIGHEST, BitAnd::bitand) != HIGHEST
    }

    #[inline(always)]
    fn all_equal([a, b, c]: [Self; 3], [other_a, other_b, other_c]: [Self; 3]) -> bool {
        let different = rows!(ROW => {
            let different = a.0[ROW] ^ other_a.0[ROW];
            different | b.0[ROW] ^ other_b.0[ROW] | c.0[ROW] ^ other_c.0[ROW]
        });
        different.in_one_row() == 0
    }

    #[inline(always)]
    fn all_single([a, b, c]: [Self; 3]) -> bool {
        let rest = rows!(ROW => {
            without_lowest(a.0[ROW]) | without_lowest(b.0[ROW]) | without_lowest(c.0[ROW])
        });
        rest.in_one_row() == 0
    }

    #[inline(always)]
    fn highest(vectors: [Self; 3]) -> u16 {
        let mut highest = 0;
        for word in vectors.into_iter().flat_map(|vector| vector.0) {
            highest = highest.max(word as u16).max((word >> 16) as u16).max((word >> 32) as u16);
        }
        highest
    }
}

impl Add for Portable {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        rows!(ROW => self.0[ROW] + other.0[ROW])
    }
}

impl BitAnd for Portable {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        rows!(ROW => self.0[ROW] & other.0[ROW])
    }
}

impl BitOr for Portable {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        rows!(ROW => self.0[ROW] | other.0[ROW])
    }
}
