//! `PodNodeSelector`: pods get the node selector of their namespace's annotation, and none that contradicts it
//! (plugin/pkg/admission/podnodeselector/admission.go). The selectors of `--admission-control-config-file` are not read.

use std::collections::BTreeMap;

use kindsmith_formats::format;
use kindsmith_json::{Object, Value};
use kindsmith_request::Status;

use super::{Refusal, Review};

const ANNOTATION: &str = "scheduler.alpha.kubernetes.io/node-selector";

pub(crate) fn mutate<'a>(review: &Review<'_, 'a>, pod: Value<'a>) -> Result<Value<'a>, Refusal> {
    let Some(selector) = selector(review)? else {
        return Ok(pod);
    };
    check(&selector, pod)?;
    let arena = review.arena;
    let mut all = selector;
    all.extend(of_pod(pod));
    let mut labels = Object::EMPTY;
    for (key, value) in all {
        labels.insert(arena, key, Value::Str(value));
    }
    let mut pod = pod;
    if !labels.is_empty() {
        pod.set(arena, &["spec", "nodeSelector"], Value::Object(labels));
    }
    Ok(pod)
}

pub(crate) fn validate<'a>(review: &Review<'_, 'a>, pod: Value<'a>) -> Result<(), Refusal> {
    selector(review)?.map_or(Ok(()), |selector| check(&selector, pod))
}

fn of_pod(pod: Value<'_>) -> impl Iterator<Item = (&str, &str)> {
    let labels = pod.lookup(&["spec", "nodeSelector"]).and_then(Value::as_object);
    let labels = labels.unwrap_or_default().into_iter();
    labels.map(|(key, value)| (key, value.as_str().unwrap_or_default()))
}

fn check(selector: &BTreeMap<&str, &str>, pod: Value<'_>) -> Result<(), Refusal> {
    let conflicts = of_pod(pod).any(|(key, value)| selector.get(key).is_some_and(|known| *known != value));
    if conflicts {
        Err(Refusal::Forbidden(
            "pod node label selector conflicts with its namespace node label selector".to_owned(),
        ))
    } else {
        Ok(())
    }
}

/// The selector of the namespace; `None` if the write is not about a new pod.
fn selector<'a>(review: &Review<'_, 'a>) -> Result<Option<BTreeMap<&'a str, &'a str>>, Refusal> {
    let request = review.request;
    if !review.is_of("", "pods", "") {
        return Ok(None);
    }
    let Some(namespace) = review.find("", "namespaces", "", request.namespace) else {
        let why = format!("namespace {} does not exist", request.namespace);
        return Err(Status::internal(&why).into());
    };
    let annotation = namespace.text(&["metadata", "annotations", ANNOTATION]);
    let read = read(annotation).map(Some);
    read.map_err(|why| Status::unforeseen(why).into())
}

/// Reads `key=value,…` (`ConvertSelectorToLabelsMap`).
fn read(selector: &str) -> Result<BTreeMap<&str, &str>, String> {
    let mut labels = BTreeMap::new();
    if selector.is_empty() {
        return Ok(labels);
    }
    for part in selector.split(',') {
        let words: Vec<&str> = part.split('=').collect();
        let [key, value] = words[..] else {
            return Err(format!("invalid selector: [{}]", words.join(" ")));
        };
        let (key, value) = (key.trim(), value.trim());
        conforms("k8s-label-key", key)?;
        conforms("k8s-label-value", value)?;
        labels.insert(key, value);
    }
    Ok(labels)
}

fn conforms(name: &str, text: &str) -> Result<(), String> {
    let mut problems = Vec::new();
    if let Some(format) = format::find(name) {
        (format.check)(text, &mut |violation| problems.push(violation.detail));
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(format!(
            "<nil>: Invalid value: {}: {}",
            kindsmith_gostd::quote::quote(text),
            problems.join("; ")
        ))
    }
}
