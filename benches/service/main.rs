//! What the service costs around the solver, beside handlers that do nothing.
//!
//! `cargo bench --bench service` starts the service, a bare axum JSON handler, and the same handler
//! under the layers and in the accept loop of the service; lets `wrk` (which has to be installed)
//! load them in turns, and prints the rates with their ratios. Then batches: their speed beside
//! the solver alone, what single puzzles feel of one, and the memory. Also the memory of the idle
//! service, its time from exec to ready, and the slowest answer to grids that were bred to be hard
//! on solvers.
//!
//! Fails if a figure is worse than asked for; `SLACK=5` allows five times worse, for machines that
//! are busy with other things. `SUDOKU_TEST_DATA` may name a folder with more lists of puzzles.

mod batch;
mod load;
mod server;

use std::error::Error;
use std::io::Write;

use load::Load;
use server::Server;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const EASY: &str =
    "45....39.3.25....669.7.4.8.13..8..4.7..1539......2.....8..1.57......2.3.94.67.8.1";
const ROUNDS: usize = 5;
const ROUNDS_OF_OTHERS: usize = 3;

/// Among the hardest that are known.
const HARD: &str =
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";

/// Asked for: the rate as a share of the bare handler's, request log off.
const LEAST_OF_BARE: f64 = 0.6;
/// Asked for: the same as a share of the idle handler's under the same layers.
const LEAST_OF_LAYERS: f64 = 0.7;
/// Asked for: resident memory when idle, in MiB.
const MOST_MEMORY: f64 = 15.0;
/// Asked for: time from exec to ready, in milliseconds.
const MOST_START: f64 = 100.0;

/// Asked for: time of any answer to the bred and the infamous grids, in milliseconds.
const MOST_ANSWER: f64 = 50.0;

/// `set puzzle solution count`, a line each.
const GRIDS: &str = include_str!("../../tests/data/grids_own.txt");

/// Grids that keep backtracking programs busy for minutes or for ever.
const INFAMOUS: &[&str] = &[
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
    ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........",
    "001000000200000000003000000400000005005000600600000040007103000800000000009020000",
    ".................................................................................",
];

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, name, address] = arguments.as_slice()
        && !name.starts_with('-')
    {
        return server::serve(name, address.parse()?);
    }
    let mut checks = Checks { slack: slack()?, failed: Vec::new() };
    let mut out = std::io::stdout().lock();
    rates(&mut out, &mut checks)?;
    batch::throughput(&mut out, &mut checks)?;
    batch::latency(&mut out, &mut checks)?;
    batch::memory(&mut out, &mut checks)?;
    if checks.failed.is_empty() { Ok(()) } else { Err(checks.failed.join("; ").into()) }
}

/// What was asked for and is not so.
struct Checks {
    slack: f64,
    failed: Vec<String>,
}

impl Checks {
    fn at_least(&mut self, what: &str, value: f64, least: f64) {
        if value * self.slack < least {
            self.failed.push(format!("{what}: {value:.2}, of {least:.2} asked for"));
        }
    }

    fn at_most(&mut self, what: &str, value: f64, most: f64) {
        if value > most * self.slack {
            self.failed.push(format!("{what}: {value:.2}, of {most:.2} allowed"));
        }
    }
}

/// Prints the rates of single puzzles, the start, the idle memory and the slowest answer.
fn rates(out: &mut impl Write, checks: &mut Checks) -> Result<()> {
    let starts: Result<Vec<f64>> = (0..ROUNDS)
        .map(|_| Ok(Server::service(&["--log-level", "warn"])?.milliseconds_to_ready))
        .collect();
    let start = median(starts?);
    let easy = Load::post("easy", EASY)?;
    let servers = [
        ("bare handler", Server::idle("bare")?),
        ("handler that does nothing, same layers", Server::idle("layers")?),
        ("`POST /solve`, request log off", Server::service(&["--log-level", "warn"])?),
        ("`POST /solve`, request log on", Server::service(&["--log-level", "info"])?),
    ];
    let service = &servers[2].1;
    let memory = service.memory("VmRSS")?;
    let answers: Result<Vec<f64>> = bred_grids()
        .chain(INFAMOUS.iter().copied())
        .map(|grid| service.answer_time(grid))
        .collect();
    let answers = answers?;
    let slowest = answers.iter().copied().fold(0.0, f64::max);

    writeln!(
        out,
        "| median of {ROUNDS} | connections | requests/s | of bare | of the same layers |"
    )?;
    writeln!(out, "| --- | --- | --- | --- | --- |")?;
    let mut row = |name: &str, connections: usize, rate: f64, (bare, layers): (f64, f64)| {
        let (of_bare, of_layers) = (rate / bare, rate / layers);
        writeln!(out, "| {name} | {connections} | {rate:.0} | {of_bare:.2} | {of_layers:.2} |")
    };
    let mut idle_at_32 = (0.0, 0.0);
    for connections in [32, 256] {
        let mut rates = [const { Vec::new() }; 4];
        for _ in 0..ROUNDS {
            for (rates, (_, server)) in rates.iter_mut().zip(&servers) {
                rates.push(easy.rate(server, connections)?);
            }
        }
        let rates = rates.map(median);
        let idle = (rates[0], rates[1]);
        for (rate, (name, _)) in rates.iter().zip(&servers) {
            row(name, connections, *rate, idle)?;
        }
        let what = format!("the rate at {connections} connections");
        checks.at_least(&format!("{what} of bare"), rates[2] / idle.0, LEAST_OF_BARE);
        checks.at_least(&format!("{what} of the same layers"), rates[2] / idle.1, LEAST_OF_LAYERS);
        if connections == 32 {
            idle_at_32 = idle;
        }
    }
    for (name, load) in [
        ("`POST /solve`, a puzzle among the hardest", Load::post("hard", HARD)?),
        ("`GET /solve/{puzzle}`", Load::Get(EASY)),
        ("`GET /solve/{puzzle}`, 304", Load::GetAgain(EASY)),
    ] {
        let rates: Result<Vec<f64>> =
            (0..ROUNDS_OF_OTHERS).map(|_| load.rate(service, 32)).collect();
        row(name, 32, median(rates?), idle_at_32)?;
    }
    writeln!(out, "\nidle memory {memory:.1} MiB; exec to ready {start:.1} ms")?;
    writeln!(out, "slowest of {} hard grids, over HTTP: {slowest:.2} ms", answers.len())?;
    checks.at_most("the idle memory", memory, MOST_MEMORY);
    checks.at_most("the time to start", start, MOST_START);
    checks.at_most("the slowest answer", slowest, MOST_ANSWER);
    Ok(())
}

/// The grids that were bred to be hard.
fn bred_grids() -> impl Iterator<Item = &'static str> {
    let bred = GRIDS.lines().filter(|line| line.contains("_adversarial "));
    bred.filter_map(|line| line.split(' ').nth(1))
}

#[expect(clippy::disallowed_methods, reason = "a knob of this benchmark, not a setting")]
fn slack() -> Result<f64> {
    Ok(std::env::var("SLACK").map_or(Ok(1.0), |slack| slack.parse())?)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
