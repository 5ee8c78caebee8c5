//! Batches: what they cost around the solver, what single puzzles feel of them, and the memory.

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use sudoku_api::sudoku::{Givens, InstructionSet, Interrupt, text};

use crate::server::Server;
use crate::{Checks, EASY, Result, median};

const PUZZLES: usize = 100_000;
const ROUNDS: usize = 5;
const BATCH_LIMIT: usize = 16 * 1024 * 1024;

/// The sets, and the least share of the solver's own speed that is asked for: as text, as NDJSON.
const SETS: &[(&str, f64, f64)] =
    &[("easy", 0.2, 0.1), ("17_clues", 0.5, 0.3), ("hardest_1905", 0.9, 0.85)];

/// Asked for: the most resident memory with two batches under way, in MiB.
const MOST_MEMORY: f64 = 150.0;
/// Asked for: what 1 GiB of batches leaves behind, in MiB.
const MOST_GROWTH: f64 = 20.0;

#[derive(Clone, Copy)]
enum Form {
    Text,
    JsonLines,
    Array,
}

impl Form {
    const ALL: [(Self, &str); 3] =
        [(Self::Text, "text"), (Self::JsonLines, "NDJSON"), (Self::Array, "JSON array")];

    fn content_type(self) -> &'static str {
        match self {
            Self::Text => "text/plain",
            Self::JsonLines => "application/x-ndjson",
            Self::Array => "application/json",
        }
    }

    fn write(self, puzzles: &[String]) -> Result<String> {
        Ok(match self {
            Self::Text => puzzles.join("\n"),
            Self::JsonLines => {
                let mut lines = String::new();
                for (index, puzzle) in puzzles.iter().enumerate() {
                    writeln!(lines, "{{\"puzzle\":\"{puzzle}\",\"id\":{index}}}")?;
                }
                lines
            }
            Self::Array => format!("[\"{}\"]", puzzles.join("\",\"")),
        })
    }

    /// Counts the solutions in an answer.
    fn solved(self, answer: &[u8]) -> usize {
        let text = String::from_utf8_lossy(answer);
        match self {
            Self::Text => {
                let is_solution =
                    |line: &&str| line.len() == 81 && line.bytes().all(|b| b.is_ascii_digit());
                text.lines().filter(is_solution).count()
            }
            Self::JsonLines | Self::Array => text.matches("\"solution\":").count(),
        }
    }
}

/// Sends a batch and reads the whole answer, without what frames its chunks.
fn ask(address: SocketAddr, form: Form, body: &str, answer: &mut Vec<u8>) -> Result<Duration> {
    answer.clear();
    let begun = Instant::now();
    let mut stream = TcpStream::connect(address)?;
    // Without chunks, so that no line is broken by one: HTTP/1.0 ends with the connection.
    write!(
        stream,
        "POST /solve/batch HTTP/1.0\r\ncontent-type: {}\r\ncontent-length: {}\r\n\r\n",
        form.content_type(),
        body.len()
    )?;
    stream.write_all(body.as_bytes())?;
    stream.read_to_end(answer)?;
    let time = begun.elapsed();
    if answer.starts_with(b"HTTP/1.0 200 ") {
        Ok(time)
    } else {
        let start = &answer[..answer.len().min(400)];
        Err(String::from_utf8_lossy(start).into_owned().into())
    }
}

