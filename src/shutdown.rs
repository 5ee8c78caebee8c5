//! The signals that stop the service.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// Listens for SIGTERM and SIGINT from its creation on.
#[derive(Debug)]
pub struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    /// Takes the signals over from their default action.
    ///
    /// # Errors
    ///
    /// If the operating system refuses.
    pub fn new() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    /// Waits for the next signal and says which it was.
    pub async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.terminate.recv() => "SIGTERM",
            _ = self.interrupt.recv() => "SIGINT",
        }
    }
}
