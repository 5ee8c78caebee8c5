//! How the values of settings are written; an error says what was expected.

use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use bytesize::ByteSize;
use hyper::header::HeaderValue;
use tracing_subscriber::filter::Targets;

use super::LogFormat;
use crate::sudoku::InstructionSet;

pub(super) fn address(text: &str) -> Result<SocketAddr, String> {
    parse(text, "an address and port such as 127.0.0.1:8080")
}

pub(super) fn number(text: &str, range: RangeInclusive<usize>) -> Result<usize, String> {
    let expected = format!("a whole number from {} to {}", range.start(), range.end());
    parse(text, &expected)
        .and_then(|number| if range.contains(&number) { Ok(number) } else { Err(expected) })
}

pub(super) fn duration(text: &str) -> Result<Duration, String> {
    const MOST: Duration = Duration::from_hours(24);
    humantime::parse_duration(text)
        .ok()
        .filter(|duration| *duration <= MOST)
        .ok_or_else(|| "a duration of at most 24h such as 250ms or 5s".to_owned())
}

pub(super) fn positive_duration(text: &str) -> Result<Duration, String> {
    let expected = "a duration from 1ms to 24h such as 250ms or 5s";
    duration(text)
        .ok()
        .filter(|duration| *duration >= Duration::from_millis(1))
        .ok_or_else(|| expected.to_owned())
}

pub(super) fn size(text: &str) -> Result<usize, String> {
    const MOST: u64 = 1 << 30;
    text.parse::<ByteSize>()
        .ok()
        .filter(|size| (1..=MOST).contains(&size.as_u64()))
        .and_then(|size| usize::try_from(size.as_u64()).ok())
        .ok_or_else(|| "a size from 1B to 1GiB such as 64KiB".to_owned())
}

pub(super) fn origins(text: &str) -> Result<Option<Vec<HeaderValue>>, String> {
    if text == "*" {
        return Ok(None);
    }
    let origin = |text: &str| HeaderValue::from_str(text).ok().filter(|_| is_origin(text));
    let list: Option<Vec<HeaderValue>> = text.split(',').map(str::trim).map(origin).collect();
    list.map(Some)
        .ok_or_else(|| "* or origins such as https://example.org, separated by commas".to_owned())
}

/// What a browser sends as `Origin`: scheme, host in lower case, and a port only if it is not the
/// scheme's own. Anything else would never match.
fn is_origin(text: &str) -> bool {
    let Some((scheme, host)) = text.split_once("://") else { return false };
    let lower_case = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let default_port = match scheme {
        "http" => ":80",
        "https" => ":443",
        _ => ":",
    };
    !scheme.is_empty()
        && scheme.bytes().all(|byte| lower_case(byte) || b"+-.".contains(&byte))
        && !host.is_empty()
        && host.bytes().all(|byte| lower_case(byte) || b"-.:[]".contains(&byte))
        && !host.ends_with(default_port)
}

pub(super) fn instructions(text: &str) -> Result<InstructionSet, String> {
    if text == "fastest" {
        return Ok(InstructionSet::fastest());
    }
    text.parse().map_err(|error| format!("fastest or {error}"))
}

pub(super) fn log_format(text: &str) -> Result<LogFormat, String> {
    match text {
        "text" => Ok(LogFormat::Text),
        "json" => Ok(LogFormat::Json),
        _ => Err("text or json".to_owned()),
    }
}

/// A word alone must be a level: as the name of a target it would silence everything else.
pub(super) fn log_targets(text: &str) -> Result<Targets, String> {
    const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];
    let is_level = |word: &str| LEVELS.iter().any(|level| word.eq_ignore_ascii_case(level));
    let is_directive = |text: &str| match text.split_once('=') {
        Some((target, level)) => !target.is_empty() && is_level(level),
        None => is_level(text),
    };
    let expected = "off, error, warn, info, debug or trace";
    if !text.split(',').all(is_directive) {
        return Err(expected.to_owned());
    }
    parse(text, expected)
}

fn parse<T: FromStr>(text: &str, expected: &str) -> Result<T, String> {
    text.parse().map_err(|_| expected.to_owned())
}
