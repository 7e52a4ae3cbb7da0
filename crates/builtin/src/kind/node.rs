//! Nodes (pkg/registry/core/node/strategy.go, `ValidateNode` in pkg/apis/core/validation/validation.go).

mod report;

use std::borrow::Cow;

use std::collections::{BTreeSet, HashSet};

use kindsmith_gostd::cidr;
use kindsmith_json::{Arena, Value};
use kindsmith_object::{BadValue, Behavior, Detail, ErrorKind, FieldError, Gate};

use super::described::Described;
use crate::field::{Errors, Field};
use crate::field_check::{duplicate, items, text};
use crate::go_value::json::as_json;
use crate::go_value::json::is_same;
use crate::part::address::{check_cidr, cidr_warnings};
use crate::part::resource_name::check_amount;
use crate::table::{Heading, Row, Table, column, text_of};
use crate::types::declared;
use crate::{Change, DecodedObject, Names, Preparation, Strategy, Subresource};

#[derive(Debug)]
pub(crate) struct Node;

const PARTS: &[Subresource] = &[Subresource::proxy("NodeProxyOptions"), Subresource::STATUS];

/// Unlike for other kinds, the status is kept on create.
const FACTS: Described = Described {
    starts_at_one: false,
    watched: &[],
    ..Described::STATUS
};

impl Strategy for Node {
    fn selectable_fields(&self, _: &Names) -> Option<&'static [&'static str]> {
        Some(&["metadata.name", "spec.unschedulable"])
    }

    fn selectable_text<'a>(&self, field: &str, object: Value<'a>) -> Option<Cow<'a, str>> {
        let is_closed = object.lookup(&["spec", "unschedulable"]) == Some(Value::Bool(true));
        (field == "spec.unschedulable").then_some(if is_closed { "true" } else { "false" }.into())
    }

    fn table(&self, _: &Names) -> Table {
        Table {
            headings: HEADINGS,
            cells,
        }
    }

    fn short_names(&self) -> &'static [&'static str] {
        &["no"]
    }

    fn subresources(&self) -> &'static [Subresource] {
        PARTS
    }

    fn reset_fields(&self, part: &str) -> &'static [&'static [&'static str]] {
        FACTS.reset_fields(part)
    }

    fn gates(&self) -> &'static [Gate] {
        &[Gate::InPlacePodVerticalScalingSchedulerPreemption]
    }

    /// `podCIDR` is also the first of `podCIDRs` (`Convert_v1_NodeSpec_To_core_NodeSpec` in
    /// pkg/apis/core/v1/conversion.go, and back).
    fn default<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let mut object = object;
        let one = text(object.lookup(&["spec", "podCIDR"]));
        let first = items(object.lookup(&["spec", "podCIDRs"])).first().copied();
        let first = text(first);
        if !one.is_empty() && one != first {
            let list: &[Value<'a>] = arena.alloc_slice_copy(&[Value::Str(one)]);
            object.set(arena, &["spec", "podCIDRs"], Value::Array(list));
        } else if one.is_empty() && !first.is_empty() {
            object.set(arena, &["spec", "podCIDR"], Value::Str(first));
        }
        // All of a node can be used unless it says otherwise.
        let (all, usable) = (["status", "capacity"], ["status", "allocatable"]);
        if let Some(all) = object.lookup(&all).filter(|all| !all.is_null())
            && object.lookup(&usable).is_none_or(Value::is_null)
        {
            object.set(arena, &usable, all);
        }
        object
    }

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, draft: &mut DecodedObject<'a>) {
        drop_unused(preparation, draft);
        if preparation.old.is_some() {
            FACTS.prepare(preparation, draft);
        }
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Errors) {
        if change.old.is_some() && change.subresource.is_empty() {
            change.validate_new_metadata(errors);
        }
        change.validate_metadata(errors);
        report::validate_avoided(change, errors);
        let (spec, status) = (Field::root(change, "spec"), Field::root(change, "status"));
        validate_taints(change, &spec.child("taints"), errors);
        for key in ["capacity", "allocatable"] {
            let amounts = status.child(key);
            for (name, amount) in amounts.entries() {
                let amount = Field {
                    path: amounts.path.child(name),
                    value: amount.value,
                    release: change.release,
                };
                check_amount(name, &amount, errors);
            }
        }
        if change.subresource.is_empty() {
            report::validate_swap(&status, errors);
        }
        report::validate_features(&status.child("declaredFeatures"), errors);
        let ranges = spec.child("podCIDRs");
        match change.old {
            None => validate_ranges(&ranges, errors),
            Some(_) => validate_update(change, &spec, &status, errors),
        }
    }

    fn warnings(&self, change: &Change<'_>) -> Vec<String> {
        let mut warnings = Vec::new();
        let spec = Field::root(change, "spec");
        if spec.child("configSource").is_set() {
            warnings.push("spec.configSource: the feature is removed".to_owned());
        }
        if !spec.child("externalID").text().is_empty() {
            warnings
                .push("spec.externalID: this field is deprecated, and is unused by Kubernetes".to_owned());
        }
        if !change.release.enables(Gate::StrictIPCIDRValidation) {
            let ranges = spec.child("podCIDRs");
            warnings.extend(ranges.items().flat_map(|range| cidr_warnings(&range)));
        }
        warnings
    }
}

