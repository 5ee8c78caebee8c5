//! Drawing the consequences of what is settled, until nothing changes.

use super::candidates::Candidates;

/// The candidates admit no solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Contradiction;

impl Candidates {
    /// Applies every technique until none finds anything.
    ///
    /// Removes only what no solution uses; which solution is looked for, and where to branch, is decided
    /// elsewhere. If no cell is open afterwards, the candidates are a solution.
    ///
    /// Naked singles are looked for in all cells at once. The other techniques look at one digit at a
    /// time, and only at digits that lost a place since: after a placement few have.
    pub(super) fn propagate(&mut self) -> Result<(), Contradiction> {
        loop {
            self.place_naked_singles()?;
            let changed = self.take_changed();
            if changed.is_empty() {
                return Ok(());
            }
            for digit in changed {
                self.strike_locked_candidates(digit);
                self.place_hidden_singles(digit)?;
            }
        }
    }
}
