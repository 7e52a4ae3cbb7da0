//! The server's own admission: managed fields, and namespaces that do not exist or are being deleted (`Lifecycle.Admit`
//! in apiserver's pkg/admission/plugin/namespace/lifecycle).

use kindsmith_admission::policy;
use kindsmith_builtin::pod_admission::{Lookup, PodAdmission};
use kindsmith_crd::definition;
use kindsmith_json::{Arena, Value};
use kindsmith_request::{
    Admission, AdmissionOperation, AdmissionRequest, Cause, Declarative, FreshPools, Pools, Signature,
    Status, Warning, Write,
};

use crate::plugin::Turn;
use crate::stored;
use crate::verb::Call;
use crate::verb::delete::DeleteOptions;
use crate::write::lookup::StoreLookup;
use crate::write::managed_fields::{self, Endpoint, TrackedScale};
use crate::write::moment;
use crate::write::param_access;
use crate::write::pools::Ranges;
use crate::{Attributes, Time, access, plugin, webhook};

/// The admission plugins that evaluate policies.
const MUTATING: &str = "MutatingAdmissionPolicy";
const VALIDATING: &str = "ValidatingAdmissionPolicy";

/// Admits one write.
pub(crate) struct Admit<'c, 'a> {
    call: &'c Call<'c>,
    arena: &'a Arena,
    now: &'a str,
    /// The manager of changed fields; `None` for an apply, which sets managed fields itself.
    manager: Option<&'c str>,
    started: Time,
    /// The managed fields of a scale before and after the write; only mutating webhooks see them.
    scale_entries: Option<(Option<Value<'a>>, Option<Value<'a>>)>,
    /// Warnings of webhooks.
    warnings: Vec<String>,
    /// Whether the object's name is generated.
    pub(crate) is_generated: bool,
    /// What services can get, while one of them is written.
    ranges: Option<Ranges<'c>>,
    /// Five random letters, for names.
    suffix: &'a str,
}

impl<'c, 'a> Admit<'c, 'a> {
    pub(crate) fn new(
        call: &'c Call<'c>,
        manager: Option<&'c str>,
        arena: &'a Arena,
        write: &Write<'a>,
    ) -> Self {
        Admit {
            ranges: is_service(call, write).then(|| Ranges::new(&call.api.services)),
            call,
            arena,
            now: write.stamp.now,
            suffix: write.stamp.name_suffix,
            manager,
            started: call.environment.steady(),
            scale_entries: None,
            warnings: Vec::new(),
            is_generated: false,
        }
    }
}

impl<'a> Admission<'a> for Admit<'_, 'a> {
    fn user_info(&self) -> Option<Value<'a>> {
        Some(access::user_info(self.arena, self.call.request.user))
    }

    fn declarative(&self) -> Option<&Declarative> {
        Some(self.call.api.declarative())
    }

    fn allows_privileged(&self) -> bool {
        self.call.api.options().allow_privileged
    }

    fn has_plugin(&self, name: &str) -> bool {
        self.call.api.options().plugins.is_on(name)
    }

    fn has_namespace_label(&self, namespace: &str, label: &str, value: &str) -> bool {
        let lookup = StoreLookup::new(self.call, self.arena);
        let namespace = lookup.find("", "namespaces", "", namespace);
        let found = namespace.and_then(|namespace| namespace.lookup(&["metadata", "labels", label]));
        found == Some(value.into())
    }

    fn may_sign(&self, signer: &str) -> bool {
        plugin::may_sign(self.call, signer)
    }

    fn verifies(&self, signature: &Signature<'_>) -> bool {
        self.call.environment.verifies(signature)
    }

    fn manage_fields(&mut self, request: &AdmissionRequest<'_, 'a>, object: Value<'a>) -> Value<'a> {
        self.is_generated = request.old.is_none() && request.name.is_empty();
        self.track(object, request.old)
    }

    fn mutate(&mut self, request: &AdmissionRequest<'_, 'a>, object: Value<'a>) -> Result<Value<'a>, Status> {
        let review = plugin::Review::new(self.call, self.arena, request);
        let object = review.mutate(Turn::First, object)?;
        check_namespace(self.call, request.operation, request.name)?;
        let lookup = StoreLookup::new(self.call, self.arena);
        let plugins = &self.call.api.options().plugins;
        let is_on = |plugin: &str| plugins.is_on(plugin);
        let object = self.pod_plugins(&lookup, &is_on).mutate(request, object)?;
        let object = review.mutate(Turn::Later, object)?;
        let object = self.ask_mutating(request, object)?;
        let (access, user) = (&self.call.api.access, self.call.request.user);
        access.check_grant(user, self.call.info, object)?;
        Ok(object)
    }

    /// Users who create an object by an update or a patch also need the permission to create (`withAuthorization` in
    /// apiserver's pkg/endpoints/handlers/create.go).
    fn validate(&mut self, request: &AdmissionRequest<'_, 'a>, object: Value<'a>) -> Result<(), Status> {
        let call = self.call;
        if request.operation == AdmissionOperation::Create && call.info.verb != "create" {
            call.api.access.check(&Attributes {
                verb: "create",
                ..Attributes::of(call.request.user, call.info)
            })?;
        }
        param_access::check(call, request, object)?;
        let review = plugin::Review::new(call, self.arena, request);
        review.validate(Turn::First, object)?;
        let lookup = StoreLookup::new(call, self.arena);
        let is_on = |plugin: &str| call.api.options().plugins.is_on(plugin);
        let verdict = self.pod_plugins(&lookup, &is_on).judge(request, object);
        self.warnings.extend(verdict.warnings);
        if let Some(refusal) = verdict.refusal {
            return Err(*refusal);
        }
        review.validate(Turn::Later, object)?;
        self.ask_validating(request, object)?;
        review.validate(Turn::Last, object)
    }

    fn pools(&self) -> &dyn Pools {
        match &self.ranges {
            Some(ranges) => ranges,
            None => &FreshPools,
        }
    }

    fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }
}

