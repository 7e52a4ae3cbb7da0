//! Admission of a request: managed fields, then the chain of plugins.

use kindsmith_admission::plugin::{Review, Server as _, may_sign};
use kindsmith_admission::{Attributes as Reviewed, Sent, chain};
use kindsmith_crd::definition;
use kindsmith_json::{Arena, Value};
use kindsmith_request::{
    Admission, AdmissionOperation, AdmissionRequest, Declarative, FreshPools, Pools, Signature, Status,
    Target, Warning, Write,
};

use crate::context::Call;
use crate::request::delete_options::DeleteOptions;
use crate::webhook::user_access::UserAccess;
use crate::webhook::{Hooks, Host};
use crate::write::lookup::View;
use crate::write::managed_fields::{self, Endpoint, TrackedScale};
use crate::write::moment;
use crate::write::param_access;
use crate::write::pools::Ranges;
use crate::write::unstored_creation::UnstoredCreation;
use crate::{Attributes, Time, access, environment, webhook};

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
            ranges: is_service(call, write).then(|| Ranges::new(&call.core.services)),
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

impl Admit<'_, '_> {
    /// Nothing new comes into a resource whose CRD is being deleted (`forbidCreateAdmission` in apiextensions-apiserver's
    /// pkg/apiserver/customresource_handler.go).
    fn check_terminating(&self, request: &AdmissionRequest<'_, '_>) -> Result<(), Status> {
        let (group, plural) = (&*self.call.served.group, &*self.call.served.plural);
        let is_new = request.old.is_none() && self.call.served.resource.is_custom();
        if is_new && self.call.core.catalog().refuses_objects(group, plural) {
            let why = "create not allowed while custom resource definition is terminating";
            return Err(Status::forbidden(group, plural, request.name, why));
        }
        Ok(())
    }
}

