//! Types that `kindsmith gen rust` makes of a CRD: they compile, and make it again.

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

/// The CRD that the types make is the one that they are made of, but for three things: `spec` is described as its type is, a status is never
/// there by default, and values of enums are sorted.
#[test]
fn generated_types_make_their_crd_again() {
    let made = kindsmith::crd::<gate::GateSpec>().unwrap_or_else(|error| panic!("{error}"));
    let given = include_str!("../../../fixtures/three/gate/crd.yaml")
        .replace(
            "            description: What the park wants.\n",
            "            description: Gate is a gate of a park.\n",
        )
        .replace(
            "          status:\n            default: {}\n",
            "          status:\n",
        )
        .replace(
            "- \"True\"\n                      - \"False\"\n",
            "- \"False\"\n                      - \"True\"\n",
        );
    assert_eq!(made, given);
}
