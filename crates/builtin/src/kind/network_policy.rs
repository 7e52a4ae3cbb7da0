//! Defaults and validation of network policies beyond tags (pkg/apis/networking/v1/defaults.go and
//! pkg/apis/networking/validation/validation.go).

use kindsmith_gostd::cidr;
use kindsmith_json::{Arena, Value};

use super::described::Described;
use crate::Change;
use crate::edit::member;
use crate::field::{Errors, Field};
use crate::field_check::items;
use crate::part::address::{check_cidr, cidr_warnings};
use crate::table::{Heading, Row, Table, column};
use crate::types::declared;

pub(crate) const NETWORK_POLICY: Described = Described {
    short_names: &["netpol"],
    default: default_network_policy,
    rules: validate_network_policy,
    warns: network_policy_warnings,
    table: Table {
        headings: NETWORK_POLICY_COLUMNS,
        cells: network_policy_cells,
    },
    ..Described::SPEC
};

const NETWORK_POLICY_COLUMNS: &[Heading] = &[
    column::NAME,
    column::text("Pod-Selector", "networking/v1.NetworkPolicySpec.podSelector"),
    column::AGE,
];

/// The rules of both directions, and the field with the peers.
const RULES: [(&str, &str); 2] = [("ingress", "from"), ("egress", "to")];

/// A policy without types is for ingress, and for egress if it has egress rules.
pub(crate) fn default_network_policy<'a>(arena: &'a Arena, object: Value<'a>) -> Value<'a> {
    const BOTH: &[Value<'static>] = &[Value::Str("Ingress"), Value::Str("Egress")];
    let mut object = object;
    if object.get("spec").is_none_or(Value::is_null) {
        object.set(arena, &["spec"], Value::Object(kindsmith_json::Object::EMPTY));
    }
    member(arena, &mut object, &["spec"], |spec| {
        let mut spec = spec;
        if items(spec.get("policyTypes")).is_empty() {
            let has_egress = !items(spec.get("egress")).is_empty();
            let types = if has_egress { BOTH } else { &BOTH[..1] };
            spec.set(arena, &["policyTypes"], Value::Array(types));
        }
        spec
    });
    object
}

/// Validates a policy.
pub(crate) fn validate_network_policy(change: &Change<'_>, errors: &mut Errors) {
    let spec = Field::root(change, "spec");
    let known = known_cidrs(&Field::old_root(change, "spec"));
    spec.child("podSelector").selector(errors);
    for (rules, peers) in RULES {
        for rule in spec.child(rules).items() {
            for port in rule.child("ports").items() {
                validate_port(&port, errors);
            }
            for peer in rule.child(peers).items() {
                validate_peer(&peer, &known, errors);
            }
        }
    }
    let types = spec.child("policyTypes");
    if types.len() > declared("networking/v1.PolicyType").len() {
        return types.invalid("may not specify more than two policyTypes", errors);
    }
    for direction in types.items() {
        direction.one_of(declared("networking/v1.PolicyType"), errors);
    }
}

/// Warns about CIDRs that are not in canonical form.
pub(crate) fn network_policy_warnings(change: &Change<'_>) -> Vec<String> {
    let spec = Field::root(change, "spec");
    let mut warnings = Vec::new();
    for (rules, peers) in RULES {
        for rule in spec.child(rules).items() {
            for peer in rule.child(peers).items() {
                let block = peer.child("ipBlock");
                warnings.extend(cidr_warnings(&block.child("cidr")));
                warnings.extend(
                    block
                        .child("except")
                        .items()
                        .flat_map(|cidr| cidr_warnings(&cidr)),
                );
            }
        }
    }
    warnings
}

/// The CIDRs of a policy, which an update may keep in any form.
fn known_cidrs<'v>(spec: &Field<'_, 'v>) -> Vec<&'v str> {
    let mut known = Vec::new();
    for (rules, peers) in RULES {
        for rule in spec.child(rules).items() {
            for peer in rule.child(peers).items() {
                let block = peer.child("ipBlock");
                if !block.is_set() {
                    continue;
                }
                known.push(block.child("cidr").text());
                known.extend(block.child("except").items().map(|cidr| cidr.text()));
            }
        }
    }
    known
}

fn validate_port(rule: &Field<'_, '_>, errors: &mut Errors) {
    let (protocol, port, end) = (rule.child("protocol"), rule.child("port"), rule.child("endPort"));
    if protocol.is_set() {
        protocol.one_of(declared("core/v1.Protocol"), errors);
    }
    match port.value {
        None if end.is_set() => end.invalid("may not be specified when `port` is not specified", errors),
        None => {}
        Some(Value::Str(_)) => {
            if end.is_set() {
                end.invalid("may not be specified when `port` is non-numeric", errors);
            }
            port.port_name(errors);
        }
        Some(_) => {
            port.port_number(errors);
            if end.is_set() {
                if end.number() < port.number() {
                    end.invalid("must be greater than or equal to `port`", errors);
                }
                end.port_number(errors);
            }
        }
    }
}

fn validate_peer(peer: &Field<'_, '_>, known: &[&str], errors: &mut Errors) {
    let selectors = [peer.child("podSelector"), peer.child("namespaceSelector")];
    for selector in &selectors {
        selector.selector(errors);
    }
    let block = peer.child("ipBlock");
    if block.is_set() {
        validate_block(&block, known, errors);
    }
    let has_selector = selectors.iter().any(Field::is_set);
    if block.is_set() && has_selector {
        peer.forbidden("may not specify both ipBlock and another peer", errors);
    } else if !block.is_set() && !has_selector {
        peer.required("must specify a peer", errors);
    }
}

fn validate_block(block: &Field<'_, '_>, known: &[&str], errors: &mut Errors) {
    let whole = block.child("cidr");
    if whole.text().is_empty() {
        return whole.required("", errors);
    }
    check_cidr(&whole, known, errors);
    let Some(outer) = cidr::parse_sloppy(whole.text()) else {
        return;
    };
    for except in block.child("except").items() {
        check_cidr(&except, known, errors);
        let inner = cidr::parse_sloppy(except.text());
        if inner.is_some_and(|inner| !outer.contains(&inner) || inner.bits() == outer.bits()) {
            except.invalid("must be a strict subset of `cidr`", errors);
        }
    }
}

fn network_policy_cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    vec![row.name(), row.selector("spec.podSelector"), row.age()]
}
