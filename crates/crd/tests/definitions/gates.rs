//! Disabled feature gates, and CRDs of `v1beta1`.

use kindsmith_crd::definition::{DefinitionValidation, Gates, create, update};
use kindsmith_crd::{Body, FieldValidation, Media, NoAdmission, Operation, Resource, Stamp, Write};
use kindsmith_json::{Arena, to_string, yaml};
use kindsmith_openapi::crd::{self, InternalDefinition};

use super::sample::{established, expect, with_schema};

const DEFAULT: &str = "type: object\nproperties: {a: {type: string, default: x}}";

fn off() -> Gates {
    Gates {
        custom_resource_defaulting: false,
        ..Gates::default()
    }
}

#[test]
fn without_the_gate_no_crd_gets_its_first_default() {
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

/// Creates an object; returns its `a`, or the error.
fn write(schema: &str, body: &str, gates: Gates) -> Result<String, String> {
    let resource = Resource::with_gates(&with_schema(schema), gates);
    let arena = Arena::new();
    let write = Write {
        version: "v1",
        operation: Operation::Create,
        namespace: "default",
        name: "",
        field_validation: FieldValidation::Warn,
        is_dry_run: false,
        stamp: Stamp {
            uid: "1",
            now: "2026-01-01T00:00:00Z",
            name_suffix: "abcde",
        },
    };
    let body = format!("{{apiVersion: example.org/v1, kind: Thing, metadata: {{name: t}}, {body}}}");
    let body = Body {
        bytes: arena.alloc_str(&body).as_bytes(),
        media: Media::Yaml,
    };
    let outcome = resource.write(&arena, &write, body, &mut NoAdmission);
    let written = outcome.result.map_err(|status| status.message)?;
    Ok(written
        .object
        .get("a")
        .map_or_else(|| "absent".to_owned(), to_string))
}

#[test]
fn stored_defaults_apply_whatever_the_gate() {
    assert_eq!(write(DEFAULT, "b: 1", off()).as_deref(), Ok("\"x\""));
}

#[test]
fn without_the_gate_nulls_are_left_for_validation() {
    let old_nulls = Gates {
        declarative_defaults: false,
        ..Gates::default()
    };
    let plain = "type: object\nproperties: {a: {type: string}}";
    let refused = "Thing.example.org \"t\" is invalid: a: Invalid value: \"null\": a in body must be of type string: \"null\"";
    for schema in [DEFAULT, plain] {
        assert_eq!(write(schema, "a: null", old_nulls), Err(refused.to_owned()));
    }
    assert_eq!(write(DEFAULT, "b: 1", old_nulls).as_deref(), Ok("\"x\""));
    assert_eq!(
        write(DEFAULT, "a: null", Gates::default()).as_deref(),
        Ok("\"x\"")
    );
    assert_eq!(write(plain, "a: null", Gates::default()).as_deref(), Ok("absent"));
    let nullable = "type: object\nproperties: {a: {type: string, nullable: true, default: x}}";
    assert_eq!(write(nullable, "a: null", old_nulls).as_deref(), Ok("null"));
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

fn judge(mut definition: InternalDefinition) -> DefinitionValidation {
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
fn v1beta1_needs_no_structural_schema_without_pruning() {
    let mut definition = v1beta1("{properties: {a: {type: text}}}");
    definition.spec.preserve_unknown_fields = Some(true);
    expect(&judge(definition), &[], "anything goes");
}

#[test]
fn v1beta1_rejects_the_same_field_at_the_top_and_in_versions() {
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

fn kep() -> Gates {
    Gates {
        defaults_of_kep: true,
        ..Gates::default()
    }
}

/// A schema with an embedded resource that has this metadata by default.
fn embedded(metadata: &str, more: &str) -> InternalDefinition {
    let schema = format!(
        "type: object\nproperties:\n  e:\n    type: object\n    x-kubernetes-embedded-resource: true\n    properties: {{x: {{type: string}}}}\n    \
         default: {{apiVersion: v1, kind: A, metadata: {metadata}}}\n{more}"
    );
    with_schema(&schema).to_internal()
}

/// The CRD as it would be stored, valid or not.
fn stored(definition: &InternalDefinition) -> InternalDefinition {
    established(&definition.to_v1()).to_internal()
}

#[test]
fn by_the_kep_an_update_keeps_a_default_that_was_stored_and_is_not_valid() {
    let wrong = "{name: a, finalizers: 1}";
    let more = "  f: {type: string}\n";
    assert!(
        !create(&mut embedded(wrong, ""), kep()).is_accepted(),
        "a new CRD"
    );
    let old = stored(&embedded(wrong, ""));
    let verdict = update(&mut embedded(wrong, more), &old, kep());
    expect(&verdict, &[], "it was there before");
    let verdict = update(&mut embedded("{name: a, finalizers: 2}", more), &old, kep());
    assert!(!verdict.is_accepted(), "another wrong default");
    let clean = stored(&embedded("{name: a}", ""));
    let verdict = update(&mut embedded(wrong, ""), &clean, kep());
    assert!(!verdict.is_accepted(), "it was not there before");
    let verdict = update(&mut embedded(wrong, more), &old, Gates::default());
    assert!(!verdict.is_accepted(), "Kubernetes has no such exception");
}

#[test]
fn by_the_kep_a_default_is_stored_as_it_was_written() {
    let written = |gates| {
        let mut definition = embedded("{name: a, color: red}", "");
        let verdict = create(&mut definition, gates);
        expect(&verdict, &[], "unknown metadata is allowed");
        let definition = definition.to_v1();
        let schema = definition.spec.versions[0]
            .open_api_v3_schema()
            .expect("a schema");
        let (_, embedded) = &schema.properties[0];
        embedded.default.as_ref().expect("a default").as_str().to_owned()
    };
    assert!(written(kep()).contains("red"));
    // As recorded of Kubernetes, whose validation changes what is stored.
    assert!(!written(Gates::default()).contains("red"));
}
