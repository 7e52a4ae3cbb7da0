//! The memory a request takes grows with its body and with the object it changes, not faster, and each byte takes no more
//! than [`MOST_PER_BYTE`]: a small body must not take a server down.
//!
//! A program of its own, because it counts what the whole process allocates.

#![allow(
    clippy::disallowed_methods,
    reason = "a test reads its cases and starts what it needs"
)]

mod answers;
mod cases;
#[path = "../writing/server.rs"]
#[expect(dead_code, reason = "this test needs few of the helpers")]
mod server;

use std::alloc::System;
use std::sync::{Mutex, PoisonError};

use cases::{CASES, Case, DEFINITIONS, EMPTY, READS, Step, V2, V3, document};
use server::Server;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// The bytes a case allocates in its last step, freed ones included.
fn allocated(steps: &[Step]) -> usize {
    let server = Server::default();
    let mut bytes = 0;
    for step in steps {
        let region = Region::new(ALLOCATOR);
        let (status, answer) = server.ask_bytes(step.method, &step.target, step.media, &step.body);
        bytes = region.change().bytes_allocated;
        assert!(status < 500, "{}: {status} {answer:.300}", step.target);
        let is_read =
            step.method == "GET" || step.target.starts_with("/apis/wide.org") || step.target == DEFINITIONS;
        assert!(
            !is_read || status < 300,
            "{}: {status} {answer:.300}",
            step.target
        );
    }
    bytes
}

/// How many bytes a request allocates for each byte that is sent, freed ones included; fewer are held at once.
const MOST_PER_BYTE: f64 = 200.0;

/// The same for items of two characters that get all defaults of a container, and an error for each field that is missing.
const MOST_PER_EMPTY_BYTE: f64 = 6_000.0;

/// How many bytes are sent.
fn sent(steps: &[Step]) -> usize {
    steps.iter().map(|step| step.body.len()).sum()
}

/// Allocations of all threads are counted.
static ALONE: Mutex<()> = Mutex::new(());

/// Checks the law for all cases.
fn check(cases: &[Case], size: usize, most: f64) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let faults: Vec<String> = cases.iter().flat_map(|case| faults(case, size, most)).collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

/// What a case with some size and one with four times as much say against the law.
fn faults((name, steps): &Case, size: usize, most: f64) -> Vec<String> {
    let mut faults = Vec::new();
    let (few, many) = (steps(size), steps(4 * size));
    // What the program makes once belongs to no size.
    allocated(&few);
    let (small, large) = (allocated(&few), allocated(&many));
    let growth = large as f64 / small as f64;
    let more = sent(&many) - sent(&few);
    let each = large.saturating_sub(small) as f64 / more.max(1) as f64;
    if each > most {
        faults.push(format!("{name}: {each:.0} bytes for each byte that is sent"));
    }
    // Buffers grow by doubling, trees add a level.
    if growth > 6.0 {
        faults.push(format!(
            "{name}: {growth:.1} times the memory for four times the size"
        ));
    }
    faults
}

#[test]
fn memory_grows_with_the_body() {
    check(&CASES, 1_000, MOST_PER_BYTE);
    check(&EMPTY, 1_000, MOST_PER_EMPTY_BYTE);
}

#[test]
fn memory_grows_with_what_is_described() {
    check(&READS, 100, MOST_PER_BYTE);
}

#[test]
fn memory_grows_with_what_webhooks_answer() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut faults = Vec::new();
    for (name, asked) in answers::cases() {
        let [(small, few), (large, many)] = [500, 2_000].map(asked);
        let (growth, longer) = (large as f64 / small as f64, many as f64 / few as f64);
        let each = large.saturating_sub(small) as f64 / (many - few) as f64;
        if growth > 1.5 * longer || each > MOST_PER_BYTE {
            faults.push(format!(
                "{name}: {growth:.1} times the memory for {longer:.1} times the answer, {each:.0} bytes for each byte"
            ));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// Documents about a thousand kinds must fit into memory.
#[test]
fn a_kind_more_is_little_more_in_openapi() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    for target in [V3, V2] {
        let [few, many] = [5, 25].map(|kinds| allocated(&document(target, 5, kinds)));
        let each = many.saturating_sub(few) / 20;
        assert!(each < 1 << 20, "{target}: {each} bytes for each kind");
    }
}

/// Discovery depends on what is registered of other servers, which may change as often as somebody writes it.
#[test]
fn documents_of_what_was_registered_are_not_kept() {
    const SERVICES: &str = "/apis/apiregistration.k8s.io/v1/apiservices";
    const DISCOVERY: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let server = Server::default();
    let spec = r#""group":"far.org","version":"v1","groupPriorityMinimum":1,"versionPriority":1,"insecureSkipTLSVerify":true"#;
    let service = r#""service":{"namespace":"default","name":"far"}"#;
    server.post(
        SERVICES,
        &format!(r#"{{"metadata":{{"name":"v1.far.org"}},"spec":{{{spec},{service}}}}}"#),
        201,
    );
    let change = |priority: u32| {
        let patch = format!(r#"{{"spec":{{"versionPriority":{priority}}}}}"#);
        server.patch(&format!("{SERVICES}/v1.far.org"), &patch, 200);
        let (status, document) = server.get_bytes("/apis", DISCOVERY);
        assert_eq!(status, 200);
        assert!(String::from_utf8_lossy(&document).contains("far.org"));
        document.len()
    };
    for priority in 2..10 {
        change(priority);
    }
    let region = Region::new(ALLOCATOR);
    let length: usize = (10..30).map(change).sum();
    let more = region.change();
    let kept = more.bytes_allocated.saturating_sub(more.bytes_deallocated);
    assert!(kept < length / 4, "{kept} bytes are kept of {length}");
}
