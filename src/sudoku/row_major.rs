//! Branching in the order in which a solution is read.

use super::candidates::Candidates;
use super::cell::Cell;
use super::search::Branching;

/// The first open cell, row by row.
///
/// With the candidates tried in ascending order, solutions are found from the smallest up. The price is a
/// search that cannot turn to where the grid is tight, and may visit millions of nodes for nothing.
#[derive(Debug)]
pub(super) struct RowMajor;

impl Branching for RowMajor {
    fn choose(&self, candidates: &Candidates) -> Option<Cell> {
        candidates.open().first()
    }
}
