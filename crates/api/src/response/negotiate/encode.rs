//! Encodes values and errors as responses. Knows no resource.

use kindsmith_builtin::protobuf::seal;
use kindsmith_json::write::{Escape, Format, Order, to_yaml};
use kindsmith_json::{Arena, Value};
use kindsmith_request::Status;

use super::{Accepted, Encoding, Endpoint, meta_message, negotiate};
use crate::request::query::Query;
use crate::{Content, Request, Response};

/// JSON as Go writes it, in the order of the value.
const JSON: Format<'static> = {
    let mut format = Format::GO;
    format.order = Order::Kept;
    format
};

/// Responds with a value as JSON or YAML. JSON also replaces protobuf where the value has no protobuf form.
pub(crate) fn value(accepted: Accepted, code: u16, value: Value<'_>, order: Order) -> Response {
    let (encoding, text) = match accepted.encoding {
        Encoding::Yaml => (Encoding::Yaml, to_yaml(value, Order::Sorted)),
        Encoding::Json | Encoding::Protobuf => (Encoding::Json, json(accepted.pretty, value, order)),
    };
    bytes(code, encoding.media_type(), text.into_bytes())
}

/// Responds with a `Status` of success, or any other value that protobuf encodes as a `Status`.
pub(crate) fn success(accepted: Accepted, code: u16, status: Value<'_>) -> Response {
    match accepted.encoding {
        Encoding::Protobuf => protobuf_status(code, status),
        _ => value(accepted, code, status, Order::Kept),
    }
}

/// Responds with an error in the requested encoding, or in JSON if the request accepts no encoding of errors.
pub(crate) fn error(request: &Request<'_>, query: &Query, status: &Status) -> Response {
    let arena = Arena::new();
    let body = status.to_value(&arena);
    let mut response = match negotiate(request, query, Endpoint::Plain) {
        Ok(accepted) => success(accepted, status.code, body),
        Err(_) => return raw_error(status),
    };
    add_delay(&mut response, status);
    response
}

/// Responds with an error as indented JSON, whatever was requested (`WriteRawJSON`).
fn raw_error(status: &Status) -> Response {
    let arena = Arena::new();
    let text = json(true, status.to_value(&arena), Order::Kept);
    let mut response = bytes(status.code, Encoding::Json.media_type(), text.into_bytes());
    add_delay(&mut response, status);
    response
}

/// A response of bytes.
pub(crate) fn bytes(status: u16, media_type: &'static str, bytes: Vec<u8>) -> Response {
    Response {
        status,
        headers: vec![("content-type", media_type.into())],
        content: Content::Bytes(bytes),
    }
}

/// JSON as the server writes it: one line with a line end, or indented without one.
fn json(pretty: bool, value: Value<'_>, order: Order) -> String {
    if pretty {
        return JSON.order(order).indent("  ").to_string(value);
    }
    let mut text = JSON.order(order).escape(Escape::Html).to_string(value);
    text.push('\n');
    text
}

fn protobuf_status(code: u16, status: Value<'_>) -> Response {
    bytes(code, Encoding::Protobuf.media_type(), status_envelope(status))
}

/// A `Status` as protobuf.
pub(crate) fn status_envelope(status: Value<'_>) -> Vec<u8> {
    seal("v1", "Status", &meta_message("Status", status))
}

fn add_delay(response: &mut Response, status: &Status) {
    let seconds = status
        .details
        .as_ref()
        .map_or(0, |details| details.retry_after_seconds);
    if seconds > 0 {
        response.headers.push(("retry-after", seconds.to_string().into()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::User;

    fn answer(accept: &str, query: &str) -> Response {
        let user = User::default();
        let request = Request {
            method: "GET",
            path: "/",
            query,
            headers: &[("accept", accept)],
            body: b"",
            user: &user,
        };
        error(&request, &Query::parse(query), &Status::bad_request("a < b"))
    }

    fn check(accept: &str, query: &str, media: &str, text: &str) {
        let response = answer(accept, query);
        assert_eq!(response.headers[0].1, media);
        let Content::Bytes(bytes) = response.content else {
            panic!("an error is no watch");
        };
        assert_eq!(String::from_utf8_lossy(&bytes), text);
    }

    #[test]
    fn errors_use_the_requested_encoding() {
        let line = "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\"message\":\"a \\u003c b\",\"reason\":\"BadRequest\",\"code\":400}\n";
        check("", "", "application/json", line);
        let yaml = "apiVersion: v1\ncode: 400\nkind: Status\nmessage: a < b\nmetadata: {}\nreason: BadRequest\nstatus: Failure\n";
        check("application/yaml", "", "application/yaml", yaml);
        let pretty = "{\n  \"kind\": \"Status\",\n  \"apiVersion\": \"v1\",\n  \"metadata\": {},\n  \"status\": \"Failure\",\n  \"message\": \"a \\u003c b\",\n  \"reason\": \"BadRequest\",\n  \"code\": 400\n}";
        check("", "pretty=true", "application/json", pretty);
        check(
            "application/json;as=Table;v=v1;g=meta.k8s.io",
            "",
            "application/json",
            pretty,
        );
    }

    #[test]
    fn protobuf_requests_get_protobuf_errors() {
        let Content::Bytes(bytes) = answer("application/vnd.kubernetes.protobuf", "").content else {
            panic!("an error is no watch");
        };
        let expected = b"k8s\0\n\x0c\n\x02v1\x12\x06Status\x12'\n\x06\n\0\x12\0\x1a\0\x12\x07Failure\x1a\x05a < b\"\nBadRequest0\x90\x03\x1a\0\"\0";
        assert_eq!(bytes, expected.to_vec());
    }
}
