//! Generated Go for the recorded packages compiles against the published libraries and reports the recorded
//! errors.

use std::path::Path;

use crate::toolchain;
use kindsmith_emit::go::{self, Options};
use kindsmith_json::{Arena, Value, parse_str};
use kindsmith_testkit::go_toolchain::Go;
use kindsmith_testkit::tool::say;
use kindsmith_testkit::{names, recordings, text};

/// Writes a recorded package with the tags of its `doc.go` and a scheme to register with; returns its import
/// path.
fn lay_out(go: &Go, folder: &Path) -> String {
    let arena = Arena::new();
    let about = text(&folder.join("package.json"));
    let about = parse_str(&arena, &about).expect("JSON");
    let path = about.get("package").and_then(Value::as_str).expect("a path");
    let directory = path
        .strip_prefix("example.com/native/")
        .expect("a recorded package");
    let tags = about.get("packageTags").and_then(Value::as_array).unwrap_or(&[]);
    let tags: String = tags
        .iter()
        .map(|tag| format!("// +{}\n", tag.as_str().expect("text")))
        .collect();
    let name = path.rsplit('/').next().expect("a last element");
    let doc = format!(
        "{tags}// +k8s:validation-gen-scheme-registry=example.com/native/registry.Scheme\n\npackage {name}\n\n\
         import \"example.com/native/registry\"\n\nvar localSchemeBuilder = registry.All\n"
    );
    go.write(&format!("{directory}/doc.go"), &doc);
    go.write(&format!("{directory}/types.go"), &text(&folder.join("types.go")));
    path.to_owned()
}

#[test]
fn recorded_objects_get_the_recorded_errors() {
    let Some(go) = toolchain::go(
        "native",
        "compiling generated validation code and replaying recordings with it",
    ) else {
        return;
    };
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/go");
    go.copy(&data.join("registry"), "registry");
    go.copy(&data.join("replay"), "replay");
    go.module_file("example.com/native");
    let mut arguments = vec!["run".to_owned(), "./replay".to_owned()];
    let mut imports = String::from("package main\n\nimport (\n");
    for name in names(&recordings("native/types")) {
        let path = lay_out(&go, &recordings("native/types").join(&name));
        imports += &format!("\t_ \"{path}\"\n");
        arguments.push(path);
        let cases = recordings("native/cases").join(format!("{name}.jsonl"));
        arguments.push(cases.to_str().expect("text").to_owned());
    }
    go.write("replay/imports.go", &format!("{imports})\n"));
    let read = go.read("types/...");
    let generated = go::validations(&read.schema, &Options::default());
    assert_eq!(generated.problems, Vec::new());
    for file in &generated.files {
        let directory = file
            .package
            .strip_prefix("example.com/native/")
            .expect("recorded");
        go.write(&format!("{directory}/{}", file.name), &file.text);
    }
    go.gofmt();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let said = go.run(&arguments);
    let count: usize = said
        .split(' ')
        .next()
        .and_then(|count| count.parse().ok())
        .unwrap_or(0);
    assert!(count > 8000, "{said}");
    say(&format!("{} packages: {said}", generated.files.len()));
}
