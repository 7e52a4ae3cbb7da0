//! What the code of validation-gen answers for recorded objects is what we answer.

mod recorded;

use kindsmith_engine::{Change, FieldError, Operation, OptionSet, Plan};
use kindsmith_json::{Arena, Value, to_string};
use recorded::{Known, folder, json, names, native_package, text};

/// An error in the form in which two are compared.
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
    let options: OptionSet = options.iter().map(|(name, on)| (name, on == Value::Bool(true))).collect();
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
    for file in names(&folder("native/cases")) {
        let name = file.trim_end_matches(".jsonl");
        let mut package = native_package(&folder("native/types").join(name));
        for line in text(&folder("native/cases").join(&file)).lines() {
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
    assert_eq!(known.stale(), Vec::<&str>::new(), "known differences that are none");
}

/// What upstream's Go does not compile for simply works here: types, and an object with the errors its tags mean.
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
    ("int8", r#"{"value": -1}"#, &["value: Invalid value: -1: must be greater than or equal to 1"]),
    ("int8neq", r#"{"value": 1}"#, &["value: Invalid value: 1: must not be equal to 1"]),
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
    ("requiredany", r#"{}"#, &["value: Required value"]),
];

#[test]
fn what_upstream_cannot_compile_works() {
    for (name, object, expected) in UNCOMPILABLE {
        let mut package = native_package(&folder("native/uncompilable").join(name));
        let arena = Arena::new();
        let errors = package.plan("Thing").validate(&Change::create(json(&arena, object)));
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(errors, *expected, "{name}");
    }
}
