//! Generated Go for the recorded packages defaults objects as recorded, including hand-written functions.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::toolchain;
use kindsmith_emit::go::{self, Options};
use kindsmith_json::{Arena, Value, parse_str};
use kindsmith_testkit::tool::say;
use kindsmith_testkit::{entries, recordings, text};

const MODULE: &str = "example.org/gen";

/// The recorded files, and by package the types in them.
fn cases() -> (Vec<PathBuf>, BTreeMap<String, BTreeSet<String>>) {
    let files = entries(&recordings("gen/defaults"));
    let mut types: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in &files {
        for line in text(file).lines() {
            let arena = Arena::new();
            let case = parse_str(&arena, line).expect("JSON");
            let name = case.get("type").and_then(Value::as_str).expect("a type");
            let (package, name) = name.rsplit_once('.').expect("a package");
            types
                .entry(package.to_owned())
                .or_default()
                .insert(name.to_owned());
        }
    }
    (files, types)
}

/// The methods that make a type a runtime object; their content does not matter here.
fn object_methods(package: &str, types: &BTreeSet<String>, source: &str) -> String {
    let mut text = format!(
        "package {package}\n\nimport (\n\t\"k8s.io/apimachinery/pkg/runtime\"\n\t\"k8s.io/apimachinery/pkg/runtime/schema\"\n)\n\nvar _ schema.ObjectKind\n"
    );
    for ty in types {
        text += &format!("\nfunc (in *{ty}) DeepCopyObject() runtime.Object {{ return in }}\n");
        let body = source
            .split(&format!("type {ty} struct"))
            .nth(1)
            .unwrap_or_default();
        let body = body.split("\n}").next().unwrap_or_default();
        let embeds = body
            .lines()
            .any(|line| line.trim_start().starts_with("metav1.TypeMeta"));
        if !embeds {
            text += &format!(
                "\nfunc (in *{ty}) GetObjectKind() schema.ObjectKind {{ return schema.EmptyObjectKind }}\n"
            );
        }
    }
    text
}

#[test]
fn recorded_objects_get_the_recorded_defaults() {
    let Some(go) = toolchain::go(
        "defaults",
        "compiling generated defaulting code and replaying recordings with it",
    ) else {
        return;
    };
    let (files, recorded_types) = cases();
    for name in recorded_types
        .keys()
        .filter_map(|path| path.split('/').nth(2))
        .collect::<BTreeSet<_>>()
    {
        go.copy(&recordings("gen/types").join(name), name);
    }
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/go");
    go.copy(&data.join("fill"), "fill");
    go.module_file(MODULE);
    let read = go.read("...");
    let generated = go::defaults(&read.schema, &Options::default());
    for file in &generated.files {
        let directory = file
            .package
            .strip_prefix(MODULE)
            .expect("a package of the module");
        go.write(&format!(".{directory}/{}", file.name), &file.text);
    }
    let mut objects: BTreeMap<String, BTreeSet<String>> = recorded_types;
    let (mut imports, mut registrations, mut types) = (String::new(), String::new(), String::new());
    for (number, file) in generated.files.iter().enumerate() {
        imports += &format!("\tp{number} \"{}\"\n", file.package);
        registrations += &format!("\tp{number}.RegisterDefaults,\n");
        let registered = file.text.split("AddTypeDefaultingFunc(&").skip(1);
        let registered = registered.filter_map(|rest| rest.split("{}").next());
        let known = objects.entry(file.package.to_string()).or_default();
        known.extend(registered.filter(|name| !name.contains('.')).map(str::to_owned));
    }
    for (path, names) in &objects {
        let Some(number) = generated.files.iter().position(|file| *file.package == **path) else {
            panic!("nothing was generated for {path}");
        };
        for name in names {
            types +=
                &format!("\t\"{path}.{name}\": func() runtime.Object {{ return &p{number}.{name}{{}} }},\n");
        }
        let directory = path.strip_prefix(MODULE).expect("a package of the module");
        let folder = go.directory.join(format!(".{directory}"));
        let source: String = entries(&folder).iter().map(|path| text(path)).collect();
        let package = read.schema.package(path).expect("read");
        go.write(
            &format!(".{directory}/objects.go"),
            &object_methods(&package.name, names, &source),
        );
    }
    go.write(
        "fill/table.go",
        &format!(
            "package main\n\nimport (\n{imports}\n\t\"k8s.io/apimachinery/pkg/runtime\"\n)\n\n\
             var registrations = []func(*runtime.Scheme) error{{\n{registrations}}}\n\n\
             var types = map[string]func() runtime.Object{{\n{types}}}\n"
        ),
    );
    go.gofmt();
    let mut arguments = vec!["run", "./fill"];
    arguments.extend(files.iter().map(|file| file.to_str().expect("text")));
    let said = go.run(&arguments);
    let count: usize = said
        .split(' ')
        .next()
        .and_then(|count| count.parse().ok())
        .unwrap_or(0);
    assert!(count > 1000, "{said}");
    say(&format!("{} packages: {said}", generated.files.len()));
}
