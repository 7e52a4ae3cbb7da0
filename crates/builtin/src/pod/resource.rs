//! Resources of containers, and pod-level resources.

use std::collections::{BTreeMap, BTreeSet};

use kindsmith_formats::quantity::Quantity;
use kindsmith_json::{Arena, Value};
use kindsmith_object::{Gate, Release};

use super::claim;
use super::spec::Spec;
use crate::field::{Errors, Field};
use crate::field_check::{entries, invalid_text, items, not_supported, required, text};
use crate::part::resource_name::{
    allows_overcommit, check_amount, check_container_name, check_name, is_huge_page,
};

type CheckName = fn(&str, &Field<'_, '_>, &mut Errors);
/// Quantities by resource name.
type Amounts = BTreeMap<String, Quantity>;

/// Checks the resources of a container.
pub(super) fn check_container(resources: &Field<'_, '_>, claims: &BTreeSet<&str>, errors: &mut Errors) {
    let amounts = (resources.child("limits"), resources.child("requests"));
    check_amounts(resources, amounts, check_container_name, errors);
    claim::check_uses(&resources.child("claims"), claims, errors);
}

/// Checks the pod's overhead with the rules and paths of limits.
pub(super) fn check_overhead(overhead: &Field<'_, '_>, errors: &mut Errors) {
    let limits = overhead.at(overhead.path.child("limits"));
    let none = Field {
        path: overhead.path,
        value: None,
        release: overhead.release,
    };
    check_amounts(overhead, (limits, none), check_container_name, errors);
}

fn check_amounts(
    holder: &Field<'_, '_>,
    (limits, requests): (Field<'_, '_>, Field<'_, '_>),
    check_name: CheckName,
    errors: &mut Errors,
) {
    let (mut has_pages, mut has_compute) = (false, false);
    for (name, amount) in limits.entries().chain(requests.entries()) {
        check_name(name, &amount, errors);
        check_amount(name, &amount, errors);
        check_pages(name, &amount, errors);
        has_pages |= is_huge_page(name);
        has_compute |= matches!(name, "cpu" | "memory");
    }
    for (name, request) in requests.entries() {
        check_request(name, &request, (&limits, &requests), errors);
    }
    if has_pages && !has_compute {
        holder.forbidden("HugePages require cpu or memory", errors);
    }
}

/// Huge pages must be requested in whole pages.
fn check_pages(name: &str, amount: &Field<'_, '_>, errors: &mut Errors) {
    let Some(size) = name.strip_prefix("hugepages-") else {
        return;
    };
    let Some(quantity) = amount.quantity() else { return };
    let size = Quantity::parse(size).ok().and_then(|size| size.as_i64());
    let is_multiple = match (size, quantity.as_i64()) {
        (Some(size), Some(value)) if size > 0 => value % size == 0,
        _ => false,
    };
    if !is_multiple {
        let detail = format!("{quantity} is not positive integer multiple of {name}");
        errors.push(invalid_text(&amount.path, &quantity.to_string(), detail));
    }
}

fn check_request(
    name: &str,
    request: &Field<'_, '_>,
    (limits, requests): (&Field<'_, '_>, &Field<'_, '_>),
    errors: &mut Errors,
) {
    let limit = limits.child(name).quantity();
    let (Some(limit), Some(request)) = (limit, request.quantity()) else {
        if !allows_overcommit(name) {
            let detail = "Limit must be set for non overcommitable resources";
            errors.push(required(&limits.path, detail));
        }
        return;
    };
    let detail = if request != limit && !allows_overcommit(name) {
        format!("must be equal to {name} limit of {limit}")
    } else if request > limit {
        format!("must be less than or equal to {name} limit of {limit}")
    } else {
        return;
    };
    errors.push(invalid_text(&requests.path, &request.to_string(), detail));
}

/// Checks pod-level resources.
pub(super) fn check_pod_resources(spec: &Spec<'_, '_>, errors: &mut Errors) {
    let resources = spec.child("resources");
    if !resources.is_set() {
        return;
    }
    if spec.system() == "windows" {
        return resources.forbidden("may not be set for a windows pod", errors);
    }
    let claims = resources.child("claims");
    if claims.is_set() {
        claims.forbidden("claims may not be set for Resources at pod-level", errors);
    }
    let amounts = (resources.child("limits"), resources.child("requests"));
    check_amounts(&resources, amounts, check_pod_name, errors);
    claim::check_uses(&claims, &spec.claims, errors);
    check_sums(spec, &resources, errors);
}

fn is_for_pods(name: &str) -> bool {
    matches!(name, "cpu" | "memory") || is_huge_page(name)
}

fn check_pod_name(name: &str, amount: &Field<'_, '_>, errors: &mut Errors) {
    if check_name(name, amount, errors) && !is_for_pods(name) {
        let known = ["cpu", "hugepages-", "memory"];
        errors.push(not_supported(&amount.path, name, &known));
    }
}

