//! The binary itself: start, log, signals, exit codes.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::support::{PUZZLE, SOLUTION};

fn binary() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-api"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("SUDOKU_") {
            command.env_remove(name);
        }
    }
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A running service, killed at the end of its test if it has not ended.
pub(crate) struct Running {
    child: Child,
    log: BufReader<ChildStdout>,
    first_line: String,
    pub(crate) address: SocketAddr,
}

impl Drop for Running {
    fn drop(&mut self) {
        // It has ended already in most tests.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn start(arguments: &[&str]) -> Running {
    let mut command = binary();
    command.args(["--listen", "127.0.0.1:0"]).args(arguments);
    let mut child = command.spawn().expect("the binary starts");
    let mut log = BufReader::new(child.stdout.take().expect("piped"));
    let mut first_line = String::new();
    log.read_line(&mut first_line).expect("a first line");
    let address = address_in(&first_line, "http://");
    Running { child, log, first_line, address }
}

/// The address that follows `before` in a line of the log.
fn address_in(line: &str, before: &str) -> SocketAddr {
    let (_, rest) = line.split_once(before).unwrap_or_else(|| panic!("{before} in {line}"));
    let end =
        rest.find(|ch: char| !(ch.is_ascii_digit() || ".:".contains(ch))).unwrap_or(rest.len());
    rest[..end].parse().expect("an address")
}

impl Running {
    fn signal(&self, signal: Signal) {
        let id = i32::try_from(self.child.id()).expect("a process id");
        kill_process(Pid::from_raw(id).expect("not zero"), signal).expect("it runs");
    }

    /// Waits for the end; the rest of the log and the exit code.
    fn end(mut self) -> (String, i32) {
        let mut log = String::new();
        self.log.read_to_string(&mut log).expect("UTF-8");
        let status = self.child.wait().expect("it ends");
        (log, status.code().expect("no signal ended it"))
    }

