//! A set of cells in three words, one a [band].

use std::array;
use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

use super::band;
use super::cell::{CELLS, Cell};
use super::house::HOUSES;

/// Some of the 81 cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct CellSet([u32; 3]);

impl CellSet {
    pub(super) const EMPTY: Self = Self([0; 3]);
    pub(super) const ALL: Self = Self([band::ALL; 3]);

    /// The cells of these band words.
    pub(super) const fn from_bands(bands: [u32; 3]) -> Self {
        Self(bands)
    }

    /// The band words.
    pub(super) const fn bands(self) -> [u32; 3] {
        self.0
    }

    pub(super) const fn with(mut self, cell: Cell) -> Self {
        self.0[cell.index() / 27] |= 1 << (cell.index() % 27);
        self
    }

    pub(super) const fn insert(&mut self, cell: Cell) {
        *self = self.with(cell);
    }

    pub(super) const fn remove(&mut self, cell: Cell) {
        self.0[cell.index() / 27] &= !(1 << (cell.index() % 27));
    }

    pub(super) const fn contains(self, cell: Cell) -> bool {
        self.0[cell.index() / 27] >> (cell.index() % 27) & 1 != 0
    }

    pub(super) const fn len(self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones() + self.0[2].count_ones()
    }

    pub(super) const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] == 0
    }

    /// The first cell, row by row.
    pub(super) fn first(self) -> Option<Cell> {
        self.into_iter().next()
    }
}

impl BitAnd for CellSet {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(array::from_fn(|band| self.0[band] & other.0[band]))
    }
}

impl BitOr for CellSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(array::from_fn(|band| self.0[band] | other.0[band]))
    }
}

impl BitOrAssign for CellSet {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl Not for CellSet {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0.map(|word| !word & band::ALL))
    }
}

/// Row by row.
impl IntoIterator for CellSet {
    type Item = Cell;
    type IntoIter = Cells;

    fn into_iter(self) -> Cells {
        Cells(self)
    }
}

/// The cells of a set, row by row.
#[derive(Clone, Debug)]
pub(super) struct Cells(CellSet);

impl Iterator for Cells {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        let band = self.0.0.iter().position(|&word| word != 0)?;
        let word = &mut self.0.0[band];
        let cell = CELLS[27 * band + word.trailing_zeros() as usize];
        *word &= *word - 1;
        Some(cell)
    }
}

/// The cells of each house, in the order of [`HOUSES`].
pub(super) const HOUSE_CELLS: [CellSet; 27] = {
    let mut houses = [CellSet::EMPTY; 27];
    let mut index = 0;
    while index < 27 * 9 {
        houses[index / 9].insert(HOUSES[index / 9].cells()[index % 9]);
        index += 1;
    }
    houses
};

/// For each cell, the 20 others that share a house with it.
pub(super) const PEERS: [CellSet; 81] = {
    let mut peers = [CellSet::EMPTY; 81];
    let mut index = 0;
    while index < 27 * 81 {
        let cells = HOUSES[index / 81].cells();
        let (cell, other) = (cells[index % 81 / 9], cells[index % 9]);
        if cell.index() != other.index() {
            peers[cell.index()].insert(other);
        }
        index += 1;
    }
    peers
};

#[cfg(test)]
mod tests {
    use super::super::house::House;
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn peers_are_the_other_cells_of_the_three_houses_of_a_cell() {
        for cell in Cell::all() {
            let expected: BTreeSet<Cell> = House::all()
                .map(House::cells)
                .filter(|cells| cells.contains(&cell))
                .flatten()
                .filter(|&other| other != cell)
                .collect();
            let found: Vec<Cell> = PEERS[cell.index()].into_iter().collect();
            assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{cell}");
            assert_eq!(found.len(), 20);
        }
    }

    #[test]
    fn a_set_holds_what_was_put_in_and_not_taken_out() {
        let mut set = CellSet::EMPTY;
        for cell in Cell::all().step_by(5) {
            set.insert(cell);
        }
        assert!(set.into_iter().eq(Cell::all().step_by(5)));
        assert_eq!(set.len(), 17);
        assert_eq!((!set).len(), 81 - 17);
        assert!((set & !set).is_empty());
        assert_eq!(set | !set, CellSet::ALL);
        for cell in Cell::all().step_by(10) {
            set.remove(cell);
        }
        assert!(set.into_iter().eq(Cell::all().skip(5).step_by(10)));
        assert_eq!(set.first(), Cell::from_index(5));
    }
}