impl<'a> Admission<'a> for Admit<'_, 'a> {
    fn user_info(&self) -> Option<Value<'a>> {
        Some(access::user_info(self.arena, self.call.request.user))
    }

    fn declarative(&self) -> Option<&Declarative> {
        Some(&self.call.core.writes.declarative)
    }

    fn allows_privileged(&self) -> bool {
        self.call.core.writes.allow_privileged
    }

    fn has_namespace_label(&self, namespace: &str, label: &str, value: &str) -> bool {
        let namespace = self.view().find("", "namespaces", "", namespace);
        let found = namespace.and_then(|namespace| namespace.lookup(&["metadata", "labels", label]));
        found == Some(value.into())
    }

    fn may_sign(&self, signer: &str) -> bool {
        may_sign(&UserAccess(self.call), signer)
    }

    fn verifies(&self, signature: &Signature<'_>) -> bool {
        self.call.environment.verifies(signature)
    }

    fn manage_fields(&mut self, request: &AdmissionRequest<'_, 'a>, object: Value<'a>) -> Value<'a> {
        self.is_generated = request.old.is_none() && request.name.is_empty();
        self.track(object, request.old)
    }

    fn mutate(&mut self, request: &AdmissionRequest<'_, 'a>, object: Value<'a>) -> Result<Value<'a>, Status> {
        self.check_terminating(request)?;
        let (hooks, view) = (Hooks::of(self.call)?, self.view());
        let mut host = Host::new(self.call, self.arena, self.started, Some(request));
        let show = |object| self.sent(request, object);
        let plugins = &self.call.core.judges.plugins;
        let review = Review::new(self.arena, request, &view, &plugins.settings);
        let mut asked = hooks.mutating(&show, &mut host);
        let mutated = chain::mutate(plugins, &review, asked.as_mut(), object);
        let warnings = review.into_warnings();
        self.warnings.extend(warnings.into_iter().chain(host.warnings));
        let object = self.with_valid_managers(object, mutated?);
        let (access, user) = (&self.call.core.access, self.call.request.user);
        access.check_grant(user, self.call.info, object)?;
        Ok(object)
    }

    /// Users who create an object by an update or a patch also need the permission to create (`withAuthorization` in
    /// apiserver's pkg/endpoints/handlers/create.go).
    fn validate(&mut self, request: &AdmissionRequest<'_, 'a>, object: Value<'a>) -> Result<(), Status> {
        let call = self.call;
        if request.operation == AdmissionOperation::Create && call.info.verb != "create" {
            call.core.access.check(&Attributes {
                verb: "create",
                ..Attributes::of(call.request.user, call.info)
            })?;
        }
        param_access::check(call, request, object)?;
        let (hooks, view) = (Hooks::of(call)?, self.view());
        let mut host = Host::new(call, self.arena, self.started, Some(request));
        let show = |object| webhook::of_write(call, self.arena, request, request.shown(object));
        let plugins = &call.core.judges.plugins;
        let review = Review::new(self.arena, request, &view, &plugins.settings);
        let mut asked = hooks.validating(&show, &mut host);
        let admitted = chain::validate(plugins, &review, asked.as_mut(), object);
        let warnings = review.into_warnings();
        self.warnings.extend(warnings.into_iter().chain(host.warnings));
        admitted
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

impl<'c, 'a> Admit<'c, 'a> {
    fn view(&self) -> View<'c, 'a> {
        View::new(self.call, self.arena, self.suffix)
    }

    /// A write as mutating policies and webhooks see it.
    fn sent(&self, request: &AdmissionRequest<'_, 'a>, object: Value<'a>) -> Sent<'a> {
        let shown = request.shown(object);
        let mut attributes = webhook::of_write(self.call, self.arena, request, shown);
        if let Some((before, after)) = self.scale_entries {
            attributes.old = attributes.old.map(|old| self.with_entries(old, before));
            attributes.object = Some(self.with_entries(shown, after));
        }
        let is_dated = !self.call.served.resource.is_custom() && is_dated(self.arena, object, request.old);
        Sent { attributes, is_dated }
    }

    fn with_entries(&self, mut scale: Value<'a>, entries: Option<Value<'a>>) -> Value<'a> {
        if let Some(entries) = entries {
            scale.set(self.arena, &["metadata", "managedFields"], entries);
        }
        scale
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

/// A request that writes no object, as plugins see it.
fn request_of<'r, 'a>(
    call: &'r Call<'_>,
    arena: &'a Arena,
    operation: AdmissionOperation,
    name: &str,
) -> AdmissionRequest<'r, 'a>
where
    'a: 'r,
{
    let served = call.served;
    let target = Target {
        group: &served.group,
        resource: &served.plural,
        kind: &served.kind,
        scope: served.scope,
    };
    let mut request = AdmissionRequest::new(operation, &served.version, target);
    request.name = arena.alloc_str(name);
    request.namespace = arena.alloc_str(call.namespace());
    request
}

/// Asks the chain about a deletion, without the name when a collection is deleted.
pub(crate) fn admit_deletion<'a>(
    call: &Call<'_>,
    arena: &'a Arena,
    name: &str,
    old: Value<'a>,
    options: &DeleteOptions,
) -> Result<(), Status> {
    let mut request = request_of(call, arena, AdmissionOperation::Delete, name);
    request.is_dry_run = options.is_dry_run;
    request.old = Some(old);
    let show = |_| webhook::of_deletion(call, arena, name, old, options);
    ask_all(call, arena, &request, (&show, Value::Null), unchecked)?;
    Ok(())
}

/// Asks plugins, policies and webhooks about the creation of an object that is not stored. `check` gets the object as mutations left it, and returns it
/// as others validate it.
pub(crate) fn admit_creation<'a, T>(
    call: &Call<'_>,
    arena: &'a Arena,
    creation: &UnstoredCreation<'_>,
    object: Value<'a>,
    check: impl FnOnce(Value<'a>) -> Result<(Value<'a>, T), Status>,
) -> Result<(Value<'a>, T), Status> {
    let mut request = request_of(call, arena, AdmissionOperation::Create, creation.name);
    request.subresource = &call.info.subresource;
    request.kind = creation.kind;
    request.is_dry_run = creation.is_dry_run;
    let show = |object| webhook::of_creation(call, arena, creation, object);
    let mut object = object;
    let namespace = object.lookup(&["metadata", "namespace"]).and_then(Value::as_str);
    if namespace.unwrap_or_default().is_empty() && !call.namespace().is_empty() {
        let namespace = Value::Str(arena.alloc_str(call.namespace()));
        object.set(arena, &["metadata", "namespace"], namespace);
    }
    let now = arena.alloc_str(&environment::now(call.environment));
    let (kind, who) = (creation.kind, (creation.manager, &*now));
    let object = managed_fields::track_unstored(arena, kind, &call.info.subresource, object, who);
    ask_all(call, arena, &request, (&show, object), check)
}

/// Asks the chain about a connection. Returns its options as mutations left them.
pub(crate) fn admit_connection<'a>(
    call: &Call<'_>,
    arena: &'a Arena,
    kind: &str,
    options: Value<'a>,
) -> Result<Value<'a>, Status> {
    let mut request = request_of(call, arena, AdmissionOperation::Connect, call.info.path_name());
    request.subresource = &call.info.subresource;
    request.kind = ("", "v1", kind);
    let show = |options| webhook::of_connection(call, arena, kind, options);
    let (options, ()) = ask_all(call, arena, &request, (&show, options), unchecked)?;
    Ok(options)
}

/// What mutations left is validated as it is.
fn unchecked(object: Value<'_>) -> Result<(Value<'_>, ()), Status> {
    Ok((object, ()))
}

/// What is sent, and how policies and webhooks see it.
type Shown<'s, 'a> = (&'s dyn Fn(Value<'a>) -> Reviewed<'a>, Value<'a>);

