//! Functions stated in Rust, so that the proof can be tried without Go: what they report is compared with the tags.

use std::collections::BTreeMap;

use kindsmith_go::package::{Loader, MemoryFiles, Options};
use kindsmith_go::{Profile, Read};
use serde_json::Value as Json;

use super::{Answer, Case, Told, Verdict, cases, judge, program, subjects};
use crate::edit::Edited;
use crate::validation::{Reading, read};

const TYPES: &str = r#"
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Lamp struct {
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec LampSpec `json:"spec"`
}

type LampSpec struct {
	Name  string `json:"name"`
	Watts int32  `json:"watts,omitempty"`
	Model string `json:"model,omitempty"`
}
"#;

const FUNCTIONS: &str = r#"
package validation

import (
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"example.org/api/v1"
)

func ValidateLamp(lamp *v1.Lamp) field.ErrorList {
	return validateSpec(&lamp.Spec, field.NewPath("spec"))
}

func ValidateLampUpdate(lamp, old *v1.Lamp) field.ErrorList {
	allErrs := ValidateLamp(lamp)
	return append(allErrs, apivalidation.ValidateImmutableField(lamp.Spec.Model, old.Spec.Model, field.NewPath("spec", "model"))...)
}

func validateSpec(spec *v1.LampSpec, fldPath *field.Path) field.ErrorList {
	allErrs := field.ErrorList{}
	if spec.Name == "" {
		allErrs = append(allErrs, field.Required(fldPath.Child("name"), ""))
	}
	if spec.Watts < 0 {
		allErrs = append(allErrs, field.Invalid(fldPath.Child("watts"), spec.Watts, "must be greater than or equal to 0"))
	}
	return allErrs
}
"#;

struct Tried {
    types: Read,
    reading: Reading,
    files: MemoryFiles,
}

fn files(types: &str) -> MemoryFiles {
    let mut files = MemoryFiles::default();
    files.add("go.mod", "module example.org/api\n");
    files.add("v1/types.go", types);
    files.add("validation/validation.go", FUNCTIONS);
    files
}

fn types(files: &MemoryFiles) -> Read {
    let mut loader = Loader::new(files, Options::default());
    let packages = loader.load("v1");
    kindsmith_go::read(loader, packages, Profile::Upstream)
}

fn tried() -> Tried {
    let files = files(TYPES);
    let types = types(&files);
    let mut loader = Loader::new(&files, Options::default());
    let package = loader.load("validation").pop().expect("a package");
    let reading = read(&mut loader, &package, &types.schema);
    drop(loader);
    Tried {
        types,
        reading,
        files,
    }
}

/// What the functions report; `lowest` is where watts begin.
fn answer(reading: &Reading, case: &Case, lowest: i64) -> Answer {
    let mut sites: Vec<_> = reading.rules.iter().map(|rule| rule.emit.site()).collect();
    sites.sort();
    let site = |field: &str| {
        let mut rules = reading.rules.iter();
        let rule = rules.find(|rule| format!("{:?}", rule.emit.path).contains(field));
        rule.and_then(|rule| sites.iter().position(|site| *site == rule.emit.site()))
    };
    let told = |kind: &str, field: &str| Told {
        site: site(field),
        kind: kind.to_owned(),
        field: format!("spec.{field}"),
        origin: String::new(),
    };
    let created = |object: &Json| {
        let mut made = Vec::new();
        if object["spec"]["name"].as_str().unwrap_or_default().is_empty() {
            made.push(told("FieldValueRequired", "name"));
        }
        if object["spec"]["watts"].as_i64().unwrap_or_default() < lowest {
            made.push(told("FieldValueInvalid", "watts"));
        }
        made
    };
    let mut updated = created(&case.new);
    if let Some(old) = &case.old {
        let model = |object: &Json| object["spec"]["model"].as_str().unwrap_or_default().to_owned();
        if model(&case.new) != model(old) {
            updated.push(told("FieldValueInvalid", "model"));
        }
    }
    Answer {
        new: Some(case.new.clone()),
        old: case.old.clone(),
        created: created(&case.new),
        before: case.old.as_ref().map(created).unwrap_or_default(),
        updated,
        failed: None,
    }
}

fn verdicts(lowest: i64) -> Vec<Verdict> {
    let tried = tried();
    let subjects = subjects(&tried.types.schema, &tried.reading);
    assert_eq!(subjects.len(), 1, "{subjects:?}");
    let cases = cases(&tried.types.schema, &tried.reading, &subjects);
    let answers: Vec<Answer> = cases
        .iter()
        .map(|case| answer(&tried.reading, case, lowest))
        .collect();
    let mut read_with = |edited: &BTreeMap<String, Edited>| {
        let text = edited.get("v1/types.go").map_or(TYPES, |edited| &edited.text);
        types(&files(text))
    };
    judge(
        &tried.types,
        &tried.reading,
        &subjects,
        &cases,
        &answers,
        &mut read_with,
    )
}

#[test]
fn tags_that_report_the_same_are_proven() {
    for verdict in verdicts(0) {
        assert!(
            matches!(verdict, Verdict::Proven { refused: 1.., .. }),
            "{verdict:?}"
        );
    }
}

#[test]
fn a_function_that_differs_refutes_its_tag_only() {
    let states: Vec<bool> = verdicts(1)
        .iter()
        .map(|verdict| matches!(verdict, Verdict::Proven { .. }))
        .collect();
    // The model is immutable, the name required; watts begin at one.
    assert_eq!(states.iter().filter(|proven| **proven).count(), 2, "{states:?}");
    let wrong = verdicts(1)
        .into_iter()
        .find(|one| matches!(one, Verdict::Refuted { .. }));
    let Some(Verdict::Refuted { function, tags, .. }) = wrong else {
        panic!("nothing is refuted");
    };
    assert_eq!(
        (function, tags),
        (vec!["spec.watts: FieldValueInvalid".to_owned()], Vec::new())
    );
}

#[test]
fn the_program_marks_every_call_and_calls_the_functions() {
    let tried = tried();
    let subjects = subjects(&tried.types.schema, &tried.reading);
    let made = program(&tried.types.schema, &tried.reading, &subjects, &|_, _| {
        super::Conversion::default()
    });
    assert_eq!(made.left_out, BTreeMap::new());
    let text = &made.files["validation/validation.go"];
    assert_eq!(text.matches("kindsmithrecord.Mark(").count(), 3, "{text}");
    assert!(
        text.contains("func KindsmithUpdate0(object, old *v1.Lamp, on kindsmithrecord.Settings) field.ErrorList { return ValidateLampUpdate(object, old) }"),
        "{text}"
    );
    assert!(made.files.contains_key("validation/zz_kindsmith_proof/main.go"));
    let _ = &tried.files;
}
