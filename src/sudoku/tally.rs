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
        let some = Self::of([a.some, b.some, c.some]);
        let several = V::in_one(a.several, b.several, c.several);
        Self { some: some.some, several: some.several | several }
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
