//! Resource slices: devices that a driver offers (pkg/registry/resource/resourceslice,
//! pkg/apis/resource/validation/validation.go).

mod capacity;

use kindsmith_gostd::regexp::Regexp;
use kindsmith_json::{Arena, Value};
use kindsmith_object::meta::NameRule;
use kindsmith_object::{BadValue, FieldError, Gate};

use super::described::Described;
use super::device::{
    check_binding, check_label, check_pool, check_qualified, check_size, check_taint, check_unique,
};
use super::device_taint::stamp;
use crate::edit::{each, member};
use crate::field::{Errors, Field};
use crate::field_check::{entries, invalid, invalid_text, items, text, too_long};
use crate::go_value::internal;
use crate::go_value::json::is_same;
use crate::part::node_selector::{LabelValues, validate_node_selector};
use crate::table::{Heading, Row, Table, column};
use crate::{Change, DecodedObject, Names, Preparation, Strategy};

#[derive(Debug)]
pub(crate) struct ResourceSlice;

const DEVICES: usize = 128;
/// The most devices if some of them have taints or consume counters.
const RICH_DEVICES: usize = 64;
const TAINTS: usize = 16;
const PROPERTIES: usize = 32;
const VALUE: i64 = 64;

/// Where the devices of a slice are.
const PLACES: [&str; 4] = ["nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection"];

/// Lists of values, which are behind a gate that is off.
const LISTS: [&str; 4] = ["bools", "ints", "strings", "versions"];

impl Strategy for ResourceSlice {
    fn table(&self, _: &Names) -> Table {
        Table {
            headings: HEADINGS,
            cells,
        }
    }

    /// The gate is off.
    fn gates(&self) -> &'static [Gate] {
        &[Gate::DRAPartitionableDevicesType]
    }

    fn selectable_fields(&self, _: &Names) -> Option<&'static [&'static str]> {
        Some(&["metadata.name", "spec.driver", "spec.nodeName", "spec.pool.name"])
    }

    fn not_selectable(&self, field: &str) -> String {
        format!("field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: {field}")
    }

    fn default_written<'a>(&self, arena: &'a Arena, object: Value<'a>, now: &'a str) -> Value<'a> {
        let mut object = object;
        member(arena, &mut object, &["spec"], |spec| {
            let mut spec = spec;
            each(arena, &mut spec, "devices", |device| {
                let mut device = device;
                each(arena, &mut device, "taints", |taint| stamp(arena, taint, now));
                Some(device)
            });
            spec
        });
        object
    }

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, draft: &mut DecodedObject<'a>) {
        let arena = preparation.arena;
        let mut object = draft.value();
        member(arena, &mut object, &["spec"], |spec| {
            let mut spec = spec;
            for key in ["partitionTypeAttribute", "skipNodeOperations"] {
                spec.unset(arena, &[key]);
            }
            each(arena, &mut spec, "devices", |device| {
                Some(prepare_device(arena, device))
            });
            spec
        });
        draft.object = object.as_object().unwrap_or(draft.object);
        Described::SPEC.prepare(preparation, draft);
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Errors) {
        change.validate_metadata(errors);
        let (spec, old) = (Field::root(change, "spec"), Field::old_root(change, "spec"));
        spec.child("driver").driver_name(errors);
        validate_pool(&spec.child("pool"), errors);
        if change.old.is_some() {
            let (pool, old_pool) = (spec.child("pool"), old.child("pool"));
            pool.child("name")
                .or_empty()
                .unchanged(&old_pool.child("name").or_empty(), errors);
            spec.child("driver")
                .or_empty()
                .unchanged(&old.child("driver").or_empty(), errors);
            spec.child("nodeName").unchanged(&old.child("nodeName"), errors);
        }
        validate_places(&spec, errors);
        validate_devices(&spec, &old, errors);
    }

    fn warnings(&self, change: &Change<'_>) -> Vec<String> {
        let driver = text(change.get(&["spec", "driver"]));
        if driver.to_lowercase() == driver {
            Vec::new()
        } else {
            vec![format!(
                "spec.driver: driver names should be lowercase; {} contains uppercase characters",
                kindsmith_gostd::quote::quote(driver)
            )]
        }
    }
}

