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

#[cfg(test)]
mod tests {
    use super::super::cell::{CELLS, Cell};
    use super::super::vector::sample::{
        Grid, Law, grid, holds_on_every_instruction_set, scattered, vectors,
    };
    use super::*;

    const PERMUTATIONS: [[usize; 3]; 6] =
        [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

    /// For each cell, the digits whose places in its group, `(matrix, row, column)`, lie on a permutation of
    /// groups with a place.
    fn by_definition(cells: &Grid, group: impl Fn(Cell) -> (usize, usize, usize)) -> Grid {
        let mut matrices = [[[0; 3]; 3]; 3];
        for cell in Cell::all() {
            let (matrix, row, column) = group(cell);
            matrices[matrix][row][column] |= cells[cell.index()];
        }
        CELLS.map(|cell| {
            let (matrix, row, column) = group(cell);
            PERMUTATIONS
                .iter()
                .filter(|permutation| permutation[row] == column)
                .map(|permutation| (0..3).map(|row| matrices[matrix][row][permutation[row]]))
                .map(|groups| groups.fold(0o777, |all, group| all & group))
                .fold(0, |any, all| any | all)
        })
    }

    fn mini_row(cell: Cell) -> (usize, usize, usize) {
        (cell.row() / 3, cell.row() % 3, cell.column() / 3)
    }

    fn mini_column(cell: Cell) -> (usize, usize, usize) {
        (cell.column() / 3, cell.row() / 3, cell.column() % 3)
    }

    #[test]
    fn candidates_stay_where_their_mini_row_and_mini_column_lie_on_a_permutation() {
        struct Locked;
        impl Law for Locked {
            fn hold<V: Vector>() {
                for sample in scattered() {
                    let in_rows = by_definition(&sample, mini_row);
                    let in_columns = by_definition(&sample, mini_column);
                    let expected = CELLS.map(|cell| {
                        let index = cell.index();
                        sample[index] & in_rows[index] & in_columns[index]
                    });
                    let cells = vectors::<V>(&sample);
                    assert_eq!(grid(without_locked_out(cells, &Tallies::of(cells))), expected);
                }
            }
        }
        holds_on_every_instruction_set::<Locked>();
    }
}
