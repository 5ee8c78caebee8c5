//! The settings: each by flag and by environment variable, all checked before anything is bound.

mod value;

use std::ffi::OsString;
use std::fmt::{self, Display};
use std::net::SocketAddr;
use std::time::Duration;

use clap::{Arg, ArgMatches, Command};
use hyper::header::HeaderValue;
use tracing_subscriber::filter::Targets;

use crate::sudoku::InstructionSet;
use value::{
    address, duration, instructions, log_format, log_targets, number, origins, positive_duration,
    size,
};

/// Descriptors that are not for public connections: listeners, admin connections, the runtime's.
const RESERVED_FILES: u64 = 128;

const DEFAULT_CONNECTIONS: u64 = 4096;

/// How the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// The settings of the service.
#[derive(Clone, Debug)]
pub struct Config {
    /// Address of the service; port 0 takes any free one.
    ///
    /// `--listen`, `SUDOKU_LISTEN`; default `127.0.0.1:8080`.
    pub listen: SocketAddr,
    /// Address of the probes and metrics, where they should not be public.
    ///
    /// `--admin-listen`, `SUDOKU_ADMIN_LISTEN`; unset by default.
    pub admin_listen: Option<SocketAddr>,
    /// Puzzles solved at a time.
    ///
    /// `--workers`, `SUDOKU_WORKERS`; default: the cores that the process may use.
    pub workers: Option<usize>,
    /// Puzzles that may wait for a worker.
    ///
    /// `--queue`, `SUDOKU_QUEUE`; default `1024`.
    pub queue: usize,
    /// Instructions that the solver uses.
    ///
    /// `--instructions`, `SUDOKU_INSTRUCTIONS`; default `fastest`: the fastest that the machine has.
    pub instructions: InstructionSet,
    /// Longest time a request may wait and be solved.
    ///
    /// `--deadline`, `SUDOKU_DEADLINE`; default `1s`.
    pub deadline: Duration,
    /// Batches at a time.
    ///
    /// `--batches`, `SUDOKU_BATCHES`; default `4`.
    pub batches: usize,
    /// Largest body of one puzzle, in bytes.
    ///
    /// `--body-limit`, `SUDOKU_BODY_LIMIT`; default `64KiB`.
    pub body_limit: usize,
    /// Largest body of a batch, in bytes.
    ///
    /// `--batch-limit`, `SUDOKU_BATCH_LIMIT`; default `16MiB`.
    pub batch_limit: usize,
    /// Time to receive a body; each 256 KiB of it add a second.
    ///
    /// `--body-timeout`, `SUDOKU_BODY_TIMEOUT`; default `10s`.
    pub body_timeout: Duration,
    /// Time in which a caller may take nothing of its answer.
    ///
    /// `--write-timeout`, `SUDOKU_WRITE_TIMEOUT`; default `30s`.
    pub write_timeout: Duration,
    /// Time that a connection may be without a complete request head.
    ///
    /// `--idle-timeout`, `SUDOKU_IDLE_TIMEOUT`; default `75s`.
    pub idle_timeout: Duration,
    /// Public connections at a time.
    ///
    /// `--max-connections`, `SUDOKU_MAX_CONNECTIONS`; default 4096, less if the limit of open
    /// files asks for it.
    pub max_connections: usize,
    /// Time to go on serving after the signal to stop, while not ready.
    ///
    /// `--drain-delay`, `SUDOKU_DRAIN_DELAY`; default `0s`.
    pub drain_delay: Duration,
    /// Time for the requests under way to end, then they are cut.
    ///
    /// `--drain-timeout`, `SUDOKU_DRAIN_TIMEOUT`; default `5s`.
    pub drain_timeout: Duration,
    /// Origins whose pages may call; `None` is any.
    ///
    /// `--cors-origins`, `SUDOKU_CORS_ORIGINS`; default `*`.
    pub cors_origins: Option<Vec<HeaderValue>>,
    /// How the log is written.
    ///
    /// `--log-format`, `SUDOKU_LOG_FORMAT`; default `text`.
    pub log_format: LogFormat,
    /// What is logged: a level, or levels by target.
    ///
    /// `--log-level`, `SUDOKU_LOG`; default `info`.
    pub log: Targets,
}

/// What the command line asks for.
#[derive(Clone, Debug)]
pub enum Invocation {
    /// Run the service.
    Serve(Box<Config>),
    /// Ask a running service at this address whether it is ready.
    Healthcheck {
        /// Where it serves its probes.
        address: SocketAddr,
        /// Time to wait for the answer.
        timeout: Duration,
    },
}

/// Why there is nothing to run.
#[derive(Debug)]
pub enum ConfigError {
    /// Help, the version, or an unknown argument: clap's own message.
    Usage(clap::Error),
    /// Settings with wrong values, a sentence each.
    Settings(Vec<String>),
}

