//! Generated Go agrees with the engine where there is no recording: on rules that only KEP-5073 describes,
//! and on packages for which validation-gen's output does not compile.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::toolchain;
use kindsmith_checks::Profile;
use kindsmith_emit::go::{self, Options};
use kindsmith_engine::{Change, CompileOptions, Operation, OptionSet, Plan};
use kindsmith_gostd::quote::quote;
use kindsmith_json::{Arena, parse_str};
use kindsmith_schema::{Schema, TypeName};
use kindsmith_testkit::go_toolchain::Go;
use kindsmith_testkit::tool::say;
use kindsmith_testkit::{recordings, text};

/// States of objects by type: each is created, and each pair is an update.
const STATES: &[(&str, &[&str])] = &[
    (
        "Bounds",
        &[
            "{}",
            r#"{"value": 5, "low": 5, "limits": {"high": 5}}"#,
            r#"{"value": 4, "low": 5, "limits": {"high": 3}, "near": 7, "steps": [7, 8, 9]}"#,
            r#"{"value": 4, "low": 5, "near": 8, "steps": [7, 8, 9]}"#,
            r#"{"above": 3, "below": 9}"#,
            r#"{"above": 4, "below": 8}"#,
        ],
    ),
    (
        "Targets",
        &[
            "{}",
            r#"{"minValue": 1, "current": 2, "limits": {"high": 3}, "side": {"name": "a", "value": 1}}"#,
            r#"{"minValue": 4, "current": 2, "limits": {"high": 1}, "side": {"name": "a", "value": 2}}"#,
            r#"{"minValue": 4, "current": 2, "side": {"name": "b", "value": 2}}"#,
        ],
    ),
    (
        "Changes",
        &[
            "{}",
            r#"{"once": "a", "oncePointer": 0, "size": 1}"#,
            r#"{"once": "b", "oncePointer": 1, "size": 2}"#,
            r#"{"items": [{"name": "a"}], "labels": {"k": "v"}}"#,
            r#"{"items": [{"name": "a", "value": 1}], "labels": {"k": "w"}}"#,
            r#"{"items": [{"name": "b"}], "labels": {"l": "v"}}"#,
            r#"{"parts": [{"name": "a"}, {"name": "b"}]}"#,
            r#"{"parts": [{"name": "a", "value": 1}, {"name": "b", "value": 1}]}"#,
            r#"{"words": ["aa", "b"]}"#,
            r#"{"words": ["aa", "cc"]}"#,
        ],
    ),
    (
        "Deeper",
        &[
            "{}",
            r#"{"floor": 2, "value": 1, "top": 3}"#,
            r#"{"top": 3, "part": {"name": "a", "value": 4}, "items": [{"name": "b", "value": 9}, {"name": "a", "value": 4}]}"#,
            r#"{"top": 4, "part": {"name": "a", "value": 4}, "items": [{"name": "a", "value": 4}]}"#,
            r#"{"floor": 1, "value": 1, "all": [{"name": "a"}, {"name": "b", "value": 1}]}"#,
        ],
    ),
    (
        "Groups",
        &[
            "{}",
            r#"{"plain": "a"}"#,
            r#"{"left": {"name": "a"}}"#,
            r#"{"left": {}, "sides": [{}, {"name": "b"}]}"#,
            r#"{"items": [{"name": "b"}, {"name": "a"}]}"#,
            r#"{"plain": "a", "items": [{"name": "a"}]}"#,
        ],
    ),
    (
        "Frozen",
        &[
            "{}",
            r#"{"items": [{"name": "a"}], "words": ["x"], "labels": {"k": "v"}}"#,
            r#"{"items": [{"name": "b"}], "words": ["x", "y"], "labels": {"k": "v", "l": "v"}}"#,
            r#"{"items": [{"name": "b"}, {"name": "a", "value": 1}], "labels": {}}"#,
            r#"{"label": "Not.a.label", "address": "1.2.3"}"#,
            r#"{"label": "label", "address": "10.0.0.1"}"#,
        ],
    ),
];