/// Drops what is not supported or behind a disabled gate, unless the stored node has it (`dropDisabledFields` in
/// pkg/registry/core/node/strategy.go).
fn drop_unused<'a>(preparation: &Preparation<'_, 'a>, draft: &mut DecodedObject<'a>) {
    let config: &[&str] = &["status", "config"];
    let own: [&[&str]; 2] = [&["spec", "configSource"], &["spec", "podPreemptionPolicy"]];
    let reported: [&[&str]; 2] = [config, &["status", "nodeInfo", "runningInUserNamespace"]];
    let dropped = if preparation.subresource == "status" {
        reported
    } else {
        own
    };
    let is_new = preparation.old.is_none();
    for path in dropped.into_iter().chain(is_new.then_some(config)) {
        if preparation.old.is_none_or(|old| old.get(path).is_none()) {
            draft.unset(preparation.arena, path);
        }
    }
}

/// Kubernetes reports taints below the metadata.
fn validate_taints(change: &Change<'_>, taints: &Field<'_, '_>, errors: &mut Errors) {
    let metadata = Field::root(change, "metadata");
    let taints = Field {
        path: metadata.path.child("taints"),
        value: taints.value,
        release: change.release,
    };
    let mut seen = HashSet::new();
    for taint in taints.items() {
        let (key, effect) = (taint.child("key").or_empty(), taint.child("effect"));
        key.label_key(errors);
        taint.child("value").or_empty().format("k8s-label-value", errors);
        match effect.text() {
            "" => effect.required("", errors),
            _ => effect.one_of(declared("core/v1.TaintEffect"), errors),
        }
        if !seen.insert((key.text(), effect.text())) {
            let show = |key: &str| as_json(taint.child(key).or_empty().value).to_json();
            let bad = format!(
                r#"{{"Key":{},"Value":{},"Effect":{},"TimeAdded":{}}}"#,
                show("key"),
                show("value"),
                show("effect"),
                as_json(taint.child("timeAdded").value).to_json()
            );
            errors.push(FieldError::new(
                ErrorKind::Duplicate,
                taint.path.to_owned(),
                BadValue::Json(bad.into()),
                Detail::Text("taints must be unique by key and effect pair".into()),
            ));
        }
    }
}

fn validate_ranges(ranges: &Field<'_, '_>, errors: &mut Errors) {
    for range in ranges.items() {
        check_cidr(&range, &[], errors);
    }
    if ranges.len() < 2 {
        return;
    }
    let mut families = HashSet::new();
    for (index, range) in ranges.items().enumerate() {
        let Some(prefix) = cidr::parse_sloppy(range.text()) else {
            let detail = format!(
                "invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[{index}]: <nil> (invalid CIDR \
                 address: {})",
                range.text()
            );
            errors.push(FieldError::new(
                ErrorKind::Internal,
                ranges.path.to_owned(),
                BadValue::Failure,
                Detail::Text(detail.into()),
            ));
            families.clear();
            break;
        };
        families.insert(prefix.ip().is_ipv6());
    }
    if families.len() < 2 || ranges.len() > 2 {
        ranges.invalid("may specify no more than one CIDR for each IP family", errors);
    }
}

