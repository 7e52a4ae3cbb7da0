//! Validation of `podFailurePolicy` and `successPolicy` (pkg/apis/batch/validation/validation.go).

use std::collections::HashSet;

use kindsmith_gostd::quote::quote;
use kindsmith_object::{BadValue, Detail, ErrorKind, FieldError};

use crate::field::{Errors, Field};
use crate::field_check::{invalid, too_long};
use crate::go_value::json::as_json;
use crate::types::words;

const RULES: usize = 20;
const CODES: usize = 255;

/// Strings as Go prints a list of them.
fn listed(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| quote(word)).collect();
    format!("valid values: [{}]", words.join(" "))
}

fn one_of(field: &Field<'_, '_>, known: &[&str], errors: &mut Errors) {
    match field.text() {
        "" => field.required(&listed(known), errors),
        _ => field.one_of(known, errors),
    }
}

fn check_number(list: &Field<'_, '_>, limit: usize, errors: &mut Errors) {
    if list.len() > limit {
        errors.push(FieldError::new(
            ErrorKind::TooMany,
            list.path.to_owned(),
            BadValue::Integer(list.len() as i128),
            Detail::AtMostItems(limit as i64),
        ));
    }
}

/// Validates the failure policy.
pub(super) fn validate_failure_policy(spec: &Field<'_, '_>, errors: &mut Errors) {
    let policy = spec.child("podFailurePolicy");
    let rules = policy.child("rules");
    check_number(&rules, RULES, errors);
    let template = spec.child("template");
    let pod = template.child("spec");
    let mut containers = HashSet::new();
    for key in ["containers", "initContainers"] {
        let list = pod.child(key);
        containers.extend(list.items().map(|container| container.child("name").text()));
    }
    for rule in rules.items() {
        let action = rule.child("action");
        if action.text() == "FailIndex" && !spec.child("backoffLimitPerIndex").is_set() {
            action.invalid("requires the backoffLimitPerIndex to be set", errors);
        }
        one_of(&action, words("batch/v1.PodFailurePolicyAction"), errors);
        let (codes, conditions) = (rule.child("onExitCodes"), rule.child("onPodConditions"));
        if codes.is_set() {
            validate_codes(&codes, &containers, errors);
        }
        validate_conditions(&conditions, errors);
        let problem = match (codes.is_set(), conditions.len() > 0) {
            (true, true) => "specifying both OnExitCodes and OnPodConditions is not supported",
            (false, false) => "specifying one of OnExitCodes and OnPodConditions is required",
            _ => continue,
        };
        errors.push(invalid(&rule.path, BadValue::Omitted, problem));
    }
}

fn validate_codes(codes: &Field<'_, '_>, containers: &HashSet<&str>, errors: &mut Errors) {
    let (operator, name, values) = (
        codes.child("operator"),
        codes.child("containerName"),
        codes.child("values"),
    );
    one_of(
        &operator,
        words("batch/v1.PodFailurePolicyOnExitCodesOperator"),
        errors,
    );
    if name.is_set() && !containers.contains(name.text()) {
        let detail = "must be one of the container or initContainer names in the pod template";
        name.invalid(detail, errors);
    }
    if values.len() == 0 {
        values.invalid("at least one value is required", errors);
    }
    check_number(&values, CODES, errors);
    let mut seen = HashSet::new();
    let mut last = i64::MIN;
    let mut is_ordered = true;
    for value in values.items() {
        if operator.text() == "In" && value.number() == 0 {
            value.invalid("must not be 0 for the In operator", errors);
        }
        if !seen.insert(value.number()) {
            errors.push(FieldError::new(
                ErrorKind::Duplicate,
                value.path.to_owned(),
                value.shown(),
                Detail::None,
            ));
        }
        is_ordered &= last <= value.number();
        last = value.number();
    }
    if !is_ordered {
        values.invalid("must be ordered", errors);
    }
}

fn validate_conditions(conditions: &Field<'_, '_>, errors: &mut Errors) {
    check_number(conditions, RULES, errors);
    for condition in conditions.items() {
        condition.child("type").or_empty().label_key(errors);
        one_of(
            &condition.child("status"),
            words("core/v1.ConditionStatus"),
            errors,
        );
    }
}

/// Validates the success policy of an indexed job.
pub(super) fn validate_success_policy(spec: &Field<'_, '_>, errors: &mut Errors) {
    let policy = spec.child("successPolicy");
    let rules = policy.child("rules");
    if rules.len() == 0 {
        let detail = "at least one rules must be specified when the successPolicy is specified";
        rules.required(detail, errors);
    }
    check_number(&rules, RULES, errors);
    let completions = spec.child("completions").number();
    for rule in rules.items() {
        validate_success(&rule, completions, errors);
    }
}

