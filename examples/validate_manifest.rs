//! Checks a manifest against a CRD, as the API server would: `cargo run --example validate_manifest`.

#![allow(clippy::print_stdout, reason = "an example prints what it found")]

use kindsmith::Kinds;
use serde_json::json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let kinds = Kinds::from_crds(include_str!("../fixtures/gate/crd.yaml"))?;
    let gate = json!({
        "apiVersion": "park.example.org/v1",
        "kind": "Gate",
        "metadata": {"name": "north"},
        "spec": {"name": "North", "color": "green", "hours": [{"day": "Mon", "from": 9, "to": 7}]},
    });
    let review = kinds.admit(&gate)?;
    for error in &review.errors {
        println!("error: {error}");
    }
    for warning in &review.warnings {
        println!("warning: {warning}");
    }
    for defaulted in &review.defaulted {
        println!("{} defaults to {}", defaulted.path, defaulted.value);
    }
    assert_eq!(review.errors.len(), 1);
    Ok(())
}
