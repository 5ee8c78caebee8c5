//! Laws that hold for any grid.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};
use sudoku_api::sudoku::{Cell, Digit, Givens, House, Interrupt, Outcome, Solution, solve};

use crate::grids::{self, HARD, OWN};
use crate::oracle::{seen_from, solve_naively};

/// Enough for most grids; the others are left out.
const NAIVE_CALLS: u32 = 5_000;

fn answer(givens: &Givens) -> Outcome {
    grids::answer_of_all(givens).0
}

fn solution_of(givens: &Givens) -> Option<Solution> {
    match answer(givens) {
        Outcome::Solved { solution, .. } => Some(solution),
        Outcome::Unsolvable => None,
        Outcome::Interrupted => unreachable!("nobody interrupts"),
    }
}

/// Any clue that fits what is there; most such grids have many solutions, some have none.
fn few_clues() -> impl Strategy<Value = Givens> {
    let clue = (select(cells()), select(digits()));
    vec(clue, 0..=24).prop_map(|clues| {
        let mut givens = Givens::default();
        for (cell, digit) in clues {
            if givens.get(cell).is_none() && !seen_from(&givens, cell).contains(&digit) {
                givens.set(cell, Some(digit));
            }
        }
        givens
    })
}

/// Some digits of a solution; such grids have one solution or several.
fn many_clues() -> impl Strategy<Value = Givens> {
    (complete(), subsequence(cells(), 22..=60)).prop_map(|(solution, kept)| {
        let mut givens = Givens::default();
        for cell in kept {
            givens.set(cell, Some(solution.get(cell)));
        }
        givens
    })
}

/// Some digits of a solution and one that is not of it; most such grids have no solution.
fn spoilt() -> impl Strategy<Value = Givens> {
    (many_clues(), select(cells()), select(digits())).prop_map(|(mut givens, cell, digit)| {
        givens.set(cell, Some(digit));
        givens
    })
}

fn any_grid() -> impl Strategy<Value = Givens> {
    prop_oneof![few_clues(), many_clues(), spoilt()]
}

fn complete() -> impl Strategy<Value = Solution> {
    let solved: Vec<Solution> =
        grids::rows(OWN).step_by(9).filter_map(|row| solution_of(&row.givens)).collect();
    select(solved)
}

fn cells() -> Vec<Cell> {
    Cell::all().collect()
}

fn digits() -> Vec<Digit> {
    Digit::all().collect()
}

/// A symmetry of Sudoku: what is a row, where the rows and columns go, and what the digits are called.
#[derive(Clone, Debug)]
struct Symmetry {
    transposed: bool,
    rows: Vec<usize>,
    columns: Vec<usize>,
    digits: Vec<Digit>,
}

impl Symmetry {
    fn any() -> impl Strategy<Value = Self> {
        let renamed = Just(digits()).prop_shuffle();
        (any::<bool>(), lines(), lines(), renamed).prop_map(
            |(transposed, rows, columns, digits)| Self { transposed, rows, columns, digits },
        )
    }

    fn apply(&self, givens: &Givens) -> Givens {
        let mut image = Givens::default();
        for (cell, digit) in givens.iter() {
            let (row, column) = (self.rows[cell.row()], self.columns[cell.column()]);
            let (row, column) = if self.transposed { (column, row) } else { (row, column) };
            let to = Cell::new(row, column).expect("rows and columns are permuted");
            image.set(to, Some(self.digits[usize::from(digit.get()) - 1]));
        }
        image
    }
}

/// The nine rows, or columns, shuffled in their bands, which are shuffled too.
fn lines() -> impl Strategy<Value = Vec<usize>> {
    let order = || Just(vec![0, 1, 2]).prop_shuffle();
    (order(), [order(), order(), order()]).prop_map(|(bands, within)| {
        bands
            .iter()
            .zip(&within)
            .flat_map(|(band, lines)| lines.iter().map(move |line| 3 * band + line))
            .collect()
    })
}

fn solvable_and_unique(outcome: Outcome) -> (bool, bool) {
    match outcome {
        Outcome::Solved { unique, .. } => (true, unique),
        Outcome::Unsolvable => (false, false),
        Outcome::Interrupted => unreachable!("nobody interrupts"),
    }
}

