//! Admission webhooks and policies of a request: which there are, and what they need to know of the request.

mod cluster;
mod event;
mod host;
pub(crate) mod user_access;

use std::sync::Arc;
use std::time::Duration;

use kindsmith_admission::policy::{self, Policies};
use kindsmith_admission::{Attributes, Gvk, Gvr, MutatingHooks, Sent, ValidatingHooks, Webhook, Webhooks};
use kindsmith_gostd::duration::Duration as GoDuration;
use kindsmith_json::{Arena, Value};
use kindsmith_object::{Release, StorePrefix};
use kindsmith_request::{AdmissionOperation, AdmissionRequest, Status};

use crate::context::Call as ApiCall;
use crate::followed::Follow;
use crate::request::delete_options::DeleteOptions;
use crate::response::partial::all;
use crate::write::unstored_creation::UnstoredCreation;
use crate::{Time, access, stored};
use kindsmith_json::object_of_present;

pub(crate) use host::Host;

impl Follow for Webhooks {
    const PREFIXES: &'static [StorePrefix<&'static str>] = &kindsmith_admission::WEBHOOK_PREFIXES;

    fn set(&mut self, key: &[u8], value: Option<&[u8]>) {
        Webhooks::set(self, key, value);
    }
}

impl Follow for Policies {
    const PREFIXES: &'static [StorePrefix<&'static str>] = &policy::PREFIXES;

    fn set(&mut self, key: &[u8], value: Option<&[u8]>) {
        Policies::set(self, key, value);
    }
}

/// How long a request may take that does not say so itself.
const REQUEST: Duration = Duration::from_mins(1);

/// Policies and their bindings: nobody judges them, so that no policy can block the removal of another.
const POLICIES: [&str; 4] = [
    "mutatingadmissionpolicies",
    "mutatingadmissionpolicybindings",
    "validatingadmissionpolicies",
    "validatingadmissionpolicybindings",
];

/// Webhook configurations: policies see them, webhooks do not.
const CONFIGURATIONS: [&str; 2] = ["mutatingwebhookconfigurations", "validatingwebhookconfigurations"];

/// Whether policies see writes to a resource: all but those that are only answered, and policies themselves.
fn is_judged(call: &ApiCall<'_>) -> bool {
    let served = call.served;
    let is_binding = served.group.is_empty() && *served.plural == *"bindings";
    (served.resource.is_stored() || is_binding) && !is_one_of(call, &POLICIES)
}

/// Whether webhooks see writes to a resource.
fn is_seen(call: &ApiCall<'_>) -> bool {
    is_judged(call) && !is_one_of(call, &CONFIGURATIONS)
}

fn is_one_of(call: &ApiCall<'_>, resources: &[&str]) -> bool {
    *call.served.group == *"admissionregistration.k8s.io" && resources.contains(&&*call.served.plural)
}

/// The policies and webhooks as they are now; none for requests that they do not see.
pub(crate) struct Hooks {
    policies: Vec<Arc<Policies>>,
    webhooks: Vec<Arc<Webhooks>>,
}

impl Hooks {
    pub(crate) fn of(call: &ApiCall<'_>) -> Result<Self, Status> {
        let judges = &call.core.judges;
        let mut hooks = Hooks {
            policies: Vec::new(),
            webhooks: Vec::new(),
        };
        if is_judged(call) {
            let stored = judges.policies.now().map_err(stored::failure)?;
            hooks.policies = vec![Arc::clone(&judges.fixed.1), stored];
        }
        if is_seen(call) {
            let stored = judges.webhooks.now().map_err(stored::failure)?;
            hooks.webhooks = vec![Arc::clone(&judges.fixed.0), stored];
        }
        Ok(hooks)
    }

