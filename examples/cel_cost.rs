//! A CEL rule on a value of a CRD: its result, and its cost before and at run time. `cargo run --example cel_cost`

#![allow(clippy::print_stdout, reason = "an example prints what it found")]

use kindsmith::cel::{Subject, compile};
use kindsmith::{Arena, Kinds, bridge};
use serde_json::json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let kinds = Kinds::from_crds(include_str!("../fixtures/gate/crd.yaml"))?;
    let gate = kinds
        .crds()
        .by_name("gate", None)?
        .ok_or("the CRD defines gates")?;
    let subject = Subject::new(&*gate.schema()?, "/properties/spec")?;
    let rule = "self.hours.all(h, h.from < h.to) && self.width >= 60";
    let compiled = compile(rule, &subject.declarations, false).map_err(|failure| format!("{failure:?}"))?;
    println!(
        "{rule}\n  type {}, estimated cost at most {}",
        compiled.ty, compiled.cost.max
    );

    let arena = Arena::new();
    let object = bridge::to_value(
        &arena,
        &json!({"spec": {"name": "North", "hours": [{"day": "Mon", "from": 9, "to": 17}]}}),
    )?;
    let object = subject.effective(&arena, object);
    for at in subject.occurrences(object, None) {
        subject.run(&compiled.program, Some(&at.new), None, false, |value, _, cost| {
            println!("  {}: {value:?}, cost {cost}", at.path);
        });
    }
    Ok(())
}