fn recorded(plan: &Plan, ty: &str, new: &str, old: Option<&str>, subresource: Option<&str>) -> String {
    let arena = Arena::new();
    let subresources: Vec<&str> = subresource.into_iter().collect();
    let options = OptionSet::default();
    let change = Change {
        operation: if old.is_some() {
            Operation::Update
        } else {
            Operation::Create
        },
        new: parse_str(&arena, new).expect("JSON"),
        old: old.map(|old| parse_str(&arena, old).expect("JSON")),
        options: Some(&options),
        subresources: &subresources,
        custom: None,
    };
    let mut errors = String::new();
    for error in plan.validate(&change) {
        let separator = if errors.is_empty() { "" } else { "," };
        let level = error.level.map(|level| format!("{level:?}").to_lowercase());
        write!(
            errors,
            r#"{separator}{{"type":{},"field":{},"detail":{},"origin":{},"badValue":{},"message":{},"level":{},"shortCircuit":{}}}"#,
            quote(error.kind.name()),
            quote(&error.path.to_string()),
            quote(&error.detail.to_string()),
            quote(&error.origin),
            error.bad.to_json(),
            quote(&error.to_string()),
            quote(&level.unwrap_or_default()),
            error.short_circuit,
        )
        .expect("writing to a string succeeds");
    }
    let op = if old.is_some() { "UPDATE" } else { "CREATE" };
    let parts: Vec<String> = subresources.iter().map(|part| quote(part)).collect();
    format!(
        "{{\"id\":{},\"type\":{},\"op\":\"{op}\",\"options\":{{}},\"subresources\":[{}],\"obj\":{new},\"old\":{},\"orderVaries\":true,\"errors\":[{errors}]}}\n",
        quote(&format!("{ty} {new} <- {old:?} {subresource:?}")),
        quote(ty),
        parts.join(","),
        old.unwrap_or("null"),
    )
}

fn plan(schema: &Schema, package: &str, ty: &str, profile: Profile) -> Plan {
    let id = schema.find(&TypeName::new(package, ty)).expect("the type");
    let options = CompileOptions {
        profile,
        ..CompileOptions::default()
    };
    Plan::compile_with(schema, id, &options)
}

/// The programs that compare, in a module of their own; returns the directory for test data.
fn harness(go: &Go) -> PathBuf {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/go");
    go.copy(&data.join("registry"), "registry");
    go.copy(&data.join("replay"), "replay");
    go.module_file("example.com/native");
    data
}

#[test]
fn rules_of_the_kep_agree_with_the_engine() {
    let Some(go) = toolchain::go(
        "kep",
        "comparing generated validation code for KEP-5073 with the engine",
    ) else {
        return;
    };
    let data = harness(&go);
    go.write("kep/doc.go", &text(&data.join("kep.go")));
    go.write(
        "replay/imports.go",
        "package main\n\nimport _ \"example.com/native/kep\"\n",
    );
    let read = go.read_as("kep", kindsmith_go::Profile::Kep);
    let options = Options {
        profile: Profile::Kep,
        ..Options::default()
    };
    let generated = go::validations(&read.schema, &options);
    assert_eq!(generated.problems, Vec::new());
    for file in &generated.files {
        go.write(&format!("kep/{}", file.name), &file.text);
    }
    go.gofmt();
    let mut cases = String::new();
    for (ty, states) in STATES {
        let plan = plan(&read.schema, "example.com/native/kep", ty, Profile::Kep);
        for new in *states {
            cases += &recorded(&plan, ty, new, None, None);
            for old in *states {
                cases += &recorded(&plan, ty, new, Some(old), None);
                if *ty == "Changes" {
                    cases += &recorded(&plan, ty, new, Some(old), Some("resize"));
                }
            }
        }
    }
    go.write("cases.jsonl", &cases);
    let said = go.run(&["run", "./replay", "example.com/native/kep", "cases.jsonl"]);
    say(&format!("KEP-5073: {said}"));
}

