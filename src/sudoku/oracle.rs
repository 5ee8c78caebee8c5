//! Whether a grid has a solution, or a second one, whichever they are.

use super::budget::{Budget, Stop};
use super::candidates::Candidates;
use super::conflict_weights::{ConflictWeights, most_blamed};
use super::fewest_candidates::fewest_candidates;
use super::propagation::Contradiction;
use super::search::{Branching, Found, Search};

/// Answers questions about the existence of solutions, and learns where they are hard.
///
/// Most questions take a few nodes. Some grids look no different and keep a fewest-candidates search busy
/// for minutes, because they hide a small contradiction where it does not branch. Those take another
/// search by [conflict weights](ConflictWeights), or [probing](Candidates::probe).
#[derive(Debug)]
pub(super) struct Oracle {
    weights: ConflictWeights,
}

impl Oracle {
    /// An oracle without experience.
    pub(super) const fn new() -> Self {
        Self { weights: ConflictWeights::new() }
    }

    /// Finds as many solutions as are wanted, or all there are, by up to three searches with a budget each.
    ///
    /// Out of budget, it can be asked again with more: the weights are kept for the next time, and what
    /// probing struck out of the candidates stays out.
    pub(super) fn ask(
        &mut self,
        candidates: &mut Candidates,
        wanted: u32,
        budget: Budget<'_>,
    ) -> Result<Found, Stop> {
        for branching in [fewest_candidates, most_blamed] {
            match self.search(branching, wanted, budget).conclude(candidates) {
                Err(Stop::OutOfBudget) => {}
                ended => return ended,
            }
        }
        match candidates.probe(budget.interrupt())? {
            Ok(()) => self.search(most_blamed, wanted, budget).conclude(candidates),
            Err(Contradiction) => Ok(Found::default()),
        }
    }

    /// A search that adds to what the oracle has learnt.
    pub(super) fn search<'a>(
        &'a mut self,
        branching: Branching,
        wanted: u32,
        budget: Budget<'a>,
    ) -> Search<'a> {
        Search { branching, weights: &mut self.weights, budget, wanted, found: Found::default() }
    }
}
