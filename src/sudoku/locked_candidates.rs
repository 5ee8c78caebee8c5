//! Locked candidates: where all places of a digit in one house lie in another too, it leaves the rest of
//! the other (pointing and claiming).

use super::band;
use super::candidates::Candidates;
use super::cell_set::CellSet;
use super::digit::Digit;

impl Candidates {
    /// Strikes a digit out of the places that locked candidates rule out.
    pub(super) fn strike_locked_candidates(&mut self, digit: Digit) {
        self.restrict(digit, unlocked(self.places(digit)));
    }
}

/// The places of a digit that locked candidates do not rule out; none in a band or a stack without room.
///
/// In a band a digit stands in three mini-rows, one in each row and one in each box:
///
/// ```text
///          box 1  box 2  box 3
/// row 1      ×      ·      ·        A mini-row stays only if it is part of such a choice,
/// row 2      ·      ·      ×        a permutation of the 3 × 3 matrix of mini-rows that
/// row 3      ·      ×      ·        still have a place: that is pointing and claiming at once.
/// ```
///
/// A stack is the same once more, with bands for the rows and the stack's columns for the boxes. Folding
/// each band into one row makes a word of which every box is such a matrix. About 120 operations.
fn unlocked(places: CellSet) -> CellSet {
    let bands = places.bands().map(|word| {
        let mini_rows = (word | word >> 1 | word >> 2) & band::MINI_ROWS;
        word & (on_permutations::<3>(mini_rows) * 0o7)
    });
    let [top, middle, bottom] = bands.map(|word| (word | word >> 9 | word >> 18) & band::ROW);
    let columns = on_permutations::<1>(top | middle << 9 | bottom << 18);
    let kept = [columns, columns >> 9, columns >> 18].map(|row| (row & band::ROW) * band::COLUMN);
    CellSet::from_bands(bands) & CellSet::from_bands(kept)
}

/// The entries of a 3 × 3 matrix that lie on a permutation of it: that have two partners, one in each
/// other row and each other column.
///
/// The rows of the matrix are those of the band word, its columns `STEP` bits apart: 3 for one matrix of
/// mini-rows, 1 for three of cells.
const fn on_permutations<const STEP: u32>(entries: u32) -> u32 {
    let row_below = (entries >> 9 | entries << 18) & band::ALL;
    let row_above = (entries >> 18 | entries << 9) & band::ALL;
    let falling = right::<STEP>(row_below) & left::<STEP>(row_above);
    let rising = left::<STEP>(row_below) & right::<STEP>(row_above);
    entries & (falling | rising)
}

/// In each column of a matrix the entries of the column to its right, cyclically.
const fn right<const STEP: u32>(entries: u32) -> u32 {
    let last = last_columns::<STEP>();
    entries >> STEP & !last | entries << (2 * STEP) & last
}

/// In each column of a matrix the entries of the column to its left, cyclically.
const fn left<const STEP: u32>(entries: u32) -> u32 {
    right::<STEP>(right::<STEP>(entries))
}

const fn last_columns<const STEP: u32>() -> u32 {
    if STEP == 1 { 0o444_444_444 } else { 0o700_700_700 }
}

#[cfg(test)]
mod tests {
    use super::super::cell::Cell;
    use super::super::scatter::scattered;
    use super::*;

    const PERMUTATIONS: [[usize; 3]; 6] =
        [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

    /// The cells whose group, `(matrix, row, column)`, lies on a permutation of groups with a place.
    fn by_definition(places: CellSet, group: impl Fn(Cell) -> (usize, usize, usize)) -> CellSet {
        let occupied = |wanted| places.into_iter().any(|cell| group(cell) == wanted);
        let mut kept = CellSet::EMPTY;
        for cell in places {
            let (matrix, row, column) = group(cell);
            let stays = PERMUTATIONS.iter().any(|permutation| {
                permutation[row] == column
                    && (0..3).all(|row| occupied((matrix, row, permutation[row])))
            });
            if stays {
                kept.insert(cell);
            }
        }
        kept
    }

    #[test]
    fn places_stay_where_their_mini_row_and_mini_column_lie_on_a_permutation() {
        let mini_row = |cell: Cell| (cell.row() / 3, cell.row() % 3, cell.column() / 3);
        let mini_column = |cell: Cell| (cell.column() / 3, cell.row() / 3, cell.column() % 3);
        for places in scattered().step_by(4) {
            let expected = by_definition(by_definition(places, mini_row), mini_column);
            assert_eq!(unlocked(places), expected, "{places:?}");
        }
    }
}
