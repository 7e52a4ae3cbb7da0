//! Laws of writing and reading objects, tested with arbitrary ones.

use kindsmith_crd::{
    Body, FieldValidation, Media, NoAdmission, Operation, Outcome, Resource, Stamp, Write, Written,
};
use kindsmith_json::{Arena, Value, to_string, yaml};
use kindsmith_openapi::crd;
use proptest::prelude::*;

const DEFINITION: &str = r#"
spec:
  group: example.org
  scope: Namespaced
  names: {plural: things, kind: Thing}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.num, statusReplicasPath: .status.num}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            default: {}
            properties:
              num: {type: integer, default: 3, maximum: 5}
              s: {type: string, nullable: true, default: d}
              e: {type: string, enum: [a, b]}
              l: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, required: [k], properties: {k: {type: string}, num: {type: integer, default: 1}}}}
              m: {type: object, additionalProperties: {type: integer, nullable: true}}
              r: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
              x: {x-kubernetes-preserve-unknown-fields: true}
            x-kubernetes-validations:
            - rule: "!has(self.e) || self.num > 1"
          status: {type: object, properties: {num: {type: integer}}}
  - name: v2
    served: true
    storage: false
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {num: {type: integer}, e: {type: string}, o: {type: string, default: o}}}
"#;

fn resource() -> Resource {
    let arena = Arena::new();
    let document = yaml::parse(&arena, DEFINITION.as_bytes()).expect("YAML");
    let read = crd::read(document, crd::Source::Yaml).expect("a definition");
    Resource::new(&read.definition)
}

fn write<'a>(version: &'a str, operation: Operation<'a>) -> Write<'a> {
    Write {
        version,
        name: if matches!(operation, Operation::Create) {
            ""
        } else {
            "a"
        },
        operation,
        namespace: "default",
        field_validation: FieldValidation::Warn,
        is_dry_run: false,
        stamp: Stamp {
            uid: "u",
            now: "2026-01-01T00:00:00Z",
            name_suffix: "abcde",
        },
    }
}

fn send<'a>(resource: &'a Resource, arena: &'a Arena, write: &Write<'a>, text: &str) -> Outcome<'a> {
    let body = Body {
        bytes: arena.alloc_str(text).as_bytes(),
        media: Media::Json,
    };
    resource.write(arena, write, body, &mut NoAdmission)
}

fn value() -> impl Strategy<Value = String> {
    let scalars = [
        "null",
        "true",
        "0",
        "2",
        "7",
        "2.0",
        "1.5",
        "-0.0",
        "1e40",
        r#""a""#,
        r#""b""#,
        r#""""#,
        r#"{"name":"n"}"#,
    ];
    let scalar = prop::sample::select(scalars.to_vec()).prop_map(str::to_owned);
    let keys = [
        "n",
        "s",
        "e",
        "l",
        "m",
        "r",
        "x",
        "k",
        "o",
        "apiVersion",
        "kind",
        "metadata",
    ];
    scalar.prop_recursive(3, 20, 5, move |inner| {
        let members = prop::collection::btree_map(prop::sample::select(keys.to_vec()), inner.clone(), 0..5);
        let object = members.prop_map(|members| {
            let members: Vec<String> = members
                .iter()
                .map(|(key, value)| format!("\"{key}\":{value}"))
                .collect();
            format!("{{{}}}", members.join(","))
        });
        let array = prop::collection::vec(inner, 0..3).prop_map(|items| format!("[{}]", items.join(",")));
        prop_oneof![3 => object, 1 => array]
    })
}

/// An object of a version with arbitrary content.
fn object(version: &str, spec: &str, status: &str) -> String {
    format!(
        r#"{{"apiVersion":"example.org/{version}","kind":"Thing","metadata":{{"name":"a"}},"spec":{spec},"status":{status}}}"#
    )
}

fn created<'a>(
    resource: &'a Resource,
    arena: &'a Arena,
    version: &'a str,
    text: &str,
) -> Option<Written<'a>> {
    send(resource, arena, &write(version, Operation::Create), text)
        .result
        .ok()
}

#[test]
fn the_laws_cover_accepted_objects() {
    let (resource, arena) = (resource(), Arena::new());
    let spec = r#"{"e":"a","num":2,"l":[{"k":"a"}],"x":{"y":1},"r":{"apiVersion":"v1","kind":"K","metadata":{"name":"n"}}}"#;
    let written = created(&resource, &arena, "v1", &object("v1", spec, "{}")).expect("it is valid");
    assert_eq!(written.object.lookup(&["spec", "s"]), Some(Value::Str("d")));
    assert!(created(&resource, &arena, "v2", &object("v2", spec, "{}")).is_some());
}