/// The sum of the containers' requests (for huge pages also of their limits) must fit into the pod's, and each
/// container's limit into the pod's limit.
fn check_sums(spec: &Spec<'_, '_>, resources: &Field<'_, '_>, errors: &mut Errors) {
    let value = spec.field.value.unwrap_or_default();
    for (key, pages_only) in [("requests", false), ("limits", true)] {
        let whole = resources.child(key);
        for (name, sum) in sum(value, key) {
            let Some(amount) = whole.child(&name).quantity() else {
                continue;
            };
            if sum > amount && (!pages_only || is_huge_page(&name)) {
                let detail = format!("must be greater than or equal to aggregate container {key} of {sum}");
                errors.push(invalid_text(&whole.path.key(&name), &amount.to_string(), detail));
            }
        }
    }
    let limits = resources.child("limits");
    let containers = resources.path.child("containers");
    for (index, container) in spec.child("containers").items().enumerate() {
        let own = container.child("resources");
        for (name, amount) in own.child("limits").entries() {
            let (Some(most), Some(amount)) = (limits.child(name).quantity(), amount.quantity()) else {
                continue;
            };
            if amount > most {
                let detail = format!("must be less than or equal to pod limits of {most}");
                let place = containers.index(index);
                let path = place.key(name);
                errors.push(invalid_text(&path.child("limits"), &amount.to_string(), detail));
            }
        }
    }
}

/// What the containers of a pod need at once: the sum of those that run together, or more if an init container
/// needs more (`AggregateContainerRequests` in component-helpers' resource/helpers.go).
fn sum(spec: Value<'_>, key: &str) -> Amounts {
    let own = |container: &Value<'_>| -> Amounts {
        let found = entries(container.lookup(&["resources", key]));
        let parsed = found
            .iter()
            .filter_map(|(name, amount)| Some((name.to_owned(), Quantity::parse(amount.as_str()?).ok()?)));
        parsed.collect()
    };
    let mut all = Amounts::new();
    for container in items(spec.get("containers")) {
        add(&mut all, &own(container));
    }
    let (mut sidecars, mut most) = (Amounts::new(), Amounts::new());
    for container in items(spec.get("initContainers")) {
        let mut now = own(container);
        if text(container.get("restartPolicy")) == "Always" {
            add(&mut all, &now);
            add(&mut sidecars, &now);
            now.clone_from(&sidecars);
        } else {
            add(&mut now, &sidecars);
        }
        raise(&mut most, now);
    }
    raise(&mut all, most);
    all
}

fn add(to: &mut Amounts, more: &Amounts) {
    for (name, amount) in more {
        match to.get_mut(name) {
            Some(old) => *old = old.add(amount),
            None => {
                to.insert(name.clone(), amount.clone());
            }
        }
    }
}

fn raise(to: &mut Amounts, least: Amounts) {
    for (name, amount) in least {
        match to.get(&name) {
            Some(old) if *old >= amount => {}
            _ => {
                to.insert(name, amount);
            }
        }
    }
}

/// Defaults pod-level requests and limits if the pod has either
/// (`DefaultPodLevelResources` in pkg/api/pod/util.go; without its gate `defaultPodRequests` and
/// `defaultHugePagePodLimits` in pkg/apis/core/v1/defaults.go).
pub(crate) fn default_pod_resources<'a>(release: Release, arena: &'a Arena, spec: Value<'a>) -> Value<'a> {
    let mut requests = entries(spec.lookup(&["resources", "requests"]));
    let mut limits = entries(spec.lookup(&["resources", "limits"]));
    if requests.is_empty() && limits.is_empty() {
        return spec;
    }
    let quantity = |amount: &Quantity| Value::Str(arena.alloc_str(&amount.to_string()));
    for (name, amount) in sum(spec, "limits") {
        if is_huge_page(&name) && !limits.contains_key(&name) && !requests.contains_key(&name) {
            limits.insert(arena, arena.alloc_str(&name), quantity(&amount));
        }
    }
    let is_fixed = release.enables(Gate::PodLevelResourcesFixDefaulting);
    if is_fixed || !limits.is_empty() {
        for (name, amount) in sum(spec, "requests") {
            if !requests.contains_key(&name) && is_for_pods(&name) && allows_overcommit(&name) {
                requests.insert(arena, arena.alloc_str(&name), quantity(&amount));
            }
        }
    }
    for (name, amount) in limits {
        if !requests.contains_key(name) && is_for_pods(name) {
            requests.insert(arena, name, amount);
        }
    }
    if is_fixed {
        limit_all(arena, spec, requests, &mut limits);
    }
    let mut spec = spec;
    for (key, amounts) in [("requests", requests), ("limits", limits)] {
        if !amounts.is_empty() {
            spec.set(arena, &["resources", key], Value::Object(amounts));
        }
    }
    spec
}

/// The pod's limit defaults to the sum of its containers' limits, if all of them have one.
fn limit_all<'a>(
    arena: &'a Arena,
    spec: Value<'a>,
    requests: kindsmith_json::Object<'a>,
    limits: &mut kindsmith_json::Object<'a>,
) {
    let lists = [spec.get("containers"), spec.get("initContainers")];
    let all = || lists.iter().flat_map(|list| items(*list));
    let sums = sum(spec, "limits");
    for (name, request) in requests {
        let is_limited =
            |container: &Value<'_>| entries(container.lookup(&["resources", "limits"])).contains_key(name);
        let Some(sum) = sums.get(name) else { continue };
        if limits.contains_key(name) || !is_for_pods(name) || !all().all(is_limited) {
            continue;
        }
        let request = Quantity::parse(request.as_str().unwrap_or_default()).ok();
        let least = request.filter(|request| request > sum);
        let amount = least.as_ref().unwrap_or(sum).to_string();
        limits.insert(arena, name, Value::Str(arena.alloc_str(&amount)));
    }
}
