//! Validation of limit ranges beyond tags (`ValidateLimitRange` in pkg/apis/core/validation/validation.go).

use std::collections::{BTreeSet, HashSet};

use kindsmith_formats::quantity::{Format, Quantity};

use crate::Change;
use crate::field::{Errors, Field};
use crate::field_check::invalid_text;
use crate::part::resource_name::{allows_overcommit, check_container_name, check_name};
use crate::types::words;

const AMOUNTS: [&str; 5] = ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"];

/// Validates the limits of each type.
pub(crate) fn validate_limit_range(change: &Change<'_>, errors: &mut Errors) {
    if change.old.is_some() {
        change.validate_new_metadata(errors);
    }
    let spec = Field::root(change, "spec");
    let mut types = HashSet::new();
    for limit in spec.child("limits").items() {
        let kind = limit.child("type");
        validate_type(&kind, errors);
        if !types.insert(kind.text()) {
            kind.duplicate(errors);
        }
        validate_item(&limit, kind.text(), errors);
    }
}

fn validate_type(kind: &Field<'_, '_>, errors: &mut Errors) {
    let before = errors.len();
    let named = Field {
        value: Some(kindsmith_json::Value::Str(kind.text())),
        ..*kind
    };
    named.label_key(errors);
    let is_standard = words("core/v1.LimitType").contains(&kind.text());
    if errors.len() == before && !kind.text().contains('/') && !is_standard {
        named.invalid("must be a standard limit type or fully qualified", errors);
    }
}

fn validate_item(limit: &Field<'_, '_>, kind: &str, errors: &mut Errors) {
    let mut names = BTreeSet::new();
    for key in AMOUNTS {
        let amounts = limit.child(key);
        if kind == "Pod" && key.starts_with("default") {
            if amounts.entries().next().is_some() {
                amounts.forbidden("may not be specified when `type` is 'Pod'", errors);
            }
            continue;
        }
        for (name, amount) in amounts.entries() {
            names.insert(name);
            match kind {
                "Pod" | "Container" => check_container_name(name, &amount, errors),
                _ => {
                    check_name(name, &amount, errors);
                }
            }
        }
    }
    let has_storage = |key: &str| limit.child(key).child("storage").is_set();
    if kind == "PersistentVolumeClaim" && !has_storage("min") && !has_storage("max") {
        let detail = "either minimum or maximum storage value is required, but neither was provided";
        limit.child("limits").required(detail, errors);
    }
    for name in names {
        let bounds = Bounds {
            limit,
            name,
            is_pod: kind == "Pod",
        };
        bounds.validate(errors);
    }
}

/// The amounts of one resource.
struct Bounds<'l, 'p, 'v> {
    limit: &'l Field<'p, 'v>,
    name: &'l str,
    is_pod: bool,
}

impl Bounds<'_, '_, '_> {
    fn amount(&self, key: &str) -> Option<Quantity> {
        let is_ignored = self.is_pod && key.starts_with("default");
        let amounts = self.limit.child(key);
        let amount = amounts.child(self.name).quantity();
        amount.filter(|_| !is_ignored)
    }

    fn report(&self, key: &str, bad: &Quantity, detail: String, errors: &mut Errors) {
        let amounts = self.limit.child(key);
        let path = amounts.path.key(self.name);
        errors.push(invalid_text(&path, &bad.to_string(), detail));
    }

    fn validate(&self, errors: &mut Errors) {
        let (low, high) = (self.amount("min"), self.amount("max"));
        let (limit, request) = (self.amount("default"), self.amount("defaultRequest"));
        // Field of the error, smaller amount with its name, larger amount with its name, and which of the two the error
        // shows.
        let pairs = [
            ("min", (&low, "min"), (&high, "max"), false),
            (
                "defaultRequest",
                (&low, "min"),
                (&request, "default request"),
                true,
            ),
            (
                "defaultRequest",
                (&request, "default request"),
                (&high, "max"),
                false,
            ),
            (
                "defaultRequest",
                (&request, "default request"),
                (&limit, "default limit"),
                false,
            ),
            ("default", (&low, "min"), (&limit, "default"), false),
            // Kubernetes shows the maximum, though the default is the invalid one.
            ("default", (&limit, "default"), (&high, "max"), true),
        ];
        for (place, (small, small_name), (large, large_name), shows_large) in pairs {
            if let (Some(small), Some(large)) = (small, large)
                && small > large
            {
                let detail = format!("{small_name} value {small} is greater than {large_name} value {large}");
                let shown = if shows_large { large } else { small };
                self.report(place, shown, detail, errors);
            }
        }
        self.validate_ratio(low, high, errors);
        if let (Some(limit), Some(request)) = (limit, request)
            && !allows_overcommit(self.name)
            && limit != request
        {
            let detail = format!(
                "default value {limit} must equal to defaultRequest value {request} in {}",
                self.name
            );
            self.report("defaultRequest", &request, detail, errors);
        }
    }

    fn validate_ratio(&self, low: Option<Quantity>, high: Option<Quantity>, errors: &mut Errors) {
        const KEY: &str = "maxLimitRequestRatio";
        let Some(ratio) = self.amount(KEY) else { return };
        if ratio < Quantity::from_int(1, Format::DecimalSi) {
            self.report(KEY, &ratio, format!("ratio {ratio} is less than 1"), errors);
        }
        if let (Some(low), Some(high)) = (low, high) {
            let most = quotient(&ratio, &high, &low);
            if most.0 > most.1 {
                let most = most.1;
                let detail = format!("ratio {ratio} is greater than max/min = {most:.6}");
                self.report(KEY, &ratio, detail, errors);
            }
        }
    }
}

/// A ratio and the quotient of two amounts as the reference works them out: in thousandths if all are small enough.
fn quotient(ratio: &Quantity, high: &Quantity, low: &Quantity) -> (f64, f64) {
    const MOST: i64 = i64::MAX / 1000;
    let wholes = [ratio, high, low].map(Quantity::value);
    if wholes.iter().all(|&number| number < MOST) {
        let [ratio, high, low] = [ratio, high, low].map(|amount| amount.milli_value() as f64);
        (ratio / 1000.0, high / low)
    } else {
        let [ratio, high, low] = wholes.map(|number| number as f64);
        (ratio, high / low)
    }
}
