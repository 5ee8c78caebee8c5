//! Media types: what a request body is, and what an answer should be.

use hyper::header::{ACCEPT, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap};
use mediatype::names::{APPLICATION, CHARSET, JSON, PLAIN, TEXT};
use mediatype::{MediaType, MediaTypeList, Name, ReadParams};

use super::problem::{Problem, excerpt};

/// What the body of a solve may be declared as.
const PUZZLE_TYPES: &[&str] =
    &["application/json", "text/plain", "application/x-www-form-urlencoded"];

/// What the body of a batch may be declared as.
const BATCH_TYPES: &[&str] = &[
    "application/json",
    "application/x-ndjson",
    "application/jsonl",
    "text/plain",
    "application/x-www-form-urlencoded",
];

const FORM: MediaType = MediaType::new(APPLICATION, Name::new_unchecked("x-www-form-urlencoded"));
const NDJSON: MediaType = MediaType::new(APPLICATION, Name::new_unchecked("x-ndjson"));
const JSONL: MediaType = MediaType::new(APPLICATION, Name::new_unchecked("jsonl"));
const APPLICATION_JSON: MediaType = MediaType::new(APPLICATION, JSON);
const TEXT_PLAIN: MediaType = MediaType::new(TEXT, PLAIN);
const Q: Name = Name::new_unchecked("q");

/// How a request body is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyKind {
    /// Announced as JSON.
    Json,
    /// Lines of JSON; of a batch only.
    JsonLines,
    /// Text, or nothing said: JSON if it looks like it, else a text grid.
    Text,
    /// What `curl -d` sends: as text, or a form with the field `puzzle`.
    Form,
}

/// What the headers say about the body of a solve.
///
/// # Errors
///
/// `unsupported_media_type`.
pub(super) fn puzzle_kind(headers: &HeaderMap) -> Result<BodyKind, Problem> {
    body_kind(headers, PUZZLE_TYPES)
}

/// What the headers say about the body of a batch.
///
/// # Errors
///
/// `unsupported_media_type`.
pub(super) fn batch_kind(headers: &HeaderMap) -> Result<BodyKind, Problem> {
    body_kind(headers, BATCH_TYPES)
}

/// Reads `Content-Type` and `Content-Encoding`.
fn body_kind(headers: &HeaderMap, accepted: &'static [&'static str]) -> Result<BodyKind, Problem> {
    let refuse = |expected: &str, found: &str| {
        let detail = format!("expected {expected}, found {}", excerpt(found));
        Err(Problem::unsupported_media_type(detail, accepted))
    };
    for coding in headers.get_all(CONTENT_ENCODING) {
        if !coding.as_bytes().eq_ignore_ascii_case(b"identity") {
            let found = String::from_utf8_lossy(coding.as_bytes());
            return refuse("the content encoding identity", &found);
        }
    }
    let mut values = headers.get_all(CONTENT_TYPE).iter();
    let Some(value) = values.next() else {
        return Ok(BodyKind::Text);
    };
    if values.next().is_some() {
        return refuse("one content type", "several");
    }
    let value = String::from_utf8_lossy(value.as_bytes());
    // An empty parameter at the end is allowed, and sent.
    let Ok(media_type) = MediaType::parse(value.trim_end_matches([';', ' ']).trim_start()) else {
        return refuse("a media type", &value);
    };
    if let Some(charset) = media_type.get_param(CHARSET) {
        let charset = charset.unquoted_str();
        if !["utf-8", "us-ascii"].iter().any(|known| charset.eq_ignore_ascii_case(known)) {
            return refuse("the charset utf-8 or us-ascii", &charset);
        }
    }
    let essence = media_type.essence();
    if essence == APPLICATION_JSON || media_type.suffix == Some(JSON) {
        Ok(BodyKind::Json)
    } else if essence == TEXT_PLAIN {
        Ok(BodyKind::Text)
    } else if essence == FORM {
        Ok(BodyKind::Form)
    } else if (essence == NDJSON || essence == JSONL) && accepted == BATCH_TYPES {
        Ok(BodyKind::JsonLines)
    } else {
        let (last, others) = accepted.split_last().expect("some types are accepted");
        refuse(&format!("{} or {last}", others.join(", ")), &essence.to_string())
    }
}

/// Whether the answer should be text: if `Accept` names `text/plain` with a higher quality than
/// JSON, or names neither and the puzzle was a text body. A wildcard names neither.
#[must_use]
pub(super) fn prefers_text(headers: &HeaderMap, text_body: bool) -> bool {
    let mut json = None;
    let mut text = None;
    for value in headers.get_all(ACCEPT) {
        let Ok(value) = value.to_str() else { continue };
        for media_type in MediaTypeList::new(value).flatten() {
            let quality = if media_type.essence() == APPLICATION_JSON {
                &mut json
            } else if media_type.essence() == TEXT_PLAIN {
                &mut text
            } else {
                continue;
            };
            *quality = (*quality).max(Some(quality_of(&media_type)));
        }
    }
    match (json, text) {
        (None, None) => text_body,
        (json, text) => text.unwrap_or(0) > json.unwrap_or(0),
    }
}

/// The weight in thousandths; what is no weight counts as the default, 1.
fn quality_of(media_type: &MediaType) -> u16 {
    let weight = media_type.get_param(Q).and_then(|q| q.unquoted_str().parse::<f32>().ok());
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the value is between 0 and 1000"
    )]
    let thousandths = (weight.filter(|q| (0.0..=1.0).contains(q)).unwrap_or(1.0) * 1000.0) as u16;
    thousandths
}
