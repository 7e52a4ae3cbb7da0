//! Requests for a service account's token (`TokenREST` in pkg/registry/core/serviceaccount/storage/token.go).

use kindsmith_builtin::find_own;
use kindsmith_gostd::quote::quote;
use kindsmith_gostd::time::{Layout, Time};
use kindsmith_json::{Arena, Path, Value};
use kindsmith_object::meta::Scope;
use kindsmith_object::{BadValue, FieldError, GroupVersion, Release};
use kindsmith_request::Status;

use crate::access::{Grant, Reference, texts};
use crate::context::Call;
use crate::request::body::{self, Input};
use crate::request::write_options::{Kind, WriteOptions};
use crate::response::status_response;
use crate::write::unstored_creation::UnstoredCreation;
use crate::{Response, environment, stored, write};

const GROUP: &str = "authentication.k8s.io";
const KIND: &str = "TokenRequest";
/// The shortest lifetime of a token, in seconds.
const SHORTEST: i64 = 10 * 60;
/// The longest lifetime, in seconds.
const LONGEST: i64 = 1 << 32;

/// How long a token is good for if nobody says, in seconds.
const USUAL: i64 = 60 * 60;

/// Answers a request for a token of the path's service account.
pub(crate) fn create(call: &Call<'_>) -> Result<Response, Status> {
    let body = Input::read(call.request)?;
    body::check_size(call.request)?;
    let accepted = status_response::accepted(call)?;
    let options = WriteOptions::read(call.request, call.query, Kind::Create)?;
    let kind = find_own(call.core.release, GROUP, "v1", KIND)
        .ok_or_else(|| Status::internal("no kind TokenRequest"))?;
    let arena = Arena::new();
    let body = body.json(|bytes| kind.json_body(&arena, bytes))?;
    let (mut request, strict) = kind.read_body(&arena, body, options.field_validation)?;
    if request
        .lookup(&["spec", "expirationSeconds"])
        .is_none_or(Value::is_null)
    {
        request.set(&arena, &["spec", "expirationSeconds"], Value::Int(USUAL));
    }
    call.warn(kindsmith_request::body::warnings(strict));
    // Before admission, as for every object that is sent (`createHandler` in apiserver's pkg/endpoints/handlers/create.go).
    let namespace = request.text(&["metadata", "namespace"]);
    if !namespace.is_empty() && namespace != call.namespace() {
        return Err(Status::other_namespace());
    }
    let name = call.info.path_name();
    let key = call.key_of(name)?;
    let signer = call.core.tokens.signer.as_deref();
    let check = |request| {
        check_names(request, name, call.namespace())?;
        let entry = call.store.get(key.as_bytes(), None).map_err(stored::failure)?;
        let entry = entry.ok_or_else(|| call.not_found())?;
        let account = kindsmith_json::parse(&arena, &entry.value).unwrap_or_default();
        let uid = account.text(&["metadata", "uid"]).to_owned();
        check_uid(request, name, &uid)?;
        let audiences = signer.map(|signer| signer.audiences()).unwrap_or_default();
        let request = completed(call, &arena, request, (&uid, audiences));
        let request = kind.plan().decoded(&arena, request);
        check_request(request)?;
        Ok((request, uid))
    };
    let creation = UnstoredCreation {
        kind: (GROUP, "v1", KIND),
        name,
        manager: &options.manager,
        is_dry_run: options.is_dry_run,
    };
    let (mut request, uid) = write::admit::admit_creation(call, &arena, &creation, request, check)?;
    let bound = check_binding(call, &arena, request, name)?;
    let Some(signer) = signer else {
        return Err(Status {
            code: 501,
            reason: "NotImplemented".into(),
            message: "this server signs no service account tokens".to_owned(),
            details: None,
        });
    };
    let audiences = texts(request.lookup(&["spec", "audiences"]));
    let seconds = request
        .lookup(&["spec", "expirationSeconds"])
        .and_then(Value::as_i64)
        .unwrap_or(USUAL);
    let expires = call.environment.now().seconds + seconds;
    let account = Reference {
        name: name.to_owned(),
        uid,
    };
    let grant = Grant {
        namespace: call.namespace(),
        account,
        audiences,
        expires,
        bound,
    };
    let token = signer.sign(&grant.claims(call.environment, signer.issuer()));
    let token = token.ok_or_else(|| Status::internal("failed to generate token"))?;
    let ends = Time::from_unix(expires, 0).map_or_else(String::new, |time| time.format(Layout::Rfc3339));
    for (path, value) in [
        (["status", "token"], &token),
        (["status", "expirationTimestamp"], &ends),
    ] {
        request.set(&arena, &path, Value::Str(arena.alloc_str(value)));
    }
    let answer = kind.plan().encoded(&arena, request);
    Ok(status_response::object(call, accepted, 201, answer))
}

