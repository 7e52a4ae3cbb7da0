//! Our files instead of the generated ones in published modules: random objects get the same defaults and
//! errors.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::toolchain;
use kindsmith_emit::go::{self, File, Options};
use kindsmith_testkit::go_toolchain::Go;
use kindsmith_testkit::text;
use kindsmith_testkit::tool::say;

/// Packages with published defaulting functions.
const DEFAULTS: &[(&str, &str)] = &[
    ("k8s.io/apiextensions-apiserver", "pkg/apis/apiextensions/v1"),
    ("k8s.io/apiextensions-apiserver", "pkg/apis/apiextensions/v1beta1"),
    ("k8s.io/kube-aggregator", "pkg/apis/apiregistration/v1"),
    ("k8s.io/kube-aggregator", "pkg/apis/apiregistration/v1beta1"),
    ("k8s.io/apiserver", "pkg/apis/apiserver/v1"),
    ("k8s.io/apiserver", "pkg/apis/apiserver/v1beta1"),
    ("k8s.io/apiserver", "pkg/apis/apiserver/v1alpha1"),
    (
        "k8s.io/apiserver",
        "pkg/admission/plugin/resourcequota/apis/resourcequota/v1",
    ),
    ("k8s.io/client-go", "tools/clientcmd/api/v1"),
];

/// Packages with published validation functions.
const VALIDATIONS: &[(&str, &str)] = &[
    ("k8s.io/api", "resource/v1"),
    ("k8s.io/api", "scheduling/v1alpha3"),
    ("k8s.io/apimachinery", "pkg/apis/meta/v1/validation"),
];

/// The files for packages of published modules, and the paths of theirs.
fn generate(go: &Go, packages: &[(&str, &str)], defaults: bool) -> Vec<(File, PathBuf)> {
    let directories: Vec<PathBuf> = packages
        .iter()
        .map(|(module, package)| go.module(module).join(package))
        .collect();
    let read = go.read_all(&directories);
    let generated = if defaults {
        go::defaults(&read.schema, &Options::default())
    } else {
        go::validations(&read.schema, &Options::default())
    };
    assert_eq!(generated.problems, Vec::new());
    assert_eq!(generated.files.len(), packages.len());
    let of = |file: &File| {
        let at = packages
            .iter()
            .position(|(module, package)| *file.package == format!("{module}/{package}"));
        directories[at.expect("a package asked for")].join(&file.name)
    };
    generated
        .files
        .into_iter()
        .map(|file| (file.clone(), of(&file)))
        .collect()
}

/// Types with registered defaulting functions in a generated file.
fn registered(text: &str) -> Vec<&str> {
    let calls = text.split("AddTypeDefaultingFunc(&").skip(1);
    calls.filter_map(|rest| rest.split("{}").next()).collect()
}

/// Validation functions in a generated file, and whether they take a pointer.
fn functions(text: &str) -> BTreeMap<&str, bool> {
    let heads = text.split("\nfunc Validate_").skip(1);
    heads
        .filter_map(|rest| {
            let (name, rest) = rest.split_once('(')?;
            let (_, parameter) = rest.split_once("obj, oldObj ")?;
            Some((name, parameter.starts_with('*')))
        })
        .collect()
}

#[test]
fn published_functions_are_reproduced() {
    let Some(go) = toolchain::go(
        "published",
        "comparing our functions with those of published modules",
    ) else {
        return;
    };
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/go/published");
    go.copy(&data, ".");
    go.module_file("example.com/published");
    let (mut imports, mut registrations, mut calls) = (String::new(), String::new(), String::new());
    let (mut replaced, mut counts) = (Vec::new(), [0, 0]);
    let files = [generate(&go, DEFAULTS, true), generate(&go, VALIDATIONS, false)];
    for (number, (file, theirs)) in files.iter().flatten().enumerate() {
        let their_text = text(theirs);
        let name = format!("p{number}");
        imports += &format!("\t{name} \"{}\"\n", file.package);
        if file.name.contains("defaults") {
            assert_eq!(
                registered(&file.text),
                registered(&their_text),
                "{}",
                file.package
            );
            registrations += &format!("\t{name}.RegisterDefaults,\n");
            for ty in registered(&file.text) {
                let label = format!("{}.{ty}", file.package);
                calls +=
                    &format!("\tfill(\"{label}\", func() runtime.Object {{ return &{name}.{ty}{{}} }})\n");
                counts[0] += 1;
            }
        } else {
            let known = functions(&their_text);
            for (function, is_pointer) in functions(&file.text) {
                assert_eq!(
                    known.get(function),
                    Some(&is_pointer),
                    "{} {function}",
                    file.package
                );
                let check = if is_pointer { "check" } else { "checkValue" };
                let label = format!("{}.{function}", file.package);
                calls += &format!("\t{check}(\"{label}\", {name}.Validate_{function})\n");
                counts[1] += 1;
            }
        }
        replaced.push((format!("vendor/{}/{}", file.package, file.name), &file.text));
    }
    go.write(
        "table.go",
        &format!(
            "package main\n\nimport (\n\t\"k8s.io/apimachinery/pkg/runtime\"\n\n{imports})\n\n\
             var registrations = []func(*runtime.Scheme) error{{\n{registrations}}}\n\nfunc all() {{\n{calls}}}\n"
        ),
    );
    // Files in the module cache cannot be replaced, so they are copied.
    go.run(&["list", "-deps", "."]);
    go.run(&["mod", "vendor"]);
    let theirs = go.run(&["run", "-mod=vendor", "."]);
    for (path, text) in replaced {
        go.write(&path, text);
    }
    go.gofmt();
    let ours = go.run(&["run", "-mod=vendor", "."]);
    let differing = ours
        .lines()
        .zip(theirs.lines())
        .find(|(ours, theirs)| ours != theirs);
    assert_eq!(differing, None, "ours and theirs");
    assert_eq!(ours.lines().count(), theirs.lines().count());
    say(&format!(
        "published modules: {} defaulting and {} validation functions do the same in {} answers\n",
        counts[0],
        counts[1],
        ours.lines().count()
    ));
}
