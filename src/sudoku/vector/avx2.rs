//! Three registers of AVX2, one a band: sixteen lanes each, four a row, of which nine are in use.
//!
//! ```text
//!   lane   0  1  2  3 │  4  5  6  7 │  8  9 10 11 │ 12 13 14 15
//!   row    ── 1st ─── │  ── 2nd ─── │  ── 3rd ─── │
//!   stack  1  2  3  · │  1  2  3  · │  1  2  3  · │  ·  ·  ·  ·
//! ```
//!
//! Registers move data across their two halves only slowly. In this order no move along a ring has to mix lanes
//! of different rows: stacks move inside a row, rows as a whole, and to move bands is to take another
//! register. For that it leaves nearly half of the lanes empty.
//!
//! # Safety
//!
//! As in `avx512.rs`: the instructions are there because [`Avx2::is_supported`] was asked before the type
//! was named, and loads and stores are of references to arrays of just that size.
#![expect(unsafe_code, reason = "instructions that not every machine has")]
#![expect(clippy::inline_always, reason = "see `Job`")]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "numbers of cells, lanes and bytes, and lanes of sixteen bits"
)]

use std::arch::is_x86_feature_detected;
use std::arch::x86_64::{
    __m128i, __m256i, _mm_cvtsi32_si128, _mm_extract_epi16, _mm_loadu_si128, _mm_max_epu16,
    _mm_minpos_epu16, _mm_set1_epi16, _mm_setr_epi8, _mm_shuffle_epi8, _mm_storeu_si128,
    _mm_unpacklo_epi64, _mm_xor_si128, _mm256_add_epi16, _mm256_and_si256, _mm256_andnot_si256,
    _mm256_broadcastsi128_si256, _mm256_castsi256_si128, _mm256_cmpeq_epi16,
    _mm256_extracti128_si256, _mm256_load_si256, _mm256_max_epu16, _mm256_min_epu16,
    _mm256_or_si256, _mm256_permute4x64_epi64, _mm256_set_m128i, _mm256_set1_epi16,
    _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_sll_epi16, _mm256_slli_epi16,
    _mm256_srli_epi16, _mm256_testc_si256, _mm256_testz_si256, _mm256_unpackhi_epi64,
    _mm256_unpacklo_epi64, _mm256_xor_si256,
};
use std::ops::{Add, BitAnd, BitOr};

use super::super::cell::Cell;
use super::{ALL_DIGITS, Job, Vector};

/// 27 lanes in three registers.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(in super::super) struct Avx2([__m256i; 3]);

const fn lane(row: usize, stack: usize) -> usize {
    4 * (row % 3) + stack
}

/// All bits in the lanes in use.
static USED: Lanes = {
    let mut lanes = [0; 16];
    let mut mini_row = 0;
    while mini_row < 9 {
        lanes[lane(mini_row / 3, mini_row % 3)] = u16::MAX;
        mini_row += 1;
    }
    Lanes(lanes)
};

/// The numbers of the lanes.
static LANES: Lanes = {
    let mut lanes = [0; 16];
    let mut lane = 0;
    while lane < 16 {
        lanes[lane] = lane as u16;
        lane += 1;
    }
    Lanes(lanes)
};

/// For each vector and each band the numbers of the cells.
static INDICES: [[Lanes; 3]; 3] = [
    [indices(0, 0), indices(0, 1), indices(0, 2)],
    [indices(1, 0), indices(1, 1), indices(1, 2)],
    [indices(2, 0), indices(2, 1), indices(2, 2)],
];

const fn indices(column: usize, band: usize) -> Lanes {
    let mut lanes = [0; 16];
    let mut mini_row = 0;
    while mini_row < 9 {
        let (row, stack) = (mini_row / 3, mini_row % 3);
        lanes[lane(row, stack)] = (27 * band + 9 * row + 3 * stack + column) as u16;
        mini_row += 1;
    }
    Lanes(lanes)
}

/// An operand of sixteen lanes.
#[repr(align(32))]
struct Lanes([u16; 16]);

impl Lanes {
    #[inline(always)]
    fn load(&self) -> __m256i {
        unsafe { _mm256_load_si256(self.0.as_ptr().cast()) }
    }
}

#[inline(always)]
fn load_bands([first, second, third]: &[Lanes; 3]) -> Avx2 {
    Avx2([first.load(), second.load(), third.load()])
}

/// The same sixteen bytes in both halves.
#[inline(always)]
fn twice(bytes: [i8; 16]) -> __m256i {
    unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast())) }
}

