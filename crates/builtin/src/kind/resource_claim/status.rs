//! What a claim got (`validateResourceClaimStatusUpdate` in pkg/apis/resource/validation/validation.go).

use kindsmith_json::Value;
use kindsmith_object::BadValue;

use super::super::device::{
    check_binding, check_configuration, check_json, check_label, check_pool, check_size, check_tolerations,
    check_unique, check_uuid,
};
use super::{LIMIT, Names};
use crate::Change;
use crate::field::{Errors, Field};
use crate::field_check::{invalid, items, text};
use crate::go_value::json::as_json;
use crate::part::address::check_interface_address;
use crate::part::condition;
use crate::part::node_selector::{LabelValues, validate_node_selector};
use crate::types::words;

const USERS: usize = 256;

pub(super) fn validate_status(change: &Change<'_>, errors: &mut Errors) {
    let status = Field::root(change, "status");
    let users = status.child("reservedFor");
    if check_size(&users, USERS, errors) {
        for user in users.items() {
            for key in ["resource", "name", "uid"] {
                if user.child(key).text().is_empty() {
                    user.child(key).required("", errors);
                }
            }
        }
        check_unique(&users, |user| user.child("uid").text().to_owned(), errors);
    }
    let allocation = status.child("allocation");
    validate_devices(&status, &allocation, errors);
    if users.len() > 0 && !allocation.is_set() {
        users.forbidden("may not be specified when `allocated` is not set", errors);
    } else if change.new.meta.deletion_timestamp.is_some() {
        let before = items(change.get_old(&["status", "reservedFor"]));
        let is_new = |user: &Field<'_, '_>| !before.iter().any(|old| user.value == Some(*old));
        if users.items().any(|user| is_new(&user)) {
            let detail =
                "new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set";
            users.forbidden(detail, errors);
        }
    }
    // A tag makes an allocation immutable.
    let had_allocation = change.get_old(&["status", "allocation"]).is_some();
    if allocation.is_set() && !had_allocation {
        let spec = Field::root(change, "spec");
        validate_allocation(&allocation, &Names::of(&spec.child("devices")), errors);
    }
}

fn validate_allocation(allocation: &Field<'_, '_>, names: &Names<'_>, errors: &mut Errors) {
    let devices = allocation.child("devices");
    let (results, configs) = (devices.child("results"), devices.child("config"));
    if check_size(&results, LIMIT, errors) {
        for result in results.items() {
            names.check(&result.child("request"), errors);
            result.child("driver").driver_name(errors);
            check_pool(&result.child("pool"), errors);
            check_label(&result.child("device"), errors);
            check_binding(&result, errors);
            check_tolerations(&result.child("tolerations"), errors);
            if result.child("shareID").is_set() {
                check_uuid(&result.child("shareID"), errors);
            }
        }
    }
    if check_size(&configs, 2 * LIMIT, errors) {
        for config in configs.items() {
            let source = config.child("source");
            match source.text() {
                "" => source.required("", errors),
                _ => source.one_of(words("resource/v1.AllocationConfigSource"), errors),
            }
            names.check_all(&config.child("requests"), errors);
            check_configuration(&config, false, errors);
        }
    }
    let selector = allocation.child("nodeSelector");
    if selector.is_set() {
        validate_node_selector(&selector, LabelValues::Checked, errors);
    }
}

/// What tells one device of a claim from another.
fn key(device: Value<'_>) -> String {
    let part = |key| text(device.get(key));
    let id = format!("{}/{}/{}", part("driver"), part("pool"), part("device"));
    match part("shareID") {
        "" => id,
        share => format!("{id}/{share}"),
    }
}

/// Conditions of a device.
const CONDITIONS_LIMIT: usize = 8;

fn validate_devices(status: &Field<'_, '_>, allocation: &Field<'_, '_>, errors: &mut Errors) {
    let devices = allocation.child("devices");
    let results = items(devices.child("results").value).iter();
    let known: Vec<String> = results.map(|result| key(*result)).collect();
    let list = status.child("devices");
    for device in list.items() {
        device.child("driver").driver_name(errors);
        check_pool(&device.child("pool"), errors);
        check_label(&device.child("device"), errors);
        if device.child("shareID").is_set() {
            check_uuid(&device.child("shareID"), errors);
        }
        let id = key(device.value.unwrap_or_default());
        if !known.contains(&id) {
            errors.push(invalid(
                &device.path,
                shown(&device),
                "must be an allocated device in the claim",
            ));
        }
        let conditions = device.child("conditions");
        conditions.at_most(CONDITIONS_LIMIT, errors);
        condition::validate(&conditions, errors);
        let data = device.child("data");
        if data.is_set() {
            check_json(&data, false, errors);
        }
        let network = device.child("networkData");
        for address in network.child("ips").items() {
            check_interface_address(&address, errors);
        }
    }
    check_unique(&list, |device| key(device.value.unwrap_or_default()), errors);
}

/// A device as the reference names it.
fn shown(device: &Field<'_, '_>) -> BadValue {
    let part = |key: &str| as_json(Some(Value::Str(device.child(key).text()))).to_json();
    let share = if device.child("shareID").is_set() {
        part("shareID")
    } else {
        r#""""#.to_owned()
    };
    BadValue::Json(
        format!(
            r#"{{"Driver":{},"Pool":{},"Device":{},"ShareID":{share}}}"#,
            part("driver"),
            part("pool"),
            part("device")
        )
        .into(),
    )
}
