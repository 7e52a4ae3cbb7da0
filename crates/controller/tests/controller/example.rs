//! `examples/light-controller` works as described.

#[path = "../../../../examples/light-controller/main.rs"]
mod light_controller;

use serde_json::json;

#[test]
fn a_lamp_is_kept_taken_over_and_released() {
    let seen = crate::rig::runtime().block_on(light_controller::story());
    assert_eq!(seen, [json!(50), json!(80), json!(80)]);
    light_controller::main();
}

#[test]
fn the_example_is_short() {
    let lines = include_str!("../../../../examples/light-controller/main.rs").lines();
    assert!(lines.count() <= 150);
}
