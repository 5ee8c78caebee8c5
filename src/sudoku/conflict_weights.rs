//! Branching where earlier searches met their contradictions.

use super::candidates::Candidates;
use super::cell::Cell;
use super::constraint::Constraint;
use super::digit::Digit;
use super::house::{HOUSE_CELLS, House};
use super::vector::Vector;

/// How often each constraint was to blame: an option of it was refuted by propagation.
///
/// A search that starts again with the weights of the last one goes straight to the corner of the grid where
/// that one kept failing, instead of meeting the same contradiction below every branch elsewhere. After
/// dom/wdeg of Boussemart, Hemery, Lecoutre and Sais, "Boosting systematic search by weighting constraints"
/// (2004); they blame the constraint that is violated, here it is the one branched on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ConflictWeights {
    cells: [u16; 81],
    houses: [[u16; 9]; 27],
}

impl ConflictWeights {
    /// No blame for any constraint.
    pub(super) const fn new() -> Self {
        Self { cells: [0; 81], houses: [[0; 9]; 27] }
    }

    /// Adds to the weight of a constraint.
    pub(super) const fn blame(&mut self, constraint: Constraint) {
        let weight = match constraint {
            Constraint::Cell(cell) => &mut self.cells[cell.index()],
            Constraint::House(house, digit) => &mut self.houses[house.index()][digit.index()],
        };
        *weight = weight.saturating_add(1);
    }

    /// The open constraint with the fewest options for its weight, which is one more than its blame.
    ///
    /// The options count squared, because what they cost multiplies along a path while weights only add up: a
    /// constraint of four options is taken before one of two when it has more than four times the weight.
    pub(super) fn most_blamed<V: Vector>(&self, candidates: &Candidates<V>) -> Constraint {
        let mut best = Best { constraint: None, cost: 1, weight: 0 };
        let mut one_each = [0; Cell::COUNT];
        for cell in Cell::all() {
            one_each[cell.index()] = ONE_EACH[usize::from(candidates.get(cell).bits())];
            let options = candidates.worth_trying(cell).len();
            if candidates.is_open(cell) {
                best.consider(Constraint::Cell(cell), options, self.cells[cell.index()]);
            }
        }
        for house in House::all() {
            let places: u64 =
                HOUSE_CELLS[house.index()].into_iter().map(|cell| one_each[cell.index()]).sum();
            for digit in Digit::all() {
                let options = places >> (4 * digit.index()) & 0xF;
                if options > 1 {
                    let blame = self.houses[house.index()][digit.index()];
                    best.consider(Constraint::House(house, digit), options as u32, blame);
                }
            }
        }
        best.constraint.expect("a cell is open")
    }
}

/// The constraint with the lowest cost for its weight so far.
struct Best {
    constraint: Option<Constraint>,
    cost: u32,
    weight: u32,
}

impl Best {
    fn consider(&mut self, constraint: Constraint, options: u32, blame: u16) {
        let (cost, weight) = (options * options, 1 + u32::from(blame));
        if cost * self.weight < self.cost * weight {
            *self = Self { constraint: Some(constraint), cost, weight };
        }
    }
}

/// For each set of digits a one in the four bits of each of them, so that nine sets can be added up.
static ONE_EACH: [u64; 512] = {
    let mut one_each = [0; 512];
    let mut bits = 0;
    while bits < 512 {
        let mut digit = 0;
        while digit < 9 {
            one_each[bits] |= (bits as u64 >> digit & 1) << (4 * digit);
            digit += 1;
        }
        bits += 1;
    }
    one_each
};

#[cfg(test)]
mod tests {
    use super::super::cell::CELLS;
    use super::super::digit::DIGITS;
    use super::super::givens::Givens;
    use super::super::house::HOUSES;
    use super::super::vector::Portable;
    use super::*;

    /// All constraints that are open, with the number of their options.
    fn open(candidates: &Candidates<Portable>) -> Vec<(Constraint, usize)> {
        let of_cells = CELLS.into_iter().map(Constraint::Cell);
        let of_houses = House::all()
            .flat_map(|house| DIGITS.into_iter().map(move |digit| Constraint::House(house, digit)));
        let is_open = |&constraint: &Constraint| match constraint {
            Constraint::Cell(cell) => candidates.is_open(cell),
            Constraint::House(..) => constraint.options(candidates).count() > 1,
        };
        of_cells
            .chain(of_houses)
            .filter(is_open)
            .map(|constraint| (constraint, constraint.options(candidates).count()))
            .collect()
    }

    #[test]
    fn a_constraint_is_branched_on_for_few_options_or_for_much_blame() {
        let mut givens = Givens::default();
        for digit in DIGITS {
            givens.set(CELLS[9 * digit.index() + digit.index() / 3], Some(digit));
        }
        let (candidates, _) = Candidates::<Portable>::of(&givens);
        let open = open(&candidates);
        let mut weights = ConflictWeights::new();
        let tightest = weights.most_blamed(&candidates);
        let fewest = open.iter().map(|&(_, options)| options).min();
        assert_eq!(Some(tightest.options(&candidates).count()), fewest);

        for blamed in [Constraint::Cell(CELLS[80]), Constraint::House(HOUSES[26], DIGITS[0])] {
            assert!(open.iter().any(|&(constraint, _)| constraint == blamed));
            assert_ne!(weights.most_blamed(&candidates), blamed);
            for _ in 0..81 {
                weights.blame(blamed);
            }
            assert_eq!(weights.most_blamed(&candidates), blamed);
            weights = ConflictWeights::new();
        }
    }
}
