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
    let is_latest = match tag {
        Some(tag) => tag == "latest",
        // What is no image has no tag.
        None => digest.is_empty() && !image.is_empty(),
    };
    if is_latest { "Always" } else { "IfNotPresent" }
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
        ] {
            assert_eq!(pull_policy(image), expected, "{image}");
        }
    }
}
