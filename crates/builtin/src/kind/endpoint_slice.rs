//! Endpoint slices (pkg/registry/discovery/endpointslice/strategy.go), and validation beyond tags
//! (pkg/apis/discovery/validation/validation.go).

use std::collections::HashSet;

use kindsmith_gostd::ip;
use kindsmith_json::{Arena, Value};
use kindsmith_object::meta::NameRule;
use kindsmith_object::{BadValue, Detail, ErrorKind, FieldError};

use crate::edit::each;
use crate::field::{Errors, Field};
use crate::field_check::{invalid_text, text};
use crate::part::address::{address_warning, check_address};
use crate::part::endpoint::{check_domain, check_reachable};
use crate::table::{Heading, Row, Table, column};
use crate::types::words;
use crate::{Change, DecodedObject, Names, Preparation, Strategy};

#[derive(Debug)]
pub(crate) struct EndpointSlice;

impl Strategy for EndpointSlice {
    fn table(&self, _: &Names) -> Table {
        Table {
            headings: HEADINGS,
            cells,
        }
    }

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, draft: &mut DecodedObject<'a>) {
        match preparation.old {
            None => draft.meta.generation = 1,
            Some(old) if has_changed(preparation, draft, old) => {
                draft.meta.generation = old.meta.generation.saturating_add(1);
            }
            Some(_) => {}
        }
        drop_topology(preparation.arena, draft);
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Errors) {
        change.validate_new_metadata(errors);
        let kind = Field::root(change, "addressType");
        match kind.text() {
            "" => kind.required("", errors),
            _ => kind.one_of(words("discovery/v1.AddressType"), errors),
        }
        validate_ports(&Field::root(change, "ports"), errors);
        if change.old.is_none() || !change.is_same("endpoints") {
            validate_endpoints(&Field::root(change, "endpoints"), kind.text(), errors);
        }
    }

    fn warnings(&self, change: &Change<'_>) -> Vec<String> {
        let kind = text(change.get(&["addressType"]));
        let mut warnings = Vec::new();
        if change.old.is_none() && kind == "FQDN" {
            warnings.push("spec.addressType: FQDN endpoints are deprecated".to_owned());
        }
        for endpoint in Field::root(change, "endpoints").items() {
            let addresses = endpoint.child("addresses");
            warnings.extend(addresses.items().filter_map(|address| address_warning(&address)));
        }
        warnings
    }
}

const ENDPOINTS: usize = 1000;
const PORTS: usize = 20_000;
const ADDRESSES: usize = 100;
const HINTS: usize = 8;

/// Rejects a list that is too long.
fn check_length(list: &Field<'_, '_>, limit: usize, errors: &mut Errors) -> bool {
    let length = list.len();
    if length > limit {
        let bad = BadValue::Integer(length as i128);
        let detail = Detail::AtMostItems(limit as i64);
        errors.push(FieldError::new(
            ErrorKind::TooMany,
            list.path.to_owned(),
            bad,
            detail,
        ));
    }
    length <= limit
}

fn validate_ports(ports: &Field<'_, '_>, errors: &mut Errors) {
    if !check_length(ports, PORTS, errors) {
        return;
    }
    let mut names = HashSet::new();
    for port in ports.items() {
        let (name, protocol) = (port.child("name"), port.child("protocol"));
        if !name.text().is_empty() {
            name.name(NameRule::Label, errors);
        }
        if !names.insert(name.text()) {
            name.duplicate(errors);
        }
        if protocol.is_set() {
            protocol.one_of(words("core/v1.Protocol"), errors);
        } else {
            protocol.required("", errors);
        }
        let app = port.child("appProtocol");
        if app.is_set() {
            app.label_key(errors);
        }
    }
}

