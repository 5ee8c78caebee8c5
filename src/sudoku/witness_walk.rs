//! From any solution to the smallest, by asking which smaller digits are possible.

use super::budget::{Budget, Stop};
use super::candidates::Candidates;
use super::cell::Cell;
use super::oracle::Oracle;
use super::propagation::Progress;
use super::vector::Vector;

/// A walk through the cells, row by row, with a solution at hand: the witness.
///
/// In each cell every digit smaller than that of the witness is tried: is there a solution with it, and
/// with all that was settled before? If there is, it is the new witness; if not, the digit is struck out.
/// Each question may be answered by a search that branches wherever it likes, which a row-major search
/// may not, and there is at most one for each candidate.
#[derive(Debug)]
pub(super) struct WitnessWalk<V> {
    candidates: Candidates<V>,
    witness: Candidates<V>,
}

impl<V: Vector> WitnessWalk<V> {
    /// A walk that begins at the first open cell.
    pub(super) fn new(candidates: Candidates<V>, witness: Candidates<V>) -> Self {
        debug_assert!(candidates.admit(&witness.solution()), "{witness:?} is no solution of them");
        Self { candidates, witness }
    }

    /// What the settled cells leave of the grid; its smallest solution is the one looked for.
    pub(super) const fn candidates(&self) -> &Candidates<V> {
        &self.candidates
    }

    /// Walks to the smallest solution, with a budget for each question.
    ///
    /// Out of budget, the walk stands where it was and can go on with more.
    pub(super) fn advance(
        &mut self,
        oracle: &mut Oracle,
        budget: Budget<'_>,
    ) -> Result<Candidates<V>, Stop> {
        while let Some(cell) = Cell::all().find(|&cell| self.candidates.is_open(cell)) {
            let mut smallest = self.candidates.get(cell).into_iter();
            let digit = smallest.next().expect("the witness has a digit in each cell");
            let mut settled = self.candidates;
            budget.interrupt().visit()?;
            let witness = match settled.decide(cell, digit) {
                Progress::Contradiction => None,
                Progress::Solved => Some(settled),
                Progress::Open if self.witness.get(cell).contains(digit) => Some(self.witness),
                Progress::Open => oracle.ask(&mut settled, 1, budget)?.first,
            };
            if let Some(witness) = witness {
                *self = Self::new(settled, witness);
            } else {
                budget.interrupt().visit()?;
                let progress = self.candidates.strike(cell, digit);
                debug_assert_ne!(progress, Progress::Contradiction, "the witness remains");
            }
        }
        Ok(self.witness)
    }
}
