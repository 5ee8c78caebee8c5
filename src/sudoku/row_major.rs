//! Branching in the order in which a solution is read.

use super::candidates::Candidates;
use super::conflict_weights::ConflictWeights;
use super::constraint::Constraint;

/// Branches on the first open cell, row by row.
///
/// With its candidates tried in ascending order, solutions are found from the smallest up. The price is a
/// search that cannot turn to where the grid is tight, and may visit millions of nodes for nothing.
pub(super) fn row_major(candidates: &Candidates, _: &ConflictWeights) -> Option<Constraint> {
    candidates.open().first().map(Constraint::Cell)
}
