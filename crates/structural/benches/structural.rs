//! How much the passes over a custom resource of 10 KB cost, relative to reading it. The ratios hold on any
//! machine.
//!
//! `cargo bench -p kindsmith-structural`

#![allow(
    clippy::disallowed_methods,
    reason = "a benchmark reads its input and the clock"
)]
#![allow(clippy::print_stdout, reason = "a bench prints its figures")]

use std::hint::black_box;
use std::time::Duration;

use kindsmith_json::{Arena, Value, parse, to_string, yaml};
use kindsmith_object::NoTrace;
use kindsmith_object::meta::{Malformed, UnknownFields, decode};
use kindsmith_openapi::crd::{Source, read};
use kindsmith_structural::{PrunedPaths, StructuralChange, StructuralSchema, Validation};

mod route;

use route::{DEFINITION, in_arena, route};

fn main() {
    let structure = structure();
    println!("structure: {} bytes", structure.memory());
    for (what, text) in [
        ("nothing to change", route(true)),
        ("much left open", route(false)),
    ] {
        let arena = Arena::new();
        let object = parse(&arena, text.as_bytes()).expect("JSON");
        let settled = structure.settle(&arena, object, true, &mut NoTrace);
        let grown = to_string(settled).len();
        println!("\n{what}: {} bytes, {grown} with defaults", text.len());
        assert_eq!(settled == object, what == "nothing to change");
        measure(&structure, &text, object);
    }
}

fn measure(structure: &StructuralSchema, text: &str, object: Value<'_>) {
    let unit = in_arena(|arena| {
        black_box(parse(arena, black_box(text.as_bytes())).expect("JSON"));
    });
    println!("reading {unit:.2?}");
    let show = |what: &str, cost: Duration| {
        let ratio = cost.as_secs_f64() / unit.as_secs_f64();
        println!("{what:<44} {cost:>10.2?} {ratio:>7.3}");
    };
    let pass = |pass: &dyn for<'a> Fn(&'a StructuralSchema, &'a Arena, Value<'a>) -> Value<'a>| {
        in_arena(|arena| {
            black_box(pass(structure, arena, black_box(object)));
        })
    };
    show(
        "prune",
        pass(&|structure, arena, object| structure.prune(arena, object, true)),
    );
    show(
        "prune, unknown fields listed",
        pass(&|structure, arena, object| {
            structure.prune_traced(arena, object, true, &mut PrunedPaths::default())
        }),
    );
    show("remove nulls", pass(&StructuralSchema::remove_nulls));
    show("default", pass(&StructuralSchema::default));
    show(
        "all three in one walk",
        pass(&|structure, arena, object| structure.settle(arena, object, true, &mut NoTrace)),
    );
    let arena = Arena::new();
    let settled = structure.settle(&arena, object.copy_in(&arena), true, &mut NoTrace);
    let same = settled.copy_in(&arena);
    assert_eq!(
        structure.validate(&StructuralChange::create(settled)),
        Validation::default()
    );
    let validate = in_arena(|_| {
        black_box(structure.validate(&StructuralChange::create(black_box(settled))));
    });
    show("validate a create", validate);
    let validate = in_arena(|_| {
        black_box(structure.validate(&StructuralChange::update(black_box(settled), black_box(same))));
    });
    show("validate an unchanged update", validate);
    let whole = in_arena(|arena| {
        let object = parse(arena, black_box(text.as_bytes())).expect("JSON");
        let metadata = object.get("metadata").unwrap_or_default();
        let decoded = decode(arena, metadata, Malformed::Refuse, UnknownFields::Ignore);
        black_box(decoded.expect("metadata").meta.name);
        let settled = structure.settle(arena, object, true, &mut NoTrace);
        black_box(structure.validate(&StructuralChange::create(settled)));
    });
    show("read, decode metadata, all three, validate", whole);
}

fn structure() -> StructuralSchema {
    let arena = Arena::new();
    let document = yaml::parse(&arena, DEFINITION.as_bytes()).expect("YAML");
    let definition = read(document, Source::Yaml).expect("a definition").definition;
    let version = definition.spec.versions.iter().next().expect("a version");
    let schema = version.open_api_v3_schema().expect("a schema");
    StructuralSchema::serve(schema, kindsmith_cel::dialect::Dialect::default()).expect("structural")
}