/// Does a write hand out addresses and ports?
fn is_service(call: &Call<'_>, write: &Write<'_>) -> bool {
    let served = call.served;
    served.group.is_empty() && *served.plural == *"services" && write.operation.subresource().is_empty()
}

impl<'a> Admit<'_, 'a> {
    fn pod_plugins<'p>(
        &self,
        lookup: &'p StoreLookup<'p, 'a>,
        is_on: &'p dyn Fn(&str) -> bool,
    ) -> PodAdmission<'p, 'a> {
        PodAdmission {
            arena: self.arena,
            lookup,
            is_on,
            suffix: self.suffix,
        }
    }

    fn ask_mutating(
        &mut self,
        request: &AdmissionRequest<'_, 'a>,
        object: Value<'a>,
    ) -> Result<Value<'a>, Status> {
        let (policies, webhooks) = (
            webhook::policies(self.call, MUTATING)?,
            webhook::webhooks(self.call)?,
        );
        let webhooks = webhook::mutating(self.call, &webhooks);
        if webhooks.is_empty() && policies.iter().all(|policies| policies.has_no_mutating()) {
            return Ok(object);
        }
        let sent = request.shown(object);
        let mut attributes = webhook::of_write(self.call, self.arena, request, sent);
        if let Some((before, after)) = self.scale_entries {
            attributes.old = attributes.old.map(|old| self.with_entries(old, before));
            attributes.object = Some(self.with_entries(sent, after));
        }
        let is_dated = !self.call.served.resource.is_custom() && is_dated(self.arena, object, request.old);
        let mut host = webhook::Host::new(self.call, self.arena, self.started, Some(request));
        let mutated = kindsmith_admission::mutate(&policies, &webhooks, &attributes, is_dated, &mut host);
        self.warnings.append(&mut host.warnings);
        Ok(self.with_valid_managers(object, mutated?.unwrap_or(object)))
    }

    fn with_entries(&self, mut scale: Value<'a>, entries: Option<Value<'a>>) -> Value<'a> {
        if let Some(entries) = entries {
            scale.set(self.arena, &["metadata", "managedFields"], entries);
        }
        scale
    }

    fn ask_validating(
        &mut self,
        request: &AdmissionRequest<'_, 'a>,
        object: Value<'a>,
    ) -> Result<(), Status> {
        let (policies, webhooks) = (
            webhook::policies(self.call, VALIDATING)?,
            webhook::webhooks(self.call)?,
        );
        let webhooks = webhook::validating(self.call, &webhooks);
        if webhooks.is_empty() && policies.iter().all(|policies| policies.has_no_validating()) {
            return Ok(());
        }
        let object = request.shown(object);
        let attributes = webhook::of_write(self.call, self.arena, request, object);
        let mut host = webhook::Host::new(self.call, self.arena, self.started, Some(request));
        let admitted = policy::validate(&policies, &attributes, &mut host)
            .and_then(|()| kindsmith_admission::validate(&webhooks, &attributes, &mut host));
        self.warnings.append(&mut host.warnings);
        admitted
    }

    /// Restores managed fields that a webhook broke (`managedFieldsValidatingAdmissionController` in apiserver's
    /// pkg/endpoints/handlers/fieldmanager/admission.go).
    fn with_valid_managers(&mut self, before: Value<'a>, mutated: Value<'a>) -> Value<'a> {
        let path = ["metadata", "managedFields"];
        let (old, new) = (before.lookup(&path), mutated.lookup(&path));
        if old == new {
            return mutated;
        }
        let Err(why) = kindsmith_merge::managed::decode(self.arena, new) else {
            return mutated;
        };
        self.warnings.push(format!(
            ".metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating \
             admission controller; please fix your requests: {why}"
        ));
        let mut object = mutated;
        match old {
            Some(old) => object.set(self.arena, &path, old),
            None => drop(object.unset(self.arena, &path)),
        }
        object
    }
}

