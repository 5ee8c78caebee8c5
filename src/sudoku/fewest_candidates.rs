//! Branching where the grid is tightest.

use super::candidates::Candidates;
use super::cell_set::{CellSet, PEERS};
use super::conflict_weights::ConflictWeights;
use super::constraint::Constraint;
use super::digit::Digit;

/// Branches on a bivalue cell, the one with the most open peers; without any, on the constraint with the
/// fewest options.
///
/// The more open peers a cell has, the more its digit tells about the rest: that halves the nodes of the
/// hardest puzzles against the first bivalue cell.
pub(super) fn fewest_candidates(
    candidates: &Candidates,
    _: &ConflictWeights,
) -> Option<Constraint> {
    let open = candidates.open();
    bivalue_cells(candidates)
        .into_iter()
        .max_by_key(|cell| (PEERS[cell.index()] & open).len())
        .map(Constraint::Cell)
        .or_else(|| {
            Constraint::open(candidates)
                .min_by_key(|&(_, options)| options)
                .map(|(constraint, _)| constraint)
        })
}

/// The open cells with exactly two candidates.
fn bivalue_cells(candidates: &Candidates) -> CellSet {
    let [mut one, mut two, mut three] = [CellSet::EMPTY; 3];
    for digit in Digit::all() {
        let places = candidates.places(digit);
        three |= two & places;
        two |= one & places;
        one |= places;
    }
    two & !three
}
