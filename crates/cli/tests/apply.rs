//! `kindsmith apply --dry-run`: the server's answer, without a server.

use crate::binary;
use serde_json::Value;

const GATE: &str = "apply --dry-run --crds fixtures/gate/crd.yaml";

fn json(words: &str, code: i32) -> Value {
    let run = binary::kindsmith(&format!("{words} -o json"));
    assert_eq!(run.code, Some(code), "{words}: {}", run.stderr);
    serde_json::from_str(&run.stdout).expect("it is JSON")
}

#[test]
fn new_objects_are_created_and_defaulted() {
    let result = json(&format!("{GATE} -f fixtures/gate/north.yaml"), 0);
    assert_eq!(result["object"]["spec"]["width"], 120, "{result}");
    assert_eq!(result["owners"][0]["owner"], "kubectl (Apply)");
    let fields = result["owners"][0]["fields"].as_array().expect("they are listed");
    assert!(fields.contains(&Value::from(".spec.name")), "{result}");
    assert!(
        !fields.contains(&Value::from(".spec.width")),
        "a default has no owner: {result}"
    );
}

#[test]
fn conflicts_are_reported_and_can_be_forced() {
    let live = format!("{GATE} --live fixtures/gate/live.yaml -f fixtures/gate/renamed.yaml");
    let refused = json(&live, 1);
    assert_eq!(refused["status"]["code"], 409, "{refused}");
    let message = "Apply failed with 1 conflict: conflict with \"surveyor\": .spec.name";
    assert_eq!(refused["status"]["message"], message);
    assert_eq!(refused["conflicts"][0]["field"], ".spec.name");

    let forced = json(&format!("{live} --force-conflicts --field-manager ci/1"), 0);
    assert_eq!(forced["object"]["spec"]["name"], "Old North", "{forced}");
    let owners: Vec<&str> = forced["owners"]
        .as_array()
        .expect("they are listed")
        .iter()
        .filter_map(|owner| owner["owner"].as_str())
        .collect();
    assert_eq!(owners, ["ci/1 (Apply)"], "the surveyor owns nothing any more");
}

#[test]
fn people_get_yaml_and_owners() {
    let run = binary::kindsmith(&format!("{GATE} -f fixtures/gate/north.yaml"));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("  width: 120\n"), "{}", run.stdout);
    assert!(
        run.stdout.contains("# kubectl (Apply)\n#   .spec.name\n"),
        "{}",
        run.stdout
    );
    let refused = binary::kindsmith(&format!(
        "{GATE} --live fixtures/gate/live.yaml -f fixtures/gate/renamed.yaml"
    ));
    assert_eq!(refused.code, Some(1));
    assert!(
        refused
            .stderr
            .contains("hint: --force-conflicts takes these fields over"),
        "{}",
        refused.stderr
    );
}

#[test]
fn errors_say_why_there_is_no_answer() {
    for (words, expected) in [
        (
            "apply --dry-run -f fixtures/gate/north.yaml",
            "error: fixtures/gate/north.yaml: no schema for park.example.org/v1 Gate",
        ),
        (
            "apply --dry-run --crds fixtures/gate/crd.yaml --live fixtures/garden/bed.yaml -f fixtures/gate/north.yaml",
            "error: fixtures/garden/bed.yaml: expected the kind `Gate`",
        ),
    ] {
        let run = binary::kindsmith(words);
        assert_eq!(run.code, Some(2), "{words}");
        assert!(run.stderr.starts_with(expected), "{words}: {}", run.stderr);
    }
}

#[test]
fn several_documents_are_applied_and_namespaces_made() {
    let objects = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: nowhere}\ndata: {color: green}\n---\n\
                   apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n";
    let run = binary::with_input("apply --dry-run=server -f -", objects);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("namespace: nowhere"), "{}", run.stdout);
    assert_eq!(
        run.stdout.matches("kind: ConfigMap\n").count(),
        2,
        "{}",
        run.stdout
    );
}
