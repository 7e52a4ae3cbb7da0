//! Validation of storage classes, volume attributes classes and storage capacities beyond tags
//! (pkg/apis/storage/validation/validation.go).

use std::collections::{BTreeMap, BTreeSet, HashSet};

use kindsmith_object::meta::NameRule;

use super::described::Described;
use crate::Change;
use crate::field::{Errors, Field};
use crate::field_check::{duplicate, invalid_text, too_long};
use crate::part::node_label::deprecation;
use crate::part::resource_name::check_not_negative;
use crate::table::{Heading, Row, Table, column};
use crate::types::words;
use kindsmith_json::Value;

pub(crate) const STORAGE_CLASS: Described = Described {
    short_names: &["sc"],
    is_checked_anew: true,
    rules: validate_storage_class,
    warns: storage_class_warnings,
    table: Table {
        headings: STORAGE_CLASS_COLUMNS,
        cells: storage_class_cells,
    },
    ..Described::PLAIN
};

const STORAGE_CLASS_COLUMNS: &[Heading] = &[
    column::NAME,
    column::text("Provisioner", "storage/v1.StorageClass.provisioner"),
    column::text("ReclaimPolicy", "storage/v1.StorageClass.reclaimPolicy"),
    column::text("VolumeBindingMode", "storage/v1.StorageClass.volumeBindingMode"),
    column::text(
        "AllowVolumeExpansion",
        "storage/v1.StorageClass.allowVolumeExpansion",
    ),
    column::AGE,
];

pub(crate) const VOLUME_ATTRIBUTES_CLASS: Described = Described {
    short_names: &["vac"],
    rules: validate_attributes_class,
    table: Table {
        headings: VOLUME_ATTRIBUTES_CLASS_COLUMNS,
        cells: volume_attributes_class_cells,
    },
    ..Described::PLAIN
};

const VOLUME_ATTRIBUTES_CLASS_COLUMNS: &[Heading] = &[
    column::NAME,
    column::text("DriverName", "storage/v1.VolumeAttributesClass.driverName"),
    column::AGE,
];

pub(crate) const CSI_STORAGE_CAPACITY: Described = Described {
    is_checked_anew: true,
    allows_unconditional_update: false,
    rules: validate_storage_capacity,
    ..Described::PLAIN
};

/// Validates a storage class. Tags make it immutable.
pub(crate) fn validate_storage_class(change: &Change<'_>, errors: &mut Errors) {
    validate_driver(&Field::root(change, "provisioner"), errors);
    validate_parameters(&Field::root(change, "parameters"), errors);
    let reclaim = Field::root(change, "reclaimPolicy");
    if !reclaim.text().is_empty() {
        reclaim.one_of(&["Delete", "Retain"], errors);
    }
    let binding = Field::root(change, "volumeBindingMode");
    if binding.is_set() {
        binding.one_of(words("storage/v1.VolumeBindingMode"), errors);
    } else {
        binding.required("", errors);
    }
    validate_topologies(&Field::root(change, "allowedTopologies"), errors);
}

fn validate_driver(driver: &Field<'_, '_>, errors: &mut Errors) {
    let name = driver.text().to_lowercase();
    if name.is_empty() {
        return driver.required("", errors);
    }
    let lowered = Field {
        value: Some(kindsmith_json::Value::Str(&name)),
        path: driver.path,
        release: driver.release,
    };
    lowered.label_key(errors);
}

fn validate_parameters(parameters: &Field<'_, '_>, errors: &mut Errors) {
    const NUMBER: usize = 512;
    const SIZE: usize = 256 * 1024;
    let entries = crate::field_check::entries(parameters.value);
    if entries.len() > NUMBER {
        return errors.push(too_long(&parameters.path, NUMBER as i64));
    }
    let mut size = 0;
    for (key, value) in entries {
        if key.is_empty() {
            errors.push(invalid_text(&parameters.path, key, "field can not be empty."));
        }
        size += key.len() + value.as_str().unwrap_or_default().len();
    }
    if size > SIZE {
        errors.push(too_long(&parameters.path, SIZE as i64));
    }
}

