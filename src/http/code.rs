//! The kinds of problem: status, code and title, in one table.

use hyper::StatusCode;

/// The kinds of problem; stable, part of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    /// The body should be JSON and is not.
    InvalidJson,
    /// The JSON is not a request: a member is missing, unknown or repeated.
    InvalidRequest,
    /// What was sent is not a grid.
    InvalidPuzzle,
    /// No such path.
    NotFound,
    /// The path does not take this method.
    MethodNotAllowed,
    /// The body came too slowly.
    RequestTimeout,
    /// The body is larger than the limit.
    BodyTooLarge,
    /// The body is of a kind that is not read.
    UnsupportedMediaType,
    /// A well-formed puzzle without a solution.
    Unsolvable,
    /// A fault of the service.
    Internal,
    /// The queue is full.
    Overloaded,
    /// Not answered in time.
    DeadlineExceeded,
    /// The service is being stopped.
    ShuttingDown,
}

impl Code {
    /// All codes.
    pub(super) const ALL: [Self; 13] = [
        Self::InvalidJson,
        Self::InvalidRequest,
        Self::InvalidPuzzle,
        Self::NotFound,
        Self::MethodNotAllowed,
        Self::RequestTimeout,
        Self::BodyTooLarge,
        Self::UnsupportedMediaType,
        Self::Unsolvable,
        Self::Internal,
        Self::Overloaded,
        Self::DeadlineExceeded,
        Self::ShuttingDown,
    ];

    /// The status, the code and the title of each kind, in one table.
    #[rustfmt::skip]
    fn row(self) -> (StatusCode, &'static str, &'static str) {
        use StatusCode as S;
        match self {
            Self::InvalidJson => (S::BAD_REQUEST, "invalid_json", "The body is not JSON"),
            Self::InvalidRequest => (S::BAD_REQUEST, "invalid_request", "The body is not a request to solve a puzzle"),
            Self::InvalidPuzzle => (S::BAD_REQUEST, "invalid_puzzle", "The puzzle is not well formed"),
            Self::NotFound => (S::NOT_FOUND, "not_found", "There is nothing at this path"),
            Self::MethodNotAllowed => (S::METHOD_NOT_ALLOWED, "method_not_allowed", "The path does not take this method"),
            Self::RequestTimeout => (S::REQUEST_TIMEOUT, "request_timeout", "The body came too slowly"),
            Self::BodyTooLarge => (S::PAYLOAD_TOO_LARGE, "body_too_large", "The body is too large"),
            Self::UnsupportedMediaType => (S::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", "The media type of the body is not supported"),
            Self::Unsolvable => (S::UNPROCESSABLE_ENTITY, "unsolvable", "The puzzle has no solution"),
            Self::Internal => (S::INTERNAL_SERVER_ERROR, "internal", "The service failed"),
            Self::Overloaded => (S::SERVICE_UNAVAILABLE, "overloaded", "The service has too much to do"),
            Self::DeadlineExceeded => (S::SERVICE_UNAVAILABLE, "deadline_exceeded", "The answer was not ready in time"),
            Self::ShuttingDown => (S::SERVICE_UNAVAILABLE, "shutting_down", "The service is shutting down"),
        }
    }

    /// The HTTP status that goes with the code.
    #[must_use]
    pub(super) fn status(self) -> StatusCode {
        self.row().0
    }

    /// The code as it stands in `code`, in `type` and in the metrics.
    #[must_use]
    pub(super) fn as_str(self) -> &'static str {
        self.row().1
    }

    /// A short summary, the same for every occurrence.
    #[must_use]
    pub(super) fn title(self) -> &'static str {
        self.row().2
    }
}
