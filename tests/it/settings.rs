//! Settings: flags, variables, defaults, and what is refused.

use std::collections::HashMap;
use std::time::Duration;

use sudoku_api::config::{Config, ConfigError, Invocation, LogFormat, SETTINGS};
use sudoku_api::sudoku::InstructionSet;

fn parse(flags: &[&str], variables: &[(&str, &str)]) -> Result<Invocation, ConfigError> {
    let variables: HashMap<&str, &str> = variables.iter().copied().collect();
    let arguments = std::iter::once("sudoku-api").chain(flags.iter().copied());
    Invocation::parse(arguments, |name| variables.get(name).map(ToString::to_string))
}

fn config(flags: &[&str], variables: &[(&str, &str)]) -> Config {
    match parse(flags, variables) {
        Ok(Invocation::Serve(config)) => *config,
        other => panic!("expected settings, found {other:?}"),
    }
}

fn errors(flags: &[&str], variables: &[(&str, &str)]) -> Vec<String> {
    match parse(flags, variables) {
        Err(ConfigError::Settings(errors)) => errors,
        other => panic!("expected errors, found {other:?}"),
    }
}

#[test]
fn the_defaults_are_those_of_the_contract() {
    let config = config(&[], &[]);
    assert_eq!(config.listen.to_string(), "127.0.0.1:8080");
    assert_eq!((config.admin_listen, config.workers, config.queue), (None, None, 1024));
    assert_eq!(config.instructions, InstructionSet::fastest());
    assert_eq!(config.deadline, Duration::from_secs(1));
    assert_eq!(config.body_limit, 65_536);
    assert_eq!(config.body_timeout, Duration::from_secs(10));
    assert_eq!(config.write_timeout, Duration::from_secs(30));
    assert_eq!(config.idle_timeout, Duration::from_secs(75));
    assert!((1..=4096).contains(&config.max_connections));
    assert_eq!(
        (config.drain_delay, config.drain_timeout),
        (Duration::ZERO, Duration::from_secs(5))
    );
    assert_eq!((config.cors_origins, config.log_format), (None, LogFormat::Text));
    assert_eq!(config.log.to_string(), "info");
}

#[test]
fn a_flag_wins_over_its_variable_and_an_empty_variable_is_none() {
    assert_eq!(config(&[], &[("SUDOKU_QUEUE", "7")]).queue, 7);
    assert_eq!(config(&["--queue", "8"], &[("SUDOKU_QUEUE", "7")]).queue, 8);
    assert_eq!(config(&[], &[("SUDOKU_QUEUE", "")]).queue, 1024);
    assert_eq!(config(&["--queue=8"], &[("SUDOKU_QUEUE", "wrong")]).queue, 8, "not even looked at");
    assert_eq!(errors(&["--queue", ""], &[]).len(), 1);
}

#[test]
fn each_setting_refuses_what_it_does_not_take_by_its_name() {
    for setting in SETTINGS {
        // Not an address, a number, a duration, a size, a name, an origin, a format or a level.
        let wrong = "¿?";
        for (name, errors) in [
            (setting.variable.to_owned(), errors(&[], &[(setting.variable, wrong)])),
            (format!("--{}", setting.flag), errors(&[&format!("--{}={wrong}", setting.flag)], &[])),
        ] {
            let [error] = errors.as_slice() else { panic!("one error: {errors:?}") };
            assert!(error.starts_with(&format!("{name}: expected ")), "{error}");
            assert!(error.ends_with(&format!(", found '{wrong}'")), "{error}");
        }
    }
}

#[test]
fn the_solver_uses_the_instructions_of_the_setting() {
    for set in InstructionSet::supported() {
        let name = set.to_string();
        assert_eq!(config(&[], &[("SUDOKU_INSTRUCTIONS", &name)]).instructions, set);
    }
    let errors = errors(&["--instructions=sse"], &[]);
    let [error] = errors.as_slice() else { panic!("one error: {errors:?}") };
    assert!(
        error.starts_with("--instructions: expected fastest or an instruction set of"),
        "{error}"
    );
    assert!(error.ends_with("portable, found 'sse'"), "{error}");
}

