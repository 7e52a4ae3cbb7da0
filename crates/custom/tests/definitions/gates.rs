//! Gates switched off, and definitions of the old API version.

use kindsmith_custom::definition::{Gates, Verdict, create, update};
use kindsmith_json::{Arena, yaml};
use kindsmith_openapi::crd::{self, InternalDefinition};

use crate::sample::{established, expect, with_schema};

const DEFAULT: &str = "type: object\nproperties: {a: {type: string, default: x}}";

fn off() -> Gates {
    Gates {
        custom_resource_defaulting: false,
        ..Gates::default()
    }
}

#[test]
fn without_the_gate_no_definition_gains_its_first_default() {
    let refused = ["P.properties[a].default: Forbidden: must not be set"];
    let new = with_schema(DEFAULT);
    expect(&create(&mut new.to_internal(), off()), &refused, "create");
    let old = established(&with_schema("type: object")).to_internal();
    expect(
        &update(&mut new.to_internal(), &old, off()),
        &refused,
        "first default",
    );
    let old = established(&new).to_internal();
    expect(
        &update(&mut new.to_internal(), &old, off()),
        &[],
        "there were defaults before",
    );
}

#[test]
fn both_gates_are_on() {
    let gates = Gates::default();
    assert!(gates.applies_defaults() && gates.normalizes_nulls());
    assert!(!off().applies_defaults());
}

fn v1beta1(schema: &str) -> InternalDefinition {
    let text = format!(
        "metadata: {{name: things.example.org}}\nspec:\n  group: example.org\n  names: {{plural: things, kind: Thing}}\n  version: v1\n  preserveUnknownFields: false\n  validation: {{openAPIV3Schema: {schema}}}\n"
    );
    let arena = Arena::new();
    let value = yaml::parse(&arena, text.as_bytes()).expect("cases are YAML");
    let read = crd::read_v1beta1(value, crd::Source::Unknown).expect("cases decode");
    let mut definition = read.definition;
    definition.default_v1beta1_fields();
    definition
}

fn judge(mut definition: InternalDefinition) -> Verdict {
    create(&mut definition, Gates::default())
}

#[test]
fn v1beta1_creates_no_defaults() {
    expect(&judge(v1beta1("{type: object}")), &[], "plain");
    expect(
        &judge(v1beta1(
            "{type: object, properties: {a: {type: string, default: x}}}",
        )),
        &[
            "P.properties[a].default: Forbidden: must not be set (cannot set default values in apiextensions.k8s.io/v1beta1 CRDs, must use apiextensions.k8s.io/v1)",
        ],
        "default",
    );
}

#[test]
fn v1beta1_needs_no_structure_where_nothing_is_pruned() {
    let mut definition = v1beta1("{properties: {a: {type: text}}}");
    definition.spec.preserve_unknown_fields = Some(true);
    expect(&judge(definition), &[], "anything goes");
}

#[test]
fn v1beta1_says_everything_once() {
    let mut definition = v1beta1("{type: object}");
    definition.spec.versions.make()[0].schema = definition.spec.validation.clone();
    let verdict = judge(definition);
    let texts: Vec<String> = verdict.errors.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts[0],
        "spec.validation: Forbidden: top-level and per-version schemas are mutually exclusive"
    );
    assert!(
        texts[1].ends_with("per-version schemas may not all be set to identical values (top-level validation should be used instead)"),
        "{}",
        texts[1]
    );
}
