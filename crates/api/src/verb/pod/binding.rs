//! `POST` of a binding: a pod gets its node (`BindingREST` in pkg/registry/core/pod/storage/storage.go).

use kindsmith_builtin::without_init_annotations;
use kindsmith_json::write::Order;
use kindsmith_json::{Arena, Path, Value};
use kindsmith_object::meta::NameRule;
use kindsmith_object::{FieldError, store_key};
use kindsmith_request::{Status, aggregate};
use kindsmith_store::{Entry, Error};

use super::{check_name, encoded, is_set, sent, with_condition};
use crate::context::Call;
use crate::response::status_response;
use crate::write::unstored_creation::UnstoredCreation;
use crate::{Response, environment, stored, write};

/// Puts the pod that a binding names onto a node.
pub(crate) fn create(call: &Call<'_>) -> Result<Response, Status> {
    let accepted = status_response::accepted(call)?;
    let arena = Arena::new();
    let kind = ("", "v1", "Binding");
    let (binding, options) = sent(call, &arena, kind)?;
    let creation = UnstoredCreation {
        kind,
        name: match call.info.path_name() {
            "" => binding.text(&["metadata", "name"]),
            name => name,
        },
        manager: &options.manager,
        is_dry_run: options.is_dry_run,
    };
    let (binding, ()) = write::admit::admit_creation(call, &arena, &creation, binding, |binding| {
        check_name(call, binding, "Binding")?;
        check(binding)?;
        Ok((binding, ()))
    })?;
    let name = binding.text(&["metadata", "name"]);
    call.key_of(name)?;
    let key = store_key::PODS.key(call.namespace(), name);
    let mut current = call.store.get(key.as_bytes(), None).map_err(stored::failure)?;
    loop {
        let entry = current.ok_or_else(|| Status::not_found("", "pods", name))?;
        let pod = stored::copy(&arena, &entry)?;
        check_free((name, &key), pod, &entry, binding)?;
        let now = environment::now(call.environment);
        let bound = bound(&arena, pod, binding, arena.alloc_str(&now));
        if options.is_dry_run {
            break;
        }
        match call
            .store
            .update(key.as_bytes(), stored::bytes(bound, Order::Kept), entry.modified)
        {
            Ok(_) => break,
            Err(Error::Conflict(now)) => current = now,
            Err(error) => return Err(stored::failure(error)),
        }
    }
    Ok(status_response::done(accepted, 201))
}

/// Faults of a binding are answered as if nobody had foreseen them.
fn check(binding: Value<'_>) -> Result<(), Status> {
    let (kind, name) = (
        binding.text(&["target", "kind"]),
        binding.text(&["target", "name"]),
    );
    let is_node = matches!(kind, "" | "Node");
    let target = Path::root("target");
    let mut errors = Vec::new();
    if !is_node {
        errors.push(FieldError::not_supported(
            &target.child("kind"),
            kind,
            &["Node", "<empty>"],
        ));
    }
    if name.is_empty() {
        errors.push(FieldError::required(&target.child("name"), ""));
    } else if is_node {
        NameRule::Subdomain.validate(name, &target.child("name"), &mut errors);
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(Status::unforeseen(aggregate(
            errors.iter().map(ToString::to_string),
        )))
    }
}

/// A pod can only be bound once, and not while it waits or goes.
fn check_free(
    (name, key): (&str, &str),
    pod: Value<'_>,
    entry: &Entry,
    binding: Value<'_>,
) -> Result<(), Status> {
    let node = pod.text(&["spec", "nodeName"]);
    let uid = binding.text(&["metadata", "uid"]);
    let version = binding.text(&["metadata", "resourceVersion"]);
    let gates = pod.lookup(&["spec", "schedulingGates"]).and_then(Value::as_array);
    let stored_uid = pod.text(&["metadata", "uid"]);
    let unmet = if !uid.is_empty() && uid != stored_uid {
        Some(("UID", uid, stored_uid.to_owned()))
    } else if !version.is_empty() && version != entry.modified.to_string() {
        Some(("ResourceVersion", version, entry.modified.to_string()))
    } else {
        None
    };
    if let Some((what, asked, found)) = unmet {
        // The words of the store, which nobody translates.
        let why = format!(
            "StorageError: invalid object, Code: 4, Key: {key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: \
             {what} in precondition: {asked}, {what} in object meta: {found}"
        );
        return Err(Status::conflict("", "pods", name, &why));
    }
    let why = if is_set(pod, &["metadata", "deletionTimestamp"]) {
        format!("pod {name} is being deleted, cannot be assigned to a host")
    } else if !node.is_empty() {
        let node = kindsmith_gostd::quote::quote(node);
        format!("pod {name} is already assigned to node {node}")
    } else if gates.is_some_and(|gates| !gates.is_empty()) {
        format!("pod {name} has non-empty .spec.schedulingGates")
    } else {
        return Ok(());
    };
    Err(Status::conflict("", "pods/binding", name, &why))
}

fn bound<'a>(arena: &'a Arena, pod: Value<'a>, binding: Value<'a>, now: &'a str) -> Value<'a> {
    let mut pod = pod;
    let node = binding.lookup(&["target", "name"]).unwrap_or_default();
    pod.set(arena, &["spec", "nodeName"], node);
    pod.unset(arena, &["status", "nominatedNodeName"]);
    for key in ["annotations", "labels"] {
        let added = binding
            .lookup(&["metadata", key])
            .and_then(Value::as_object)
            .unwrap_or_default();
        let added = match key {
            "annotations" => without_init_annotations(arena, added),
            _ => added,
        };
        for (name, value) in added {
            pod.set(arena, &["metadata", key, name], value);
        }
    }
    let condition = [
        ("type", Value::Str("PodScheduled")),
        ("status", Value::Str("True")),
        ("lastProbeTime", Value::Null),
    ];
    let pod = with_condition(arena, pod, &condition, now);
    encoded(arena, ("", "v1", "Pod"), pod)
}
