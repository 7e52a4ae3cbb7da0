//! What claims, classes and slices say about devices: rules they share (pkg/apis/resource/validation/validation.go).

use std::collections::HashSet;

use kindsmith_cel::device::{SelectorError, Selectors, check_selector};
use kindsmith_cel::dialect::Dialect;
use kindsmith_formats::format::message;
use kindsmith_json::Value;
use kindsmith_object::meta::NameRule;
use kindsmith_object::{BadValue, Behavior, Detail, ErrorKind, FieldError, Gate};

use crate::field::{Errors, Field};
use crate::field_check::{duplicate, invalid, invalid_text, not_supported, required, too_long};
use crate::types::words;

const EXPRESSION_LIMIT: usize = 10 * 1024;
pub(crate) const PARAMETERS_LIMIT: usize = 10 * 1024;
const NAME_LIMIT: usize = 32;

/// Refuses a list with more elements than there may be. Returns whether it is short enough.
pub(crate) fn check_size(list: &Field<'_, '_>, limit: usize, errors: &mut Errors) -> bool {
    let is_right = list.len() <= limit;
    if !is_right {
        errors.push(FieldError {
            origin: "maxItems".into(),
            ..FieldError::new(
                ErrorKind::TooMany,
                list.path.to_owned(),
                BadValue::Integer(list.len() as i128),
                Detail::AtMostItems(limit as i64),
            )
        });
    }
    is_right
}

/// Refuses elements with a key that another one has.
pub(crate) fn check_unique<'v>(
    list: &Field<'_, 'v>,
    key: impl Fn(&Field<'_, 'v>) -> String,
    errors: &mut Errors,
) {
    let mut seen = HashSet::new();
    for item in list.items() {
        let key = key(&item);
        if !seen.insert(key.clone()) {
            errors.push(duplicate(&item.path, &key));
        }
    }
}

/// Checks the name of a request, a device or a counter.
pub(crate) fn check_label(name: &Field<'_, '_>, errors: &mut Errors) {
    name.or_empty().name(NameRule::Label, errors);
}

/// Checks the name of a pool: subdomains with slashes between them.
pub(crate) fn check_pool(pool: &Field<'_, '_>, errors: &mut Errors) {
    const LIMIT: i64 = 253;
    let name = pool.text();
    if name.is_empty() {
        return pool.required("", errors);
    }
    let before = errors.len();
    if name.len() as i64 > LIMIT {
        errors.push(too_long(&pool.path, LIMIT));
    }
    for part in name.split('/') {
        NameRule::Subdomain.validate(part, &pool.path, errors);
    }
    for error in &mut errors[before..] {
        error.origin = "format=k8s-resource-pool-name".into();
    }
}

/// Checks the name of an attribute or a capacity: a C identifier, with or without a domain. Errors are reported at the map.
pub(crate) fn check_qualified(name: &str, map: &Field<'_, '_>, errors: &mut Errors) {
    let entry = map.at(map.path.key(name));
    let map = if map.release.has(Behavior::DeviceKeysAtMap) {
        map
    } else {
        &entry
    };
    let refusal = |detail: &str| {
        if map.release.has(Behavior::QualifiedNamesInvalid) {
            invalid_text(&map.path, "", detail)
        } else {
            required(&map.path, detail)
        }
    };
    let parts: Vec<&str> = name.split('/').collect();
    match *parts {
        [""] if !map.release.has(Behavior::QualifiedNamesInvalid) => {
            errors.push(required(&map.path, "name required"));
        }
        [name] => check_identifier(name, map, errors),
        [domain, name] => {
            match domain {
                "" => errors.push(refusal("the domain must not be empty")),
                domain => Field {
                    path: map.path,
                    value: Some(Value::Str(domain)),
                    release: map.release,
                }
                .driver_name(errors),
            }
            match name {
                "" => errors.push(refusal("the name must not be empty")),
                name => check_identifier(name, map, errors),
            }
        }
        _ => {}
    }
}

fn check_identifier(name: &str, map: &Field<'_, '_>, errors: &mut Errors) {
    if name.len() > NAME_LIMIT {
        errors.push(too_long(&map.path, NAME_LIMIT as i64));
    }
    let mut letters = name.bytes();
    let is_right = letters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == b'_');
    if !is_right {
        let detail = message::regex(
            "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric \
             characters or '_'",
            "[A-Za-z_][A-Za-z0-9_]*",
            &["my_name", "MY_NAME", "MyName"],
        );
        errors.push(invalid_text(&map.path, name, detail));
    }
}

