//! How much of a device's capacity a claim may ask for (`validateRequestPolicy` in
//! pkg/apis/resource/validation/validation.go).

use kindsmith_formats::quantity::Quantity;

use super::check_size;
use crate::field::{Errors, Field};
use crate::field_check::{duplicate, invalid_text};

/// Checks a capacity; only devices that several claims share have policies.
pub(super) fn validate(capacity: &Field<'_, '_>, is_shared: bool, errors: &mut Errors) {
    let policy = capacity.child("requestPolicy");
    if !policy.is_set() {
        return;
    }
    if !is_shared {
        return policy.forbidden("allowMultipleAllocations must be true", errors);
    }
    let (values, range) = (policy.child("validValues"), policy.child("validRange"));
    let default = policy.child("default");
    let Some(most) = capacity.child("value").quantity() else {
        return;
    };
    match (values.len() > 0, range.is_set(), default.quantity()) {
        (true, true, _) => {
            let detail = r#"exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time"#;
            policy.forbidden(detail, errors);
        }
        (true, false, None) => default.required("required when validValues is defined", errors),
        (true, false, Some(default)) => validate_values(&values, &default, &most, errors),
        (false, true, None) => default.required("required when validRange is defined", errors),
        (false, true, Some(default)) => validate_range(&range, &default, &most, errors),
        (false, false, _) => {}
    }
}

fn validate_values(values: &Field<'_, '_>, default: &Quantity, most: &Quantity, errors: &mut Errors) {
    const LIMIT: usize = 10;
    let amounts: Vec<(Field<'_, '_>, Quantity)> = values
        .items()
        .filter_map(|value| value.quantity().map(|amount| (value, amount)))
        .collect();
    for pair in amounts.windows(2) {
        if pair[0].1 > pair[1].1 {
            pair[1]
                .0
                .invalid("values must be sorted in ascending order", errors);
        }
    }
    if check_size(values, LIMIT, errors) {
        for (value, amount) in &amounts {
            if amount > most {
                value.invalid(format!("option is larger than capacity value: {most}"), errors);
            }
        }
        for (index, (value, amount)) in amounts.iter().enumerate() {
            // Compared are whole numbers, while fractions of a capacity are behind a gate.
            let whole = amount.value();
            if amounts[..index].iter().any(|(_, other)| other.value() == whole) {
                errors.push(duplicate(&value.path, &whole.to_string()));
            }
        }
    }
    if !amounts.iter().any(|(_, amount)| amount == default) {
        let detail = "default value is not valid according to the requestPolicy";
        errors.push(invalid_text(&values.path, &default.to_string(), detail));
    }
}

fn validate_range(range: &Field<'_, '_>, default: &Quantity, most: &Quantity, errors: &mut Errors) {
    let (low, high, step) = (range.child("min"), range.child("max"), range.child("step"));
    let Some(least) = low.quantity() else {
        return low.required("required when validRange is defined", errors);
    };
    let default_path = range.path.child("default");
    if least > *most {
        low.invalid(format!("min is larger than capacity value: {most}"), errors);
    }
    if *default < least {
        let detail = format!("default is less than min: {least}");
        errors.push(invalid_text(&default_path, &default.to_string(), detail));
    }
    let top = high.quantity();
    if let Some(top) = &top {
        if least > *top {
            let detail = format!("min is larger than max: {top}");
            errors.push(invalid_text(&high.path, &least.to_string(), detail));
        }
        if top > most {
            high.invalid(format!("max is larger than capacity value: {most}"), errors);
        }
        if default > top {
            let detail = format!("default is more than max: {top}");
            errors.push(invalid_text(&default_path, &default.to_string(), detail));
        }
    }
    let Some(width) = step.quantity() else { return };
    if width.sign() <= 0 {
        return step.invalid("must be greater than zero", errors);
    }
    let next = least.add(&width);
    if next > *most {
        step.invalid(
            format!("one step {next} is larger than capacity value: {most}"),
            errors,
        );
    }
    let before = errors.len();
    for (key, amount) in [
        ("default", Some(default)),
        ("min", Some(&least)),
        ("max", top.as_ref()),
    ] {
        if let Some(amount) = amount.filter(|amount| amount.sign() < 0) {
            let detail = "must be greater than or equal to 0";
            errors.push(invalid_text(&range.path.child(key), &amount.to_string(), detail));
        }
    }
    if errors.len() > before {
        return;
    }
    for value in [Some(default), top.as_ref()].into_iter().flatten() {
        let distance = value.value().wrapping_sub(least.value());
        let width_number = width.value();
        if width_number != 0 && distance.wrapping_rem(width_number) != 0 {
            let detail = format!("value is not a multiple of a given step ({width}) from ({least})");
            errors.push(invalid_text(&step.path, &value.to_string(), detail));
        }
    }
}