/// Drops what gates that are off would allow.
fn prepare_device<'a>(arena: &'a Arena, device: Value<'a>) -> Value<'a> {
    let mut device = device;
    device.unset(arena, &["nodeAllocatableResources"]);
    device.unset(arena, &["nodeAllocatableResourceMappings"]);
    each(arena, &mut device, "consumesCounters", |counters| {
        let mut counters = counters;
        counters.unset(arena, &["compatibilityGroups"]).map(|_| counters)
    });
    member(arena, &mut device, &["attributes"], |attributes| {
        let mut changed = entries(Some(attributes));
        for (key, attribute) in entries(Some(attributes)) {
            let mut attribute = attribute;
            for list in LISTS {
                attribute.unset(arena, &[list]);
            }
            changed.insert(arena, key, attribute);
        }
        Value::Object(changed)
    });
    device
}

fn validate_pool(pool: &Field<'_, '_>, errors: &mut Errors) {
    check_pool(&pool.child("name"), errors);
    let (count, generation) = (pool.child("resourceSliceCount"), pool.child("generation"));
    if count.number() <= 0 {
        let bad = BadValue::Integer(count.number().into());
        errors.push(invalid(&count.path, bad, "must be greater than zero"));
    }
    if generation.number() < 0 {
        generation.invalid("must be greater than or equal to zero", errors);
    }
}

/// Exactly one place is named.
fn validate_places(spec: &Field<'_, '_>, errors: &mut Errors) {
    const ONE: &str =
        "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";
    let places = named_places(
        spec,
        &PLACES,
        "must be either unset or set to a non-empty string",
        errors,
    );
    let selector = spec.child("nodeSelector");
    let terms = selector.child("nodeSelectorTerms");
    if selector.is_set() && terms.len() != 1 {
        let shown = internal::shown_list(terms.release, "core/v1", "NodeSelectorTerm", terms.value);
        errors.push(invalid(
            &terms.path,
            shown,
            "must have exactly one node selector term",
        ));
    }
    match places.len() {
        0 => spec.required(ONE, errors),
        1 => {}
        _ => {
            let shown = format!("{{{}}}", places.join(", "));
            let detail = format!("{ONE}, but multiple fields are set");
            errors.push(invalid_text(&spec.path, &shown, detail));
        }
    }
}

/// The places that are named, each checked.
fn named_places(field: &Field<'_, '_>, keys: &[&str], empty: &str, errors: &mut Errors) -> Vec<String> {
    let mut named = Vec::new();
    for &key in keys {
        let place = field.child(key);
        let is_named = match (place.is_set(), key) {
            (false, _) => continue,
            (true, "nodeName") if place.text().is_empty() => {
                place.invalid(empty, errors);
                false
            }
            (true, "nodeName") => {
                place.name(NameRule::Subdomain, errors);
                true
            }
            (true, "nodeSelector") => {
                validate_node_selector(&place, LabelValues::Checked, errors);
                true
            }
            (true, _) if !place.truth() => {
                place.invalid("must be either unset or set to true", errors);
                false
            }
            _ => true,
        };
        if is_named {
            named.push(format!("`{key}`"));
        }
    }
    named
}

fn validate_devices(spec: &Field<'_, '_>, old: &Field<'_, '_>, errors: &mut Errors) {
    let (devices, counters) = (spec.child("devices"), spec.child("sharedCounters"));
    if devices.is_set() && counters.is_set() {
        let detail = "only one of `sharedCounters` or `devices` is allowed";
        errors.push(invalid_text(&spec.path, "", detail));
    }
    let is_rich = devices
        .items()
        .any(|device| device.child("taints").len() > 0 || device.child("consumesCounters").len() > 0);
    let limit = if is_rich { RICH_DEVICES } else { DEVICES };
    if check_size(&devices, limit, errors) {
        let known = items(old.child("devices").value);
        for device in devices.items() {
            let name = device.child("name").text();
            let before = known.iter().find(|known| text(known.get("name")) == name);
            validate_device(&device, before.copied(), spec, errors);
        }
        check_unique(&devices, |device| device.child("name").text().to_owned(), errors);
    }
    validate_counters(&counters, errors);
}

fn validate_counters(counters: &Field<'_, '_>, errors: &mut Errors) {
    const SETS: usize = 8;
    if !check_size(counters, SETS, errors) {
        return;
    }
    for set in counters.items() {
        validate_counter_set(&set, "name", errors);
    }
    check_unique(counters, |set| set.child("name").text().to_owned(), errors);
}

fn validate_counter_set(set: &Field<'_, '_>, key: &str, errors: &mut Errors) {
    const COUNTERS: usize = 32;
    short_names(errors, |errors| {
        set.child(key).required_name(NameRule::Label, errors);
    });
    let counters = set.child("counters");
    let number = counters.entries().count();
    if number == 0 {
        counters.required("", errors);
    } else if number > COUNTERS {
        errors.push(FieldError::new(
            kindsmith_object::ErrorKind::TooMany,
            counters.path.to_owned(),
            BadValue::Integer(number as i128),
            kindsmith_object::Detail::AtMostItems(COUNTERS as i64),
        ));
    } else {
        short_names(errors, |errors| {
            for (name, _) in counters.entries() {
                NameRule::Label.validate(name, &counters.path, errors);
            }
        });
    }
}

