//! What each operation on vectors has to do, on every instruction set.

use super::super::cell::{CELLS, Cell};
use super::super::digit::DIGITS;
use super::sample::{Grid, Law, grid, holds_on_every_instruction_set, scattered, vectors};
use super::{ALL_DIGITS, Job, Vector};

/// The cell in the lane so many bands, rows and stacks on.
fn moved(cell: Cell, bands: usize, rows: usize, stacks: usize) -> usize {
    let (row, column) = (cell.row(), cell.column());
    let row = (row / 3 + bands) % 3 * 3 + (row % 3 + rows) % 3;
    let column = (column / 3 + stacks) % 3 * 3 + column % 3;
    9 * row + column
}

fn zip(a: &Grid, b: &Grid, operation: impl Fn(u16, u16) -> u16) -> Grid {
    std::array::from_fn(|index| operation(a[index], b[index]))
}

/// Several grids at a time, so that operations have different operands.
fn triples() -> impl Iterator<Item = [Grid; 3]> {
    let grids: Vec<Grid> = scattered().collect();
    (0..grids.len() - 37).map(move |index| [grids[index], grids[index + 5], grids[index + 37]])
}

#[test]
fn lanes_hold_what_was_put_in_them() {
    struct Lanes;
    impl Law for Lanes {
        fn hold<V: Vector>() {
            for sample in scattered() {
                assert_eq!(grid(vectors::<V>(&sample)), sample);
            }
            assert_eq!(grid([V::splat(ALL_DIGITS); 3]), [ALL_DIGITS; 81]);
            let indices = CELLS.map(|cell| u16::try_from(cell.index()).expect("there are 81"));
            assert_eq!(grid(V::cell_indices()), indices);
        }
    }
    holds_on_every_instruction_set::<Lanes>();
}

#[test]
fn digits_are_read_and_written_in_their_cells() {
    struct Digits;
    impl Law for Digits {
        fn hold<V: Vector>() {
            for shift in 0..10_u8 {
                let digits: Vec<u8> = (shift..=9).chain(0..=9).cycle().take(81).collect();
                let digits = <[u8; 81]>::try_from(digits).expect("81 were taken");
                let sets = digits.map(|digit| if digit == 0 { 0 } else { 1 << (digit - 1) });
                assert_eq!(grid(V::from_digits(&digits)), sets);
                let complete = digits.map(|digit| digit.max(1));
                assert_eq!(V::to_digits(V::from_digits(&complete)), complete);
            }
        }
    }
    holds_on_every_instruction_set::<Digits>();
}

type Move<V> = fn(V) -> V;

#[test]
fn moves_go_one_step_along_their_ring() {
    struct Moves;
    impl Law for Moves {
        fn hold<V: Vector>() {
            let moves: [(Move<V>, [usize; 3]); 6] = [
                (V::next_band, [1, 0, 0]),
                (V::previous_band, [2, 0, 0]),
                (V::next_row, [0, 1, 0]),
                (V::previous_row, [0, 2, 0]),
                (V::next_stack, [0, 0, 1]),
                (V::previous_stack, [0, 0, 2]),
            ];
            for sample in scattered().take(20) {
                for (step, [bands, rows, stacks]) in moves {
                    let expected = CELLS.map(|cell| sample[moved(cell, bands, rows, stacks)]);
                    assert_eq!(grid(vectors::<V>(&sample).map(step)), expected);
                }
            }
        }
    }
    holds_on_every_instruction_set::<Moves>();
}

