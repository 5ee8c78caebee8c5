//! Counting the places of all digits in all houses, as far as two.
#![expect(clippy::inline_always, reason = "see `Job`")]

use super::vector::Vector;

/// How often each digit was counted in each lane: never, once, or more often.
///
/// Two bit sets make a counter for each bit, so that one operation counts all digits in all lanes (bit
/// slicing).
#[derive(Clone, Copy, Debug)]
pub(super) struct Tally<V> {
    /// Counted at least once.
    pub(super) some: V,
    /// Counted at least twice.
    pub(super) several: V,
}

impl<V: Vector> Tally<V> {
    /// The counts of three sets.
    #[inline(always)]
    pub(super) fn of([a, b, c]: [V; 3]) -> Self {
        Self { some: V::in_one(a, b, c), several: V::in_two(a, b, c) }
    }

    /// The counts of three tallies together.
    #[inline(always)]
    fn sum([a, b, c]: [Self; 3]) -> Self {
        let Self { some, several } = Self::of([a.some, b.some, c.some]);
        Self { some, several: several | V::in_one(a.several, b.several, c.several) }
    }

    /// Counted exactly once.
    #[inline(always)]
    pub(super) fn once(self) -> V {
        self.some.without(self.several)
    }

    #[inline(always)]
    fn along_stacks(self) -> Self {
        let next = Self { some: self.some.next_stack(), several: self.several.next_stack() };
        let previous =
            Self { some: self.some.previous_stack(), several: self.several.previous_stack() };
        Self::sum([self, next, previous])
    }

    /// The counts of all three bands together.
    #[inline(always)]
    fn along_bands(self) -> Self {
        let several = self.some.in_two_bands() | self.several.in_one_band();
        Self { some: self.some.in_one_band(), several }
    }
}

/// A set and the two next to it in the same box, one a row.
#[inline(always)]
pub(super) fn rows_of_box<V: Vector>(set: V) -> [V; 3] {
    [set, set.next_row(), set.previous_row()]
}

/// The places of all digits, counted in all parts of the grid.
///
/// ```text
///   r1c1 r1c2 r1c3 │ · · · │ · · ·      A lane of `mini_rows` counts the three cells of a mini-row; a lane
///   r2c1  ·    ·   │       │            of `mini_columns[k]` the cells k of the three mini-rows of a box,
///   r3c1  ·    ·   │       │            so that all three lanes of the box say the same.
///  ────────────────┼───────┼──────
///   r4c1           │       │            Mini-rows along the stacks make a row, mini-columns along the
///    ·                                  bands a column, the three mini-columns of a box a box.
/// ```
#[derive(Clone, Copy, Debug)]
pub(super) struct Tallies<V> {
    pub(super) mini_rows: Tally<V>,
    pub(super) mini_columns: [Tally<V>; 3],
    /// In each lane its row.
    pub(super) rows: Tally<V>,
    /// In each lane of the vectors for the cells, their columns.
    pub(super) columns: [Tally<V>; 3],
    /// In each lane its box.
    pub(super) boxes: Tally<V>,
}

impl<V: Vector> Tallies<V> {
    #[inline(always)]
    pub(super) fn of(cells: [V; 3]) -> Self {
        let mini_rows = Tally::of(cells);
        let [a, b, c] = cells;
        let mini_columns =
            [Tally::of(rows_of_box(a)), Tally::of(rows_of_box(b)), Tally::of(rows_of_box(c))];
        let [a, b, c] = mini_columns;
        Self {
            mini_rows,
            mini_columns,
            rows: mini_rows.along_stacks(),
            columns: [a.along_bands(), b.along_bands(), c.along_bands()],
            boxes: Tally::sum(mini_columns),
        }
    }

    /// Whether each digit has a place in each house.
    #[inline(always)]
    pub(super) fn every_digit_has_a_place(&self) -> bool {
        let [a, b, c] = self.columns;
        (self.rows.some & self.boxes.some & a.some & b.some & c.some).is_full()
    }
}

#[cfg(test)]
mod tests {
    use super::super::cell::{CELLS, Cell};
    use super::super::digit::DIGITS;
    use super::super::house::House;
    use super::super::vector::sample::{
        Grid, Law, grid, holds_on_every_instruction_set, scattered, vectors,
    };
    use super::*;

    /// The digits that at least so many of the cells have.
    fn in_at_least(count: usize, cells: &[Cell], sample: &Grid) -> u16 {
        let frequent = DIGITS.into_iter().filter(|digit| {
            let has_it = |cell: &&Cell| sample[cell.index()] >> digit.index() & 1 == 1;
            cells.iter().filter(has_it).count() >= count
        });
        frequent.fold(0, |digits, digit| digits | 1 << digit.index())
    }

    /// What a tally has in the lanes of each cell, against what is in the cells that belong to it.
    fn assert_counts<V: Vector>(
        tallies: [Tally<V>; 3],
        sample: &Grid,
        cells: impl Fn(Cell) -> Vec<Cell>,
    ) {
        for (count, vectors) in [(1, tallies.map(|t| t.some)), (2, tallies.map(|t| t.several))] {
            let expected = CELLS.map(|cell| in_at_least(count, &cells(cell), sample));
            assert_eq!(grid(vectors), expected, "{count}");
        }
    }

    fn house_of(cell: Cell, kind: usize) -> Vec<Cell> {
        let mut houses = House::all().skip(9 * kind).take(9).map(House::cells);
        houses.find(|cells| cells.contains(&cell)).map(Vec::from).unwrap_or_default()
    }

    #[test]
    fn places_are_counted_as_far_as_two() {
        struct Counts;
        impl Law for Counts {
            fn hold<V: Vector>() {
                for sample in scattered().step_by(3) {
                    let tallies = Tallies::of(vectors::<V>(&sample));
                    let [rows, columns, boxes] =
                        [0, 1, 2].map(|kind| move |cell| house_of(cell, kind));
                    assert_counts([tallies.rows; 3], &sample, rows);
                    assert_counts(tallies.columns, &sample, columns);
                    assert_counts([tallies.boxes; 3], &sample, boxes);

                    let both =
                        |a: Vec<Cell>, b: Vec<Cell>| a.into_iter().filter(move |c| b.contains(c));
                    let mini_row = |cell| both(house_of(cell, 0), house_of(cell, 2)).collect();
                    let mini_column = |cell| both(house_of(cell, 1), house_of(cell, 2)).collect();
                    assert_counts([tallies.mini_rows; 3], &sample, mini_row);
                    assert_counts(tallies.mini_columns, &sample, mini_column);

                    let everywhere =
                        House::all().all(|house| in_at_least(1, &house.cells(), &sample) == 0o777);
                    assert_eq!(tallies.every_digit_has_a_place(), everywhere);
                }
            }
        }
        holds_on_every_instruction_set::<Counts>();
    }
}
