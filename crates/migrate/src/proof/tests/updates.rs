//! Several tags about updates of one field are one check, so they are proven together.

use std::sync::Arc;

use serde_json::Value as Json;

use super::{Answer, Case, Reading, Told, Verdict, judged, tried};

const TYPES: &str = r#"
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Lamp struct {
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec LampSpec `json:"spec"`
}

type LampSpec struct {
	Model string `json:"model,omitempty"`
}
"#;

const FUNCTIONS: &str = r#"
package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
	"example.org/api/v1"
)

func ValidateLampUpdate(lamp, old *v1.Lamp) field.ErrorList {
	allErrs := field.ErrorList{}
	fldPath := field.NewPath("spec", "model")
	if len(old.Spec.Model) > 0 && len(lamp.Spec.Model) > 0 && old.Spec.Model != lamp.Spec.Model {
		allErrs = append(allErrs, field.Invalid(fldPath, nil, "field cannot be modified once set").WithOrigin("update"))
	}
	if len(old.Spec.Model) > 0 && len(lamp.Spec.Model) == 0 {
		allErrs = append(allErrs, field.Invalid(fldPath, nil, "field cannot be cleared once set").WithOrigin("update"))
	}
	return allErrs
}
"#;

fn rule(reading: &Reading, tag: &str) -> usize {
    let mut rules = reading.rules.iter();
    let found = rules.position(|rule| rule.tags.iter().flatten().any(|one| one.text == tag));
    found.unwrap_or_else(|| panic!("{tag} is not proposed"))
}

fn answer(reading: &Reading, case: &Case) -> Answer {
    let mut sites: Vec<_> = reading.rules.iter().map(|rule| rule.emit.site()).collect();
    sites.sort();
    sites.dedup();
    let told = |tag: &str| {
        let site = reading.rules[rule(reading, tag)].emit.site();
        vec![Told {
            site: sites.iter().position(|one| *one == site),
            kind: "FieldValueInvalid".to_owned(),
            field: "spec.model".to_owned(),
            origin: "update".to_owned(),
        }]
    };
    let model = |text: &Arc<str>| {
        let object: Json = serde_json::from_str(text).expect("JSON");
        object["spec"]["model"].as_str().unwrap_or_default().to_owned()
    };
    let new = model(&case.new);
    let updated = match case.old.as_ref().map(model) {
        Some(old) if !old.is_empty() && new.is_empty() => told("+k8s:update=NoUnset"),
        Some(old) if !old.is_empty() && old != new => told("+k8s:update=NoModify"),
        _ => Vec::new(),
    };
    Answer {
        on: case.on.clone(),
        new: Some(case.new.clone()),
        old: case.old.clone(),
        updated,
        ..Answer::default()
    }
}

#[test]
fn what_is_said_about_updates_is_proven_together() {
    let tried = tried((TYPES, FUNCTIONS));
    for verdicts in judged(&tried, TYPES, &|case| answer(&tried.reading, case)) {
        for tag in ["+k8s:update=NoModify", "+k8s:update=NoUnset"] {
            let verdict = &verdicts[rule(&tried.reading, tag)];
            assert!(
                matches!(verdict, Verdict::Proven { refused: 1.., .. }),
                "{tag}: {verdict:?}"
            );
        }
    }
}