/// States of the type `Thing` in packages for which validation-gen's output does not compile.
const UNCOMPILABLE: &[(&str, &[&str])] = &[
    (
        "discpointer",
        &["{}", r#"{"kind": "Left"}"#, r#"{"kind": "Left", "left": "x"}"#],
    ),
    ("eachvaltest", &[r#"{"value": {"a": ["x"]}}"#]),
    ("int8", &[r#"{"value": -1}"#, r#"{"value": 1}"#]),
    ("int8monotonic", &[r#"{"value": -1}"#, r#"{"value": 1}"#]),
    ("int8neq", &[r#"{"value": 1}"#, r#"{"value": 2}"#]),
    (
        "listofbytes",
        &[r#"{"value": ["aGVsbG8="]}"#, r#"{"value": ["aA=="]}"#],
    ),
    (
        "listofbytestypedef",
        &[r#"{"value": ["aGVsbG8="]}"#, r#"{"value": ["aA=="]}"#],
    ),
    (
        "listofpointertypedef",
        &[r#"{"value": ["abc"]}"#, r#"{"value": ["a", null]}"#],
    ),
    (
        "mapoflists",
        &[
            r#"{"value": {"k": ["a", "b", "c"]}}"#,
            r#"{"value": {"k": ["a"]}}"#,
        ],
    ),
    (
        "mapoflistseach",
        &[
            r#"{"value": {"k": ["a", "b", "c"]}}"#,
            r#"{"value": {"k": ["a"]}}"#,
        ],
    ),
    (
        "mapoflistselements",
        &[r#"{"value": {"k": ["abc"]}}"#, r#"{"value": {"k": ["a"]}}"#],
    ),
    (
        "mapoflistsnested",
        &[r#"{"value": {"k": ["abc"]}}"#, r#"{"value": {"k": ["a"]}}"#],
    ),
    ("neqrange", &[r#"{"value": 255}"#]),
    ("requiredany", &["{}", r#"{"value": 1}"#]),
    (
        "subfielddependent",
        &[
            r#"{"value": {"left": "l"}}"#,
            r#"{"value": {"left": "l", "right": "r"}}"#,
        ],
    ),
    (
        "subfieldmode",
        &[r#"{"value": {"name": "A"}}"#, r#"{"value": {"name": "B"}}"#],
    ),
    (
        "subfieldunion",
        &[r#"{"value": {}}"#, r#"{"value": {"left": "l"}}"#],
    ),
];

#[test]
fn packages_that_upstream_cannot_compile_work() {
    let Some(go) = toolchain::go("uncompilable", "compiling what validation-gen's output cannot") else {
        return;
    };
    harness(&go);
    let folder = recordings("native/uncompilable");
    let mut imports = String::from("package main\n\nimport (\n");
    for (name, _) in UNCOMPILABLE {
        let doc = format!(
            "// +k8s:validation-gen=TypesWithField=TypeMeta\n// +k8s:validation-gen-nolint\n\
             // +k8s:validation-gen-scheme-registry=example.com/native/registry.Scheme\n\npackage {name}\n\n\
             import \"example.com/native/registry\"\n\nvar localSchemeBuilder = registry.All\n"
        );
        go.write(&format!("uncompilable/{name}/doc.go"), &doc);
        let types = text(&folder.join(name).join("types.go"));
        go.write(&format!("uncompilable/{name}/types.go"), &types);
        imports += &format!("\t_ \"example.com/native/uncompilable/{name}\"\n");
    }
    go.write("replay/imports.go", &format!("{imports})\n"));
    let read = go.read("uncompilable/...");
    let generated = go::validations(&read.schema, &Options::default());
    assert_eq!(generated.problems, Vec::new());
    for file in &generated.files {
        let directory = file
            .package
            .strip_prefix("example.com/native/")
            .expect("of the module");
        go.write(&format!("{directory}/{}", file.name), &file.text);
    }
    go.gofmt();
    let mut arguments = vec!["run".to_owned(), "./replay".to_owned()];
    for (name, states) in UNCOMPILABLE {
        let package = format!("example.com/native/uncompilable/{name}");
        let plan = plan(&read.schema, &package, "Thing", Profile::Upstream);
        let mut cases = String::new();
        for new in *states {
            cases += &recorded(&plan, "Thing", new, None, None);
            for old in *states {
                cases += &recorded(&plan, "Thing", new, Some(old), None);
            }
        }
        go.write(&format!("{name}.jsonl"), &cases);
        arguments.extend([package, format!("{name}.jsonl")]);
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let said = go.run(&arguments);
    say(&format!("{} packages: {said}", UNCOMPILABLE.len()));
}
