//! HTTP errors of webhooks, with the messages of Kubernetes' HTTP client (`transformResponse` in client-go's
//! rest/request.go, `NewGenericServerResponse` in apimachinery's pkg/api/errors).

use kindsmith_gostd::quote::quote;
use kindsmith_json::{Arena, Value};
use kindsmith_request::{Body, Media, body};

use crate::Answer;

/// How much of a body is shown, in bytes.
const SHOWN: usize = 2048;

/// The body of a successful response.
pub(crate) fn body_of(answer: &Answer) -> Result<&[u8], String> {
    if !(200..=206).contains(&answer.status) {
        return Err(told(answer).unwrap_or_else(|| generic(answer)));
    }
    if answer.body.is_empty() {
        return Err(format!(
            "0-length response with status code: {} and content type: {}",
            answer.status, answer.content_type
        ));
    }
    Ok(&answer.body)
}

/// The message of a `Status` about a failure, if the body is one, in JSON or YAML. A body that names no kind counts as
/// one.
fn told(answer: &Answer) -> Option<String> {
    let arena = Arena::new();
    let first = answer.body.iter().find(|byte| !byte.is_ascii_whitespace());
    let media = match first {
        Some(b'{') => Media::Json,
        _ => Media::Yaml,
    };
    let bytes = arena.alloc_slice_copy(&answer.body);
    let parsed = body::parse_built_in(&arena, Body { bytes, media }, ("Status", "", "v1")).ok()?;
    let text = |key| match parsed.value.get(key) {
        None | Some(Value::Null) => Some(""),
        Some(value) => value.as_str(),
    };
    let is_failure = parsed.kind == "Status" && text("status")? == "Failure";
    is_failure.then(|| text("message").map(str::to_owned)).flatten()
}

fn generic(answer: &Answer) -> String {
    let fixed = match answer.status {
        400 => "the server rejected our request for an unknown reason",
        401 => "the server has asked for the client to provide credentials",
        404 => "the server could not find the requested resource",
        405 => "the server does not allow this method on the requested resource",
        406 => "the server was unable to respond with a content type that the client supports",
        409 => "the server reported a conflict",
        422 => "the server rejected our request due to an error in our request",
        429 => "the server has received too many requests and has asked us to try again later",
        503 => "the server is currently unable to handle the request",
        504 => {
            "the server was unable to return a response in the time allotted, but may still be processing the request"
        }
        403 | 415 => return text(answer),
        500.. => {
            let text = quote(&text(answer));
            return format!("an error on the server ({text}) has prevented the request from succeeding");
        }
        status => {
            return format!(
                "the server responded with the status code {status} but did not return more information"
            );
        }
    };
    fixed.to_owned()
}

/// The body, if it is text.
fn text(answer: &Answer) -> String {
    let is_text = answer.content_type.is_empty() || answer.content_type.starts_with("text/");
    if !is_text {
        return "unknown".to_owned();
    }
    let shown = &answer.body[..answer.body.len().min(SHOWN)];
    String::from_utf8_lossy(shown).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(status: u16, body: &str, expected: &str) {
        let answer = Answer {
            status,
            content_type: "application/json".to_owned(),
            body: body.as_bytes().to_vec(),
        };
        assert_eq!(body_of(&answer).err().as_deref(), Some(expected), "{body}");
    }

    #[test]
    fn a_status_about_a_failure_speaks_for_itself() {
        check(
            403,
            r#"{"kind":"Status","apiVersion":"v1","status":"Failure","message":"no"}"#,
            "no",
        );
        check(
            403,
            r#"{"kind":"Status","apiVersion":"meta.k8s.io/v1","status":"Failure","message":"no"}"#,
            "no",
        );
        check(
            500,
            "kind: Status\napiVersion: v1\nstatus: Failure\nmessage: from yaml\n",
            "from yaml",
        );
        check(
            409,
            r#"{"kind":"Status","apiVersion":"v1","status":"Failure"}"#,
            "",
        );
        check(
            409,
            r#"{"kind":"Status","apiVersion":"v1"}"#,
            "the server reported a conflict",
        );
        check(
            403,
            r#"{"kind":"Status","apiVersion":"v1","status":5}"#,
            "unknown",
        );
    }
}
