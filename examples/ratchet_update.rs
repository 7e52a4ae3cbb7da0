//! Ratcheting: updates an object that was valid under older rules. Unchanged fields are not validated again, changed
//! ones are. `cargo run --example ratchet_update`

#![allow(clippy::print_stdout, reason = "an example prints what it found")]

use kindsmith::Kinds;
use serde_json::json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let kinds = Kinds::from_crds(include_str!("../fixtures/gate/crd.yaml"))?;
    // Stored before `maxLength: 20` was added to the schema.
    let old = json!({
        "apiVersion": "park.example.org/v1",
        "kind": "Gate",
        "metadata": {"name": "north"},
        "spec": {"name": "The gate in the far north of the park", "width": 90},
    });

    let mut labeled = old.clone();
    labeled["spec"]["tags"] = json!({"color": "green"});
    let review = kinds.admit_update(&old, &labeled)?;
    println!("another tag: allowed = {}", review.is_allowed());
    assert!(review.is_allowed());

    let mut wider = old.clone();
    wider["spec"]["width"] = 120.into();
    let review = kinds.admit_update(&old, &wider)?;
    for error in &review.errors {
        println!("another width: {error}");
    }
    assert!(!review.is_allowed());
    Ok(())
}
