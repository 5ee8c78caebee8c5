//! What each cell may still hold.
#![expect(clippy::inline_always, reason = "see `Job`")]

use super::cell::Cell;
use super::digit::Digit;
use super::digit_set::DigitSet;
use super::givens::Givens;
use super::placement::{Settled, placed};
use super::propagation::{Progress, propagate};
use super::solution::Solution;
use super::vector::{ALL_DIGITS, Job, Vector};

/// The digits left to each cell, and those that were decided to get here.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidates<V> {
    /// The first cells of all mini-rows, the second ones, and the last ones.
    cells: [V; 3],
    mentioned: DigitSet,
}

impl<V: Vector> Candidates<V> {
    /// What some givens leave, and what follows from it.
    pub(super) fn of(givens: &Givens) -> (Self, Progress) {
        V::run(Open(givens))
    }

    /// The cells, a vector for each column of a stack.
    #[inline(always)]
    pub(super) const fn cells(&self) -> [V; 3] {
        self.cells
    }

    /// The digits left to a cell.
    #[inline(always)]
    pub(super) fn get(&self, cell: Cell) -> DigitSet {
        DigitSet::from_bits(self.cells[cell.column() % 3].lane(cell.row(), cell.column() / 3))
    }

    /// Whether more than one digit is left to a cell.
    #[inline(always)]
    pub(super) fn is_open(&self, cell: Cell) -> bool {
        self.get(cell).len() > 1
    }

    /// The digits of the givens and of the decisions on the way here.
    ///
    /// The others can be exchanged for each other: in any solution of this grid they may trade places, and
    /// it is still a solution. Digits that were placed as a consequence count among the others.
    #[inline(always)]
    pub(super) const fn mentioned(&self) -> DigitSet {
        self.mentioned
    }

    /// The digits that are enough to try in a cell: of those that can be exchanged only the smallest.
    ///
    /// If there is no solution with the smallest, there is none with another. If there is one with
    /// another, there is one with the smallest, and that is smaller if the cells before are settled. This
    /// divides a search by up to 9! on grids with few clues.
    #[inline(always)]
    pub(super) fn worth_trying(&self, cell: Cell) -> DigitSet {
        let digits = self.get(cell);
        let others = digits.difference(self.mentioned);
        digits.intersection(self.mentioned).union(others.smallest())
    }

    /// Settles a cell by choice, and draws the consequences.
    pub(super) fn decide(&mut self, cell: Cell, digit: Digit) -> Progress {
        V::run(Decide { candidates: self, cell, digit })
    }

    /// [`decide`](Self::decide) as part of a [`Job`].
    #[inline(always)]
    pub(super) fn decide_in_job(&mut self, cell: Cell, digit: Digit) -> Progress {
        self.mentioned = self.mentioned.with(digit);
        self.cells = placed(self.cells, Settled::cells(Self::only(cell, digit)));
        propagate(&mut self.cells)
    }

    /// A digit in one cell, and nothing in the others.
    #[inline(always)]
    fn only(cell: Cell, digit: Digit) -> [V; 3] {
        let digit = DigitSet::EMPTY.with(digit).bits();
        let lane = V::one_lane(cell.row(), cell.column() / 3, digit);
        let none = V::splat(0);
        match cell.column() % 3 {
            0 => [lane, none, none],
            1 => [none, lane, none],
            _ => [none, none, lane],
        }
    }

    /// Strikes a digit out of a cell, and draws the consequences.
    pub(super) fn strike(&mut self, cell: Cell, digit: Digit) -> Progress {
        V::run(Strike { candidates: self, cell, digit })
    }

    /// Whether all digits of a solution are still candidates.
    pub(super) fn admit(&self, solution: &Solution) -> bool {
        Cell::all().all(|cell| self.get(cell).contains(solution.get(cell)))
    }

    /// The grid, once it is solved.
    pub(super) fn solution(&self) -> Solution {
        Solution::proven(V::run(Read(self.cells)))
    }
}

struct Open<'a>(&'a Givens);

impl<V: Vector> Job<V> for Open<'_> {
    type Output = (Candidates<V>, Progress);

    #[inline(always)]
    fn run(self) -> Self::Output {
        let Self(givens) = self;
        let clues = V::from_digits(&givens.digits());
        let mut cells = placed([V::splat(ALL_DIGITS); 3], Settled::cells(clues));
        let progress = propagate(&mut cells);
        (Candidates { cells, mentioned: givens.mentioned() }, progress)
    }
}

struct Decide<'a, V> {
    candidates: &'a mut Candidates<V>,
    cell: Cell,
    digit: Digit,
}

impl<V: Vector> Job<V> for Decide<'_, V> {
    type Output = Progress;

    #[inline(always)]
    fn run(self) -> Progress {
        self.candidates.decide_in_job(self.cell, self.digit)
    }
}

struct Strike<'a, V> {
    candidates: &'a mut Candidates<V>,
    cell: Cell,
    digit: Digit,
}

impl<V: Vector> Job<V> for Strike<'_, V> {
    type Output = Progress;

    #[inline(always)]
    fn run(self) -> Progress {
        let [a, b, c] = self.candidates.cells;
        let [from_a, from_b, from_c] = Candidates::only(self.cell, self.digit);
        self.candidates.cells = [a.without(from_a), b.without(from_b), c.without(from_c)];
        propagate(&mut self.candidates.cells)
    }
}

struct Read<V>([V; 3]);

impl<V: Vector> Job<V> for Read<V> {
    type Output = [u8; Cell::COUNT];

    #[inline(always)]
    fn run(self) -> Self::Output {
        V::to_digits(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::cell::CELLS;
    use super::super::digit::DIGITS;
    use super::super::vector::Portable;
    use super::*;

    fn empty() -> Candidates<Portable> {
        Candidates::of(&Givens::default()).0
    }

    #[test]
    fn deciding_leaves_a_digit_alone_in_its_cell_and_strikes_it_from_the_peers() {
        for cell in CELLS {
            let mut candidates = empty();
            assert_eq!(candidates.decide(cell, DIGITS[4]), Progress::Open);
            assert!(candidates.get(cell).into_iter().eq([DIGITS[4]]));
            let without = CELLS.into_iter().filter(|&other| candidates.get(other).len() == 8);
            assert_eq!(without.count(), 20, "{cell}");
        }
    }

    #[test]
    fn of_the_digits_never_decided_only_the_smallest_is_worth_trying() {
        let [first, second, third] = [0, 1, 2].map(|index| CELLS[index]);
        let mut candidates = empty();
        candidates.decide(first, DIGITS[4]);
        candidates.strike(second, DIGITS[0]);
        assert!(candidates.worth_trying(second).into_iter().eq([DIGITS[1]]));
        assert!(candidates.worth_trying(third).into_iter().eq([DIGITS[0]]));
        let elsewhere = CELLS[80];
        assert!(candidates.worth_trying(elsewhere).into_iter().eq([DIGITS[0], DIGITS[4]]));
    }

    #[test]
    fn clues_that_clash_are_a_contradiction_at_once() {
        for other in [1, 9, 10, 8, 72] {
            let mut givens = Givens::default();
            givens.set(CELLS[0], Some(DIGITS[6]));
            givens.set(CELLS[other], Some(DIGITS[6]));
            assert_eq!(Candidates::<Portable>::of(&givens).1, Progress::Contradiction, "{other}");
        }
    }
}
