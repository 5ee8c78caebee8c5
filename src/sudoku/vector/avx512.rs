//! One register of AVX-512: 27 lanes in the order of the picture, and five that stay empty.
//!
//! Beyond the foundation it takes byte permutes (VBMI), for the moves, and counts of bits in lanes (BITALG).
//! Processors have both since Ice Lake and Zen 4.
//!
//! # Safety
//!
//! All `unsafe` blocks rest on two things. The instructions are there: [`Avx512`] is only named after
//! [`Avx512::is_supported`] said so, in `instruction_set.rs`. And what is loaded or stored is a reference
//! to an array of just that size.
#![expect(unsafe_code, reason = "instructions that not every machine has")]
#![expect(clippy::inline_always, reason = "see `Job`")]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "numbers of cells, lanes and bytes, and lanes of sixteen bits"
)]

use std::arch::is_x86_feature_detected;
use std::arch::x86_64::{
    __m512i, __mmask32, __mmask64, _mm_extract_epi16, _mm_max_epu16, _mm_minpos_epu16,
    _mm_set1_epi16, _mm_xor_si128, _mm256_castsi256_si128, _mm256_extracti128_si256,
    _mm256_max_epu16, _mm512_add_epi16, _mm512_and_si512, _mm512_andnot_si512,
    _mm512_castsi512_si256, _mm512_cmpeq_epi16_mask, _mm512_extracti64x4_epi64, _mm512_loadu_si512,
    _mm512_mask_mov_epi16, _mm512_maskz_mov_epi16, _mm512_maskz_permutex2var_epi8,
    _mm512_maskz_set1_epi16, _mm512_max_epu16, _mm512_or_si512, _mm512_permutex2var_epi8,
    _mm512_permutexvar_epi8, _mm512_popcnt_epi16, _mm512_set1_epi16, _mm512_slli_epi16,
    _mm512_sllv_epi16, _mm512_storeu_si512, _mm512_ternarylogic_epi64, _mm512_test_epi16_mask,
    _mm512_test_epi64_mask, _mm512_testn_epi16_mask, _mm512_xor_si512,
};
use std::ops::{Add, BitAnd, BitOr};

use super::super::cell::Cell;
use super::{ALL_DIGITS, Job, Vector};

/// 27 lanes in one register.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(in super::super) struct Avx512(__m512i);

/// The lanes in use.
const USED: __mmask32 = (1 << 27) - 1;

/// The lower bytes of the lanes in use.
const LOWER_BYTES: __mmask64 = 0x0015_5555_5555_5555;

/// An operand of sixty-four bytes: for permutes, where each byte comes from.
#[repr(align(64))]
struct Bytes([u8; 64]);

static NEXT_STACK: Bytes = moved(0, 0, 1);
static PREVIOUS_STACK: Bytes = moved(0, 0, 2);
static NEXT_ROW: Bytes = moved(0, 1, 0);
static PREVIOUS_ROW: Bytes = moved(0, 2, 0);
static NEXT_BAND: Bytes = moved(1, 0, 0);
static PREVIOUS_BAND: Bytes = moved(2, 0, 0);

/// Each lane from the one so many bands, rows and stacks on.
const fn moved(bands: usize, rows: usize, stacks: usize) -> Bytes {
    let mut from = [0; 64];
    let mut lane = 0;
    while lane < 32 {
        let source = if lane < 27 {
            let band = (lane / 9 + bands) % 3;
            let row = (lane / 3 + rows) % 3;
            let stack = (lane + stacks) % 3;
            9 * band + 3 * row + stack
        } else {
            lane
        };
        from[2 * lane] = 2 * source as u8;
        from[2 * lane + 1] = 2 * source as u8 + 1;
        lane += 1;
    }
    Bytes(from)
}

/// A grid of 81 bytes is in two registers that overlap: the first sixty-four bytes and the last.
const LAST: usize = Cell::COUNT - 64;

/// For each vector, where in the two registers its cells are: in the even bytes, one a lane.
static CELLS: [Bytes; 3] = [cells(0), cells(1), cells(2)];

const fn cells(column: usize) -> Bytes {
    let mut from = [0; 64];
    let mut lane = 0;
    while lane < 27 {
        let cell = 3 * lane + column;
        from[2 * lane] = if cell < 64 { cell as u8 } else { (64 + cell - LAST) as u8 };
        lane += 1;
    }
    Bytes(from)
}

/// For each half of a grid, where its cells are: the first two of a mini-row in the bytes of one register, the
/// third in the even bytes of another.
static GRID: [Bytes; 2] = [grid(0), grid(LAST)];

