//! `kindsmith schema`: real outputs keep to their published JSON schemas.

use serde_json::Value;

use crate::binary::{kindsmith, with_input};

/// What is wrong with a value under a schema, by the keywords that our schemas use.
fn check(schema: &Value, value: &Value, at: &str, wrong: &mut Vec<String>) {
    let keywords = schema.as_object().expect("a schema is an object");
    for (keyword, operand) in keywords {
        let is_kept = match keyword.as_str() {
            "$schema" | "title" | "description" => true,
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
                        check(below, member, &format!("{at}.{name}"), wrong);
                    }
                }
                true
            }
            "additionalProperties" => {
                let known = schema["properties"].as_object();
                let members = value.as_object().into_iter().flatten();
                let mut others =
                    members.filter(|(name, _)| known.is_none_or(|known| !known.contains_key(*name)));
                match operand {
                    Value::Bool(allowed) => *allowed || others.next().is_none(),
                    below => {
                        others
                            .for_each(|(name, member)| check(below, member, &format!("{at}.{name}"), wrong));
                        true
                    }
                }
            }
            "items" => {
                for item in value.as_array().into_iter().flatten() {
                    check(operand, item, &format!("{at}[]"), wrong);
                }
                true
            }
            other => panic!("the keyword {other} is not checked here"),
        };
        if !is_kept {
            wrong.push(format!("{at}: {keyword} {operand} is not kept by {value}"));
        }
    }
}

fn is_of(ty: &Value, value: &Value) -> bool {
    match ty.as_str() {
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("boolean") => value.is_boolean(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        Some("null") => value.is_null(),
        _ => false,
    }
}

/// Compares a document with the schema of an output, both ways: what the schema names must occur somewhere.
#[track_caller]
fn keeps(output: &str, documents: &str) {
    let run = kindsmith(&format!("schema {output}"));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let schema: Value = serde_json::from_str(&run.stdout).expect("a schema is JSON");
    let mut wrong = Vec::new();
    let mut count = 0;
    for document in serde_json::Deserializer::from_str(documents).into_iter::<Value>() {
        let document = document.unwrap_or_else(|error| panic!("{output}: {error}: {documents}"));
        check(&schema, &document, output, &mut wrong);
        count += 1;
    }
    assert!(count > 0, "{output}: nothing was printed");
    assert_eq!(wrong, [""; 0], "{output}");
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
fn suites_have_a_schema_too() {
    assert_eq!(
        kindsmith("schema tests").stdout,
        kindsmith("test --schema").stdout
    );
}
