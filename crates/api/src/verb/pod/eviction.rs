//! `POST` of an eviction: a pod is deleted if its disruption budget allows it (`EvictionREST` in
//! pkg/registry/core/pod/storage/eviction.go).

use kindsmith_builtin::{find_own, selects};
use kindsmith_json::write::Order;
use kindsmith_json::{Arena, Path, Value};
use kindsmith_object::{FieldError, Release};
use kindsmith_request::{Cause, Details, Status};
use kindsmith_store::{Entry, Error, List};

use super::{check_name, encoded, is_set, sent, with_condition};
use crate::context::Call;
use crate::request::delete_options::DeleteOptions;
use crate::response::status_response;
use crate::verb::delete::{Asked, check_conditions, meta_of, remove};
use crate::write::managed_fields::Endpoint;
use crate::write::unstored_creation::UnstoredCreation;
use crate::{Response, environment, stored, write};

const REFUSED: &str = "Cannot evict pod as it would violate the pod's disruption budget.";
/// Evictions that the budget's controller need not have seen yet.
const UNCONFIRMED: usize = 2000;

/// Evicts the pod of the path.
pub(crate) fn create(call: &Call<'_>) -> Result<Response, Status> {
    let accepted = status_response::accepted(call)?;
    let arena = Arena::new();
    let kind = ("policy", "v1", "Eviction");
    let (eviction, options) = sent(call, &arena, kind)?;
    let name = call.info.path_name();
    let creation = UnstoredCreation {
        kind,
        name,
        manager: &options.manager,
        is_dry_run: options.is_dry_run,
    };
    let (_, mut deletion) = write::admit::admit_creation(call, &arena, &creation, eviction, |eviction| {
        check_name(call, eviction, "Eviction")?;
        Ok((eviction, deletion_of(name, eviction)?))
    })?;
    deletion.is_dry_run |= options.is_dry_run;
    evict(call, &arena, name, deletion.clone())?;
    call.wrote(deletion.is_dry_run, name, None);
    Ok(status_response::done(accepted, 201))
}

/// The delete options of an eviction.
fn deletion_of(name: &str, eviction: Value<'_>) -> Result<DeleteOptions, Status> {
    let Some(given) = eviction.get("deleteOptions").filter(|value| !value.is_null()) else {
        return Ok(DeleteOptions::default());
    };
    let key = "ignoreStoreReadErrorWithClusterBreakingPotential";
    if given.get(key) == Some(Value::Bool(true)) {
        let path = Path::root("deleteOptions");
        let detail = "can not be set for pod eviction, try after removing the option";
        let error = FieldError::invalid(&path.child(key), true, detail);
        return Err(Status::invalid("policy", "Eviction", name, &[error]));
    }
    DeleteOptions::of(given)
}

/// Deletes a pod if its budget allows it, after the pod says why it goes.
fn evict(call: &Call<'_>, arena: &Arena, name: &str, mut deletion: DeleteOptions) -> Result<(), Status> {
    let key = call.key_of(name)?;
    let entry = call.store.get(key.as_bytes(), None).map_err(stored::failure)?;
    let mut entry = entry.ok_or_else(|| call.not_found())?;
    let mut leave = leave(call, arena, stored::copy(arena, &entry)?, deletion.is_dry_run)?;
    while !deletion.is_dry_run {
        match mark(call, arena, &key, &entry, &deletion)? {
            Ok(revision) => {
                if !matches!(leave, Leave::Anyway) || deletion.resource_version.is_some() {
                    deletion.resource_version = Some(revision.to_string());
                }
                break;
            }
            Err(now) => entry = now.ok_or_else(|| call.not_found())?,
        }
        match &leave {
            Leave::Pending => {
                leave = self::leave(call, arena, stored::copy(arena, &entry)?, deletion.is_dry_run)?;
            }
            Leave::Unhealthy(budget) if deletion.resource_version.is_none() => {
                return Err(too_many(in_progress(budget), 10));
            }
            _ => {}
        }
    }
    // Webhooks were asked about the eviction, not about the deletion.
    remove(call, arena, name, &deletion, Asked::ByServer)?;
    Ok(())
}

/// Why a pod may go.
enum Leave {
    /// However it changes until then.
    Anyway,
    /// It has not started yet.
    Pending,
    /// It is not ready, so the budget with this name does not count it.
    Unhealthy(String),
}

