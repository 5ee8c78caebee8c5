//! Sets of cells without a pattern, for comparing a technique with its definition.

use super::cell::Cell;
use super::cell_set::CellSet;

/// Some thousand sets, from nearly full to nearly empty.
pub(super) fn scattered() -> impl Iterator<Item = CellSet> {
    let mut state = 0x9E37_79B9_u32;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    (0..8192).map(move |index| {
        let sparsity = index % 16;
        let mut cells = CellSet::ALL;
        for cell in Cell::all() {
            if next() >> 8 & 15 < sparsity {
                cells.remove(cell);
            }
        }
        cells
    })
}
