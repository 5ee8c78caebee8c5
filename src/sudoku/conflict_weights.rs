//! Branching where earlier searches met their contradictions.

use super::candidates::Candidates;
use super::cell::Cell;
use super::search::Branching;

/// The cell with the fewest candidates for its weight.
///
/// A cell gains weight each time propagation refutes one of its candidates. A search that starts again with
/// the weights of the last one goes straight to the corner of the grid it kept failing in, instead of
/// meeting the same contradiction below every branch elsewhere. After dom/wdeg of Boussemart, Hemery,
/// Lecoutre and Sais, "Boosting systematic search by weighting constraints" (2004); they weigh the
/// violated constraint, here it is the cell branched on.
#[derive(Debug)]
pub(super) struct ConflictWeights([u32; 81]);

impl ConflictWeights {
    /// The same weight for all cells.
    pub(super) const fn new() -> Self {
        Self([1; 81])
    }
}

impl Branching for ConflictWeights {
    fn choose(&self, candidates: &Candidates) -> Option<Cell> {
        let rank = |cell: Cell| {
            let count = u64::from(candidates.of(cell).len());
            (count << 32) / u64::from(self.0[cell.index()])
        };
        candidates.open().into_iter().min_by_key(|&cell| rank(cell))
    }

    fn learn_refuted(&mut self, cell: Cell) {
        let weight = &mut self.0[cell.index()];
        *weight = weight.saturating_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::super::digit::DIGITS;
    use super::*;

    #[test]
    fn a_cell_is_chosen_for_few_candidates_or_for_many_conflicts() {
        let mut candidates = Candidates::default();
        let [tight, other] =
            [(2, 2), (6, 6)].map(|(row, column)| Cell::new(row, column).expect("inside the grid"));
        for &digit in &DIGITS[3..] {
            candidates.strike(tight, digit);
        }
        let mut weights = ConflictWeights::new();
        assert_eq!(weights.choose(&candidates), Some(tight));
        for _ in 0..3 {
            weights.learn_refuted(other);
        }
        assert_eq!(weights.choose(&candidates), Some(other));
    }
}
