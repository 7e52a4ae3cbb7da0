//! The whole write of a 10 KB custom resource from bytes, compared with reading the bytes, with the `jsonschema` crate
//! and with kube-apiserver.
//!
//! `cargo bench --manifest-path benches/Cargo.toml --bench crd`

use std::hint::black_box;

use kindsmith_benches::{file, go, micros, time};
use kindsmith_crd::{Body, FieldValidation, Media, NoAdmission, Operation, Resource, Stamp, Write};
use kindsmith_json::{Arena, parse, parse_str, to_string, yaml};
use kindsmith_openapi::crd::{Source, read};
use serde_json::{Value, json};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const CRD: &str = include_str!("../../fixtures/route/crd.yaml");

fn main() {
    let arena = Arena::new();
    let crd = yaml::parse(&arena, CRD.as_bytes()).expect("YAML");
    let crd_text = to_string(crd);
    let definition = read(crd, Source::Yaml).expect("a definition").definition;
    let resource = Resource::new(&definition);
    let text = object().to_string();
    let stored = stored(&resource, &text);
    println!("object: {} bytes, {} as stored\n", text.len(), stored.len());

    let unit = in_arena(|arena| {
        black_box(parse(arena, black_box(text.as_bytes())).expect("JSON"));
    });
    let serde = time(|| {
        black_box(serde_json::from_str::<Value>(black_box(&text)).expect("JSON"));
    });
    let show = |what: &str, nanos: f64| {
        println!("{what:<58} {:>10} µs {:>8.2}", micros(Some(nanos)), nanos / unit);
    };
    println!("{:<58} {:>13} {:>8}", "", "", "× reading");
    show("reading the bytes", unit);
    show("serde_json reading the bytes", serde);
    show(
        "create: bytes to stored object, CEL rules included (≤ 2.5)",
        create(&resource, &text),
    );
    show(
        "create of what is stored: nothing to fill in",
        create(&resource, &stored),
    );
    show("update to the same", update(&resource, &stored));
    let validator = json_schema(&crd_text);
    let instance: Value = serde_json::from_str(&stored).expect("JSON");
    show(
        "jsonschema: is_valid of the read object, keywords only",
        time(|| assert!(validator.is_valid(black_box(&instance)))),
    );
    let Some(reference) = go(
        "crd",
        &[&file("crd.json", &crd_text), &file("custom.json", &text)],
    ) else {
        return;
    };
    for step in ["decode", "settle", "validate", "whole"] {
        let nanos = reference[step].as_f64().expect("a number");
        show(&format!("kube-apiserver's own code: {step}"), nanos);
    }
    let whole = reference["whole"].as_f64().expect("a number");
    println!(
        "\nkube-apiserver's code / ours: {:.1} (≥ 20)",
        whole / create(&resource, &text)
    );
}

fn object() -> Value {
    let rule = |number: usize| {
        let backend = |at: usize| json!({"service": format!("service-{at}-of-{number}"), "port": 8080 + at, "weight": 3});
        let header = |at: usize| json!({"name": format!("X-Header-{at}"), "value": format!("value {at} of rule {number}")});
        json!({
            "name": format!("rule-{number}"),
            "matches": [{
                "path": {"value": format!("/path/of/rule/{number}"), "type": "Prefix"},
                "method": "GET",
                "headers": (0..4).map(header).collect::<Vec<_>>(),
            }],
            "backends": (0..3).map(backend).collect::<Vec<_>>(),
        })
    };
    json!({
        "apiVersion": "net.example.org/v1",
        "kind": "Route",
        "metadata": {"name": "shop", "namespace": "web", "labels": {"app": "shop"}},
        "spec": {
            "gateway": {"name": "public"},
            "hosts": ["shop.example.org"],
            "tls": {"certificate": {"secretName": "shop-tls"}},
            "rules": (0..16).map(rule).collect::<Vec<_>>(),
        },
    })
}

fn request(operation: Operation<'_>) -> Write<'_> {
    Write {
        version: "v1",
        name: match operation {
            Operation::Create => "",
            _ => "shop",
        },
        operation,
        namespace: "web",
        field_validation: FieldValidation::Warn,
        is_dry_run: false,
        stamp: Stamp {
            uid: "6f1c7f0e-9f5a-4d3c-8a53-0a3a3d1f2b4c",
            now: "2026-01-01T00:00:00Z",
            name_suffix: "abcde",
        },
    }
}

fn body(text: &str) -> Body<'_> {
    Body {
        bytes: text.as_bytes(),
        media: Media::Json,
    }
}

fn stored(resource: &Resource, text: &str) -> String {
    let arena = Arena::new();
    let outcome = resource.write(&arena, &request(Operation::Create), body(text), &mut NoAdmission);
    let written = outcome.result.expect("the object is accepted");
    assert!(outcome.warnings.is_empty(), "{:?}", outcome.warnings);
    to_string(written.stored)
}

fn create(resource: &Resource, text: &str) -> f64 {
    in_arena(|arena| {
        let outcome = resource.write(
            arena,
            &request(Operation::Create),
            body(black_box(text)),
            &mut NoAdmission,
        );
        black_box(outcome.result.expect("accepted").stored);
    })
}

fn update(resource: &Resource, stored: &str) -> f64 {
    let memory = Arena::new();
    let mut old = parse_str(&memory, stored).expect("JSON");
    old.set(&memory, &["metadata", "resourceVersion"], "7".into());
    let old = resource.read(&memory, old, "v1").expect("it was stored");
    let new = to_string(old);
    in_arena(|arena| {
        let operation = Operation::Update { old: Some(old) };
        let outcome = resource.write(
            arena,
            &request(operation),
            body(black_box(&new)),
            &mut NoAdmission,
        );
        black_box(outcome.result.expect("accepted").stored);
    })
}

fn in_arena(mut work: impl FnMut(&Arena)) -> f64 {
    let mut arena = Arena::new();
    time(|| {
        arena.reset();
        work(&arena);
    })
}

/// The equivalent JSON schema, without what JSON schema cannot express.
fn json_schema(crd: &str) -> jsonschema::Validator {
    let crd: Value = serde_json::from_str(crd).expect("JSON");
    let schema = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    jsonschema::draft4::new(schema).expect("a schema")
}
