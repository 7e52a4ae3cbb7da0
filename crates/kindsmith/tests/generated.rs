//! Types that `kindsmith gen rust` makes of a CRD: they compile, and make it again.

/// What `kindsmith gen rust --plain` makes of the CRD.
#[expect(unreachable_pub, reason = "only the form of the types matters")]
mod gate {
    /// The macros under the name that programs have for them.
    mod kindsmith {
        pub(super) use kindsmith_derive::{Resource, Schema};
    }
    include!("../../../fixtures/three/gate/generated.rs");
}

/// The CRD that the types make is the one that they are made of.
#[test]
fn generated_types_make_their_crd_again() {
    let made = kindsmith::crd::<gate::GateSpec>().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(made, include_str!("../../../fixtures/three/gate/crd.yaml"));
}
