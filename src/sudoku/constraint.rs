//! What has to be decided.

use super::candidates::Candidates;
use super::cell::Cell;
use super::cell_set::{CellSet, HOUSE_CELLS};
use super::digit::Digit;
use super::digit_set::DigitSet;
use super::house::House;

/// A question with exactly one answer in every solution.
///
/// To branch on both kinds matters: where more digits than cells press into a corner of the grid, every
/// cell still has many candidates when a digit has hardly a place left, and the other way round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Constraint {
    /// Which digit does this cell hold?
    Cell(Cell),
    /// Where in this house does this digit stand?
    House(House, Digit),
}

impl Constraint {
    /// Those that are open, with the number of options they have left.
    pub(super) fn open(candidates: &Candidates) -> impl Iterator<Item = (Self, u32)> {
        let of_cells = candidates
            .open()
            .into_iter()
            .map(|cell| (Self::Cell(cell), candidates.worth_trying(cell).len()));
        let of_houses = Digit::all().flat_map(|digit| {
            let places = candidates.places(digit) & candidates.open();
            House::all().filter_map(move |house| {
                let left = (places & HOUSE_CELLS[house.index()]).len();
                (left > 0).then_some((Self::House(house, digit), left))
            })
        });
        of_cells.chain(of_houses)
    }

    /// The cells and the digits that are enough to try, ascending; one cell or one digit.
    pub(super) fn options(
        self,
        candidates: &Candidates,
    ) -> impl Iterator<Item = (Cell, Digit)> + use<> {
        let (cells, digits) = match self {
            Self::Cell(cell) => (CellSet::EMPTY.with(cell), candidates.worth_trying(cell)),
            Self::House(house, digit) => {
                (candidates.places(digit) & HOUSE_CELLS[house.index()], DigitSet::EMPTY.with(digit))
            }
        };
        digits.into_iter().flat_map(move |digit| cells.into_iter().map(move |cell| (cell, digit)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::cell::CELLS;
    use super::super::digit::DIGITS;
    use super::*;

    #[test]
    fn every_cell_and_every_digit_of_a_house_is_open_at_first() {
        assert_eq!(Constraint::open(&Candidates::default()).count(), 81 + 27 * 9);
    }

    #[test]
    fn placing_a_digit_answers_one_cell_and_three_houses() {
        let mut candidates = Candidates::default();
        candidates.place(CELLS[40], DIGITS[4]);
        let open: Vec<Constraint> =
            Constraint::open(&candidates).map(|(constraint, _)| constraint).collect();
        assert_eq!(open.len(), 81 + 27 * 9 - 4);
        assert!(!open.contains(&Constraint::Cell(CELLS[40])));
    }

    #[test]
    fn as_many_options_are_tried_as_were_counted() {
        let mut candidates = Candidates::default();
        for (index, digit) in [(0, 4), (10, 2), (44, 4), (80, 7)] {
            candidates.decide(CELLS[index], DIGITS[digit]);
        }
        for (constraint, count) in Constraint::open(&candidates) {
            let options: Vec<_> = constraint.options(&candidates).collect();
            assert_eq!(options.len(), count as usize, "{constraint:?}");
            assert!(options.is_sorted_by_key(|&(cell, digit)| (digit, cell)));
            for (cell, digit) in options {
                assert!(candidates.places(digit).contains(cell), "{constraint:?}");
            }
        }
    }
}