#[test]
fn what_could_never_match_is_refused() {
    for (variable, values) in [
        (
            "SUDOKU_CORS_ORIGINS",
            vec![
                "a.example",
                "https://*.a",
                "https://A.b",
                "https://a/",
                "https://a:443",
                "https://a,",
            ],
        ),
        ("SUDOKU_LOG", vec!["inof", "3", "=info", "warn,", "sudoku_api=loud"]),
    ] {
        for value in values {
            assert_eq!(errors(&[], &[(variable, value)]).len(), 1, "{variable}={value}");
        }
    }
}

#[test]
fn all_wrong_settings_are_told_at_once() {
    let errors = errors(
        &["--workers=0"],
        &[
            ("SUDOKU_LISTEN", "localhost:80"),
            ("SUDOKU_DEADLINE", "0s"),
            ("SUDOKU_BODY_LIMIT", "2GiB"),
        ],
    );
    let names: Vec<_> = errors.iter().filter_map(|error| error.split(':').next()).collect();
    assert_eq!(names, ["SUDOKU_LISTEN", "--workers", "SUDOKU_DEADLINE", "SUDOKU_BODY_LIMIT"]);
}

#[test]
fn values_are_read_as_they_are_written() {
    let config = config(
        &["--listen=[::1]:0", "--admin-listen=127.0.0.1:9090", "--workers=3", "--deadline=250ms"],
        &[
            ("SUDOKU_BODY_LIMIT", "1MiB"),
            ("SUDOKU_CORS_ORIGINS", "https://a.example, http://localhost:3000"),
            ("SUDOKU_LOG_FORMAT", "json"),
            ("SUDOKU_LOG", "warn,sudoku_api=debug"),
            ("SUDOKU_MAX_CONNECTIONS", "10"),
        ],
    );
    assert_eq!(config.listen.to_string(), "[::1]:0");
    assert_eq!(config.admin_listen.map(|a| a.port()), Some(9090));
    assert_eq!((config.workers, config.max_connections), (Some(3), 10));
    assert_eq!((config.deadline, config.body_limit), (Duration::from_millis(250), 1_048_576));
    let origins = config.cors_origins.expect("a list");
    assert_eq!(origins, ["https://a.example", "http://localhost:3000"]);
    assert_eq!(config.log_format, LogFormat::Json);
}

#[test]
fn the_readme_lists_each_setting_with_its_default() {
    let readme = include_str!("../../README.md");
    for setting in SETTINGS {
        let row = format!("| `--{}` | `{}` | ", setting.flag, setting.variable);
        let row = readme.lines().find(|line| line.starts_with(&row));
        let row = row.unwrap_or_else(|| panic!("the README lists --{}", setting.flag));
        assert!(row.contains(setting.default), "{row}: {}", setting.default);
    }
}

#[test]
fn the_healthcheck_asks_where_the_probes_are() {
    for (variables, expected) in [
        (vec![], "127.0.0.1:8080"),
        (vec![("SUDOKU_LISTEN", "0.0.0.0:80")], "0.0.0.0:80"),
        (
            vec![("SUDOKU_LISTEN", "0.0.0.0:80"), ("SUDOKU_ADMIN_LISTEN", "0.0.0.0:81")],
            "0.0.0.0:81",
        ),
    ] {
        match parse(&["healthcheck", "--timeout", "500ms"], &variables) {
            Ok(Invocation::Healthcheck { address, timeout }) => {
                assert_eq!(address.to_string(), expected);
                assert_eq!(timeout, Duration::from_millis(500));
            }
            other => panic!("expected a healthcheck, found {other:?}"),
        }
    }
}
