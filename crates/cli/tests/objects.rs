//! Commands about objects: `check` for people, `eval` for programs.

use crate::binary::{kindsmith, with_input};

const TYPES: &str = "--types crates/cli/tests/objects/api";

fn eval(requests: &str, answers: &str) {
    let run = with_input(&format!("eval {TYPES}"), requests);
    run.check(0, answers, "");
}

#[test]
fn eval_answers_line_by_line() {
    eval(
        concat!(
            r#"{"id": 1, "type": "Thing", "obj": {"name": "abcdef", "x": 1}, "options": {"Big": true}}"#,
            "\n",
            "nonsense\n",
            "\n",
            r#"{"id": "b", "type": "Nothing", "obj": {}}"#,
            "\n",
            r#"{"type": "Thing", "obj": {"size": "big"}}"#,
            "\n",
            r#"{"type": "Thing", "op": "UPDATE", "steps": ["validate"], "options": {"Big": false}, "#,
            r#""obj": {"name": "a", "size": 1, "color": "blue"}, "old": {"name": "a", "size": 1, "color": "red"}}"#,
        ),
        concat!(
            r#"{"id":1,"obj":{"name":"abcdef","size":3},"errors":["#,
            r#"{"type":"FieldValueTooLong","field":"name","detail":"may not be more than 5 characters","#,
            r#""origin":"maxLength","badValue":"<value omitted>","#,
            r#""message":"name: Too long: may not be more than 5 characters"},"#,
            r#"{"type":"FieldValueInvalid","field":"size","detail":"must be greater than or equal to 10","#,
            r#""origin":"minimum","badValue":3,"message":"size: Invalid value: 3: must be greater than or equal to 10"}],"#,
            r#""pruned":["x"],"defaulted":["size"]}"#,
            "\n",
            r#"{"error":"invalid character 'o' in literal null (expecting 'u')"}"#,
            "\n",
            r#"{"id":"b","error":"no type `Nothing`"}"#,
            "\n",
            r#"{"error":"json: cannot unmarshal string into Go struct field Thing.size of type int32"}"#,
            "\n",
            r#"{"obj":{"name":"a","size":1,"color":"blue"},"errors":["#,
            r#"{"type":"FieldValueInvalid","field":"color","detail":"field is immutable","origin":"immutable","#,
            r#""badValue":null,"message":"color: Invalid value: null: field is immutable","shortCircuit":true}]}"#,
            "\n",
        ),
    );
}

#[test]
fn check_shows_errors_where_they_are() {
    let run = kindsmith(&format!(
        "check -f crates/cli/tests/objects/thing.yaml --option Big=false --notes {TYPES}"
    ));
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    for part in [
        "error[invalid]: name: Too long: may not be more than 5 characters\n --> crates/cli/tests/objects/thing.yaml:2:7",
        "crates/cli/tests/objects/api/types.go:8:6",
        "error[unknown-field]: unknown field \"shape\"\n --> crates/cli/tests/objects/thing.yaml:3:1",
        "note[defaulted]: size defaults to 3",
    ] {
        assert!(run.stdout.contains(part), "{part}\n--- not in\n{}", run.stdout);
    }
}

#[test]
fn check_prints_objects_and_skips_what_did_not_change() {
    let run = kindsmith(&format!(
        "check -f crates/cli/tests/objects/thing.yaml --old crates/cli/tests/objects/old.yaml \
         --option Big=false --print json {TYPES}"
    ));
    assert_eq!(run.code, Some(1));
    assert!(
        run.stderr
            .contains("color: Invalid value: null: field is immutable"),
        "{}",
        run.stderr
    );
    assert!(!run.stderr.contains("Too long"), "{}", run.stderr);
    let objects = "{\n  \"kind\": \"Thing\",\n  \"name\": \"too long\",\n  \"size\": 3\n}\n";
    assert!(run.stdout.starts_with(objects), "{}", run.stdout);
}

#[test]
fn check_explains() {
    let run = kindsmith(&format!(
        "check -f crates/cli/tests/objects/thing.yaml --option Big=false --explain {TYPES}"
    ));
    let story = "\
Thing
  name
    failed: Too long: may not be more than 5 characters (crates/cli/tests/objects/api/types.go:8:6)
  shape
    dropped: the schema has no such field
  size
    defaulted to 3 (crates/cli/tests/objects/api/types.go:12:6)
";
    assert!(run.stdout.contains(story), "{}", run.stdout);
}

#[test]
fn check_says_what_it_needs() {
    let run = kindsmith(&format!("check -f Cargo.toml {TYPES} --type Thing"));
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let run = kindsmith(&format!("check -f no.yaml {TYPES}"));
    run.check(
        2,
        "",
        "error: cannot read no.yaml: No such file or directory (os error 2)\n",
    );
}

#[test]
fn check_tries_policies_and_shows_the_expression() {
    let run = kindsmith(
        "check crates/cli/tests/objects/config_maps.yaml --policies crates/cli/tests/objects/policies",
    );
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    for part in [
        "error[invalid]: the label team must be one of blue,green, says the policy owner\n  --> crates/cli/tests/objects/config_maps.yaml:8:1",
        "crates/cli/tests/objects/policies/owner.yaml:17:17",
        "this expression does not hold",
    ] {
        assert!(run.stdout.contains(part), "{part}\n--- not in\n{}", run.stdout);
    }
    assert!(run.stderr.contains("1 error"), "{}", run.stderr);
}

#[test]
fn check_warns_about_expressions_that_do_not_fit_a_kind() {
    let run = kindsmith(
        "check crates/cli/tests/objects/config_maps.yaml --policies crates/cli/tests/objects/mistyped",
    );
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let warning = "warning[server-warning]: apps/v1, Kind=DaemonSet: ERROR: <input>:1:12: undefined field 'replicas'\n  \
                   --> crates/cli/tests/objects/mistyped/replicas.yaml:13:17";
    assert!(run.stdout.contains(warning), "{}", run.stdout);
    assert!(!run.stdout.contains("Kind=Deployment"), "{}", run.stdout);
}

#[test]
fn eval_enforces_markers_of_kubebuilder() {
    let run = with_input(
        "eval --types fixtures/database/v1",
        concat!(
            r#"{"type": "DatabaseSpec", "obj": {"engine": "oracle", "x": 1}}"#,
            "\n",
            r#"{"type": "DatabaseSpec", "steps": ["default"], "obj": {"engine": "mysql"}}"#,
            "\n",
            r#"{"type": "Database", "obj": {"metadata": {"name": "a"}, "spec": {"engine": "mysql", "replicas": 10}}}"#,
        ),
    );
    let lines: Vec<&str> = run.stdout.lines().collect();
    let [part, defaulted, kind] = lines[..] else {
        panic!("{}{}", run.stdout, run.stderr)
    };
    assert!(
        part.starts_with(
            r#"{"obj":{"engine":"oracle","replicas":3},"errors":[{"type":"FieldValueNotSupported","#
        ),
        "{part}"
    );
    assert!(
        part.ends_with(r#"],"pruned":["x"],"defaulted":["replicas"]}"#),
        "{part}"
    );
    assert_eq!(
        defaulted,
        r#"{"obj":{"engine":"mysql","replicas":3},"errors":[],"defaulted":["replicas"]}"#
    );
    assert!(
        kind.contains(
            "spec.replicas: Invalid value: 10: spec.replicas in body should be less than or equal to 9"
        ),
        "{kind}"
    );
}
