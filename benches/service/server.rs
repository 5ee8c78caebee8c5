//! The servers that are measured, each in a process of its own.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::response::IntoResponse;
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use prometheus::IntGauge;
use serde::{Deserialize, Serialize};
use sudoku_api::http::{self, App, ConnectionLimits, Limits, Listener};
use sudoku_api::metrics::Metrics;
use sudoku_api::pool::Pool;
use sudoku_api::sudoku;

use crate::Result;

/// A server in a process of its own, which ends with it.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
    pub(crate) milliseconds_to_ready: f64,
}

impl Server {
    pub(crate) fn service(arguments: &[&str]) -> Result<Self> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-api"));
        Self::start(command.args(arguments), "--listen")
    }

    /// One of the servers to compare with, see [`serve`].
    pub(crate) fn idle(name: &str) -> Result<Self> {
        Self::start(&mut Command::new(std::env::current_exe()?), name)
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

    /// The whole answer, over a connection of its own.
    pub(crate) fn get(&self, path: &str) -> std::io::Result<String> {
        let mut stream = TcpStream::connect(self.address)?;
        write!(stream, "GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    }

    /// Milliseconds from the connection to the whole answer, which has to be a complete one.
    pub(crate) fn answer_time(&self, grid: &str) -> Result<f64> {
        let begun = Instant::now();
        let answer = self.get(&format!("/solve/{grid}"))?;
        let time = begun.elapsed().as_secs_f64() * 1e3;
        if !["HTTP/1.1 200 ", "HTTP/1.1 422 "].iter().any(|status| answer.starts_with(status)) {
            return Err(format!("{grid}: {answer}").into());
        }
        Ok(time)
    }

    /// Resident memory in MiB: now (`VmRSS`), or the most there ever was (`VmHWM`).
    pub(crate) fn memory(&self, which: &str) -> Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix(which)?.strip_prefix(':'));
        let kib = line.and_then(|line| line.split_whitespace().next()).ok_or("no such line")?;
        Ok(kib.parse::<f64>()? / 1024.0)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already; there is nothing else to do about that.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
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

/// JSON in, JSON of the same size out, and nothing between.
async fn do_nothing(Json(Request { puzzle }): Json<Request>) -> Json<Answer> {
    Json(Answer { solution: puzzle, unique: true })
}

/// Serves a handler that does nothing: `bare`, or under the `layers` and in the accept loop of the
/// service.
pub(crate) fn serve(name: &str, address: SocketAddr) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind(address).await?;
        match name {
            "bare" => {
                let router = Router::new()
                    .route("/solve", post(do_nothing))
                    .route("/readyz", get(async || "ok\n"));
                axum::serve(listener, router).await?;
            }
            "layers" => {
                let limits = ConnectionLimits {
                    connections: 4096,
                    idle_timeout: Duration::from_secs(75),
                    write_timeout: Duration::from_secs(30),
                };
                let open = IntGauge::new("open", "Open connections")?;
                http::serve(listener, layered(), limits, open, std::future::pending()).await;
            }
            other => return Err(format!("expected bare or layers, found {other}").into()),
        }
        Ok(())
    })
}

fn layered() -> Router {
    let pool = Pool::new(1, 0);
    let metrics = Metrics::new(&pool);
    let solver = std::sync::Arc::new(sudoku::solve);
    let app = App::new(pool, solver, Limits::default(), None, metrics);
    // The layers hand the body on as an extension.
    let do_nothing = async |Extension(body): Extension<Bytes>| match Json::from_bytes(&body) {
        Ok(request) => do_nothing(request).await.into_response(),
        Err(rejection) => rejection.into_response(),
    };
    let routes =
        Router::new().route("/solve", post(do_nothing)).route("/readyz", get(async || "ok\n"));
    http::layered(routes, &app, Listener::Public)
}
