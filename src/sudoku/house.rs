//! Rows, columns and boxes.

use std::fmt;

use super::cell::{CELLS, Cell};

/// Which of the nine rows, columns or boxes a house is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Ordinal(u8);

const ORDINALS: [Ordinal; 9] = {
    let mut ordinals = [Ordinal(0); 9];
    let mut index = 0_u8;
    while index < 9 {
        ordinals[index as usize] = Ordinal(index);
        index += 1;
    }
    ordinals
};

impl Ordinal {
    /// The ordinal of this index, counted from 0.
    #[must_use]
    pub fn new(index: usize) -> Option<Self> {
        ORDINALS.get(index).copied()
    }

    /// The index, counted from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Counted from 1.
impl fmt::Display for Ordinal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&(self.0 + 1), f)
    }
}

/// Nine cells that hold nine different digits.
///
/// # Examples
///
/// ```
/// use sudoku_api::sudoku::House;
///
/// let last = House::all().last().expect("there are 27 houses");
/// assert_eq!(last.to_string(), "box 9");
/// assert_eq!(last.cells()[0].to_string(), "r7c7");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum House {
    /// A row, numbered from the top.
    Row(Ordinal),
    /// A column, numbered from the left.
    Column(Ordinal),
    /// A box, numbered row by row.
    Box(Ordinal),
}

/// Every house: the rows, the columns, the boxes.
pub(super) const HOUSES: [House; 27] = {
    let mut houses = [House::Row(ORDINALS[0]); 27];
    let mut index = 0;
    while index < 9 {
        houses[index] = House::Row(ORDINALS[index]);
        houses[9 + index] = House::Column(ORDINALS[index]);
        houses[18 + index] = House::Box(ORDINALS[index]);
        index += 1;
    }
    houses
};

/// The cells of every house, by its [index](House::index).
pub(super) const HOUSE_CELLS: [[Cell; 9]; 27] = {
    let mut cells = [[CELLS[0]; 9]; 27];
    let mut index = 0;
    while index < 27 {
        cells[index] = HOUSES[index].cells();
        index += 1;
    }
    cells
};

impl House {
    /// All 27 houses: the rows, the columns, the boxes.
    #[must_use]
    pub fn all() -> impl ExactSizeIterator<Item = Self> + DoubleEndedIterator + Clone {
        HOUSES.into_iter()
    }

    /// The position among all houses, `0..27`.
    pub(super) const fn index(self) -> usize {
        match self {
            Self::Row(row) => row.index(),
            Self::Column(column) => 9 + column.index(),
            Self::Box(number) => 18 + number.index(),
        }
    }

    /// The nine cells, row by row.
    #[must_use]
    pub const fn cells(self) -> [Cell; 9] {
        let mut cells = [CELLS[0]; 9];
        let mut position = 0;
        while position < 9 {
            let (row, column) = match self {
                Self::Row(row) => (row.index(), position),
                Self::Column(column) => (position, column.index()),
                Self::Box(number) => {
                    let (band, stack) = (number.index() / 3, number.index() % 3);
                    (3 * band + position / 3, 3 * stack + position % 3)
                }
            };
            cells[position] = CELLS[9 * row + column];
            position += 1;
        }
        cells
    }
}

impl fmt::Display for House {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Row(row) => write!(f, "row {row}"),
            Self::Column(column) => write!(f, "column {column}"),
            Self::Box(number) => write!(f, "box {number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_house_holds_exactly_the_cells_that_name_it() {
        for house in House::all() {
            let named: Vec<Cell> = Cell::all()
                .filter(|cell| match house {
                    House::Row(row) => cell.row() == row.index(),
                    House::Column(column) => cell.column() == column.index(),
                    House::Box(number) => cell.box_index() == number.index(),
                })
                .collect();
            assert_eq!(house.cells().to_vec(), named, "{house}");
        }
    }

    #[test]
    fn houses_are_shown_counted_from_one_in_the_order_rows_columns_boxes() {
        let shown: Vec<String> = House::all().map(|house| house.to_string()).collect();
        assert!(House::all().map(House::index).eq(0..27));
        assert_eq!([&*shown[0], &*shown[12], &*shown[26]], ["row 1", "column 4", "box 9"]);
    }
}