impl Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(error) => write!(f, "{error}"),
            Self::Settings(errors) => {
                errors.iter().try_for_each(|error| writeln!(f, "error: {error}"))
            }
        }
    }
}

impl std::error::Error for ConfigError {}

/// One setting as the help shows it.
#[derive(Debug)]
pub struct Setting {
    /// The long flag, without dashes.
    pub flag: &'static str,
    /// The environment variable.
    pub variable: &'static str,
    /// The value's form.
    pub value: &'static str,
    /// The default, as it would be written or in words.
    pub default: &'static str,
    /// What it is.
    pub help: &'static str,
}

macro_rules! settings {
    ($($name:ident: $flag:literal, $variable:literal, $value:literal, $default:literal, $help:literal;)*) => {
        $(const $name: Setting =
            Setting { flag: $flag, variable: $variable, value: $value, default: $default, help: $help };)*

        /// All settings, in the order of the help.
        pub const SETTINGS: &[&Setting] = &[$(&$name),*];
    };
}

settings! {
    LISTEN: "listen", "SUDOKU_LISTEN", "ADDRESS:PORT", "127.0.0.1:8080", "Where to serve; port 0 takes any free one";
    ADMIN_LISTEN: "admin-listen", "SUDOKU_ADMIN_LISTEN", "ADDRESS:PORT", "unset", "Where to serve /livez, /readyz and /metrics instead";
    WORKERS: "workers", "SUDOKU_WORKERS", "NUMBER", "cores this process may use", "Puzzles solved at a time";
    QUEUE: "queue", "SUDOKU_QUEUE", "NUMBER", "1024", "Puzzles that may wait for a worker";
    INSTRUCTIONS: "instructions", "SUDOKU_INSTRUCTIONS", "NAME", "fastest", "Instructions of the solver: fastest, or one of avx512, avx2 and portable that this machine has";
    DEADLINE: "deadline", "SUDOKU_DEADLINE", "DURATION", "1s", "Longest wait and solve of one request; in a batch, of one puzzle";
    BATCHES: "batches", "SUDOKU_BATCHES", "NUMBER", "4", "Batches at a time";
    BODY_LIMIT: "body-limit", "SUDOKU_BODY_LIMIT", "SIZE", "64KiB", "Largest request body; in a batch, largest item";
    BATCH_LIMIT: "batch-limit", "SUDOKU_BATCH_LIMIT", "SIZE", "16MiB", "Largest batch";
    BODY_TIMEOUT: "body-timeout", "SUDOKU_BODY_TIMEOUT", "DURATION", "10s", "Time to receive a body, and a second more for each 256 KiB";
    WRITE_TIMEOUT: "write-timeout", "SUDOKU_WRITE_TIMEOUT", "DURATION", "30s", "A caller that takes nothing of its answer for so long is cut off";
    IDLE_TIMEOUT: "idle-timeout", "SUDOKU_IDLE_TIMEOUT", "DURATION", "75s", "Longest time of a connection without a complete request head";
    MAX_CONNECTIONS: "max-connections", "SUDOKU_MAX_CONNECTIONS", "NUMBER", "4096, less if the open-file limit asks for it", "Connections at a time";
    DRAIN_DELAY: "drain-delay", "SUDOKU_DRAIN_DELAY", "DURATION", "0s", "Keep serving for so long after SIGTERM, not ready";
    DRAIN_TIMEOUT: "drain-timeout", "SUDOKU_DRAIN_TIMEOUT", "DURATION", "5s", "Then wait so long for requests under way";
    CORS_ORIGINS: "cors-origins", "SUDOKU_CORS_ORIGINS", "ORIGINS", "*", "Origins whose pages may call, separated by commas";
    LOG_FORMAT: "log-format", "SUDOKU_LOG_FORMAT", "text|json", "text", "Form of the log";
    LOG: "log-level", "SUDOKU_LOG", "LEVEL", "info", "off, error, warn, info, debug or trace";
}

const HEALTHCHECK: &str = "healthcheck";
const TIMEOUT: &str = "timeout";

