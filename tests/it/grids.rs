//! Lists of grids with their answers, one a line: set, puzzle, smallest solution or `-`, and the number of
//! solutions, where 2 stands for two or more.
//!
//! `grids_own.txt` was made for this project, and its answers come from a SAT solver. `grids_hard.txt` holds the grids
//! that broke other solvers or were bred against this one; its answers come from a SAT solver too.

use std::fs;
use std::path::PathBuf;

use sudoku_api::sudoku::{Cell, Digit, Givens, InstructionSet, Interrupt, Outcome};

/// Grids of every kind, 900 of them.
pub(crate) const OWN: &str = include_str!("../data/grids_own.txt");

/// Grids that are hard for some solver.
pub(crate) const HARD: &str = include_str!("../data/grids_hard.txt");

/// More nodes than any grid here may take: a run-away search is a wrong answer.
const NODES: u64 = 20_000;

/// A grid with its answer.
#[derive(Debug)]
pub(crate) struct Row<'a> {
    pub(crate) givens: Givens,
    set: &'a str,
    puzzle: &'a str,
    solution: &'a str,
    solutions: &'a str,
}

/// The rows of a list.
pub(crate) fn rows(list: &str) -> impl Iterator<Item = Row<'_>> {
    list.lines().map(|line| {
        let columns: Vec<&str> = line.split(' ').collect();
        let [set, puzzle, solution, solutions] =
            columns.try_into().expect("a row has four columns");
        Row { givens: givens(puzzle), set, puzzle, solution, solutions }
    })
}

/// A grid of 81 characters, of which all but digits stand for an empty cell.
pub(crate) fn givens(puzzle: &str) -> Givens {
    assert_eq!(puzzle.len(), 81, "{puzzle:?}");
    let mut givens = Givens::default();
    for (cell, character) in Cell::all().zip(puzzle.bytes()) {
        givens.set(cell, Digit::new(character.wrapping_sub(b'0')));
    }
    givens
}

/// The rows that are not answered as they say, with what they were answered.
fn wrong(list: &str) -> Vec<String> {
    rows(list)
        .filter_map(|row| {
            let (outcome, _) = answer_of_all(&row.givens);
            let (solution, solutions) = match outcome {
                Outcome::Solved { solution, unique: true } => (solution.to_string(), "1"),
                Outcome::Solved { solution, unique: false } => (solution.to_string(), "2"),
                Outcome::Unsolvable => ("-".to_owned(), "0"),
                Outcome::Interrupted => ("interrupted".to_owned(), "?"),
            };
            let right = solution == row.solution && solutions == row.solutions;
            (!right).then(|| format!("{} {}: {solution} {solutions}", row.set, row.puzzle))
        })
        .collect()
}

/// The answer, and the nodes, which all instruction sets agree on.
pub(crate) fn answer_of_all(givens: &Givens) -> (Outcome, u64) {
    let mut answers = InstructionSet::supported().map(|instructions| {
        let interrupt = Interrupt::after(NODES);
        (instructions.solve(givens, &interrupt), interrupt.nodes())
    });
    let first = answers.next().expect("plain integers are everywhere");
    assert!(answers.all(|answer| answer == first), "{givens}");
    first
}

#[test]
fn every_own_grid_has_its_smallest_solution_and_uniqueness() {
    assert_eq!(rows(OWN).count(), 900);
    assert_eq!(wrong(OWN), [""; 0]);
}

#[test]
fn every_grid_that_is_hard_for_some_solver_is_answered_in_few_nodes() {
    assert!(rows(HARD).count() > 20);
    assert_eq!(wrong(HARD), [""; 0]);
}

#[test]
#[ignore = "needs the published puzzle lists: SUDOKU_TEST_DATA"]
fn every_published_grid_has_its_smallest_solution_and_uniqueness() {
    let list = fs::read_to_string(test_data().join("cases/grids_published.txt"))
        .expect("the folder has the published grids");
    assert_eq!(rows(&list).count(), 500);
    assert_eq!(wrong(&list), [""; 0]);
}

#[test]
#[ignore = "needs the published puzzle lists: SUDOKU_TEST_DATA"]
fn every_instruction_set_answers_the_published_lists_alike_and_in_few_nodes() {
    let folder = test_data().join("puzzles");
    let mut grids = 0;
    for file in fs::read_dir(folder).expect("the folder has lists of puzzles") {
        let path = file.expect("the folder can be listed").path();
        let list = fs::read_to_string(path).expect("a list is text");
        for puzzle in list.lines() {
            let givens = givens(puzzle);
            let (outcome, _) = answer_of_all(&givens);
            assert_ne!(outcome, Outcome::Interrupted, "{puzzle}");
            if let Outcome::Solved { solution, .. } = outcome {
                assert!(solution.extends(&givens), "{puzzle}: {solution}");
            }
            grids += 1;
        }
    }
    assert!(grids > 50_000, "{grids}");
}

#[expect(
    clippy::disallowed_methods,
    reason = "names a folder of the test, not a setting of the service"
)]
pub(crate) fn test_data() -> PathBuf {
    std::env::var("SUDOKU_TEST_DATA").expect("SUDOKU_TEST_DATA names a folder").into()
}
