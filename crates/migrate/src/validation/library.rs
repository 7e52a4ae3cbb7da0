//! What validation functions of Kubernetes' libraries report.

use super::value::{Cond, Emit, ErrorType, PathStep, Place, Val, blank};

/// What a call of a library function gives.
pub(super) enum Known {
    /// Complaints about the format of a text.
    Messages(Place, &'static str),
    Errors(Vec<Emit>),
    Nothing,
}

/// Functions that return complaints about a text, and the format that they check.
const MESSAGES: &[(&str, &str)] = &[
    ("IsDNS1123Label", "k8s-short-name"),
    ("IsDNS1123Subdomain", "k8s-long-name"),
    ("IsDNS1123SubdomainCaseless", "k8s-long-name-caseless"),
    ("IsQualifiedName", "k8s-label-key"),
    ("IsLabelKey", "k8s-label-key"),
    ("IsValidLabelValue", "k8s-label-value"),
    ("IsLabelValue", "k8s-label-value"),
    ("NameIsDNSLabel", "k8s-short-name"),
    ("NameIsDNSSubdomain", "k8s-long-name"),
    ("IsPathSegmentName", "k8s-path-segment-name"),
];

/// Functions that take a text and a path, in either order, and report its format.
const FORMATS: &[(&str, &str)] = &[
    ("ValidateDNS1123Label", "k8s-short-name"),
    ("ValidateDNS1123Subdomain", "k8s-long-name"),
    ("ValidateLabelName", "k8s-label-key"),
    ("LongName", "k8s-long-name"),
    ("LongNameCaseless", "k8s-long-name-caseless"),
    ("ShortName", "k8s-short-name"),
    ("LabelKey", "k8s-label-key"),
    ("LabelValue", "k8s-label-value"),
    ("UUID", "k8s-uuid"),
    ("PathSegmentName", "k8s-path-segment-name"),
    ("ExtendedResourceName", "k8s-extended-resource-name"),
    ("ResourceFullyQualifiedName", "k8s-resource-fully-qualified-name"),
    ("ResourcePoolName", "k8s-resource-pool-name"),
];

/// The format of this name, if a function is known for it.
pub(super) fn format(name: &str) -> Option<&'static str> {
    let all = FORMATS.iter().chain(MESSAGES).map(|(_, format)| *format);
    all.into_iter().find(|known| *known == name)
}

fn is_kubernetes(path: &str) -> bool {
    path.starts_with("k8s.io/apimachinery/pkg/") || path == "k8s.io/kubernetes/pkg/apis/core/validation"
}

/// Whether an unknown function may report errors.
pub(super) fn has_errors(path: &str, name: &str) -> bool {
    let is_check = name.starts_with("Validate") || path.ends_with("/api/validate");
    is_check && !path.ends_with("/field")
}

pub(super) fn call(path: &str, name: &str, values: &[Val]) -> Known {
    if !is_kubernetes(path) {
        return Known::Nothing;
    }
    let of = |table: &[(&str, &'static str)]| {
        table
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, format)| *format)
    };
    let place = values.iter().find_map(|val| match val {
        Val::New(place) => Some(place),
        _ => None,
    });
    let library = path;
    let path = values.iter().find_map(|val| match val {
        Val::Path(path) => Some(path),
        _ => None,
    });
    if let (Some(format), Some(place), None) = (of(MESSAGES), place, path) {
        return Known::Messages(place.clone(), format);
    }
    let (Some(place), Some(path)) = (place, path) else {
        return Known::Nothing;
    };
    if let Some(format) = of(FORMATS) {
        let emit = about(path, place, Cond::NotFormat(place.clone(), format));
        return Known::Errors(vec![Emit {
            origin: Some(format!("format={format}")),
            ..emit
        }]);
    }
    if library.ends_with("/api/validate") {
        return declarative(name, place, path, values);
    }
    match (name, values) {
        ("ValidateImmutableField", [Val::New(new), Val::Old(old), Val::Path(path)]) if new == old => {
            Known::Errors(vec![Emit {
                detail: Some("field is immutable".to_owned()),
                ..about(path, new, Cond::Changed(new.clone()))
            }])
        }
        ("ValidateNonnegativeField", [Val::New(value), Val::Path(path)]) => Known::Errors(vec![Emit {
            origin: Some("minimum".to_owned()),
            ..about(path, value, Cond::Number(value.clone(), "<", 0))
        }]),
        _ => Known::Nothing,
    }
}

/// A function of the package that generated validation calls: context, operation, path, value, old value, then what the tag says.
fn declarative(name: &str, place: &Place, path: &[PathStep], values: &[Val]) -> Known {
    let limit = match values.last() {
        Some(Val::Int(limit)) => Some(*limit),
        _ => None,
    };
    let (error, origin, condition) = match (name, limit) {
        ("Enum", _) => {
            let texts = values.iter().find_map(|val| match val {
                Val::Texts(texts) => Some(texts.clone()),
                _ => None,
            });
            let Some(texts) = texts else { return Known::Nothing };
            return Known::Errors(vec![Emit {
                supported: texts.clone(),
                error: ErrorType::NotSupported,
                ..about(path, place, Cond::NotIn(place.clone(), texts))
            }]);
        }
        ("RequiredValue" | "RequiredPointer" | "RequiredSlice" | "RequiredMap", _) => {
            (ErrorType::Required, None, Cond::Zero(place.clone()))
        }
        ("ForbiddenValue" | "ForbiddenPointer" | "ForbiddenSlice" | "ForbiddenMap", _) => {
            (ErrorType::Forbidden, None, Cond::Set(place.clone()))
        }
        ("Immutable", _) => (
            ErrorType::Invalid,
            Some("immutable"),
            Cond::Changed(place.clone()),
        ),
        ("Minimum", Some(limit)) => (
            ErrorType::Invalid,
            Some("minimum"),
            Cond::Number(place.clone(), "<", limit),
        ),
        ("Maximum", Some(limit)) => (
            ErrorType::Invalid,
            Some("maximum"),
            Cond::Number(place.clone(), ">", limit),
        ),
        ("MaxItems", Some(limit)) => (
            ErrorType::TooMany,
            Some("maxItems"),
            Cond::Length(place.clone(), ">", limit),
        ),
        ("MinItems", Some(limit)) => (
            ErrorType::TooFew,
            Some("minItems"),
            Cond::Length(place.clone(), "<", limit),
        ),
        ("MaxBytes", Some(limit)) => (
            ErrorType::TooLong,
            Some("maxBytes"),
            Cond::Length(place.clone(), ">", limit),
        ),
        ("MaxLength", Some(limit)) => (
            ErrorType::TooLong,
            Some("maxLength"),
            Cond::Characters(place.clone(), ">", limit),
        ),
        ("MinLength", Some(limit)) => (
            ErrorType::TooShort,
            Some("minLength"),
            Cond::Characters(place.clone(), "<", limit),
        ),
        _ => return Known::Nothing,
    };
    Known::Errors(vec![Emit {
        error,
        limit,
        origin: origin.map(str::to_owned),
        ..about(path, place, condition)
    }])
}

fn about(path: &[PathStep], place: &Place, condition: Cond) -> Emit {
    Emit {
        value: Some(place.clone()),
        conditions: vec![condition],
        ..blank(ErrorType::Invalid, path.to_vec())
    }
}