fn validate_endpoints(endpoints: &Field<'_, '_>, kind: &str, errors: &mut Errors) {
    if !check_length(endpoints, ENDPOINTS, errors) {
        return;
    }
    for endpoint in endpoints.items() {
        let addresses = endpoint.child("addresses");
        match addresses.len() {
            0 => addresses.required("must contain at least 1 address", errors),
            _ => {
                check_length(&addresses, ADDRESSES, errors);
            }
        }
        for address in addresses.items() {
            validate_address(&addresses, &address, kind, errors);
        }
        let (node, host) = (endpoint.child("nodeName"), endpoint.child("hostname"));
        if node.is_set() {
            node.name(NameRule::Subdomain, errors);
        }
        if host.is_set() {
            host.name(NameRule::Label, errors);
        }
        validate_hints(&endpoint.child("hints"), errors);
    }
}

/// An address of the wrong family is reported on the list, other errors on the address.
fn validate_address(list: &Field<'_, '_>, address: &Field<'_, '_>, kind: &str, errors: &mut Errors) {
    let is_six = match kind {
        "IPv4" => false,
        "IPv6" => true,
        "FQDN" => return check_domain(address, errors),
        _ => return,
    };
    let before = errors.len();
    if is_six {
        address.format("k8s-ip", errors);
    } else {
        check_address(address, &[], errors);
    }
    if errors.len() > before {
        return;
    }
    let parsed = ip::parse_sloppy(address.text());
    if parsed.is_some_and(|parsed| parsed.ip().is_ipv6() != is_six) {
        let detail = format!("must be an {kind} address");
        errors.push(invalid_text(&list.path, address.text(), detail));
    }
    check_reachable(address, errors);
}

fn validate_hints(hints: &Field<'_, '_>, errors: &mut Errors) {
    for key in ["forZones", "forNodes"] {
        let list = hints.child(key);
        if !check_length(&list, HINTS, errors) {
            return;
        }
        let mut names = HashSet::new();
        for hint in list.items() {
            let name = hint.child("name");
            if !names.insert(name.text()) {
                name.duplicate(errors);
            }
            match key {
                "forZones" => name.or_empty().format("k8s-label-value", errors),
                _ => name.name(NameRule::Subdomain, errors),
            }
        }
    }
}

fn has_changed(
    preparation: &Preparation<'_, '_>,
    draft: &DecodedObject<'_>,
    old: &DecodedObject<'_>,
) -> bool {
    let content = ["addressType", "endpoints", "ports"];
    let is_same = content.iter().all(|key| preparation.is_same(draft, old, key));
    !is_same || draft.meta.labels != old.meta.labels
}

/// `deprecatedTopology` can only be written through an older version, which is not served.
fn drop_topology<'a>(arena: &'a Arena, draft: &mut DecodedObject<'a>) {
    let mut object = draft.value();
    each(arena, &mut object, "endpoints", |endpoint| {
        let mut endpoint = endpoint;
        endpoint.unset(arena, &["deprecatedTopology"]).map(|_| endpoint)
    });
    draft.object = object.as_object().unwrap_or(draft.object);
}

const HEADINGS: &[Heading] = &[
    column::NAME,
    column::text("AddressType", "discovery/v1.EndpointSlice.addressType"),
    column::text("Ports", "discovery/v1.EndpointSlice.ports"),
    column::text("Endpoints", "discovery/v1.EndpointSlice.endpoints"),
    column::AGE,
];

fn cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let port = |port: &Value<'_>| match (port.get("port").and_then(Value::as_i64), port.get("name")) {
        (Some(number), _) => number.to_string(),
        (None, Some(Value::Str(name))) => name.to_owned(),
        _ => "*".to_owned(),
    };
    let ports: Vec<String> = row.items("ports").iter().map(port).collect();
    let endpoints = row.items("endpoints").iter();
    let addresses = endpoints.flat_map(|endpoint| crate::field_check::items(endpoint.get("addresses")));
    let addresses: Vec<String> = addresses
        .filter_map(|address| address.as_str().map(str::to_owned))
        .collect();
    let shown = |texts: &[String]| {
        if texts.is_empty() {
            Value::Str("<unset>")
        } else {
            row.first_of(texts)
        }
    };
    vec![
        row.name(),
        Value::Str(row.text("addressType")),
        shown(&ports),
        shown(&addresses),
        row.age(),
    ]
}
