//! The solver alone, on one core: time and nodes for each set of grids, with each instruction set.
//!
//! `cargo bench --bench solver` takes the lists of the tests, whose answers come from a SAT solver. With
//! `SUDOKU_TEST_DATA` it takes the lists of published puzzles in that folder too; what has no recorded
//! answer has to be answered alike by all instruction sets. Nothing is timed before all answers are
//! right.
//!
//! The mean is the best of some passes over a whole set, the slowest grid that with the highest of its
//! own best times: so neither measures what else the machine was doing. Written by hand because what counts
//! beside the time is the nodes, which benchmark libraries do not show.

#![expect(clippy::cast_precision_loss, reason = "counts of grids and nodes are small")]

use std::error::Error;
use std::hint::black_box;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};
use std::{env, fs};

use sudoku_api::sudoku::{Cell, Digit, Givens, InstructionSet, Interrupt, Outcome};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const RECORDED: [&str; 2] =
    [include_str!("../tests/data/grids_own.txt"), include_str!("../tests/data/grids_hard.txt")];

const PASSES: usize = 9;

/// Times that each grid alone is timed.
const REPEATS: usize = 5;

struct Grid {
    givens: Givens,
    /// The smallest solution, or `-`, and the number of solutions, of which 2 stands for more.
    expected: Option<(String, String)>,
}

fn main() -> Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{:28} {:>6} {:>10} {:>11} {:>10} {:>10} {:>8}",
        "set", "grids", "with", "grids/s", "mean µs", "slowest µs", "nodes"
    )?;
    for (name, grids) in sets()? {
        check(&name, &grids)?;
        for instructions in InstructionSet::supported() {
            let (mean, slowest) = time(instructions, &grids);
            let nodes: u64 = grids.iter().map(|grid| nodes(instructions, &grid.givens)).sum();
            writeln!(
                out,
                "{name:28} {:6} {:>10} {:11.0} {:10.3} {:10.1} {:8.1}",
                grids.len(),
                instructions.to_string(),
                1.0 / mean,
                mean * 1e6,
                slowest.as_secs_f64() * 1e6,
                nodes as f64 / grids.len() as f64,
            )?;
        }
    }
    Ok(())
}

/// The sets by name.
fn sets() -> Result<Vec<(String, Vec<Grid>)>> {
    let mut sets: Vec<(String, Vec<Grid>)> = Vec::new();
    for line in RECORDED.into_iter().flat_map(str::lines) {
        let [set, puzzle, solution, solutions] = line.split(' ').collect::<Vec<_>>()[..] else {
            return Err(line.into());
        };
        let expected = Some((solution.to_owned(), solutions.to_owned()));
        let grid = Grid { givens: givens(puzzle)?, expected };
        match sets.iter_mut().find(|(name, _)| name == set) {
            Some((_, grids)) => grids.push(grid),
            None => sets.push((set.to_owned(), vec![grid])),
        }
    }
    #[expect(clippy::disallowed_methods, reason = "names a folder, not a setting of the service")]
    if let Ok(folder) = env::var("SUDOKU_TEST_DATA") {
        let mut files: Vec<_> =
            fs::read_dir(Path::new(&folder).join("puzzles"))?.collect::<std::io::Result<_>>()?;
        files.sort_by_key(fs::DirEntry::path);
        for file in files {
            let grid = |line| Ok(Grid { givens: givens(line)?, expected: None });
            let grids: Result<_> = fs::read_to_string(file.path())?.lines().map(grid).collect();
            sets.push((file.file_name().to_string_lossy().into_owned(), grids?));
        }
    }
    Ok(sets)
}

/// A grid of 81 characters, of which all but digits stand for an empty cell.
fn givens(puzzle: &str) -> Result<Givens> {
    if puzzle.len() != Cell::COUNT {
        return Err(format!("expected 81 characters, found {puzzle:?}").into());
    }
    let mut givens = Givens::default();
    for (cell, character) in Cell::all().zip(puzzle.bytes()) {
        givens.set(cell, Digit::new(character.wrapping_sub(b'0')));
    }
    Ok(givens)
}

fn check(name: &str, grids: &[Grid]) -> Result<()> {
    for Grid { givens, expected } in grids {
        let answers: Vec<_> = InstructionSet::supported()
            .map(|instructions| {
                (instructions.solve(givens, &Interrupt::new()), nodes(instructions, givens))
            })
            .collect();
        if answers.iter().any(|answer| *answer != answers[0]) {
            return Err(format!("{name}: {givens}: {answers:?}").into());
        }
        let (solution, solutions) = match answers[0].0 {
            Outcome::Solved { solution, unique } => {
                (solution.to_string(), if unique { "1" } else { "2" })
            }
            Outcome::Unsolvable => ("-".to_owned(), "0"),
            Outcome::Interrupted => return Err(format!("{name}: {givens}: interrupted").into()),
        };
        if let Some(expected) = expected
            && *expected != (solution, solutions.to_owned())
        {
            return Err(format!("{name}: {givens}: expected {expected:?}").into());
        }
    }
    Ok(())
}

fn nodes(instructions: InstructionSet, givens: &Givens) -> u64 {
    let interrupt = Interrupt::new();
    black_box(instructions.solve(givens, &interrupt));
    interrupt.nodes()
}

/// Seconds for each grid in the best pass, and the best time of the slowest grid.
fn time(instructions: InstructionSet, grids: &[Grid]) -> (f64, Duration) {
    let solve = |grid: &Grid| {
        black_box(instructions.solve(black_box(&grid.givens), &Interrupt::new()));
    };
    let timed = |work: &dyn Fn()| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    let pass = || timed(&|| grids.iter().for_each(solve));
    let best = (0..PASSES).map(|_| pass()).min().unwrap_or_default();
    let best_of = |grid| (0..REPEATS).map(|_| timed(&|| solve(grid))).min().unwrap_or_default();
    let slowest = grids.iter().map(best_of).max().unwrap_or_default();
    (best.as_secs_f64() / grids.len() as f64, slowest)
}
