//! Priority level configurations (pkg/apis/flowcontrol/v1/defaults.go). Tags set the defaults of shares.

use std::collections::HashSet;

use kindsmith_json::{Arena, Value, parse_str};

use super::described::{Described, StatusPart};
use crate::Change;
use crate::edit::member;
use crate::field::{Errors, Field};
use crate::field_check::{invalid, number};
use crate::go_value::internal;
use crate::go_value::json::is_same;
use crate::table::{Heading, Row, Table, column};
use crate::types::words;

pub(crate) const PRIORITY_LEVEL: Described = Described {
    status: StatusPart::Only,
    default: default_priority_level,
    rules: validate_priority_level,
    table: Table {
        headings: PRIORITY_LEVEL_COLUMNS,
        cells: priority_level_cells,
    },
    ..Described::STATUS
};

const PRIORITY_LEVEL_COLUMNS: &[Heading] = &[
    column::NAME,
    column::text("Type", "flowcontrol/v1.PriorityLevelConfigurationSpec.type"),
    column::text(
        "NominalConcurrencyShares",
        "flowcontrol/v1.LimitedPriorityLevelConfiguration.nominalConcurrencyShares",
    ),
    column::text("Queues", "flowcontrol/v1.QueuingConfiguration.queues"),
    column::text("HandSize", "flowcontrol/v1.QueuingConfiguration.handSize"),
    column::text(
        "QueueLengthLimit",
        "flowcontrol/v1.QueuingConfiguration.queueLengthLimit",
    ),
    column::AGE,
];

/// The default numbers of queues.
const QUEUING: [(&str, i64); 3] = [("queues", 64), ("handSize", 8), ("queueLengthLimit", 50)];

/// Sets numbers of queues that are zero or absent.
pub(crate) fn default_priority_level<'a>(arena: &'a Arena, object: Value<'a>) -> Value<'a> {
    let mut object = object;
    let path = ["spec", "limited", "limitResponse", "queuing"];
    member(arena, &mut object, &path, |queuing| {
        let mut queuing = queuing;
        for (key, number_of) in QUEUING {
            if number(queuing.get(key)) == 0 {
                queuing.set(arena, &[key], Value::Int(number_of));
            }
        }
        queuing
    });
    object
}

/// The level of requests that no other takes does not change.
const CATCH_ALL: &str = r#"{"type":"Limited","limited":{"nominalConcurrencyShares":5,"limitResponse":{"type":"Reject"},"lendablePercent":0}}"#;

/// The level of requests that never wait, apart from its shares.
const EXEMPT: &str = r#"{"type":"Exempt"}"#;

/// Checks a level of priority, or its status alone.
pub(crate) fn validate_priority_level(change: &Change<'_>, errors: &mut Errors) {
    if change.subresource == "status" {
        return validate_conditions(change, errors);
    }
    change.validate_new_metadata(errors);
    const ZERO_SHARES: &str = "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares";
    if change.get(&["metadata", "annotations", ZERO_SHARES]).is_some() {
        let metadata = Field::root(change, "metadata");
        let detail = format!("annotation '{ZERO_SHARES}' is forbidden");
        metadata.child("annotations").forbidden(&detail, errors);
    }
    let spec = Field::root(change, "spec");
    let kind = spec.child("type").or_empty();
    if (change.new.meta.name == "exempt") != (kind.text() == "Exempt") {
        let detail = "must be 'Exempt' if and only if `name` is 'exempt'";
        kind.invalid(detail, errors);
    }
    let (limited, exempt) = (spec.child("limited"), spec.child("exempt"));
    match kind.text() {
        "Exempt" => {
            validate_shares(&exempt, errors);
            validate_lendable(&exempt, errors);
        }
        "Limited" if limited.is_set() => validate_limited(&limited, errors),
        "Limited" | "" => {}
        _ => kind.one_of(words("flowcontrol/v1.PriorityLevelEnablement"), errors),
    }
    let arena = Arena::new();
    let fixed = parse_str(&arena, CATCH_ALL).ok();
    if change.new.meta.name == "catch-all" && !is_same(spec.value, fixed) {
        let shown = internal::shown(
            spec.release,
            "flowcontrol/v1",
            "PriorityLevelConfigurationSpec",
            spec.value,
        );
        let detail = "spec of 'catch-all' must equal the fixed value";
        errors.push(invalid(&spec.path, shown, detail));
    }
    let mut rest = spec.value.unwrap_or_default();
    rest.unset(&arena, &["exempt"]);
    if change.new.meta.name == "exempt" && !is_same(Some(rest), parse_str(&arena, EXEMPT).ok()) {
        let shown = internal::shown(
            spec.release,
            "flowcontrol/v1",
            "PriorityLevelConfigurationSpec",
            spec.value,
        );
        let detail = "spec of 'exempt' except the 'spec.exempt' field must equal the fixed value";
        errors.push(invalid(&spec.path, shown, detail));
    }
    validate_conditions(change, errors);
}

