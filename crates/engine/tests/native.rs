//! Recorded objects get the errors that validation-gen's code reported.

use crate::recorded::{Known, Package};
use kindsmith_engine::{Change, Operation, OptionSet, Plan};
use kindsmith_json::{Arena, Value, to_string};
use kindsmith_object::FieldError;
use kindsmith_testkit::{GoPackages, json, names, recordings, text};

/// A recorded package below `native/`.
fn native_package(path: &str) -> Package {
    let (packages, path) = GoPackages::native(&recordings("native").join(path));
    Package::new(&packages, "p", &path)
}

/// An error in comparable form.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Shown(String);

fn ours(error: &FieldError) -> Shown {
    let arena = Arena::new();
    let bad = error.bad.to_json();
    let bad = to_string(json(&arena, &bad));
    let level = error.level.map(|level| format!("{level:?}").to_lowercase());
    Shown(format!(
        "{} at {}: {:?} from {:?}, bad {bad}, text {:?}, level {:?}, short circuit {}",
        error.kind.name(),
        error.path,
        error.detail.to_string(),
        error.origin,
        error.to_string(),
        level.unwrap_or_default(),
        error.short_circuit,
    ))
}

fn recorded_error(error: &Value<'_>) -> Shown {
    let part = |key| error.get(key).and_then(Value::as_str).unwrap_or_default();
    Shown(format!(
        "{} at {}: {:?} from {:?}, bad {}, text {:?}, level {:?}, short circuit {}",
        part("type"),
        part("field"),
        part("detail"),
        part("origin"),
        to_string(error.get("badValue").unwrap_or_default()),
        part("message"),
        part("level"),
        error.get("shortCircuit").is_some(),
    ))
}

fn validate(plan: &Plan, case: Value<'_>) -> Vec<FieldError> {
    let options = case.get("options").and_then(Value::as_object).unwrap_or_default();
    let options: OptionSet = options
        .iter()
        .map(|(name, on)| (name, on == Value::Bool(true)))
        .collect();
    let subresources = case.get("subresources").and_then(Value::as_array).unwrap_or(&[]);
    let subresources: Vec<&str> = subresources.iter().filter_map(|part| part.as_str()).collect();
    let operation = match case.get("op").and_then(Value::as_str) {
        Some("UPDATE") => Operation::Update,
        _ => Operation::Create,
    };
    plan.validate(&Change {
        operation,
        new: case.get("obj").expect("an object"),
        old: case.get("old").filter(|old| !old.is_null()),
        options: Some(&options),
        subresources: &subresources,
        custom: None,
    })
}

fn differs(plan: &Plan, case: Value<'_>) -> Option<String> {
    let mut ours: Vec<Shown> = validate(plan, case).iter().map(ours).collect();
    let theirs = case.get("errors").and_then(Value::as_array).expect("errors");
    let mut theirs: Vec<Shown> = theirs.iter().map(recorded_error).collect();
    if case.get("orderVaries").is_some() {
        ours.sort();
        theirs.sort();
    }
    (ours != theirs).then(|| format!("  ours {ours:#?}\n  recorded {theirs:#?}"))
}

#[test]
fn recorded_objects_get_the_recorded_errors() {
    let mut known = Known::read("native.cases");
    let (mut count, mut wrong) = (0, Vec::new());
    for file in names(&recordings("native/cases")) {
        let name = file.trim_end_matches(".jsonl");
        let mut package = native_package(&format!("types/{name}"));
        for line in text(&recordings("native/cases").join(&file)).lines() {
            let arena = Arena::new();
            let case = json(&arena, line);
            let id = case.get("id").and_then(Value::as_str).expect("an id");
            let plan = package.plan(case.get("type").and_then(Value::as_str).expect("a type"));
            count += 1;
            if let Some(difference) = differs(plan, case)
                && !known.excuses(id)
            {
                wrong.push(format!("{id}\n{difference}"));
            }
        }
    }
    assert!(count > 8000, "only {count} cases");
    let shown = wrong.iter().take(5).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} of {count} differ:\n{shown}", wrong.len());
    assert_eq!(
        known.stale(),
        Vec::<&str>::new(),
        "known differences that are none"
    );
}

