//! Types that `kindsmith gen rust` makes of a CRD: they compile.

/// What `kindsmith gen rust --plain` makes of the CRD.
#[expect(unreachable_pub, reason = "only the form of the types matters")]
#[expect(
    clippy::duplicated_attributes,
    reason = "two rules of a type have the same options"
)]
mod gate {
    /// The macros under the name that programs have for them.
    mod kindsmith {
        pub(super) use kindsmith_derive::{Resource, Schema};
    }
    include!("../../../fixtures/three/gate/generated.rs");
}

/// A required text gets the default "", which its format rejects. The CRD should be the one that the types are made of: docs/rust.md says what to do.
#[test]
fn a_required_text_with_a_format_makes_a_crd_that_is_rejected() {
    let error = kindsmith::crd::<gate::GateSpec>().expect_err("the default does not fit");
    let message = "gates.park.example.org: spec.validation.openAPIV3Schema.properties[status].properties[conditions].items\
                   .properties[lastTransitionTime].default: Invalid value: \"\":  in body must be of type date-time: \"\"";
    assert_eq!(error.to_string(), message);
}
