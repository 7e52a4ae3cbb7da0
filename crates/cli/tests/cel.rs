//! `kindsmith cel --batch` over the recordings: every answer is the recorded line.

use kindsmith_conformance::{Known, files};
use serde_json::Value;

use crate::binary::{kindsmith, with_input};

/// Members of a request, which answers do not repeat.
const REQUEST: &[&str] = &[
    "doc",
    "path",
    "rule",
    "message",
    "messageExpression",
    "reason",
    "fieldPath",
    "optionalOldSelf",
    "moreRules",
    "obj",
    "old",
    "unstable",
    "observed",
];

#[test]
fn batch_answers_are_the_recorded_ones() {
    let mut differences = Vec::new();
    for (name, cases) in files("cel/cases") {
        let run = with_input(
            &format!("cel --batch --schema conformance/cel/schemas/{name}.json --kubernetes-version 1.38"),
            &cases,
        );
        assert_eq!((run.code, &*run.stderr), (Some(0), ""), "{name}");
        assert_eq!(run.stdout.lines().count(), cases.lines().count(), "{name}");
        for (case, answer) in cases.lines().zip(run.stdout.lines()) {
            let (id, recorded, answered) = comparable(case, answer);
            if recorded != answered {
                differences.push((id, format!("\n  recorded {recorded}\n  answered {answered}")));
            }
        }
    }
    Known::read("cel.cases").hold_against(differences);
}

/// Both answers without what varies on a real server.
fn comparable(case: &str, answer: &str) -> (String, Value, Value) {
    let case: Value = serde_json::from_str(case).expect("a case");
    let mut answered: Value = serde_json::from_str(answer).expect("an answer");
    let mut recorded = case.clone();
    let unstable: Vec<&str> = case["unstable"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    for side in [&mut recorded, &mut answered] {
        let members = side.as_object_mut().expect("an object");
        members.retain(|key, _| !REQUEST.contains(&key.as_str()) && !unstable.contains(&key.as_str()));
    }
    let is_sorted = case["result"]["order"] == "sorted";
    if is_sorted {
        for side in [&mut recorded, &mut answered] {
            let result = side["result"].as_object_mut().expect("a result");
            result.remove("order");
            for list in ["errors", "warnings"] {
                if let Some(list) = result.get_mut(list).and_then(Value::as_array_mut) {
                    list.sort_by_key(Value::to_string);
                }
            }
        }
    }
    normalize(&mut recorded);
    normalize(&mut answered);
    (
        case["id"].as_str().unwrap_or_default().to_owned(),
        recorded,
        answered,
    )
}

/// Compares numbers by value: `1.0` and `1` are the same double in the recordings.
fn normalize(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(normalize),
        Value::Object(members) => {
            if members.get("t").is_some_and(|ty| ty == "double")
                && let Some(number) = members.get("v").and_then(Value::as_f64)
            {
                members.insert("v".to_owned(), number.into());
            }
            members.values_mut().for_each(normalize);
        }
        _ => {}
    }
}

const GATE: &str = "-f fixtures/gate/north.yaml --crds fixtures/gate/crd.yaml";

#[test]
fn an_expression_needs_no_schema() {
    kindsmith("cel '[1, 2].map(x, x * 2)'").check(
        0,
        "[2, 4]\ntype            list(int)\nestimated cost  49 to 49\nrun-time cost   29\n",
        "",
    );
    let run = kindsmith("cel 'self.spec.hours.map(h, h.day)' -f fixtures/gate/north.yaml");
    assert_eq!(run.stdout.lines().next(), Some("[\"Mon\"]"));
}

#[test]
fn run_time_errors_are_findings() {
    let run = kindsmith(&format!("cel 'self.spec.hours[3].day' {GATE}"));
    assert_eq!(run.code, Some(1));
    assert_eq!(run.stdout.lines().next(), Some("error: index out of bounds: 3"));
}

#[test]
fn old_values_are_matched_by_key() {
    kindsmith(&format!(
        "cel 'oldSelf.orValue(0) < self' --path spec.width --optional-old-self --old fixtures/gate/wider.yaml {GATE}"
    ))
    .check(
        0,
        "false\ntype            bool\nestimated cost  4 to 4\nrun-time cost   3\n",
        "",
    );
}

#[test]
fn json_for_scripts() {
    let run = kindsmith("cel 'self.nothing' -o json");
    let answer: Value = serde_json::from_str(&run.stdout).expect("a document");
    assert_eq!(
        (run.code, &answer["errors"][0]["message"]),
        (Some(1), &Value::from("undefined field 'nothing'"))
    );
}

#[test]
fn lines_are_answered_one_by_one() {
    let lines = ":type self.spec.hours\n:cost self.kind\n\n:nonsense\n1 + 1\n:quit\n2 + 2\n";
    with_input(&format!("cel {GATE}"), lines).check(
        1,
        "list(self.spec.hours.@idx)\nestimated cost  2 to 2\nno command `:nonsense`; :help lists all\n\
         2\ntype            int\nestimated cost  1 to 1\nrun-time cost   1\n",
        "",
    );
}

#[test]
fn a_request_that_makes_no_sense_gets_an_error() {
    let words = "cel --batch --schema conformance/cel/schemas/maps.json";
    let lines =
        "{\"id\": 1}\nnonsense\n{\"id\": 2, \"rule\": \"true\", \"path\": \"/properties/x\", \"obj\": {}}\n";
    let run = with_input(words, lines);
    let errors: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(
        (errors[0], errors[2]),
        (
            r#"{"id":1,"error":"a request has no `rule`"}"#,
            r#"{"id":2,"error":"the schema has no node `/properties/x`"}"#
        )
    );
    assert!(errors[1].starts_with("{\"error\":"), "{}", errors[1]);
}

#[test]
fn a_kind_is_required_if_there_are_several() {
    let run = kindsmith("cel 1 --crds fixtures/gate/crd.yaml");
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr.contains("name one with `--kind`: Gate"),
        "{}",
        run.stderr
    );
    let run = kindsmith("cel 1 --crds fixtures/gate/crd.yaml --kind Door");
    assert!(run.stderr.contains("no kind `Door`"), "{}", run.stderr);
}
