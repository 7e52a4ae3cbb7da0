//! Checks what users write against a Rust type, without a cluster: `cargo run --bin validate_input`.

use kindsmith::{Kinds, Validate};
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

    // Values of the type itself, by code that the macros wrote for it.
    let mut spec = GateSpec { width: None, ..spec };
    spec.default();
    assert_eq!(spec.validate(None), []);
    let narrow = GateSpec {
        width: Some(100),
        ..spec.clone()
    };
    let errors = narrow.validate(Some(&spec));
    errors.iter().for_each(|error| println!("{error}"));
    assert_eq!(
        errors[0].to_string(),
        "spec.width: Invalid value: field is immutable"
    );
    Ok(())
}
