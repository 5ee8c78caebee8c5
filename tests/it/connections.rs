//! Connections over real sockets: bodies, time-outs, the cap, hang-ups.

use std::fmt::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use prometheus::IntGauge;
use sudoku_api::http::{ConnectionLimits, Limits, Solver, router, serve};
use sudoku_api::pool::Pool;
use sudoku_api::sudoku::{self, Givens, Interrupt, Outcome};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::support::{PUZZLE, SOLUTION, app_with, limits, until};

/// A running service; dropping the sender stops it.
struct Service {
    address: SocketAddr,
    open: IntGauge,
    stop: oneshot::Sender<()>,
    served: JoinHandle<()>,
}

const PATIENT: ConnectionLimits = ConnectionLimits {
    connections: 64,
    idle_timeout: Duration::from_mins(1),
    write_timeout: Duration::from_mins(1),
};

async fn start(connections: ConnectionLimits, limits: Limits, solver: Arc<Solver>) -> Service {
    let app = app_with(Pool::new(2, 64), solver, limits);
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("bound");
    let open = app.metrics.connections.with_label_values(&["public"]);
    let (stop, stopped) = oneshot::channel::<()>();
    let served =
        tokio::spawn(serve(listener, router(&app, true), connections, open.clone(), async {
            let _ = stopped.await;
        }));
    Service { address, open, stop, served }
}

async fn start_default() -> Service {
    start(PATIENT, limits(), Arc::new(sudoku::solve)).await
}

impl Service {
    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.expect("the service listens")
    }

    /// Sends bytes on a connection of their own and reads until the service closes it.
    async fn exchange(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect().await;
        stream.write_all(bytes).await.expect("the service reads");
        read_all(&mut stream).await
    }
}

/// Reads until the end; a reset after the answer counts as one.
async fn read_all(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    while let Ok(length @ 1..) = stream.read(&mut buffer).await {
        bytes.extend_from_slice(&buffer[..length]);
    }
    String::from_utf8(bytes).expect("UTF-8")
}

/// Reads one answer with a `Content-Length`.
async fn read_answer(stream: &mut TcpStream) -> String {
    let mut answer = String::new();
    loop {
        if let Some((head, body)) = answer.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            if body.len() >= length.expect("a length").parse().expect("a number") {
                return answer;
            }
        }
        let mut buffer = [0; 4096];
        let length = stream.read(&mut buffer).await.expect("an answer");
        assert_ne!(length, 0, "closed after: {answer}");
        answer += std::str::from_utf8(&buffer[..length]).expect("UTF-8");
    }
}