/// Checks names. What the tag finds in other words, it alone tells (`MarkCoveredByDeclarative`).
fn short_names(errors: &mut Errors, check: impl FnOnce(&mut Errors)) {
    let before = errors.len();
    check(errors);
    let found = errors[before..].iter_mut();
    for error in found.filter(|error| error.kind == kindsmith_object::ErrorKind::Invalid) {
        error.origin = "format=k8s-short-name".into();
    }
}

fn validate_device(
    device: &Field<'_, '_>,
    old: Option<Value<'_>>,
    spec: &Field<'_, '_>,
    errors: &mut Errors,
) {
    const CONSUMED: usize = 2;
    check_label(&device.child("name"), errors);
    let (attributes, amounts) = (device.child("attributes"), device.child("capacity"));
    let number = attributes.entries().count() + amounts.entries().count();
    if number > PROPERTIES {
        let bad = BadValue::Integer(number as i128);
        let detail = format!("the total number of attributes and capacities must not exceed {PROPERTIES}");
        errors.push(invalid(&device.path, bad, detail));
    }
    for (name, attribute) in attributes.entries() {
        check_qualified(name, &attributes, errors);
        validate_attribute(&attribute, errors);
    }
    let is_same = |key: &str| old.is_some_and(|old| is_same(old.get(key), device.child(key).value));
    if !is_same("capacity") {
        for (name, amount) in amounts.entries() {
            check_qualified(name, &amounts, errors);
            capacity::validate(&amount, device.child("allowMultipleAllocations").truth(), errors);
        }
    }
    let taints = device.child("taints");
    if !is_same("taints") && check_size(&taints, TAINTS, errors) {
        taints.items().for_each(|taint| check_taint(&taint, None, errors));
    }
    let consumed = device.child("consumesCounters");
    if check_size(&consumed, CONSUMED, errors) {
        for counters in consumed.items() {
            validate_counter_set(&counters, "counterSet", errors);
        }
        check_unique(&consumed, |set| set.child("counterSet").text().to_owned(), errors);
    }
    validate_device_places(device, spec.child("perDeviceNodeSelection").truth(), errors);
    check_binding(device, errors);
}

fn validate_device_places(device: &Field<'_, '_>, is_asked: bool, errors: &mut Errors) {
    const ONE: &str = "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` \
                       is set to true in the ResourceSlice spec";
    let keys = &PLACES[..3];
    if !is_asked {
        if keys.iter().any(|key| device.child(key).is_set()) {
            let detail = "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to \
                          true in the ResourceSlice spec";
            errors.push(invalid(&device.path, BadValue::Nil, detail));
        }
        return;
    }
    let places = named_places(device, keys, "must not be empty", errors);
    match places.len() {
        0 => device.required(ONE, errors),
        1 => {}
        _ => {
            let shown = format!("{{{}}}", places.join(", "));
            errors.push(invalid_text(&device.path, &shown, ONE));
        }
    }
}

/// Versions as semver.org has them.
const VERSION: &str = r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$";

fn validate_attribute(attribute: &Field<'_, '_>, errors: &mut Errors) {
    let (word, version) = (attribute.child("string"), attribute.child("version"));
    if word.text().len() as i64 > VALUE {
        errors.push(too_long(&word.path, VALUE));
    }
    if version.is_set() {
        let is_right = Regexp::new(VERSION).is_ok_and(|pattern| pattern.is_match(version.text()));
        if !is_right {
            version.invalid("must be a string compatible with semver.org spec 2.0.0", errors);
        }
        if version.text().len() as i64 > VALUE {
            errors.push(too_long(&version.path, VALUE));
        }
    }
}

const HEADINGS: &[Heading] = &[
    column::NAME,
    column::text("Node", "resource/v1.ResourceSliceSpec.nodeName"),
    column::text("Driver", "resource/v1.ResourceSliceSpec.driver"),
    column::text("Pool", "resource/v1.ResourceSliceSpec.pool"),
    column::AGE,
];

fn cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    vec![
        row.name(),
        Value::Str(row.text("spec.nodeName")),
        Value::Str(row.text("spec.driver")),
        Value::Str(row.text("spec.pool.name")),
        row.age(),
    ]
}
