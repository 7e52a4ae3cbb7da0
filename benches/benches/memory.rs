//! The cost of CRDs: memory of compiled schemas, and the time to list a thousand CRDs without compiling them.
//!
//! `cargo bench --manifest-path benches/Cargo.toml --bench memory`

use std::process::Command;
use std::time::Instant;

use kindsmith_crd::Resource;
use kindsmith_json::{Arena, yaml};
use kindsmith_openapi::bundle::{Head, scan};
use kindsmith_openapi::crd::{Definition, Source, read};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<std::alloc::System> = &INSTRUMENTED_SYSTEM;

/// Large CRDs, in published modules.
const PUBLISHED: &[(&str, &str)] = &[
    (
        "github.com/cert-manager/cert-manager@v1.21.2",
        "deploy/crds/cert-manager.io_issuers.yaml",
    ),
    (
        "sigs.k8s.io/gateway-api@v1.5.1",
        "config/crd/standard/gateway.networking.k8s.io_httproutes.yaml",
    ),
    (
        "github.com/prometheus-operator/prometheus-operator@v0.85.0",
        "example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml",
    ),
];

fn main() {
    let route = include_str!("../../fixtures/route/crd.yaml").to_owned();
    // The tables of the CEL library are built once for all CRDs.
    let first = Resource::new(&definition(&route));
    assert!(first.versions.first().and_then(|version| version.structure()).is_some());
    held("fixtures/route", &route);
    let mut texts = vec![route];
    for (module, path) in PUBLISHED {
        match published(module, path) {
            Some(text) => {
                held(path, &text);
                texts.push(text);
            }
            None => println!("left out: {module} (no Go toolchain, or no modules)"),
        }
    }
    thousand(&texts);
}

fn definition(text: &str) -> Definition {
    let arena = Arena::new();
    let value = yaml::parse(&arena, text.as_bytes()).expect("YAML");
    let mut definition = read(value, Source::Yaml).expect("a definition").definition;
    definition.default_fields();
    definition
}

/// Compiles one version and measures what it holds: plan, rules, patterns, defaults.
fn held(name: &str, text: &str) {
    let definition = definition(text);
    let resource = Resource::new(&definition);
    let version = resource.versions.first().expect("a version");
    let region = Region::new(ALLOCATOR);
    assert!(version.structure().is_some(), "{name} is structural");
    let change = region.change();
    let bytes =
        change.bytes_allocated as i64 - change.bytes_deallocated as i64 + change.bytes_reallocated as i64;
    let lines = text.lines().count() / definition.spec.versions.len();
    println!(
        "{name}: {lines} lines a version, {} KB held when compiled ({} per 3,000 lines; at most 200)",
        bytes / 1024,
        bytes * 3000 / lines as i64 / 1024,
    );
}

/// Lists a thousand CRDs in one text by name.
fn thousand(texts: &[String]) {
    let mut bundle = String::new();
    for number in 0..1000 {
        bundle.push_str("---\n");
        bundle.push_str(&texts[number % texts.len()]);
        bundle.push('\n');
    }
    let region = Region::new(ALLOCATOR);
    let start = Instant::now();
    let entries = scan(&bundle);
    let taken = start.elapsed();
    let found = entries
        .iter()
        .filter(|entry| matches!(entry.head, Head::Definition(_)))
        .count();
    assert_eq!(found, 1000);
    let held = region.change().bytes_allocated - region.change().bytes_deallocated;
    println!(
        "1000 definitions, {} MB of YAML: listed in {taken:.2?} (below 2 s), {} KB held",
        bundle.len() / 1_000_000,
        held / 1024
    );
}

fn published(module: &str, path: &str) -> Option<String> {
    let output = Command::new("go")
        .args(["mod", "download", "-json", module])
        .current_dir("/")
        .output()
        .ok()?;
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).ok()?;
    std::fs::read_to_string(format!("{}/{path}", answer["Dir"].as_str()?)).ok()
}
