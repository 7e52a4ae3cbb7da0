//! Defaults of pod templates that depend on other fields (pkg/apis/core/v1/defaults.go).

use kindsmith_json::{Arena, Value};

use crate::edit::each;
use crate::rule::text;

/// Members of a volume that are not its source.
const NAME: &str = "name";

/// Fills in a template.
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

/// Images without a tag, and those of the tag `latest`, are always pulled.
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
        // What is no image has no tag.
        _ if !is_image(path) => false,
        Some(tag) => tag == "latest",
        None => digest.is_empty(),
    };
    if is_latest { "Always" } else { "IfNotPresent" }
}

/// Is this the name of an image (github.com/distribution/reference)? A host may come first; the parts behind are words
/// of lower case letters and digits.
fn is_image(name: &str) -> bool {
    const LIMIT: usize = 255;
    const DIGEST: usize = 64;
    let is_host = |part: &str| {
        part.contains(['.', ':']) || part == "localhost" || part.bytes().any(|byte| byte.is_ascii_uppercase())
    };
    let is_host_part = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte);
    let (host, path) = match name.split_once('/') {
        Some((host, path)) if is_host(host) => (host, path),
        _ => ("", name),
    };
    let is_hex = name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    host.bytes().all(is_host_part)
        && path.split('/').all(is_image_part)
        && name.len() <= LIMIT
        && !(name.len() == DIGEST && is_hex)
}

fn is_image_part(part: &str) -> bool {
    let is_word = |word: &str| {
        let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        !word.is_empty() && word.bytes().all(is_letter)
    };
    // Words are joined by a dot, one or two underscores, or dashes.
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

/// A volume without a source is an empty directory.
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

/// The old name of the service account follows the new one.
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