/// Prints what a batch of each set and form takes, beside the solver alone on as many threads.
pub(crate) fn throughput(out: &mut impl Write, checks: &mut Checks) -> Result<()> {
    let server = Server::service(&["--log-level", "warn", "--workers", "2"])?;
    writeln!(
        out,
        "\n| {PUZZLES} puzzles, median of {ROUNDS} | form | ms | puzzles/s | of the solver |"
    )?;
    writeln!(out, "| --- | --- | --- | --- | --- |")?;
    let mut answer = Vec::with_capacity(4 * BATCH_LIMIT);
    for &(set, least_text, least_lines) in SETS {
        let Some(puzzles) = puzzles(set)? else {
            writeln!(out, "| {set} | not measured: SUDOKU_TEST_DATA names no folder | | | |")?;
            continue;
        };
        let bodies: Vec<String> =
            Form::ALL.iter().map(|(form, _)| form.write(&puzzles)).collect::<Result<_>>()?;
        let mut alone = Vec::new();
        let mut times = [const { Vec::new() }; 3];
        for _ in 0..ROUNDS {
            alone.push(solver_alone(&puzzles)?.as_secs_f64());
            for ((times, body), (form, name)) in times.iter_mut().zip(&bodies).zip(Form::ALL) {
                times.push(ask(server.address, form, body, &mut answer)?.as_secs_f64());
                let solved = form.solved(&answer);
                if solved != puzzles.len() {
                    return Err(format!("{set}, {name}: only {solved} were solved").into());
                }
            }
        }
        let alone = median(alone);
        writeln!(
            out,
            "| {set} | solver alone, 2 threads | {:.1} | {:.0} | 1.00 |",
            alone * 1e3,
            count(&puzzles) / alone
        )?;
        for (times, (form, name)) in times.into_iter().zip(Form::ALL) {
            let time = median(times);
            let share = alone / time;
            writeln!(
                out,
                "| {set} | {name} | {:.1} | {:.0} | {share:.2} |",
                time * 1e3,
                count(&puzzles) / time
            )?;
            let least = match form {
                Form::Text => least_text,
                Form::JsonLines => least_lines,
                Form::Array => 0.0,
            };
            checks.at_least(&format!("the share of {set} as {name}"), share, least);
        }
    }
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "a hundred thousand puzzles")]
fn count(puzzles: &[String]) -> f64 {
    puzzles.len() as f64
}

/// A set as often as it takes; nothing where its list is not there.
fn puzzles(set: &str) -> Result<Option<Vec<String>>> {
    let own: Vec<String> = crate::GRIDS
        .lines()
        .filter_map(|line| line.strip_prefix(set)?.strip_prefix(' ')?.split(' ').next())
        .map(str::to_owned)
        .collect();
    let list = if own.is_empty() {
        let Some(folder) = test_data() else { return Ok(None) };
        let path = Path::new(&folder).join("puzzles").join(set).with_extension("txt");
        std::fs::read_to_string(path)?.lines().map(str::to_owned).collect()
    } else {
        own
    };
    Ok(Some(list.iter().cycle().take(PUZZLES).cloned().collect()))
}

#[expect(clippy::disallowed_methods, reason = "names a folder of the benchmark, not a setting")]
fn test_data() -> Option<String> {
    std::env::var("SUDOKU_TEST_DATA").ok()
}

/// The time of the solver for the puzzles on two threads, each with every other one.
fn solver_alone(puzzles: &[String]) -> Result<Duration> {
    let givens: Vec<Givens> = puzzles
        .iter()
        .map(|puzzle| {
            text::parse(puzzle).map(|(givens, _)| givens).map_err(|errors| errors[0].clone())
        })
        .collect::<std::result::Result<_, _>>()?;
    let begun = Instant::now();
    thread::scope(|scope| {
        for half in 0..2 {
            let givens = givens.iter().skip(half).step_by(2);
            scope.spawn(move || {
                let (instructions, interrupt) = (InstructionSet::fastest(), Interrupt::new());
                for givens in givens {
                    std::hint::black_box(instructions.solve(givens, &interrupt));
                }
            });
        }
    });
    Ok(begun.elapsed())
}

