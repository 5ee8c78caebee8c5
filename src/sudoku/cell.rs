//! One of the 81 places of the grid.

use std::fmt;

/// A place in the grid, known to be inside it.
///
/// Cells are ordered row by row, the order in which a solution is read as a number.
///
/// # Examples
///
/// ```
/// use sudoku_api::sudoku::Cell;
///
/// let cell = Cell::new(3, 6).expect("row 3 and column 6 are inside the grid");
/// assert_eq!(cell.to_string(), "r4c7");
/// assert_eq!((cell.index(), cell.box_index()), (33, 5));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

/// Every cell, row by row.
pub(super) const CELLS: [Cell; 81] = {
    let mut cells = [Cell(0); 81];
    let mut index = 0_u8;
    while index < 81 {
        cells[index as usize] = Cell(index);
        index += 1;
    }
    cells
};

impl Cell {
    /// How many cells a grid has.
    pub const COUNT: usize = 81;

    /// The cell at this position in row-major order, `0..81`.
    #[must_use]
    pub fn from_index(index: usize) -> Option<Self> {
        CELLS.get(index).copied()
    }

    /// The cell in this row and this column, both counted from 0.
    #[must_use]
    pub fn new(row: usize, column: usize) -> Option<Self> {
        (row < 9 && column < 9).then(|| CELLS[9 * row + column])
    }

    /// All 81 cells, row by row.
    #[must_use]
    pub fn all() -> impl ExactSizeIterator<Item = Self> + DoubleEndedIterator + Clone {
        CELLS.into_iter()
    }

    /// The position in row-major order, `0..81`.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The row, counted from 0 at the top.
    #[must_use]
    pub const fn row(self) -> usize {
        self.index() / 9
    }

    /// The column, counted from 0 at the left.
    #[must_use]
    pub const fn column(self) -> usize {
        self.index() % 9
    }

    /// The box, counted from 0 and numbered row by row.
    #[must_use]
    pub const fn box_index(self) -> usize {
        self.row() / 3 * 3 + self.column() / 3
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}c{}", self.row() + 1, self.column() + 1)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn row_and_column_name_the_same_cell_as_its_index() {
        for (index, cell) in Cell::all().enumerate() {
            assert_eq!(cell.index(), index);
            assert_eq!(Cell::from_index(index), Some(cell));
            assert_eq!(Cell::new(cell.row(), cell.column()), Some(cell));
        }
    }

    #[test]
    fn positions_outside_the_grid_are_no_cells() {
        assert_eq!(Cell::from_index(81), None);
        assert_eq!(Cell::new(9, 0), None);
        assert_eq!(Cell::new(0, 9), None);
    }

    #[test]
    fn cells_are_shown_counted_from_one() {
        let shown: Vec<String> = Cell::all().map(|cell| cell.to_string()).collect();
        assert_eq!(
            [&*shown[0], &*shown[8], &*shown[33], &*shown[80]],
            ["r1c1", "r1c9", "r4c7", "r9c9"]
        );
    }
}
