//! Defaults of pod templates that depend on other fields (pkg/apis/core/v1/defaults.go).

use kindsmith_json::{Arena, Value};

use crate::edit::{each, member};
use crate::field_check::{entries, number, text, truth};

/// Members of a volume other than its source.
const NAME: &str = "name";

/// Defaults a pod template.
pub(crate) fn default_template<'a>(arena: &'a Arena, template: Value<'a>) -> Value<'a> {
    let Some(spec) = template.get("spec").filter(|spec| !spec.is_null()) else {
        return template;
    };
    let mut filled = spec;
    for key in ["containers", "initContainers", "ephemeralContainers"] {
        each(arena, &mut filled, key, |container| {
            default_container(arena, container)
        });
    }
    each(arena, &mut filled, "volumes", |volume| {
        default_volume(arena, volume)
    });
    default_account(arena, &mut filled);
    let mut template = template;
    if filled != spec {
        template.set(arena, &["spec"], filled);
    }
    template
}

/// Defaults a pod, which has a few defaults that templates do not have.
pub(crate) fn default_pod<'a>(arena: &'a Arena, pod: Value<'a>) -> Value<'a> {
    let mut pod = default_template(arena, pod);
    member(arena, &mut pod, &["spec"], |spec| default_pod_spec(arena, spec));
    member(arena, &mut pod, &["status"], |status| {
        default_addresses(arena, status)
    });
    pod
}

fn default_pod_spec<'a>(arena: &'a Arena, spec: Value<'a>) -> Value<'a> {
    const GRACE: &str = "terminationGracePeriodSeconds";
    let mut spec = spec;
    if number(spec.get(GRACE)) < 0 {
        spec.set(arena, &[GRACE], Value::from(1));
    }
    if spec.get("enableServiceLinks").is_none_or(Value::is_null) {
        spec.set(arena, &["enableServiceLinks"], Value::Bool(true));
    }
    let is_on_host = truth(spec.get("hostNetwork"));
    for key in ["containers", "initContainers"] {
        each(arena, &mut spec, key, |container| {
            request_limits(arena, container)
        });
        if is_on_host {
            each(arena, &mut spec, key, |container| {
                let mut container = container;
                each(arena, &mut container, "ports", |port| host_port(arena, port));
                Some(container)
            });
        }
    }
    spec
}

/// Missing requests default to the limits.
fn request_limits<'a>(arena: &'a Arena, container: Value<'a>) -> Option<Value<'a>> {
    let limits = entries(container.lookup(&["resources", "limits"]));
    let requests = entries(container.lookup(&["resources", "requests"]));
    let mut edit = requests.edit(arena);
    for (name, amount) in limits {
        if requests.get(name).is_none() {
            edit.push(name, amount);
        }
    }
    if !edit.is_changed() {
        return None;
    }
    let mut container = container;
    container.set(arena, &["resources", "requests"], Value::Object(edit.finish()));
    Some(container)
}

/// With `hostNetwork`, the host port defaults to the container port.
fn host_port<'a>(arena: &'a Arena, port: Value<'a>) -> Option<Value<'a>> {
    if number(port.get("hostPort")) != 0 {
        return None;
    }
    let mut port = port;
    port.set(arena, &["hostPort"], port.get("containerPort")?);
    Some(port)
}

/// Keeps `podIP` and the first of `podIPs` equal.
fn default_addresses<'a>(arena: &'a Arena, status: Value<'a>) -> Value<'a> {
    let single = text(status.get("podIP"));
    let first = status.get("podIPs").and_then(|list| list.at(0));
    let first = first.map(|address| text(address.get("ip")));
    let mut status = status;
    match (single, first) {
        ("", Some(first)) => status.set(arena, &["podIP"], Value::Str(first)),
        ("", None) => {}
        (single, first) if first != Some(single) => {
            let mut address = Value::Object(kindsmith_json::Object::EMPTY);
            address.set(arena, &["ip"], Value::Str(single));
            let list = arena.alloc_slice_copy(&[address]);
            status.set(arena, &["podIPs"], Value::Array(list));
        }
        _ => {}
    }
    status
}

/// The pull policy defaults to `Always` for images without a tag or with the tag `latest`.
fn default_container<'a>(arena: &'a Arena, container: Value<'a>) -> Option<Value<'a>> {
    if !text(container.get("imagePullPolicy")).is_empty() {
        return None;
    }
    let mut container = container;
    let policy = pull_policy(text(container.get("image")));
    container.set(arena, &["imagePullPolicy"], Value::Str(policy));
    Some(container)
}

