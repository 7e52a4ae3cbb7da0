//! The budget law: an expression that may make N bytes allocates at most a few times as many, whatever it makes them with.
//! Counted with an allocator, so these tests are a program of their own.

#![allow(
    clippy::disallowed_methods,
    reason = "a test reads its cases and starts what it needs"
)]

use std::alloc::System;

use kindsmith_cel::eval::{Inputs, Scratch};
use kindsmith_cel::types::decl::{Declarations, ObjectShape, Schema, Shape};
use kindsmith_cel::validation_rule;
use kindsmith_json::Value;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// What an expression may make.
const BUDGET: u64 = 1 << 20;

/// How many times as much it may allocate: texts and lists are built beside the arena, which doubles its chunks.
const FACTOR: u64 = 16;

/// A first value, how the next is made of the one before, and what is asked of the last. Whoever adds a function that makes
/// values adds it here.
const GROWING: &[(&str, &str, &str)] = &[
    ("'ab'", "_ + _", "size(_) > 0"),
    ("b'ab'", "_ + _", "size(_) > 0"),
    ("'ab'", "'%s%s'.format([_, _])", "size(_) > 0"),
    ("'ab'", "'%x'.format([_])", "size(_) > 0"),
    ("'ab'", "_.replace('a', _)", "size(_) > 0"),
    ("'ab'", "[_, _, _].join('-')", "size(_) > 0"),
    ("'ab'", "(_ + _).upperAscii().lowerAscii()", "size(_) > 0"),
    ("'ab'", "strings.quote(_ + _)", "size(_) > 0"),
    ("'ab'", "(_ + _).split('').join('')", "size(_) > 0"),
    ("'ab'", "(_ + _).findAll('.').join('')", "size(_) > 0"),
    ("['ab']", "_ + _", "_.join('').size() > 0"),
    ("['ab']", "_ + _", "_.map(x, x).size() > 0"),
    ("['ab']", "_ + _", "_.filter(x, true).size() > 0"),
    ("['ab']", "_ + _", "_.sort().reverse().slice(0, 1).size() > 0"),
    ("['ab']", "_ + _", "_.transformMap(i, x, x).size() > 0"),
    ("['ab']", "[_, _]", "_.flatten(100).size() > 0"),
    ("['ab']", "[_, _]", "'%s'.format([_]).size() > 0"),
    ("{'a': 'ab'}", "{'a': _, 'b': _}", "'%s'.format([_]).size() > 0"),
    (
        "{'a': 'ab'}",
        "{'a': _, 'b': _}",
        "google.protobuf.Struct{fields: _}.size() > 0",
    ),
    ("1", "_ * 2", "lists.range(_).map(x, string(x)).size() > 0"),
    ("1", "_ * 2", "lists.range(_).map(x, optional.of(x)).size() > 0"),
    (
        "1",
        "_ * 2",
        "lists.range(_).map(x, quantity(string(x))).size() > 0",
    ),
];

/// An expression that makes its value 40 times, each of the one before, as far as its budget allows.
fn expression(first: &str, step: &str, last: &str, times: usize) -> String {
    let mut text = format!("[{first}].all(x0, ");
    for level in 1..=times {
        let made = step.replace('_', &format!("x{}", level - 1));
        text.push_str(&format!("[{made}].all(x{level}, "));
    }
    text.push_str(&last.replace('_', &format!("x{times}")));
    text + &")".repeat(times + 1)
}

/// The bytes that an evaluation allocates.
fn allocated(text: &str, declarations: &Declarations) -> u64 {
    let compiled =
        validation_rule::compile(text, declarations, false).unwrap_or_else(|_| panic!("compiles: {text}"));
    let object = Value::Object(kindsmith_json::Object::EMPTY);
    let inputs = Inputs {
        object: Some((&object, &declarations.root)),
        old: None,
        optional_old: false,
        limit: u64::MAX / 2,
    };
    let region = Region::new(ALLOCATOR);
    let scratch = Scratch::limited(BUDGET);
    let outcome = compiled.program.eval(inputs, &scratch);
    assert!(
        outcome.cancelled || !outcome.value.is_error(),
        "{text}: {:?}",
        outcome.value
    );
    region.change().bytes_allocated as u64
}

#[test]
fn no_expression_allocates_more_than_its_budget() {
    let shape = Shape::Object(ObjectShape {
        properties: Some([].into()),
        ..ObjectShape::default()
    });
    let schema = Schema {
        shape,
        ..Schema::default()
    };
    let declarations = Declarations::new(&schema, false, "selfType1").expect("objects are visible");
    let mut faults = Vec::new();
    for (first, step, last) in GROWING {
        let times = if *first == "1" { 19 } else { 40 };
        let bytes = allocated(&expression(first, step, last, times), &declarations);
        if bytes > FACTOR * BUDGET {
            faults.push(format!("{first}, {step}, {last}: {} KiB", bytes >> 10));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