fn leave(call: &Call<'_>, arena: &Arena, pod: Value<'_>, is_dry_run: bool) -> Result<Leave, Status> {
    let phase = pod.text(&["status", "phase"]);
    if matches!(phase, "Succeeded" | "Failed") || is_set(pod, &["metadata", "deletionTimestamp"]) {
        return Ok(Leave::Anyway);
    }
    match phase {
        "Pending" => Ok(Leave::Pending),
        _ => ask_budget(call, arena, pod, is_dry_run),
    }
}

/// Tries to write into a pod why it goes. The result is the new revision, or the state that is there instead.
fn mark(
    call: &Call<'_>,
    arena: &Arena,
    key: &str,
    entry: &Entry,
    deletion: &DeleteOptions,
) -> Result<Result<u64, Option<Entry>>, Status> {
    let pod = stored::copy(arena, entry)?;
    check_conditions(call, &meta_of(arena, pod)?, entry, deletion)?;
    let why = [
        ("type", Value::Str("DisruptionTarget")),
        ("status", Value::Str("True")),
        ("lastProbeTime", Value::Null),
        ("reason", Value::Str("EvictionByEvictionAPI")),
        ("message", Value::Str("Eviction API: evicting")),
    ];
    let now = environment::now(call.environment);
    let pod = with_condition(arena, pod, &why, arena.alloc_str(&now));
    let pod = encoded(arena, ("", "v1", "Pod"), pod);
    match call
        .store
        .update(key.as_bytes(), stored::bytes(pod, Order::Kept), entry.modified)
    {
        Ok(revision) => Ok(Ok(revision)),
        Err(Error::Conflict(now)) => Ok(Err(now)),
        Err(error) => Err(stored::failure(error)),
    }
}

/// Asks the budget of a pod for one disruption, and takes it.
fn ask_budget(call: &Call<'_>, arena: &Arena, pod: Value<'_>, is_dry_run: bool) -> Result<Leave, Status> {
    loop {
        let budgets = budgets(call, arena, pod)?;
        let (entry, budget) = match &*budgets {
            [] => return Ok(Leave::Anyway),
            [one] => one,
            _ => {
                return Err(Status::unforeseen(
                    "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
                ));
            }
        };
        if !is_ready(pod) && ignores_unhealthy(*budget) {
            return Ok(Leave::Unhealthy(stored::name(*budget).to_owned()));
        }
        check_budget(*budget)?;
        if is_dry_run {
            return Ok(Leave::Anyway);
        }
        let now = environment::now(call.environment);
        let taken = taken(call, arena, *budget, (stored::name(pod), arena.alloc_str(&now)));
        match call
            .store
            .update(&entry.key, stored::bytes(taken, Order::Kept), entry.modified)
        {
            Ok(_) => return Ok(Leave::Anyway),
            Err(Error::Conflict(_)) => {}
            Err(error) => return Err(stored::failure(error)),
        }
    }
}

/// The budgets that select a pod.
fn budgets<'a>(call: &Call<'_>, arena: &'a Arena, pod: Value<'_>) -> Result<Vec<(Entry, Value<'a>)>, Status> {
    let Some(kind) = find_own(Release::NEWEST, "policy", "v1", "PodDisruptionBudget") else {
        return Ok(Vec::new());
    };
    let prefix = kind.key_prefix().within(call.namespace());
    let page = call.store.list(&List::of(prefix.as_bytes()));
    let labels = pod
        .lookup(&["metadata", "labels"])
        .and_then(Value::as_object)
        .unwrap_or_default();
    let mut found = Vec::new();
    for entry in page.map_err(stored::failure)?.entries {
        let budget = stored::copy(arena, &entry)?;
        let selector = budget.lookup(&["spec", "selector"]);
        if selector.is_some_and(|selector| !selector.is_null() && selects(selector, labels)) {
            found.push((entry, budget));
        }
    }
    Ok(found)
}

fn conditions(object: Value<'_>) -> &[Value<'_>] {
    let found = object.lookup(&["status", "conditions"]);
    found.and_then(Value::as_array).unwrap_or_default()
}

fn is_ready(pod: Value<'_>) -> bool {
    let is_true =
        |condition: &Value<'_>| condition.text("type") == "Ready" && condition.text("status") == "True";
    conditions(pod).iter().any(is_true)
}

/// A pod that is not ready can go if enough others are, or if the budget does not care about such pods.
fn ignores_unhealthy(budget: Value<'_>) -> bool {
    let (healthy, desired) = (
        budget.integer(&["status", "currentHealthy"]),
        budget.integer(&["status", "desiredHealthy"]),
    );
    budget.text(&["spec", "unhealthyPodEvictionPolicy"]) == "AlwaysAllow"
        || (healthy >= desired && desired > 0)
}

