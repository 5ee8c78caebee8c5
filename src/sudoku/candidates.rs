//! Where each digit may still stand.

use std::mem;

use super::cell::Cell;
use super::cell_set::{CellSet, PEERS};
use super::digit::{DIGITS, Digit};
use super::digit_set::DigitSet;
use super::givens::Givens;
use super::solution::Solution;

/// The places left to each digit, and the cells not yet settled.
///
/// Kept by digit rather than by cell, because every technique but the naked single asks where a digit can
/// go. Copied for a branch: 124 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Candidates {
    places: [CellSet; 9],
    open: CellSet,
    changed: DigitSet,
}

impl Candidates {
    /// The places left to a digit.
    pub(super) const fn places(&self, digit: Digit) -> CellSet {
        self.places[digit.index()]
    }

    /// The cells in which no digit was [placed](Self::place).
    pub(super) const fn open(&self) -> CellSet {
        self.open
    }

    /// The digits left to a cell.
    pub(super) fn of(&self, cell: Cell) -> DigitSet {
        Digit::all().filter(|&digit| self.places(digit).contains(cell)).collect()
    }

    /// Settles a cell: no other digit stays in it, and its digit leaves its peers.
    ///
    /// A digit that is no candidate of the cell leaves it without any, which propagation refutes.
    pub(super) fn place(&mut self, cell: Cell, digit: Digit) {
        for other in Digit::all() {
            if other != digit {
                self.strike(cell, other);
            }
        }
        self.restrict(digit, !PEERS[cell.index()]);
        self.open.remove(cell);
    }

    /// Strikes a digit out of a cell.
    pub(super) const fn strike(&mut self, cell: Cell, digit: Digit) {
        let places = &mut self.places[digit.index()];
        self.changed = self.changed.with_if(digit, places.contains(cell));
        places.remove(cell);
    }

    /// Leaves a digit only those of its places that are among `cells`.
    pub(super) fn restrict(&mut self, digit: Digit, cells: CellSet) {
        let before = self.places(digit);
        let after = before & cells;
        self.changed = self.changed.with_if(digit, after != before);
        self.places[digit.index()] = after;
    }

    /// The digits that lost a place since this was last asked.
    pub(super) fn take_changed(&mut self) -> DigitSet {
        mem::take(&mut self.changed)
    }

    /// Whether all digits of a solution are still candidates.
    pub(super) fn admit(&self, solution: &Solution) -> bool {
        Cell::all().all(|cell| self.places(solution.get(cell)).contains(cell))
    }

    /// The grid, once every cell is settled and propagation found no contradiction.
    pub(super) fn solution(&self) -> Solution {
        debug_assert!(self.open.is_empty(), "open: {:?}", self.open);
        let mut digits = [DIGITS[0]; 81];
        for digit in Digit::all() {
            for cell in self.places(digit) {
                digits[cell.index()] = digit;
            }
        }
        Solution::try_from(digits).expect("a digit that was placed has left its peers")
    }
}

/// Every digit in every cell.
impl Default for Candidates {
    fn default() -> Self {
        Self { places: [CellSet::ALL; 9], open: CellSet::ALL, changed: DigitSet::ALL }
    }
}

impl From<&Givens> for Candidates {
    fn from(givens: &Givens) -> Self {
        let mut candidates = Self::default();
        for (cell, digit) in givens.iter() {
            candidates.place(cell, digit);
        }
        candidates
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placing_a_digit_leaves_it_alone_in_its_cell_and_strikes_it_from_the_peers() {
        for cell in Cell::all() {
            let mut candidates = Candidates::default();
            candidates.place(cell, DIGITS[4]);
            assert_eq!(candidates.of(cell), DigitSet::EMPTY.with(DIGITS[4]));
            assert!(!candidates.open().contains(cell));
            for other in Cell::all().filter(|&other| other != cell) {
                let peer = PEERS[cell.index()].contains(other);
                let left = candidates.of(other);
                assert_eq!(left.len(), if peer { 8 } else { 9 }, "{other}");
                let keeps_it = left.into_iter().any(|digit| digit == DIGITS[4]);
                assert_ne!(keeps_it, peer, "{other}");
            }
        }
    }

    #[test]
    fn only_digits_that_lost_a_place_are_changed() {
        let mut candidates = Candidates::default();
        assert_eq!(candidates.take_changed(), DigitSet::ALL);
        let cell = Cell::new(0, 0).expect("r1c1 is a cell");
        candidates.strike(cell, DIGITS[2]);
        candidates.strike(cell, DIGITS[2]);
        candidates.restrict(DIGITS[3], CellSet::ALL);
        assert_eq!(candidates.take_changed(), DigitSet::EMPTY.with(DIGITS[2]));
        candidates.strike(cell, DIGITS[2]);
        assert_eq!(candidates.take_changed(), DigitSet::EMPTY);
    }
}
