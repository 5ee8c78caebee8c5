//! The 27 mini-rows of a grid side by side: what the rules ask of an instruction set.
//!
//! ```text
//!              stack 1   stack 2   stack 3
//!             ┌─────────┬─────────┬─────────┐
//!       row 1 │    0    │    1    │    2    │    A lane for each mini-row. Its neighbours are the lanes
//!      band 1 │    3    │    4    │    5    │    of the same row in the next stack, of the next row in the
//!       row 3 │    6    │    7    │    8    │    same box, and of the same place in the next band. Each of
//!             ├─────────┼─────────┼─────────┤    these three directions is a ring: after lane 2 comes lane
//!       row 4 │    9    │   10    │   11    │    0 again, after 6 lane 0, after 18 lane 0.
//!      band 2 │   12    │   13    │   14    │
//!       row 6 │   15    │   16    │   17    │    Three lanes of a ring together are a row (0 1 2), a box
//!             ├─────────┼─────────┼─────────┤    (0 3 6), or what is left of a column (0 9 18) once the
//!       row 7 │   18    │   19    │   20    │    three rows of each box were folded into one.
//!      band 3 │   21    │   22    │   23    │
//!       row 9 │   24    │   25    │   26    │
//!             └─────────┴─────────┴─────────┘
//! ```
//!
//! The three cells of a mini-row are in three vectors, at the same lane. So the cells of a mini-row meet by
//! an operation on three vectors, and those of any house after one or two moves along a ring. A lane has
//! sixteen bits, of which bit `d − 1` mostly stands for the digit `d`.
//!
//! The rules are written once, over the trait [`Vector`]. Whoever implements it may order the lanes as it
//! likes and have more of them, which stay empty.

#![expect(clippy::inline_always, reason = "see `Job`")]

use std::fmt::Debug;
use std::ops::{Add, BitAnd, BitOr};

use super::cell::Cell;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(test)]
mod laws;
mod portable;
#[cfg(test)]
pub(super) mod sample;

#[cfg(target_arch = "x86_64")]
pub(super) use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub(super) use avx512::Avx512;
pub(super) use portable::Portable;

/// The bits of all nine digits.
pub(super) const ALL_DIGITS: u16 = 0o777;

/// 27 lanes of sixteen bits.
///
/// All functions are to be inlined into what a [`Job`] does; elsewhere they are right, but slow.
pub(super) trait Vector:
    Copy + Debug + Add<Output = Self> + BitAnd<Output = Self> + BitOr<Output = Self>
{
    /// Does a job with code that uses the instruction set.
    fn run<J: Job<Self>>(job: J) -> J::Output;

    /// The cells of a grid of digits, 0 for none, row by row: a one-bit set of digits, or the empty one, for
    /// each. The first vector has the first cell of each mini-row.
    fn from_digits(digits: &[u8; Cell::COUNT]) -> [Self; 3];

    /// The digits of one-bit sets, row by row.
    fn to_digits(cells: [Self; 3]) -> [u8; Cell::COUNT];

    /// The numbers of the cells, `0..81` row by row.
    fn cell_indices() -> [Self; 3];

    /// The same bits in all lanes.
    fn splat(bits: u16) -> Self;

    /// The bits of the lane in this row and this stack, both counted from 0.
    fn lane(&self, row: usize, stack: usize) -> u16;

    /// These bits in the lane of this row and this stack alone.
    fn one_lane(row: usize, stack: usize, bits: u16) -> Self;

    /// What is not in `other`.
    fn without(self, other: Self) -> Self;

    /// What is in at least one of three.
    #[inline(always)]
    fn in_one(a: Self, b: Self, c: Self) -> Self {
        a | b | c
    }

    /// What is in at least two of three.
    #[inline(always)]
    fn in_two(a: Self, b: Self, c: Self) -> Self {
        a & b | (a | b) & c
    }

    /// Each lane from the next stack, in the same row.
    fn next_stack(self) -> Self;

    /// Each lane from the previous stack, in the same row.
    fn previous_stack(self) -> Self;

    /// Each lane from the next row, in the same box.
    fn next_row(self) -> Self;

    /// Each lane from the previous row, in the same box.
    fn previous_row(self) -> Self;

    /// Each lane from the next band.
    fn next_band(self) -> Self;

    /// Each lane from the previous band.
    fn previous_band(self) -> Self;

    /// What is in at least one of the three bands.
    #[inline(always)]
    fn in_one_band(self) -> Self {
        Self::in_one(self, self.next_band(), self.previous_band())
    }

    /// What is in at least two of the three bands.
    #[inline(always)]
    fn in_two_bands(self) -> Self {
        Self::in_two(self, self.next_band(), self.previous_band())
    }

    /// The lanes that have one bit or none as they are; of the others what is in `kept` too.
    fn single_or_in(self, kept: Self) -> Self;

    /// The lanes that are not empty as they are; for the others those of `other`.
    fn or_else(self, other: Self) -> Self;

    /// Only the lanes in which `bits` has more than one bit.
    fn where_several(self, bits: Self) -> Self;

    /// The lanes that have three bits as they are; the others empty.
    fn where_three(self) -> Self;

    /// How many bits each lane has, in units of `1 << SHIFT`.
    fn count<const SHIFT: u32>(self) -> Self;

    /// Whether all lanes hold all digits.
    fn is_full(self) -> bool;

    /// Whether a lane of one of three vectors is empty.
    fn any_empty(vectors: [Self; 3]) -> bool;

    /// Whether all lanes of three vectors are the same as those of three others.
    fn all_equal(vectors: [Self; 3], others: [Self; 3]) -> bool;

    /// Whether no lane of three vectors has more than one bit.
    fn all_single(vectors: [Self; 3]) -> bool;

    /// The highest number in any lane of three vectors.
    fn highest(vectors: [Self; 3]) -> u16;
}

/// Something to be compiled for each instruction set.
///
/// Code for an instruction set that not every machine has can only be inlined into functions that are
/// marked for it. [`Vector::run`] is the one such function: what `run` here does has to be inlined into it,
/// down to the operations on vectors. All of it is marked `#[inline(always)]` for that, and does without
/// closures, which cannot be.
pub(super) trait Job<V> {
    type Output;

    fn run(self) -> Self::Output;
}
