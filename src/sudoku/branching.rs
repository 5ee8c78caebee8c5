//! Where to branch: a number for each cell, all at once, and the cell with the highest.
#![expect(clippy::inline_always, reason = "see `Job`")]

use super::candidates::Candidates;
use super::cell::Cell;
use super::vector::{ALL_DIGITS, Vector};

/// The open cell with the fewest candidates; of those the one with the most open peers; of those the first.
///
/// The more open peers a cell has, the more its digit tells about the rest: that halves the nodes of the
/// hardest puzzles against the first such cell. All cells get a number at once, and the highest is looked for:
///
/// ```text
///   bits 12 to 15    7 to 11    0 to 6
///   digits struck    open       127 less the number
///   out of it        peers      of the cell
/// ```
#[inline(always)]
pub(super) fn fewest_candidates<V: Vector>(candidates: &Candidates<V>) -> Cell {
    let cells = candidates.cells();
    let [a, b, c] = cells;
    let one = V::splat(1 << 7);
    let open = [one.where_several(a), one.where_several(b), one.where_several(c)];
    let [open_a, open_b, open_c] = open;
    let mini_rows = open_a + open_b + open_c;
    let beside = mini_rows
        + mini_rows.next_stack()
        + mini_rows.previous_stack()
        + mini_rows.next_row()
        + mini_rows.previous_row();
    let [first_a, first_b, first_c] = precedence();
    highest_open(
        cells,
        [
            struck_out(a) + beside + in_other_bands(open_a) + first_a,
            struck_out(b) + beside + in_other_bands(open_b) + first_b,
            struck_out(c) + beside + in_other_bands(open_c) + first_c,
        ],
    )
}

/// The first open cell, row by row.
#[inline(always)]
pub(super) fn first_open<V: Vector>(candidates: &Candidates<V>) -> Cell {
    highest_open(candidates.cells(), precedence())
}

const LAST: u16 = 127;

/// A number for each cell that is higher the earlier it comes.
#[inline(always)]
fn precedence<V: Vector>() -> [V; 3] {
    let [a, b, c] = V::cell_indices();
    let last = V::splat(LAST);
    [last.without(a), last.without(b), last.without(c)]
}

/// The open cell with the highest number.
#[inline(always)]
fn highest_open<V: Vector>([a, b, c]: [V; 3], [of_a, of_b, of_c]: [V; 3]) -> Cell {
    let highest = V::highest([of_a.where_several(a), of_b.where_several(b), of_c.where_several(c)]);
    Cell::from_index(usize::from(LAST - (highest & LAST))).expect("a cell is open")
}

#[inline(always)]
fn struck_out<V: Vector>(cells: V) -> V {
    V::splat(ALL_DIGITS).without(cells).count::<12>()
}

/// How many cells of the same columns in the other two bands are open.
#[inline(always)]
fn in_other_bands<V: Vector>(open: V) -> V {
    let boxes = open + open.next_row() + open.previous_row();
    boxes.next_band() + boxes.previous_band()
}
