//! Any JSON objects, new and old, against types that use most tags: no pass panics, and defaulting is idempotent.

#![no_main]

#[macro_use]
#[path = "shared/score.rs"]
mod score;

use std::sync::LazyLock;

use kindsmith_engine::{Change, Plan};
use kindsmith_json::{Arena, parse};
use kindsmith_schema::TypeName;
use kindsmith_testkit::GoPackages;

static PLAN: LazyLock<Plan> = LazyLock::new(|| {
    let packages = GoPackages::default()
        .file("p/doc.go", include_str!("../../fixtures/garden/v1/doc.go"))
        .file("p/types.go", include_str!("../../fixtures/garden/v1/types.go"));
    let read = packages.read("p");
    let path = read.packages[0].path.clone();
    let bed = read
        .schema
        .find(&TypeName::new(path, "Bed"))
        .expect("the fixture declares it");
    Plan::compile(&read.schema, bed)
});

fuzz_target!(|data: &[u8]| {
    let arena = Arena::new();
    let mut lines = data.splitn(2, |byte| *byte == b'\n');
    let mut object = || {
        parse(&arena, lines.next()?)
            .ok()
            .filter(|value| PLAN.decode(*value).is_ok())
    };
    let Some(new) = object() else {
        return;
    };
    let new = PLAN.default(&arena, PLAN.prune(&arena, new));
    assert_eq!(PLAN.default(&arena, new), new, "defaulting is idempotent");
    for error in PLAN.validate(&Change::create(new)) {
        drop(error.to_string());
    }
    if let Some(old) = object() {
        for error in PLAN.validate(&Change::update(new, old)) {
            drop(error.to_string());
        }
    }
});