/// Each lane without its lowest bit.
#[inline(always)]
fn without_lowest(bits: __m256i) -> __m256i {
    unsafe { _mm256_and_si256(bits, _mm256_add_epi16(bits, _mm256_set1_epi16(-1))) }
}

/// The lanes with one bit or none: all bits there.
#[inline(always)]
fn single(bits: __m256i) -> __m256i {
    is_empty(without_lowest(bits))
}

/// The empty lanes: all bits there.
#[inline(always)]
fn is_empty(bits: __m256i) -> __m256i {
    unsafe { _mm256_cmpeq_epi16(bits, _mm256_setzero_si256()) }
}

#[inline(always)]
fn is_zero([first, second, third]: [__m256i; 3]) -> bool {
    unsafe {
        let all = _mm256_or_si256(_mm256_or_si256(first, second), third);
        _mm256_testz_si256(all, all) == 1
    }
}

impl Avx2 {
    /// Whether this machine has the instructions.
    pub(in super::super) fn is_supported() -> bool {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    }
}

/// What an expression of intrinsics is for each of the bands 0, 1 and 2.
macro_rules! bands {
    ($band:ident => $value:expr) => {
        Avx2([bands!(0, $band, $value), bands!(1, $band, $value), bands!(2, $band, $value)])
    };
    ($number:literal, $band:ident, $value:expr) => {{
        const $band: usize = $number;
        unsafe { $value }
    }};
}

