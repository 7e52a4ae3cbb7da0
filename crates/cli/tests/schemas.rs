//! `kindsmith schema`: real outputs keep to their published JSON schemas.

use std::path::Path;

use serde_json::Value;

use crate::binary::{kindsmith, kindsmith_in, root, with_input};
use crate::serving::Serving;

/// Finds what is wrong with values under a schema, by the keywords that our schemas use.
struct Checker<'s> {
    root: &'s Value,
    wrong: Vec<String>,
}

impl Checker<'_> {
    fn check(&mut self, schema: &Value, value: &Value, at: &str) {
        let keywords = schema.as_object().expect("a schema is an object");
        for (keyword, operand) in keywords {
            let is_kept = match keyword.as_str() {
                "$schema" | "$defs" | "title" | "description" => true,
                "$ref" => {
                    let pointer = operand.as_str().and_then(|text| text.strip_prefix('#'));
                    let below = pointer.and_then(|pointer| self.root.pointer(pointer));
                    self.check(
                        below.unwrap_or_else(|| panic!("{operand} is not there")),
                        value,
                        at,
                    );
                    true
                }
                "type" => match operand.as_array() {
                    Some(types) => types.iter().any(|ty| is_of(ty, value)),
                    None => is_of(operand, value),
                },
                "enum" => operand.as_array().is_some_and(|values| values.contains(value)),
                "required" => {
                    let mut names = operand.as_array().into_iter().flatten().filter_map(Value::as_str);
                    value
                        .as_object()
                        .is_none_or(|object| names.all(|name| object.contains_key(name)))
                }
                "properties" => {
                    for (name, below) in operand.as_object().into_iter().flatten() {
                        if let Some(member) = value.get(name) {
                            self.check(below, member, &format!("{at}.{name}"));
                        }
                    }
                    true
                }
                "additionalProperties" => self.check_others(schema, operand, value, at),
                "items" => {
                    for item in value.as_array().into_iter().flatten() {
                        self.check(operand, item, &format!("{at}[]"));
                    }
                    true
                }
                other => panic!("the keyword {other} is not checked here"),
            };
            if !is_kept {
                self.wrong
                    .push(format!("{at}: {keyword} {operand} is not kept by {value}"));
            }
        }
    }

    /// Checks members that are not among the properties.
    fn check_others(&mut self, schema: &Value, operand: &Value, value: &Value, at: &str) -> bool {
        let known = schema["properties"].as_object();
        let members = value.as_object().into_iter().flatten();
        let mut others = members.filter(|(name, _)| known.is_none_or(|known| !known.contains_key(*name)));
        match operand {
            Value::Bool(allowed) => *allowed || others.next().is_none(),
            below => {
                others.for_each(|(name, member)| self.check(below, member, &format!("{at}.{name}")));
                true
            }
        }
    }
}

fn is_of(ty: &Value, value: &Value) -> bool {
    match ty.as_str() {
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        Some("null") => value.is_null(),
        _ => false,
    }
}

/// Compares documents with the schema of an output.
#[track_caller]
fn keeps(output: &str, documents: &str) {
    let run = kindsmith(&format!("schema {output}"));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let schema: Value = serde_json::from_str(&run.stdout).expect("a schema is JSON");
    let mut checker = Checker {
        root: &schema,
        wrong: Vec::new(),
    };
    let mut count = 0;
    for document in serde_json::Deserializer::from_str(documents).into_iter::<Value>() {
        let document = document.unwrap_or_else(|error| panic!("{output}: {error}: {documents}"));
        checker.check(&schema, &document, output);
        count += 1;
    }
    assert!(count > 0, "{output}: nothing was printed");
    assert_eq!(checker.wrong, [""; 0], "{output}");
}

