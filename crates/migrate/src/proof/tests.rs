//! Functions stated in Rust, so that the proof can be tried without Go: what they report is compared with the tags.

mod modes;
mod updates;

use std::collections::BTreeMap;
use std::sync::Arc;

use kindsmith_go::package::{Loader, MemoryFiles, Options};
use kindsmith_go::{Profile, Read};
use serde_json::Value as Json;

use super::{Answer, Case, Compared, Told, Verdict, cases, judge, program, repairs, subjects, unexplained};
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
	Gas   *bool  `json:"gas,omitempty"`
	Oil   *bool  `json:"oil,omitempty"`
	Wax   *bool  `json:"wax,omitempty"`
	Sun   *bool  `json:"sun,omitempty"`
	Wind  *bool  `json:"wind,omitempty"`
	Wood  *bool  `json:"wood,omitempty"`
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

fn files(types: &str, functions: &str) -> MemoryFiles {
    let mut files = MemoryFiles::default();
    files.add("go.mod", "module example.org/api\n");
    files.add("v1/types.go", types);
    files.add("validation/validation.go", functions);
    files
}

fn types(files: &MemoryFiles) -> Read {
    let mut loader = Loader::new(files, Options::default());
    let packages = loader.load("v1");
    kindsmith_go::read(loader, packages, Profile::Upstream)
}

fn tried((types_text, functions): (&str, &str)) -> Tried {
    let files = files(types_text, functions);
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

/// How the functions of the test behave.
#[derive(Clone, Copy, Default)]
struct Behavior {
    /// Where watts begin.
    lowest: i64,
    /// Whether they refuse the whole spec of a certain model, and look at nothing else there.
    stops: bool,
    /// Whether they refuse a spec with several fuels, and forget about watts if there is one.
    forgets: bool,
    /// The origin of errors about watts of a certain model, which another call makes that no tag is proposed for.
    elsewhere: Option<&'static str>,
}

/// What the functions report.
fn answer(reading: &Reading, case: &Case, behavior: Behavior) -> Answer {
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
        let fuels = ["gas", "oil", "wax", "sun", "wind", "wood"];
        let fuels = fuels.iter().filter(|fuel| object["spec"][fuel].is_boolean());
        let fuels = if behavior.forgets { fuels.count() } else { 0 };
        if behavior.stops && object["spec"]["model"] == "abc" || fuels > 1 {
            return vec![Told {
                site: None,
                kind: "FieldValueInvalid".to_owned(),
                field: "spec".to_owned(),
                origin: String::new(),
            }];
        }
        if object["spec"]["name"].as_str().unwrap_or_default().is_empty() {
            made.push(told("FieldValueRequired", "name"));
        }
        if fuels == 0 && object["spec"]["watts"].as_i64().unwrap_or_default() < behavior.lowest {
            let mut error = told("FieldValueInvalid", "watts");
            if object["spec"]["model"] == "abc"
                && let Some(origin) = behavior.elsewhere
            {
                (error.site, error.origin) = (None, origin.to_owned());
            }
            made.push(error);
        }
        made
    };
    let parsed = |text: &Arc<str>| serde_json::from_str::<Json>(text).expect("JSON");
    let (new, old) = (parsed(&case.new), case.old.as_ref().map(parsed));
    let mut updated = created(&new);
    if let Some(old) = &old {
        let model = |object: &Json| object["spec"]["model"].as_str().unwrap_or_default().to_owned();
        if model(&new) != model(old) {
            updated.push(told("FieldValueInvalid", "model"));
        }
    }
    Answer {
        on: case.on.clone(),
        new: Some(case.new.clone()),
        old: case.old.clone(),
        created: created(&new),
        before: old.as_ref().map(created).unwrap_or_default(),
        updated,
        failed: None,
    }
}

/// The verdicts, and those after objects without what was refused first.
fn verdicts(behavior: Behavior) -> [Vec<Verdict>; 2] {
    let tried = tried((TYPES, FUNCTIONS));
    judged(&tried, TYPES, &|case| answer(&tried.reading, case, behavior))
}

