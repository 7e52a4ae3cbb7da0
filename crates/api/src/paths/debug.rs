//! What `/statusz` and `/flagz` share: text for people, or an object of `config.k8s.io` for clients that accept one (apiserver's
//! pkg/server/statusz and pkg/server/flagz).

use kindsmith_json::{Arena, Value};
use kindsmith_request::Status;

use super::pretty;
use crate::{Request, Response};
use kindsmith_json::object_of;

/// The name of the server in texts.
pub(super) const COMPONENT: &str = "kube-apiserver";

const GROUP: &str = "config.k8s.io";
/// Versions, and whether one is deprecated.
const VERSIONS: [(&str, bool); 2] = [("v1beta1", false), ("v1alpha1", true)];

/// The form that a client wants.
pub(super) enum Form {
    Text,
    /// An object in a version.
    Object(&'static str, bool),
}

/// Finds the form that a client wants of a kind.
pub(super) fn form(request: &Request<'_>, kind: &str) -> Result<Form, Status> {
    let accept = request.header("accept").unwrap_or_default();
    if accept.trim().is_empty() {
        return Ok(Form::Text);
    }
    for range in accept.split(',') {
        let mut parts = range.split(';').map(str::trim);
        let media = parts.next().unwrap_or_default();
        let parameters: Vec<(&str, &str)> = parts.filter_map(|part| part.split_once('=')).collect();
        let parameter = |name: &str| {
            parameters
                .iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| *value)
        };
        let wanted = (parameter("g"), parameter("as"));
        match media {
            "text/plain" | "text/*" | "*/*" if parameter("as").is_none() => return Ok(Form::Text),
            "application/json" if wanted == (Some(GROUP), Some(kind)) => {
                let found = VERSIONS
                    .iter()
                    .find(|(version, _)| parameter("v") == Some(version));
                if let Some((version, is_deprecated)) = found {
                    return Ok(Form::Object(version, *is_deprecated));
                }
            }
            _ => {}
        }
    }
    Err(Status {
        code: 406,
        reason: "NotAcceptable".into(),
        message:
            "only the following media types are accepted: application/json, application/yaml, text/plain"
                .to_owned(),
        details: None,
    })
}

/// The first lines of a text.
pub(super) fn head(name: &str) -> String {
    format!(
        "\n{COMPONENT} {name}\nWarning: This endpoint is not meant to be machine parseable, has no formatting compatibility \
         guarantees and is for debugging purposes only.\n"
    )
}

/// An object of a kind with these members.
pub(super) fn object<'a>(
    arena: &'a Arena,
    (kind, version, is_deprecated): (&'a str, &'a str, bool),
    members: &[(&'a str, Value<'a>)],
) -> Response {
    let metadata = object_of(arena, &[("name", COMPONENT.into())]);
    let mut all = vec![
        ("kind", Value::Str(kind)),
        (
            "apiVersion",
            Value::Str(arena.alloc_str(&format!("{GROUP}/{version}"))),
        ),
        ("metadata", metadata),
    ];
    all.extend_from_slice(members);
    let mut response = pretty(object_of(arena, &all));
    if is_deprecated {
        let path = kind.to_lowercase();
        let warning = format!(
            "299 - \"This version of the {path} endpoint is deprecated. Please use a newer version.\""
        );
        response.headers.push(("warning", warning.into()));
    }
    response
}
