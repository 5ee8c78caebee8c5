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
