//! Counting in many places at once, as far as two.

use std::ops::{BitAnd, BitOr, Not};

/// How often each place was counted: never, once, or more often.
///
/// Two bit sets make a counter for each bit, so that one operation counts in all places of a word or of
/// a set of cells (bit slicing).
#[derive(Clone, Copy, Debug)]
pub(super) struct Tally<S> {
    /// Counted at least once.
    pub(super) some: S,
    /// Counted at least twice.
    pub(super) several: S,
}

impl<S> Tally<S>
where
    S: Copy + Default + BitAnd<Output = S> + BitOr<Output = S> + Not<Output = S>,
{
    /// Each place of this set once, no other.
    pub(super) fn of(set: S) -> Self {
        Self { some: set, several: S::default() }
    }

    /// The counts of both together.
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            some: self.some | other.some,
            several: self.several | other.several | self.some & other.some,
        }
    }

    /// Counted exactly once.
    pub(super) fn once(self) -> S {
        self.some & !self.several
    }
}

impl Tally<u32> {
    /// The counts of three places a `step` apart together, at the first of the three; `firsts` are the
    /// places to keep.
    pub(super) fn folded(self, step: u32, firsts: u32) -> Self {
        let shifted = |by| Self { some: self.some >> by, several: self.several >> by };
        let sum = self.plus(shifted(step)).plus(shifted(2 * step));
        Self { some: sum.some & firsts, several: sum.several & firsts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_tells_never_from_once_from_more_often() {
        let tally = [0b0110_u32, 0b0101, 0b0100]
            .map(Tally::of)
            .into_iter()
            .reduce(Tally::plus)
            .expect("three sets were counted");
        assert_eq!(tally.some, 0b0111);
        assert_eq!(tally.several, 0b0100);
        assert_eq!(tally.once(), 0b0011);
    }

    #[test]
    fn folding_counts_all_three_places() {
        for word in 0..0o1000_u32 {
            let tally = Tally::of(word).folded(3, 0o7);
            for place in 0..3 {
                let count = (word >> place & 0o111).count_ones();
                assert_eq!(tally.some >> place & 1 != 0, count >= 1, "{word:o}");
                assert_eq!(tally.several >> place & 1 != 0, count >= 2, "{word:o}");
            }
            assert_eq!((tally.some | tally.several) & !0o7, 0);
        }
    }
}