const fn grid(start: usize) -> Bytes {
    let mut from = [0; 64];
    let mut byte = 0;
    while byte < 64 {
        let cell = start + byte;
        let (lane, column) = (cell / 3, cell % 3);
        from[byte] = if column < 2 { 2 * lane + column } else { 64 + 2 * lane } as u8;
        byte += 1;
    }
    Bytes(from)
}

static INDICES: [Bytes; 3] = [indices(0), indices(1), indices(2)];

const fn indices(column: usize) -> Bytes {
    let mut numbers = [0; 64];
    let mut lane = 0;
    while lane < 27 {
        numbers[2 * lane] = (3 * lane + column) as u8;
        lane += 1;
    }
    Bytes(numbers)
}

#[inline(always)]
fn load(bytes: &[u8; 64]) -> __m512i {
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

#[inline(always)]
fn store(vector: __m512i, to: &mut [u8; 64]) {
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), vector) }
}

impl Avx512 {
    /// Whether this machine has the instructions.
    pub(in super::super) fn is_supported() -> bool {
        is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512bitalg")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    }

    #[inline(always)]
    fn permuted(self, from: &Bytes) -> Self {
        Self(unsafe { _mm512_permutexvar_epi8(load(&from.0), self.0) })
    }

    /// One less in each lane; all bits in an empty one.
    #[inline(always)]
    fn less_one(self) -> __m512i {
        unsafe { _mm512_add_epi16(self.0, _mm512_set1_epi16(-1)) }
    }

    /// The lanes with one bit or none.
    #[inline(always)]
    fn single(self) -> __mmask32 {
        unsafe { _mm512_testn_epi16_mask(self.0, self.less_one()) }
    }

    /// The digits at these places of a grid in two registers, each as a one-bit set; 0 as the empty one.
    #[inline(always)]
    fn picked(first: __m512i, last: __m512i, from: &Bytes) -> Self {
        unsafe {
            let digits = _mm512_maskz_permutex2var_epi8(LOWER_BYTES, first, load(&from.0), last);
            let shifts = _mm512_add_epi16(digits, _mm512_set1_epi16(-1));
            Self(_mm512_sllv_epi16(_mm512_set1_epi16(1), shifts))
        }
    }

    /// The digit of each one-bit set.
    #[inline(always)]
    fn digits(self) -> __m512i {
        unsafe { _mm512_add_epi16(_mm512_popcnt_epi16(self.less_one()), _mm512_set1_epi16(1)) }
    }
}

impl Vector for Avx512 {
    #[inline(always)]
    fn run<J: Job<Self>>(job: J) -> J::Output {
        #[target_feature(
            enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512bitalg,bmi1,bmi2,lzcnt,popcnt"
        )]
        fn inner<J: Job<Avx512>>(job: J) -> J::Output {
            job.run()
        }
        unsafe { inner(job) }
    }

    #[inline(always)]
    fn from_digits(digits: &[u8; Cell::COUNT]) -> [Self; 3] {
        let first = load(digits.first_chunk().expect("81 bytes are more than 64"));
        let last = load(digits.last_chunk().expect("81 bytes are more than 64"));
        let [a, b, c] = &CELLS;
        [Self::picked(first, last, a), Self::picked(first, last, b), Self::picked(first, last, c)]
    }

    #[inline(always)]
    fn to_digits([a, b, c]: [Self; 3]) -> [u8; Cell::COUNT] {
        let mut grid = [0; Cell::COUNT];
        unsafe {
            let first_two = _mm512_or_si512(a.digits(), _mm512_slli_epi16::<8>(b.digits()));
            let third = c.digits();
            let halves = [
                _mm512_permutex2var_epi8(first_two, load(&GRID[0].0), third),
                _mm512_permutex2var_epi8(first_two, load(&GRID[1].0), third),
            ];
            store(halves[0], grid.first_chunk_mut().expect("81 bytes are more than 64"));
            store(halves[1], grid.last_chunk_mut().expect("81 bytes are more than 64"));
        }
        grid
    }

    #[inline(always)]
    fn cell_indices() -> [Self; 3] {
        [Self(load(&INDICES[0].0)), Self(load(&INDICES[1].0)), Self(load(&INDICES[2].0))]
    }

    #[inline(always)]
    fn splat(bits: u16) -> Self {
        Self(unsafe { _mm512_maskz_set1_epi16(USED, bits.cast_signed()) })
    }

    #[inline(always)]
    fn lane(&self, row: usize, stack: usize) -> u16 {
        let lanes: &[u16; 32] = unsafe { &*(&raw const self.0).cast() };
        lanes[3 * row + stack]
    }

    #[inline(always)]
    fn one_lane(row: usize, stack: usize, bits: u16) -> Self {
        Self(unsafe { _mm512_maskz_set1_epi16(1 << (3 * row + stack), bits.cast_signed()) })
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Self(unsafe { _mm512_andnot_si512(other.0, self.0) })
    }

    #[inline(always)]
    fn in_one(a: Self, b: Self, c: Self) -> Self {
        Self(unsafe { _mm512_ternarylogic_epi64::<0b1111_1110>(a.0, b.0, c.0) })
    }

    #[inline(always)]
    fn in_two(a: Self, b: Self, c: Self) -> Self {
        Self(unsafe { _mm512_ternarylogic_epi64::<0b1110_1000>(a.0, b.0, c.0) })
    }

    #[inline(always)]
    fn next_stack(self) -> Self {
        self.permuted(&NEXT_STACK)
    }

    #[inline(always)]
    fn previous_stack(self) -> Self {
        self.permuted(&PREVIOUS_STACK)
    }

    #[inline(always)]
    fn next_row(self) -> Self {
        self.permuted(&NEXT_ROW)
    }

    #[inline(always)]
    fn previous_row(self) -> Self {
        self.permuted(&PREVIOUS_ROW)
    }

    #[inline(always)]
    fn next_band(self) -> Self {
        self.permuted(&NEXT_BAND)
    }

    #[inline(always)]
    fn previous_band(self) -> Self {
        self.permuted(&PREVIOUS_BAND)
    }

    #[inline(always)]
    fn single_or_in(self, kept: Self) -> Self {
        let kept = self & kept;
        Self(unsafe { _mm512_mask_mov_epi16(kept.0, self.single(), self.0) })
    }

    #[inline(always)]
    fn or_else(self, other: Self) -> Self {
        unsafe {
            let taken = _mm512_test_epi16_mask(self.0, self.0);
            Self(_mm512_mask_mov_epi16(other.0, taken, self.0))
        }
    }

    #[inline(always)]
    fn where_several(self, bits: Self) -> Self {
        Self(unsafe { _mm512_maskz_mov_epi16(!bits.single(), self.0) })
    }

    #[inline(always)]
    fn where_three(self) -> Self {
        unsafe {
            let three = _mm512_set1_epi16(3);
            let lanes = _mm512_cmpeq_epi16_mask(_mm512_popcnt_epi16(self.0), three);
            Self(_mm512_maskz_mov_epi16(lanes, self.0))
        }
    }

    #[inline(always)]
    fn count<const SHIFT: u32>(self) -> Self {
        Self(unsafe { _mm512_slli_epi16::<SHIFT>(_mm512_popcnt_epi16(self.0)) })
    }

    #[inline(always)]
    fn is_full(self) -> bool {
        let lacking = Self::splat(ALL_DIGITS).without(self);
        unsafe { _mm512_test_epi16_mask(lacking.0, lacking.0) == 0 }
    }

    #[inline(always)]
    fn any_empty([a, b, c]: [Self; 3]) -> bool {
        let less_one = Self::in_one(Self(a.less_one()), Self(b.less_one()), Self(c.less_one()));
        let borrowed = Self::splat(1 << 15);
        unsafe { _mm512_test_epi16_mask(less_one.0, borrowed.0) != 0 }
    }

    #[inline(always)]
    fn all_equal([a, b, c]: [Self; 3], [other_a, other_b, other_c]: [Self; 3]) -> bool {
        unsafe {
            let different = _mm512_xor_si512(a.0, other_a.0);
            let different = _mm512_or_si512(different, _mm512_xor_si512(b.0, other_b.0));
            let different = _mm512_or_si512(different, _mm512_xor_si512(c.0, other_c.0));
            _mm512_test_epi64_mask(different, different) == 0
        }
    }

    #[inline(always)]
    fn all_single([a, b, c]: [Self; 3]) -> bool {
        a.single() & b.single() & c.single() == __mmask32::MAX
    }

    #[inline(always)]
    fn highest([a, b, c]: [Self; 3]) -> u16 {
        unsafe {
            let all = _mm512_max_epu16(_mm512_max_epu16(a.0, b.0), c.0);
            let [low, high] = [_mm512_castsi512_si256(all), _mm512_extracti64x4_epi64::<1>(all)];
            let all = _mm256_max_epu16(low, high);
            let [low, high] = [_mm256_castsi256_si128(all), _mm256_extracti128_si256::<1>(all)];
            let inverted = _mm_xor_si128(_mm_max_epu16(low, high), _mm_set1_epi16(-1));
            !(_mm_extract_epi16::<0>(_mm_minpos_epu16(inverted)) as u16)
        }
    }
}

impl Add for Avx512 {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(unsafe { _mm512_add_epi16(self.0, other.0) })
    }
}

impl BitAnd for Avx512 {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(unsafe { _mm512_and_si512(self.0, other.0) })
    }
}

impl BitOr for Avx512 {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(unsafe { _mm512_or_si512(self.0, other.0) })
    }
}