#[test]
fn outputs_keep_to_their_schemas() {
    for (output, words) in [
        (
            "findings",
            "check fixtures/gate/wrong.yaml --crds fixtures/gate/crd.yaml -o json",
        ),
        (
            "findings",
            "check -f fixtures/garden/bed.yaml --types fixtures/garden/v1 -o json",
        ),
        (
            "findings",
            "lint crates/cli/tests/objects/api -o json --extend-select conventions",
        ),
        (
            "diff",
            "diff fixtures/gate/crd.yaml conformance/gen/crd/label/label.example.org_labels.yaml -o json",
        ),
        ("rules", "rules -o json"),
        ("tags", "tags -o json"),
        ("version", "version -o json"),
        ("cel", "cel '1 + 1' -o json"),
        ("cel", "cel '1 +' -o json"),
        ("cel", "cel 'self.spec.width' -f fixtures/gate/wrong.yaml -o json"),
        (
            "cel",
            "cel 'object.spec.width' --policy -f fixtures/gate/wrong.yaml -o json",
        ),
        (
            "cel",
            "cel 'object.none' --policy -f fixtures/gate/wrong.yaml -o json",
        ),
        (
            "gen",
            "gen crd fixtures/garden/v1 --out target/schemas-gen -o json --check",
        ),
    ] {
        keeps(output, &kindsmith(words).stdout);
    }
    let requests = "{\"obj\": {\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"BAD\"}, \"x\": 1}, \"id\": 7}\n\
                    {\"obj\": {\"apiVersion\": \"v1\", \"kind\": \"Odd\"}}\n";
    keeps("eval", &with_input("eval", requests).stdout);
}

#[test]
fn servers_that_are_ready_keep_to_the_schema() {
    for options in [
        &["--store", "memory"][..],
        &["--store", "memory", "--insecure-http"],
    ] {
        keeps("serve", &Serving::start_with(options).line);
    }
}

#[test]
fn objects_keep_to_their_schema() {
    for words in [
        "normalize fixtures/gate --crds fixtures/gate/crd.yaml -o json",
        "check fixtures/gate/north.yaml --crds fixtures/gate/crd.yaml --print json",
    ] {
        keeps("objects", &kindsmith(words).stdout);
    }
}

#[test]
fn answers_of_a_batch_keep_to_their_schema() {
    let schema = Path::new(env!("CARGO_TARGET_TMPDIR")).join("schemas-batch.json");
    let text = r#"{"type": "object", "properties": {
        "n": {"type": "integer", "default": 3},
        "l": {"type": "array", "maxItems": 9, "items": {"type": "string", "maxLength": 1}},
        "x": {"x-kubernetes-preserve-unknown-fields": true}}}"#;
    std::fs::write(&schema, text).expect("there is room for tests");
    let requests = [
        r#"{"id": 1, "path": "", "rule": "self.n > 2", "obj": {"l": ["a", "b"]}, "messageExpression": "'n is ' + string(self.n)"}"#,
        r#"{"id": "two", "path": "/properties/n", "rule": "self > 5", "obj": {"n": 1}, "reason": "FieldValueForbidden"}"#,
        r#"{"path": "/properties/l/items", "rule": "self == oldSelf", "obj": {"l": ["a", "long"]}, "old": {"l": ["a"]}}"#,
        r#"{"path": "/properties/l/items", "rule": "self == 'a'", "obj": {"l": ["a", "b"]}}"#,
        r#"{"path": "/properties/n", "rule": "self / 0 == 1", "obj": {"n": 1}}"#,
        r#"{"path": "/properties/n", "rule": "self.x", "obj": {"n": 1}}"#,
        r#"{"path": "/properties/x", "rule": "true", "obj": {"x": 1}}"#,
        r#"{"path": "/properties/none", "rule": "true", "obj": {}}"#,
        "no JSON",
    ]
    .join("
");
    let run = with_input(
        &format!("cel --batch --schema {}", schema.display()),
        &format!(
            "{requests}
"
        ),
    );
    assert_eq!(run.stdout.lines().count(), 9, "{}{}", run.stdout, run.stderr);
    keeps("cel-batch", &run.stdout);
}