/// A request with what the server knows, as validating admission sees it.
fn completed<'a>(
    call: &Call<'_>,
    arena: &'a Arena,
    request: Value<'a>,
    (uid, audiences): (&str, &[String]),
) -> Value<'a> {
    let now = environment::now(call.environment);
    let mut request = request;
    for (key, value) in [
        ("name", call.info.path_name()),
        ("namespace", call.namespace()),
        ("uid", uid),
        ("creationTimestamp", &now),
    ] {
        request.set(arena, &["metadata", key], Value::Str(arena.alloc_str(value)));
    }
    if texts(request.lookup(&["spec", "audiences"])).is_empty() {
        let own = audiences.iter().map(|text| Value::Str(arena.alloc_str(text)));
        let own = arena.alloc_slice_copy(&own.collect::<Vec<_>>());
        request.set(arena, &["spec", "audiences"], Value::Array(own));
    }
    request.unset(arena, &["status"]);
    request
}

/// A request may name the service account's uid, which must then be the one of today.
fn check_uid(request: Value<'_>, name: &str, own: &str) -> Result<(), Status> {
    let given = request.text(&["metadata", "uid"]);
    if given.is_empty() || given == own {
        return Ok(());
    }
    let why = format!(
        "the UID in the token request ({given}) does not match the UID of the service account ({own})"
    );
    Err(Status::conflict(GROUP, KIND, name, &why))
}

fn check_names(request: Value<'_>, name: &str, namespace: &str) -> Result<(), Status> {
    let mut errors = Vec::new();
    for (key, own, of) in [("name", name, "name"), ("namespace", namespace, "namespace")] {
        let given = request.text(&["metadata", key]);
        if !given.is_empty() && given != own {
            let detail = format!("must match the service account {of} if specified");
            errors.push(FieldError::invalid(
                &Path::root("metadata").child(key),
                given,
                detail,
            ));
        }
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(Status::invalid(GROUP, KIND, name, &errors))
    }
}

/// As `ValidateTokenRequest` in pkg/apis/authentication/validation. Tokens bound to webhooks need a gate that is off.
fn check_request(request: Value<'_>) -> Result<(), Status> {
    let seconds = request.integer(&["spec", "expirationSeconds"]);
    let attestations = request.object(&["spec", "attestations"]);
    let spec = Path::root("spec");
    let error = if attestations.is_empty() {
        let detail = match seconds {
            ..SHORTEST => "may not specify a duration less than 10 minutes",
            seconds if seconds > LONGEST => "may not specify a duration larger than 2^32 seconds",
            _ => return Ok(()),
        };
        FieldError::invalid(&spec.child("expirationSeconds"), seconds, detail)
    } else {
        let bad = BadValue::Json(kindsmith_json::to_string(attestations.into()).into());
        let detail = "attestations may only be specified with a webhook bound object reference";
        FieldError::invalid(&spec.child("attestations"), bad, detail)
    };
    Err(Status::invalid(GROUP, KIND, "", &[error]))
}

/// Kinds that a token can be bound to, and the claim.
const BINDABLE: [(&str, &str); 3] = [("Pod", "pod"), ("Node", "node"), ("Secret", "secret")];

/// The object that a token is bound to, which must be there.
fn check_binding(
    call: &Call<'_>,
    arena: &Arena,
    request: Value<'_>,
    account: &str,
) -> Result<Vec<(&'static str, Reference)>, Status> {
    let Some(reference) = request
        .lookup(&["spec", "boundObjectRef"])
        .filter(|value| !value.is_null())
    else {
        return Ok(Vec::new());
    };
    let part = |key| reference.text(key);
    let (kind, api_version, name) = (part("kind"), part("apiVersion"), part("name"));
    // Every version of the core group is good, also what is no version (`FromAPIVersionAndKind`).
    let GroupVersion { group, version } = GroupVersion::parse(api_version).unwrap_or_default();
    let known = BINDABLE
        .iter()
        .find(|(known, _)| *known == kind && group.is_empty())
        .and_then(|(_, claim)| Some((find_own(Release::NEWEST, "", "v1", kind)?, *claim)));
    let Some((known, claim)) = known else {
        return Err(Status::bad_request(format!(
            "cannot bind token to object of type {group}/{version}, Kind={kind}"
        )));
    };
    let namespace = match known.scope {
        Scope::Namespaced => call.namespace(),
        Scope::Cluster => "",
    };
    let key = known.key_prefix().key(namespace, name);
    let entry = call.store.get(key.as_bytes(), None).map_err(stored::failure)?;
    let entry = entry.ok_or_else(|| Status::not_found("", &known.names.plural, name))?;
    let object = kindsmith_json::parse(arena, &entry.value).unwrap_or_default();
    if kind == "Pod" && object.text(&["spec", "serviceAccountName"]) != account {
        return Err(Status::bad_request(format!(
            "cannot bind token for serviceaccount {} to pod running with different serviceaccount name.",
            quote(account)
        )));
    }
    let (given, uid) = (part("uid"), object.text(&["metadata", "uid"]));
    if !given.is_empty() && given != uid {
        let why = format!(
            "the UID in the bound object reference ({given}) does not match the UID in record. The object might have been \
             deleted and then recreated"
        );
        return Err(Status::conflict("", kind, name, &why));
    }
    let own = Reference {
        name: name.to_owned(),
        uid: uid.to_owned(),
    };
    Ok(vec![(claim, own)])
}
