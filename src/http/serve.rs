//! The accept loop: connections with time-outs and a cap.
//!
//! `axum::serve` sets no timer at all, so that a half-sent request head would keep its connection
//! for ever, and the shutdown with it.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use prometheus::IntGauge;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;

/// Pause after a failed accept that is likely to fail again, such as for want of descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// The longest request head, and the most that is read ahead; hyper's default is 400 KiB for each
/// connection.
const MOST_BUFFERED: usize = 16 * 1024;

/// What a connection may take.
#[derive(Clone, Debug)]
pub struct ConnectionLimits {
    /// The most connections at a time; further ones wait to be accepted.
    pub connections: usize,
    /// Time without a complete request head.
    pub idle_timeout: Duration,
    /// Time in which a caller takes nothing of its answer.
    pub write_timeout: Duration,
}

/// Serves connections until `stop`, then waits until each has had its answer.
///
/// There is no deadline for that wait: the caller drops the future when it has waited enough, and
/// drops the runtime to cut what is left.
///
/// # Panics
///
/// Outside a tokio runtime.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: ConnectionLimits,
    open: IntGauge,
    stop: impl Future<Output = ()>,
) {
    let graceful = GracefulShutdown::new();
    let permits = Arc::new(Semaphore::new(limits.connections));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits.idle_timeout)
        .max_buf_size(MOST_BUFFERED);
    let mut stop = pin!(stop);
    loop {
        let accepted = async {
            let permit = Arc::clone(&permits).acquire_owned().await;
            (listener.accept().await, permit.expect("the semaphore is never closed"))
        };
        let (accepted, permit) = tokio::select! {
            biased;
            () = &mut stop => break,
            accepted = accepted => accepted,
        };
        let stream = match accepted {
            Ok((stream, _peer)) => stream,
            Err(error) => {
                pause_after(&error).await;
                continue;
            }
        };
        let io = TokioIo::new(Box::pin(with_timeout(stream, limits.write_timeout)));
        let service = TowerToHyperService::new(router.clone());
        let connection = graceful.watch(http.serve_connection(io, service));
        let open = OpenConnection::count(&open);
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(error = %error, "connection ended");
            }
            drop((permit, open));
        });
    }
    drop(listener);
    graceful.shutdown().await;
}

fn with_timeout(stream: TcpStream, timeout: Duration) -> TimeoutStream<TcpStream> {
    // Answers are small and complete; waiting to fill a packet would only delay them.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(error = %error, "TCP_NODELAY not set");
    }
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(timeout));
    stream
}

async fn pause_after(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if !matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) {
        tracing::warn!(error = %error, "accept failed");
        tokio::time::sleep(ACCEPT_PAUSE).await;
    }
}

/// Counts a connection for as long as it lives.
struct OpenConnection(IntGauge);

impl OpenConnection {
    fn count(gauge: &IntGauge) -> Self {
        gauge.inc();
        Self(gauge.clone())
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.dec();
    }
}
