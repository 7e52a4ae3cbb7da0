//! `ImagePolicyWebhook`: a service decides which images pods may run (plugin/pkg/admission/imagepolicy).

use kindsmith_json::{Object, Value};

use super::{Refusal, Review};

pub(crate) fn validate<'a>(review: &Review<'_, 'a>, pod: Value<'a>) -> Result<(), Refusal> {
    let lists: &[&str] = if review.is_of("", "pods", "") {
        &["containers", "initContainers"]
    } else if review.is_of("", "pods", "ephemeralcontainers") {
        &["ephemeralContainers"]
    } else {
        return Ok(());
    };
    let Some(policy) = &review.settings.image_policy else {
        return Ok(());
    };
    let verdict = policy.ask(review.server, spec(review, pod, lists));
    let verdict = match verdict {
        Ok(verdict) => verdict,
        // Kubernetes also notes this in the audit log.
        Err(_) if policy.allows_by_default => return Ok(()),
        Err(why) => return Err(Refusal::Forbidden(why)),
    };
    match (verdict.is_allowed, &*verdict.reason) {
        (true, _) => Ok(()),
        (false, "") => Err(Refusal::Forbidden(
            "one or more images rejected by webhook backend".to_owned(),
        )),
        (false, reason) => Err(Refusal::Forbidden(format!(
            "image policy webhook backend denied one or more images: {reason}"
        ))),
    }
}

/// What the service is asked.
fn spec<'a>(review: &Review<'_, 'a>, pod: Value<'a>, lists: &[&str]) -> Value<'a> {
    let arena = review.arena;
    let containers = lists.iter().flat_map(|key| pod.list(&["spec", key]));
    let images: Vec<Value<'a>> = containers
        .map(|container| {
            let mut image = Value::Object(Object::EMPTY);
            let name = container.text("image");
            if !name.is_empty() {
                image.set(arena, &["image"], Value::Str(name));
            }
            image
        })
        .collect();
    let mut spec = Value::Object(Object::EMPTY);
    if !images.is_empty() {
        spec.set(
            arena,
            &["containers"],
            Value::Array(arena.alloc_slice_copy(&images)),
        );
    }
    let annotations = pod.lookup(&["metadata", "annotations"]);
    let annotations = annotations.and_then(Value::as_object).unwrap_or_default();
    let mut own: Vec<(&'a str, Value<'a>)> = annotations
        .into_iter()
        .filter(|(key, _)| key.contains(".image-policy.k8s.io/"))
        .collect();
    own.sort_unstable_by_key(|(key, _)| *key);
    for (key, value) in own {
        spec.set(arena, &["annotations", key], value);
    }
    spec.set(arena, &["namespace"], Value::Str(review.request.namespace));
    spec
}