impl Invocation {
    /// Reads the command line and, through `variable`, the environment; the command line wins.
    ///
    /// An empty variable counts as unset.
    ///
    /// # Errors
    ///
    /// All wrong settings at once.
    ///
    /// # Panics
    ///
    /// Never: the defaults are values of their settings.
    pub fn parse<I>(
        arguments: I,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, ConfigError>
    where
        I: IntoIterator<Item: Into<OsString> + Clone>,
    {
        let matches = command().try_get_matches_from(arguments).map_err(ConfigError::Usage)?;
        let mut reader = Reader { matches: &matches, variable: &variable, errors: Vec::new() };
        let invocation = match matches.subcommand() {
            Some((HEALTHCHECK, matches)) => {
                let timeout = matches.get_one::<String>(TIMEOUT).expect("it has a default");
                reader.healthcheck(timeout)
            }
            _ => Self::Serve(Box::new(reader.config())),
        };
        if reader.errors.is_empty() {
            Ok(invocation)
        } else {
            Err(ConfigError::Settings(reader.errors))
        }
    }
}

fn command() -> Command {
    let arguments = SETTINGS.iter().map(|setting| {
        let help =
            format!("{} [env: {}] [default: {}]", setting.help, setting.variable, setting.default);
        Arg::new(setting.flag).long(setting.flag).value_name(setting.value).help(help).global(true)
    });
    let timeout = Arg::new(TIMEOUT)
        .long(TIMEOUT)
        .value_name("DURATION")
        .help("Time to wait for the answer")
        .default_value("2s");
    Command::new(env!("CARGO_PKG_NAME"))
        .version(env!("CARGO_PKG_VERSION"))
        .about(env!("CARGO_PKG_DESCRIPTION"))
        .args(arguments)
        .subcommand(
            Command::new(HEALTHCHECK)
                .about("Ask the running service whether it is ready; exit code 0 if so")
                .arg(timeout),
        )
}

/// Reads settings and collects what is wrong with them.
struct Reader<'a, V> {
    matches: &'a ArgMatches,
    variable: &'a V,
    errors: Vec<String>,
}

impl<V: Fn(&str) -> Option<String>> Reader<'_, V> {
    fn config(&mut self) -> Config {
        Config {
            listen: self.or_default(&LISTEN, address),
            admin_listen: self.given(&ADMIN_LISTEN, address),
            workers: self.given(&WORKERS, |text| number(text, 1..=1024)),
            queue: self.or_default(&QUEUE, |text| number(text, 0..=1_000_000)),
            instructions: self.or_default(&INSTRUCTIONS, instructions),
            deadline: self.or_default(&DEADLINE, positive_duration),
            batches: self.or_default(&BATCHES, |text| number(text, 1..=1024)),
            body_limit: self.or_default(&BODY_LIMIT, size),
            batch_limit: self.or_default(&BATCH_LIMIT, size),
            body_timeout: self.or_default(&BODY_TIMEOUT, positive_duration),
            write_timeout: self.or_default(&WRITE_TIMEOUT, positive_duration),
            idle_timeout: self.or_default(&IDLE_TIMEOUT, positive_duration),
            max_connections: self.max_connections(),
            drain_delay: self.or_default(&DRAIN_DELAY, duration),
            drain_timeout: self.or_default(&DRAIN_TIMEOUT, duration),
            cors_origins: self.or_default(&CORS_ORIGINS, origins),
            log_format: self.or_default(&LOG_FORMAT, log_format),
            log: self.or_default(&LOG, log_targets),
        }
    }

    fn healthcheck(&mut self, timeout: &str) -> Invocation {
        let timeout = self.checked(&format!("--{TIMEOUT}"), timeout, duration).unwrap_or_default();
        let listen = self.or_default(&LISTEN, address);
        let admin = self.given(&ADMIN_LISTEN, address);
        Invocation::Healthcheck { address: admin.unwrap_or(listen), timeout }
    }

    fn max_connections(&mut self) -> usize {
        let files = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
        let most = files.unwrap_or(u64::MAX).saturating_sub(RESERVED_FILES).max(1);
        let as_count = |number| usize::try_from(number).unwrap_or(usize::MAX);
        self.given(&MAX_CONNECTIONS, |text| number(text, 1..=as_count(most)))
            .unwrap_or_else(|| as_count(DEFAULT_CONNECTIONS.min(most)))
    }

    /// The value that was given, if it is one; `parse` says what it expected otherwise.
    fn given<T>(
        &mut self,
        setting: &Setting,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Option<T> {
        if let Some(text) = self.matches.get_one::<String>(setting.flag) {
            return self.checked(&format!("--{}", setting.flag), text, parse);
        }
        let text = (self.variable)(setting.variable).filter(|text| !text.is_empty())?;
        self.checked(setting.variable, &text, parse)
    }

    fn checked<T>(
        &mut self,
        name: &str,
        text: &str,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Option<T> {
        let refuse = |expected| format!("{name}: expected {expected}, found '{text}'");
        parse(text).map_err(|expected| self.errors.push(refuse(expected))).ok()
    }

    fn or_default<T>(&mut self, setting: &Setting, parse: impl Fn(&str) -> Result<T, String>) -> T {
        self.given(setting, &parse)
            .or_else(|| parse(setting.default).ok())
            .expect("the defaults are values of their settings")
    }
}
