//! What has to be decided.
#![expect(clippy::inline_always, reason = "see `Job`")]

use super::candidates::Candidates;
use super::cell::Cell;
use super::digit::{DIGITS, Digit};
use super::house::{HOUSE_CELLS, House};
use super::vector::Vector;

/// A question with exactly one answer in every solution.
///
/// To branch on both kinds matters: where more digits than cells press into a corner of the grid, every
/// cell still has many candidates when a digit has hardly a place left, and the other way round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Constraint {
    /// Which digit does this cell hold?
    Cell(Cell),
    /// Where in this house does this digit stand?
    House(House, Digit),
}

impl Constraint {
    /// The cells and the digits that are enough to try, ascending.
    #[inline(always)]
    pub(super) fn options<V: Vector>(self, candidates: &Candidates<V>) -> Options {
        let left = match self {
            Self::Cell(cell) => candidates.worth_trying(cell).bits(),
            Self::House(house, digit) => {
                let mut places = 0;
                for (position, cell) in HOUSE_CELLS[house.index()].into_iter().enumerate() {
                    places |= u16::from(candidates.get(cell).contains(digit)) << position;
                }
                places
            }
        };
        Options { constraint: self, left }
    }
}

/// The options of a constraint: the digits of a cell, or the cells for a digit.
#[derive(Clone, Debug)]
pub(super) struct Options {
    constraint: Constraint,
    /// A bit for each digit, or for each position in the house.
    left: u16,
}

impl Options {
    pub(super) const fn len(&self) -> u32 {
        self.left.count_ones()
    }
}

impl Iterator for Options {
    type Item = (Cell, Digit);

    #[inline(always)]
    fn next(&mut self) -> Option<(Cell, Digit)> {
        if self.left == 0 {
            return None;
        }
        let index = self.left.trailing_zeros() as usize;
        self.left &= self.left - 1;
        Some(match self.constraint {
            Constraint::Cell(cell) => (cell, DIGITS[index]),
            Constraint::House(house, digit) => (HOUSE_CELLS[house.index()][index], digit),
        })
    }
}
