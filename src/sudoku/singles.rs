//! Naked and hidden singles: cells that have one candidate left, and digits that have one place left.
#![expect(clippy::inline_always, reason = "see `Job`")]

use super::tally::Tallies;
use super::vector::Vector;

/// In each cell the digits that must be there; none where that is not known.
///
/// A *naked single* is the last candidate of a cell: the lane has one bit. A *hidden single* is a digit
/// whose last place in a row, a column or a box is this cell:
///
/// ```text
///   cell         0 0 1 0 1 0 0 1 0        3, 5 and 8 are candidates (the lowest bit, for 1, is to the left)
///   once in row  1 0 0 0 1 0 0 0 1        1, 5 and 9 have one place in the row of this cell
///   single       0 0 0 0 1 0 0 0 0        so 5 is here
/// ```
///
/// Two digits in one cell can both be hidden singles. Then there is no solution: each strikes the other from
/// everywhere else, and sooner or later a cell or a house has nothing left.
#[inline(always)]
pub(super) fn singles<V: Vector>(cells: [V; 3], tallies: &Tallies<V>) -> [V; 3] {
    let everywhere = tallies.rows.once() | tallies.boxes.once();
    let [a, b, c] = cells;
    let [in_a, in_b, in_c] = &tallies.columns;
    [
        a.single_or_in(everywhere | in_a.once()),
        b.single_or_in(everywhere | in_b.once()),
        c.single_or_in(everywhere | in_c.once()),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::cell::{CELLS, Cell};
    use super::super::house::House;
    use super::super::vector::sample::{
        Grid, Law, grid, holds_on_every_instruction_set, scattered, vectors,
    };
    use super::*;

    fn by_definition(cell: Cell, sample: &Grid) -> u16 {
        let candidates = sample[cell.index()];
        let elsewhere = |house: House| {
            let others = house.cells().into_iter().filter(|&other| other != cell);
            others.fold(0, |digits, other| digits | sample[other.index()])
        };
        let hidden = House::all()
            .filter(|house| house.cells().contains(&cell))
            .fold(0, |hidden, house| hidden | candidates & !elsewhere(house));
        if candidates.is_power_of_two() { candidates } else { hidden }
    }

    #[test]
    fn a_single_is_the_last_of_its_cell_or_of_a_house() {
        struct Singles;
        impl Law for Singles {
            fn hold<V: Vector>() {
                for sample in scattered() {
                    let cells = vectors::<V>(&sample);
                    let expected = CELLS.map(|cell| by_definition(cell, &sample));
                    assert_eq!(grid(singles(cells, &Tallies::of(cells))), expected);
                }
            }
        }
        holds_on_every_instruction_set::<Singles>();
    }
}
