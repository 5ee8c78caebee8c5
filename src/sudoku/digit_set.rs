//! A set of digits in one word: bit `d − 1` for digit `d`.

use super::digit::{DIGITS, Digit};

/// Some of the nine digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct DigitSet(u16);

impl DigitSet {
    pub(super) const EMPTY: Self = Self(0);
    pub(super) const ALL: Self = Self(0o777);

    pub(super) const fn with(self, digit: Digit) -> Self {
        Self(self.0 | 1 << digit.index())
    }

    /// The set of these bits.
    pub(super) const fn from_bits(bits: u16) -> Self {
        Self(bits & Self::ALL.0)
    }

    pub(super) const fn bits(self) -> u16 {
        self.0
    }

    pub(super) const fn contains(self, digit: Digit) -> bool {
        self.0 >> digit.index() & 1 != 0
    }

    pub(super) const fn len(self) -> u32 {
        self.0.count_ones()
    }

    pub(super) const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) const fn difference(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The set of the smallest digit alone; empty if there is none.
    pub(super) const fn smallest(self) -> Self {
        Self(self.0 & self.0.wrapping_neg())
    }
}

impl FromIterator<Digit> for DigitSet {
    fn from_iter<I: IntoIterator<Item = Digit>>(digits: I) -> Self {
        digits.into_iter().fold(Self::EMPTY, Self::with)
    }
}

/// Ascending.
impl IntoIterator for DigitSet {
    type Item = Digit;
    type IntoIter = Digits;

    fn into_iter(self) -> Digits {
        Digits(self)
    }
}

/// The digits of a set, ascending.
#[derive(Clone, Debug)]
pub(super) struct Digits(DigitSet);

impl Iterator for Digits {
    type Item = Digit;

    fn next(&mut self) -> Option<Digit> {
        let digit = *DIGITS.get(self.0.0.trailing_zeros() as usize)?;
        self.0 = self.0.difference(self.0.smallest());
        Some(digit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_come_out_ascending_and_once() {
        let digits = [DIGITS[8], DIGITS[2], DIGITS[0], DIGITS[2]];
        let set: DigitSet = digits.into_iter().collect();
        assert_eq!(set.into_iter().collect::<Vec<_>>(), [DIGITS[0], DIGITS[2], DIGITS[8]]);
        assert_eq!(set.len(), 3);
        assert_eq!(set.smallest().into_iter().collect::<Vec<_>>(), [DIGITS[0]]);
        assert_eq!(DigitSet::EMPTY.smallest(), DigitSet::EMPTY);
        assert!(DigitSet::ALL.into_iter().eq(DIGITS));
    }
}
