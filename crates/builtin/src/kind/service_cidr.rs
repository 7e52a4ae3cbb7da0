//! Validation of service CIDRs and IP addresses beyond tags (pkg/apis/networking/validation/validation.go).

use kindsmith_gostd::cidr;
use kindsmith_object::meta::NameRule;
use kindsmith_object::{BadValue, Behavior};

use super::described::{Described, StatusPart};
use crate::Change;
use crate::field::{Errors, Field};
use crate::field_check::invalid;
use crate::go_value::json::as_json;
use crate::part::address::check_canonical_cidr;
use crate::table::{Heading, Row, Table, column, text_of};
use kindsmith_json::Value;

pub(crate) const IP_ADDRESS: Described = Described {
    short_names: &["ip"],
    is_checked_anew: true,
    rules: validate_ip_address,
    name_rule: NameRule::IpAddress,
    table: Table {
        headings: IP_ADDRESS_COLUMNS,
        cells: ip_address_cells,
    },
    ..Described::PLAIN
};

const IP_ADDRESS_COLUMNS: &[Heading] = &[
    column::NAME,
    column::text("ParentRef", "networking/v1.IPAddressSpec.parentRef"),
];

pub(crate) const SERVICE_CIDR: Described = Described {
    status: StatusPart::Alone,
    status_apart_since: Some(Behavior::ServiceCidrStatusApart),
    starts_at_one: false,
    watched: &[],
    rules: validate_service_cidr,
    table: Table {
        headings: SERVICE_CIDR_COLUMNS,
        cells: service_cidr_cells,
    },
    ..Described::STATUS
};

const SERVICE_CIDR_COLUMNS: &[Heading] = &[
    column::NAME,
    column::text("CIDRs", "networking/v1.ServiceCIDRSpec.cidrs"),
    column::AGE,
];

/// Validates the CIDRs; an update may only add a second one.
pub(crate) fn validate_service_cidr(change: &Change<'_>, errors: &mut Errors) {
    if change.subresource == "status" {
        return;
    }
    let spec = Field::root(change, "spec");
    let cidrs = spec.child("cidrs");
    if change.old.is_none() {
        return validate_cidrs(&cidrs, errors);
    }
    let old = Field::old_root(change, "spec");
    let old = old.child("cidrs");
    let before: Vec<&str> = old.items().map(|cidr| cidr.text()).collect();
    match (before.len(), cidrs.len()) {
        (1, 2) => {}
        (old, new) if old == new => {}
        _ => return cidrs.invalid("field is immutable", errors),
    }
    for (cidr, old) in cidrs.items().zip(&before) {
        if cidr.text() != *old {
            cidr.invalid("field is immutable", errors);
        }
    }
    if cidrs.len() > before.len() {
        validate_cidrs(&cidrs, errors);
    }
}

fn validate_cidrs(cidrs: &Field<'_, '_>, errors: &mut Errors) {
    match cidrs.len() {
        0 => return cidrs.required("at least one CIDR required", errors),
        1 | 2 => {}
        _ => {
            let list = as_json(cidrs.value).to_json();
            let bad = BadValue::Json(format!(r#"{{"CIDRs":{list}}}"#).into());
            return errors.push(invalid(&cidrs.path, bad, "may only hold up to 2 values"));
        }
    }
    let mut families = Vec::new();
    for cidr in cidrs.items() {
        check_canonical_cidr(&cidr, errors);
        families.extend(cidr::parse_sloppy(cidr.text()).map(|prefix| prefix.ip().is_ipv6()));
    }
    if families.len() == 2 && families[0] == families[1] {
        let detail =
            "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64";
        cidrs.invalid(detail, errors);
    }
}

/// Validates the parent of an IP address.
pub(crate) fn validate_ip_address(change: &Change<'_>, errors: &mut Errors) {
    let spec = Field::root(change, "spec");
    let parent = spec.child("parentRef");
    if !parent.is_set() {
        return;
    }
    for (key, names) in [
        ("group", NameRule::Subdomain),
        ("resource", NameRule::PathSegment),
        ("name", NameRule::PathSegment),
        ("namespace", NameRule::PathSegment),
    ] {
        let part = parent.child(key);
        if !part.text().is_empty() {
            part.name(names, errors);
        } else if matches!(key, "resource" | "name") {
            part.required("", errors);
        }
    }
}

fn ip_address_cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let parent = row.at("spec.parentRef");
    let part = |key| text_of(parent, key);
    let resource = match part("group") {
        "" => part("resource").to_lowercase(),
        group => format!("{}.{group}", part("resource")).to_lowercase(),
    };
    let shown = match (parent, part("namespace")) {
        (Value::Null, _) => "<none>".to_owned(),
        (_, "") => format!("{resource}/{}", part("name")),
        (_, namespace) => format!("{resource}/{namespace}/{}", part("name")),
    };
    // The age has no heading (`printIPAddress` in pkg/printers/internalversion/printers.go).
    vec![row.name(), row.cell(&shown), row.age()]
}

fn service_cidr_cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let ranges = row.items("spec.cidrs").iter().filter_map(|range| range.as_str());
    let ranges = ranges.collect::<Vec<_>>().join(",");
    vec![row.name(), row.cell(&ranges), row.age()]
}