    /// Those that change objects, if there are any.
    pub(crate) fn mutating<'h, 'a>(
        &'h self,
        show: &'h dyn Fn(Value<'a>) -> Sent<'a>,
        host: &'h mut Host<'_, 'a>,
    ) -> Option<MutatingHooks<'h, 'a>> {
        let webhooks: Vec<&Webhook> = self.webhooks.iter().flat_map(|all| all.mutating()).collect();
        let is_empty = webhooks.is_empty() && self.policies.iter().all(|all| all.has_no_mutating());
        (!is_empty).then(|| MutatingHooks::new(&self.policies, webhooks, show, host))
    }

    /// Those that judge objects, if there are any.
    pub(crate) fn validating<'h, 'a>(
        &'h self,
        show: &'h dyn Fn(Value<'a>) -> Attributes<'a>,
        host: &'h mut Host<'_, 'a>,
    ) -> Option<ValidatingHooks<'h, 'a>> {
        let webhooks: Vec<&Webhook> = self.webhooks.iter().flat_map(|all| all.validating()).collect();
        let is_empty = webhooks.is_empty() && self.policies.iter().all(|all| all.has_no_validating());
        (!is_empty).then(|| ValidatingHooks {
            policies: &self.policies,
            webhooks,
            show,
            cluster: host,
        })
    }
}

/// Webhooks and policies that are given under the keys they would be stored at.
pub(crate) fn fixed(entries: &[(String, Vec<u8>)], release: Release) -> (Arc<Webhooks>, Arc<Policies>) {
    let (mut webhooks, mut policies) = (Webhooks::of(release), Policies::of(release));
    for (key, value) in entries {
        webhooks.set(key.as_bytes(), Some(value));
        policies.set(key.as_bytes(), Some(value));
    }
    (Arc::new(webhooks), Arc::new(policies))
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
        _ => "UpdateOptions",
    };
    let options = write_options(call, arena, kind, request.is_dry_run);
    let (group, version, kind) = request.kind;
    Attributes {
        operation: request.operation,
        kind: gvk(group, version, kind),
        subresource: request.subresource.to_owned(),
        name: request.name.to_owned(),
        options,
        is_dry_run: request.is_dry_run,
        object: Some(object),
        old: request.old,
        ..of_request(call, arena, request.name)
    }
}

/// A connection as webhooks see it: its options are the object.
pub(crate) fn of_connection<'a>(
    call: &ApiCall<'_>,
    arena: &'a Arena,
    kind: &str,
    options: Value<'a>,
) -> Attributes<'a> {
    Attributes {
        operation: AdmissionOperation::Connect,
        kind: gvk("", "v1", kind),
        subresource: call.info.subresource.clone(),
        object: Some(options),
        ..of_request(call, arena, call.info.path_name())
    }
}

/// A request that creates an object which is not stored, as webhooks see it.
pub(crate) fn of_creation<'a>(
    call: &ApiCall<'_>,
    arena: &'a Arena,
    creation: &UnstoredCreation<'_>,
    object: Value<'a>,
) -> Attributes<'a> {
    let (group, version, kind) = creation.kind;
    Attributes {
        operation: AdmissionOperation::Create,
        kind: gvk(group, version, kind),
        subresource: call.info.subresource.clone(),
        options: write_options(call, arena, "CreateOptions", creation.is_dry_run),
        is_dry_run: creation.is_dry_run,
        object: Some(object),
        ..of_request(call, arena, creation.name)
    }
}

fn write_options<'a>(
    call: &ApiCall<'_>,
    arena: &'a Arena,
    kind: &'static str,
    is_dry_run: bool,
) -> Value<'a> {
    let text = |name: &str| call.query.get(name).map(|text| Value::Str(arena.alloc_str(text)));
    let options = [
        ("kind", Some(kind.into())),
        ("apiVersion", Some("meta.k8s.io/v1".into())),
        ("dryRun", is_dry_run.then(|| all(arena))),
        ("fieldManager", text("fieldManager")),
        ("fieldValidation", text("fieldValidation")),
    ];
    object_of_present(arena, &options)
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
        namespace: if is_namespace {
            name.to_owned()
        } else {
            call.namespace().to_owned()
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

/// Ends a request that asks a webhook about many objects when its time is over.
pub(crate) fn check_time(call: &ApiCall<'_>, started: Time) -> Result<(), Status> {
    if !call.served.resource.may_wait() || passed(call, started) < time_limit(call) {
        return Ok(());
    }
    Err(crate::response::status_response::timeout())
}

/// How much time a request has taken.
fn passed(call: &ApiCall<'_>, started: Time) -> Duration {
    let now = call.environment.steady().nanoseconds_since_1970();
    let passed = now - started.nanoseconds_since_1970();
    Duration::from_nanos(u64::try_from(passed.max(0)).unwrap_or(u64::MAX))
}