/// Asks policies and webhooks about a deletion, without the name when a collection is deleted.
pub(crate) fn admit_deletion<'a>(
    call: &Call<'_>,
    arena: &'a Arena,
    name: &str,
    old: Value<'a>,
    options: &DeleteOptions,
) -> Result<(), Status> {
    plugin::admit_deletion(call, arena, name, old)?;
    let attributes = || webhook::of_deletion(call, arena, name, old, options);
    ask_all(call, arena, attributes, |_| Ok(()))?;
    Ok(())
}

/// A request that creates an object which is not stored: for a token, a binding, an eviction.
pub(crate) struct Creation<'c> {
    /// Group, version and kind of what was sent.
    pub(crate) kind: (&'c str, &'c str, &'c str),
    /// Whom it is about.
    pub(crate) name: &'c str,
    pub(crate) is_dry_run: bool,
}

/// Asks plugins, policies and webhooks about such a request. `check` gets the object as mutations left it, before others
/// validate it.
pub(crate) fn admit_creation<'a, T>(
    call: &Call<'_>,
    arena: &'a Arena,
    creation: &Creation<'_>,
    object: Value<'a>,
    check: impl FnOnce(Value<'a>) -> Result<T, Status>,
) -> Result<(Value<'a>, T), Status> {
    let name = creation.name;
    check_namespace(call, AdmissionOperation::Create, name)?;
    plugin::admit_node(&plugin::Attempt {
        call,
        arena,
        operation: AdmissionOperation::Create,
        subresource: &call.info.subresource,
        name,
        object,
        old: Value::Null,
    })?;
    let is_on = call.api.options().plugins.is_on("PodTopologyLabels");
    let object = match is_on && creation.kind == ("", "v1", "Binding") {
        true => plugin::label_binding(arena, &StoreLookup::new(call, arena), object),
        false => object,
    };
    let attributes = || webhook::of_creation(call, arena, creation, object);
    let check = |changed: Option<Value<'a>>| {
        plugin::deny_all(call, name)?;
        check(changed.unwrap_or(object))
    };
    let (changed, checked) = ask_all(call, arena, attributes, check)?;
    Ok((changed.unwrap_or(object), checked))
}

/// Asks policies and webhooks about a connection. Returns its options as mutations left them.
pub(crate) fn admit_connection<'a>(
    call: &Call<'_>,
    arena: &'a Arena,
    kind: &str,
    options: Value<'a>,
) -> Result<Value<'a>, Status> {
    let attributes = || webhook::of_connection(call, arena, kind, options);
    let (changed, ()) = ask_all(call, arena, attributes, |_| Ok(()))?;
    Ok(changed.unwrap_or(options))
}

/// Asks everybody about a request that writes no object: first those that change what was sent, then `check`, then those
/// that validate. Returns what was sent if it may have been changed.
fn ask_all<'a, T>(
    call: &Call<'_>,
    arena: &'a Arena,
    attributes: impl FnOnce() -> kindsmith_admission::Attributes<'a>,
    check: impl FnOnce(Option<Value<'a>>) -> Result<T, Status>,
) -> Result<(Option<Value<'a>>, T), Status> {
    let webhooks = webhook::webhooks(call)?;
    let (mutating, validating) = (
        webhook::mutating(call, &webhooks),
        webhook::validating(call, &webhooks),
    );
    let (mutations, rules) = (
        webhook::policies(call, MUTATING)?,
        webhook::policies(call, VALIDATING)?,
    );
    if mutating.is_empty()
        && validating.is_empty()
        && mutations.iter().all(|policies| policies.has_no_mutating())
        && rules.iter().all(|policies| policies.has_no_validating())
    {
        return Ok((None, check(None)?));
    }
    let mut attributes = attributes();
    let mut host = webhook::Host::new(call, arena, call.environment.steady(), None);
    let admitted = kindsmith_admission::mutate(&mutations, &mutating, &attributes, false, &mut host)
        .and_then(|object| {
            attributes.object = object;
            check(object)
        })
        .and_then(|checked| {
            policy::validate(&rules, &attributes, &mut host)?;
            kindsmith_admission::validate(&validating, &attributes, &mut host)?;
            Ok(checked)
        });
    call.warn(host.warnings.into_iter().map(Warning::from));
    Ok((attributes.object, admitted?))
}