proptest! {
    #[test]
    fn a_solution_extends_its_givens_and_has_nine_digits_in_every_house(givens in any_grid()) {
        if let Some(solution) = solution_of(&givens) {
            for (cell, digit) in givens.iter() {
                prop_assert_eq!(solution.get(cell), digit);
            }
            for house in House::all() {
                let mut held = house.cells().map(|cell| solution.get(cell));
                held.sort_unstable();
                prop_assert_eq!(held.to_vec(), digits());
            }
        }
    }

    #[test]
    fn the_answer_to_few_clues_is_the_naive_one(givens in few_clues()) {
        let naive = solve_naively(&givens, NAIVE_CALLS);
        prop_assume!(naive.is_some());
        prop_assert_eq!(Some(answer(&givens)), naive);
    }

    #[test]
    fn the_answer_to_many_clues_is_the_naive_one(givens in many_clues()) {
        let naive = solve_naively(&givens, NAIVE_CALLS);
        prop_assume!(naive.is_some());
        prop_assert_eq!(Some(answer(&givens)), naive);
    }

    #[test]
    fn the_answer_to_spoilt_clues_is_the_naive_one(givens in spoilt()) {
        let naive = solve_naively(&givens, NAIVE_CALLS);
        prop_assume!(naive.is_some());
        prop_assert_eq!(Some(answer(&givens)), naive);
    }

    #[test]
    fn adding_a_digit_of_the_answer_keeps_the_answer(
        givens in prop_oneof![few_clues(), many_clues()],
        added in select(cells()),
    ) {
        if let Some(solution) = solution_of(&givens) {
            let mut more = givens;
            more.set(added, Some(solution.get(added)));
            prop_assert_eq!(solution_of(&more), Some(solution));
        }
    }

    #[test]
    fn taking_a_given_away_never_makes_the_smallest_solution_larger(
        givens in any_grid(),
        taken in any::<Index>(),
    ) {
        prop_assume!(givens.clue_count() > 0);
        let (cell, _) = *taken.get(&givens.iter().collect::<Vec<_>>());
        let mut fewer = givens;
        fewer.set(cell, None);
        if let Some(solution) = solution_of(&givens) {
            let smaller = solution_of(&fewer);
            prop_assert!(smaller.is_some_and(|smaller| smaller <= solution), "{:?}", smaller);
        }
    }

    #[test]
    fn symmetries_keep_solvability_and_uniqueness(
        givens in any_grid(),
        symmetry in Symmetry::any(),
    ) {
        let image = symmetry.apply(&givens);
        prop_assert_eq!(image.clue_count(), givens.clue_count());
        prop_assert_eq!(solvable_and_unique(answer(&image)), solvable_and_unique(answer(&givens)));
    }

    #[test]
    fn an_interrupted_run_never_says_anything_else(givens in any_grid(), nodes in 0..200_u64) {
        let whole = Interrupt::new();
        let expected = solve(&givens, &whole);
        let limited = Interrupt::after(nodes);
        let outcome = solve(&givens, &limited);
        if whole.nodes() <= nodes {
            prop_assert_eq!(outcome, expected);
            prop_assert!(!limited.is_raised());
        } else {
            prop_assert_eq!(outcome, Outcome::Interrupted);
            prop_assert_eq!(limited.nodes(), nodes);
        }
    }
}

#[test]
fn wherever_it_is_interrupted_a_run_says_nothing_else() {
    for row in grids::rows(OWN).step_by(60).chain(grids::rows(HARD).step_by(7)) {
        let whole = Interrupt::new();
        let expected = solve(&row.givens, &whole);
        let all = whole.nodes();
        let early = 0..all.min(20);
        let late = (20..all).step_by(1 + usize::try_from(all / 10).expect("few nodes"));
        for nodes in early.chain(late) {
            let limited = Interrupt::after(nodes);
            assert_eq!(solve(&row.givens, &limited), Outcome::Interrupted, "{nodes}: {row:?}");
            assert_eq!(limited.nodes(), nodes, "{row:?}");
        }
        assert_eq!(solve(&row.givens, &Interrupt::after(all)), expected, "{row:?}");
    }
}
