//! `ServiceAccount`: pods run under an account that exists, get its token and its pull secrets
//! (plugin/pkg/admission/serviceaccount/admission.go).

use kindsmith_gostd::quote::quote;
use kindsmith_gostd::strconv::parse_bool;
use kindsmith_json::{Arena, Object, Value, parse_str};
use kindsmith_request::Status;

use super::review::forbid;
use super::{Refusal, Review, each, mountable_secrets, push, references};

/// Marks a pod that shows what a node runs by itself.
pub(super) const MIRROR: &str = "kubernetes.io/config.mirror";

const MOUNT: &str = "/var/run/secrets/kubernetes.io/serviceaccount";

/// The token, the server's certificate and the namespace as files.
const SOURCES: &str = r#"[
    {"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},
    {"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},
    {"downwardAPI":{"items":[{"path":"namespace","fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}
]"#;

/// Asks an account to check the secrets of its pods.
const ENFORCED: &str = "kubernetes.io/enforce-mountable-secrets";

pub(crate) fn mutate<'a>(review: &Review<'_, 'a>, pod: Value<'a>) -> Result<Value<'a>, Refusal> {
    if !review.is_create() || !review.is_of("", "pods", "") {
        return Ok(pod);
    }
    let pod = if is_mirror(pod) {
        pod
    } else {
        completed(review, pod)?
    };
    validate(review, pod)?;
    Ok(pod)
}

/// Refuses pods whose account is missing or does not allow their secrets, and mirror pods that need either.
pub(crate) fn validate<'a>(review: &Review<'_, 'a>, pod: Value<'a>) -> Result<(), Refusal> {
    let of_mirror = review.is_create() && is_mirror(pod);
    if review.is_of("", "pods", "") && of_mirror {
        return check_mirror(pod.get("spec").unwrap_or_default());
    }
    let is_creation = review.is_create() && review.is_of("", "pods", "");
    let is_addition = !review.is_create() && review.is_of("", "pods", "ephemeralcontainers");
    if !(is_creation || is_addition) || !review.server.has_objects() {
        return Ok(());
    }
    let spec = pod.get("spec").unwrap_or_default();
    let name = spec.text("serviceAccountName");
    if name.is_empty() {
        let (namespace, pod) = (review.request.namespace, pod.text(&["metadata", "name"]));
        return forbid(format!("no service account specified for pod {namespace}/{pod}"));
    }
    let account = account(review, name)?;
    let enforced = account.text(&["metadata", "annotations", ENFORCED]);
    if !parse_bool(enforced).unwrap_or_default() {
        return Ok(());
    }
    if is_creation {
        mountable_secrets::check(account, spec).map_err(Refusal::Forbidden)
    } else {
        // The reference answers this one as if nobody had foreseen it.
        let checked = mountable_secrets::check_ephemeral(account, spec);
        checked.map_err(|why| Status::unforeseen(why).into())
    }
}

fn is_mirror(pod: Value<'_>) -> bool {
    pod.object(&["metadata", "annotations"]).contains_key(MIRROR)
}

fn check_mirror(spec: Value<'_>) -> Result<(), Refusal> {
    let has_token = |volume: &Value<'_>| {
        let mut sources = volume.list(&["projected", "sources"]).iter();
        sources.any(|source| {
            let token = source.get("serviceAccountToken");
            token.is_some_and(|token| !token.is_null())
        })
    };
    if !spec.text("serviceAccountName").is_empty() {
        forbid("a mirror pod may not reference service accounts")
    } else if references::has_secrets(spec) {
        forbid("a mirror pod may not reference secrets")
    } else if spec.list("volumes").iter().any(has_token) {
        forbid("a mirror pod may not use ServiceAccountToken volume projections")
    } else {
        Ok(())
    }
}

/// A pod with what its account gives it.
fn completed<'a>(review: &Review<'_, 'a>, pod: Value<'a>) -> Result<Value<'a>, Refusal> {
    let (arena, mut pod) = (review.arena, pod);
    if pod.text(&["spec", "serviceAccountName"]).is_empty() {
        for key in ["serviceAccountName", "serviceAccount"] {
            pod.set(arena, &["spec", key], Value::Str("default"));
        }
    }
    if !review.server.has_objects() {
        return Ok(pod);
    }
    let account = account(review, pod.text(&["spec", "serviceAccountName"]))?;
    let mounts = |object: Value<'a>, path: &[&str]| object.lookup(path).and_then(Value::as_bool);
    let own = mounts(pod, &["spec", "automountServiceAccountToken"]);
    if own.or(mounts(account, &["automountServiceAccountToken"])) != Some(false) {
        pod = mounted(arena, pod, review.server.suffix());
    }
    let secrets = account.list("imagePullSecrets");
    if pod.list(&["spec", "imagePullSecrets"]).is_empty() && !secrets.is_empty() {
        pod.set(arena, &["spec", "imagePullSecrets"], Value::Array(secrets));
    }
    Ok(pod)
}

fn account<'a>(review: &Review<'_, 'a>, name: &str) -> Result<Value<'a>, Refusal> {
    let namespace = review.request.namespace;
    let shown = quote(name);
    let why = if name.contains('/') {
        format!("invalid resource name {shown}: [may not contain '/']")
    } else {
        match review.find("", "serviceaccounts", namespace, name) {
            Some(account) => return Ok(account),
            None => format!("serviceaccount {shown} not found"),
        }
    };
    let place = format!("error looking up service account {namespace}/{name}: {why}");
    Err(Refusal::Forbidden(place))
}

/// Mounts the token into each container that mounts nothing there.
fn mounted<'a>(arena: &'a Arena, pod: Value<'a>, suffix: &str) -> Value<'a> {
    let mut spec = pod.get("spec").unwrap_or_default();
    let name = token_volume(spec, suffix);
    let name = Value::Str(arena.alloc_str(&name));
    let mut is_used = false;
    for list in ["initContainers", "containers"] {
        let has_own = |container: &Value<'_>| {
            let mut mounts = container.list("volumeMounts").iter();
            mounts.any(|mount| mount.text("mountPath") == MOUNT)
        };
        is_used |= !spec.list(list).iter().all(has_own);
        each(arena, &mut spec, &[list], |container| {
            if has_own(&container) {
                return container;
            }
            let mut mount = Value::Object(Object::EMPTY);
            mount.set(arena, &["name"], name);
            mount.set(arena, &["readOnly"], Value::Bool(true));
            mount.set(arena, &["mountPath"], Value::Str(MOUNT));
            let mut container = container;
            push(arena, &mut container, &["volumeMounts"], mount);
            container
        });
    }
    let has_volume = spec
        .list("volumes")
        .iter()
        .any(|volume| volume.get("name") == Some(name));
    if is_used && !has_volume {
        let mut volume = Value::Object(Object::EMPTY);
        let sources = parse_str(arena, SOURCES).unwrap_or_default();
        volume.set(arena, &["name"], name);
        volume.set(arena, &["projected", "sources"], sources);
        volume.set(arena, &["projected", "defaultMode"], Value::from(420));
        push(arena, &mut spec, &["volumes"], volume);
    }
    let mut pod = pod;
    pod.set(arena, &["spec"], spec);
    pod
}

/// A volume that has the name of such a volume already is used again.
fn token_volume(spec: Value<'_>, suffix: &str) -> String {
    let known = spec.list("volumes").iter().find_map(|volume| {
        let name = volume.text("name");
        name.starts_with("kube-api-access-").then(|| name.to_owned())
    });
    known.unwrap_or_else(|| format!("kube-api-access-{suffix}"))
}
