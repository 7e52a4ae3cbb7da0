//! Rules of published schemas: facts known before they run, and the values that they see.

use kindsmith_cel::cost::limit;
use kindsmith_cel::validation_rule::{CompileFailure, Compiled};
use kindsmith_json::{Arena, Path, parse_str};
use kindsmith_schema::{Items, JsonSchema, SchemaOrBool, Shared, ValidationRule};
use kindsmith_structural::StructuralSchema;
use kindsmith_structural::rules::{Ratchet, RuleCache, RuleScope};

fn schema(ty: &str) -> JsonSchema {
    JsonSchema {
        ty: ty.into(),
        ..JsonSchema::default()
    }
}

fn object(properties: Vec<(&str, JsonSchema)>) -> JsonSchema {
    JsonSchema {
        properties: properties
            .into_iter()
            .map(|(name, schema)| (name.into(), schema))
            .collect(),
        ..schema("object")
    }
}

fn list(items: JsonSchema, max: Option<i64>) -> JsonSchema {
    JsonSchema {
        items: Some(Shared::new(Items::Each(items))),
        max_items: max,
        ..schema("array")
    }
}

fn map(values: JsonSchema, max: Option<i64>) -> JsonSchema {
    JsonSchema {
        additional_properties: Some(Shared::new(SchemaOrBool::Schema(values))),
        max_properties: max,
        ..schema("object")
    }
}

fn with_rule(mut schema: JsonSchema, rule: &str) -> JsonSchema {
    schema.validations.push(ValidationRule {
        rule: rule.into(),
        ..ValidationRule::default()
    });
    schema
}

#[test]
fn cost_is_multiplied_by_how_often_the_node_can_occur() {
    let leaf = with_rule(schema("integer"), "self > 1");
    for (outer, inner, used) in [
        (Some(10), Some(20), 200),
        (Some(10), None, 3_145_728 / 2),
        (None, Some(20), 3_145_728 / 2),
    ] {
        let values = map(leaf.clone(), inner);
        let items = list(values.clone(), outer);
        let root = object(vec![("l", items.clone())]);
        let cache = RuleCache::default();
        let root = RuleScope::root(&root, &cache);
        let (l, items) = (root.property("l", &items), values);
        let (items, leaf) = (l.element(&items), &leaf);
        let leaf = items.element(leaf);
        assert_eq!(leaf.cardinality_used(), Ok(used));
        let rules = leaf.compile().expect("integers are visible");
        assert_eq!(rules[0].max_cost(), 2);
        assert_eq!(leaf.cost(&rules[0]), Ok(2 * used));
    }
}

#[test]
fn a_node_without_type_is_not_visible() {
    let any = with_rule(schema(""), "true");
    let root = object(vec![("any", any.clone())]);
    let cache = RuleCache::default();
    let root = RuleScope::root(&root, &cache);
    let error = root.property("any", &any).compile().expect_err("no type");
    assert_eq!(
        error.to_string(),
        "unable to convert structural schema to CEL declarations"
    );
}

#[test]
fn only_names_of_metadata_are_visible_below_a_root_with_rules() {
    let labels = with_rule(schema("string"), "self != ''");
    let metadata = object(vec![("labels", labels.clone()), ("name", labels.clone())]);
    let root = with_rule(
        object(vec![("metadata", metadata.clone())]),
        "self.metadata.name != 'x'",
    );
    let cache = RuleCache::default();
    let root = RuleScope::root(&root, &cache);
    assert!(
        root.compile().expect("visible")[0]
            .rule
            .as_ref()
            .is_some_and(Result::is_ok)
    );
    let metadata = root.property("metadata", &metadata);
    let name = metadata.property("name", &labels);
    // The name is bounded though its schema sets no bound.
    assert!(name.compile().expect("visible")[0].max_cost() < 20);
}

#[test]
fn a_failed_rule_has_as_many_facts_as_possible() {
    let rules = |rule: &str, message: &str| {
        let mut schema = with_rule(schema("string"), rule);
        schema.validations[0].message_expression = message.into();
        let cache = RuleCache::default();
        RuleScope::root(&schema, &cache).compile().expect("visible")
    };
    let is_bad = |compiled: &Option<Result<Compiled, CompileFailure>>| matches!(compiled, Some(Err(_)));
    let blank = &rules(" ", "'x'")[0];
    assert!(blank.rule.is_none() && blank.message.is_none());
    let wrong = &rules("1", "1")[0];
    assert!(is_bad(&wrong.rule) && wrong.message.is_none());
    let program = &rules("oldSelf == 'a' && int('x') == 1", "")[0];
    assert!(is_bad(&program.rule) && program.uses_old_self);
    let message = &rules("self == oldSelf", "1")[0];
    assert!(is_bad(&message.message) && message.uses_old_self);
}

#[test]
fn a_part_is_a_resource_only_if_it_says_so() {
    let part = with_rule(schema("object"), "self.kind == 'A'");
    let arena = Arena::new();
    let value = parse_str(&arena, r#"{"kind": "B"}"#).expect("an object");
    let run = |structure: StructuralSchema| {
        let path = Path::root("spec");
        let verdict = structure.run_rules(&path, value, None, Ratchet::Insist, limit::PER_OBJECT);
        verdict.errors[0].to_string()
    };
    assert_eq!(
        run(StructuralSchema::compile(&part).expect("structural")),
        "spec: Invalid value: failed rule: self.kind == 'A'"
    );
    let text = run(StructuralSchema::compile_part(&part).expect("structural"));
    assert!(
        text.starts_with("spec: Invalid value: \"object\": rule compile error: compilation failed: ERROR"),
        "{text}"
    );
}