impl Vector for Avx2 {
    #[inline(always)]
    fn run<J: Job<Self>>(job: J) -> J::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn inner<J: Job<Avx2>>(job: J) -> J::Output {
            job.run()
        }
        unsafe { inner(job) }
    }

    #[inline(always)]
    fn from_digits(digits: &[u8; Cell::COUNT]) -> [Self; 3] {
        let mut grid = [0; GRID];
        grid[..Cell::COUNT].copy_from_slice(digits);
        [
            Self([read(&grid, 0, 0), read(&grid, 1, 0), read(&grid, 2, 0)]),
            Self([read(&grid, 0, 1), read(&grid, 1, 1), read(&grid, 2, 1)]),
            Self([read(&grid, 0, 2), read(&grid, 1, 2), read(&grid, 2, 2)]),
        ]
    }

    #[inline(always)]
    fn to_digits([a, b, c]: [Self; 3]) -> [u8; Cell::COUNT] {
        let mut grid = [0; GRID];
        for band in 0..3 {
            write([a.0[band], b.0[band], c.0[band]], &mut grid, band);
        }
        *grid.first_chunk().expect("81 bytes are fewer")
    }

    #[inline(always)]
    fn cell_indices() -> [Self; 3] {
        let [a, b, c] = &INDICES;
        [load_bands(a), load_bands(b), load_bands(c)]
    }

    #[inline(always)]
    fn splat(bits: u16) -> Self {
        bands!(_B => _mm256_and_si256(USED.load(), _mm256_set1_epi16(bits.cast_signed())))
    }

    #[inline(always)]
    fn lane(&self, row: usize, stack: usize) -> u16 {
        let bands: &[[u16; 16]; 3] = unsafe { &*(&raw const self.0).cast() };
        bands[row / 3][lane(row, stack)]
    }

    #[inline(always)]
    fn one_lane(row: usize, stack: usize, bits: u16) -> Self {
        let lane = lane(row, stack) as i16;
        let [none, wanted] = [0, bits.cast_signed()];
        bands!(B => {
            let bits = _mm256_set1_epi16(if row / 3 == B { wanted } else { none });
            _mm256_and_si256(_mm256_cmpeq_epi16(LANES.load(), _mm256_set1_epi16(lane)), bits)
        })
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        bands!(B => _mm256_andnot_si256(other.0[B], self.0[B]))
    }

    #[inline(always)]
    fn next_stack(self) -> Self {
        let from = twice([2, 3, 4, 5, 0, 1, -1, -1, 10, 11, 12, 13, 8, 9, -1, -1]);
        bands!(B => _mm256_shuffle_epi8(self.0[B], from))
    }

    #[inline(always)]
    fn previous_stack(self) -> Self {
        let from = twice([4, 5, 0, 1, 2, 3, -1, -1, 12, 13, 8, 9, 10, 11, -1, -1]);
        bands!(B => _mm256_shuffle_epi8(self.0[B], from))
    }

    #[inline(always)]
    fn next_row(self) -> Self {
        bands!(B => _mm256_permute4x64_epi64::<0b11_00_10_01>(self.0[B]))
    }

    #[inline(always)]
    fn previous_row(self) -> Self {
        bands!(B => _mm256_permute4x64_epi64::<0b11_01_00_10>(self.0[B]))
    }

    #[inline(always)]
    fn next_band(self) -> Self {
        let [first, second, third] = self.0;
        Self([second, third, first])
    }

    #[inline(always)]
    fn previous_band(self) -> Self {
        let [first, second, third] = self.0;
        Self([third, first, second])
    }

    #[inline(always)]
    fn in_one_band(self) -> Self {
        let [first, second, third] = self.0;
        Self([unsafe { _mm256_or_si256(_mm256_or_si256(first, second), third) }; 3])
    }

    #[inline(always)]
    fn in_two_bands(self) -> Self {
        let [first, second, third] = self.0;
        Self(
            [unsafe {
                _mm256_or_si256(
                    _mm256_and_si256(first, second),
                    _mm256_and_si256(_mm256_or_si256(first, second), third),
                )
            }; 3],
        )
    }

    #[inline(always)]
    fn single_or_in(self, kept: Self) -> Self {
        bands!(B => _mm256_and_si256(self.0[B], _mm256_or_si256(single(self.0[B]), kept.0[B])))
    }

    #[inline(always)]
    fn or_else(self, other: Self) -> Self {
        bands!(B => _mm256_or_si256(
            self.0[B],
            _mm256_and_si256(is_empty(self.0[B]), other.0[B]),
        ))
    }

    #[inline(always)]
    fn where_several(self, bits: Self) -> Self {
        bands!(B => _mm256_andnot_si256(single(bits.0[B]), self.0[B]))
    }

    #[inline(always)]
    fn where_three(self) -> Self {
        bands!(B => {
            let two = without_lowest(without_lowest(self.0[B]));
            _mm256_andnot_si256(is_empty(two), _mm256_and_si256(single(two), self.0[B]))
        })
    }

    #[inline(always)]
    fn count<const SHIFT: u32>(self) -> Self {
        let counts = twice([0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4]);
        bands!(B => {
            let nibble = _mm256_set1_epi16(0xF);
            let [low, middle, high] = [
                _mm256_and_si256(self.0[B], nibble),
                _mm256_and_si256(_mm256_srli_epi16::<4>(self.0[B]), nibble),
                _mm256_srli_epi16::<8>(self.0[B]),
            ];
            let low = _mm256_shuffle_epi8(counts, low);
            let middle = _mm256_shuffle_epi8(counts, middle);
            let high = _mm256_shuffle_epi8(counts, high);
            let count = _mm256_add_epi16(_mm256_add_epi16(low, middle), high);
            _mm256_sll_epi16(count, _mm_cvtsi32_si128(SHIFT as i32))
        })
    }

    #[inline(always)]
    fn is_full(self) -> bool {
        unsafe {
            let all = _mm256_and_si256(_mm256_and_si256(self.0[0], self.0[1]), self.0[2]);
            _mm256_testc_si256(all, Self::splat(ALL_DIGITS).0[0]) == 1
        }
    }

    #[inline(always)]
    fn any_empty([a, b, c]: [Self; 3]) -> bool {
        let Self([first, second, third]) =
            bands!(B => _mm256_min_epu16(_mm256_min_epu16(a.0[B], b.0[B]), c.0[B]));
        unsafe {
            let least = _mm256_min_epu16(_mm256_min_epu16(first, second), third);
            _mm256_testz_si256(is_empty(least), USED.load()) == 0
        }
    }

    #[inline(always)]
    fn all_equal([a, b, c]: [Self; 3], [other_a, other_b, other_c]: [Self; 3]) -> bool {
        let Self(different) = bands!(B => {
            let different = _mm256_xor_si256(a.0[B], other_a.0[B]);
            let different = _mm256_or_si256(different, _mm256_xor_si256(b.0[B], other_b.0[B]));
            _mm256_or_si256(different, _mm256_xor_si256(c.0[B], other_c.0[B]))
        });
        is_zero(different)
    }

    #[inline(always)]
    fn all_single([a, b, c]: [Self; 3]) -> bool {
        let Self(rest) = bands!(B => {
            let rest = _mm256_or_si256(without_lowest(a.0[B]), without_lowest(b.0[B]));
            _mm256_or_si256(rest, without_lowest(c.0[B]))
        });
        is_zero(rest)
    }

    #[inline(always)]
    fn highest([a, b, c]: [Self; 3]) -> u16 {
        let Self([first, second, third]) =
            bands!(B => _mm256_max_epu16(_mm256_max_epu16(a.0[B], b.0[B]), c.0[B]));
        unsafe {
            let all = _mm256_max_epu16(_mm256_max_epu16(first, second), third);
            let [low, high] = [_mm256_castsi256_si128(all), _mm256_extracti128_si256::<1>(all)];
            let inverted = _mm_xor_si128(_mm_max_epu16(low, high), _mm_set1_epi16(-1));
            !(_mm_extract_epi16::<0>(_mm_minpos_epu16(inverted)) as u16)
        }
    }
}