fn validate_topologies(topologies: &Field<'_, '_>, errors: &mut Errors) {
    // The set starts with an empty term, so Kubernetes reports any term without expressions as a duplicate.
    let mut seen = HashSet::from([BTreeMap::new()]);
    for term in topologies.items() {
        let expressions = term.child("matchLabelExpressions");
        let mut keys: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for expression in expressions.items() {
            let (key, values) = (expression.child("key").or_empty(), expression.child("values"));
            if values.len() == 0 {
                values.required("", errors);
            }
            let mut known = BTreeSet::new();
            for value in values.items() {
                if !known.insert(value.text()) {
                    value.duplicate(errors);
                }
            }
            key.label_key(errors);
            if keys.insert(key.text(), known).is_some() {
                key.duplicate(errors);
            }
        }
        if !seen.insert(keys) {
            errors.push(duplicate(&expressions.path, ""));
        }
    }
}

/// Warns about deprecated node labels.
pub(crate) fn storage_class_warnings(change: &Change<'_>) -> Vec<String> {
    let mut warnings = Vec::new();
    for term in Field::root(change, "allowedTopologies").items() {
        for expression in term.child("matchLabelExpressions").items() {
            let key = expression.child("key");
            warnings.extend(deprecation(key.text()).map(|text| format!("{}: {text}", key.path)));
        }
    }
    warnings
}

/// Validates a volume attributes class, which is immutable.
pub(crate) fn validate_attributes_class(change: &Change<'_>, errors: &mut Errors) {
    let (driver, parameters) = (
        Field::root(change, "driverName"),
        Field::root(change, "parameters"),
    );
    if change.old.is_some() {
        if driver.text() != Field::old_root(change, "driverName").text() {
            driver.forbidden("updates to driverName are forbidden.", errors);
        }
        if !change.is_same("parameters") {
            parameters.forbidden("updates to parameters are forbidden.", errors);
        }
        change.validate_new_metadata(errors);
    }
    validate_driver(&driver, errors);
    validate_parameters(&parameters, errors);
    if parameters.entries().next().is_none() {
        parameters.required("must contain at least one key/value pair", errors);
    }
}

/// Validates a storage capacity.
pub(crate) fn validate_storage_capacity(change: &Change<'_>, errors: &mut Errors) {
    let (topology, class) = (
        Field::root(change, "nodeTopology"),
        Field::root(change, "storageClassName"),
    );
    if change.old.is_some() {
        if !change.is_same("nodeTopology") {
            topology.invalid("field is immutable", errors);
        }
        if class.text() != Field::old_root(change, "storageClassName").text() {
            class.or_empty().name(NameRule::Subdomain, errors);
            class.or_empty().invalid("field is immutable", errors);
        }
        return;
    }
    topology.selector(errors);
    class.or_empty().name(NameRule::Subdomain, errors);
    check_not_negative(&Field::root(change, "capacity"), errors);
}

/// The older annotation of the default class.
const BETA_DEFAULT: &str = "storageclass.beta.kubernetes.io/is-default-class";

fn storage_class_cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let notes = row.at("metadata.annotations");
    let is_default = ["storageclass.kubernetes.io/is-default-class", BETA_DEFAULT]
        .iter()
        .any(|key| notes.get(key) == Some(Value::Str("true")));
    let name = if is_default {
        row.cell(&format!("{} (default)", row.text("metadata.name")))
    } else {
        row.name()
    };
    let or = |path: &str, other: &'static str| match row.text(path) {
        "" => Value::Str(other),
        text => Value::Str(text),
    };
    vec![
        name,
        Value::Str(row.text("provisioner")),
        or("reclaimPolicy", "Delete"),
        or("volumeBindingMode", "Immediate"),
        row.truth("allowVolumeExpansion", false),
        row.age(),
    ]
}

fn volume_attributes_class_cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    vec![row.name(), Value::Str(row.text("driverName")), row.age()]
}
