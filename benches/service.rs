//! What the service costs around the solver, beside a handler that does nothing.
//!
//! `cargo bench --bench service` starts the service and a bare axum JSON handler, lets `wrk`
//! (which has to be installed) load them in turns, and prints the rates with their ratios, the
//! memory of the idle service, its time from exec to ready, and the slowest answer to grids that
//! were bred to be hard on solvers.
//!
//! Fails if a figure is worse than asked for; `SLACK=5` allows five times worse, for machines that
//! are busy with other things.

use std::error::Error;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const EASY: &str =
    "45....39.3.25....669.7.4.8.13..8..4.7..1539......2.....8..1.57......2.3.94.67.8.1";
const ROUNDS: usize = 5;
const SECONDS_A_ROUND: &str = "2s";

/// Asked for: the rate as a share of the bare handler's at 32 connections, request log off.
const LEAST_SHARE: f64 = 0.4;
/// Asked for: resident memory when idle, in MiB.
const MOST_MEMORY: f64 = 15.0;
/// Asked for: time from exec to ready, in milliseconds.
const MOST_START: f64 = 100.0;

/// Asked for: time of any answer to the bred and the infamous grids, in milliseconds.
const MOST_ANSWER: f64 = 50.0;

/// `set puzzle solution count`, a line each.
const GRIDS: &str = include_str!("../tests/data/grids_own.txt");

/// Grids that keep backtracking programs busy for minutes or for ever.
const INFAMOUS: &[&str] = &[
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
    ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........",
    "001000000200000000003000000400000005005000600600000040007103000800000000009020000",
    ".................................................................................",
];

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, command, address] = arguments.as_slice()
        && command == "bare"
    {
        return serve_bare(address.parse()?);
    }
    let slack = slack()?;
    let script = write_script()?;
    let mut out = std::io::stdout().lock();

    let starts: Result<Vec<f64>> =
        (0..ROUNDS).map(|_| Ok(Server::service("warn")?.milliseconds_to_ready)).collect();
    let start = median(starts?);
    let servers = [
        ("bare handler", Server::bare()?),
        ("POST /solve, request log off", Server::service("warn")?),
        ("POST /solve, request log on", Server::service("info")?),
    ];
    let memory = servers[1].1.resident_mib()?;
    let bred = GRIDS.lines().filter(|line| line.contains("_adversarial "));
    let bred = bred.filter_map(|line| line.split(' ').nth(1));
    let answers: Result<Vec<f64>> =
        bred.chain(INFAMOUS.iter().copied()).map(|grid| servers[1].1.answer_time(grid)).collect();
    let answers = answers?;
    let slowest = answers.iter().copied().fold(0.0, f64::max);

    writeln!(out, "| an easy puzzle, median of {ROUNDS} | connections | requests/s | of bare |")?;
    writeln!(out, "| --- | --- | --- | --- |")?;
    let mut share_at_32 = 0.0;
    for connections in [32, 256] {
        let mut rates = [const { Vec::new() }; 3];
        for _ in 0..ROUNDS {
            for (rates, (_, server)) in rates.iter_mut().zip(&servers) {
                rates.push(server.rate(connections, &script)?);
            }
        }
        let rates = rates.map(median);
        for (rate, (name, _)) in rates.iter().zip(&servers) {
            writeln!(out, "| {name} | {connections} | {rate:.0} | {:.2} |", rate / rates[0])?;
        }
        if connections == 32 {
            share_at_32 = rates[1] / rates[0];
        }
    }
    writeln!(out, "\nidle memory {memory:.1} MiB; exec to ready {start:.1} ms")?;
    writeln!(out, "slowest of {} hard grids, over HTTP: {slowest:.2} ms", answers.len())?;

    for (holds, what) in [
        (share_at_32 * slack >= LEAST_SHARE, "the rate at 32 connections"),
        (memory <= MOST_MEMORY * slack, "the idle memory"),
        (start <= MOST_START * slack, "the time to start"),
        (slowest <= MOST_ANSWER * slack, "the slowest answer"),
    ] {
        if !holds {
            return Err(format!("{what} is worse than asked for").into());
        }
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "a knob of this benchmark, not a setting")]
fn slack() -> Result<f64> {
    Ok(std::env::var("SLACK").map_or(Ok(1.0), |slack| slack.parse())?)
}

