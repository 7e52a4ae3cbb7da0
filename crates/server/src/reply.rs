//! Answers of the server itself, and answers with their headers.

use std::borrow::Cow;

use hyper::header::{HeaderName, HeaderValue};
use kindsmith_api::{Content, Response};
use kindsmith_json::{Arena, Value};
use kindsmith_request::Status;

use crate::body::Answer;

/// The answer to a client that should come back later.
pub(crate) fn busy() -> Response {
    let message = "Too many requests, please try again later.";
    refusal(429, "TooManyRequests", message, Some(1))
}

/// The answer with its headers.
pub(crate) fn http(
    status: u16,
    headers: &[(&'static str, Cow<'static, str>)],
    id: &str,
    body: Answer,
) -> hyper::Response<Answer> {
    let mut response = hyper::Response::new(body);
    *response.status_mut() =
        hyper::StatusCode::from_u16(status).unwrap_or(hyper::StatusCode::INTERNAL_SERVER_ERROR);
    let map = response.headers_mut();
    if let Ok(id) = HeaderValue::from_str(id) {
        map.insert("audit-id", id);
    }
    map.insert("cache-control", HeaderValue::from_static("no-cache, private"));
    let mut is_cache_told = false;
    for (name, value) in headers {
        let (Ok(name), Ok(value)) = (
            HeaderName::from_bytes(name.as_bytes()),
            HeaderValue::from_bytes(value.as_bytes()),
        ) else {
            continue;
        };
        if name == "cache-control" && !is_cache_told {
            is_cache_told = true;
            map.insert(name, value);
        } else {
            map.append(name, value);
        }
    }
    response
}

/// An error of the server itself, in the API's format.
pub(crate) fn refusal(code: u16, reason: &'static str, message: &str, retry_after: Option<u32>) -> Response {
    let status = Status {
        code,
        reason: reason.into(),
        message: message.to_owned(),
        details: None,
    };
    let arena = Arena::new();
    let body = kindsmith_json::to_string(status.to_value(&arena)) + "\n";
    let mut response = text(code, "application/json", body);
    if let Some(seconds) = retry_after {
        response.headers.push(("retry-after", seconds.to_string().into()));
    }
    response
}

pub(crate) fn panicked() -> Response {
    let message = "This request caused apiserver to panic. Look in the logs for details.";
    text(500, "text/plain; charset=utf-8", message.to_owned())
}

pub(crate) fn text(status: u16, content_type: &'static str, body: String) -> Response {
    Response {
        status,
        headers: vec![("content-type", content_type.into())],
        content: Content::Bytes(body.into_bytes()),
    }
}

/// Why a request failed: the message of its `Status`, or the text of the answer.
pub(crate) fn cause(response: &Response) -> String {
    let Content::Bytes(bytes) = &response.content else {
        return String::new();
    };
    let bytes = &bytes[..bytes.len().min(CAUSE)];
    let arena = Arena::new();
    let status = kindsmith_json::parse(&arena, bytes).unwrap_or_default();
    match status.get("message").and_then(Value::as_str) {
        Some(message) => message.to_owned(),
        None => String::from_utf8_lossy(bytes).trim_end().to_owned(),
    }
}

/// How much of an answer is looked at for the cause of a failure.
const CAUSE: usize = 64 * 1024;
