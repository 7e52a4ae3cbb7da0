//! The fields of a service about its addresses, and the rules that join them (`ValidateServiceClusterIPsRelatedFields` in
//! pkg/apis/core/validation/validation.go).

use std::net::IpAddr;

use kindsmith_gostd::ip;
use kindsmith_json::{Arena, Path, Value};
use kindsmith_object::{BadValue, FieldError, Release};

use crate::DecodedObject;
use crate::field::{Errors, Field};
use crate::field_check::{duplicate, entries, invalid, invalid_text, items, not_supported, required, text};
use crate::go_value::json::as_go;
use crate::part::address::check_address;
use crate::types::words;

const SPEC: Path<'static> = Path::root("spec");

/// The fields of a service about its addresses.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Addresses<'a> {
    pub(super) kind: &'a str,
    pub(super) ip: &'a str,
    pub(super) ips: Vec<&'a str>,
    pub(super) families: Vec<&'a str>,
    pub(super) policy: Option<&'a str>,
    pub(super) has_selector: bool,
    pub(super) release: Release,
}

impl<'a> Addresses<'a> {
    pub(super) fn of(service: &DecodedObject<'a>, release: Release) -> Self {
        let get = |key| service.get(&["spec", key]);
        let texts = |key| {
            let list = items(get(key)).iter();
            list.map(|value| text(Some(*value))).collect()
        };
        Addresses {
            kind: text(get("type")),
            ip: text(get("clusterIP")),
            ips: texts("clusterIPs"),
            families: texts("ipFamilies"),
            policy: get("ipFamilyPolicy").and_then(Value::as_str),
            has_selector: !entries(get("selector")).is_empty(),
            release,
        }
    }

    /// Writes the fields back; the type and the selector never change.
    pub(super) fn write(&self, arena: &'a Arena, service: &mut DecodedObject<'a>) {
        let list = |texts: &[&'a str]| {
            let values: Vec<Value<'a>> = texts.iter().map(|&text| Value::Str(text)).collect();
            Value::Array(arena.alloc_slice_copy(&values))
        };
        let mut put = |key: &'static str, value: Option<Value<'a>>| match value {
            Some(value) => service.set(arena, &["spec", key], value),
            None => service.unset(arena, &["spec", key]),
        };
        put("clusterIP", (!self.ip.is_empty()).then_some(Value::Str(self.ip)));
        put("clusterIPs", (!self.ips.is_empty()).then(|| list(&self.ips)));
        put(
            "ipFamilies",
            (!self.families.is_empty()).then(|| list(&self.families)),
        );
        put("ipFamilyPolicy", self.policy.map(Value::Str));
    }

    pub(super) fn is_external(&self) -> bool {
        self.kind == "ExternalName"
    }

    pub(super) fn is_headless(&self) -> bool {
        self.ips == ["None"]
    }

    /// A headless service without a selector.
    pub(super) fn is_open(&self) -> bool {
        self.ip == "None" && !self.has_selector
    }

    pub(super) fn has_same_ips(&self, other: &Self) -> bool {
        self.ip == other.ip && self.ips == other.ips
    }

    pub(super) fn ips_shown(&self) -> BadValue {
        shown(&self.ips)
    }

    pub(super) fn families_shown(&self) -> BadValue {
        shown(&self.families)
    }

    /// Checks the fields; addresses that an old service had stay valid.
    pub(super) fn check(&self, old: Option<&Self>, errors: &mut Errors) {
        if self.is_external() {
            return;
        }
        self.check_first(errors);
        self.check_families(errors);
        if self.check_ips(old, errors) {
            self.check_pairs(errors);
        }
    }

    fn check_first(&self, errors: &mut Errors) {
        let path = SPEC.child("clusterIPs");
        match (self.ip, self.ips.first()) {
            ("", None) => {}
            ("", Some(_)) => {
                let detail = "must be empty when `clusterIP` is not specified";
                errors.push(invalid(&path, self.ips_shown(), detail));
            }
            (_, None) => errors.push(required(&path, "")),
            (ip, Some(&first)) if ip != first => {
                let detail = "first value must match `clusterIP`";
                errors.push(invalid(&path, self.ips_shown(), detail));
            }
            _ => {}
        }
    }

