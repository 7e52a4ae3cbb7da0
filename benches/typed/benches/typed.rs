//! `cargo bench --manifest-path benches/typed/Cargo.toml`: nanoseconds for one value, and the ratio to hand-written code.
//!
//! `COUNT=NAME valgrind --tool=callgrind PROGRAM` runs one row (`valid/kindsmith`) a hundred thousand times, to count instructions.

use std::hint::black_box;
use std::time::{Duration, Instant};

use kindsmith::{FieldError, Validate as _};
use kindsmith_bench_typed::{GateSpec, Patrol, by_hand, default_by_hand, invalid, patrol, valid};

/// A way to check a gate: its name, and whether it finds no fault.
type Check = (&'static str, fn(&GateSpec) -> bool);

const CHECKS: [Check; 4] = [
    ("by hand", |gate| by_hand(gate).is_empty()),
    ("kindsmith", |gate| gate.validate(None).is_empty()),
    ("garde", |gate| garde::Validate::validate(gate).is_ok()),
    ("validator", |gate| validator::Validate::validate(gate).is_ok()),
];

/// A way to fill in the defaults of a patrol.
type Fill = (&'static str, fn(&mut Patrol));

const FILLS: [Fill; 2] = [
    ("by hand", default_by_hand),
    ("kindsmith", |patrol| patrol.default()),
];

fn main() {
    let told = |errors: Vec<FieldError>| errors.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(told(by_hand(&invalid())), told(invalid().validate(None)));
    let mut rows: Vec<(String, Box<dyn FnMut()>)> = Vec::new();
    for (what, gate) in [("valid", valid()), ("invalid", invalid())] {
        for (name, check) in CHECKS {
            assert_eq!(check(&gate), what == "valid", "{name}");
            let gate = gate.clone();
            let run = move || drop(black_box(check(black_box(&gate))));
            rows.push((format!("{what}/{name}"), Box::new(run)));
        }
    }
    for (name, fill) in FILLS {
        let (mut filled, mut expected) = (patrol(), patrol());
        fill(&mut filled);
        default_by_hand(&mut expected);
        assert_eq!(filled, expected, "{name}");
        let empty = patrol();
        let run = move || {
            // The same value again: without what was filled in, but with its list.
            filled.name = None;
            filled.people = empty.people;
            filled.has_dog = empty.has_dog;
            filled.walks.clone_from(&empty.walks);
            fill(black_box(&mut filled));
        };
        rows.push((format!("default/{name}"), Box::new(run)));
    }
    match std::env::var("COUNT") {
        Ok(name) => {
            let (_, run) = rows.iter_mut().find(|(known, _)| *known == name).expect("a row");
            (0..100_000).for_each(|_| run());
        }
        Err(_) => print(&mut rows),
    }
}

fn print(rows: &mut [(String, Box<dyn FnMut()>)]) {
    // In turns, so that all rows see the same machine.
    let mut best = vec![f64::INFINITY; rows.len()];
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(20) {
        for ((_, run), best) in rows.iter_mut().zip(&mut best) {
            *best = best.min(time(run));
        }
    }
    let mut by_hand = f64::NAN;
    for ((name, _), time) in rows.iter().zip(best) {
        if name.ends_with("by hand") {
            by_hand = time;
        }
        println!("{name:<20} {time:>9.1} ns  {:>7.2}", time / by_hand);
    }
}

/// Nanoseconds for one call of a short round; noise only adds time.
fn time(call: &mut dyn FnMut()) -> f64 {
    const CALLS: u32 = 500;
    let round = Instant::now();
    (0..CALLS).for_each(|_| call());
    round.elapsed().as_nanos() as f64 / f64::from(CALLS)
}
