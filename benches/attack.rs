//! Hunts for grids that take the solver long: hill climbing on the nodes, one clue at a time.
//!
//! `cargo bench --bench attack` climbs for `SECONDS` (60) from the grids of the tests and from random
//! ones, with the pseudo-random numbers of `SEED` (1), and prints the worst grids that it found, in the
//! form of the lists of the tests but for the answers. Fails if one of them takes longer than asked for;
//! `SLACK=5` allows five times longer, for machines that are busy with other things.

use std::error::Error;
use std::io::Write;
use std::time::{Duration, Instant};

use sudoku_api::sudoku::{Cell, Digit, Givens, InstructionSet, Interrupt};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const STARTS: [&str; 2] =
    [include_str!("../tests/data/grids_own.txt"), include_str!("../tests/data/grids_hard.txt")];

/// Changes without a gain after which a climb gives up.
const PATIENCE: u32 = 400;

/// The worst grids that are kept.
const KEPT: usize = 10;

/// Asked for: the slowest grid.
const MOST_TIME: Duration = Duration::from_millis(2);

fn main() -> Result<()> {
    let mut numbers = Numbers(setting("SEED", 1)?.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let end = Instant::now() + Duration::from_secs(setting("SECONDS", 60)?);
    let most = MOST_TIME * u32::try_from(setting("SLACK", 1)?)?;
    let starts: Vec<&str> =
        STARTS.into_iter().flat_map(str::lines).filter_map(|line| line.split(' ').nth(1)).collect();
    let mut worst: Vec<(u64, Givens)> = Vec::new();
    let (mut climbs, mut tried) = (0_u64, 0_u64);
    while Instant::now() < end {
        let start = match numbers.below(3) {
            0 => random(&mut numbers),
            _ => givens(starts[numbers.below(starts.len())]),
        };
        let summit = climb(start, &mut numbers, end, &mut tried);
        climbs += 1;
        if !worst.iter().any(|(_, givens)| *givens == summit.1) {
            worst.push(summit);
        }
        worst.sort_by_key(|&(nodes, _)| std::cmp::Reverse(nodes));
        worst.truncate(KEPT);
    }

    let mut out = std::io::stdout().lock();
    writeln!(out, "{climbs} climbs, {tried} grids; the worst, with nodes and best time of five:")?;
    let mut slowest = Duration::ZERO;
    for (nodes, givens) in &worst {
        let best = (0..5).map(|_| time(givens)).min().unwrap_or_default();
        slowest = slowest.max(best);
        writeln!(out, "bred {givens} {nodes} {best:?}")?;
    }
    if slowest > most {
        return Err(format!("expected at most {most:?}, found {slowest:?}").into());
    }
    Ok(())
}

/// Changes a clue at a time as long as that takes more nodes; gives the highest.
fn climb(start: Givens, numbers: &mut Numbers, end: Instant, tried: &mut u64) -> (u64, Givens) {
    let (mut best, mut nodes) = (start, nodes(&start));
    let mut without_gain = 0;
    while without_gain < PATIENCE && Instant::now() < end {
        let mut changed = best;
        for _ in 0..=numbers.below(3) {
            change(&mut changed, numbers);
        }
        *tried += 1;
        let found = self::nodes(&changed);
        without_gain = if found > nodes { 0 } else { without_gain + 1 };
        if found >= nodes {
            (best, nodes) = (changed, found);
        }
    }
    (nodes, best)
}

/// Writes another clue into a cell, or takes it away.
fn change(givens: &mut Givens, numbers: &mut Numbers) {
    let cell = Cell::from_index(numbers.below(Cell::COUNT));
    let clue = u8::try_from(numbers.below(10)).ok().and_then(Digit::new);
    if let Some(cell) = cell {
        givens.set(cell, clue);
    }
}

fn random(numbers: &mut Numbers) -> Givens {
    let mut givens = Givens::default();
    for _ in 0..numbers.below(30) {
        let before = givens;
        change(&mut givens, numbers);
        if !givens.conflicts().is_empty() {
            givens = before;
        }
    }
    givens
}

fn givens(puzzle: &str) -> Givens {
    let mut givens = Givens::default();
    for (cell, character) in Cell::all().zip(puzzle.bytes()) {
        givens.set(cell, Digit::new(character.wrapping_sub(b'0')));
    }
    givens
}

fn nodes(givens: &Givens) -> u64 {
    let interrupt = Interrupt::new();
    std::hint::black_box(InstructionSet::fastest().solve(givens, &interrupt));
    interrupt.nodes()
}

fn time(givens: &Givens) -> Duration {
    let start = Instant::now();
    nodes(givens);
    start.elapsed()
}

fn setting(name: &str, default: u64) -> Result<u64> {
    #[expect(clippy::disallowed_methods, reason = "a setting of the benchmark, not of the service")]
    match std::env::var(name) {
        Ok(text) => text.parse().map_err(|error| format!("{name}: {error}").into()),
        Err(_) => Ok(default),
    }
}

/// Marsaglia's xorshift64: enough to vary grids by.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or_default() % bound
    }
}
