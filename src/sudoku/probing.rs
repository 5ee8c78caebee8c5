//! Probing: a candidate that propagation alone refutes is struck out.

use super::candidates::Candidates;
use super::cell::Cell;
use super::interrupt::{Interrupt, Interrupted};
use super::propagation::Progress;
use super::vector::Vector;

impl<V: Vector> Candidates<V> {
    /// Places each candidate in turn to see whether it can stay, until all of them can.
    ///
    /// Finds a small contradiction wherever in the grid it is, where a search that branches elsewhere
    /// meets it again below every branch. Costs a node for each candidate, a few times over. Known from
    /// satisfiability solvers as failed literal probing.
    pub(super) fn probe(&mut self, interrupt: &Interrupt) -> Result<Progress, Interrupted> {
        loop {
            let mut struck_out = false;
            for cell in Cell::all() {
                for digit in self.get(cell) {
                    if !(self.is_open(cell) && self.get(cell).contains(digit)) {
                        continue;
                    }
                    interrupt.visit()?;
                    let mut probe = *self;
                    if probe.decide(cell, digit) != Progress::Contradiction {
                        continue;
                    }
                    struck_out = true;
                    let progress = self.strike(cell, digit);
                    if progress != Progress::Open {
                        return Ok(progress);
                    }
                }
            }
            if !struck_out {
                return Ok(Progress::Open);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cell::CELLS;
    use super::super::digit::{DIGITS, Digit};
    use super::super::givens::Givens;
    use super::super::vector::Portable;
    use super::*;

    /// A grid in which only these cells have few candidates.
    fn with_candidates(few: &[(usize, &[usize])]) -> Candidates<Portable> {
        let (mut candidates, _) = Candidates::of(&Givens::default());
        for &(index, kept) in few {
            for digit in Digit::all().filter(|digit| !kept.contains(&digit.index())) {
                assert_eq!(candidates.strike(CELLS[index], digit), Progress::Open);
            }
        }
        candidates
    }

    #[test]
    fn a_candidate_that_leaves_a_cell_without_any_is_struck_out() {
        let mut candidates = with_candidates(&[(0, &[0, 1, 2]), (3, &[0, 1]), (6, &[0, 1])]);
        assert_eq!(candidates.get(CELLS[0]).len(), 3);
        assert_eq!(candidates.probe(&Interrupt::new()), Ok(Progress::Open));
        assert!(candidates.get(CELLS[0]).into_iter().eq([DIGITS[2]]));
    }

    #[test]
    fn three_cells_of_a_row_with_two_candidates_are_a_contradiction() {
        let mut candidates = with_candidates(&[(0, &[0, 1]), (3, &[0, 1]), (6, &[0, 1])]);
        assert_eq!(candidates.probe(&Interrupt::new()), Ok(Progress::Contradiction));
    }

    #[test]
    fn probing_can_be_interrupted() {
        let mut candidates = with_candidates(&[]);
        assert_eq!(candidates.probe(&Interrupt::after(10)), Err(Interrupted));
    }
}
