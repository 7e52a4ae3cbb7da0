//! Checks what users write against a Rust type, without a cluster: `cargo run --bin validate_input`.

use kindsmith::Kinds;
use kindsmith_rust_examples::gate::{Gate, GateSpec};
use serde_json::json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let kinds = Kinds::of::<Gate>()?;
    let gate = |spec: serde_json::Value| json!({"apiVersion": "park.example.org/v1", "kind": "Gate", "metadata": {"name": "north"}, "spec": spec});

    let review = kinds.admit(&gate(json!({"width": 40, "keeper": "Ada", "lock": {}})))?;
    let errors: Vec<String> = review.errors.iter().map(ToString::to_string).collect();
    errors.iter().for_each(|error| println!("{error}"));
    assert_eq!(errors.len(), 3, "{errors:?}");

    let review = kinds.admit(&gate(json!({"lock": {"code": "1234"}})))?;
    let accepted = review.object.expect("it is valid");
    let spec: GateSpec = serde_json::from_value(accepted["spec"].clone())?;
    println!("{spec:?}");
    assert_eq!(spec.width, Some(120), "the default is set");
    Ok(())
}