fn validate_success(rule: &Field<'_, '_>, completions: i64, errors: &mut Errors) {
    const LIMIT: usize = 64 * 1024;
    let (count, indexes) = (rule.child("succeededCount"), rule.child("succeededIndexes"));
    if !count.is_set() && !indexes.is_set() {
        let detail = "at least one of succeededCount or succeededIndexes must be specified";
        rule.required(detail, errors);
    }
    let mut total = 0;
    if indexes.text().len() > LIMIT {
        errors.push(too_long(&indexes.path, LIMIT as i64));
    }
    match count_indexes(indexes.text(), completions) {
        Ok(number) => total = number,
        Err(problem) => indexes.invalid(format!("error parsing succeededIndexes: {problem}"), errors),
    }
    count.not_negative(errors);
    if count.number() > completions {
        let detail =
            format!("must be less than or equal to {completions} (the number of specified completions)");
        count.invalid(detail, errors);
    }
    if indexes.is_set() && count.number() > total {
        let detail = format!(
            "must be less than or equal to {total} (the number of indexes in the specified succeededIndexes field)"
        );
        count.invalid(detail, errors);
    }
}

/// How many indexes a text such as `1,3-5` names.
pub(super) fn count_indexes(text: &str, completions: i64) -> Result<i64, String> {
    let mut total = 0;
    let mut last = None;
    for interval in text.split(',').filter(|_| !text.is_empty()) {
        let (first, end) = read_interval(interval, completions)?;
        if let Some(last) = last.filter(|last| *last >= first) {
            return Err(format!(
                "non-increasing order, previous: {last}, current: {first}"
            ));
        }
        total += 1 + end - first;
        last = Some(end);
    }
    Ok(total)
}

/// The first index that two texts name; parts that cannot be read are left out.
pub(super) fn first_common_index(one: &str, other: &str, completions: i64) -> Option<i64> {
    let intervals = |text: &str| -> Vec<(i64, i64)> {
        let parts = text.split(',');
        parts
            .filter_map(|part| read_interval(part, completions).ok())
            .collect()
    };
    let (one, other) = (intervals(one), intervals(other));
    let (mut one, mut other) = (&*one, &*other);
    while let ([left, more @ ..], [right, others @ ..]) = (one, other) {
        if left.0 <= right.1 && right.0 <= left.1 {
            return Some(left.0.max(right.0));
        }
        if left.0 <= right.0 {
            one = more;
        } else {
            other = others;
        }
    }
    None
}

fn read_interval(interval: &str, completions: i64) -> Result<(i64, i64), String> {
    let read = |text: &str| {
        let index: i64 = text
            .parse()
            .map_err(|_| format!("cannot convert string to integer for index: {}", quote(text)))?;
        if index >= completions {
            return Err(format!("too large index: {}", quote(text)));
        }
        Ok(index)
    };
    match *interval.split('-').collect::<Vec<_>>() {
        [one] => read(one).map(|index| (index, index)),
        [first, end] => {
            let (first, end) = (read(first)?, read(end)?);
            if first >= end {
                return Err(format!("non-increasing order, previous: {first}, current: {end}"));
            }
            Ok((first, end))
        }
        _ => Err(format!(
            "the fragment {} violates the requirement that an index interval can have at most two parts separated by '-'",
            quote(interval)
        )),
    }
}

fn show(field: &Field<'_, '_>, key: &str) -> String {
    as_json(field.child(key).value).to_json()
}

fn show_rules(policy: &Field<'_, '_>, rule: impl Fn(&Field<'_, '_>) -> String) -> BadValue {
    if !policy.is_set() {
        return BadValue::Nil;
    }
    let rules = policy.child("rules");
    let shown: Vec<String> = rules.items().map(|item| rule(&item)).collect();
    let text = if rules.is_set() {
        format!(r#"{{"Rules":[{}]}}"#, shown.join(","))
    } else {
        r#"{"Rules":null}"#.to_owned()
    };
    BadValue::Json(text.into())
}

/// A success policy as Go prints its internal type.
pub(super) fn success_policy(policy: &Field<'_, '_>) -> BadValue {
    show_rules(policy, |rule| {
        let (indexes, count) = (show(rule, "succeededIndexes"), show(rule, "succeededCount"));
        format!(r#"{{"SucceededIndexes":{indexes},"SucceededCount":{count}}}"#)
    })
}

/// A failure policy as Go prints its internal type.
pub(super) fn failure_policy(policy: &Field<'_, '_>) -> BadValue {
    show_rules(policy, |rule| {
        let codes = rule.child("onExitCodes");
        let shown = if codes.is_set() {
            format!(
                r#"{{"ContainerName":{},"Operator":{},"Values":{}}}"#,
                show(&codes, "containerName"),
                show(&codes, "operator"),
                show(&codes, "values")
            )
        } else {
            "null".to_owned()
        };
        let conditions = rule.child("onPodConditions");
        let patterns: Vec<String> = conditions
            .items()
            .map(|item| {
                format!(
                    r#"{{"Type":{},"Status":{}}}"#,
                    show(&item, "type"),
                    show(&item, "status")
                )
            })
            .collect();
        let patterns = if conditions.is_set() {
            format!("[{}]", patterns.join(","))
        } else {
            "null".to_owned()
        };
        format!(
            r#"{{"Action":{},"OnExitCodes":{shown},"OnPodConditions":{patterns}}}"#,
            show(rule, "action")
        )
    })
}
