//! Token requests of service accounts (`TokenREST` in pkg/registry/core/serviceaccount/storage/token.go). They are
//! validated as in Kubernetes, but this server signs no tokens.

use kindsmith_builtin::find_own;
use kindsmith_json::path::{PathBuf, Step};
use kindsmith_json::{Arena, Value};
use kindsmith_object::{BadValue, Detail, ErrorKind, FieldError};
use kindsmith_request::Status;

use crate::request::body::{self, Input};
use crate::request::write_options::{Kind, WriteOptions};
use crate::verb::Call;
use crate::{Response, stored};

const GROUP: &str = "authentication.k8s.io";
const KIND: &str = "TokenRequest";
/// The shortest lifetime of a token, in seconds.
const SHORTEST: i64 = 10 * 60;
/// The longest lifetime, in seconds.
const LONGEST: i64 = 1 << 32;

/// Answers a request for a token of the path's service account.
pub(crate) fn create(call: &Call<'_>) -> Result<Response, Status> {
    let body = Input::read(call.request)?;
    body::check_size(call.request)?;
    let options = WriteOptions::read(call.request, call.query, Kind::Create)?;
    let kind = find_own(GROUP, "v1", KIND).ok_or_else(|| Status::internal("no kind TokenRequest"))?;
    let arena = Arena::new();
    let body = body.json(|bytes| kind.json_body(&arena, bytes))?;
    let (request, strict) = kind.read_body(&arena, body, options.field_validation)?;
    call.warn(kindsmith_request::body::warnings(strict));
    let name = call.info.path_name();
    let key = call.key_of(name)?;
    if call
        .store
        .get(key.as_bytes(), None)
        .map_err(stored::failure)?
        .is_none()
    {
        return Err(call.not_found());
    }
    check_names(request, name, call.namespace())?;
    check_expiration(request)?;
    check_binding(call, request)?;
    Err(Status {
        code: 501,
        reason: "NotImplemented".into(),
        message: "this server signs no service account tokens".to_owned(),
        details: None,
    })
}

fn check_names(request: Value<'_>, name: &str, namespace: &str) -> Result<(), Status> {
    let mut errors = Vec::new();
    for (key, own, of) in [("name", name, "name"), ("namespace", namespace, "namespace")] {
        let given = text(request.lookup(&["metadata", key]));
        if !given.is_empty() && given != own {
            let detail = format!("must match the service account {of} if specified");
            errors.push(invalid(&["metadata", key], BadValue::Text(given.into()), &detail));
        }
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(Status::invalid(GROUP, KIND, name, &errors))
    }
}

fn check_expiration(request: Value<'_>) -> Result<(), Status> {
    let seconds = request
        .lookup(&["spec", "expirationSeconds"])
        .and_then(Value::as_i64);
    let detail = match seconds {
        Some(..SHORTEST) => "may not specify a duration less than 10 minutes",
        Some(seconds) if seconds > LONGEST => "may not specify a duration larger than 2^32 seconds",
        _ => return Ok(()),
    };
    let bad = BadValue::Integer(seconds.unwrap_or_default().into());
    let error = invalid(&["spec", "expirationSeconds"], bad, detail);
    Err(Status::invalid(GROUP, KIND, "", &[error]))
}

/// Checks that the bound object exists. Tokens can be bound to pods, nodes and secrets; pods and nodes never exist
/// here.
fn check_binding(call: &Call<'_>, request: Value<'_>) -> Result<(), Status> {
    let Some(reference) = request
        .lookup(&["spec", "boundObjectRef"])
        .filter(|value| !value.is_null())
    else {
        return Ok(());
    };
    let part = |key| text(reference.get(key));
    let (kind, api_version, name) = (part("kind"), part("apiVersion"), part("name"));
    match (api_version, kind) {
        ("v1", "Pod") => Err(Status::not_found("", "pods", name)),
        ("v1", "Node") => Err(Status::not_found("", "nodes", name)),
        ("v1", "Secret") => {
            let key = format!("/registry/secrets/{}/{name}", call.namespace());
            match call.store.get(key.as_bytes(), None).map_err(stored::failure)? {
                Some(_) => Ok(()),
                None => Err(Status::not_found("", "secrets", name)),
            }
        }
        _ => {
            let version = if api_version.contains('/') {
                api_version.to_owned()
            } else {
                format!("/{api_version}")
            };
            Err(Status::bad_request(format!(
                "cannot bind token to object of type {version}, Kind={kind}"
            )))
        }
    }
}

fn invalid(path: &[&str], bad: BadValue, detail: &str) -> FieldError {
    let path: PathBuf = path.iter().map(|&name| Step::Field(name.into())).collect();
    FieldError::new(ErrorKind::Invalid, path, bad, Detail::Text(detail.into()))
}

fn text(value: Option<Value<'_>>) -> &str {
    value.and_then(Value::as_str).unwrap_or_default()
}
