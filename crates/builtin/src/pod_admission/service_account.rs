//! ServiceAccount: pods run under an account that exists, get its token and its pull secrets
//! (plugin/pkg/admission/serviceaccount/admission.go).

use kindsmith_gostd::quote::quote;
use kindsmith_json::{Arena, Object, Value, parse_str};
use kindsmith_request::AdmissionRequest;

use super::{PodAdmission, Refusal};
use crate::edit::each;
use crate::pod::MIRROR;
use crate::rule::{entries, items, text};

const MOUNT: &str = "/var/run/secrets/kubernetes.io/serviceaccount";

/// The token, the server's certificate and the namespace as files.
const SOURCES: &str = r#"[
    {"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},
    {"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},
    {"downwardAPI":{"items":[{"path":"namespace","fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}
]"#;

pub(super) fn mutate<'a>(
    plugins: &PodAdmission<'_, 'a>,
    request: &AdmissionRequest<'_, 'a>,
    pod: Value<'a>,
) -> Result<Value<'a>, Refusal> {
    let annotations = entries(pod.lookup(&["metadata", "annotations"]));
    if annotations.contains_key(MIRROR) {
        return Ok(pod);
    }
    let (arena, mut pod) = (plugins.arena, pod);
    let path = ["spec", "serviceAccountName"];
    let name = match text(pod.lookup(&path)) {
        "" => "default",
        name => name,
    };
    pod.set(arena, &path, Value::Str(arena.alloc_str(name)));
    let account = account(plugins, request.namespace, name)?;
    let mounts = |object: Value<'a>, path: &[&str]| object.lookup(path).and_then(Value::as_bool);
    let own = mounts(pod, &["spec", "automountServiceAccountToken"]);
    if own.or(mounts(account, &["automountServiceAccountToken"])) != Some(false) {
        pod = mounted(arena, pod, plugins.suffix);
    }
    let secrets = account.get("imagePullSecrets");
    if items(pod.lookup(&["spec", "imagePullSecrets"])).is_empty() && !items(secrets).is_empty() {
        pod.set(arena, &["spec", "imagePullSecrets"], secrets.unwrap_or_default());
    }
    Ok(pod)
}

fn account<'a>(plugins: &PodAdmission<'_, 'a>, namespace: &str, name: &str) -> Result<Value<'a>, Refusal> {
    let shown = quote(name);
    let why = match name.contains('/') {
        true => format!("invalid resource name {shown}: [may not contain '/']"),
        false => match plugins.lookup.find("", "serviceaccounts", namespace, name) {
            Some(account) => return Ok(account),
            None => format!("serviceaccount {shown} not found"),
        },
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
            let mounts = items(container.get("volumeMounts")).iter();
            mounts
                .map(|mount| text(mount.get("mountPath")))
                .any(|path| path == MOUNT)
        };
        is_used |= !items(spec.get(list)).iter().all(has_own);
        each(arena, &mut spec, list, |container| {
            if has_own(&container) {
                return None;
            }
            let mut mount = Value::Object(Object::EMPTY);
            mount.set(arena, &["name"], name);
            mount.set(arena, &["readOnly"], Value::Bool(true));
            mount.set(arena, &["mountPath"], Value::Str(MOUNT));
            let mut container = container;
            let mut mounts = items(container.get("volumeMounts")).to_vec();
            mounts.push(mount);
            let mounts = Value::Array(arena.alloc_slice_copy(&mounts));
            container.set(arena, &["volumeMounts"], mounts);
            Some(container)
        });
    }
    let has_volume = items(spec.get("volumes"))
        .iter()
        .any(|volume| volume.get("name") == Some(name));
    if is_used && !has_volume {
        let mut volume = Value::Object(Object::EMPTY);
        let sources = parse_str(arena, SOURCES).unwrap_or_default();
        volume.set(arena, &["name"], name);
        volume.set(arena, &["projected", "sources"], sources);
        volume.set(arena, &["projected", "defaultMode"], Value::from(420));
        let mut volumes = items(spec.get("volumes")).to_vec();
        volumes.push(volume);
        spec.set(
            arena,
            &["volumes"],
            Value::Array(arena.alloc_slice_copy(&volumes)),
        );
    }
    let mut pod = pod;
    pod.set(arena, &["spec"], spec);
    pod
}

/// A volume that has the name of such a volume already is used again.
fn token_volume(spec: Value<'_>, suffix: &str) -> String {
    let known = items(spec.get("volumes")).iter().find_map(|volume| {
        let name = text(volume.get("name"));
        name.starts_with("kube-api-access-").then(|| name.to_owned())
    });
    known.unwrap_or_else(|| format!("kube-api-access-{suffix}"))
}
