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

#[cfg(test)]
mod tests {
    use super::super::cell::CELLS;
    use super::super::givens::Givens;
    use super::super::vector::Portable;
    use super::*;

    #[test]
    fn options_are_candidates_in_ascending_order() {
        let mut givens = Givens::default();
        for (index, digit) in [(0, 4), (10, 2), (44, 4), (80, 7)] {
            givens.set(CELLS[index], Some(DIGITS[digit]));
        }
        let (candidates, _) = Candidates::<Portable>::of(&givens);
        let cell = CELLS[40];
        let options: Vec<_> = Constraint::Cell(cell).options(&candidates).collect();
        let tried = candidates.worth_trying(cell).into_iter().map(|digit| (cell, digit));
        assert!(options.into_iter().eq(tried));

        for house in House::all() {
            for digit in Digit::all() {
                let options = Constraint::House(house, digit).options(&candidates);
                let places = house.cells().into_iter();
                let places = places.filter(|&cell| candidates.get(cell).contains(digit));
                assert!(options.eq(places.map(|cell| (cell, digit))), "{house} {digit}");
            }
        }
    }
}
