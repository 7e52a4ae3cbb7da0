//! `gen rust`: Rust types of CRDs and of Go types. That they compile, and make the same CRD again, is tested in `kindsmith`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::binary::{kindsmith, root};

fn directory(test: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gen_rust").join(test);
    let _ = fs::remove_dir_all(&directory);
    directory
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

#[test]
fn a_crd_becomes_the_types_of_the_fixture() {
    becomes("fixtures/three/gate");
}

#[test]
fn an_object_with_a_discriminator_becomes_an_enum_with_a_tag() {
    becomes("crates/kindsmith/tests/discriminated");
}

#[test]
fn forms_of_public_crds_become_types() {
    becomes("crates/kindsmith/tests/public");
}

/// The types of the CRD in a directory are those beside it.
fn becomes(fixture: &str) {
    let out = directory(fixture);
    let words = format!(
        "gen rust --crds {fixture}/crd.yaml --plain --out {}",
        out.display()
    );
    let run = kindsmith(&words);
    assert_eq!(run.code, Some(0), "{run:?}");
    let written = text(&out.join("park_example_org_v1.rs"));
    let fixture = root().join(fixture).join("generated.rs");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&fixture, &written).expect("it can be written");
    }
    assert_eq!(written, text(&fixture), "UPDATE=1 writes {}", fixture.display());
    kindsmith(&format!("{words} --check")).check(0, "", "0 out of date, 1 unchanged\n");
}

#[test]
fn go_types_become_kinds_of_kube() {
    let out = directory("go");
    let run = kindsmith(&format!("gen rust ./fixtures/garden/v1 --out {}", out.display()));
    assert_eq!(run.code, Some(0), "{run:?}");
    let written = text(&out.join("garden_example_org_v1.rs"));
    for part in [
        "#[derive(kube::CustomResource, kindsmith::Resource, ",
        "#[kube(group = \"garden.example.org\", version = \"v1\", kind = \"Bed\", plural = \"beds\", singular = \"bed\", \
         status = \"BedStatus\", namespaced, schema = \"disabled\")]",
        "#[k8s(print_column(\"Sun\", type = \"string\", json_path = \".spec.sun\"))]",
        "pub struct BedSpec {",
        "    pub plants: Option<Vec<BedPlants>>,",
        "pub enum BedSun {",
        "    #[k8s(default = 3)]",
    ] {
        assert!(written.contains(part), "{part}\n{written}");
    }
}

#[test]
fn unions_are_enums_and_known_types_those_of_k8s_openapi() {
    let out = directory("union");
    let run = kindsmith(&format!("gen rust ./fixtures/three/gate --out {}", out.display()));
    assert_eq!(run.code, Some(0), "{run:?}");
    let written = text(&out.join("park_example_org_v1.rs"));
    for part in [
        "pub enum GateLock {\n",
        "    #[serde(rename = \"key\")]\n    Key(GateLockKey),\n",
        "    pub conditions: Option<Vec<k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition>>,\n",
    ] {
        assert!(written.contains(part), "{part}\n{written}");
    }
}

#[test]
fn a_status_of_any_fields_keeps_them() {
    let out = directory("status");
    let run = kindsmith(&format!(
        "gen rust --crds fixtures/keep/crd.yaml --out {}",
        out.display()
    ));
    assert_eq!(run.code, Some(0), "{run:?}");
    let written = text(&out.join("park_example_org_v1.rs"));
    for part in [
        "status = \"FountainStatus\"",
        "    #[serde(flatten)]\n    pub other_fields: std::collections::BTreeMap<String, serde_json::Value>,\n",
    ] {
        assert!(written.contains(part), "{part}\n{written}");
    }
}

/// Keywords for other types say nothing; without the annotation no server takes the CRD.
#[test]
fn keywords_that_do_not_fit_are_left_out_and_the_approval_is_kept() {
    let out = directory("approved");
    fs::create_dir_all(&out).expect("a directory");
    let crd = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: gates.park.k8s.io
  annotations: {api-approved.kubernetes.io: https://example.org/1}
spec:
  group: park.k8s.io
  names: {kind: Gate, plural: gates}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              days: {type: array, items: {type: string}, maxItems: 7, maxLength: 63, minimum: 1}
";
    fs::write(out.join("crd.yaml"), crd).expect("it can be written");
    let run = kindsmith(&format!(
        "gen rust --crds {0}/crd.yaml --plain --out {0}",
        out.display()
    ));
    assert_eq!(run.code, Some(0), "{run:?}");
    let written = text(&out.join("park_k8s_io_v1.rs"));
    let approval = "#[k8s(annotations(\"api-approved.kubernetes.io=https://example.org/1\"))]\n";
    assert!(
        written.contains(approval) && written.contains("#[k8s(max_items = 7)]\n"),
        "{written}"
    );
    assert!(
        !written.contains("max_length") && !written.contains("minimum"),
        "{written}"
    );
}
