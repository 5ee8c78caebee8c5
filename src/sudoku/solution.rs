//! The grid as it is answered: complete and valid.

use std::error::Error;
use std::fmt;

use super::cell::Cell;
use super::digit::Digit;
use super::digit_set::DigitSet;
use super::givens::Givens;
use super::house::House;

/// A complete grid in which no house repeats a digit. There is no way to make one that is not.
///
/// Solutions are ordered as the 81-digit numbers they are read as.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Solution([Digit; 81]);

impl Solution {
    /// A solution that the search has proven, of digits row by row.
    pub(super) fn proven(digits: [u8; Cell::COUNT]) -> Self {
        let digits = digits.map(|digit| Digit::new(digit).expect("a cell has one of nine digits"));
        debug_assert!(Self::try_from(digits).is_ok(), "{digits:?}");
        Self(digits)
    }

    /// The digit in this cell.
    #[must_use]
    pub const fn get(&self, cell: Cell) -> Digit {
        self.0[cell.index()]
    }

    /// The digits, row by row.
    #[must_use]
    pub const fn digits(&self) -> &[Digit; 81] {
        &self.0
    }

    /// Whether every clue stands where it was given.
    #[must_use]
    pub fn extends(&self, givens: &Givens) -> bool {
        givens.iter().all(|(cell, digit)| self.get(cell) == digit)
    }
}

impl TryFrom<[Digit; 81]> for Solution {
    type Error = RepeatedDigit;

    /// # Errors
    ///
    /// Names the first house that has a digit twice.
    fn try_from(digits: [Digit; 81]) -> Result<Self, RepeatedDigit> {
        let complete = |house: &House| {
            let held: DigitSet =
                house.cells().map(|cell| digits[cell.index()]).into_iter().collect();
            held.len() == 9
        };
        match House::all().find(|house| !complete(house)) {
            None => Ok(Self(digits)),
            Some(house) => Err(RepeatedDigit { house }),
        }
    }
}

/// The 81 digits, row by row.
impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|digit| fmt::Display::fmt(digit, f))
    }
}

impl fmt::Debug for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Solution({self})")
    }
}

/// Why a complete grid is not a solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RepeatedDigit {
    /// The first house, in the order of [`House::all`], that has a digit twice.
    pub house: House,
}

impl fmt::Display for RepeatedDigit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected nine different digits, found one twice", self.house)
    }
}

impl Error for RepeatedDigit {}

#[cfg(test)]
mod tests {
    use super::super::digit::DIGITS;
    use super::*;

    fn cyclic() -> [Digit; 81] {
        std::array::from_fn(|index| {
            let (row, column) = (index / 9, index % 9);
            DIGITS[(3 * row + row / 3 + column) % 9]
        })
    }

    #[test]
    fn a_complete_grid_without_a_repeated_digit_is_a_solution() {
        let solution = Solution::try_from(cyclic()).expect("each row starts elsewhere");
        assert_eq!(solution.digits(), &cyclic());
        assert_eq!(&solution.to_string()[..18], "123456789456789123");
    }

    #[test]
    fn no_grid_with_one_digit_changed_is_a_solution() {
        for cell in Cell::all() {
            for digit in Digit::all() {
                let mut digits = cyclic();
                if digits[cell.index()] != digit {
                    digits[cell.index()] = digit;
                    let error = Solution::try_from(digits).expect_err("a digit is there twice");
                    assert!(error.house.cells().contains(&cell), "{error}");
                }
            }
        }
    }

    #[test]
    fn a_digit_twice_in_a_column_or_in_a_box_only_is_found_there() {
        let rows_equal = std::array::from_fn(|index| DIGITS[index % 9]);
        let latin_square = std::array::from_fn(|index| DIGITS[(index / 9 + index % 9) % 9]);
        let message = |digits: [Digit; 81]| {
            Solution::try_from(digits).expect_err("a digit is there twice").to_string()
        };
        assert_eq!(
            message(rows_equal),
            "column 1: expected nine different digits, found one twice"
        );
        assert_eq!(message(latin_square), "box 1: expected nine different digits, found one twice");
    }

    #[test]
    fn solutions_are_ordered_as_numbers() {
        let swapped = cyclic().map(|digit| match digit.get() {
            1 => DIGITS[1],
            2 => DIGITS[0],
            _ => digit,
        });
        let [smaller, larger] = [cyclic(), swapped].map(|digits| Solution::try_from(digits).ok());
        assert!(smaller.is_some() && smaller < larger);
    }
}