fn in_progress(budget: &str) -> String {
    format!("The disruption budget {budget} is still being processed by the server.")
}

fn check_budget(budget: Value<'_>) -> Result<(), Status> {
    let name = stored::name(budget);
    let allowed = budget.integer(&["status", "disruptionsAllowed"]);
    let disrupted = budget
        .lookup(&["status", "disruptedPods"])
        .and_then(Value::as_object);
    if budget.integer(&["status", "observedGeneration"]) < budget.integer(&["metadata", "generation"]) {
        return Err(too_many(in_progress(name), 10));
    }
    if allowed < 0 {
        let why = "pdb disruptions allowed is negative";
        return Err(forbidden(name, why, why));
    }
    if disrupted.is_some_and(|pods| pods.len() > UNCONFIRMED) {
        return Err(forbidden(
            name,
            "DisruptedPods map too big - too many evictions not confirmed by PDB controller",
            "too many pending evictions not confirmed by PDB controller",
        ));
    }
    match allowed {
        0 => Err(too_many(exhausted(budget, name), 0)),
        _ => Ok(()),
    }
}

/// Why a budget allows nothing at the moment.
fn exhausted(budget: Value<'_>, name: &str) -> String {
    let (healthy, desired) = (
        budget.integer(&["status", "currentHealthy"]),
        budget.integer(&["status", "desiredHealthy"]),
    );
    let condition = conditions(budget).iter().find(|condition| {
        condition.text("type") == "DisruptionAllowed"
            && condition.text("status") == "False"
            && !condition.text("message").is_empty()
    });
    let said = condition.map(|condition| (condition.text("reason"), condition.text("message")));
    match said {
        Some(("SyncFailed", message)) => format!(
            "The disruption budget {name} does not allow evicting pods currently because it failed sync: {message}"
        ),
        _ if healthy <= desired => {
            format!("The disruption budget {name} needs {desired} healthy pods and has {healthy} currently")
        }
        Some((reason, message)) => {
            format!(
                "The disruption budget {name} does not allow evicting pods currently ({reason}): {message}"
            )
        }
        None => format!("The disruption budget {name} does not allow evicting pods currently"),
    }
}

fn cause(message: String) -> Cause {
    Cause {
        reason: "DisruptionBudget".into(),
        message,
        field: String::new(),
    }
}

fn too_many(why: String, retry_after_seconds: u32) -> Status {
    Status {
        code: 429,
        reason: "TooManyRequests".into(),
        message: REFUSED.to_owned(),
        details: Some(Box::new(Details {
            causes: vec![cause(why)],
            retry_after_seconds,
            ..Details::default()
        })),
    }
}

fn forbidden(name: &str, why: &str, cause_why: &str) -> Status {
    let mut status = Status::forbidden("policy", "poddisruptionbudget", name, why);
    let message = format!("The disruption budget {name} does not allow evicting pods currently: {cause_why}");
    if let Some(details) = &mut status.details {
        details.causes.push(cause(message));
    }
    status
}

/// The budget with one disruption less, and the pod that it was for. The server is the manager of what it changes.
fn taken<'a>(call: &Call<'_>, arena: &'a Arena, before: Value<'a>, (pod, now): (&str, &'a str)) -> Value<'a> {
    let mut budget = before;
    let allowed = budget.integer(&["status", "disruptionsAllowed"]) - 1;
    budget.set(arena, &["status", "disruptionsAllowed"], Value::from(allowed));
    let path = ["status", "disruptedPods", arena.alloc_str(pod)];
    budget.set(arena, &path, Value::Str(now));
    if allowed == 0 {
        let observed = budget.integer(&["status", "observedGeneration"]);
        let condition = [
            ("type", Value::Str("DisruptionAllowed")),
            ("status", Value::Str("False")),
            ("observedGeneration", Value::Int(observed)),
            ("reason", Value::Str("InsufficientPods")),
            ("message", Value::Str("")),
        ];
        budget = with_condition(arena, budget, &condition, now);
    }
    let budget = encoded(arena, ("policy", "v1", "PodDisruptionBudget"), budget);
    let catalog = call.core.catalog();
    match catalog.find("policy", "v1", "poddisruptionbudgets") {
        Some(served) => {
            let endpoint = Endpoint::new(served, "status");
            endpoint
                .manager()
                .update(arena, before, budget, "kube-apiserver", now)
        }
        None => budget,
    }
}
