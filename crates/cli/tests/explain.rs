//! `kindsmith explain` as users see it.

use crate::binary::kindsmith;

fn check(arguments: &str, expected: &str) {
    kindsmith(&format!("explain {arguments}")).check(0, expected, "");
}

#[test]
fn a_field_of_a_go_type() {
    check(
        "Bed.spec.rows --types fixtures/garden/v1",
        "\
GROUP:      garden.example.org
KIND:       Bed
VERSION:    v1

FIELD: rows <integer>


DESCRIPTION:
    Rows of plants.
    
SERVER:
    default: 3
    bounds: at least 1, at most 64
    ratcheting: an update that leaves it unchanged is not checked again


",
    );
}

#[test]
fn a_field_of_a_crd() {
    check(
        "gates.spec.width --crds fixtures/gate/crd.yaml",
        "\
GROUP:      park.example.org
KIND:       Gate
VERSION:    v1

FIELD: width <integer>


DESCRIPTION:
    Width in centimeters.
    
SERVER:
    default: 120
    bounds: at least 60, at most 400
    on update: may not change (a gate keeps its width)
    ratcheting: an update that leaves it unchanged is not checked again


",
    );
}

#[test]
fn all_fields_in_short_lines() {
    check(
        "Gate --crds fixtures/gate/crd.yaml --recursive",
        "\
GROUP:      park.example.org
KIND:       Gate
VERSION:    v1

DESCRIPTION:
    A gate of a park.
    
SERVER:
    ratcheting: checked on every update

FIELDS:
  apiVersion\t<string>
  kind\t<string>
  metadata\t<ObjectMeta>
  spec\t<Object> -required-
    hours\t<[]Object>
      day\t<string> -required-
      enum: Mon, Tue, Wed, Thu, ....
      from\t<integer>
      to\t<integer>
    name\t<string> -required-
    tags\t<map[string]string>
    width\t<integer>
  status\t<Object>
    open\t<boolean>

",
    );
}

#[test]
fn scripts_get_json() {
    let run = kindsmith("explain Gate.spec.name --crds fixtures/gate/crd.yaml -o json");
    let page: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(page["kind"], "Gate");
    assert_eq!(page["path"], serde_json::json!(["spec", "name"]));
    assert_eq!(page["type"], "string");
    assert_eq!(page["required"], true);
    assert_eq!(page["length"], serde_json::json!(["at most 20 characters"]));
}

#[test]
fn missing_kinds_and_fields_are_named() {
    let run = kindsmith("explain Gate.spec.color --crds fixtures/gate/crd.yaml");
    run.check(2, "", "error: field \"color\" does not exist\n");
    let run = kindsmith("explain Door --crds fixtures/gate/crd.yaml");
    run.check(2, "", "error: no kind `Door`\n  = help: available: Gate\n");
    let run = kindsmith("explain Gate --crds fixtures/garden");
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr.contains("no CustomResourceDefinition in"),
        "{}",
        run.stderr
    );
}