    fn check_families(&self, errors: &mut Errors) {
        let path = SPEC.child("ipFamilies");
        for (index, family) in self.families.iter().enumerate() {
            if !words("core/v1.IPFamily").contains(family) {
                errors.push(not_supported(
                    &path.index(index),
                    family,
                    words("core/v1.IPFamily"),
                ));
            }
            if self.families[..index].contains(family) {
                errors.push(duplicate(&path.index(index), family));
            }
        }
        if let Some(policy) = self
            .policy
            .filter(|policy| !words("core/v1.IPFamilyPolicy").contains(policy))
        {
            errors.push(not_supported(
                &SPEC.child("ipFamilyPolicy"),
                policy,
                words("core/v1.IPFamilyPolicy"),
            ));
        }
    }

    /// Checks the addresses one by one. Returns whether they make sense.
    fn check_ips(&self, old: Option<&Self>, errors: &mut Errors) -> bool {
        let path = SPEC.child("clusterIPs");
        let known = old.map(|old| &*old.ips).unwrap_or_default();
        let mut is_right = true;
        for (index, ip) in self.ips.iter().enumerate() {
            let before = errors.len();
            match (index, *ip) {
                (0, "None") if self.ips.len() == 1 => {}
                (0, "None") => {
                    let detail = "'None' must be the first and only value";
                    errors.push(invalid(&path, self.ips_shown(), detail));
                }
                (_, ip) => {
                    let field = Field {
                        path: path.index(index),
                        value: Some(Value::Str(ip)),
                        release: self.release,
                    };
                    check_address(&field, known, errors);
                }
            }
            is_right &= errors.len() == before;
        }
        if self.ips.len() > 2 {
            errors.push(invalid(&path, self.ips_shown(), "may only hold up to 2 values"));
        }
        is_right
    }

    /// Checks that there is one address for each family.
    fn check_pairs(&self, errors: &mut Errors) {
        let path = SPEC.child("clusterIPs");
        let is_v6 = |ip: &&str| family_of(ip) == "IPv6";
        if self.ips.len() > 1 && (self.ips.iter().all(is_v6) || !self.ips.iter().any(is_v6)) {
            let detail = "may specify no more than one IP for each IP family";
            errors.push(invalid(&path, self.ips_shown(), detail));
        }
        if self.is_headless() {
            return;
        }
        for (index, (ip, family)) in self.ips.iter().zip(&self.families).enumerate() {
            if words("core/v1.IPFamily").contains(family) && family_of(ip) != *family {
                let detail = format!("expected an {family} value as indicated by `ipFamilies[{index}]`");
                errors.push(invalid_text(&path.index(index), ip, detail));
            }
        }
    }
}

fn shown(texts: &[&str]) -> BadValue {
    let values: Vec<Value<'_>> = texts.iter().map(|&text| Value::Str(text)).collect();
    if values.is_empty() {
        BadValue::Nil
    } else {
        as_go(Some(Value::Array(&values)))
    }
}

/// Reads an address, leading zeros allowed.
pub(super) fn parse(address: &str) -> Option<IpAddr> {
    ip::parse_sloppy(address)?.to_string().parse().ok()
}

/// The family of an address.
pub(super) fn family_of(address: &str) -> &'static str {
    match parse(address) {
        Some(IpAddr::V6(_)) => "IPv6",
        _ => "IPv4",
    }
}

/// An error about the policy for families.
pub(super) fn wrong_policy(policy: Option<&str>, detail: &str) -> FieldError {
    let bad = policy.map_or(BadValue::Nil, |policy| BadValue::Text(policy.into()));
    invalid(&SPEC.child("ipFamilyPolicy"), bad, detail)
}
