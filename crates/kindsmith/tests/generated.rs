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

/// The same of a CRD with a discriminator.
#[expect(unreachable_pub, reason = "only the form of the types matters")]
mod shed {
    /// The macros under the name that programs have for them.
    mod kindsmith {
        pub(super) use kindsmith_derive::{Resource, Schema};
    }
    include!("discriminated/generated.rs");
}

/// The same of a CRD with what many public ones have.
#[expect(unreachable_pub, reason = "only the form of the types matters")]
mod bench {
    /// The macros under the name that programs have for them.
    mod kindsmith {
        pub(super) use kindsmith_derive::{Resource, Schema};
    }
    include!("public/generated.rs");
}

/// The CRD that the types make is the one that they are made of.
#[test]
fn generated_types_make_their_crd_again() {
    let made = kindsmith::crd::<gate::GateSpec>().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(made, include_str!("../../../fixtures/three/gate/crd.yaml"));
}

/// The lines of a CRD's schema, without what controller-gen says about all CRDs.
fn spec(crd: &str) -> Vec<&str> {
    let after = crd.split_once("          spec:\n").expect("a spec").1;
    after.lines().collect()
}

#[test]
fn forms_of_public_crds_are_kept() {
    let made = kindsmith::crd::<bench::BenchSpec>().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(spec(&made), spec(include_str!("public/crd.yaml")));
}

#[test]
fn a_discriminator_keeps_its_rules_and_its_place() {
    use kindsmith::Validate as _;
    use shed::{ShedLocks, ShedSpec};

    let made = kindsmith::crd::<ShedSpec>().unwrap_or_else(|error| panic!("{error}"));
    let crd = include_str!("discriminated/crd.yaml");
    assert_eq!(spec(&made), spec(crd));

    let json = r#"{"locks":[{"type":"Code","code":"12"},{"type":"Bolt"}]}"#;
    let read: ShedSpec = serde_json::from_str(json).expect("a spec");
    assert_eq!(serde_json::to_string(&read).expect("JSON"), json);
    assert_eq!(read.validate(None), []);
    let long = ShedSpec {
        locks: vec![ShedLocks::Code {
            code: Some("12345".to_owned()),
        }],
    };
    let errors = long.validate(None);
    assert_eq!(
        errors[0].to_string(),
        "spec.locks[0].code: Too long: may not be more than 4 bytes"
    );
}