/// A server in a process of its own, which ends with it.
struct Server {
    child: Child,
    address: SocketAddr,
    milliseconds_to_ready: f64,
}

impl Server {
    fn service(log_level: &str) -> Result<Self> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-api"));
        Self::start(command.args(["--log-level", log_level]), "--listen")
    }

    fn bare() -> Result<Self> {
        Self::start(&mut Command::new(std::env::current_exe()?), "bare")
    }

    fn start(command: &mut Command, address_flag: &str) -> Result<Self> {
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let begun = Instant::now();
        let child =
            command.args([address_flag, &address.to_string()]).stdout(Stdio::null()).spawn()?;
        let mut server = Self { child, address, milliseconds_to_ready: 0.0 };
        while !server.is_ready() {
            if begun.elapsed() > Duration::from_secs(10) {
                return Err(format!("{address} is not ready after ten seconds").into());
            }
        }
        server.milliseconds_to_ready = begun.elapsed().as_secs_f64() * 1e3;
        Ok(server)
    }

    fn is_ready(&self) -> bool {
        self.get("/readyz").is_ok_and(|answer| answer.starts_with("HTTP/1.1 200 "))
    }

    fn get(&self, path: &str) -> std::io::Result<String> {
        let mut stream = TcpStream::connect(self.address)?;
        write!(stream, "GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    }

    /// Milliseconds from the connection to the whole answer, which has to be a complete one.
    fn answer_time(&self, grid: &str) -> Result<f64> {
        let begun = Instant::now();
        let answer = self.get(&format!("/solve/{grid}"))?;
        let time = begun.elapsed().as_secs_f64() * 1e3;
        if !["HTTP/1.1 200 ", "HTTP/1.1 422 "].iter().any(|status| answer.starts_with(status)) {
            return Err(format!("{grid}: {answer}").into());
        }
        Ok(time)
    }

    fn resident_mib(&self) -> Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib = line.and_then(|line| line.split_whitespace().next()).ok_or("no VmRSS")?;
        Ok(kib.parse::<f64>()? / 1024.0)
    }

    /// Requests a second under load; every answer has to be a success.
    fn rate(&self, connections: usize, script: &Path) -> Result<f64> {
        let output = Command::new("wrk")
            .args(["-t1", &format!("-c{connections}"), "-d", SECONDS_A_ROUND, "-s"])
            .arg(script)
            .arg(format!("http://{}/solve", self.address))
            .output()
            .map_err(|error| format!("wrk: {error}"))?;
        let report = String::from_utf8(output.stdout)?;
        if report.contains("Non-2xx") || report.contains("Socket errors") {
            return Err(format!("not every request was answered:\n{report}").into());
        }
        let rate = report.lines().find_map(|line| line.strip_prefix("Requests/sec:"));
        Ok(rate.ok_or("no rate in wrk's report")?.trim().parse()?)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already; there is nothing else to do about that.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn write_script() -> Result<PathBuf> {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("post.lua");
    let script = format!(
        "wrk.method = 'POST'\nwrk.headers['content-type'] = 'application/json'\n\
         wrk.body = '{{\"puzzle\":\"{EASY}\"}}'\n"
    );
    std::fs::write(&path, script)?;
    Ok(path)
}

#[derive(Deserialize)]
struct Request {
    puzzle: String,
}

#[derive(Serialize)]
struct Answer {
    solution: String,
    unique: bool,
}

/// The handler to compare with: JSON in, JSON of the same size out, and nothing between.
fn serve_bare(address: SocketAddr) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let answer = |Json(Request { puzzle }): Json<Request>| async {
            Json(Answer { solution: puzzle, unique: true })
        };
        let router =
            Router::new().route("/solve", post(answer)).route("/readyz", get(async || "ok\n"));
        axum::serve(tokio::net::TcpListener::bind(address).await?, router).await?;
        Ok(())
    })
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
