//! `AlwaysPullImages`: all images of new pods are pulled (plugin/pkg/admission/alwayspullimages/admission.go).

use kindsmith_json::Value;
use kindsmith_request::{Status, aggregate};

use super::{Refusal, Review, each};

const LISTS: [&str; 3] = ["initContainers", "containers", "ephemeralContainers"];

/// Whether a write brings an image that the pod did not have.
fn has_new_images(review: &Review<'_, '_>, pod: Value<'_>) -> bool {
    if !review.is_of("", "pods", "") {
        return false;
    }
    let Some(old) = review.request.old else {
        return true;
    };
    let known: Vec<&str> = images(old).collect();
    images(pod).any(|image| !known.contains(&image))
}

fn images(pod: Value<'_>) -> impl Iterator<Item = &str> {
    let lists = LISTS.into_iter().flat_map(move |list| pod.list(&["spec", list]));
    lists.map(|container| container.text("image"))
}

pub(crate) fn mutate<'a>(review: &Review<'_, 'a>, pod: Value<'a>) -> Result<Value<'a>, Refusal> {
    if !has_new_images(review, pod) {
        return Ok(pod);
    }
    let (arena, mut pod) = (review.arena, pod);
    let mut pull = |list: &'static str, path: &[&'static str], is_image: fn(Value<'a>) -> bool| {
        each(arena, &mut pod, &["spec", list], |item| {
            let mut item = item;
            if is_image(item) {
                item.set(arena, path, Value::Str("Always"));
            }
            item
        });
    };
    for list in LISTS {
        pull(list, &["imagePullPolicy"], |_| true);
    }
    pull("volumes", &["image", "pullPolicy"], |volume| {
        volume.get("image").is_some_and(|image| !image.is_null())
    });
    Ok(pod)
}

/// A webhook may have changed the policy again.
pub(crate) fn validate<'a>(review: &Review<'_, 'a>, pod: Value<'a>) -> Result<(), Refusal> {
    if !has_new_images(review, pod) {
        return Ok(());
    }
    let mut problems = Vec::new();
    let mut judge = |place: String, policy: &str| {
        if policy != "Always" {
            let policy = kindsmith_gostd::quote::quote(policy);
            let why = format!("{place}: Unsupported value: {policy}: supported values: \"Always\"");
            problems.push(review.request.forbidden(pod, &why).message);
        }
    };
    for list in LISTS {
        for (index, container) in pod.list(&["spec", list]).iter().enumerate() {
            judge(
                format!("spec.{list}[{index}].imagePullPolicy"),
                container.text("imagePullPolicy"),
            );
        }
    }
    for (index, volume) in pod.list(&["spec", "volumes"]).iter().enumerate() {
        if volume.get("image").is_some_and(|image| !image.is_null()) {
            judge(
                format!("spec.volumes[{index}].image.pullPolicy"),
                volume.text(&["image", "pullPolicy"]),
            );
        }
    }
    if problems.is_empty() {
        return Ok(());
    }
    Err(Status::unforeseen(aggregate(problems)).into())
}