    fn request(&self, request: &str) -> String {
        request_at(self.address, request)
    }
}

/// One request on a connection of its own; the whole answer.
fn request_at(address: SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.write_all(request.as_bytes()).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    answer
}

fn get(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
}

fn solve() -> String {
    format!(
        "POST /solve HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 81\r\n\r\n{PUZZLE}"
    )
}

fn until_answer(running: &Running, request: &str, start_of_answer: &str) {
    while !running.request(request).starts_with(start_of_answer) {
        sleep(Duration::from_millis(5));
    }
}

#[test]
fn it_serves_at_once_and_ends_cleanly_on_sigterm_and_sigint() {
    for signal in [Signal::TERM, Signal::INT] {
        let running = start(&[]);
        assert_ne!(running.address.port(), 0, "the port that 0 became");
        let try_it = format!("curl -d {PUZZLE} http://{}/solve", running.address);
        assert!(running.first_line.contains(&try_it), "{}", running.first_line);
        assert!(running.request(&solve()).ends_with(&format!("{SOLUTION}\n")));
        running.signal(signal);
        assert_eq!(running.end().1, 0);
    }
}

#[test]
fn it_serves_on_during_the_drain_delay_while_not_ready() {
    let running = start(&["--drain-delay", "10m"]);
    assert!(running.request(&get("/readyz")).starts_with("HTTP/1.1 200 "));
    running.signal(Signal::TERM);
    until_answer(&running, &get("/readyz"), "HTTP/1.1 503 ");
    assert!(running.request(&get("/livez")).starts_with("HTTP/1.1 200 "));
    let solved = running.request(&solve().replace("connection: close\r\n", ""));
    assert!(solved.contains("connection: close") && solved.contains(SOLUTION), "{solved}");
    running.signal(Signal::TERM);
    assert_eq!(running.end().1, 0);
}

#[test]
fn it_ends_after_the_drain_delay() {
    let running = start(&["--drain-delay", "10ms"]);
    running.signal(Signal::TERM);
    assert_eq!(running.end().1, 0);
}

#[test]
fn it_ends_although_nobody_reads_its_log() {
    let mut running = start(&["--drain-timeout", "10ms"]);
    let requests = get("/livez").replace("connection: close\r\n", "").repeat(1000);
    // More lines than the pipe and the buffer before it hold.
    for _ in 0..15 {
        running.request(&(requests.clone() + &get("/livez")));
    }
    let metrics = running.request(&get("/metrics"));
    assert!(!metrics.contains("sudoku_log_lines_dropped_total 0\n"), "{metrics}");
    running.signal(Signal::TERM);
    assert_eq!(running.child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn a_half_sent_head_holds_the_end_up_no_longer_than_the_drain_timeout() {
    let running = start(&["--drain-timeout", "50ms"]);
    let mut half = TcpStream::connect(running.address).expect("it listens");
    half.write_all(b"GET /livez HTTP/1.1\r\nhos").expect("it reads");
    let metrics = running.request(&get("/metrics"));
    assert!(metrics.contains("sudoku_connections{listener=\"public\"} 2"), "{metrics}");
    running.signal(Signal::TERM);
    assert_eq!(running.end().1, 0, "no request was cut");
}

#[test]
fn a_request_that_is_cut_makes_the_exit_code_1() {
    let running = start(&["--drain-timeout", "50ms"]);
    let mut slow = TcpStream::connect(running.address).expect("it listens");
    slow.write_all(&solve().as_bytes()[..solve().len() - 9]).expect("it reads");
    loop {
        let metrics = running.request(&get("/metrics"));
        // The request for the metrics is one itself.
        if metrics.contains("sudoku_requests_in_flight{listener=\"public\"} 2") {
            break;
        }
        sleep(Duration::from_millis(5));
    }
    running.signal(Signal::TERM);
    assert_eq!(running.end().1, 1);
}

/// Begins a batch whose answer is longer than what sockets hold.
fn begin_batch(running: &Running) -> TcpStream {
    let body = "1\n".repeat(500_000);
    let head = format!(
        "POST /solve/batch HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let mut stream = TcpStream::connect(running.address).expect("it listens");
    stream.write_all((head + &body).as_bytes()).expect("it reads");
    stream.read_exact(&mut [0; 1000]).expect("it answers");
    stream
}

#[test]
fn a_batch_under_way_is_answered_to_its_end() {
    let running = start(&["--drain-timeout", "10m"]);
    let mut batch = begin_batch(&running);
    running.signal(Signal::TERM);
    let mut answer = String::new();
    batch.read_to_string(&mut answer).expect("it answers");
    assert!(answer.ends_with("found 1\n\r\n0\r\n\r\n"), "{}", &answer[answer.len() - 100..]);
    assert_eq!(running.end().1, 0);
}

#[test]
fn a_batch_that_is_cut_makes_the_exit_code_1() {
    let running = start(&["--drain-timeout", "50ms"]);
    let unread = begin_batch(&running);
    running.signal(Signal::TERM);
    assert_eq!(running.end().1, 1);
    drop(unread);
}

#[test]
fn a_second_signal_ends_it_at_once() {
    let running = start(&["--drain-delay", "10m"]);
    running.signal(Signal::TERM);
    until_answer(&running, &get("/readyz"), "HTTP/1.1 503 ");
    let signalled = Instant::now();
    running.signal(Signal::TERM);
    running.end();
    assert!(signalled.elapsed() < Duration::from_mins(5), "not the drain delay");
}

#[test]
fn probes_move_to_the_admin_listener() {
    let mut running = start(&["--admin-listen", "127.0.0.1:0"]);
    let mut line = String::new();
    running.log.read_line(&mut line).expect("a second line");
    let admin = address_in(&line, "admin=");
    for path in ["/livez", "/readyz", "/metrics"] {
        assert!(request_at(admin, &get(path)).starts_with("HTTP/1.1 200 "), "{path}");
        assert!(running.request(&get(path)).starts_with("HTTP/1.1 404 "), "{path}");
    }
    assert!(request_at(admin, &solve()).starts_with("HTTP/1.1 404 "), "no solving there");
    let check = binary().args(["healthcheck", "--admin-listen", &admin.to_string()]).output();
    assert!(check.expect("it runs").status.success());
}

#[test]
fn the_json_log_has_one_event_a_request_and_no_puzzle() {
    let mut command = binary();
    command.args(["--listen", "127.0.0.1:0", "--log-format", "json"]);
    let mut child = command.spawn().expect("the binary starts");
    let mut log = BufReader::new(child.stdout.take().expect("piped"));
    let mut first_line = String::new();
    log.read_line(&mut first_line).expect("a first line");
    let started: Value = serde_json::from_str(&first_line).expect("JSON");
    let address = started["public"].as_str().expect("an address").parse().expect("an address");
    let running = Running { child, log, first_line, address };

    let id = "a-request-of-mine";
    let request = solve().replace("host: x", &format!("host: x\r\nx-request-id: {id}"));
    assert!(running.request(&request).contains(SOLUTION));
    running.signal(Signal::TERM);
    let (log, _) = running.end();
    assert!(!log.contains(PUZZLE) && !log.contains(SOLUTION), "{log}");
    let events: Vec<Value> =
        log.lines().map(|line| serde_json::from_str(line).expect("JSON a line")).collect();
    let of_request: Vec<_> = events.iter().filter(|event| event["request_id"] == id).collect();
    let [event] = of_request.as_slice() else { panic!("one event: {log}") };
    assert_eq!((event["level"].as_str(), event["method"].as_str()), (Some("INFO"), Some("POST")));
    assert_eq!((event["route"].as_str(), event["status"].as_u64()), (Some("/solve"), Some(200)));
    assert_eq!(event["outcome"], "solved");
    for number in ["duration_us", "queue_us", "solve_us", "nodes"] {
        assert!(event[number].is_u64(), "{number}: {event}");
    }
}

#[test]
fn wrong_settings_are_refused_by_name_before_anything_is_bound() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("bound").to_string();
    let output = binary()
        .args(["--listen", &address, "--queue=many"])
        .env("SUDOKU_DEADLINE", "soon")
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    let errors = stderr(&output);
    assert!(errors.contains("--queue: expected a whole number"), "{errors}");
    assert!(errors.contains("SUDOKU_DEADLINE: expected a duration"), "{errors}");
    assert!(!errors.contains(&address), "the taken port was not tried: {errors}");
    assert_eq!(output.stdout, b"");
}

#[test]
fn a_taken_port_is_told_by_the_setting() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("bound").to_string();
    let output = binary().env("SUDOKU_LISTEN", &address).output().expect("it runs");
    assert_eq!(output.status.code(), Some(1));
    let errors = stderr(&output);
    assert!(errors.contains("SUDOKU_LISTEN") && errors.contains(&address), "{errors}");
}

#[test]
fn the_healthcheck_tells_by_its_exit_code() {
    let running = start(&[]);
    let check = |address: &str| {
        let output = binary()
            .args(["healthcheck", "--timeout", "20s"])
            .env("SUDOKU_LISTEN", address)
            .output();
        output.expect("it runs").status.code()
    };
    assert_eq!(check(&running.address.to_string()), Some(0));
    assert_eq!(check(&format!("0.0.0.0:{}", running.address.port())), Some(0));
    running.signal(Signal::TERM);
    let address = running.address.to_string();
    running.end();
    assert_eq!(check(&address), Some(1));
    let silent = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let silent = silent.local_addr().expect("bound").to_string();
    let output =
        binary().args(["healthcheck", "--timeout", "10ms"]).env("SUDOKU_LISTEN", silent).output();
    assert_eq!(output.expect("it runs").status.code(), Some(1), "a time-out of its own");
}

#[test]
fn help_and_version_are_printed() {
    let version = binary().arg("--version").output().expect("it runs");
    assert_eq!(
        String::from_utf8_lossy(&version.stdout),
        format!("sudoku-api {}\n", env!("CARGO_PKG_VERSION"))
    );
    let help = binary().arg("--help").output().expect("it runs");
    let help = String::from_utf8_lossy(&help.stdout);
    assert!(
        help.contains("--drain-timeout") && help.contains("[env: SUDOKU_DRAIN_TIMEOUT]"),
        "{help}"
    );
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
