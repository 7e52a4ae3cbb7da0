//! What the server itself has to say to a write between decoding and storing: who manages which fields, and whether the
//! namespace takes new objects (`Lifecycle.Admit` in apiserver's pkg/admission/plugin/namespace/lifecycle).

use kindsmith_crd::definition;
use kindsmith_json::{Arena, Value};
use kindsmith_request::{Admission, Cause, Operation, Status, Write};

use crate::crd_controller;
use crate::stored;
use crate::verb::Call;
use crate::write::managed_fields::{self, Endpoint};
use crate::{Attributes, access};

/// Takes part in one write.
pub(crate) struct Admit<'c, 'a> {
    call: &'c Call<'c>,
    operation: Operation<'a>,
    arena: &'a Arena,
    now: &'a str,
    /// Who is said to have set what changes; nobody if that was told already.
    manager: Option<&'c str>,
    /// Whether the object's name was made up.
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
            operation: write.operation,
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

    /// Whoever creates by an update or a patch must also be allowed to create (`withAuthorization` in apiserver's
    /// pkg/endpoints/handlers/create.go).
    fn judge(&mut self, _: Value<'a>, old: Option<Value<'a>>) -> Result<(), Status> {
        let call = self.call;
        if old.is_some() || call.info.verb == "create" {
            return Ok(());
        }
        call.api.access.check(&Attributes {
            verb: "create",
            ..Attributes::of(call.request.user, call.info)
        })
    }

    fn mutate(&mut self, object: Value<'a>, old: Option<Value<'a>>) -> Result<Value<'a>, Status> {
        let name = stored::name(object);
        self.is_generated = old.is_none() && name.is_empty();
        let is_create = old.is_none() || matches!(self.operation, Operation::Create);
        let object = self.track(object, old);
        check_namespace(self.call, name, is_create)?;
        let (access, user) = (&self.call.api.access, self.call.request.user);
        access.check_grant(user, self.call.info, object)?;
        Ok(object)
    }
}

impl<'a> Admit<'_, 'a> {
    /// Notes who set what changed.
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

/// Refuses what would live in a namespace that is not there, or start to live in one that is going.
fn check_namespace(call: &Call<'_>, name: &str, is_create: bool) -> Result<(), Status> {
    let namespace = call.namespace();
    // Questions about access may be asked of any namespace.
    if namespace.is_empty() || !call.served.resource.is_stored() {
        return Ok(());
    }
    let key = format!("/registry/namespaces/{namespace}");
    let entry = call.store.get(key.as_bytes(), None).map_err(stored::failure)?;
    let Some(entry) = entry else {
        return Err(Status::not_found("", "namespaces", namespace));
    };
    if !is_create {
        return Ok(());
    }
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
            reason: "NamespaceTerminating",
            message: format!("namespace {namespace} is being terminated"),
            field: "metadata.namespace".to_owned(),
        });
    }
    status
}