#[test]
fn outputs_about_objects_and_fields_keep_to_their_schemas() {
    const APPLY: &str = "apply --dry-run --crds fixtures/gate/crd.yaml -o json";
    const PLAN: &str = "reconcile --plan -o json";
    for (output, words) in [
        ("apply", format!("{APPLY} -f fixtures/gate/north.yaml")),
        (
            "apply",
            format!("{APPLY} --live fixtures/gate/live.yaml -f fixtures/gate/renamed.yaml"),
        ),
        (
            "reconcile",
            format!(
                "{PLAN} --crds fixtures/keep/crd.yaml -f fixtures/keep/fountain.yaml --live fixtures/keep/live.json"
            ),
        ),
        ("reconcile", format!("{PLAN} -f fixtures/keep/instance.yaml")),
        ("explain", "explain pods -o json".to_owned()),
        ("explain", "explain pods.spec.containers -o json".to_owned()),
        (
            "explain",
            "explain Bed.spec --types fixtures/garden/v1 -o json --recursive".to_owned(),
        ),
        (
            "explain",
            "explain Gate.spec.hours --crds fixtures/gate/crd.yaml -o json".to_owned(),
        ),
        ("types", "types fixtures/garden/v1 -o json --all".to_owned()),
        ("types", "types fixtures/database/v1 -o json".to_owned()),
        ("types", "types crates/cli/tests/objects/api -o json".to_owned()),
    ] {
        keeps(output, &kindsmith(&words).stdout);
    }
}

#[test]
fn outputs_of_migrations_keep_to_their_schemas() {
    for (output, words) in [
        (
            "migrate-validation",
            "migrate validation --types fixtures/lamp/v1 --validation fixtures/lamp/validation --no-run -o json",
        ),
        ("migrate-markers", "migrate markers fixtures/database/v1 -o json"),
        ("migrate-crd", "migrate crd fixtures/gate/crd.yaml -o json"),
        ("migrate-crd", "migrate crd conformance/gen/crd -o json"),
    ] {
        keeps(output, &kindsmith(words).stdout);
    }
}

#[test]
fn outputs_about_controllers_keep_to_their_schemas() {
    for (output, words) in [
        (
            "findings",
            "controller check crates/controller/kinds/pubsub_topic.yaml --crds crates/controller/api/crd -o json",
        ),
        (
            "migrate",
            "controller migrate fixtures/migrate/cluster.yaml --live fixtures/migrate/live.json -o json",
        ),
        (
            "migrate",
            "controller migrate fixtures/migrate/cluster.yaml -o json",
        ),
    ] {
        keeps(output, &kindsmith(words).stdout);
    }
}

#[test]
fn results_of_rule_tests_keep_to_their_schema() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("schemas");
    std::fs::create_dir_all(&folder).expect("there is room for tests");
    let suite = "kind: RuleTests\ntests:\n  onCreate:\n  - name: a\n    initial: {apiVersion: park.example.org/v1, kind: Gate, \
                 metadata: {name: a}, spec: {name: A}}\n    expected: {spec: {width: 9}}\n";
    let crd = std::fs::read_to_string(root().join("fixtures/gate/crd.yaml")).expect("the fixture is there");
    for (file, text) in [
        ("crd.yaml", &*crd),
        ("fails.yaml", &format!("crd: crd.yaml\n{suite}")),
        ("broken.yaml", suite),
    ] {
        std::fs::write(folder.join(file), text).expect("there is room for tests");
    }
    let run = kindsmith_in(&folder, "test fails.yaml broken.yaml -o json");
    let report: Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    assert_eq!(report["failed"], 1, "{report:#}");
    assert!(report["results"][0]["diff"].is_string(), "{report:#}");
    assert_eq!(report["broken"][0]["file"], "broken.yaml", "{report:#}");
    keeps("test", &run.stdout);
    for suites in ["fixtures/gate", "fixtures/garden"] {
        keeps(
            "test",
            &kindsmith(&format!("test {suites} --coverage -o json")).stdout,
        );
    }
}

#[test]
fn suites_have_a_schema_too() {
    assert_eq!(
        kindsmith("schema tests").stdout,
        kindsmith("test --schema").stdout
    );
}