/// Whether this request wrote an entry of managed fields: one is new, or a managed field changed.
fn is_dated<'a>(arena: &'a Arena, object: Value<'a>, old: Option<Value<'a>>) -> bool {
    fn entries<'a>(object: Value<'a>) -> &'a [Value<'a>] {
        let entries = object.lookup(&["metadata", "managedFields"]);
        entries.and_then(Value::as_array).unwrap_or_default()
    }
    let Some(old) = old else {
        return !entries(object).is_empty();
    };
    if entries(object).is_empty() {
        return false;
    }
    let is_new = |entry: &Value<'_>| !entries(old).contains(entry);
    // Fields set by the server have no manager.
    const UNMANAGED: [&str; 5] = [
        "managedFields",
        "resourceVersion",
        "uid",
        "creationTimestamp",
        "generation",
    ];
    let managed = |mut object: Value<'a>| {
        for key in UNMANAGED {
            object.unset(arena, &["metadata", key]);
        }
        object
    };
    entries(object).iter().any(is_new) || managed(object) != managed(old)
}

impl<'a> Admit<'_, 'a> {
    /// Records the manager of changed fields.
    fn track(&mut self, object: Value<'a>, old: Option<Value<'a>>) -> Value<'a> {
        let Some(manager) = self.manager else {
            return object;
        };
        if self.call.info.subresource == "scale"
            && let Some(old) = old
        {
            let Some(tracked) = self.track_scale(object, old, manager) else {
                return object;
            };
            self.scale_entries = Some((tracked.before, tracked.after));
            return tracked.object;
        }
        let endpoint = Endpoint::new(self.call.served, &self.call.info.subresource);
        let live = old.unwrap_or_else(|| endpoint.empty(self.arena));
        let now = match &*self.call.served.group {
            definition::GROUP => {
                let who = (manager, &*self.call.info.subresource);
                moment::moment(self.arena, old, who, self.now)
            }
            _ => self.now,
        };
        endpoint.manager().update(self.arena, live, object, manager, now)
    }

    fn track_scale(&self, object: Value<'a>, old: Value<'a>, manager: &str) -> Option<TrackedScale<'a>> {
        let served = self.call.served;
        let scale = |object| served.resource.scale(self.arena, &served.version, object).ok();
        let scales = (scale(old).unwrap_or_default(), scale(object)?);
        managed_fields::track_scale(served, self.arena, (old, object), scales, manager, self.now)
    }
}

/// Rejects new objects in a namespace that does not exist or is being deleted.
fn check_namespace(call: &Call<'_>, operation: AdmissionOperation, name: &str) -> Result<(), Status> {
    let namespace = call.namespace();
    let is_on = call.api.options().plugins.is_on("NamespaceLifecycle");
    // Reviews may name any namespace.
    let is_review = *call.served.plural == *"localsubjectaccessreviews";
    if !is_on || namespace.is_empty() || is_review || operation != AdmissionOperation::Create {
        return Ok(());
    }
    let key = format!("/registry/namespaces/{namespace}");
    let entry = call.store.get(key.as_bytes(), None).map_err(stored::failure)?;
    let Some(entry) = entry else {
        return Err(Status::not_found("", "namespaces", namespace));
    };
    let arena = Arena::new();
    let stored = kindsmith_json::parse(&arena, &entry.value).unwrap_or_default();
    match stored.lookup(&["status", "phase"]).and_then(Value::as_str) {
        Some("Terminating") => Err(terminating(call, name, namespace)),
        _ => Ok(()),
    }
}

fn terminating(call: &Call<'_>, name: &str, namespace: &str) -> Status {
    let why = format!("unable to create new content in namespace {namespace} because it is being terminated");
    let mut status = Status::forbidden(&call.served.group, &call.served.plural, name, &why);
    if let Some(details) = &mut status.details {
        details.causes.push(Cause {
            reason: "NamespaceTerminating".into(),
            message: format!("namespace {namespace} is being terminated"),
            field: "metadata.namespace".to_owned(),
        });
    }
    status
}
