//! From any solution to the smallest, by asking which smaller digits are possible.

use super::budget::{Budget, Stop};
use super::candidates::Candidates;
use super::cell::Cell;
use super::digit::Digit;
use super::interrupt::{Interrupt, Interrupted};
use super::oracle::Oracle;
use super::solution::Solution;

/// A walk through the cells, row by row, with a solution at hand: the witness.
///
/// In each cell every digit smaller than that of the witness is tried: is there a solution with it, and
/// with all that was settled before? If there is, it is the new witness; if not, the digit is struck out.
/// Each question may be answered by a search that branches wherever it likes, which a row-major search
/// may not, and there is at most one for each candidate.
#[derive(Debug)]
pub(super) struct WitnessWalk {
    candidates: Candidates,
    witness: Solution,
}

impl WitnessWalk {
    /// A walk that begins at the first open cell.
    pub(super) fn new(candidates: Candidates, witness: Solution) -> Self {
        debug_assert!(candidates.admit(&witness), "{witness} is no solution of them");
        Self { candidates, witness }
    }

    /// What the settled cells leave of the grid; its smallest solution is the one looked for.
    pub(super) const fn candidates(&self) -> &Candidates {
        &self.candidates
    }

    /// Walks to the smallest solution, with a budget for each question.
    ///
    /// Out of budget, the walk stands where it was and can go on with more.
    pub(super) fn advance(
        &mut self,
        oracle: &mut Oracle,
        budget: Budget<'_>,
    ) -> Result<Solution, Stop> {
        while let Some(cell) = self.candidates.open().first() {
            let mut smallest = self.candidates.of(cell).into_iter();
            let digit = smallest.next().expect("the witness has a digit in each cell");
            let mut settled = self.candidates;
            settled.decide(cell, digit);

            budget.interrupt().visit()?;
            let witness = if settled.propagate().is_err() {
                None
            } else if self.witness.get(cell) == digit {
                Some(self.witness)
            } else {
                oracle.ask(&mut settled, 1, budget)?.first
            };
            match witness {
                Some(witness) => *self = Self::new(settled, witness),
                None => self.strike(cell, digit, budget.interrupt())?,
            }
        }
        Ok(self.witness)
    }

    fn strike(
        &mut self,
        cell: Cell,
        digit: Digit,
        interrupt: &Interrupt,
    ) -> Result<(), Interrupted> {
        self.candidates.strike(cell, digit);
        interrupt.visit()?;
        self.candidates.propagate().expect("the witness is a solution of what is left");
        debug_assert!(self.candidates.admit(&self.witness));
        Ok(())
    }
}
