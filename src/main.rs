//! The process: settings, log, runtime, listeners, and an orderly end.

use std::fmt::Display;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use sudoku_api::config::{Config, ConfigError, Invocation};
use sudoku_api::http::{self, App, ConnectionLimits, Limits, Listener};
use sudoku_api::metrics::Metrics;
use sudoku_api::pool::Pool;
use sudoku_api::shutdown::Signals;
use sudoku_api::{healthcheck, telemetry};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tracing_appender::non_blocking::ErrorCounter;

/// Connections of the admin listener: a few probes and scrapers, not the public.
const ADMIN_CONNECTIONS: usize = 64;

/// Time for the answers of interrupted solves to be written.
const CUT_TIME: Duration = Duration::from_secs(1);

fn main() -> ExitCode {
    match Invocation::parse(std::env::args_os(), environment) {
        Ok(Invocation::Serve(config)) => serve(&config),
        Ok(Invocation::Healthcheck { address, timeout }) => {
            match healthcheck::check(address, timeout) {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => fail(&format_args!("error: {address}: {error}\n"), 1),
            }
        }
        Err(ConfigError::Usage(error)) if !error.use_stderr() => {
            // Help and version are answers; a closed standard output is the reader's choice.
            let _ = error.print();
            ExitCode::SUCCESS
        }
        Err(error) => fail(&error, 2),
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
fn environment(name: &str) -> Option<String> {
    std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}

fn fail(error: &dyn Display, code: u8) -> ExitCode {
    // There is nowhere left to report that this failed.
    let _ = write!(io::stderr(), "{error}");
    ExitCode::from(code)
}

/// Has glibc ask the system for each large piece of memory and give it back at once.
///
/// By itself it learns from the first batch that such pieces are common, and then each thread that
/// held one may keep it: 16 MiB a thread.
#[cfg(target_env = "gnu")]
#[expect(unsafe_code, reason = "a foreign function, which any argument is safe for")]
fn give_back_large_pieces() {
    const LARGE: i32 = 1024 * 1024;
    // Refused, it changes nothing.
    let _ = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) };
}

#[cfg(not(target_env = "gnu"))]
fn give_back_large_pieces() {}

fn serve(config: &Config) -> ExitCode {
    give_back_large_pieces();
    let log = telemetry::start(config.log_format, config.log.clone());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (workers, workers_from) = match config.workers {
        Some(workers) => (workers, "setting"),
        None => (cores, "cores this process may use"),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(cores)
        .max_blocking_threads(workers)
        .enable_all()
        .build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => return fail(&format_args!("error: no runtime: {error}\n"), 1),
    };
    let pool = Pool::new(workers, config.queue);
    let outcome = runtime.block_on(run(config, pool, workers_from, log.dropped_lines()));
    // Running searches have been interrupted; whatever else blocks is not waited for.
    runtime.shutdown_timeout(Duration::from_millis(100));
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => fail(&format_args!("error: {error}\n"), 1),
    }
}

/// Serves until a signal; `Ok(true)` if no request was cut.
async fn run(
    config: &Config,
    pool: Pool,
    workers_from: &str,
    dropped_lines: ErrorCounter,
) -> Result<bool, String> {
    let mut signals = Signals::new().map_err(|error| format!("no signal handlers: {error}"))?;
    let listener = bind("--listen (SUDOKU_LISTEN)", config.listen).await?;
    let admin_listener = match config.admin_listen {
        Some(address) => Some(bind("--admin-listen (SUDOKU_ADMIN_LISTEN)", address).await?),
        None => None,
    };
    let instructions = config.instructions;
    let app = App::new(
        pool.clone(),
        Arc::new(move |givens, interrupt| instructions.solve(givens, interrupt)),
        Limits {
            body: config.body_limit,
            batch: config.batch_limit,
            batches: config.batches,
            body_timeout: config.body_timeout,
            deadline: config.deadline,
        },
        config.cors_origins.clone(),
        Metrics::new(&pool).with_log(dropped_lines),
    );
    announce(config, &listener, admin_listener.as_ref(), &pool, workers_from)?;

    let (stop, stopped) = watch::channel(false);
    let limits = |connections| ConnectionLimits {
        connections,
        idle_timeout: config.idle_timeout,
        write_timeout: config.write_timeout,
    };
    let connections =
        |listener: Listener| app.metrics.connections.with_label_values(&[listener.as_str()]);
    let mut listeners = JoinSet::new();
    let router = http::router(&app, admin_listener.is_none());
    listeners.spawn(http::serve(
        listener,
        router,
        limits(config.max_connections),
        connections(Listener::Public),
        until_set(stopped.clone()),
    ));
    if let Some(admin) = admin_listener {
        let router = http::admin_router(&app);
        // Probes are answered to the end, so the admin listener does not stop.
        tokio::spawn(http::serve(
            admin,
            router,
            limits(ADMIN_CONNECTIONS),
            connections(Listener::Admin),
            std::future::pending(),
        ));
    }

    Ok(serve_until_signal(config, &app, &mut signals, &stop, &mut listeners).await)
}

/// Waits for a signal and then for the requests under way; `true` if none was cut.
async fn serve_until_signal(
    config: &Config,
    app: &App,
    signals: &mut Signals,
    stop: &watch::Sender<bool>,
    listeners: &mut JoinSet<()>,
) -> bool {
    let in_flight = app.metrics.requests_in_flight.with_label_values(&[Listener::Public.as_str()]);
    let signal = signals.next().await;
    app.drain();
    tracing::info!(signal, "stopping: not ready any more");
    let drained = async {
        tokio::time::sleep(config.drain_delay).await;
        stop.send_replace(true);
        if timeout(config.drain_timeout, listeners.join_next()).await.is_err()
            && in_flight.get() > 0
        {
            app.pool.close();
            // What is left after that is cut.
            let _ = timeout(CUT_TIME, listeners.join_next()).await;
        }
    };
    tokio::select! {
        () = drained => {}
        signal = signals.next() => tracing::warn!(signal, "stopping at once"),
    }
    app.pool.close();
    // A batch that was cut off has ended without a whole answer.
    let cut = in_flight.get().unsigned_abs() + app.metrics.answers_cut.get();
    tracing::info!(cut, "stopped");
    cut == 0
}

async fn bind(setting: &str, address: SocketAddr) -> Result<TcpListener, String> {
    TcpListener::bind(address).await.map_err(|error| format!("{setting}: {address}: {error}"))
}

/// Says where the service is, and how to try it.
fn announce(
    config: &Config,
    listener: &TcpListener,
    admin: Option<&TcpListener>,
    pool: &Pool,
    workers_from: &str,
) -> Result<(), String> {
    const EXAMPLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let address = |listener: &TcpListener| {
        listener.local_addr().map_err(|error| format!("no address: {error}"))
    };
    let public = address(listener)?;
    tracing::info!(%public, "serving; try: curl -d {EXAMPLE} http://{public}/solve");
    let admin = admin.map(address).transpose()?;
    tracing::info!(
        admin = admin.map(tracing::field::display),
        workers = pool.workers(),
        workers_from,
        queue = pool.queue(),
        max_connections = config.max_connections,
        instructions = %config.instructions,
        version = env!("CARGO_PKG_VERSION"),
        "settings"
    );
    Ok(())
}

async fn until_set(mut flag: watch::Receiver<bool>) {
    // The sender lives as long as the service; without it there is nothing to serve for either.
    let _ = flag.wait_for(|&set| set).await;
}
