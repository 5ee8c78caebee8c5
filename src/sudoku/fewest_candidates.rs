//! Branching where the grid is tightest.

use super::candidates::Candidates;
use super::cell::Cell;
use super::cell_set::{CellSet, PEERS};
use super::digit::Digit;
use super::search::Branching;

/// A bivalue cell with the most open peers; without a bivalue cell, one with the fewest candidates.
///
/// One of two candidates is wrong as often as not, and the more open peers a cell has, the more its digit
/// tells about the rest. Halves the nodes on the hardest puzzles against the first bivalue cell.
#[derive(Debug)]
pub(super) struct FewestCandidates;

impl Branching for FewestCandidates {
    fn choose(&self, candidates: &Candidates) -> Option<Cell> {
        let open = candidates.open();
        bivalue_cells(candidates)
            .into_iter()
            .max_by_key(|cell| (PEERS[cell.index()] & open).len())
            .or_else(|| open.into_iter().min_by_key(|&cell| candidates.of(cell).len()))
    }
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

#[cfg(test)]
mod tests {
    use super::super::digit::DIGITS;
    use super::*;

    fn with_candidates_left(counts: &[(usize, usize, usize)]) -> Candidates {
        let mut candidates = Candidates::default();
        for &(row, column, count) in counts {
            let cell = Cell::new(row, column).expect("inside the grid");
            for &digit in &DIGITS[count..] {
                candidates.strike(cell, digit);
            }
        }
        candidates
    }

    #[test]
    fn the_cell_with_the_fewest_candidates_is_chosen() {
        let candidates = with_candidates_left(&[(0, 0, 5), (4, 4, 3), (8, 8, 4)]);
        assert_eq!(FewestCandidates.choose(&candidates), Cell::new(4, 4));
    }

    #[test]
    fn of_bivalue_cells_the_one_with_the_most_open_peers_is_chosen() {
        let mut candidates = with_candidates_left(&[(0, 0, 2), (4, 4, 2), (8, 8, 2)]);
        for (row, column) in [(0, 5), (8, 5)] {
            let cell = Cell::new(row, column).expect("inside the grid");
            candidates.place(cell, DIGITS[8]);
        }
        assert_eq!(FewestCandidates.choose(&candidates), Cell::new(4, 4));
    }
}
