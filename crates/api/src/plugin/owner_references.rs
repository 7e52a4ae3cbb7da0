//! `OwnerReferencesPermissionEnforcement`: who changes owners may delete the object, and who blocks the deletion of an owner
//! may set finalizers of that (plugin/pkg/admission/gc/gc_admission.go).

use kindsmith_json::Value;
use kindsmith_object::meta::Scope;
use kindsmith_request::AdmissionOperation;

use super::{Refusal, Review, items, text};
use crate::{Attributes, Decision};

pub(super) fn validate<'a>(review: &Review<'_, '_, 'a>, object: Value<'a>) -> Result<(), Refusal> {
    let request = review.request;
    // A binding cannot change owners.
    if review.is_of("", "pods", "status") {
        return Ok(());
    }
    let owners = |object: Value<'a>| items(object.lookup(&["metadata", "ownerReferences"]));
    let (old, new) = (request.old.map(owners).unwrap_or_default(), owners(object));
    if old == new {
        return Ok(());
    }
    if request.operation != AdmissionOperation::Create {
        let decision = ask(review, |attributes| Attributes {
            verb: "delete",
            namespace: request.namespace,
            group: request.group,
            resource: request.resource,
            subresource: request.subresource,
            name: request.name,
            ..attributes
        });
        if !decision.is_allowed {
            return Err(Refusal::Forbidden(format!(
                "cannot set an ownerRef on a resource you can't delete: {}, <nil>",
                decision.reason
            )));
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
    let may_all = ask(review, |attributes| Attributes {
        group: "*",
        resource: "*",
        name: "*",
        ..attributes
    });
    if added.is_empty() || may_all.is_allowed {
        return Ok(());
    }
    added.into_iter().try_for_each(|owner| check_owner(review, owner))
}

/// May the user set finalizers of an owner?
fn check_owner(review: &Review<'_, '_, '_>, owner: Value<'_>) -> Result<(), Refusal> {
    let (api_version, kind) = (text(owner, &["apiVersion"]), text(owner, &["kind"]));
    let catalog = review.call.api.catalog();
    let mut served = catalog
        .served
        .iter()
        .filter(|served| served.api_version() == api_version && *served.kind == *kind);
    let Some(served) = served.next() else {
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        let shown = match group {
            "" => kind.to_owned(),
            group => format!("{kind}.{group}"),
        };
        return Err(Refusal::Forbidden(format!(
            "cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion {api_version} Kind \
             {kind}: no matches for kind \"{shown}\" in version \"{version}\""
        )));
    };
    let decision = ask(review, |attributes| Attributes {
        namespace: match served.scope {
            Scope::Namespaced => review.request.namespace,
            Scope::Cluster => "",
        },
        group: &served.group,
        resource: &served.plural,
        name: text(owner, &["name"]),
        ..attributes
    });
    match decision.is_allowed {
        true => Ok(()),
        false => Err(Refusal::Forbidden(format!(
            "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: {}, <nil>",
            decision.reason
        ))),
    }
}

/// Decides about an update of finalizers, or what `change` makes of that.
fn ask<'x>(review: &Review<'x, '_, '_>, change: impl FnOnce(Attributes<'x>) -> Attributes<'x>) -> Decision {
    let attributes = change(Attributes {
        user: review.call.request.user,
        verb: "update",
        is_resource: true,
        namespace: "",
        group: "",
        resource: "",
        subresource: "finalizers",
        name: "",
        path: "",
    });
    let asked = review.call.api.access.authorize(&attributes);
    asked.unwrap_or_default()
}
