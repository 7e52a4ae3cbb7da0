//! The author of a policy or binding must be allowed to read its parameters (`authorize` of the strategies in
//! pkg/registry/admissionregistration).

use kindsmith_json::{Path, Value};
use kindsmith_object::meta::group_version;
use kindsmith_object::{FieldError, store_key};
use kindsmith_request::{AdmissionRequest, Status};

use crate::access::is_master;
use crate::context::Call;
use crate::{Attributes, User, stored};

/// Checks the write of a policy or binding; all other writes pass.
pub(super) fn check(
    call: &Call<'_>,
    request: &AdmissionRequest<'_, '_>,
    object: Value<'_>,
) -> Result<(), Status> {
    let served = call.served;
    if *served.group != *"admissionregistration.k8s.io" || !request.subresource.is_empty() {
        return Ok(());
    }
    if is_master(call.request.user) {
        return Ok(());
    }
    let (field, refusal) = match &*served.plural {
        "validatingadmissionpolicies" | "mutatingadmissionpolicies" => {
            ("paramKind", of_policy(call, request.old, object)?)
        }
        "validatingadmissionpolicybindings" | "mutatingadmissionpolicybindings" => {
            ("paramRef", of_binding(call, request.old, object)?)
        }
        _ => return Ok(()),
    };
    let Some(why) = refusal else { return Ok(()) };
    let error = FieldError::forbidden(&Path::root("spec").child(field), why);
    let name = stored::name(object);
    Err(Status::invalid(&served.group, &served.kind, name, &[error]))
}

fn part<'v>(object: Value<'v>, key: &str) -> Option<Value<'v>> {
    let found = object.lookup(&["spec", key]);
    found.filter(|value| !value.is_null())
}

/// Why the user may not use the kind of a policy's parameters.
fn of_policy(call: &Call<'_>, old: Option<Value<'_>>, new: Value<'_>) -> Result<Option<String>, Status> {
    let Some(kind) = part(new, "paramKind") else {
        return Ok(None);
    };
    if old.and_then(|old| part(old, "paramKind")) == Some(kind) {
        return Ok(None);
    }
    let (api_version, name) = (kind.text("apiVersion"), kind.text("kind"));
    let target = Target::of_kind(call, api_version, name);
    let is_allowed = target.allows(call, "get", ("*", "*"))?;
    Ok((!is_allowed).then(|| {
        format!(
            "user {} must have \"get\" permission on all objects of the referenced paramKind (kind={name}, \
             apiVersion={api_version})",
            shown(call.request.user)
        )
    }))
}

/// Why the user may not use the parameters of a binding.
fn of_binding(call: &Call<'_>, old: Option<Value<'_>>, new: Value<'_>) -> Result<Option<String>, Status> {
    let Some(reference) = part(new, "paramRef") else {
        return Ok(None);
    };
    let is_same = |old: Value<'_>| {
        part(old, "paramRef") == Some(reference) && part(old, "policyName") == part(new, "policyName")
    };
    if old.is_some_and(is_same) {
        return Ok(None);
    }
    let arena = kindsmith_json::Arena::new();
    let name = part(new, "policyName")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let is_mutating = call.served.plural.starts_with("mutating");
    let policies = if is_mutating {
        store_key::MUTATING_POLICIES
    } else {
        store_key::VALIDATING_POLICIES
    };
    let key = policies.key("", name);
    let entry = call.store.get(key.as_bytes(), None).map_err(stored::failure)?;
    let policy = entry
        .as_ref()
        .map(|entry| stored::copy(&arena, entry))
        .transpose()?;
    let kind = policy.and_then(|policy| part(policy, "paramKind"));
    let target = match kind {
        Some(kind) => Target::of_kind(call, kind.text("apiVersion"), kind.text("kind")),
        None => Target::default(),
    };
    let verb = match reference.text("name") {
        "" => "list",
        _ => "get",
    };
    let place = (reference.text("namespace"), reference.text("name"));
    if target.allows(call, verb, place)? {
        return Ok(None);
    }
    let user = shown(call.request.user);
    let everywhere =
        format!("user {user} does not have \"{verb}\" permission for all groups, versions and resources");
    Ok(Some(match kind {
        _ if policy.is_none() => {
            format!("unable to get policy {name} to determine minimum required permissions and {everywhere}")
        }
        Some(kind) if target.resource.is_none() => {
            let kind = format!("&{{{} {}}}", kind.text("apiVersion"), kind.text("kind"));
            format!(
                "unable to resolve paramKind {kind} to determine minimum required permissions and {everywhere}"
            )
        }
        // The reference swaps the two for mutating policies.
        _ if is_mutating => {
            format!("user {verb} does not have \"{user}\" permission on the object referenced by paramRef")
        }
        _ => format!("user {user} does not have \"{verb}\" permission on the object referenced by paramRef"),
    }))
}

/// What is to be read; all of it where it is not known.
#[derive(Default)]
struct Target {
    group: Option<String>,
    resource: Option<String>,
}

impl Target {
    fn of_kind(call: &Call<'_>, api_version: &str, kind: &str) -> Self {
        let Some((group, version)) = group_version(api_version) else {
            return Target::default();
        };
        let catalog = call.core.catalog();
        let found = catalog.of_kind(group, version, kind);
        Target {
            group: Some(group.to_owned()),
            resource: found.map(|served| served.plural.to_string()),
        }
    }

    fn allows(&self, call: &Call<'_>, verb: &str, (namespace, name): (&str, &str)) -> Result<bool, Status> {
        let decision = call.core.access.authorize(&Attributes {
            user: call.request.user,
            verb,
            is_resource: true,
            namespace,
            group: self.group.as_deref().unwrap_or("*"),
            resource: self.resource.as_deref().unwrap_or("*"),
            subresource: "",
            name,
            path: "",
        });
        Ok(decision.map_err(stored::failure)?.is_allowed)
    }
}

/// A user as Go prints it.
fn shown(user: &User) -> String {
    let mut extra: Vec<String> = user
        .extra
        .iter()
        .map(|(key, values)| format!("{key}:[{}]", values.join(" ")))
        .collect();
    extra.sort_unstable();
    format!(
        "&{{{} {} [{}] map[{}]}}",
        user.name,
        user.uid,
        user.groups.join(" "),
        extra.join(" ")
    )
}