/// Checks selectors; those that were stored before are not compiled again.
pub(crate) fn check_selectors(selectors: &Field<'_, '_>, is_stored: bool, errors: &mut Errors) {
    const LIMIT: usize = 32;
    if !check_size(selectors, LIMIT, errors) {
        return;
    }
    for selector in selectors.items() {
        let cel = selector.child("cel");
        if !cel.is_set() {
            cel.required("", errors);
            continue;
        }
        let expression = cel.child("expression").or_empty();
        let text = expression.text();
        if is_stored {
            continue;
        }
        if text.len() > EXPRESSION_LIMIT {
            errors.push(too_long(&expression.path, EXPRESSION_LIMIT as i64));
        } else {
            let rules = Selectors {
                dialect: Dialect::of_release(selectors.release.number()),
                has_sharing: selectors.release.enables(Gate::DRAConsumableCapacity),
            };
            match check_selector(rules, text) {
                Ok(()) => {}
                Err(SelectorError::Invalid(why)) => expression.invalid(why, errors),
                Err(SelectorError::Costly) => expression.forbidden("too complex, exceeds cost limit", errors),
            }
        }
    }
}

/// Checks the configuration of a driver.
pub(crate) fn check_configuration(config: &Field<'_, '_>, is_stored: bool, errors: &mut Errors) {
    let opaque = config.child("opaque");
    if !opaque.is_set() {
        return opaque.required("", errors);
    }
    opaque.child("driver").driver_name(errors);
    check_json(&opaque.child("parameters"), is_stored, errors);
}

/// Checks a field with any JSON object.
pub(crate) fn check_json(raw: &Field<'_, '_>, is_stored: bool, errors: &mut Errors) {
    let Some(value) = raw.value else {
        return raw.required("", errors);
    };
    if !is_stored && kindsmith_json::to_string(value).len() > PARAMETERS_LIMIT {
        errors.push(too_long(&raw.path, PARAMETERS_LIMIT as i64));
    } else if value.as_object().is_none() {
        let detail = "must be a valid JSON object";
        errors.push(invalid_text(&raw.path, "<value omitted>", detail));
    }
}

/// Checks what a claim tolerates.
pub(crate) fn check_tolerations(tolerations: &Field<'_, '_>, errors: &mut Errors) {
    for toleration in tolerations.items() {
        let (key, value) = (toleration.child("key"), toleration.child("value"));
        if !key.text().is_empty() {
            key.label_key(errors);
        }
        let operator = toleration.child("operator");
        match operator.text() {
            "Exists" if !value.text().is_empty() => {
                value.invalid("must be empty for operator `Exists`", errors);
            }
            "Exists" => {}
            "Equal" => value.or_empty().format("k8s-label-value", errors),
            "" => operator.required("", errors),
            other => errors.push(not_supported(
                &operator.path,
                other,
                words("resource/v1.DeviceTolerationOperator"),
            )),
        }
        let effect = toleration.child("effect");
        if !effect.text().is_empty() {
            check_effect(&effect, errors);
        }
    }
}

/// Checks the effect of a taint; `None` came later than the others.
fn check_effect(effect: &Field<'_, '_>, errors: &mut Errors) {
    let known = words("resource/v1.DeviceTaintEffect");
    if effect.text() == "None" && !effect.release.has(Behavior::TaintsWithoutEffect) {
        errors.push(not_supported(&effect.path, "None", known));
    } else {
        effect.one_of(known, errors);
    }
}

/// Checks a taint; an effect that was there before stays valid.
pub(crate) fn check_taint(taint: &Field<'_, '_>, old_effect: Option<&str>, errors: &mut Errors) {
    taint.child("key").or_empty().label_key(errors);
    let (value, effect) = (taint.child("value"), taint.child("effect"));
    if !value.text().is_empty() {
        value.format("k8s-label-value", errors);
    }
    if old_effect != Some(effect.text()) {
        match effect.text() {
            "" => effect.required("", errors),
            _ => check_effect(&effect, errors),
        }
    }
}

/// Checks the conditions that binding waits for.
pub(crate) fn check_binding(device: &Field<'_, '_>, errors: &mut Errors) {
    const LIMIT: usize = 4;
    let (wanted, failed) = (
        device.child("bindingConditions"),
        device.child("bindingFailureConditions"),
    );
    for list in [wanted, failed] {
        if check_size(&list, LIMIT, errors) {
            list.items().for_each(|condition| condition.label_key(errors));
        }
    }
    let known: Vec<&str> = wanted.items().map(|condition| condition.text()).collect();
    check_unique(&wanted, |condition| condition.text().to_owned(), errors);
    check_unique(&failed, |condition| condition.text().to_owned(), errors);
    for condition in failed.items() {
        if known.contains(&condition.text()) {
            let detail = "bindingFailureConditions must not overlap with bindingConditions";
            condition.invalid(detail, errors);
        }
    }
    match (wanted.len(), failed.len()) {
        (0, 0) => {}
        (0, _) => {
            let detail = "bindingConditions are required to use bindingFailureConditions";
            errors.push(invalid(&wanted.path, BadValue::Nil, detail));
        }
        (_, 0) => {
            let detail = "bindingFailureConditions are required to use bindingConditions";
            errors.push(invalid(&failed.path, BadValue::Nil, detail));
        }
        _ => {}
    }
}

/// Checks a UUID in its usual form.
pub(crate) fn check_uuid(field: &Field<'_, '_>, errors: &mut Errors) {
    field.format("k8s-uuid", errors);
}
