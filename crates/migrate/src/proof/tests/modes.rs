//! A function that refuses a discriminator looks at no member that depends on it. Tags do.

use std::sync::Arc;

use serde_json::Value as Json;

use super::{Answer, Case, Reading, Told, Verdict, judged, tried};
use crate::validation::ErrorType;

const TYPES: &str = r#"
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Lamp struct {
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec LampSpec `json:"spec"`
}

type Fuel string

const (
	Gas Fuel = "Gas"
	Oil Fuel = "Oil"
)

type LampSpec struct {
	Name string `json:"name,omitempty"`
	Fuel Fuel   `json:"fuel"`
	Tank *Tank  `json:"tank,omitempty"`
}

type Tank struct {
	Liters int32 `json:"liters,omitempty"`
}
"#;

const FUNCTIONS: &str = r#"
package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
	"example.org/api/v1"
)

func ValidateLamp(lamp *v1.Lamp) field.ErrorList {
	return validateSpec(&lamp.Spec, field.NewPath("spec"))
}

func validateSpec(spec *v1.LampSpec, fldPath *field.Path) field.ErrorList {
	allErrs := field.ErrorList{}
	switch spec.Fuel {
	case v1.Oil:
		if spec.Tank == nil {
			allErrs = append(allErrs, field.Required(fldPath.Child("tank"), ""))
		}
	case v1.Gas:
		if spec.Tank != nil {
			allErrs = append(allErrs, field.Forbidden(fldPath.Child("tank"), ""))
		}
	default:
		allErrs = append(allErrs, field.NotSupported(fldPath.Child("fuel"), spec.Fuel, []v1.Fuel{v1.Gas, v1.Oil}))
	}
	return allErrs
}
"#;

/// What the function reports; for other fuels it refuses the named field and looks no further.
fn answer(reading: &Reading, case: &Case, refused: &str) -> Answer {
    let mut sites: Vec<_> = reading.rules.iter().map(|rule| rule.emit.site()).collect();
    sites.sort();
    sites.dedup();
    let told = |error: ErrorType, kind: &str, field: &str| {
        let rule = reading.rules.iter().find(|rule| rule.emit.error == error);
        Told {
            site: rule.and_then(|rule| sites.iter().position(|site| *site == rule.emit.site())),
            kind: kind.to_owned(),
            field: format!("spec.{field}"),
            origin: String::new(),
        }
    };
    let created = |text: &Arc<str>| {
        let object: Json = serde_json::from_str(text).expect("JSON");
        let spec = &object["spec"];
        match (
            spec["fuel"].as_str().unwrap_or_default(),
            spec["tank"].is_object(),
        ) {
            ("Oil", false) => vec![told(ErrorType::Required, "FieldValueRequired", "tank")],
            ("Gas", true) => vec![told(ErrorType::Forbidden, "FieldValueForbidden", "tank")],
            ("Gas" | "Oil", _) => Vec::new(),
            _ => vec![told(ErrorType::NotSupported, "FieldValueNotSupported", refused)],
        }
    };
    Answer {
        on: case.on.clone(),
        new: Some(case.new.clone()),
        old: case.old.clone(),
        created: created(&case.new),
        before: case.old.as_ref().map(created).unwrap_or_default(),
        updated: Vec::new(),
        failed: None,
    }
}

/// The verdict about the member that is forbidden in a mode, before and after repairs.
fn verdicts(refused: &str) -> [Verdict; 2] {
    let tried = tried((TYPES, FUNCTIONS));
    let mut rules = tried.reading.rules.iter();
    let forbidden = rules.position(|rule| rule.emit.error == ErrorType::Forbidden);
    let forbidden = forbidden.expect("the rule is read");
    let tags = tried.reading.rules[forbidden]
        .tags
        .as_ref()
        .expect("tags are proposed");
    assert!(
        tags.iter().any(|tag| tag.text == "+k8s:modeDiscriminator"),
        "{tags:?}"
    );
    let all = judged(&tried, TYPES, &|case| answer(&tried.reading, case, refused));
    all.map(|mut verdicts| verdicts.swap_remove(forbidden))
}

#[test]
fn a_refused_discriminator_explains_errors_about_its_members() {
    for verdict in verdicts("fuel") {
        assert!(
            matches!(
                verdict,
                Verdict::Proven {
                    beside: 1..,
                    refused: 1..,
                    ..
                }
            ),
            "{verdict:?}"
        );
    }
}

#[test]
fn another_refused_member_explains_nothing() {
    for verdict in verdicts("name") {
        let Verdict::Refuted { function, tags, .. } = &verdict else {
            panic!("{verdict:?}");
        };
        assert_eq!(
            (&function[..], &tags[..]),
            (&[][..], &["spec.tank: FieldValueForbidden".to_owned()][..])
        );
    }
}