/// A grid with room for sixteen bytes at the start of each row.
const GRID: usize = 88;

#[inline(always)]
fn load_row(grid: &[u8; GRID], row: usize) -> __m128i {
    let bytes: &[u8; 16] = grid[9 * row..].first_chunk().expect("there is room after each row");
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

#[inline(always)]
fn store_row(cells: __m128i, grid: &mut [u8; GRID], row: usize) {
    let bytes: &mut [u8; 16] =
        grid[9 * row..].first_chunk_mut().expect("there is room after each row");
    unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), cells) }
}

/// The digits of a band of a grid in this column of each stack, as one-bit sets; 0 as the empty one.
#[inline(always)]
fn read(grid: &[u8; GRID], band: usize, column: i8) -> __m256i {
    const NONE: i8 = -1;
    unsafe {
        let from = _mm_setr_epi8(
            column,
            NONE,
            column + 3,
            NONE,
            column + 6,
            NONE,
            NONE,
            NONE, //
            NONE,
            NONE,
            NONE,
            NONE,
            NONE,
            NONE,
            NONE,
            NONE,
        );
        let first = _mm_shuffle_epi8(load_row(grid, 3 * band), from);
        let second = _mm_shuffle_epi8(load_row(grid, 3 * band + 1), from);
        let third = _mm_shuffle_epi8(load_row(grid, 3 * band + 2), from);
        let digits = _mm256_set_m128i(third, _mm_unpacklo_epi64(first, second));

        let to_eight = twice([0, 1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0]);
        let nine = _mm256_cmpeq_epi16(digits, _mm256_set1_epi16(9));
        let nine = _mm256_and_si256(nine, _mm256_set1_epi16(1 << 8));
        _mm256_or_si256(_mm256_shuffle_epi8(to_eight, digits), nine)
    }
}

/// The digits of one-bit sets.
#[inline(always)]
fn digits(sets: __m256i) -> __m256i {
    unsafe {
        let to_four = twice([0, 1, 2, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0]);
        let to_eight = twice([0, 5, 6, 0, 7, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0]);
        let nibble = _mm256_set1_epi16(0xF);
        let low = _mm256_shuffle_epi8(to_four, _mm256_and_si256(sets, nibble));
        let middle = _mm256_and_si256(_mm256_srli_epi16::<4>(sets), nibble);
        let middle = _mm256_shuffle_epi8(to_eight, middle);
        let nine = _mm256_cmpeq_epi16(sets, _mm256_set1_epi16(1 << 8));
        let nine = _mm256_and_si256(nine, _mm256_set1_epi16(9));
        _mm256_or_si256(_mm256_or_si256(low, middle), nine)
    }
}

/// Writes the digits of a band to its place in the grid, and more behind it.
#[inline(always)]
fn write([a, b, c]: [__m256i; 3], grid: &mut [u8; GRID], band: usize) {
    unsafe {
        let first_two = _mm256_or_si256(digits(a), _mm256_slli_epi16::<8>(digits(b)));
        let third = digits(c);
        let in_order = twice([0, 1, 8, 2, 3, 10, 4, 5, 12, -1, -1, -1, -1, -1, -1, -1]);
        let [odd, even] = [
            _mm256_shuffle_epi8(_mm256_unpacklo_epi64(first_two, third), in_order),
            _mm256_shuffle_epi8(_mm256_unpackhi_epi64(first_two, third), in_order),
        ];
        store_row(_mm256_castsi256_si128(odd), grid, 3 * band);
        store_row(_mm256_castsi256_si128(even), grid, 3 * band + 1);
        store_row(_mm256_extracti128_si256::<1>(odd), grid, 3 * band + 2);
    }
}

impl Add for Avx2 {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        bands!(B => _mm256_add_epi16(self.0[B], other.0[B]))
    }
}

impl BitAnd for Avx2 {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        bands!(B => _mm256_and_si256(self.0[B], other.0[B]))
    }
}

impl BitOr for Avx2 {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        bands!(B => _mm256_or_si256(self.0[B], other.0[B]))
    }
}
