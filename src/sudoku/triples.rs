//! Naked triples in a mini-row or a mini-column: three cells that have three candidates between them.
#![expect(clippy::inline_always, reason = "see `Job`")]

use super::placement::Settled;
use super::tally::Tallies;
use super::vector::Vector;

/// The digits settled in cells, and those of naked triples.
///
/// The three cells of a mini-row hold three digits. Where no more are left to them together, all three are there,
/// whichever is where, and leave the rest of the row and of the box:
///
/// ```text
///   r1c1  1 2      │
///   r1c2  · 2 3    │ r1c4  1 ·  ·  ·  5       1, 2 and 3 stand in the first mini-row,
///   r1c3  1 · 3    │                          so r1c4 is not 1
/// ```
///
/// A mini-column is the same for a column and a box. Tdoku takes its strength from these (T. Dillon, 2019,
/// "Tdoku: a fast Sudoku solver"): they make the trees of hard puzzles smaller by some percent, and
/// refute in a moment what few clues hide from all other rules here.
#[inline(always)]
pub(super) fn with_triples<V: Vector>(cells: [V; 3], tallies: &Tallies<V>) -> Settled<V> {
    let [a, b, c] = &tallies.mini_columns;
    Settled {
        cells,
        mini_rows: tallies.mini_rows.some.where_three(),
        mini_columns: [a.some.where_three(), b.some.where_three(), c.some.where_three()],
    }
}

#[cfg(test)]
mod tests {
    use super::super::cell::{CELLS, Cell};
    use super::super::vector::sample::{
        Grid, Law, grid, holds_on_every_instruction_set, scattered, vectors,
    };
    use super::*;

    /// In each cell the digits of all that share its group, if those are three.
    fn by_definition(sample: &Grid, group: impl Fn(Cell) -> (usize, usize)) -> Grid {
        CELLS.map(|cell| {
            let digits = Cell::all()
                .filter(|&other| group(other) == group(cell))
                .fold(0, |digits: u16, other| digits | sample[other.index()]);
            if digits.count_ones() == 3 { digits } else { 0 }
        })
    }

    #[test]
    fn three_digits_in_three_cells_are_a_triple() {
        struct Triples;
        impl Law for Triples {
            fn hold<V: Vector>() {
                for sample in scattered() {
                    let cells = vectors::<V>(&sample);
                    let settled = with_triples(cells, &Tallies::of(cells));
                    assert_eq!(grid(settled.cells), sample);
                    let mini_row = |cell: Cell| (cell.row(), cell.column() / 3);
                    assert_eq!(grid([settled.mini_rows; 3]), by_definition(&sample, mini_row));
                    let mini_column = |cell: Cell| (cell.column(), cell.row() / 3);
                    assert_eq!(grid(settled.mini_columns), by_definition(&sample, mini_column));
                }
            }
        }
        holds_on_every_instruction_set::<Triples>();
    }
}
