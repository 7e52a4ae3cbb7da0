//! Validation of CSI nodes and volume attachments beyond tags (pkg/apis/storage/validation/validation.go).

use std::collections::HashSet;

use kindsmith_json::Value;
use kindsmith_object::meta::NameRule;
use kindsmith_object::{BadValue, Behavior, Gate};

use super::described::{Described, StatusPart};
use super::persistent_volume::validate_inline;
use crate::Change;
use crate::field::{Errors, Field};
use crate::field_check::{duplicate, immutable, invalid, required, too_long};
use crate::go_value::json::as_json;
use crate::table::{Description, Heading, Row, Table, column};

pub(crate) const CSI_NODE: Described = Described {
    status: StatusPart::Alone,
    starts_at_one: false,
    watched: &[],
    allows_unconditional_update: false,
    rules: validate_csi_node,
    table: Table {
        headings: CSI_NODE_COLUMNS,
        cells: csi_node_cells,
    },
    ..Described::STATUS
};

const CSI_NODE_COLUMNS: &[Heading] = &[
    column::NAME,
    column::count("Drivers", "storage/v1.CSINodeSpec.drivers"),
    column::AGE,
];

pub(crate) const VOLUME_ATTACHMENT: Described = Described {
    status: StatusPart::Alone,
    starts_at_one: false,
    watched: &[],
    allows_unconditional_update: false,
    rules: validate_volume_attachment,
    table: Table {
        headings: VOLUME_ATTACHMENT_COLUMNS,
        cells: volume_attachment_cells,
    },
    ..Described::STATUS
};

const VOLUME_ATTACHMENT_COLUMNS: &[Heading] = &[
    column::NAME,
    (
        "Attacher",
        "string",
        "name",
        0,
        Description::Field("storage/v1.VolumeAttachmentSpec.attacher"),
    ),
    column::text("PV", "storage/v1.VolumeAttachmentSource.persistentVolumeName"),
    column::text("Node", "storage/v1.VolumeAttachmentSpec.nodeName"),
    column::truth("Attached", "storage/v1.VolumeAttachmentStatus.attached"),
    column::AGE,
];

/// Validates the drivers of a node. Existing drivers may only change their `allocatable`.
pub(crate) fn validate_csi_node(change: &Change<'_>, errors: &mut Errors) {
    if change.subresource == "status" {
        return;
    }
    if change.old.is_some() {
        change.validate_new_metadata(errors);
    }
    let spec = Field::root(change, "spec");
    let drivers = spec.child("drivers");
    let mut names = HashSet::new();
    for driver in drivers.items() {
        validate_driver(&driver, errors);
        let name = driver.child("name");
        if !names.insert(name.text()) {
            name.duplicate(errors);
        }
    }
    let old = Field::old_root(change, "spec");
    for old in old.child("drivers").items() {
        for driver in drivers.items() {
            let is_same = driver.child("name").text() == old.child("name").text();
            if is_same && internal(&driver) != internal(&old) {
                immutable(&drivers.path, BadValue::Json(internal(&driver).into()), errors);
            }
        }
    }
}

fn validate_driver(driver: &Field<'_, '_>, errors: &mut Errors) {
    const LIMIT: usize = 256;
    driver.child("name").driver_name(errors);
    let id = driver.child("nodeID");
    if id.text().is_empty() {
        id.required("", errors);
    }
    if id.text().len() > LIMIT {
        id.invalid(format!("must be {LIMIT} characters or less"), errors);
    }
    driver.child("allocatable").child("count").not_negative(errors);
    // Errors in keys are reported on the driver.
    let mut keys = HashSet::new();
    for key in driver.child("topologyKeys").items() {
        if key.text().is_empty() {
            errors.push(required(&driver.path, ""));
        }
        if !keys.insert(key.text()) {
            errors.push(duplicate(&driver.path, key.text()));
        }
        let key = Field {
            path: driver.path,
            value: Some(Value::Str(key.text())),
            release: driver.release,
        };
        key.label_key(errors);
    }
}

/// A driver as Go prints its internal type, without what may change.
fn internal(driver: &Field<'_, '_>) -> String {
    let show = |key: &str| as_json(driver.child(key).value).to_json();
    let allocatable = driver.child("allocatable");
    let is_fixed = !driver.release.enables(Gate::MutableCSINodeAllocatableCount) && allocatable.is_set();
    let allocatable = if is_fixed {
        let count = as_json(allocatable.child("count").value).to_json();
        format!(r#"{{"Count":{count}}}"#)
    } else {
        "null".to_owned()
    };
    format!(
        r#"{{"Name":{},"NodeID":{},"TopologyKeys":{},"Allocatable":{allocatable}}}"#,
        show("name"),
        show("nodeID"),
        show("topologyKeys")
    )
}

/// Validates an attachment. A tag makes the spec immutable.
pub(crate) fn validate_volume_attachment(change: &Change<'_>, errors: &mut Errors) {
    if change.old.is_some() {
        change.validate_new_metadata(errors);
    }
    let spec = Field::root(change, "spec");
    if change.old.is_some() && !spec.release.has(Behavior::EmptyDriverNameOnce) {
        spec.required_members(&["attacher"], errors);
    } else {
        spec.child("attacher").driver_name(errors);
    }
    let source = spec.child("source");
    validate_source(&source, errors);
    spec.child("nodeName")
        .or_empty()
        .name(NameRule::Subdomain, errors);
    validate_attachment_status(&Field::root(change, "status"), errors);
    let volume = source.child("persistentVolumeName");
    if volume.is_set() {
        volume.name(NameRule::Subdomain, errors);
    }
}

fn validate_source(source: &Field<'_, '_>, errors: &mut Errors) {
    let detail = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
    let (inline, volume) = (
        source.child("inlineVolumeSpec"),
        source.child("persistentVolumeName"),
    );
    match (inline.is_set(), volume.is_set()) {
        (false, false) => source.required(detail, errors),
        (true, true) => source.forbidden(detail, errors),
        (false, true) if volume.text().is_empty() => {
            volume.required("must specify non empty persistentVolumeName", errors);
        }
        (true, false) => validate_inline(&inline, errors),
        _ => {}
    }
}

fn validate_attachment_status(status: &Field<'_, '_>, errors: &mut Errors) {
    const METADATA: usize = 256 * 1024;
    const MESSAGE: usize = 1024;
    let metadata = status.child("attachmentMetadata");
    let sizes = metadata
        .entries()
        .map(|(key, value)| key.len() + value.text().len());
    if sizes.sum::<usize>() > METADATA {
        errors.push(too_long(&metadata.path, METADATA as i64));
    }
    for key in ["attachError", "detachError"] {
        let error = status.child(key);
        let (message, code) = (error.child("message"), error.child("errorCode"));
        if message.text().len() > MESSAGE {
            errors.push(too_long(&message.path, MESSAGE as i64));
        }
        if code.number() < 0 {
            let detail = format!("must be between 0 and {}, inclusive", i32::MAX);
            errors.push(invalid(&code.path, code.shown(), detail));
        }
    }
}

fn csi_node_cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    vec![row.name(), Value::Int(row.count("spec.drivers")), row.age()]
}

fn volume_attachment_cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    vec![
        row.name(),
        Value::Str(row.text("spec.attacher")),
        Value::Str(row.text("spec.source.persistentVolumeName")),
        Value::Str(row.text("spec.nodeName")),
        row.truth("status.attached", false),
        row.age(),
    ]
}
