//! `OwnerReferencesPermissionEnforcement`: who changes owners may delete the object, and who blocks the deletion of an owner
//! may set finalizers of that (plugin/pkg/admission/gc/gc_admission.go).

use kindsmith_cel::access::{Decision, Resource};
use kindsmith_json::Value;
use kindsmith_object::GroupVersion;
use kindsmith_object::meta::Scope;

use super::review::forbid;
use super::server::ask;
use super::{Refusal, Review};

pub(crate) fn validate<'a>(review: &Review<'_, 'a>, object: Value<'a>) -> Result<(), Refusal> {
    let request = review.request;
    // A binding cannot change owners.
    if review.is_of("", "pods", "status") {
        return Ok(());
    }
    let owners = |object: Value<'a>| object.list(&["metadata", "ownerReferences"]);
    let (old, new) = (request.old.map(owners).unwrap_or_default(), owners(object));
    if old == new {
        return Ok(());
    }
    if !review.is_create() {
        let resource = Resource {
            namespace: request.namespace.to_owned(),
            group: request.group.to_owned(),
            resource: request.resource.to_owned(),
            subresource: request.subresource.to_owned(),
            name: request.name.to_owned(),
        };
        let decision = ask(review.server.authorizer(), "delete", resource);
        if !decision.is_allowed {
            return forbid(format!(
                "cannot set an ownerRef on a resource you can't delete: {}, <nil>",
                decision.reason
            ));
        }
    }
    let blocks = |owner: &&Value<'a>| owner.get("blockOwnerDeletion") == Some(Value::Bool(true));
    let blocked_before = |owner: &&Value<'a>| {
        let mut same = old.iter().filter(|known| known.get("uid") == owner.get("uid"));
        same.any(|known| blocks(&known))
    };
    let added: Vec<Value<'a>> = new
        .iter()
        .filter(blocks)
        .filter(|owner| !blocked_before(owner))
        .copied()
        .collect();
    if added.is_empty() || may_finalize(review, ["", "*", "*", "*"]).is_allowed {
        return Ok(());
    }
    added.into_iter().try_for_each(|owner| check_owner(review, owner))
}

/// May the user set finalizers of an owner?
fn check_owner(review: &Review<'_, '_>, owner: Value<'_>) -> Result<(), Refusal> {
    let (api_version, kind) = (owner.text("apiVersion"), owner.text("kind"));
    let Some(served) = review.server.resource(api_version, kind) else {
        let asked = GroupVersion::parse(api_version)
            .unwrap_or_default()
            .with_kind(kind);
        let (shown, version) = (asked.group_kind(), asked.version);
        return forbid(format!(
            "cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion {api_version} Kind \
             {kind}: no matches for kind \"{shown}\" in version \"{version}\""
        ));
    };
    let namespace = match served.scope {
        Scope::Namespaced => review.request.namespace,
        Scope::Cluster => "",
    };
    let name = owner.text("name");
    let decision = may_finalize(review, [namespace, &served.group, &served.resource, name]);
    if decision.is_allowed {
        return Ok(());
    }
    forbid(format!(
        "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: {}, <nil>",
        decision.reason
    ))
}

/// Whether the user may update the finalizers of an object.
fn may_finalize(review: &Review<'_, '_>, [namespace, group, resource, name]: [&str; 4]) -> Decision {
    let resource = Resource {
        namespace: namespace.to_owned(),
        group: group.to_owned(),
        resource: resource.to_owned(),
        subresource: "finalizers".to_owned(),
        name: name.to_owned(),
    };
    ask(review.server.authorizer(), "update", resource)
}
