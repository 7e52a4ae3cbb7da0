//! When admission is called during a write, and what it sees.

use kindsmith_crd::{
    Admission, Body, CrdResource, FieldValidation, Media, Operation, Outcome, Resource, ScaleWrite, Stamp,
    Status, Write,
};
use kindsmith_json::{Arena, Value, parse_str, to_string, yaml};
use kindsmith_openapi::crd;
use kindsmith_request::{AdmissionOperation, AdmissionRequest, Undecoded};

const THINGS: &str = r"
spec:
  group: example.org
  scope: Namespaced
  names: {plural: things, kind: Thing}
  versions:
  - name: v1
    served: true
    storage: true
    subresources:
      scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer, maximum: 5}
          color:
            type: object
            properties:
              name: {type: string}
              shade: {type: string, default: dark}
";

const THING: &str =
    r#"{"apiVersion":"example.org/v1","kind":"Thing","metadata":{"name":"a"},"spec":{"size":3}}"#;

fn things() -> Resource {
    let arena = Arena::new();
    let document = yaml::parse(&arena, THINGS.as_bytes()).expect("YAML");
    let read = crd::read(document, crd::Source::Yaml).expect("a CRD");
    Resource::new(&read.definition)
}

fn write(operation: Operation<'_>) -> Write<'_> {
    Write {
        version: "v1",
        operation,
        namespace: "default",
        name: if operation.old().is_some() { "a" } else { "" },
        field_validation: FieldValidation::Warn,
        is_dry_run: true,
        stamp: Stamp {
            uid: "u",
            now: "2026-01-01T00:00:00Z",
            name_suffix: "abcde",
        },
    }
}

/// Sets a member of each object and records what it saw.
struct Webhook<'a> {
    arena: &'a Arena,
    set: (&'a [&'a str], &'a str),
    seen: Vec<String>,
    validated: String,
}

impl<'a> Webhook<'a> {
    fn new(arena: &'a Arena, path: &'a [&'a str], value: &'a str) -> Self {
        Webhook {
            arena,
            set: (path, value),
            seen: Vec::new(),
            validated: String::new(),
        }
    }

    fn note(&mut self, hook: &str, request: &AdmissionRequest<'_, 'a>) {
        let operation = match request.operation {
            AdmissionOperation::Create => "create",
            AdmissionOperation::Update => "update",
            AdmissionOperation::Delete => "delete",
            AdmissionOperation::Connect => "connect",
        };
        self.seen.push(format!(
            "{hook} {operation} {}/{}/{}/{} {} {}/{} old={} dry={}",
            request.group,
            request.version,
            request.resource,
            request.subresource,
            request.kind.2,
            request.namespace,
            request.name,
            request.old.is_some(),
            request.is_dry_run,
        ));
    }
}

impl<'a> Admission<'a> for Webhook<'a> {
    fn mutate(&mut self, request: &AdmissionRequest<'_, 'a>, object: Value<'a>) -> Result<Value<'a>, Status> {
        self.note("mutate", request);
        let (path, value) = self.set;
        let mut object = object;
        object.set(self.arena, path, parse_str(self.arena, value).expect("JSON"));
        let mutated = request.decode_mutated(object);
        Ok(mutated.map_err(Undecoded::into_status)?.object)
    }

    fn validate(&mut self, request: &AdmissionRequest<'_, 'a>, object: Value<'a>) -> Result<(), Status> {
        self.note("validate", request);
        self.validated = to_string(object);
        let name = object.lookup(&["metadata", "name"]).and_then(Value::as_str);
        match name {
            Some("forbidden") => Err(Status::bad_request("not this one")),
            _ => Ok(()),
        }
    }
}

fn answer(outcome: Outcome<'_>) -> String {
    match outcome.result {
        Ok(written) => to_string(written.object),
        Err(status) => status.message,
    }
}

fn body(text: &str) -> Body<'_> {
    Body {
        bytes: text.as_bytes(),
        media: Media::Json,
    }
}

#[test]
fn a_changed_object_is_defaulted_again_and_pruned_at_the_end() {
    let (things, arena) = (things(), Arena::new());
    let mut webhook = Webhook::new(&arena, &["color"], r#"{"name":"red","stray":1}"#);
    let outcome = things.write(&arena, &write(Operation::Create), body(THING), &mut webhook);
    assert!(answer(outcome).contains(r#""color":{"name":"red","shade":"dark"}"#));
    let unpruned = r#""color":{"name":"red","stray":1,"shade":"dark"}"#;
    assert!(webhook.validated.contains(unpruned), "{}", webhook.validated);
    assert_eq!(
        webhook.seen,
        [
            "mutate create example.org/v1/things/ Thing default/a old=false dry=true",
            "validate create example.org/v1/things/ Thing default/a old=false dry=true",
        ]
    );
}

#[test]
fn a_changed_object_is_validated() {
    let (things, arena) = (things(), Arena::new());
    let mut webhook = Webhook::new(&arena, &["spec", "size"], "9");
    let outcome = things.write(&arena, &write(Operation::Create), body(THING), &mut webhook);
    assert!(answer(outcome).contains("should be less than or equal to 5"));
    assert_eq!(
        webhook.seen.len(),
        1,
        "an invalid object needs no validating admission"
    );
}

#[test]
fn validating_admission_can_reject() {
    let (things, arena) = (things(), Arena::new());
    let mut webhook = Webhook::new(&arena, &["metadata", "name"], r#""forbidden""#);
    let outcome = things.write(&arena, &write(Operation::Create), body(THING), &mut webhook);
    assert_eq!(answer(outcome), "not this one");
}

#[test]
fn admission_sees_the_scale_of_an_object() {
    let (things, arena) = (things(), Arena::new());
    let old = parse_str(
        &arena,
        r#"{"apiVersion":"example.org/v1","kind":"Thing","metadata":{"name":"a","namespace":"default","uid":"u","resourceVersion":"7","generation":1},"spec":{"size":3}}"#,
    )
    .expect("JSON");
    let sent = parse_str(&arena, r#"{"metadata":{"name":"a"},"spec":{"replicas":4}}"#).expect("JSON");
    let scale = ScaleWrite::of(&arena, sent, true).expect("metadata");
    let mut webhook = Webhook::new(&arena, &["spec", "replicas"], "5");
    let write = write(Operation::Update { old: Some(old) });
    let outcome = things.write_scale(&arena, &write, &scale, &mut webhook);
    let stored = outcome.result.expect("it is valid").stored;
    assert_eq!(stored.lookup(&["spec", "size"]), Some(Value::Int(5)));
    assert_eq!(
        webhook.seen,
        [
            "mutate update example.org/v1/things/scale Scale default/a old=true dry=true",
            "validate update example.org/v1/things/scale Scale default/a old=true dry=true",
        ]
    );
}

#[test]
fn crds_can_be_changed_too() {
    let (crds, arena) = (CrdResource::default(), Arena::new());
    let mut webhook = Webhook::new(&arena, &["spec", "names", "shortNames"], r#"["th"]"#);
    let text = format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: things.example.org}}{THINGS}"
    );
    let body = Body {
        bytes: arena.alloc_str(&text).as_bytes(),
        media: Media::Yaml,
    };
    let answer = answer(crds.write(&arena, &write(Operation::Create), body, &mut webhook));
    assert!(answer.contains(r#""shortNames":["th"]"#), "{answer}");
    assert!(answer.contains(r#""listKind":"ThingList""#), "{answer}");
}
