//! The parameters of lists and watches (`ListOptions`): decoded, defaulted and checked as apiserver does (`listOpts` in
//! pkg/endpoints/handlers/get.go).

use kindsmith_gostd::strconv::parse_uint;
use kindsmith_json::{Path, Value};
use kindsmith_object::{FieldError, LabelSelector};
use kindsmith_request::{Cause, Details, Status};

use crate::Served;
use crate::context::Call;
use crate::read::selector::{FieldSelector, Fields, parse_labels};
use crate::request::query::Query;

/// How `resourceVersion` is to be understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Match {
    /// Not specified.
    Unset,
    /// Exactly this version.
    Exact,
    /// This version or a newer one.
    NotOlderThan,
}

/// The parameters of a list or watch.
#[derive(Debug)]
pub(crate) struct ListOptions {
    /// The label selector.
    pub(crate) labels: LabelSelector,
    /// The field selector.
    pub(crate) fields: Fields,
    /// The only name that can match, if the selector requires one.
    pub(crate) name: Option<String>,
    /// The resource version, as sent.
    pub(crate) resource_version: String,
    /// How to understand it.
    pub(crate) version_match: Match,
    /// The page size; zero for all objects.
    pub(crate) limit: u64,
    /// The continue token, as sent.
    pub(crate) continue_token: String,
    /// After how many seconds a watch ends.
    pub(crate) timeout_seconds: Option<i64>,
    /// Whether a watch sends bookmarks.
    pub(crate) allow_watch_bookmarks: bool,
    /// Whether a watch starts with the existing objects.
    pub(crate) send_initial_events: Option<bool>,
}

impl ListOptions {
    /// Reads the parameters of a request.
    ///
    /// # Errors
    ///
    /// 400 and 422 with Kubernetes' messages.
    pub(crate) fn decode(call: &Call<'_>) -> Result<Self, Status> {
        let (query, served) = (call.query, call.served);
        let has_initial_events = call.core.has_initial_events;
        let bad = bad_request;
        let timeout_seconds = query.integer("timeoutSeconds").map_err(bad)?;
        let limit = query.integer("limit").map_err(bad)?.unwrap_or_default();
        let labels = parse_labels(query.text("labelSelector"), served.resource.release()).map_err(bad)?;
        let selector = FieldSelector::parse(query.text("fieldSelector")).map_err(bad)?;
        let mut send_initial_events = query.optional_flag("sendInitialEvents");
        let mut match_text = query.text("resourceVersionMatch");
        let resource_version = query.text("resourceVersion");
        let is_watch = query.flag("watch");
        // A watch without a start version starts with the existing objects.
        if is_watch
            && has_initial_events
            && send_initial_events.is_none()
            && match_text.is_empty()
            && matches!(resource_version, "" | "0")
        {
            send_initial_events = Some(true);
            match_text = "NotOlderThan";
        }
        let check = if is_watch { check_watch } else { check_list };
        let mut errors = check(query, match_text, send_initial_events);
        if is_watch && !has_initial_events && send_initial_events.is_some() {
            errors.push(forbidden_events(
                "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled",
            ));
        }
        if !errors.is_empty() {
            return Err(Status::invalid("meta.k8s.io", "ListOptions", "", &errors));
        }
        let fields = Fields::new(&selector, served).map_err(bad)?;
        let (fields, selected) = with_name(fields, &selector, served, &call.info.name)?;
        Ok(ListOptions {
            labels,
            fields,
            name: selected,
            resource_version: resource_version.to_owned(),
            version_match: match match_text {
                "Exact" => Match::Exact,
                "NotOlderThan" => Match::NotOlderThan,
                _ => Match::Unset,
            },
            limit: u64::try_from(limit).unwrap_or_default(),
            continue_token: query.text("continue").to_owned(),
            timeout_seconds,
            allow_watch_bookmarks: query.flag("allowWatchBookmarks"),
            send_initial_events,
        })
    }

    /// The members of an object that decide whether it is selected; `None` if that needs the whole object.
    pub(crate) fn paths(&self) -> Option<Vec<Vec<String>>> {
        let mut paths = self.fields.paths()?;
        if !self.labels.is_empty() {
            paths.push(vec!["metadata".to_owned(), "labels".to_owned()]);
        }
        // Names with escapes are not found in text as they are.
        let is_plain = |name: &String| {
            name.bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
        };
        paths.iter().flatten().all(is_plain).then_some(paths)
    }

    /// Whether an object is selected.
    pub(crate) fn selects(&self, object: Value<'_>) -> bool {
        self.labels.selects(object) && self.fields.matches(object)
    }

