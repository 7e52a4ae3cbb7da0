//! `EventRateLimit`: how many events may be written, by server, namespace, user or source
//! (plugin/pkg/admission/eventratelimit). Without limits it admits all.

use kindsmith_json::Value;
use kindsmith_request::{Status, aggregate};

use super::event_limits::By;
use super::{Refusal, Review};

/// What an event is counted under.
fn key(by: By, review: &Review<'_, '_>, event: Value<'_>) -> String {
    match by {
        By::Server => String::new(),
        By::Namespace => review.request.namespace.to_owned(),
        By::User => review.server.user().to_owned(),
        By::SourceAndObject => [
            ["source", "component"],
            ["source", "host"],
            ["involvedObject", "kind"],
            ["involvedObject", "namespace"],
            ["involvedObject", "name"],
            ["involvedObject", "uid"],
            ["involvedObject", "apiVersion"],
        ]
        .map(|path| event.text(&path))
        .concat(),
    }
}

pub(crate) fn validate<'a>(review: &Review<'_, 'a>, event: Value<'a>) -> Result<(), Refusal> {
    if !review.is_of("", "events", "") || review.request.is_dry_run {
        return Ok(());
    }
    let Some(limits) = &review.settings.event_limits else {
        return Ok(());
    };
    let reached = limits.take(review.server.steady(), |by| key(by, review, event));
    if reached.is_empty() {
        return Ok(());
    }
    let why = aggregate(reached);
    Err(Refusal::Other(Box::new(Status {
        code: 429,
        reason: "TooManyRequests".into(),
        message: format!("Too many requests: {why}"),
        details: None,
    })))
}