/// Asks the chain about a request that writes no object: first it changes what was sent, then `check` sees that and may
/// complete it, then the chain validates it. Returns what was validated.
fn ask_all<'a, T>(
    call: &Call<'_>,
    arena: &'a Arena,
    request: &AdmissionRequest<'_, 'a>,
    (show, object): Shown<'_, 'a>,
    check: impl FnOnce(Value<'a>) -> Result<(Value<'a>, T), Status>,
) -> Result<(Value<'a>, T), Status> {
    let (hooks, view) = (Hooks::of(call)?, View::new(call, arena, ""));
    let mut host = Host::new(call, arena, call.environment.steady(), None);
    let plugins = &call.core.judges.plugins;
    let review = Review::new(arena, request, &view, &plugins.settings);
    let sent = |object| Sent {
        attributes: show(object),
        is_dated: false,
    };
    let mutated = chain::mutate(
        plugins,
        &review,
        hooks.mutating(&sent, &mut host).as_mut(),
        object,
    );
    let admitted = mutated.and_then(|object| {
        let (object, checked) = check(object)?;
        chain::validate(
            plugins,
            &review,
            hooks.validating(show, &mut host).as_mut(),
            object,
        )?;
        Ok((object, checked))
    });
    let warnings = review.into_warnings();
    call.warn(warnings.into_iter().chain(host.warnings).map(Warning::from));
    admitted
}

/// Whether this request wrote an entry of managed fields: one is new, or a managed field changed.
fn is_dated<'a>(arena: &'a Arena, object: Value<'a>, old: Option<Value<'a>>) -> bool {
    fn entries(object: Value<'_>) -> &[Value<'_>] {
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
        let (resource, version) = (&served.resource, &served.version);
        // The old one may have no replicas (`UpdatedObject` in apiextensions-apiserver's pkg/registry/customresource/etcd.go).
        let old_scale = resource.scale_to_patch(self.arena, version, old).ok()?;
        let scales = (old_scale, resource.scale(self.arena, version, object).ok()?);
        managed_fields::track_scale(served, self.arena, (old, object), scales, manager, self.now)
    }
}
