//! Admission webhooks: the stored configurations, and the request as webhooks see it.

mod host;

use std::time::Duration;

use kindsmith_admission::{
    Attributes, Call, CallError, Called, Caller, Gvk, Gvr, MUTATING, VALIDATING, Webhooks,
};
use kindsmith_gostd::duration::Duration as GoDuration;
use kindsmith_json::{Arena, Entry, Object, Value};
use kindsmith_request::{AdmissionOperation, AdmissionRequest, Status};

use crate::followed::Follow;
use crate::verb::Call as ApiCall;
use crate::verb::delete::DeleteOptions;
use crate::{access, stored};

pub(crate) use host::Host;

impl Follow for Webhooks {
    const PREFIXES: &'static [&'static str] = &[MUTATING, VALIDATING];

    fn set(&mut self, key: &[u8], value: Option<&[u8]>) {
        Webhooks::set(self, key, value);
    }
}

/// The default timeout of a request.
const REQUEST: Duration = Duration::from_secs(60);

/// A caller that always fails: for an API without a network.
#[derive(Debug)]
pub(crate) struct NoCaller;

impl Caller for NoCaller {
    fn call(&self, calls: &[Call<'_>]) -> Vec<Called> {
        let failed = |call: &Call<'_>| Called {
            result: Err(CallError::Transport(format!(
                "Post {}: this server makes no calls",
                kindsmith_gostd::quote::quote(&call.url())
            ))),
            took: Duration::ZERO,
        };
        calls.iter().map(failed).collect()
    }
}

/// Whether webhooks see writes to a resource. Reviews and webhook configurations are never sent, so that no webhook can
/// block the removal of another.
fn is_seen(call: &ApiCall<'_>) -> bool {
    const EXEMPT: [&str; 6] = [
        "mutatingadmissionpolicies",
        "mutatingadmissionpolicybindings",
        "mutatingwebhookconfigurations",
        "validatingadmissionpolicies",
        "validatingadmissionpolicybindings",
        "validatingwebhookconfigurations",
    ];
    let is_exempt =
        *call.served.group == *"admissionregistration.k8s.io" && EXEMPT.contains(&&*call.served.plural);
    call.served.resource.is_stored() && !is_exempt
}

/// The current webhooks; `None` for requests that webhooks do not see.
pub(crate) fn webhooks(call: &ApiCall<'_>) -> Result<Option<std::sync::Arc<Webhooks>>, Status> {
    match is_seen(call) {
        true => call.api.webhooks.now().map(Some).map_err(stored::failure),
        false => Ok(None),
    }
}

/// A write as webhooks see it.
pub(crate) fn of_write<'a>(
    call: &ApiCall<'_>,
    arena: &'a Arena,
    request: &AdmissionRequest<'_, 'a>,
    object: Value<'a>,
) -> Attributes<'a> {
    let kind = match request.operation {
        AdmissionOperation::Create => "CreateOptions",
        AdmissionOperation::Update | AdmissionOperation::Delete => "UpdateOptions",
    };
    let text = |name: &str| call.query.get(name).map(|text| Value::Str(arena.alloc_str(text)));
    let options = [
        ("kind", Some(kind.into())),
        ("apiVersion", Some("meta.k8s.io/v1".into())),
        ("dryRun", request.is_dry_run.then(|| all(arena))),
        ("fieldManager", text("fieldManager")),
        ("fieldValidation", text("fieldValidation")),
    ];
    let (group, version, kind) = request.kind;
    Attributes {
        operation: request.operation,
        kind: gvk(group, version, kind),
        subresource: request.subresource.to_owned(),
        name: request.name.to_owned(),
        options: members(arena, &options),
        is_dry_run: request.is_dry_run,
        object: Some(object),
        old: request.old,
        ..of_request(call, arena, request.name)
    }
}

/// A deletion as webhooks see it, without the name when a collection is deleted.
pub(crate) fn of_deletion<'a>(
    call: &ApiCall<'_>,
    arena: &'a Arena,
    name: &str,
    old: Value<'a>,
    options: &DeleteOptions,
) -> Attributes<'a> {
    Attributes {
        options: options.to_value(arena),
        is_dry_run: options.is_dry_run,
        old: Some(old),
        ..of_request(call, arena, name)
    }
}

fn of_request<'a>(call: &ApiCall<'_>, arena: &'a Arena, name: &str) -> Attributes<'a> {
    let served = call.served;
    let is_namespace = served.is_core() && *served.plural == *"namespaces";
    Attributes {
        operation: AdmissionOperation::Delete,
        kind: gvk(&served.group, &served.version, &served.kind),
        resource: Gvr {
            group: served.group.to_string(),
            version: served.version.to_string(),
            resource: served.plural.to_string(),
        },
        subresource: String::new(),
        name: name.to_owned(),
        namespace: match is_namespace {
            true => name.to_owned(),
            false => call.namespace().to_owned(),
        },
        user: access::user_info(arena, call.request.user),
        options: Value::Null,
        is_dry_run: false,
        object: None,
        old: None,
    }
}

pub(super) fn gvk(group: &str, version: &str, kind: &str) -> Gvk {
    Gvk {
        group: group.to_owned(),
        version: version.to_owned(),
        kind: kind.to_owned(),
    }
}

/// The timeout of the request.
fn time_limit(call: &ApiCall<'_>) -> Duration {
    let asked = GoDuration::parse(call.query.text("timeout")).ok();
    let asked = asked.and_then(|GoDuration(nanoseconds)| u64::try_from(nanoseconds).ok());
    let asked = asked
        .filter(|&nanoseconds| nanoseconds > 0)
        .map(Duration::from_nanos);
    asked.map_or(REQUEST, |asked| asked.min(REQUEST))
}

/// The only value of `dryRun`.
pub(crate) fn all<'a>(arena: &'a Arena) -> Value<'a> {
    Value::Array(arena.alloc_slice_copy(&[Value::Str("All")]))
}

/// An object of the members that are present.
pub(crate) fn members<'a>(arena: &'a Arena, fields: &[(&'static str, Option<Value<'a>>)]) -> Value<'a> {
    let present: Vec<Entry<'a>> = fields
        .iter()
        .filter_map(|&(key, value)| value.map(|value| Entry { key, value }))
        .collect();
    Value::Object(Object::from_entries(arena, arena.alloc_slice_copy(&present)))
}
