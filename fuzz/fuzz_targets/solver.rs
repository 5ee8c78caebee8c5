//! The solver against a naive one, and its answers against all that could be smaller.
#![no_main]

#[path = "../../tests/it/oracle.rs"]
mod oracle;

use libfuzzer_sys::fuzz_target;
use oracle::solve_naively;
use sudoku_api::sudoku::{Cell, Digit, Givens, InstructionSet, Interrupt, Outcome, Solution};

/// Calls of the naive solver; what takes more is not compared.
const CALLS: u32 = 2_000;

/// More nodes than any grid may take.
const NODES: u64 = 50_000;

// A byte for each cell, row by row: a clue, or none if it is no digit or does not fit what is there.
fuzz_target!(|bytes: &[u8]| {
    let mut givens = Givens::default();
    for (cell, byte) in Cell::all().zip(bytes) {
        let clue = Digit::new(byte % 32);
        if clue.is_some_and(|digit| byte & 128 != 0 || fits(&givens, cell, digit)) {
            givens.set(cell, clue);
        }
    }

    let answers: Vec<(Outcome, u64)> = InstructionSet::supported()
        .map(|instructions| {
            let interrupt = Interrupt::after(NODES);
            (instructions.solve(&givens, &interrupt), interrupt.nodes())
        })
        .collect();
    let (outcome, _) = answers[0];
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{givens}: {answers:?}");
    assert_ne!(outcome, Outcome::Interrupted, "{givens}");

    if let Some(naive) = solve_naively(&givens, CALLS) {
        assert_eq!(outcome, naive, "{givens}");
    }
    if let Outcome::Solved { solution, .. } = outcome {
        assert!(solution.extends(&givens), "{givens}: {solution}");
        assert_nothing_is_smaller(&givens, &solution);
    }
});

/// No cell can hold a smaller digit with all cells before it as they are.
fn assert_nothing_is_smaller(givens: &Givens, solution: &Solution) {
    let mut prefix = *givens;
    for cell in Cell::all() {
        for digit in Digit::all().take_while(|&digit| digit < solution.get(cell)) {
            if givens.get(cell).is_none() && fits(&prefix, cell, digit) {
                prefix.set(cell, Some(digit));
                let smaller = solve_naively(&prefix, CALLS);
                assert!(!matches!(smaller, Some(Outcome::Solved { .. })), "{givens}: {smaller:?}");
            }
        }
        prefix.set(cell, Some(solution.get(cell)));
    }
}

fn fits(givens: &Givens, cell: Cell, digit: Digit) -> bool {
    !oracle::seen_from(givens, cell).contains(&digit)
}
