//! How much passes cost, relative to cloning and comparing the same object. The ratios hold on any machine.
//!
//! `cargo bench -p kindsmith-engine`

#![allow(
    clippy::disallowed_methods,
    reason = "a benchmark reads its input and the clock"
)]
#![allow(clippy::print_stdout, reason = "a bench prints its figures")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use kindsmith_engine::{Change, Plan};
use kindsmith_json::{Arena, Value, parse_str, to_string};
use kindsmith_schema::TypeName;
use kindsmith_testkit::GoPackages;

fn main() {
    let plan = plan();
    let arena = Arena::new();
    let full = parse_str(&arena, arena.alloc_str(&workload(true))).expect("JSON");
    let open = parse_str(&arena, arena.alloc_str(&workload(false))).expect("JSON");
    let same = full.copy_in(&arena);
    assert_eq!(plan.default(&arena, full), full, "nothing to fill");
    let filled = count_filled(&plan, open);
    assert_eq!(plan.validate(&Change::create(full)), []);
    println!(
        "object: {} bytes; {filled} fields to fill in the other",
        to_string(full).len()
    );

    let mut memory = Arena::new();
    let clone = time(|| {
        memory.reset();
        black_box(full.copy_in(&memory));
    });
    let default_full = time(|| {
        black_box(plan.default(&arena, black_box(full)));
    });
    let mut memory = Arena::new();
    let clone_open = time(|| {
        memory.reset();
        black_box(open.copy_in(&memory));
    });
    let mut memory = Arena::new();
    let default_open = time(|| {
        memory.reset();
        black_box(plan.default(&memory, black_box(open)));
    });
    let validate = time(|| {
        black_box(plan.validate(&Change::create(black_box(full))));
    });
    let equality = time(|| {
        black_box(black_box(full) == black_box(same));
    });
    let update = time(|| {
        black_box(plan.validate(&Change::update(black_box(full), black_box(same))));
    });
    let show = |what: &str, cost: Duration, unit: Duration, target: f64| {
        let ratio = cost.as_secs_f64() / unit.as_secs_f64();
        println!("{what:<44} {cost:>10.2?} {ratio:>7.3} (target {target})");
    };
    println!("clone {clone:.2?}, equality walk {equality:.2?}");
    show("default, fully specified / clone", default_full, clone, 0.15);
    show(
        "default, with fields to fill / clone",
        default_open,
        clone_open,
        0.5,
    );
    show("validate / clone", validate, clone, 0.5);
    show("validate an unchanged update / equality", update, equality, 1.2);
}

/// The shortest of many runs, so that other load does not count.
fn time(mut work: impl FnMut()) -> Duration {
    const RUNS: usize = 400;
    const BATCH: u32 = 50;
    let once = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        (0..BATCH).for_each(|_| work());
        start.elapsed() / BATCH
    };
    (0..RUNS).map(|_| once(&mut work)).min().expect("there are runs")
}

fn plan() -> Plan {
    let packages = GoPackages::default().module("example.org/bench", "bench");
    let packages = packages.file("bench/doc.go", include_str!("types.go"));
    let schema = packages.read("bench").schema;
    let id = schema
        .find(&TypeName::new("example.org/bench", "Workload"))
        .expect("a type");
    Plan::compile(&schema, id)
}

fn count_filled(plan: &Plan, object: Value<'_>) -> usize {
    let mut count = 0;
    let arena = Arena::new();
    let how = kindsmith_engine::Defaulting::default();
    let _ = plan.default_traced(
        &arena,
        object.copy_in(&arena),
        &how,
        &mut |_: kindsmith_object::Event<'_>| {
            count += 1;
        },
    );
    count
}

/// About 10 KB: eight containers with ports, variables and probes.
fn workload(full: bool) -> String {
    let optional = |text: &str| if full { text.to_owned() } else { String::new() };
    let containers: Vec<String> = (0..8)
        .map(|number| {
            let env: Vec<String> = (0..10)
                .map(|at| format!(r#"{{"name":"VARIABLE_{at}","value":"some value number {at} of {number}"}}"#))
                .collect();
            let pull = optional(r#""imagePullPolicy":"Always","terminationMessagePath":"/dev/log","#);
            let protocol = if number < 4 { optional(r#","protocol":"UDP""#) } else { r#","protocol":"UDP""#.into() };
            format!(
                r#"{{"name":"container-{number}","image":"registry.example.org/team/image-{number}:v1.2.3",{pull}
                "args":["--verbose","--port=8080","--name=container-{number}"],
                "ports":[{{"name":"http","containerPort":8080{protocol}}},{{"name":"metrics","containerPort":9090,"protocol":"TCP"}}],
                "env":[{}],
                "liveness":{{"path":"/healthz","periodSeconds":5,"timeoutSeconds":2}},
                "readiness":{{"path":"/ready","periodSeconds":5,"timeoutSeconds":2}},
                "limits":{{"cpu":"500m","memory":"128Mi"}}}}"#,
                env.join(",")
            )
        })
        .collect();
    let head = optional(r#""replicas":3,"strategy":"Recreate","progressDeadlineSeconds":300,"#);
    format!(
        r#"{{"kind":"Workload","apiVersion":"bench.example.org/v1",
        "metadata":{{"name":"workload","namespace":"default","labels":{{"app":"bench","tier":"backend"}}}},
        "spec":{{{head}"selector":{{"app":"bench","example.org/tier":"backend"}},
        "containers":[{}],
        "volumes":[{{"name":"config","configMap":"settings"}},{{"name":"logs","hostPath":"/var/log"}}]}}}}"#,
        containers.join(",")
    )
}
