//! The nine digits.

use std::fmt;
use std::num::NonZeroU8;

/// A digit from 1 to 9. An empty cell is `Option::<Digit>::None`, in the same single byte.
///
/// # Examples
///
/// ```
/// use sudoku_api::sudoku::Digit;
///
/// assert_eq!(Digit::new(7).map(Digit::get), Some(7));
/// assert_eq!(Digit::new(0), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digit(NonZeroU8);

/// Every digit, ascending.
pub(super) const DIGITS: [Digit; 9] = {
    let mut digits = [Digit(NonZeroU8::MIN); 9];
    let mut index = 1;
    while index < 9 {
        digits[index] = Digit(digits[index - 1].0.saturating_add(1));
        index += 1;
    }
    digits
};

impl Digit {
    /// The digit of this value, if it is one of 1 to 9.
    #[must_use]
    pub fn new(value: u8) -> Option<Self> {
        NonZeroU8::new(value).filter(|value| value.get() <= 9).map(Self)
    }

    /// All nine digits, ascending.
    #[must_use]
    pub fn all() -> impl ExactSizeIterator<Item = Self> + DoubleEndedIterator + Clone {
        DIGITS.into_iter()
    }

    /// The value, `1..=9`.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0.get()
    }

    /// The position among the nine digits, `0..9`.
    pub(super) const fn index(self) -> usize {
        self.get() as usize - 1
    }
}

impl fmt::Display for Digit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for Digit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_the_values_from_one_to_nine_are_digits() {
        let accepted: Vec<u8> =
            (0..=u8::MAX).filter(|&value| Digit::new(value).is_some()).collect();
        assert_eq!(accepted, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(Digit::all().map(Digit::get).collect::<Vec<_>>(), accepted);
    }

    #[test]
    fn an_optional_digit_takes_one_byte() {
        assert_eq!(size_of::<Option<Digit>>(), 1);
    }
}
