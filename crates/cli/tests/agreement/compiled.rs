//! Generated Go for the kinds: all packages in one program, which reads cases as lines of JSON.

use std::fmt::Write as _;
use std::path::Path;

use kindsmith_checks::Profile;
use kindsmith_emit::go::{self, Options};
use kindsmith_testkit::go_toolchain::Go;
use kindsmith_testkit::random_types::RandomType;
use serde_json::json;

use super::SWITCHES;
use super::engine::Answer;
use super::kinds::Kinds;

const REGISTER: &str = "package v1

import (
	\"k8s.io/apimachinery/pkg/runtime\"
	\"k8s.io/apimachinery/pkg/runtime/schema\"
)

var localSchemeBuilder runtime.SchemeBuilder

// AddToScheme registers the kinds.
func AddToScheme(scheme *runtime.Scheme) error {
	if err := localSchemeBuilder.AddToScheme(scheme); err != nil {
		return err
	}
	if err := RegisterDefaults(scheme); err != nil {
		return err
	}
	scheme.AddKnownTypes(schema.GroupVersion{Group: \"demo.example.org\", Version: \"v1\"}, kinds...)
	return nil
}
";

pub(crate) struct Compiled {
    go: Go,
    profile: Profile,
    packages: usize,
    cases: String,
}

impl Compiled {
    /// `None` without Go.
    pub(crate) fn new(name: &str, profile: Profile) -> Option<Self> {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("agreement-{name}"));
        let go = Go::new(
            directory,
            "comparing generated Go of random kinds with the engine",
        )?;
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/agreement/go/agree");
        go.copy(&data, "agree");
        go.module_file("example.com/agreement");
        Some(Self {
            go,
            profile,
            packages: 0,
            cases: String::new(),
        })
    }

    /// Adds the package of a batch.
    pub(crate) fn package(&mut self, kinds: &Kinds) {
        let directory = format!("p{}", self.packages);
        self.packages += 1;
        for (name, text) in kinds.files() {
            self.go.write(&format!("{directory}/{name}"), &text);
        }
        let mut objects = String::from("var kinds = []runtime.Object{\n");
        let mut methods = String::new();
        for index in 0..kinds.types.len() {
            let kind = kinds.name(index);
            let _ = writeln!(objects, "\t&{kind}{{}},");
            // What a copy holds does not matter here.
            let _ = write!(
                methods,
                "\nfunc (in *{kind}) DeepCopyObject() runtime.Object {{ return in }}\n"
            );
        }
        self.go.write(
            &format!("{directory}/register.go"),
            &format!("{REGISTER}\n{objects}}}\n{methods}"),
        );
        let options = Options {
            profile: self.profile,
            ..Options::default()
        };
        let schema = &kinds.read.schema;
        for generated in [go::validations(schema, &options), go::defaults(schema, &options)] {
            assert_eq!(generated.problems, []);
            for file in &generated.files {
                self.go.write(&format!("{directory}/{}", file.name), &file.text);
            }
        }
    }

    /// Adds a write and the engine's answer.
    pub(crate) fn case(
        &mut self,
        kind: &str,
        ty: &RandomType,
        new: &str,
        old: Option<&str>,
        answer: &Answer,
    ) {
        let mut case = json!({"kind": kind, "type": ty.declaration, "options": SWITCHES.iter().copied().collect::<std::collections::HashMap<_, _>>()});
        let parsed = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
        case["new"] = parsed(new);
        if let Some(old) = old {
            case["old"] = parsed(old);
        }
        match answer {
            Answer::Accepted(spec) => case["filled"] = spec.clone(),
            Answer::Refused(errors) => case["errors"] = json!(errors),
        }
        let _ = writeln!(self.cases, "{case}");
    }

    /// Compiles and runs; returns what the program said.
    pub(crate) fn run(&self) -> String {
        let mut imports = String::new();
        let mut calls = String::new();
        for package in 0..self.packages {
            let _ = writeln!(imports, "\tp{package} \"example.com/agreement/p{package}\"");
            let _ = writeln!(calls, "\tp{package}.AddToScheme,");
        }
        let table = format!(
            "package main\n\nimport (\n{imports}\n\t\"k8s.io/apimachinery/pkg/runtime\"\n)\n\nvar packages = []func(*runtime.Scheme) error{{\n{calls}}}\n"
        );
        self.go.write("agree/packages.go", &table);
        self.go.write("cases.jsonl", &self.cases);
        // The code runs once, so compiling it takes longer than any optimization saves.
        let plain = [
            "run",
            "-gcflags=example.com/...=-N -l",
            "-ldflags=-s -w",
            "./agree",
            "cases.jsonl",
        ];
        self.go.run(&plain).trim().to_owned()
    }
}