#[test]
fn bits_are_combined_lane_by_lane() {
    struct Bits;
    impl Law for Bits {
        fn hold<V: Vector>() {
            for samples in triples() {
                let in_vectors = samples.map(|sample| vectors::<V>(&sample));
                let [a, b, c] = &samples;
                let pairs = |operation: fn(V, V) -> V| {
                    grid([0, 1, 2].map(|k| operation(in_vectors[0][k], in_vectors[1][k])))
                };
                assert_eq!(pairs(|x, y| x & y), zip(a, b, |a, b| a & b));
                assert_eq!(pairs(|x, y| x | y), zip(a, b, |a, b| a | b));
                assert_eq!(pairs(|x, y| x + y), zip(a, b, |a, b| a + b));
                assert_eq!(pairs(V::without), zip(a, b, |a, b| a & !b));
                assert_eq!(pairs(V::or_else), zip(a, b, |a, b| if a == 0 { b } else { a }));
                let single_or_in = |a: u16, b| if a.count_ones() < 2 { a } else { a & b };
                assert_eq!(pairs(V::single_or_in), zip(a, b, single_or_in));
                let where_several = |a, b: u16| if b.count_ones() < 2 { 0 } else { a };
                assert_eq!(pairs(V::where_several), zip(a, b, where_several));

                let threes =
                    |operation: fn(V, V, V) -> V| {
                        grid([0, 1, 2].map(|k| {
                            operation(in_vectors[0][k], in_vectors[1][k], in_vectors[2][k])
                        }))
                    };
                assert_eq!(threes(V::in_one), zip(&zip(a, b, |a, b| a | b), c, |ab, c| ab | c));
                let two = std::array::from_fn(|i| a[i] & b[i] | a[i] & c[i] | b[i] & c[i]);
                assert_eq!(threes(V::in_two), two);

                let where_three = a.map(|a| if a.count_ones() == 3 { a } else { 0 });
                assert_eq!(grid(in_vectors[0].map(V::where_three)), where_three);
                let counts = a.map(|a| u16::try_from(a.count_ones()).expect("at most 16") << 12);
                assert_eq!(grid(in_vectors[0].map(V::count::<12>)), counts);

                let bands = CELLS.map(|cell| [0, 1, 2].map(|bands| a[moved(cell, bands, 0, 0)]));
                assert_eq!(
                    grid(in_vectors[0].map(V::in_one_band)),
                    bands.map(|[a, b, c]| a | b | c)
                );
                let two = bands.map(|[a, b, c]| a & b | a & c | b & c);
                assert_eq!(grid(in_vectors[0].map(V::in_two_bands)), two);
            }
        }
    }
    holds_on_every_instruction_set::<Bits>();
}

#[test]
fn one_cell_makes_the_difference_to_what_holds_for_all() {
    struct Questions;
    impl Law for Questions {
        fn hold<V: Vector>() {
            let [full, one] = [[ALL_DIGITS; 81], [1; 81]];
            let all_full = |grid: &Grid| vectors::<V>(grid).into_iter().all(V::is_full);
            assert!(all_full(&full));
            assert!(!V::any_empty(vectors::<V>(&one)));
            assert!(V::all_single(vectors::<V>(&one)) && V::all_single(vectors::<V>(&[0; 81])));
            assert!(V::all_equal(vectors::<V>(&full), vectors::<V>(&full)));
            for index in 0..81 {
                let with = |grid: &Grid, bits| {
                    let mut changed = *grid;
                    changed[index] = bits;
                    changed
                };
                for digit in DIGITS {
                    let bit = 1 << digit.index();
                    assert!(!all_full(&with(&full, ALL_DIGITS & !bit)));
                    assert!(!V::any_empty(vectors::<V>(&with(&one, bit))));
                    assert!(V::all_single(vectors::<V>(&with(&one, bit))));
                    assert!(!V::all_equal(vectors::<V>(&full), vectors::<V>(&with(&full, bit))));
                    assert_eq!(V::highest(vectors::<V>(&with(&one, bit))), bit);
                    assert_eq!(V::highest(vectors::<V>(&with(&one, 0xFF00 | bit))), 0xFF00 | bit);
                    let two = with(&one, bit | if bit == 1 { 2 } else { 1 });
                    assert!(!V::all_single(vectors::<V>(&two)));
                }
                assert!(V::any_empty(vectors::<V>(&with(&one, 0))));
            }
        }
    }
    holds_on_every_instruction_set::<Questions>();
}

#[test]
fn a_job_is_done_once_and_gives_what_it_makes() {
    struct Jobs;
    struct Count<'a>(&'a mut u32);
    impl<V> Job<V> for Count<'_> {
        type Output = u32;

        fn run(self) -> u32 {
            *self.0 += 1;
            7
        }
    }
    impl Law for Jobs {
        fn hold<V: Vector>() {
            let mut done = 0;
            assert_eq!((V::run(Count(&mut done)), done), (7, 1));
        }
    }
    holds_on_every_instruction_set::<Jobs>();
}
