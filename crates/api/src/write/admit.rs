//! The server's own admission: managed fields, and whether the namespace accepts new objects (`Lifecycle.Admit` in
//! apiserver's pkg/admission/plugin/namespace/lifecycle).

use kindsmith_crd::definition;
use kindsmith_json::{Arena, Value};
use kindsmith_request::{Admission, AdmissionOperation, AdmissionRequest, Cause, Status, Write};

use crate::crd_controller;
use crate::stored;
use crate::verb::Call;
use crate::write::managed_fields::{self, Endpoint};
use crate::{Attributes, access};

/// Takes part in one write.
pub(crate) struct Admit<'c, 'a> {
    call: &'c Call<'c>,
    arena: &'a Arena,
    now: &'a str,
    /// The manager of changed fields; none for an apply, which sets managed fields itself.
    manager: Option<&'c str>,
    /// Whether the object's name is generated.
    pub(crate) is_generated: bool,
}

impl<'c, 'a> Admit<'c, 'a> {
    pub(crate) fn new(
        call: &'c Call<'c>,
        manager: Option<&'c str>,
        arena: &'a Arena,
        write: &Write<'a>,
    ) -> Self {
        Admit {
            call,
            arena,
            now: write.stamp.now,
            manager,
            is_generated: false,
        }
    }
}

impl<'a> Admission<'a> for Admit<'_, 'a> {
    fn user_info(&self) -> Option<Value<'a>> {
        Some(access::user_info(self.arena, self.call.request.user))
    }

    fn manage_fields(&mut self, request: &AdmissionRequest<'_, 'a>, object: Value<'a>) -> Value<'a> {
        self.is_generated = request.old.is_none() && request.name.is_empty();
        self.track(object, request.old)
    }

    fn mutate(&mut self, request: &AdmissionRequest<'_, 'a>, object: Value<'a>) -> Result<Value<'a>, Status> {
        check_namespace(self.call, request)?;
        let (access, user) = (&self.call.api.access, self.call.request.user);
        access.check_grant(user, self.call.info, object)?;
        Ok(object)
    }

    /// Users who create by an update or a patch must also be allowed to create (`withAuthorization` in apiserver's
    /// pkg/endpoints/handlers/create.go).
    fn validate(&mut self, request: &AdmissionRequest<'_, 'a>, _: Value<'a>) -> Result<(), Status> {
        let call = self.call;
        if request.operation == AdmissionOperation::Update || call.info.verb == "create" {
            return Ok(());
        }
        call.api.access.check(&Attributes {
            verb: "create",
            ..Attributes::of(call.request.user, call.info)
        })
    }
}

impl<'a> Admit<'_, 'a> {
    /// Records who set what changed.
    fn track(&self, object: Value<'a>, old: Option<Value<'a>>) -> Value<'a> {
        let Some(manager) = self.manager else {
            return object;
        };
        if self.call.info.subresource == "scale"
            && let Some(old) = old
        {
            return self.track_scale(object, old, manager).unwrap_or(object);
        }
        let endpoint = Endpoint::new(self.call.served, &self.call.info.subresource);
        let live = old.unwrap_or_else(|| endpoint.empty(self.arena));
        let now = match &*self.call.served.group {
            definition::GROUP => {
                let who = (manager, &*self.call.info.subresource);
                crd_controller::moment(self.arena, old, who, self.now)
            }
            _ => self.now,
        };
        endpoint.manager().update(self.arena, live, object, manager, now)
    }

    fn track_scale(&self, object: Value<'a>, old: Value<'a>, manager: &str) -> Option<Value<'a>> {
        let served = self.call.served;
        let scale = |object| served.resource.scale(self.arena, &served.version, object).ok();
        let scales = (scale(old).unwrap_or_default(), scale(object)?);
        managed_fields::track_scale(served, self.arena, (old, object), scales, manager, self.now)
    }
}

/// Rejects writes to a namespace that does not exist, and new objects in one that is being deleted.
fn check_namespace(call: &Call<'_>, request: &AdmissionRequest<'_, '_>) -> Result<(), Status> {
    let namespace = call.namespace();
    // Reviews may name any namespace.
    if namespace.is_empty() || !call.served.resource.is_stored() {
        return Ok(());
    }
    let key = format!("/registry/namespaces/{namespace}");
    let entry = call.store.get(key.as_bytes(), None).map_err(stored::failure)?;
    let Some(entry) = entry else {
        return Err(Status::not_found("", "namespaces", namespace));
    };
    if request.operation != AdmissionOperation::Create {
        return Ok(());
    }
    let arena = Arena::new();
    let stored = kindsmith_json::parse(&arena, &entry.value).unwrap_or_default();
    match stored.lookup(&["status", "phase"]).and_then(Value::as_str) {
        Some("Terminating") => Err(terminating(call, request.name, namespace)),
        _ => Ok(()),
    }
}

fn terminating(call: &Call<'_>, name: &str, namespace: &str) -> Status {
    let why = format!("unable to create new content in namespace {namespace} because it is being terminated");
    let mut status = Status::forbidden(&call.served.group, &call.served.plural, name, &why);
    if let Some(details) = &mut status.details {
        details.causes.push(Cause {
            reason: "NamespaceTerminating",
            message: format!("namespace {namespace} is being terminated"),
            field: "metadata.namespace".to_owned(),
        });
    }
    status
}