fn judged(tried: &Tried, types_text: &str, answer: &dyn Fn(&Case) -> Answer) -> [Vec<Verdict>; 2] {
    let subjects = subjects(&tried.types.schema, &tried.reading);
    assert_eq!(subjects.len(), 1, "{subjects:?}");
    let cases = cases(&tried.types.schema, &tried.reading, &subjects);
    let answers: Vec<Answer> = cases.iter().map(answer).collect();
    let mut read_with = |edited: &BTreeMap<String, Edited>| {
        let text = edited
            .get("v1/types.go")
            .map_or(types_text, |edited| &edited.text);
        types(&files(text, ""))
    };
    let compared = Compared {
        types: &tried.types,
        reading: &tried.reading,
        subjects: &subjects,
        cases: &cases,
        answers: &answers,
        step: &|| (),
    };
    let judged = judge(&compared, Vec::new(), &mut read_with);
    let repairs = repairs(&tried.types.schema, &subjects, &cases, &answers, &judged.besides);
    let said: Vec<Answer> = repairs.iter().map(|repair| answer(&repair.case)).collect();
    let wrong = unexplained(&compared, &judged, &repairs, &said, &mut read_with);
    let after = judged.verdicts.iter().zip(wrong);
    let after = after.map(|(verdict, wrong)| wrong.unwrap_or_else(|| verdict.clone()));
    [judged.verdicts.clone(), after.collect()]
}

#[test]
fn tags_that_report_the_same_are_proven() {
    let [_, verdicts] = verdicts(Behavior::default());
    for verdict in verdicts {
        assert!(
            matches!(
                verdict,
                Verdict::Proven {
                    refused: 1..,
                    beside: 0,
                    ..
                }
            ),
            "{verdict:?}"
        );
    }
}

#[test]
fn a_function_may_stop_above_the_field() {
    let [_, verdicts] = verdicts(Behavior {
        stops: true,
        ..Behavior::default()
    });
    let beside = verdicts
        .iter()
        .filter(|verdict| matches!(verdict, Verdict::Proven { beside: 1.., .. }));
    // Name and watts; the model itself is looked at elsewhere.
    assert_eq!(beside.count(), 2, "{verdicts:?}");
}

#[test]
fn a_function_that_stops_above_hides_no_difference() {
    let [first, after] = verdicts(Behavior {
        forgets: true,
        ..Behavior::default()
    });
    let proven = |verdicts: &[Verdict]| {
        let proven = verdicts
            .iter()
            .filter(|one| matches!(one, Verdict::Proven { .. }));
        proven.count()
    };
    // Specs with several fuels are refused as a whole, those with none are checked. Only one with a single fuel shows that the tag is wrong.
    assert_eq!((proven(&first), proven(&after)), (3, 2), "{first:?}\n{after:?}");
    let wrong = after.iter().find(|one| matches!(one, Verdict::Refuted { .. }));
    let Some(Verdict::Refuted { function, tags, .. }) = wrong else {
        panic!("nothing is refuted");
    };
    assert_eq!(
        (&function[..], &tags[..]),
        (&[][..], &["spec.watts: FieldValueInvalid".to_owned()][..])
    );
}

const BRIGHT: Behavior = Behavior {
    lowest: 1,
    stops: false,
    forgets: false,
    elsewhere: None,
};

#[test]
fn another_call_may_report_the_error_of_a_tag_with_its_origin() {
    for (origin, expected) in [("minimum", 3), ("", 2), ("maximum", 2)] {
        let [verdicts, _] = verdicts(Behavior {
            elsewhere: Some(origin),
            ..Behavior::default()
        });
        let proven = verdicts
            .iter()
            .filter(|verdict| matches!(verdict, Verdict::Proven { .. }));
        assert_eq!(proven.count(), expected, "{origin}: {verdicts:?}");
    }
}

#[test]
fn a_function_that_differs_refutes_its_tag_only() {
    let [first, _] = verdicts(BRIGHT);
    let states: Vec<bool> = first
        .iter()
        .map(|verdict| matches!(verdict, Verdict::Proven { .. }))
        .collect();
    // The model is immutable, the name required; watts begin at one.
    assert_eq!(states.iter().filter(|proven| **proven).count(), 2, "{states:?}");
    let wrong = first
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
    let tried = tried((TYPES, FUNCTIONS));
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
