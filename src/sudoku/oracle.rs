//! Whether a grid has a solution, or a second one, whichever they are.

use super::budget::{Budget, Stop};
use super::candidates::Candidates;
use super::conflict_weights::ConflictWeights;
use super::digit_set::DigitSet;
use super::fewest_candidates::FewestCandidates;
use super::search::{Branching, Found, Search};

/// Answers questions about the existence of solutions, and learns where they are hard.
///
/// Most questions take a few nodes. A few grids look no different and keep a fewest-candidates search
/// busy for minutes, because they hide a small contradiction where it does not branch; those take
/// [probing](Candidates::probe) and [conflict weights](ConflictWeights).
#[derive(Debug)]
pub(super) struct Oracle {
    weights: ConflictWeights,
}

impl Oracle {
    /// An oracle without experience.
    pub(super) const fn new() -> Self {
        Self { weights: ConflictWeights::new() }
    }

    /// Finds as many solutions as are wanted, or all there are, by two searches with a budget each.
    ///
    /// `candidates` and `mentioned` are as for [`Search::run`].
    ///
    /// Out of budget, it can be asked again with more: the weights are kept for the next time, and what
    /// probing struck out of the candidates stays out.
    pub(super) fn ask(
        &mut self,
        candidates: &mut Candidates,
        mentioned: DigitSet,
        wanted: u32,
        budget: Budget<'_>,
    ) -> Result<Found, Stop> {
        match first_solutions(&mut FewestCandidates, candidates, mentioned, wanted, budget) {
            Err(Stop::OutOfBudget) => {}
            ended => return ended,
        }
        if candidates.probe(budget.interrupt())?.is_err() {
            return Ok(Found::default());
        }
        first_solutions(&mut self.weights, candidates, mentioned, wanted, budget)
    }
}

fn first_solutions<B: Branching>(
    branching: &mut B,
    candidates: &Candidates,
    mentioned: DigitSet,
    wanted: u32,
    budget: Budget<'_>,
) -> Result<Found, Stop> {
    let mut search = Search::new(branching, wanted, budget);
    search.run(candidates, mentioned)?;
    Ok(search.found())
}
