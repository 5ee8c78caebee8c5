//! Where each digit may still stand.

use std::mem;

use super::cell::Cell;
use super::cell_set::{CellSet, PEERS};
use super::digit::{DIGITS, Digit};
use super::digit_set::DigitSet;
use super::givens::Givens;
use super::solution::Solution;

/// The places left to each digit, the cells not yet settled, and what was decided to get here.
///
/// Kept by digit rather than by cell, because every technique but the naked single asks where a digit can
/// go. Copied for a branch: 124 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Candidates {
    places: [CellSet; 9],
    open: CellSet,
    changed: DigitSet,
    mentioned: DigitSet,
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

    /// The digits of the givens and of the decisions on the way here.
    ///
    /// The others can be exchanged for each other: in any solution of this grid they may trade places, and
    /// it is still a solution. Digits that were placed as a consequence count among the others.
    pub(super) const fn mentioned(&self) -> DigitSet {
        self.mentioned
    }

    /// The digits that are enough to try in a cell: of those that can be exchanged only the smallest.
    ///
    /// If there is no solution with the smallest, there is none with another. If there is one with
    /// another, there is one with the smallest, and that is smaller if the cells before are settled. This
    /// divides a search by up to 9! on grids with few clues.
    pub(super) fn worth_trying(&self, cell: Cell) -> DigitSet {
        let (mentioned, digits) = (self.mentioned, self.of(cell));
        let others = digits.difference(mentioned);
        digits.intersection(mentioned).union(others.smallest())
    }

    /// Settles a cell by choice: a given, or a digit that is tried.
    pub(super) fn decide(&mut self, cell: Cell, digit: Digit) {
        self.mentioned = self.mentioned.with(digit);
        self.place(cell, digit);
    }

    /// Settles a cell as a consequence: no other digit stays in it, and its digit leaves its peers.
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
        Self {
            places: [CellSet::ALL; 9],
            open: CellSet::ALL,
            changed: DigitSet::ALL,
            mentioned: DigitSet::EMPTY,
        }
    }
}

impl From<&Givens> for Candidates {
    fn from(givens: &Givens) -> Self {
        let mut candidates = Self::default();
        for (cell, digit) in givens.iter() {
            candidates.decide(cell, digit);
        }
        candidates
    }
}

#[cfg(test)]
mod tests {
    use super::super::cell::CELLS;
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
    fn of_the_digits_never_decided_only_the_smallest_is_worth_trying() {
        let [first, second, third] = [0, 1, 2].map(|index| CELLS[index]);
        let mut candidates = Candidates::default();
        candidates.decide(first, DIGITS[4]);
        candidates.place(second, DIGITS[0]);
        assert!(candidates.worth_trying(third).into_iter().eq([DIGITS[1]]));
        let elsewhere = CELLS[80];
        assert!(candidates.worth_trying(elsewhere).into_iter().eq([DIGITS[0], DIGITS[4]]));
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
