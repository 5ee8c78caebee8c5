//! The log: its form, its level, and a writer that no request waits for.

use std::io::{IsTerminal, stdout};
use std::panic::PanicHookInfo;
use std::sync::mpsc::channel;
use std::time::Duration;

use tracing_appender::non_blocking::{ErrorCounter, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::config::LogFormat;

/// Lines that may wait to be written; where the reader of the log is too slow for that, lines are
/// dropped rather than requests held up.
const BUFFERED_LINES: usize = 8192;

/// How long the end of the process waits for buffered lines to be written.
const FLUSH_TIME: Duration = Duration::from_secs(1);

/// The log of the process; what is buffered is written when it is dropped.
#[derive(Debug)]
pub struct Log {
    writer: Option<WorkerGuard>,
    dropped_lines: ErrorCounter,
}

impl Log {
    /// Counts the lines that were lost because the log's reader was too slow.
    #[must_use]
    pub fn dropped_lines(&self) -> ErrorCounter {
        self.dropped_lines.clone()
    }
}

impl Drop for Log {
    /// The writer's own drop waits for its thread, which may wait for a reader for ever.
    fn drop(&mut self) {
        let (done, flushed) = channel();
        let writer = self.writer.take();
        std::thread::spawn(move || {
            drop(writer);
            // Nobody waits any more if that took too long.
            let _ = done.send(());
        });
        let _ = flushed.recv_timeout(FLUSH_TIME);
    }
}

/// Starts the log on standard output.
///
/// # Panics
///
/// If the process has a log already.
#[must_use]
pub fn start(format: LogFormat, targets: Targets) -> Log {
    let (writer, guard) =
        NonBlockingBuilder::default().buffered_lines_limit(BUFFERED_LINES).finish(stdout());
    let dropped_lines = writer.error_counter();
    let layer = tracing_subscriber::fmt::layer().with_writer(writer);
    let layer = match format {
        LogFormat::Text => layer.with_target(false).with_ansi(stdout().is_terminal()).boxed(),
        LogFormat::Json => {
            layer.json().flatten_event(true).with_current_span(false).with_span_list(false).boxed()
        }
    };
    tracing_subscriber::registry().with(layer.with_filter(targets)).init();
    std::panic::set_hook(Box::new(log_panic));
    Log { writer: Some(guard), dropped_lines }
}

fn log_panic(info: &PanicHookInfo<'_>) {
    let message = info.payload_as_str().unwrap_or("a value that is no text");
    let location = info.location().map(ToString::to_string);
    tracing::error!(message, location, "panic");
}
