//! Locked candidates: where all places of a digit in one house lie in another too, it leaves the rest of
//! the other (pointing and claiming).
#![expect(clippy::inline_always, reason = "see `Job`")]

use super::tally::Tallies;
use super::vector::Vector;

/// The cells without the candidates that locked candidates rule out.
///
/// In a band a digit stands in three mini-rows, one in each row and one in each box:
///
/// ```text
///          box 1  box 2  box 3
/// row 1      ×      ·      ·        A mini-row stays only if it is part of such a choice: if it has a partner
/// row 2      ·      ·      ×        in each of the other two rows, in different boxes. That is pointing and
/// row 3      ·      ×      ·        claiming at once.
/// ```
///
/// The partners of a mini-row are the lanes one step down and one to the right, and one step up and one to
/// the left; or else down and left, and up and right. A stack is the same once more with mini-columns: the
/// three of a box are in three vectors, those of the other boxes along the bands.
#[inline(always)]
pub(super) fn without_locked_out<V: Vector>(cells: [V; 3], tallies: &Tallies<V>) -> [V; 3] {
    let mini_rows = tallies.mini_rows.some;
    let [right, left] = [mini_rows.next_stack(), mini_rows.previous_stack()];
    let in_rows = right.next_row() & left.previous_row() | left.next_row() & right.previous_row();

    let [a, b, c] = &tallies.mini_columns;
    let [below_a, below_b, below_c] = [a.some.next_band(), b.some.next_band(), c.some.next_band()];
    let [above_a, above_b, above_c] =
        [a.some.previous_band(), b.some.previous_band(), c.some.previous_band()];
    let [a, b, c] = cells;
    [
        a & in_rows & (below_b & above_c | above_b & below_c),
        b & in_rows & (below_c & above_a | above_c & below_a),
        c & in_rows & (below_a & above_b | above_a & below_b),
    ]
}
