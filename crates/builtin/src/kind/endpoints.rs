//! Validation of Endpoints beyond tags (`ValidateEndpoints` in pkg/apis/core/validation/validation.go). The kind is
//! deprecated, so every request gets a warning.

use kindsmith_object::meta::NameRule;

use super::described::Described;
use crate::Change;
use crate::field::{Errors, Field};
use crate::field_check::{items, number};
use crate::part::address::{address_warning, check_address};
use crate::part::endpoint::check_reachable;
use crate::table::{Heading, Row, Table, column, text_of};
use crate::types::words;
use kindsmith_json::Value;

pub(crate) const ENDPOINTS: Described = Described {
    short_names: &["ep"],
    creates_on_update: true,
    rules: validate_endpoints,
    deprecation: Some(DEPRECATION),
    warns: endpoints_warnings,
    table: Table {
        headings: ENDPOINTS_COLUMNS,
        cells: endpoints_cells,
    },
    ..Described::PLAIN
};

const ENDPOINTS_COLUMNS: &[Heading] = &[
    column::NAME,
    column::text("Endpoints", "core/v1.Endpoints.subsets"),
    column::AGE,
];

/// The warning for every request.
pub(crate) const DEPRECATION: &str =
    "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice";

const ADDRESSES: [&str; 2] = ["addresses", "notReadyAddresses"];

/// Validates subsets, unless they are unchanged.
pub(crate) fn validate_endpoints(change: &Change<'_>, errors: &mut Errors) {
    if change.old.is_some() {
        change.validate_new_metadata(errors);
        if change.is_same("subsets") {
            return;
        }
    }
    for subset in Field::root(change, "subsets").items() {
        if ADDRESSES.iter().all(|key| subset.child(key).len() == 0) {
            subset.required("must specify `addresses` or `notReadyAddresses`", errors);
        }
        for key in ADDRESSES {
            for address in subset.child(key).items() {
                validate_address(&address, errors);
            }
        }
        let ports = subset.child("ports");
        for port in ports.items() {
            validate_port(&port, ports.len() > 1, errors);
        }
    }
}

fn validate_address(address: &Field<'_, '_>, errors: &mut Errors) {
    let (ip, host, node) = (
        address.child("ip"),
        address.child("hostname"),
        address.child("nodeName"),
    );
    let ip = ip.or_empty();
    check_address(&ip, &[], errors);
    if !host.text().is_empty() {
        host.name(NameRule::Label, errors);
    }
    if node.is_set() {
        node.name(NameRule::Subdomain, errors);
    }
    check_reachable(&ip, errors);
}

fn validate_port(port: &Field<'_, '_>, needs_name: bool, errors: &mut Errors) {
    let (name, protocol, app) = (
        port.child("name"),
        port.child("protocol"),
        port.child("appProtocol"),
    );
    match name.text() {
        "" if needs_name => name.required("", errors),
        "" => {}
        _ => name.name(NameRule::Label, errors),
    }
    port.child("port").port_number(errors);
    match protocol.text() {
        "" => protocol.required("", errors),
        _ => protocol.one_of(words("core/v1.Protocol"), errors),
    }
    if app.is_set() {
        app.label_key(errors);
    }
}

/// Warns about addresses that are not in canonical form, unless a controller wrote them.
pub(crate) fn endpoints_warnings(change: &Change<'_>) -> Vec<String> {
    let manager = change.get(&["metadata", "labels", "endpoints.kubernetes.io/managed-by"]);
    if manager.and_then(|value| value.as_str()) == Some("endpoint-controller") {
        return Vec::new();
    }
    let mut warnings = Vec::new();
    for subset in Field::root(change, "subsets").items() {
        for key in ADDRESSES {
            let addresses = subset.child(key);
            warnings.extend(
                addresses
                    .items()
                    .filter_map(|address| address_warning(&address.child("ip"))),
            );
        }
    }
    warnings
}

fn endpoints_cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let subsets = row.items("subsets");
    if subsets.is_empty() {
        return vec![row.name(), Value::Str("<none>"), row.age()];
    }
    let mut shown = Vec::new();
    for subset in subsets {
        let addresses = items(subset.get("addresses")).iter();
        let addresses: Vec<&str> = addresses.map(|address| text_of(*address, "ip")).collect();
        let ports = items(subset.get("ports"));
        if ports.is_empty() {
            shown.extend(addresses.iter().map(|address| (*address).to_owned()));
        }
        for port in ports {
            let port = number(port.get("port"));
            shown.extend(addresses.iter().map(|address| {
                if address.contains(':') {
                    format!("[{address}]:{port}")
                } else {
                    format!("{address}:{port}")
                }
            }));
        }
    }
    vec![row.name(), row.first_of(&shown), row.age()]
}