#[test]
fn a_schema_that_cannot_be_served_fails_every_request() {
    let arena = Arena::new();
    let text = DEFINITION.replacen(
        "        type: object\n",
        "        type: object\n        default: 1\n",
        1,
    );
    let document = yaml::parse(&arena, arena.alloc_str(&text).as_bytes()).expect("YAML");
    let read = crd::read(document, crd::Source::Yaml).expect("a definition");
    let resource = Resource::new(&read.definition);
    let outcome = send(
        &resource,
        &arena,
        &write("v1", Operation::Create),
        &object("v1", "{}", "{}"),
    );
    let status = outcome.result.expect_err("the default of the root is no object");
    assert_eq!(
        (status.code, &*status.message),
        (500, "Internal error occurred: error resolving resource")
    );
    assert!(
        resource
            .read(&arena, Value::Object(kindsmith_json::Object::EMPTY), "v1")
            .is_err()
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn an_answer_is_what_is_read_back(spec in value(), status in value(), version in prop::sample::select(vec!["v1", "v2"])) {
        let (resource, arena) = (resource(), Arena::new());
        if let Some(written) = created(&resource, &arena, version, &object(version, &spec, &status)) {
            let text = arena.alloc_str(&to_string(written.stored));
            let stored = kindsmith_json::parse_str(&arena, text).expect("what was written can be read");
            let read = resource.read(&arena, stored, version).expect("what was stored can be read");
            prop_assert_eq!(read, written.object);
            prop_assert_eq!(stored.get("apiVersion"), Some(Value::Str("example.org/v1")));
        }
    }

    #[test]
    fn an_object_can_be_written_back_as_it_was_read(spec in value(), status in value()) {
        let (resource, arena) = (resource(), Arena::new());
        if let Some(written) = created(&resource, &arena, "v1", &object("v1", &spec, &status)) {
            let mut old = written.object;
            old.set(&arena, &["metadata", "resourceVersion"], Value::Str("5"));
            let update = write("v1", Operation::Update { old: Some(old) });
            let again = send(&resource, &arena, &update, &to_string(old));
            let again = again.result.map_err(|status| TestCaseError::fail(status.message))?;
            prop_assert_eq!(again.object, written.object);
            let update = write("v1", Operation::UpdateStatus { old: Some(old) });
            let again = send(&resource, &arena, &update, &to_string(old));
            let again = again.result.map_err(|status| TestCaseError::fail(status.message))?;
            prop_assert_eq!(again.object, written.object);
        }
    }

    #[test]
    fn only_a_changed_object_has_a_new_generation(spec in value(), other in value()) {
        let (resource, arena) = (resource(), Arena::new());
        let Some(written) = created(&resource, &arena, "v1", &object("v1", &spec, "{}")) else {
            return Ok(());
        };
        let mut old = written.object;
        old.set(&arena, &["metadata", "resourceVersion"], Value::Str("5"));
        let update = write("v1", Operation::Update { old: Some(old) });
        let body = object("v1", &other, "1").replace(r#""name":"a""#, r#""name":"a","resourceVersion":"5""#);
        if let Ok(updated) = send(&resource, &arena, &update, &body).result {
            // A whole number sent as `2.0` differs from the stored `2` until it is stored as well.
            let is_same = updated.object.get("spec") == old.get("spec") && !other.contains(".0");
            let generation = updated.object.lookup(&["metadata", "generation"]);
            if is_same || updated.object.get("spec") != old.get("spec") {
                prop_assert_eq!(generation, Some(Value::Int(if is_same { 1 } else { 2 })));
            }
            prop_assert_eq!(updated.object.get("status"), old.get("status"));
        }
    }

    #[test]
    fn any_bytes_get_a_response(bytes in prop::collection::vec(any::<u8>(), 0..64), is_yaml in any::<bool>()) {
        let (resource, arena) = (resource(), Arena::new());
        let bytes: &[u8] = arena.alloc_slice_copy(&bytes);
        let media = if is_yaml { Media::Yaml } else { Media::Json };
        let create = write("v1", Operation::Create);
        let outcome = resource.write(&arena, &create, Body { bytes, media }, &mut NoAdmission);
        prop_assert_eq!(outcome.result.expect_err("no object").code, 400);
    }
}
