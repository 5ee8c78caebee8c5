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
