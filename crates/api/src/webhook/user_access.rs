//! What the user of a call may do, and namespaces, for plugins, policies and webhooks.

use kindsmith_admission::access::{Authorizer, Decision, Question, Subject, Target};
use kindsmith_json::{Arena, Value};
use kindsmith_object::store_key;
use kindsmith_object::well_known::user;
use kindsmith_request::Status;
use kindsmith_store::Entry;

use crate::context::Call;
use crate::{Attributes, User, access, stored};

/// Decides what the user of a call may do.
pub(crate) struct UserAccess<'c>(pub(crate) &'c Call<'c>);

impl Authorizer for UserAccess<'_> {
    fn authorize(&self, question: &Question, verb: &str) -> Decision {
        let account;
        let user = match &question.subject {
            Subject::User => self.0.request.user,
            Subject::ServiceAccount { namespace, name } => {
                account = service_account(namespace, name);
                &account
            }
        };
        let nothing = Attributes {
            user,
            verb,
            is_resource: true,
            namespace: "",
            group: "",
            resource: "",
            subresource: "",
            name: "",
            path: "",
        };
        let attributes = match &question.target {
            Target::Path(path) => Attributes {
                is_resource: false,
                path,
                ..nothing
            },
            Target::Resource(resource) => Attributes {
                namespace: &resource.namespace,
                group: &resource.group,
                resource: &resource.resource,
                subresource: &resource.subresource,
                name: &resource.name,
                ..nothing
            },
            Target::Anything | Target::Group(_) => nothing,
        };
        match self.0.core.access.authorize(&attributes) {
            Ok(decision) => Decision {
                is_allowed: decision.is_allowed,
                reason: decision.reason,
                error: String::new(),
            },
            Err(error) => Decision {
                error: error.to_string(),
                ..Decision::default()
            },
        }
    }
}

fn service_account(namespace: &str, name: &str) -> User {
    User {
        name: user::service_account(namespace, name),
        groups: access::account_groups(namespace),
        ..User::default()
    }
}

/// A namespace; 404 if there is none.
pub(crate) fn namespace<'a>(call: &Call<'_>, arena: &'a Arena, name: &str) -> Result<Value<'a>, Status> {
    let entry = entry(call, name)?;
    let namespace = stored::copy(arena, &entry)?;
    Ok(stored::with_revision(arena, namespace, entry.modified))
}

/// Checks that there is a namespace; 404 if there is none.
pub(crate) fn check_namespace(call: &Call<'_>, name: &str) -> Result<(), Status> {
    entry(call, name).map(|_| ())
}

/// The phase of a namespace; 404 if there is no such namespace. The rest of it is not read.
pub(crate) fn phase<'a>(call: &Call<'_>, arena: &'a Arena, name: &str) -> Result<&'a str, Status> {
    let entry = entry(call, name)?;
    let status = match kindsmith_json::span(&entry.value, "status") {
        Some(span) => kindsmith_json::parse(arena, arena.alloc_slice_copy(&entry.value[span])).ok(),
        None => None,
    };
    match status.and_then(|status| status.lookup(&["phase"])) {
        Some(Value::Str(phase)) => Ok(phase),
        _ => Ok(stored::copy(arena, &entry)?.text(&["status", "phase"])),
    }
}

fn entry(call: &Call<'_>, name: &str) -> Result<Entry, Status> {
    let key = store_key::NAMESPACES.key("", name);
    let entry = stored::seen(call.store, key.as_bytes()).map_err(stored::failure)?;
    entry.ok_or_else(|| Status::not_found("", "namespaces", name))
}
