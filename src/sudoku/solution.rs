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