/// Validates the conditions of a status: each type occurs once.
pub(super) fn validate_conditions(change: &Change<'_>, errors: &mut Errors) {
    let status = Field::root(change, "status");
    let mut types = HashSet::new();
    for condition in status.child("conditions").items() {
        let kind = condition.child("type");
        if !types.insert(kind.text()) {
            kind.duplicate(errors);
        }
        if kind.text().is_empty() {
            kind.required("", errors);
        }
    }
}

fn validate_shares(level: &Field<'_, '_>, errors: &mut Errors) {
    let shares = level.child("nominalConcurrencyShares");
    if shares.number() < 0 {
        shares.invalid("must be a non-negative integer", errors);
    }
}

fn validate_lendable(level: &Field<'_, '_>, errors: &mut Errors) {
    let lendable = level.child("lendablePercent");
    if !(0..=100).contains(&lendable.number()) {
        lendable.invalid("must be between 0 and 100, inclusive", errors);
    }
}

fn validate_limited(limited: &Field<'_, '_>, errors: &mut Errors) {
    validate_shares(limited, errors);
    let response = limited.child("limitResponse");
    let kind = response.child("type");
    let queuing = response.child("queuing");
    match kind.text() {
        "Queue" if queuing.is_set() => validate_queuing(&queuing, errors),
        "Queue" | "Reject" | "" => {}
        _ => kind.one_of(words("flowcontrol/v1.LimitResponseType"), errors),
    }
    validate_lendable(limited, errors);
    let borrowing = limited.child("borrowingLimitPercent");
    if borrowing.number() < 0 {
        borrowing.invalid("if specified, must be a non-negative integer", errors);
    }
}

fn validate_queuing(queuing: &Field<'_, '_>, errors: &mut Errors) {
    const QUEUES: i64 = 10_000_000;
    const BITS: u32 = 60;
    let (length, queues, hand) = (
        queuing.child("queueLengthLimit"),
        queuing.child("queues"),
        queuing.child("handSize"),
    );
    for amount in [length, queues, hand] {
        if amount.number() <= 0 {
            amount.invalid("must be positive", errors);
        }
    }
    if queues.number() > QUEUES {
        queues.invalid(format!("must not be greater than {QUEUES}"), errors);
    }
    let (deck, size) = (queues.number(), hand.number());
    if size > deck && size > 0 {
        hand.invalid(format!("should not be greater than queues ({deck})"), errors);
    } else if size > 0 && entropy(deck, size) > BITS {
        let detail = format!(
            "required entropy bits of deckSize {deck} and handSize {size} should not be greater than {BITS}"
        );
        hand.invalid(detail, errors);
    }
}

/// The number of bits needed to deal a hand from a deck (`RequiredEntropyBits` in apiserver's
/// pkg/util/shufflesharding/shufflesharding.go).
fn entropy(deck: i64, hand: i64) -> u32 {
    let bits = (deck as f64).log2() * hand as f64;
    bits.ceil() as u32
}

fn priority_level_cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let queuing = "spec.limited.limitResponse.queuing";
    let number = |path: &str| match row.at(path) {
        Value::Null => Value::Str("<none>"),
        number => number,
    };
    vec![
        row.name(),
        Value::Str(row.text("spec.type")),
        number("spec.limited.nominalConcurrencyShares"),
        number(&format!("{queuing}.queues")),
        number(&format!("{queuing}.handSize")),
        number(&format!("{queuing}.queueLengthLimit")),
        row.age(),
    ]
}
