//! The cost of writing a 10 KB custom resource, from the request bytes to the response, relative to the cost of reading
//! it.
//!
//! `cargo bench -p kindsmith-crd --bench write`

#![allow(
    clippy::disallowed_methods,
    reason = "a benchmark reads its input and the clock"
)]
#![allow(clippy::print_stdout, reason = "a bench prints its figures")]

use std::hint::black_box;
use std::time::Duration;

use kindsmith_crd::{Body, FieldValidation, Media, NoAdmission, Operation, Outcome, Resource, Stamp, Write};
use kindsmith_json::{Arena, Value, parse, yaml};
use kindsmith_openapi::crd::{Source, read};

#[path = "../../structural/benches/route/mod.rs"]
mod route;

use route::{DEFINITION, in_arena, route};

fn main() {
    let arena = Arena::new();
    let document = yaml::parse(&arena, DEFINITION.as_bytes()).expect("YAML");
    let definition = read(document, Source::Yaml).expect("a definition").definition;
    let routes = Resource::new(&definition);
    for (what, text) in [
        ("nothing to change", route(true)),
        ("much left open", route(false)),
    ] {
        println!("\n{what}: {} bytes", text.len());
        measure(&routes, &text);
    }
}

fn measure(routes: &Resource, text: &str) {
    let unit = in_arena(|arena| {
        black_box(parse(arena, black_box(text.as_bytes())).expect("JSON"));
    });
    println!("reading {unit:.2?}");
    let show = |what: &str, cost: Duration| {
        let ratio = cost.as_secs_f64() / unit.as_secs_f64();
        println!("{what:<44} {cost:>10.2?} {ratio:>7.3}");
    };
    let create = |arena: &Arena, validation| {
        let outcome = write(routes, arena, text, Operation::Create, validation);
        black_box(&outcome);
        assert!(outcome.result.is_ok());
    };
    show("create", in_arena(|arena| create(arena, FieldValidation::Ignore)));
    show(
        "create, unknown fields listed",
        in_arena(|arena| create(arena, FieldValidation::Warn)),
    );
    let arena = Arena::new();
    let created = write(routes, &arena, text, Operation::Create, FieldValidation::Ignore);
    let stored = created.result.expect("valid").stored;
    show(
        "read from storage",
        in_arena(|arena| {
            black_box(routes.read(arena, black_box(stored), "v1").expect("an object"));
        }),
    );
    let old = numbered(&arena, stored);
    let text = &text.replacen(r#""name":"shop","#, r#""name":"shop","resourceVersion":"7","#, 1);
    show(
        "update, unchanged",
        in_arena(|arena| {
            let operation = Operation::Update { old: Some(old) };
            let outcome = write(routes, arena, text, operation, FieldValidation::Warn);
            assert!(black_box(&outcome).result.is_ok());
        }),
    );
}

/// The object with the resource version that the store sets.
fn numbered<'a>(arena: &'a Arena, stored: Value<'a>) -> Value<'a> {
    let mut object = stored.as_object().expect("an object");
    let mut metadata = object
        .get("metadata")
        .and_then(Value::as_object)
        .expect("metadata");
    metadata.insert(arena, "resourceVersion", Value::Str("7"));
    object.insert(arena, "metadata", Value::Object(metadata));
    Value::Object(object)
}

fn write<'a>(
    routes: &'a Resource,
    arena: &'a Arena,
    text: &'a str,
    operation: Operation<'a>,
    field_validation: FieldValidation,
) -> Outcome<'a> {
    let name = if operation.old().is_some() { "shop" } else { "" };
    let write = Write {
        version: "v1",
        operation,
        namespace: "web",
        name,
        field_validation,
        is_dry_run: false,
        stamp: Stamp {
            uid: "00000000-0000-4000-8000-000000000000",
            now: "2026-01-01T00:00:00Z",
            name_suffix: "abcde",
        },
    };
    let body = Body {
        bytes: black_box(text.as_bytes()),
        media: Media::Json,
    };
    routes.write(arena, &write, body, &mut NoAdmission)
}