fn post_head(length: usize) -> String {
    format!(
        "POST /solve HTTP/1.1\r\nhost: x\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    )
}

fn chunked(body: &str) -> String {
    let mut request =
        "POST /solve HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n".to_owned();
    for chunk in body.as_bytes().chunks(1000) {
        let chunk = std::str::from_utf8(chunk).expect("ASCII");
        write!(request, "{:x}\r\n{chunk}\r\n", chunk.len()).expect("a string takes it");
    }
    request + "0\r\n\r\n"
}

#[tokio::test]
async fn a_body_of_the_limit_is_read_and_one_byte_more_is_too_large() {
    let service = start_default().await;
    let padded = |length: usize| format!("{}\"{PUZZLE}\"", " ".repeat(length - PUZZLE.len() - 2));
    for (length, status) in [(65_536, "200"), (65_537, "413")] {
        let body = padded(length);
        for request in [post_head(length) + &body, chunked(&body)] {
            let answer = service.exchange(request.as_bytes()).await;
            assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{length}: {answer}");
            assert_eq!(answer.contains("\"limit\":65536"), status == "413");
        }
    }
}

#[tokio::test]
async fn a_client_that_sends_before_it_reads_sees_its_413() {
    let service = start_default().await;
    let body = "0".repeat(10_000_000);
    for request in [post_head(body.len()) + &body, chunked(&body)] {
        let answer = service.exchange(request.as_bytes()).await;
        assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
        assert!(answer.contains("\"code\":\"body_too_large\""), "{answer}");
    }
}

#[tokio::test]
async fn a_client_that_asks_first_is_refused_before_it_sends() {
    let service = start_default().await;
    let head = "POST /solve HTTP/1.1\r\nhost: x\r\ncontent-length: 99999999\r\nexpect: 100-continue\r\n\r\n";
    let answer = service.exchange(head.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
}

#[tokio::test]
async fn other_answers_too_come_after_the_body_was_read() {
    let service = start_default().await;
    for path in ["/nothing", "/livez"] {
        let mut stream = service.connect().await;
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: x\r\ncontent-length: 50000\r\n\r\n{}",
            "0".repeat(50_000)
        );
        stream.write_all(request.as_bytes()).await.expect("the service reads");
        assert!(read_answer(&mut stream).await.starts_with("HTTP/1.1 40"), "{path}");
        stream.write_all(b"GET /livez HTTP/1.1\r\nhost: x\r\n\r\n").await.expect("still open");
        assert!(read_answer(&mut stream).await.ends_with("ok\n"), "the connection serves on");
    }
}

#[tokio::test]
async fn a_slow_body_is_given_up() {
    let limits = Limits { body_timeout: Duration::from_millis(20), ..limits() };
    let service = start(PATIENT, limits, Arc::new(sudoku::solve)).await;
    for request in [
        post_head(81) + "53..7",
        "POST /solve HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n2\r\n53\r\n"
            .to_owned(),
    ] {
        let answer = service.exchange(request.as_bytes()).await;
        assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
        assert!(answer.contains("\"code\":\"request_timeout\""), "{answer}");
        assert!(answer.contains("connection: close"), "{answer}");
    }
}

#[tokio::test]
async fn silent_and_half_sent_heads_are_given_up() {
    let patience = ConnectionLimits { idle_timeout: Duration::from_millis(20), ..PATIENT };
    let service = start(patience, limits(), Arc::new(sudoku::solve)).await;
    for bytes in ["", "GET /livez HT", "GET /livez HTTP/1.1\r\nhost: x\r\n"] {
        assert_eq!(service.exchange(bytes.as_bytes()).await, "", "{bytes:?}");
    }
    until(|| service.open.get() == 0).await;
}

#[tokio::test]
async fn an_idle_connection_is_closed() {
    let patience = ConnectionLimits { idle_timeout: Duration::from_secs(1), ..PATIENT };
    let service = start(patience, limits(), Arc::new(sudoku::solve)).await;
    let answer = service.exchange(b"GET /livez HTTP/1.1\r\nhost: x\r\n\r\n").await;
    assert!(answer.ends_with("ok\n"), "answered, then closed: {answer}");
}

#[tokio::test]
async fn a_longer_head_than_is_buffered_is_refused() {
    let service = start_default().await;
    let request = |padding: usize| {
        let padding = "p".repeat(padding);
        format!("GET /livez HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx: {padding}\r\n\r\n")
    };
    assert!(service.exchange(request(8_000).as_bytes()).await.starts_with("HTTP/1.1 200 "));
    assert!(service.exchange(request(20_000).as_bytes()).await.starts_with("HTTP/1.1 431 "));
}

#[tokio::test]
async fn a_client_that_leaves_in_mid_body_is_counted_as_such() {
    let service = start_default().await;
    let mut stream = service.connect().await;
    stream.write_all((post_head(81) + "53..7").as_bytes()).await.expect("open");
    until(|| service.open.get() == 1).await;
    drop(stream);
    until(|| service.open.get() == 0).await;
    let metrics =
        service.exchange(b"GET /metrics HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
    let count = "sudoku_requests_total{method=\"POST\",route=\"/solve\",status=\"499\"} 1\n";
    assert!(metrics.contains(count), "{metrics}");
}

#[tokio::test]
async fn a_malformed_chunk_is_a_problem() {
    let service = start_default().await;
    let head = "POST /solve HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n";
    let answer = service.exchange((head.to_owned() + "zz\r\n53\r\n").as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
    assert!(answer.contains("\"code\":\"invalid_request\""), "{answer}");
}

#[tokio::test]
async fn a_caller_that_stops_reading_is_cut_off() {
    let impatience = ConnectionLimits { write_timeout: Duration::from_millis(20), ..PATIENT };
    let service = start(impatience, limits(), Arc::new(sudoku::solve)).await;
    let mut stream = service.connect().await;
    let requests = "GET /openapi.yaml HTTP/1.1\r\nhost: x\r\n\r\n".repeat(1000);
    // The service stops reading when its answers are not taken, so not all may go out.
    let _ =
        tokio::time::timeout(Duration::from_secs(5), stream.write_all(requests.as_bytes())).await;
    until(|| service.open.get() == 0).await;
}

#[tokio::test]
async fn further_connections_wait_until_one_closes() {
    let cap = ConnectionLimits { connections: 2, ..PATIENT };
    let service = start(cap, limits(), Arc::new(sudoku::solve)).await;
    let request = b"GET /livez HTTP/1.1\r\nhost: x\r\n\r\n";
    let mut open = Vec::new();
    for _ in 0..2 {
        let mut stream = service.connect().await;
        stream.write_all(request).await.expect("open");
        assert!(read_answer(&mut stream).await.ends_with("ok\n"));
        open.push(stream);
    }
    let mut third = service.connect().await;
    third.write_all(request).await.expect("the kernel takes it");
    // While the others are served, there is time to serve it too.
    for stream in &mut open {
        for _ in 0..20 {
            stream.write_all(request).await.expect("open");
            assert!(read_answer(stream).await.ends_with("ok\n"));
        }
    }
    assert_eq!(service.open.get(), 2);
    assert!(third.try_read(&mut [0]).is_err(), "nothing is answered yet");
    open.pop();
    assert!(read_answer(&mut third).await.ends_with("ok\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_that_hangs_up_stops_its_search() {
    let (enter, entered) = channel();
    let (stop, stopped) = channel();
    let solver = move |_: &Givens, interrupt: &Interrupt| {
        enter.send(()).expect("the test listens");
        while !interrupt.is_raised() {
            std::thread::yield_now();
        }
        stop.send(()).expect("the test listens");
        Outcome::Interrupted
    };
    let service = start(PATIENT, limits(), Arc::new(solver)).await;
    let mut stream = service.connect().await;
    stream.write_all((post_head(81) + PUZZLE).as_bytes()).await.expect("open");
    entered.recv().expect("the search begins");
    drop(stream);
    stopped.recv().expect("the search is stopped");
    until(|| service.open.get() == 0).await;
}

#[tokio::test]
async fn stopping_answers_what_was_asked_and_closes_idle_connections() {
    let service = start_default().await;
    let mut idle = service.connect().await;
    idle.write_all(b"GET /livez HTTP/1.1\r\nhost: x\r\n\r\n").await.expect("open");
    assert!(read_answer(&mut idle).await.ends_with("ok\n"));
    let mut busy = service.connect().await;
    busy.write_all((post_head(82) + PUZZLE).as_bytes()).await.expect("open");
    until(|| service.open.get() == 2).await;
    service.stop.send(()).expect("the service runs");
    assert_eq!(read_all(&mut idle).await, "");
    busy.write_all(b"\n").await.expect("still open");
    assert!(read_all(&mut busy).await.ends_with(&format!("{SOLUTION}\n")));
    service.served.await.expect("no panic");
    assert!(TcpStream::connect(service.address).await.is_err(), "nobody listens any more");
}
