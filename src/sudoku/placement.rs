//! Placing digits: they leave all cells that see them.
#![expect(clippy::inline_always, reason = "see `Job`")]

use super::vector::Vector;

/// Digits of which it is known where they stand: in which cell, or at least in which three.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settled<V> {
    /// By cell, one digit at most in each.
    pub(super) cells: [V; 3],
    /// By mini-row.
    pub(super) mini_rows: V,
    /// By mini-column, the same for all three rows of a box.
    pub(super) mini_columns: [V; 3],
}

impl<V: Vector> Settled<V> {
    /// Digits settled by cell.
    #[inline(always)]
    pub(super) fn cells(cells: [V; 3]) -> Self {
        let none = V::splat(0);
        Self { cells, mini_rows: none, mini_columns: [none; 3] }
    }
}

/// The cells once all that is settled was placed at once.
///
/// A cell with a digit settled holds just that. Every cell then loses what is settled in places that it sees:
///
/// ```text
///  · · · │ c · · │ · · ·      A cell ×, the first of its mini-row, sees
///  · · · │ c · · │ · · ·        a  the other two cells of its mini-row,
///  · · · │ c · · │ · · ·        b  the other mini-rows of its row and its box,
///  ──────┼───────┼──────        c  its column in the other boxes, and the other two
///  b b b │ × a a │ b b b           mini-columns of its box.
///  · · · │ b b b │ · · ·
///  · · · │ b b b │ · · ·      What is settled there is known by mini-row, by mini-column or by
///  ──────┼───────┼──────      cell; of what is known by cell more is known than is asked.
///  · · · │ c · · │ · · ·
/// ```
///
/// Nothing is struck out by itself. So two digits that clash strike out each other, which leaves their cells
/// empty.
#[inline(always)]
pub(super) fn placed<V: Vector>(cells: [V; 3], settled: Settled<V>) -> [V; 3] {
    let Settled { cells: [a, b, c], mini_rows, mini_columns: [in_a, in_b, in_c] } = settled;
    let mini_rows = V::in_one(a, b, c) | mini_rows;
    let beside = mini_rows.next_stack() | mini_rows.previous_stack();
    let beside = V::in_one(beside, mini_rows.next_row(), mini_rows.previous_row());
    let [left_a, left_b, left_c] = cells;
    [
        a.or_else(left_a)
            .without(V::in_one(beside, b, c) | V::in_one(in_other_boxes(a, in_a), in_b, in_c)),
        b.or_else(left_b)
            .without(V::in_one(beside, c, a) | V::in_one(in_other_boxes(b, in_b), in_c, in_a)),
        c.or_else(left_c)
            .without(V::in_one(beside, a, b) | V::in_one(in_other_boxes(c, in_c), in_a, in_b)),
    ]
}

/// What is settled in the columns of these cells in the other two bands.
#[inline(always)]
fn in_other_boxes<V: Vector>(cells: V, mini_columns: V) -> V {
    let boxes = V::in_one(cells, cells.next_row(), cells.previous_row()) | mini_columns;
    boxes.next_band() | boxes.previous_band()
}

#[cfg(test)]
mod tests {
    use super::super::cell::{CELLS, Cell};
    use super::super::vector::ALL_DIGITS;
    use super::super::vector::sample::{
        Grid, Law, grid, holds_on_every_instruction_set, scattered, vectors,
    };
    use super::*;

    fn is_peer(cell: Cell, other: Cell) -> bool {
        let shares_a_house = cell.row() == other.row()
            || cell.column() == other.column()
            || cell.box_index() == other.box_index();
        cell != other && shares_a_house
    }

    /// One digit in some of the cells, without a pattern.
    fn settled_cells(sample: &Grid) -> Grid {
        CELLS.map(|cell| match cell.index() % 3 {
            0 => sample[cell.index()] & sample[cell.index()].wrapping_neg(),
            _ => 0,
        })
    }

    #[test]
    fn digits_stay_in_their_cells_and_leave_the_peers() {
        struct Placed;
        impl Law for Placed {
            fn hold<V: Vector>() {
                for sample in scattered() {
                    let settled = settled_cells(&sample);
                    let expected = CELLS.map(|cell| {
                        let seen = Cell::all()
                            .filter(|&other| is_peer(cell, other))
                            .fold(0, |seen, other| seen | settled[other.index()]);
                        let held = settled[cell.index()];
                        (if held == 0 { sample[cell.index()] } else { held }) & !seen
                    });
                    let settled = Settled::cells(vectors::<V>(&settled));
                    assert_eq!(grid(placed(vectors::<V>(&sample), settled)), expected);
                }
            }
        }
        holds_on_every_instruction_set::<Placed>();
    }

    #[test]
    fn what_is_settled_by_three_cells_leaves_those_that_see_all_of_them() {
        struct Placed;
        impl Law for Placed {
            fn hold<V: Vector>() {
                let none = V::splat(0);
                for (first, digits) in CELLS.into_iter().zip((0..9).cycle().map(|bit| 1 << bit)) {
                    let stands_in = |in_group: &dyn Fn(Cell) -> bool, settled| {
                        let expected = CELLS.map(|cell| {
                            let group = Cell::all().filter(|&other| in_group(other));
                            let seen = group.clone().all(|other| is_peer(cell, other));
                            if seen { ALL_DIGITS & !digits } else { ALL_DIGITS }
                        });
                        assert_eq!(grid(placed([V::splat(ALL_DIGITS); 3], settled)), expected);
                    };
                    let [row, stack] = [first.row(), first.column() / 3];
                    let mini_rows = V::one_lane(row, stack, digits);
                    stands_in(
                        &|cell| cell.row() == row && cell.column() / 3 == stack,
                        Settled { cells: [none; 3], mini_rows, mini_columns: [none; 3] },
                    );
                    let band = row / 3 * 3;
                    let lane = V::one_lane(band, stack, digits);
                    let mut mini_columns = [none; 3];
                    mini_columns[first.column() % 3] = lane | lane.next_row() | lane.previous_row();
                    stands_in(
                        &|cell| cell.column() == first.column() && cell.row() / 3 == row / 3,
                        Settled { cells: [none; 3], mini_rows: none, mini_columns },
                    );
                }
            }
        }
        holds_on_every_instruction_set::<Placed>();
    }
}
