//! What the passes over a custom resource of 10 KB cost, in units of what reading it costs. Ratios hold on any machine.
//!
//! `cargo bench -p kindsmith-engine --bench structural`

#![allow(clippy::print_stdout, reason = "a bench prints its figures")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use kindsmith_engine::meta::{Malformed, UnknownFields, decode};
use kindsmith_engine::{NoTrace, PrunedPaths, StructuralChange, Structure, Verdict};
use kindsmith_json::{Arena, Value, parse, to_string, yaml};
use kindsmith_openapi::crd::{Source, read};

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

fn measure(structure: &Structure, text: &str, object: Value<'_>) {
    let unit = in_arena(|arena| {
        black_box(parse(arena, black_box(text.as_bytes())).expect("JSON"));
    });
    println!("reading {unit:.2?}");
    let show = |what: &str, cost: Duration| {
        let ratio = cost.as_secs_f64() / unit.as_secs_f64();
        println!("{what:<44} {cost:>10.2?} {ratio:>7.3}");
    };
    let pass = |pass: &dyn for<'a> Fn(&'a Structure, &'a Arena, Value<'a>) -> Value<'a>| {
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
    show("remove nulls", pass(&Structure::remove_nulls));
    show("default", pass(&Structure::default));
    show(
        "all three in one walk",
        pass(&|structure, arena, object| structure.settle(arena, object, true, &mut NoTrace)),
    );
    let arena = Arena::new();
    let settled = structure.settle(&arena, object.copy_in(&arena), true, &mut NoTrace);
    let same = settled.copy_in(&arena);
    assert_eq!(
        structure.validate(&StructuralChange::create(settled)),
        Verdict::default()
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

fn structure() -> Structure {
    let arena = Arena::new();
    let text = include_str!("../../../fixtures/route/crd.yaml");
    let document = yaml::parse(&arena, text.as_bytes()).expect("YAML");
    let definition = read(document, Source::Yaml).expect("a definition").definition;
    let version = definition.spec.versions.iter().next().expect("a version");
    let schema = version.open_api_v3_schema().expect("a schema");
    Structure::serve(schema).expect("structural")
}

/// The least time of many runs: what the work costs when nothing disturbs it.
fn in_arena(mut work: impl FnMut(&Arena)) -> Duration {
    const RUNS: usize = 400;
    const BATCH: u32 = 50;
    let mut arena = Arena::new();
    let mut once = || {
        let start = Instant::now();
        for _ in 0..BATCH {
            arena.reset();
            work(&arena);
        }
        start.elapsed() / BATCH
    };
    (0..RUNS).map(|_| once()).min().expect("there are runs")
}

/// About 10 KB: rules with matches, headers and backends. What is left open has defaults.
fn route(full: bool) -> String {
    let optional = |text: &str| if full { text.to_owned() } else { String::new() };
    let rules: Vec<String> = (0..if full { 9 } else { 16 })
        .map(|number| {
            let exact = optional(r#","type":"Exact""#);
            let headers: Vec<String> = (0..4)
                .map(|at| format!(r#"{{"name":"X-Header-{at}","value":"value {at} of rule {number}"{exact}}}"#))
                .collect();
            let health = optional(
                r#","health":{"intervalSeconds":10,"path":"/healthz","threshold":3,"timeoutSeconds":1},"protocol":"HTTP""#,
            );
            let weight = optional(r#","weight":1"#);
            let backends: Vec<String> = (0..3)
                .map(|at| format!(r#"{{"port":80{at}0,"service":"service-{at}-of-{number}"{health}{weight}}}"#))
                .collect();
            let kind = optional(r#""type":"Prefix","#);
            let timeouts = optional(r#","timeouts":{"request":"30s"}"#);
            format!(
                r#"{{"backends":[{}],"filters":[{{"setHeaders":{{"X-Forwarded-By":"route","X-Rule":"rule-{number}"}},"type":"SetHeaders"}}],
                "matches":[{{"headers":[{}],"method":"GET","path":{{{kind}"value":"/path/of/rule/{number}"}}}}],"name":"rule-{number}"{timeouts}}}"#,
                backends.join(","),
                headers.join(","),
            )
        })
        .collect();
    let listener = optional(r#""listener":"web","#);
    let priority = optional(r#""priority":10,"#);
    let mode = optional(r#","minVersion":"1.3","mode":"Terminate""#);
    let issuer = optional(r#""issuer":{"kind":"Issuer","name":"internal"},"#);
    format!(
        r#"{{"apiVersion":"net.example.org/v1","kind":"Route",
        "metadata":{{"annotations":{{"example.org/owner":"team-web"}},"labels":{{"app":"shop","tier":"frontend"}},"name":"shop","namespace":"web"}},
        "spec":{{"gateway":{{{listener}"name":"public"}},"hosts":["shop.example.org","www.shop.example.org"],{priority}
        "rules":[{}],"tls":{{"certificate":{{{issuer}"secretName":"shop-tls"}}{mode},"options":{{"ciphers":"modern","tickets":"off"}}}}}}}}"#,
        rules.join(",")
    )
}
