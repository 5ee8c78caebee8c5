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
