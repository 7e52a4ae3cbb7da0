//! Objects of CRDs on the command line: `check`, `normalize` and `eval` with `--crds`.

use crate::binary::{kindsmith, with_input};

#[test]
fn an_object_is_checked_as_the_server_would() {
    kindsmith("check fixtures/gate/wrong.yaml --crds fixtures/gate/crd.yaml").check(
        1,
        r#"error[unknown-field]: unknown field "spec.color"
 --> fixtures/gate/wrong.yaml:7:3
  |
7 |   color: green # the schema has no such field
  |   ^^^^^
  |
  = help: kindsmith rules unknown-field

error[invalid]: spec.hours[0]: Invalid value: a gate opens before it closes
 --> fixtures/gate/wrong.yaml:9:7
  |
9 |     - day: Mon
  |       ^^^^^^^^
  |
  = help: kindsmith rules invalid

"#,
        "1 object in 1 file, 2 errors\n",
    );
}

#[test]
fn a_crd_is_checked_as_the_server_would() {
    kindsmith("check fixtures/gate/crd.yaml").check(0, "", "1 object in 1 file, 0 errors\n");
    let run = kindsmith("check fixtures/gate/broken-crd.yaml");
    assert_eq!(run.code, Some(1));
    for expected in [
        "spec.validation.openAPIV3Schema.properties[spec].properties[size].type: Required value: must not be empty for specified object fields",
        "metadata.name: Invalid value: \"gate.park.example.org\": must be spec.names.plural+\".\"+spec.group",
    ] {
        assert!(run.stdout.contains(expected), "{}", run.stdout);
    }
    // The server's error is about its internal form; the finding is at the field that was written.
    assert!(run.stdout.contains("broken-crd.yaml:23"), "{}", run.stdout);
}

#[test]
fn an_update_is_compared_with_the_old_object() {
    let run = kindsmith(
        "check fixtures/gate/wider.yaml --old fixtures/gate/north.yaml --crds fixtures/gate/crd.yaml",
    );
    assert_eq!(run.code, Some(1));
    let expected = "error[invalid]: spec.width: Invalid value: 200: a gate keeps its width";
    assert!(run.stdout.contains(expected), "{}", run.stdout);
}

#[test]
fn crds_and_objects_may_come_in_one_bundle() {
    let bundle = "check fixtures/gate/crd.yaml fixtures/gate/north.yaml --explain";
    kindsmith(bundle).check(
        0,
        "\
CustomResourceDefinition
Gate
  spec
    hours
      [0]
        to
          defaulted to 20 (fixtures/gate/crd.yaml:59:34)
    width
      defaulted to 120 (fixtures/gate/crd.yaml:37:28)
",
        "2 objects in 2 files, 0 errors\n",
    );
}

#[test]
fn documents_without_a_schema_are_reported() {
    let run = kindsmith("check fixtures/gate/north.yaml");
    assert_eq!(run.code, Some(1));
    let expected = "error[no-schema]: no schema for park.example.org/v1 Gate\n";
    assert!(run.stdout.contains(expected), "{}", run.stdout);
    let run = kindsmith("check fixtures/gate/north.yaml --allow-unknown-kinds");
    assert_eq!(run.code, Some(0));
    let expected = "warning[no-schema]: no schema for park.example.org/v1 Gate; skipped\n";
    assert!(run.stdout.contains(expected), "{}", run.stdout);
}

#[test]
fn normalized_objects_are_as_stored() {
    kindsmith("normalize -f fixtures/gate/north.yaml --crds fixtures/gate/crd.yaml").check(
        0,
        "\
---
apiVersion: park.example.org/v1
kind: Gate
metadata:
  name: north
spec:
  hours:
  - day: Mon
    from: 9
    to: 20
  name: North
  width: 120
",
        "",
    );
    let run = kindsmith("normalize -f fixtures/gate/wrong.yaml --crds fixtures/gate/crd.yaml");
    assert_eq!(run.code, Some(1));
    assert_eq!(
        run.stderr,
        "error: spec.hours[0]: Invalid value: a gate opens before it closes\n"
    );
}

#[test]
fn programs_ask_by_group_version_and_kind() {
    let ask = |request: &str| with_input("eval --crds fixtures/gate/crd.yaml", request).stdout;
    assert_eq!(
        ask(
            r#"{"group": "park.example.org", "version": "v1", "kind": "Gate", "obj": {"spec": {"name": "a", "x": 1}}}"#
        ),
        concat!(
            r#"{"obj":{"spec":{"name":"a","width":120}},"errors":[],"pruned":["spec.x"],"defaulted":["spec.width"]}"#,
            "\n"
        )
    );
    let refused = ask(
        r#"{"op": "UPDATE", "obj": {"apiVersion": "park.example.org/v1", "kind": "Gate", "metadata": {"name": "A"}, "spec": {"name": "a"}}, "old": {"metadata": {"name": "A"}, "spec": {"name": "a", "width": 70}}}"#,
    );
    assert!(
        refused.contains(r#""detail":"a gate keeps its width""#),
        "{refused}"
    );
    assert_eq!(
        ask(r#"{"id": 7, "group": "g", "version": "v1", "kind": "Door", "obj": {}}"#),
        "{\"id\":7,\"error\":\"no schema for g/v1 Door\"}\n"
    );
}
