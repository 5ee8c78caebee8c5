//! Whether a grid has a solution, or a second one, whichever they are.

use super::budget::{Budget, Stop};
use super::candidates::Candidates;
use super::conflict_weights::ConflictWeights;
use super::propagation::Progress;
use super::search::{Branching, Found, Search};
use super::vector::Vector;

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
    pub(super) fn ask<V: Vector>(
        &mut self,
        candidates: &mut Candidates<V>,
        wanted: u32,
        budget: Budget<'_>,
    ) -> Result<Found<V>, Stop> {
        for branching in [Branching::FewestCandidates, Branching::MostBlamed] {
            match self.search(branching, wanted, budget).conclude(candidates) {
                Err(Stop::OutOfBudget) => {}
                ended => return ended,
            }
        }
        match candidates.probe(budget.interrupt())? {
            Progress::Contradiction => Ok(Found::NOTHING),
            Progress::Solved => Ok(Found { first: Some(*candidates), count: 1 }),
            Progress::Open => {
                self.search(Branching::MostBlamed, wanted, budget).conclude(candidates)
            }
        }
    }

    /// A search that adds to what the oracle has learnt.
    pub(super) fn search<'a, V: Vector>(
        &'a mut self,
        branching: Branching,
        wanted: u32,
        budget: Budget<'a>,
    ) -> Search<'a, V> {
        Search { branching, weights: &mut self.weights, budget, wanted, found: Found::NOTHING }
    }
}