/// Types whose generated Go does not compile upstream work here: the types, an object, and the errors that
/// its tags mean.
const UNCOMPILABLE: &[(&str, &str, &[&str])] = &[
    (
        "anonymous",
        r#"{"den": {"depth": 0}}"#,
        &["den.depth: Invalid value: 0: must be greater than or equal to 1"],
    ),
    (
        "discpointer",
        r#"{"kind": "Left"}"#,
        &["left: Invalid value: \"\": must be specified when `kind` is \"Left\""],
    ),
    ("eachvaltest", r#"{"value": {"a": ["x"]}}"#, &[]),
    (
        "int8",
        r#"{"value": -1}"#,
        &["value: Invalid value: -1: must be greater than or equal to 1"],
    ),
    (
        "int8neq",
        r#"{"value": 1}"#,
        &["value: Invalid value: 1: must not be equal to 1"],
    ),
    (
        "listofbytes",
        r#"{"value": ["aGVsbG8="]}"#,
        &["value[0]: Too many: 5: must have at most 2 items"],
    ),
    (
        "listofbytestypedef",
        r#"{"value": ["aGVsbG8="]}"#,
        &["value[0]: Too many: 5: must have at most 2 items"],
    ),
    (
        "listofpointertypedef",
        r#"{"value": ["abc"]}"#,
        &["value[0]: Too long: may not be more than 2 characters"],
    ),
    (
        "mapoflists",
        r#"{"value": {"k": ["a", "b", "c"]}}"#,
        &["value[k]: Too many: 3: must have at most 2 items"],
    ),
    (
        "mapoflistseach",
        r#"{"value": {"k": ["a", "b", "c"]}}"#,
        &["value[k]: Too many: 3: must have at most 2 items"],
    ),
    (
        "mapoflistselements",
        r#"{"value": {"k": ["abc"]}}"#,
        &["value[k][0]: Too long: may not be more than 2 characters"],
    ),
    (
        "mapoflistsnested",
        r#"{"value": {"k": ["abc"]}}"#,
        &["value[k][0]: Too long: may not be more than 2 characters"],
    ),
    ("neqrange", r#"{"value": 255}"#, &[]),
    ("requiredany", r"{}", &["value: Required value"]),
    (
        "subfielddependent",
        r#"{"value": {"left": "l"}}"#,
        &["value.right: Required value: must be set when left is set"],
    ),
    (
        "subfieldmode",
        r#"{"value": {"name": "A"}}"#,
        &["value.right: Required value"],
    ),
    (
        "subfieldunion",
        r#"{"value": {}}"#,
        &["value: Invalid value: \"\": must specify one of: `left`, `right`"],
    ),
];

/// Where validation-gen's code panics, on unguarded pointers to structs, we validate nothing.
#[test]
fn what_makes_upstream_panic_has_an_answer() {
    let source = r#"
// +k8s:validation-gen=*
package p

type Cellar struct {
    Ladder *Ladder `json:"ladder,omitempty"`
    // +k8s:immutable
    Hatch *Ladder `json:"hatch,omitempty"`
}

type Ladder struct {
    // +k8s:minimum=2
    Width int32 `json:"width"`
}
"#;
    let packages = GoPackages::default().module("example.org/p", "p");
    let packages = packages.file("p/doc.go", source);
    let mut package = Package::new(&packages, "p", "example.org/p");
    let arena = Arena::new();
    let errors = |package: &mut Package, object| {
        let errors = package
            .plan("Cellar")
            .validate(&Change::create(json(&arena, object)));
        errors.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(errors(&mut package, r"{}"), Vec::<String>::new());
    assert_eq!(
        errors(&mut package, r#"{"hatch": {"width": 1}}"#),
        ["hatch.width: Invalid value: 1: must be greater than or equal to 2"]
    );
}

#[test]
fn types_that_upstream_cannot_compile_work() {
    for (name, object, expected) in UNCOMPILABLE {
        let mut package = native_package(&format!("uncompilable/{name}"));
        let arena = Arena::new();
        let errors = package
            .plan("Thing")
            .validate(&Change::create(json(&arena, object)));
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(errors, *expected, "{name}");
    }
}