fn validate_update(change: &Change<'_>, spec: &Field<'_, '_>, status: &Field<'_, '_>, errors: &mut Errors) {
    let old = Field::old_root(change, "spec");
    let mut seen = HashSet::new();
    for address in status.child("addresses").items() {
        let parts = ["type", "address"].map(|key| address.child(key).text());
        if !seen.insert(parts) {
            let show = |key: &str| as_json(address.child(key).or_empty().value).to_json();
            let bad = format!(r#"{{"Type":{},"Address":{}}}"#, show("type"), show("address"));
            errors.push(FieldError {
                bad: BadValue::Json(bad.into()),
                ..duplicate(&address.path, "")
            });
        }
    }
    let (ranges, before) = (spec.child("podCIDRs"), old.child("podCIDRs"));
    if !is_same(ranges.value, before.value) {
        validate_ranges(&ranges, errors);
    }
    if before.len() > 0 && !is_same(ranges.value, before.value) {
        let detail = "node updates may not change podCIDR except from \"\" to valid";
        ranges.forbidden(detail, errors);
    }
    let external = spec.child("externalID");
    if external.text() != old.child("externalID").text() {
        external.forbidden("may not be updated", errors);
    }
}

const HEADINGS: &[Heading] = &[
    column::NAME,
    column::text("Status", "core/v1.NodeStatus.conditions"),
    column::in_words("Roles", "Roles that labels name."),
    column::AGE,
    column::text("Version", "core/v1.NodeSystemInfo.kubeletVersion"),
    column::wide("Internal-IP", "core/v1.NodeStatus.addresses"),
    column::wide("External-IP", "core/v1.NodeStatus.addresses"),
    column::wide("OS-Image", "core/v1.NodeSystemInfo.osImage"),
    column::wide("Kernel-Version", "core/v1.NodeSystemInfo.kernelVersion"),
    column::wide(
        "Container-Runtime",
        "core/v1.NodeSystemInfo.containerRuntimeVersion",
    ),
];

fn cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let conditions = row.items("status.conditions").iter().copied();
    let ready = conditions
        .into_iter()
        .rfind(|condition| text_of(*condition, "type") == "Ready");
    let mut status = match ready.map(|condition| text_of(condition, "status")) {
        None => "Unknown".to_owned(),
        Some("True") => "Ready".to_owned(),
        Some(_) => "NotReady".to_owned(),
    };
    if row.at("spec.unschedulable") == Value::Bool(true) {
        status.push_str(",SchedulingDisabled");
    }
    let address = |kind: &str| {
        let addresses = row.items("status.addresses").iter().copied();
        let found = addresses
            .into_iter()
            .find(|address| text_of(*address, "type") == kind);
        Value::Str(found.map_or("<none>", |address| text_of(address, "address")))
    };
    let known = |key: &str| match row.text(&format!("status.nodeInfo.{key}")) {
        "" => "<unknown>",
        text => text,
    };
    let kernel = match row.text("status.nodeInfo.architecture") {
        architecture if architecture.is_empty() || !row.release.has(Behavior::NodeArchitectureShown) => {
            known("kernelVersion").to_owned()
        }
        architecture => format!("{} ({architecture})", known("kernelVersion")),
    };
    vec![
        row.name(),
        row.cell(&status),
        row.cell(&roles(row)),
        row.age(),
        Value::Str(row.text("status.nodeInfo.kubeletVersion")),
        address("InternalIP"),
        address("ExternalIP"),
        Value::Str(known("osImage")),
        row.cell(&kernel),
        Value::Str(known("containerRuntimeVersion")),
    ]
}

fn roles(row: &Row<'_>) -> String {
    let labels = row.at("metadata.labels").as_object().unwrap_or_default();
    let role = |(key, value): (&str, Value<'_>)| match key.strip_prefix("node-role.kubernetes.io/") {
        Some(role) => Some(role.to_owned()),
        None if key == "kubernetes.io/role" => value.as_str().map(str::to_owned),
        None => None,
    };
    let roles: BTreeSet<String> = labels
        .iter()
        .filter_map(role)
        .filter(|role| !role.is_empty())
        .collect();
    let roles: Vec<String> = roles.into_iter().collect();
    if roles.is_empty() {
        "<none>".to_owned()
    } else {
        roles.join(",")
    }
}