fn pull_policy(image: &str) -> &'static str {
    let (name, digest) = match image.split_once('@') {
        Some((name, digest)) => (name, digest),
        None => (image, ""),
    };
    let last = name.rsplit('/').next().unwrap_or_default();
    let tag = last.split_once(':').map(|(_, tag)| tag);
    let path = match tag {
        Some(tag) => &name[..name.len() - tag.len() - 1],
        None => name,
    };
    let is_latest = match tag {
        // An invalid image name has no tag.
        _ if !is_image(path) => false,
        Some(tag) => tag == "latest",
        None => digest.is_empty(),
    };
    if is_latest { "Always" } else { "IfNotPresent" }
}

/// Whether this is an image name (github.com/distribution/reference): an optional host, then parts of lower case
/// letters and digits.
fn is_image(name: &str) -> bool {
    const LIMIT: usize = 255;
    const DIGEST: usize = 64;
    let is_host = |part: &str| {
        part.contains(['.', ':']) || part == "localhost" || part.bytes().any(|byte| byte.is_ascii_uppercase())
    };
    let (host, path) = match name.split_once('/') {
        Some((host, path)) if is_host(host) => (host, path),
        _ => ("", name),
    };
    let is_hex = name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    (host.is_empty() || is_image_host(host))
        && path.split('/').all(is_image_part)
        && name.len() <= LIMIT
        && !(name.len() == DIGEST && is_hex)
}

/// A domain or an address in brackets, and a port.
fn is_image_host(host: &str) -> bool {
    if host.starts_with('[') {
        return host
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte));
    }
    let (domain, port) = host.split_once(':').unwrap_or((host, "0"));
    let is_label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    domain.split('.').all(is_label) && !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_image_part(part: &str) -> bool {
    let is_word = |word: &str| {
        let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        !word.is_empty() && word.bytes().all(is_letter)
    };
    // Separators inside a part: a dot, one or two underscores, or any number of dashes.
    let mut rest = part;
    loop {
        let end = rest.find(['.', '_', '-']).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        if !is_word(word) {
            return false;
        }
        let Some(joint) = behind.chars().next() else {
            return true;
        };
        let joints = behind.len() - behind.trim_start_matches(joint).len();
        if (joint == '.' && joints > 1) || (joint == '_' && joints > 2) {
            return false;
        }
        rest = &behind[joints..];
    }
}

/// A volume without a source is an `emptyDir`.
fn default_volume<'a>(arena: &'a Arena, volume: Value<'a>) -> Option<Value<'a>> {
    let object = volume.as_object()?;
    let has_source = object.iter().any(|(key, value)| key != NAME && !value.is_null());
    if !has_source {
        let mut volume = volume;
        volume.set(arena, &["emptyDir"], Value::Object(kindsmith_json::Object::EMPTY));
        return Some(volume);
    }
    let image = volume.get("image").filter(|image| !image.is_null())?;
    if !text(image.get("pullPolicy")).is_empty() {
        return None;
    }
    let mut volume = volume;
    let policy = pull_policy(text(image.get("reference")));
    volume.set(arena, &["image", "pullPolicy"], Value::Str(policy));
    Some(volume)
}

/// `serviceAccount`, the deprecated name, copies `serviceAccountName`.
fn default_account<'a>(arena: &'a Arena, spec: &mut Value<'a>) {
    let (new, old) = (
        text(spec.get("serviceAccountName")),
        text(spec.get("serviceAccount")),
    );
    let name = if new.is_empty() { old } else { new };
    if name.is_empty() || (name == new && name == old) {
        return;
    }
    spec.set(arena, &["serviceAccountName"], Value::Str(name));
    spec.set(arena, &["serviceAccount"], Value::Str(name));
}

#[cfg(test)]
mod tests {
    use super::pull_policy;

    #[test]
    fn only_latest_is_always_pulled() {
        for (image, expected) in [
            ("a", "Always"),
            ("a:latest", "Always"),
            ("localhost:5000/a", "Always"),
            ("example.com/image:1", "IfNotPresent"),
            ("a@sha256:00", "IfNotPresent"),
            ("a:latest@sha256:00", "Always"),
            ("", "IfNotPresent"),
            ("Wrong", "IfNotPresent"),
            ("a b!", "IfNotPresent"),
            ("a--b_c/d.e", "Always"),
            ("a..b", "IfNotPresent"),
        ] {
            assert_eq!(pull_policy(image), expected, "{image}");
        }
    }
}
