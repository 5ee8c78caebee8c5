//! Depth-first search for the first solutions of a grid.

use super::budget::{Budget, Stop};
use super::candidates::Candidates;
use super::cell::Cell;
use super::digit_set::DigitSet;
use super::solution::Solution;

/// Where a search goes next. Decides how many nodes it visits and in which order, never what is true.
pub(super) trait Branching {
    /// The cell whose candidates are tried, one of the open ones; `None` if no cell is open.
    fn choose(&self, candidates: &Candidates) -> Option<Cell>;

    /// Learns that propagation refuted a candidate of this cell.
    fn learn_refuted(&mut self, _cell: Cell) {}
}

/// What a search found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Found {
    /// The solution found first.
    pub(super) first: Option<Solution>,
    /// How many were found.
    pub(super) count: u32,
}

/// A search that ends as soon as it has found as many solutions as are wanted.
#[derive(Debug)]
pub(super) struct Search<'a, B> {
    branching: &'a mut B,
    wanted: u32,
    budget: Budget<'a>,
    found: Found,
}

impl<'a, B: Branching> Search<'a, B> {
    /// A search that has found nothing yet.
    pub(super) fn new(branching: &'a mut B, wanted: u32, budget: Budget<'a>) -> Self {
        Self { branching, wanted, budget, found: Found::default() }
    }

    /// What was found so far; all there is or as many as were wanted, once [`run`](Self::run) has ended.
    pub(super) const fn found(&self) -> Found {
        self.found
    }

    /// Searches below a grid that was propagated without a contradiction.
    ///
    /// `mentioned` are the digits of the givens and of all decisions that led to the grid. The others can
    /// be exchanged for each other in any solution, so if the smallest of them has no solution in a cell,
    /// none of them has, and if it has one, it is no larger: only the smallest is tried. That divides the
    /// search by up to 9! on grids with few clues. The decisions matter as much as the givens: after the
    /// first of two such digits was placed, they are no longer alike.
    ///
    /// Solutions left out are not counted. So two may be wanted only of a grid whose givens mention all
    /// digits or all but one, where nothing is left out.
    pub(super) fn run(&mut self, candidates: &Candidates, mentioned: DigitSet) -> Result<(), Stop> {
        debug_assert!(self.wanted == 1 || mentioned.len() >= 8);
        let Some(cell) = self.branching.choose(candidates) else {
            self.found.first.get_or_insert_with(|| candidates.solution());
            self.found.count += 1;
            return Ok(());
        };
        for digit in mentioned.representatives(candidates.of(cell)) {
            self.budget.visit()?;
            let mut child = *candidates;
            child.place(cell, digit);
            if child.propagate().is_err() {
                self.branching.learn_refuted(cell);
                continue;
            }
            self.run(&child, mentioned.with(digit))?;
            if self.found.count >= self.wanted {
                break;
            }
        }
        Ok(())
    }
}
