//! The grid as it is asked: clues, and cells left empty.

use std::fmt;

use super::cell::Cell;
use super::digit::Digit;
use super::digit_set::DigitSet;
use super::house::House;
use super::solution::Solution;

/// The clues of a puzzle, in any cells and of any digits.
///
/// Deliberately says nothing about whether they make sense: clues may clash, and a grid may have any
/// number of solutions. [`conflicts`](Self::conflicts) finds the first kind, [`solve`](super::solve) the second.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Givens([Option<Digit>; 81]);

impl Givens {
    /// The clue in this cell, if it has one.
    #[must_use]
    pub const fn get(&self, cell: Cell) -> Option<Digit> {
        self.0[cell.index()]
    }

    /// Writes a clue into this cell, or takes it away.
    pub const fn set(&mut self, cell: Cell, clue: Option<Digit>) {
        self.0[cell.index()] = clue;
    }

    /// The clues with their cells, row by row.
    pub fn iter(&self) -> impl Iterator<Item = (Cell, Digit)> + '_ {
        Cell::all().filter_map(|cell| self.get(cell).map(|digit| (cell, digit)))
    }

    /// How many cells have a clue.
    #[must_use]
    pub fn clue_count(&self) -> usize {
        self.0.iter().flatten().count()
    }

    /// The digits, row by row, with 0 where there is no clue.
    pub(super) fn digits(&self) -> [u8; Cell::COUNT] {
        self.0.map(|clue| clue.map_or(0, Digit::get))
    }

    /// The digits of which there is a clue.
    pub(super) fn mentioned(&self) -> DigitSet {
        self.0.iter().flatten().copied().collect()
    }

    /// Every house that has a digit more than once, once for each such digit.
    ///
    /// In the order of [`House::all`], then by digit. Allocates nothing where there is none.
    #[must_use]
    pub fn conflicts(&self) -> Vec<Conflict> {
        let of = |house: House, digit| {
            let mut cells = house.cells().to_vec();
            cells.retain(|&cell| self.get(cell) == Some(digit));
            Conflict { house, digit, cells }
        };
        House::all()
            .flat_map(|house| {
                self.repeated_in(house).into_iter().map(move |digit| of(house, digit))
            })
            .collect()
    }

    fn repeated_in(&self, house: House) -> DigitSet {
        let (mut once, mut repeated) = (DigitSet::EMPTY, DigitSet::EMPTY);
        for digit in house.cells().into_iter().filter_map(|cell| self.get(cell)) {
            let digit = DigitSet::EMPTY.with(digit);
            repeated = repeated.union(once.intersection(digit));
            once = once.union(digit);
        }
        repeated
    }
}

/// The empty grid.
impl Default for Givens {
    fn default() -> Self {
        Self([None; 81])
    }
}

impl From<[Option<Digit>; 81]> for Givens {
    fn from(clues: [Option<Digit>; 81]) -> Self {
        Self(clues)
    }
}

/// Every cell a clue.
impl From<Solution> for Givens {
    fn from(solution: Solution) -> Self {
        Self(solution.digits().map(Some))
    }
}

/// The 81 cells row by row, `.` where there is no clue.
impl fmt::Display for Givens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|clue| match clue {
            Some(digit) => fmt::Display::fmt(digit, f),
            None => f.write_str("."),
        })
    }
}

impl fmt::Debug for Givens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Givens({self})")
    }
}

/// A digit that a house has more than once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// Where it is repeated.
    pub house: House,
    /// What is repeated.
    pub digit: Digit,
    /// The cells that hold it, row by row; at least two.
    pub cells: Vec<Cell>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(of: &[(usize, usize)]) -> Vec<Cell> {
        of.iter().filter_map(|&(row, column)| Cell::new(row, column)).collect()
    }

    #[test]
    fn each_house_with_a_repeated_digit_is_one_conflict() {
        let mut givens = Givens::default();
        let seven = Digit::new(7).expect("7 is a digit");
        for cell in cells(&[(0, 0), (0, 2), (0, 8), (5, 8)]) {
            givens.set(cell, Some(seven));
        }
        let found: Vec<_> = givens
            .conflicts()
            .into_iter()
            .map(|conflict| (conflict.house.to_string(), conflict.digit, conflict.cells))
            .collect();
        let expected = [
            ("row 1", cells(&[(0, 0), (0, 2), (0, 8)])),
            ("column 9", cells(&[(0, 8), (5, 8)])),
            ("box 1", cells(&[(0, 0), (0, 2)])),
        ];
        assert_eq!(found, expected.map(|(house, cells)| (house.to_owned(), seven, cells)));
    }

    #[test]
    fn setting_and_taking_away_changes_one_clue() {
        let mut givens = Givens::default();
        let clue = (Cell::new(4, 4), Digit::new(5));
        let (Some(cell), Some(digit)) = clue else { unreachable!("r5c5 is a cell and 5 a digit") };
        givens.set(cell, Some(digit));
        assert_eq!(givens.iter().collect::<Vec<_>>(), [(cell, digit)]);
        assert_eq!(givens.clue_count(), 1);
        givens.set(cell, None);
        assert_eq!(givens, Givens::default());
    }
}
