//! Probing: a candidate that propagation alone refutes is struck out.

use super::candidates::Candidates;
use super::cell::Cell;
use super::digit::Digit;
use super::interrupt::{Interrupt, Interrupted};
use super::propagation::Contradiction;

impl Candidates {
    /// Places each candidate in turn to see whether it can stay, until all of them can.
    ///
    /// Finds a small contradiction wherever in the grid it is, where a search that branches elsewhere
    /// meets it again below every branch. Costs a node for each candidate, a few times over. Known from
    /// satisfiability solvers as failed literal probing.
    pub(super) fn probe(
        &mut self,
        interrupt: &Interrupt,
    ) -> Result<Result<(), Contradiction>, Interrupted> {
        loop {
            let before = *self;
            for digit in Digit::all() {
                for cell in before.places(digit) & before.open() {
                    let undecided = self.places(digit) & self.open();
                    if !undecided.contains(cell) {
                        continue;
                    }
                    interrupt.visit()?;
                    if self.survives(cell, digit) {
                        continue;
                    }
                    self.strike(cell, digit);
                    if self.propagate().is_err() {
                        return Ok(Err(Contradiction));
                    }
                }
            }
            if *self == before {
                return Ok(Ok(()));
            }
        }
    }

    /// Whether a digit can be placed without a contradiction at once.
    fn survives(&self, cell: Cell, digit: Digit) -> bool {
        let mut probe = *self;
        probe.decide(cell, digit);
        probe.propagate().is_ok()
    }
}
