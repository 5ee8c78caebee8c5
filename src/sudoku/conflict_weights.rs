//! Branching where earlier searches met their contradictions.

use super::candidates::Candidates;
use super::constraint::Constraint;

/// How often each constraint was to blame: an option of it was refuted by propagation.
///
/// A search that starts again with the weights of the last one goes straight to the corner of the grid where
/// that one kept failing, instead of meeting the same contradiction below every branch elsewhere. After
/// dom/wdeg of Boussemart, Hemery, Lecoutre and Sais, "Boosting systematic search by weighting constraints"
/// (2004); they blame the constraint that is violated, here it is the one branched on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ConflictWeights {
    cells: [u32; 81],
    houses: [[u32; 9]; 27],
}

impl ConflictWeights {
    /// The same weight for every constraint.
    pub(super) const fn new() -> Self {
        Self { cells: [1; 81], houses: [[1; 9]; 27] }
    }

    /// Adds to the weight of a constraint.
    pub(super) const fn blame(&mut self, constraint: Constraint) {
        let weight = match constraint {
            Constraint::Cell(cell) => &mut self.cells[cell.index()],
            Constraint::House(house, digit) => &mut self.houses[house.index()][digit.index()],
        };
        *weight = weight.saturating_add(1);
    }

    const fn of(&self, constraint: Constraint) -> u32 {
        match constraint {
            Constraint::Cell(cell) => self.cells[cell.index()],
            Constraint::House(house, digit) => self.houses[house.index()][digit.index()],
        }
    }
}

/// Branches on the constraint with the fewest options for its weight.
///
/// The options count squared, because what they cost multiplies along a path while weights only add up: a
/// constraint of four options is taken before one of two when it has more than four times the weight.
pub(super) fn most_blamed(
    candidates: &Candidates,
    weights: &ConflictWeights,
) -> Option<Constraint> {
    Constraint::open(candidates)
        .min_by_key(|&(constraint, options)| {
            (u64::from(options).pow(2) << u32::BITS) / u64::from(weights.of(constraint))
        })
        .map(|(constraint, _)| constraint)
}

#[cfg(test)]
mod tests {
    use super::super::cell::CELLS;
    use super::super::digit::DIGITS;
    use super::super::house::HOUSES;
    use super::*;

    #[test]
    fn a_constraint_is_branched_on_for_few_options_or_for_much_blame() {
        let mut candidates = Candidates::default();
        for digit in DIGITS {
            candidates.decide(CELLS[9 * digit.index() + digit.index() / 3], digit);
        }
        let mut weights = ConflictWeights::new();
        let tightest = most_blamed(&candidates, &weights).expect("cells are open");
        let fewest = Constraint::open(&candidates).map(|(_, options)| options).min();
        assert_eq!(tightest.options(&candidates).count(), fewest.expect("cells are open") as usize);

        for blamed in [Constraint::Cell(CELLS[80]), Constraint::House(HOUSES[26], DIGITS[0])] {
            assert_ne!(most_blamed(&candidates, &weights), Some(blamed));
            for _ in 0..81 {
                weights.blame(blamed);
            }
            assert_eq!(most_blamed(&candidates, &weights), Some(blamed));
            weights = ConflictWeights::new();
        }
    }
}
