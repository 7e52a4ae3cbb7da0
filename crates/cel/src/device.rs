//! Selectors of devices in claims and classes (k8s.io/dynamic-resource-allocation's cel package): are they right. Nobody evaluates
//! them here.

use std::sync::{Arc, LazyLock};

use crate::check::{CheckFailure, Env, check};
use crate::cost::{estimate_selector, limit};
use crate::dialect::Dialect;
use crate::syntax::parse_with_bindings;
use crate::syntax::source::Source;
use crate::types::decl::{Format, Node, NodeShape, ObjectNode, Properties};
use crate::types::{Record, Type};

/// How many attributes or capacities a device has at most (`ResourceSliceMaxAttributesAndCapacitiesPerDevice`).
const MOST_ENTRIES: u64 = 32;
/// The longest value of an attribute (`DeviceAttributeMaxValueLength`).
const VALUE_LENGTH: u64 = 64;
/// The longest name of a driver (`DriverNameMaxLength`).
const DRIVER_LENGTH: u64 = 63;

/// What is wrong with a selector.
#[derive(Debug, PartialEq, Eq)]
pub enum SelectorError {
    /// It does not compile, or its result is not a bool; in the reference's words.
    Invalid(String),
    /// It may cost more than is allowed.
    Costly,
}

/// What selectors may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Selectors {
    /// The expressions.
    pub dialect: Dialect,
    /// Whether devices say if they can be allocated several times.
    pub has_sharing: bool,
}

/// Checks a selector.
///
/// # Errors
///
/// What is wrong with it.
pub fn check_selector(selectors: Selectors, text: &str) -> Result<(), SelectorError> {
    match highest_cost(selectors, text) {
        Ok(0..=limit::SELECTOR) => Ok(()),
        Ok(_) => Err(SelectorError::Costly),
        Err(text) => Err(SelectorError::Invalid(text)),
    }
}

/// The most a selector can cost, or what is wrong with it.
fn highest_cost(selectors: Selectors, text: &str) -> Result<u64, String> {
    let source = Source::new(text);
    let told = |failure| match failure {
        CheckFailure::Errors(errors) => format!("compilation failed: {}", errors.display(&source)),
        CheckFailure::Panic(text) => text,
    };
    let ast = parse_with_bindings(&source, selectors.dialect)
        .map_err(|errors| told(CheckFailure::Errors(errors)))?;
    let device: &Record = if selectors.has_sharing { &DEVICE } else { &UNSHARED };
    let env = Env::new(None)
        .with_record(device)
        .with("device", device.ty())
        .in_dialect(selectors.dialect);
    let checked = check(ast, &source, &env).map_err(told)?;
    let result = checked.result();
    if matches!(result, Type::Bool | Type::Any) {
        return Ok(estimate_selector(&checked, &BOUNDS).max);
    }
    Err(format!("must evaluate to bool or the unknown type, not {result}"))
}

/// The type of `device`. Attributes and capacities are known by domain and name.
static DEVICE: LazyLock<Record> = LazyLock::new(|| unshared().with("allowMultipleAllocations", Type::Bool));

static UNSHARED: LazyLock<Record> = LazyLock::new(unshared);

fn unshared() -> Record {
    let by_domain_and_name = |value| Type::map(Type::String, Type::map(Type::String, value));
    Record::new("kubernetes.DRADevice")
        .with("driver", Type::String)
        .with("attributes", by_domain_and_name(Type::Any))
        .with(
            "capacity",
            by_domain_and_name(Type::object("kubernetes.Quantity")),
        )
}

/// How large the parts of a device can be.
static BOUNDS: LazyLock<Node> = LazyLock::new(|| {
    let map = |value: Node| {
        let shape = NodeShape::Object(ObjectNode {
            additional: Some(Arc::new(value)),
            ..ObjectNode::default()
        });
        Node::bounded(shape, MOST_ENTRIES)
    };
    let mut attribute = Node::bounded(NodeShape::Untyped, VALUE_LENGTH);
    attribute.int_or_string = true;
    let quantity = Node::bounded(NodeShape::Untyped, 0);
    let fields = [
        (
            "driver",
            Node::bounded(NodeShape::String(Format::Plain), DRIVER_LENGTH),
        ),
        ("attributes", map(map(attribute))),
        ("capacity", map(map(quantity))),
        ("allowMultipleAllocations", Node::bounded(NodeShape::Boolean, 1)),
    ];
    let fields = fields.map(|(name, node)| (name.into(), Arc::new(node)));
    let device = NodeShape::Object(ObjectNode {
        named: true,
        properties: Properties::new(fields.into()),
        additional: None,
    });
    Node::bounded(device, 0)
});

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, Value};

    use super::*;

    const NEWEST: Selectors = Selectors {
        dialect: Dialect::of_release(38),
        has_sharing: true,
    };

    /// Answers of the reference (its package at v0.38.0-alpha.0).
    const RECORDED: &str = include_str!("../../../conformance/cel/device-selectors.jsonl");

    #[test]
    fn selectors_and_their_costs_are_those_of_the_reference() {
        let mut wrong = Vec::new();
        for line in RECORDED.lines() {
            let arena = Arena::new();
            let recorded = kindsmith_json::parse_str(&arena, line).expect("it is JSON");
            let text = |key| recorded.get(key).and_then(Value::as_str);
            let selector = text("selector").expect("it has a selector");
            let answer = highest_cost(NEWEST, selector);
            let seen = match &answer {
                Ok(cost) => (Some(cost.to_string()), None),
                Err(error) => (None, Some(error.as_str())),
            };
            if seen != (text("cost").map(str::to_owned), text("error")) {
                wrong.push(format!("{line}\n  {answer:?}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn costs_are_limited() {
        let nested = |depth| {
            let loops = "device.attributes.all(a, ".repeat(depth);
            format!("{loops}true{}", ")".repeat(depth))
        };
        assert_eq!(check_selector(NEWEST, &nested(3)), Ok(()));
        assert_eq!(check_selector(NEWEST, &nested(4)), Err(SelectorError::Costly));
    }

    #[test]
    fn older_releases_have_fewer_functions_and_fields() {
        let old = Selectors {
            dialect: Dialect::of_release(34),
            has_sharing: false,
        };
        for text in [
            "device.allowMultipleAllocations",
            "[device.driver].distinct().size() == 1",
        ] {
            assert_eq!(check_selector(NEWEST, text), Ok(()), "{text}");
            assert!(
                matches!(check_selector(old, text), Err(SelectorError::Invalid(_))),
                "{text}"
            );
        }
        assert_eq!(check_selector(old, "device.driver == 'a'"), Ok(()));
    }
}
