//! Naked singles: a cell with one candidate left holds it.

use super::candidates::Candidates;
use super::cell_set::CellSet;
use super::digit::Digit;
use super::propagation::Contradiction;
use super::tally::Tally;

impl Candidates {
    /// Places all naked singles; a cell without a candidate is a contradiction.
    ///
    /// One pass over the digits counts the candidates of all cells at once.
    pub(super) fn place_naked_singles(&mut self) -> Result<(), Contradiction> {
        let tally = self.tally();
        if tally.some != CellSet::ALL {
            return Err(Contradiction);
        }
        let singles = tally.once() & self.open();
        if singles.is_empty() {
            return Ok(());
        }
        for digit in Digit::all() {
            for cell in singles & self.places(digit) {
                self.place(cell, digit);
            }
        }
        Ok(())
    }

    /// How many candidates each cell has, as far as two.
    fn tally(&self) -> Tally<CellSet> {
        Digit::all()
            .map(|digit| Tally::of(self.places(digit)))
            .fold(Tally::of(CellSet::EMPTY), Tally::plus)
    }
}

#[cfg(test)]
mod tests {
    use super::super::cell::Cell;
    use super::super::digit::DIGITS;
    use super::super::digit_set::DigitSet;
    use super::*;

    fn left_with(digits: &[Digit]) -> (Candidates, Cell) {
        let cell = Cell::new(4, 4).expect("r5c5 is a cell");
        let mut candidates = Candidates::default();
        for digit in Digit::all().filter(|digit| !digits.contains(digit)) {
            candidates.strike(cell, digit);
        }
        (candidates, cell)
    }

    #[test]
    fn a_cell_with_one_candidate_is_settled() {
        let (mut candidates, cell) = left_with(&[DIGITS[3]]);
        assert_eq!(candidates.place_naked_singles(), Ok(()));
        let mut expected = Candidates::default();
        expected.place(cell, DIGITS[3]);
        assert_eq!(candidates, expected);
    }

    #[test]
    fn a_cell_with_two_candidates_stays_open() {
        let (mut candidates, cell) = left_with(&[DIGITS[3], DIGITS[7]]);
        assert_eq!(candidates.place_naked_singles(), Ok(()));
        assert!(candidates.open().contains(cell));
        assert_eq!(candidates.of(cell), DigitSet::from_iter([DIGITS[3], DIGITS[7]]));
    }

    #[test]
    fn a_cell_without_a_candidate_is_a_contradiction() {
        assert_eq!(left_with(&[]).0.place_naked_singles(), Err(Contradiction));
    }
}
