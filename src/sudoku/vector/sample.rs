//! Grids without a pattern, for comparing what is done in vectors with its definition.

use super::super::cell::{CELLS, Cell};
#[cfg(target_arch = "x86_64")]
use super::{Avx2, Avx512};
use super::{Portable, Vector};

/// Bits by cell.
pub(in super::super) type Grid = [u16; Cell::COUNT];

/// A test that is the same for all vectors.
pub(in super::super) trait Law {
    fn hold<V: Vector>();
}

/// Tries a law with every instruction set of this machine.
pub(in super::super) fn holds_on_every_instruction_set<L: Law>() {
    #[cfg(target_arch = "x86_64")]
    if Avx512::is_supported() {
        L::hold::<Avx512>();
    }
    #[cfg(target_arch = "x86_64")]
    if Avx2::is_supported() {
        L::hold::<Avx2>();
    }
    L::hold::<Portable>();
}

/// Some hundred grids, from nearly full to nearly empty.
pub(in super::super) fn scattered() -> impl Iterator<Item = Grid> {
    let mut state = 0x9E37_79B9_u32;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    (0..512).map(move |index| {
        let mut digit = |bit| u16::from(next() >> 8 & 15 >= index % 16) << bit;
        CELLS.map(|_| (0..9).map(&mut digit).fold(0, |digits, digit| digits | digit))
    })
}

/// A grid as the three vectors of its cells.
pub(in super::super) fn vectors<V: Vector>(grid: &Grid) -> [V; 3] {
    let mut vectors = [V::splat(0); 3];
    for (cell, &bits) in Cell::all().zip(grid) {
        let vector = &mut vectors[cell.column() % 3];
        *vector = *vector | V::one_lane(cell.row(), cell.column() / 3, bits);
    }
    vectors
}

/// The grid of three vectors.
pub(in super::super) fn grid<V: Vector>(vectors: [V; 3]) -> Grid {
    CELLS.map(|cell| vectors[cell.column() % 3].lane(cell.row(), cell.column() / 3))
}
