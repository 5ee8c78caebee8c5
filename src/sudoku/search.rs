//! Depth-first search for the first solutions of a grid.

use super::budget::{Budget, Stop};
use super::candidates::Candidates;
use super::conflict_weights::ConflictWeights;
use super::constraint::Constraint;
use super::solution::Solution;

/// Chooses the constraint whose options are tried; none if no cell is open.
///
/// Decides how many nodes a search visits and in which order it finds solutions, never what is true.
pub(super) type Branching = fn(&Candidates, &ConflictWeights) -> Option<Constraint>;

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
pub(super) struct Search<'a> {
    pub(super) branching: Branching,
    pub(super) weights: &'a mut ConflictWeights,
    pub(super) budget: Budget<'a>,
    /// One, or two where every digit but one at most is a given: solutions that differ only by an exchange of
    /// digits are not told apart.
    pub(super) wanted: u32,
    pub(super) found: Found,
}

impl Search<'_> {
    /// Searches below a grid that was propagated without a contradiction.
    pub(super) fn run(&mut self, candidates: &Candidates) -> Result<(), Stop> {
        debug_assert!(self.wanted == 1 || candidates.mentioned().len() >= 8);
        let Some(constraint) = (self.branching)(candidates, self.weights) else {
            self.found.first.get_or_insert_with(|| candidates.solution());
            self.found.count += 1;
            return Ok(());
        };
        for (cell, digit) in constraint.options(candidates) {
            self.budget.visit()?;
            let mut child = *candidates;
            child.decide(cell, digit);
            if child.propagate().is_err() {
                self.weights.blame(constraint);
                continue;
            }
            self.run(&child)?;
            if self.found.count >= self.wanted {
                break;
            }
        }
        Ok(())
    }

    /// What there is to find below a grid, if the budget lasts.
    pub(super) fn conclude(mut self, candidates: &Candidates) -> Result<Found, Stop> {
        self.run(candidates)?;
        Ok(self.found)
    }
}
