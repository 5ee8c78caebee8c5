//! The log: its form, its level, and a writer that no request waits for.

use std::io::{IsTerminal, stdout};
use std::panic::PanicHookInfo;

use tracing_appender::non_blocking::{ErrorCounter, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::config::LogFormat;

/// Lines that may wait to be written; where the reader of the log is too slow for that, lines are
/// dropped rather than requests held up.
const BUFFERED_LINES: usize = 8192;

/// Starts the log on standard output; what is buffered is written when the guard is dropped, and
/// the counter tells how many lines were not.
///
/// # Panics
///
/// If the process has a log already.
pub fn start(format: LogFormat, targets: Targets) -> (WorkerGuard, ErrorCounter) {
    let (writer, guard) =
        NonBlockingBuilder::default().buffered_lines_limit(BUFFERED_LINES).finish(stdout());
    let dropped = writer.error_counter();
    let layer = tracing_subscriber::fmt::layer().with_writer(writer);
    let layer = match format {
        LogFormat::Text => layer.with_target(false).with_ansi(stdout().is_terminal()).boxed(),
        LogFormat::Json => {
            layer.json().flatten_event(true).with_current_span(false).with_span_list(false).boxed()
        }
    };
    tracing_subscriber::registry().with(layer.with_filter(targets)).init();
    std::panic::set_hook(Box::new(log_panic));
    (guard, dropped)
}

fn log_panic(info: &PanicHookInfo<'_>) {
    let message = info.payload_as_str().unwrap_or("a value that is no text");
    let location = info.location().map(ToString::to_string);
    tracing::error!(message, location, "panic");
}
