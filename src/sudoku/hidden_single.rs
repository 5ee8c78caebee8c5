//! Hidden singles: a digit with one place left in a house stands there.

use super::band;
use super::candidates::Candidates;
use super::cell_set::CellSet;
use super::digit::Digit;
use super::propagation::Contradiction;
use super::tally::Tally;

impl Candidates {
    /// Places the hidden singles of a digit; a house without a place for it is a contradiction.
    pub(super) fn place_hidden_singles(&mut self, digit: Digit) -> Result<(), Contradiction> {
        for cell in sole_places(self.places(digit))? & self.open() {
            self.place(cell, digit);
        }
        Ok(())
    }
}

/// The places of a digit that are the only one of a row, a column or a box.
///
/// Places are counted by mini-row, and those added up by row and by box; the nine columns of each band,
/// and those added up over the bands. About 120 operations.
fn sole_places(places: CellSet) -> Result<CellSet, Contradiction> {
    let bands = places.bands();
    let tallies = bands.map(Tally::of);
    let mini_rows = tallies.map(|tally| tally.folded(1, band::MINI_ROWS));
    let rows = mini_rows.map(|tally| tally.folded(3, band::COLUMN));
    let boxes = mini_rows.map(|tally| tally.folded(9, band::BOXES));
    let [top, middle, bottom] = tallies.map(|tally| tally.folded(9, band::ROW));
    let columns = top.plus(middle).plus(bottom);

    let every_house_has_a_place = rows.iter().all(|tally| tally.some == band::COLUMN)
        && boxes.iter().all(|tally| tally.some == band::BOXES)
        && columns.some == band::ROW;
    if !every_house_has_a_place {
        return Err(Contradiction);
    }
    Ok(CellSet::from_bands(std::array::from_fn(|index| {
        let in_rows = rows[index].once() * band::ROW;
        let in_boxes = boxes[index].once() * band::BOX;
        let in_columns = columns.once() * band::COLUMN;
        bands[index] & (in_rows | in_boxes | in_columns)
    })))
}

#[cfg(test)]
mod tests {
    use super::super::house::House;
    use super::super::scatter::scattered;
    use super::*;

    fn house_by_house(places: CellSet) -> Result<CellSet, Contradiction> {
        House::all().try_fold(CellSet::EMPTY, |found, house| {
            let mut left = house.cells().into_iter().filter(|&cell| places.contains(cell));
            match (left.next(), left.next()) {
                (None, _) => Err(Contradiction),
                (Some(cell), None) => Ok(found.with(cell)),
                (Some(_), Some(_)) => Ok(found),
            }
        })
    }

    #[test]
    fn sole_places_are_those_found_house_by_house() {
        let mut refuted = 0;
        for places in scattered() {
            let expected = house_by_house(places);
            refuted += usize::from(expected.is_err());
            assert_eq!(sole_places(places), expected, "{places:?}");
        }
        assert!((1..scattered().count()).contains(&refuted));
    }
}