    /// Whether every object is selected.
    pub(crate) fn selects_all(&self) -> bool {
        self.labels.is_empty() && self.fields.is_empty()
    }
}

fn bad_request(message: String) -> Status {
    Status::bad_request(message)
}

/// A name in the path acts as a field selector; a name in the selector must be the same.
fn with_name(
    fields: Fields,
    selector: &FieldSelector,
    served: &Served,
    name: &str,
) -> Result<(Fields, Option<String>), Status> {
    if name.is_empty() {
        let selected = selector.exact("metadata.name").map(str::to_owned);
        return Ok((fields, selected));
    }
    if selector.is_empty() {
        let selector = FieldSelector::of_name(name);
        let fields = Fields::new(&selector, served).map_err(bad_request)?;
        return Ok((fields, Some(name.to_owned())));
    }
    if selector.exact("metadata.name") != Some(name) {
        return Err(Status::bad_request(
            "fieldSelector metadata.name doesn't match requested name",
        ));
    }
    Ok((fields, Some(name.to_owned())))
}

fn check_list(query: &Query, match_text: &str, send_initial_events: Option<bool>) -> Vec<FieldError> {
    let mut errors = Vec::new();
    if !match_text.is_empty() {
        let version = query.text("resourceVersion");
        if version.is_empty() {
            errors.push(forbidden_match(
                "resourceVersionMatch is forbidden unless resourceVersion is provided",
            ));
        }
        if !query.text("continue").is_empty() {
            errors.push(forbidden_match(
                "resourceVersionMatch is forbidden when continue is provided",
            ));
        }
        if !matches!(match_text, "Exact" | "NotOlderThan") {
            errors.push(unsupported_match(match_text, &["Exact", "NotOlderThan", ""]));
        }
        if match_text == "Exact" && version == "0" {
            errors.push(forbidden_match(
                "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"",
            ));
        }
    }
    if send_initial_events.is_some() {
        errors.push(forbidden_events("sendInitialEvents is forbidden for list"));
    }
    errors
}

fn check_watch(query: &Query, match_text: &str, send_initial_events: Option<bool>) -> Vec<FieldError> {
    let mut errors = Vec::new();
    if send_initial_events.is_some() && match_text != "NotOlderThan" {
        errors.push(forbidden_match(
            "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan",
        ));
    }
    if !match_text.is_empty() {
        if send_initial_events.is_none() {
            errors.push(forbidden_match(
                "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided",
            ));
        }
        if match_text != "NotOlderThan" {
            errors.push(unsupported_match(match_text, &["NotOlderThan"]));
        }
        if !query.text("continue").is_empty() {
            errors.push(forbidden_match(
                "resourceVersionMatch is forbidden when continue is provided",
            ));
        }
    }
    errors
}

fn forbidden_match(text: &str) -> FieldError {
    FieldError::forbidden(&Path::root("resourceVersionMatch"), text)
}

fn forbidden_events(text: &str) -> FieldError {
    FieldError::forbidden(&Path::root("sendInitialEvents"), text)
}

fn unsupported_match(text: &str, supported: &[&str]) -> FieldError {
    FieldError::not_supported(&Path::root("resourceVersionMatch"), text, supported)
}

/// Parses a version; the error is Kubernetes' text (`ParseResourceVersion`).
pub(crate) fn parse_version(text: &str) -> Result<u64, String> {
    if text.is_empty() {
        return Ok(0);
    }
    let quoted = kindsmith_gostd::quote::quote(text);
    parse_uint(text, 10, 64).map_err(|error| format!("resourceVersion: Invalid value: {quoted}: {error}"))
}

/// 504 for a version in the future (`NewTooLargeResourceVersionError`).
pub(crate) fn too_large(version: u64, current: u64, retry_after_seconds: u32) -> Status {
    Status {
        code: 504,
        reason: "Timeout".into(),
        message: format!("Timeout: Too large resource version: {version}, current: {current}"),
        details: Some(Box::new(Details {
            causes: vec![Cause {
                reason: "ResourceVersionTooLarge".into(),
                message: "Too large resource version".to_owned(),
                field: String::new(),
            }],
            retry_after_seconds,
            ..Details::default()
        })),
    }
}

/// 410 for a version that was compacted (`NewResourceExpired`).
pub(crate) fn expired(message: impl Into<String>) -> Status {
    Status {
        code: 410,
        reason: "Expired".into(),
        message: message.into(),
        details: None,
    }
}