/// Prints how long single puzzles take while a batch of hard ones is under way.
pub(crate) fn latency(out: &mut impl Write, checks: &mut Checks) -> Result<()> {
    let bred: Vec<&str> = crate::bred_grids().collect();
    let lines = BATCH_LIMIT / (bred[0].len() + 1);
    let body = bred.iter().copied().cycle().take(lines).collect::<Vec<_>>().join("\n");
    writeln!(out, "\n| single puzzles, p99 in ms | idle | during a batch of {lines} |")?;
    writeln!(out, "| --- | --- | --- |")?;
    for workers in ["1", "2"] {
        let server = Server::service(&["--log-level", "warn", "--workers", workers])?;
        let idle = p99(server.address, None)?;
        let (address, body) = (server.address, &body);
        let ended = AtomicBool::new(false);
        let during = thread::scope(|scope| -> Result<f64> {
            let ended = &ended;
            scope.spawn(move || {
                // It is cut off by the end of the server.
                let _ = ask(address, Form::Text, body, &mut Vec::new());
                ended.store(true, Ordering::Relaxed);
            });
            while !server.get("/metrics")?.contains("sudoku_batch_puzzles_total{") {}
            let during = p99(address, Some(ended));
            drop(server);
            during
        })?;
        writeln!(out, "| {workers} workers | {idle:.2} | {during:.2} |")?;
        let most = 2.0 * idle + 2.0;
        checks.at_most(&format!("the wait of single puzzles, {workers} workers"), during, most);
    }
    Ok(())
}

/// The 99th percentile of a thousand requests, one after the other, in milliseconds.
fn p99(address: SocketAddr, ended: Option<&AtomicBool>) -> Result<f64> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    let request = format!("GET /solve/{EASY} HTTP/1.1\r\nhost: x\r\n\r\n");
    let mut times = Vec::new();
    let mut answer = [0; 4096];
    for _ in 0..1000 {
        let begun = Instant::now();
        stream.write_all(request.as_bytes())?;
        let mut length = stream.read(&mut answer)?;
        while !answer[..length].ends_with(b"}") {
            length += stream.read(&mut answer[length..])?;
        }
        if !answer.starts_with(b"HTTP/1.1 200 ") {
            return Err(String::from_utf8_lossy(&answer[..length]).into_owned().into());
        }
        times.push(begun.elapsed().as_secs_f64() * 1e3);
        thread::sleep(Duration::from_millis(1));
    }
    if ended.is_some_and(|ended| ended.load(Ordering::Relaxed)) {
        return Err("the batch ended before the single puzzles".into());
    }
    times.sort_by(f64::total_cmp);
    Ok(times[989])
}

/// Prints the memory that batches take, and what is left of it.
pub(crate) fn memory(out: &mut impl Write, checks: &mut Checks) -> Result<()> {
    let server = Server::service(&["--log-level", "warn"])?;
    let idle = server.memory("VmRSS")?;
    let short_lines = "1\n".repeat(BATCH_LIMIT / 2);
    thread::scope(|scope| -> Result<()> {
        let batches = [(); 2].map(|()| {
            scope.spawn(|| discard(server.address, &short_lines).map_err(|e| e.to_string()))
        });
        batches.into_iter().try_for_each(|batch| Ok(batch.join().map_err(|_| "panicked")??))
    })?;
    let most = server.memory("VmHWM")?;
    let easy = format!("{EASY}\n").repeat(BATCH_LIMIT / 82);
    for _ in 0..2 {
        discard(server.address, &easy)?;
    }
    let warm = server.memory("VmRSS")?;
    for _ in 0..64 {
        discard(server.address, &easy)?;
    }
    let after = server.memory("VmRSS")?;
    writeln!(
        out,
        "\nmemory: idle {idle:.1} MiB; two batches of 16 MiB of short lines {most:.1}; after two batches {warm:.1}, after 64 more {after:.1}"
    )?;
    checks.at_most("the memory of two batches", most, MOST_MEMORY);
    checks.at_most("what batches leave behind", after - warm, MOST_GROWTH);
    Ok(())
}

/// Sends a batch and throws the answer away.
fn discard(address: SocketAddr, body: &str) -> Result<()> {
    let mut stream = TcpStream::connect(address)?;
    write!(stream, "POST /solve/batch HTTP/1.0\r\ncontent-length: {}\r\n\r\n", body.len())?;
    stream.write_all(body.as_bytes())?;
    let length = std::io::copy(&mut stream, &mut std::io::sink())?;
    if length < body.len() as u64 { Err("a short answer".into()) } else { Ok(()) }
}
