//! The contract as files, and a paragraph on each problem.

use axum::Json;
use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::response::{IntoResponse, Response};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use serde::Serialize;

use super::problem::{Code, Problem, excerpt};

/// `GET /openapi.yaml`: the contract as it is written.
pub(super) async fn openapi_yaml() -> Response {
    let content_type = HeaderValue::from_static("application/yaml");
    ([(CONTENT_TYPE, content_type)], include_str!("../../openapi.yaml")).into_response()
}

/// `GET /openapi.json`: the contract for tools that read no YAML.
pub(super) async fn openapi_json() -> Response {
    let content_type = HeaderValue::from_static("application/json");
    let document = include_str!(concat!(env!("OUT_DIR"), "/openapi.json"));
    ([(CONTENT_TYPE, content_type)], document).into_response()
}

#[derive(Serialize)]
struct Explanation {
    code: &'static str,
    title: &'static str,
    status: u16,
    description: &'static str,
}

/// `GET /problems/{code}`: what the problem means and what to do about it.
pub(super) async fn problem(
    path: Result<Path<String>, PathRejection>,
) -> Result<Response, Problem> {
    let name = path.map(|Path(name)| name).unwrap_or_default();
    let code = Code::ALL.into_iter().find(|code| code.as_str() == name).ok_or_else(|| {
        let found = excerpt(&name);
        Problem::new(Code::NotFound, format!("expected the code of a problem, found \"{found}\""))
    })?;
    Ok(Json(Explanation {
        code: code.as_str(),
        title: code.title(),
        status: code.status().as_u16(),
        description: description(code),
    })
    .into_response())
}

fn description(code: Code) -> &'static str {
    match code {
        Code::InvalidJson => {
            "The body was announced as JSON by its content type, or begins like JSON, and is \
             not JSON or not UTF-8. The members line and column say where reading stopped, in \
             bytes from 1. A string in JSON holds no real line ends: write \\n, or send the \
             grid itself as text/plain."
        }
        Code::InvalidRequest => {
            "The body can be read, but it is not a request. Send an object with the member \
             \"puzzle\" and no other, or the puzzle by itself: a string, nine rows of nine \
             cells, or 81 cells. A member that is missing, unknown or repeated is named in the \
             detail."
        }
        Code::InvalidPuzzle => {
            "What was sent for a puzzle has a wrong shape, a wrong number of cells, or a cell \
             or character that is neither a digit nor an empty cell; or it is text that is not \
             UTF-8. The member errors lists up to ten faults with their places. Nothing is \
             guessed or repaired, so the puzzle has to be corrected by the one who sent it."
        }
        Code::NotFound => {
            "The path does not lead to anything here. Check its spelling. A puzzle in a path is \
             /solve/ followed by exactly 81 characters, with a slash, a question mark or a \
             space among them percent-encoded."
        }
        Code::MethodNotAllowed => {
            "The path is right, but it takes other methods: those that the Allow header names. \
             A puzzle in a body is sent with POST, a puzzle in a path is asked for with GET."
        }
        Code::RequestTimeout => {
            "The service waited for the rest of the body and gave up. Send the request again. \
             If this happens often, the connection is slow, or the length that the request \
             announced is greater than that of the body it sent."
        }
        Code::BodyTooLarge => {
            "The body is longer than the service reads: the member limit says how many bytes it \
             may have. One puzzle in any of its forms is far shorter, so the body is probably \
             something else."
        }
        Code::UnsupportedMediaType => {
            "The content type of the body is none that is read here, its charset is neither \
             UTF-8 nor US-ASCII, or it is compressed. The member accepted lists the media types \
             that are read; a type that ends in +json is read as JSON. Send the body in UTF-8 \
             and without a content encoding."
        }
        Code::Unsolvable => {
            "The puzzle is well formed, and no grid keeps all its givens. The member reason is \
             conflict if a digit stands twice in a row, a column or a box, and conflicts lists \
             each such case; else it is no_solution. This is a complete answer and will not \
             change: it is never the result of a search that was cut short. Check the givens \
             for a typing error."
        }
        Code::Internal => {
            "The service has a fault, and the request met it. The request may be sent again. \
             Please report it with the request id, under which the log tells more."
        }
        Code::Overloaded => {
            "All workers are busy and the queue is full, so the request was refused at once and \
             nothing was done for it. Send it again after the number of seconds in the \
             Retry-After header."
        }
        Code::DeadlineExceeded => {
            "The service did not have a complete answer within its deadline, which includes the \
             time in the queue. It says nothing about whether the puzzle has a solution. Send \
             the request again after the number of seconds in the Retry-After header: if the \
             service was busy, it may well be answered then."
        }
        Code::ShuttingDown => {
            "The service has been told to stop and takes no more requests. Send the request \
             again after the number of seconds in the Retry-After header: another instance, or \
             the next one, will answer it."
        }
    }
}
