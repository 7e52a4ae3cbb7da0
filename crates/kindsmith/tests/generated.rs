//! Types that `kindsmith gen rust` makes of a CRD: they compile, and make the CRD again.

use std::path::Path;

use serde_json::Value;

/// What `kindsmith gen rust --plain` makes of the CRD.
#[expect(unreachable_pub, reason = "only the form of the types matters")]
mod generated {
    /// The macros under the name that programs have for them.
    mod kindsmith {
        pub(super) use kindsmith_derive::{Resource, Schema};
    }
    include!("../../../fixtures/three/gate/generated.rs");
}

fn original() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/three/gate/crd.yaml");
    std::fs::read_to_string(path).expect("the fixture is there")
}

/// A CRD as JSON, without what types cannot say or say in other words.
fn plain_crd(text: &str) -> Value {
    let arena = kindsmith::Arena::new();
    let value = kindsmith::yaml::parse(&arena, text.as_bytes()).expect("YAML");
    let mut value: Value = serde_json::from_str(&kindsmith_json::to_string(value)).expect("JSON");
    value["spec"]["versions"][0]["schema"]["openAPIV3Schema"].take()
}

/// Removes descriptions, which are those of types in one form and those of fields in another.
fn undescribed(value: &mut Value) {
    match value {
        Value::Object(members) => {
            if members.get("description").is_some_and(Value::is_string) {
                members.remove("description");
            }
            members.values_mut().for_each(undescribed);
        }
        Value::Array(items) => items.iter_mut().for_each(undescribed),
        _ => {}
    }
}

#[test]
fn generated_types_make_the_crd_that_they_were_made_of() {
    let crd = kindsmith::crd::<generated::GateSpec>().unwrap_or_else(|error| panic!("{error}"));
    let (mut again, mut first) = (plain_crd(&crd), plain_crd(&original()));
    undescribed(&mut again);
    undescribed(&mut first);
    // A status that is a pointer has no default.
    if let Some(status) = first["properties"]["status"].as_object_mut() {
        status.remove("default");
    }
    assert_eq!(again, first);
}
