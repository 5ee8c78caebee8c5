//! Depth-first search for the first solutions of a grid.
#![expect(clippy::inline_always, reason = "see `Job`")]

use super::branching::{fewest_candidates, first_open};
use super::budget::{Budget, Stop};
use super::candidates::Candidates;
use super::conflict_weights::ConflictWeights;
use super::constraint::Constraint;
use super::propagation::Progress;
use super::vector::{Job, Vector};

/// Chooses the constraint whose options are tried.
///
/// Decides how many nodes a search visits and in which order it finds solutions, never what is true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Branching {
    /// The first open cell, so that solutions are found from the smallest up.
    ///
    /// The price is a search that cannot turn to where the grid is tight, and may visit millions of nodes for
    /// nothing.
    RowMajor,
    /// The cell with the [fewest candidates](fewest_candidates).
    FewestCandidates,
    /// The constraint that [was to blame](ConflictWeights::most_blamed) for most contradictions.
    MostBlamed,
}

/// What a search found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found<V> {
    /// The solution found first.
    pub(super) first: Option<Candidates<V>>,
    /// How many were found.
    pub(super) count: u32,
}

impl<V> Found<V> {
    pub(super) const NOTHING: Self = Self { first: None, count: 0 };
}

/// A search that ends as soon as it has found as many solutions as are wanted.
#[derive(Debug)]
pub(super) struct Search<'a, V> {
    pub(super) branching: Branching,
    pub(super) weights: &'a mut ConflictWeights,
    pub(super) budget: Budget<'a>,
    /// One, or two where every digit but one at most is a given: solutions that differ only by an exchange of
    /// digits are not told apart.
    pub(super) wanted: u32,
    pub(super) found: Found<V>,
}

impl<V: Vector> Search<'_, V> {
    /// Searches below a grid that is open.
    pub(super) fn run(&mut self, candidates: &Candidates<V>) -> Result<(), Stop> {
        debug_assert!(self.wanted == 1 || candidates.mentioned().len() >= 8);
        V::run(Descent { search: self, candidates })
    }

    /// What there is to find below a grid, if the budget lasts.
    pub(super) fn conclude(mut self, candidates: &Candidates<V>) -> Result<Found<V>, Stop> {
        self.run(candidates)?;
        Ok(self.found)
    }

    #[inline(always)]
    fn choose(&self, candidates: &Candidates<V>) -> Constraint {
        match self.branching {
            Branching::RowMajor => Constraint::Cell(first_open(candidates)),
            Branching::FewestCandidates => Constraint::Cell(fewest_candidates(candidates)),
            Branching::MostBlamed => self.weights.most_blamed(candidates),
        }
    }
}

/// The search below one node.
struct Descent<'s, 'a, V> {
    search: &'s mut Search<'a, V>,
    candidates: &'s Candidates<V>,
}

impl<V: Vector> Job<V> for Descent<'_, '_, V> {
    type Output = Result<(), Stop>;

    #[inline(always)]
    fn run(self) -> Result<(), Stop> {
        let Self { search, candidates } = self;
        let constraint = search.choose(candidates);
        for (cell, digit) in constraint.options(candidates) {
            search.budget.visit()?;
            let mut child = *candidates;
            match child.decide_in_job(cell, digit) {
                Progress::Contradiction => search.weights.blame(constraint),
                Progress::Open => V::run(Descent { search, candidates: &child })?,
                Progress::Solved => {
                    search.found.first.get_or_insert(child);
                    search.found.count += 1;
                }
            }
            if search.found.count >= search.wanted {
                break;
            }
        }
        Ok(())
    }
}
