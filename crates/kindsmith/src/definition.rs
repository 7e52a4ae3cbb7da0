//! Reviews writes of CRDs, as the API server handles them.

mod rounds;

use kindsmith_crd::definition::{self, Gates};
use kindsmith_crd::strict_warning;
use kindsmith_json::path::{PathBuf, Step};
use kindsmith_json::{Arena, Value, parse_str};
use kindsmith_object::{FieldError, Release};
use kindsmith_openapi::crd::{self, InternalDefinition, Source};

use crate::misfit;
use crate::review::{ArenaReview, Rejection, Warning};

/// Reviews a create or an update of a CRD.
pub(crate) fn review<'a>(
    release: Release,
    arena: &'a Arena,
    object: Value<'a>,
    old: Option<Value<'a>>,
) -> ArenaReview<'a> {
    let gates = gates(release);
    let mut review = ArenaReview::default();
    let mut new = match internal(object) {
        Ok((new, warnings)) => {
            review.warnings = warnings;
            new
        }
        Err(text) => {
            review.reject_misfits(&misfit::in_definition(arena, object, &text), text);
            return review;
        }
    };
    let is_new = old.is_none();
    let validation = match old.map(internal) {
        None => definition::create(&mut new, gates),
        Some(Ok((mut old, _))) => {
            // The old CRD is assumed to be stored, even if it would be rejected today.
            let conditions = old.status.conditions.clone();
            definition::create(&mut old, gates);
            old.status.conditions = conditions;
            definition::update(&mut new, &old, gates)
        }
        Some(Err(text)) => {
            review.reject(format!("the old definition cannot be read: {text}"));
            return review;
        }
    };
    review.errors.extend(rejections(validation.errors, object));
    if is_new {
        review.later = rounds::later(release, arena, object, &review.errors);
    }
    validation
        .crash
        .into_iter()
        .for_each(|crash| review.reject(crash));
    review
        .warnings
        .extend(validation.warnings.into_iter().map(Warning::from));
    review.object = review.is_allowed().then_some(object);
    review
}

/// Why a new CRD is rejected; nothing if it cannot be read.
fn refusals(release: Release, object: Value<'_>) -> Vec<Rejection> {
    let Ok((mut new, _)) = internal(object) else {
        return Vec::new();
    };
    rejections(definition::create(&mut new, gates(release)).errors, object)
}

fn gates(release: Release) -> Gates {
    Gates {
        release,
        ..Gates::default()
    }
}

fn rejections(errors: Vec<FieldError>, object: Value<'_>) -> Vec<Rejection> {
    let rejection = |error: FieldError| Rejection {
        path: as_written(&error.path, object),
        ..Rejection::from(error)
    };
    errors.into_iter().map(rejection).collect()
}

/// Reviews an update of a CRD by manifests: the old one counts as stored and established, and the new one need not repeat
/// what only the server sets.
pub(crate) fn review_update<'a>(
    release: Release,
    arena: &'a Arena,
    object: Value<'a>,
    old: Value<'a>,
) -> ArenaReview<'a> {
    let (mut new, mut old) = (object, old);
    let version = ["metadata", "resourceVersion"];
    if old.lookup(&version).is_none() {
        old.set(arena, &version, "1".into());
    }
    if old.get("status").is_none() {
        let established = parse_str(arena, ESTABLISHED).unwrap_or_default();
        old.set(arena, &["status"], established);
    }
    for member in ["resourceVersion", "uid", "creationTimestamp"] {
        let path = ["metadata", member];
        if new.lookup(&path).is_none()
            && let Some(kept) = old.lookup(&path)
        {
            new.set(arena, &path, kept);
        }
    }
    let mut reviewed = review(release, arena, new, Some(old));
    reviewed.object = reviewed.object.map(|_| object);
    reviewed
}

/// The status of a CRD that is served.
const ESTABLISHED: &str = r#"{"conditions": [{"type": "Established", "status": "True"}]}"#;

/// Whether an object is a CRD.
#[must_use]
pub fn is_definition(object: Value<'_>) -> bool {
    let text = |key: &str| object.get(key).and_then(Value::as_str).unwrap_or_default();
    text("kind") == "CustomResourceDefinition" && text("apiVersion").starts_with("apiextensions.k8s.io/")
}

fn internal(object: Value<'_>) -> Result<(InternalDefinition, Vec<Warning>), String> {
    let is_old = object.get("apiVersion").and_then(Value::as_str) == Some("apiextensions.k8s.io/v1beta1");
    let (definition, reports) = if is_old {
        let read = crd::read_v1beta1(object, Source::Unknown).map_err(|error| error.to_string())?;
        let mut definition = read.definition;
        definition.default_v1beta1_fields();
        (definition, read.reports)
    } else {
        let read = crd::read(object, Source::Unknown).map_err(|error| error.to_string())?;
        let mut definition = read.definition;
        definition.default_fields();
        (definition.to_internal(), read.reports)
    };
    Ok((definition, reports.into_iter().map(strict_warning).collect()))
}

/// The place in the document of a path in the server's internal form, where fields shared by all versions are at the
/// top level.
fn as_written(path: &PathBuf, object: Value<'_>) -> PathBuf {
    let is_v1 = object.get("apiVersion").and_then(Value::as_str) == Some("apiextensions.k8s.io/v1");
    let field =
        |step: Option<&Step>, name: &str| matches!(step, Some(Step::Field(field)) if **field == *name);
    let steps = path.steps();
    if !is_v1 || !field(steps.first(), "spec") {
        return path.clone();
    }
    let hoisted = [
        "validation",
        "subresources",
        "additionalPrinterColumns",
        "selectableFields",
    ];
    if !hoisted.iter().any(|name| field(steps.get(1), name)) {
        return path.clone();
    }
    let mut written = PathBuf::default();
    written.push(Step::Field("spec".into()));
    written.push(Step::Field("versions".into()));
    written.push(Step::Index(0));
    for (index, step) in steps.iter().enumerate().skip(1) {
        let step = match step {
            Step::Field(name) if index == 1 && **name == *"validation" => Step::Field("schema".into()),
            Step::Field(name) if **name == *"JSONPath" => Step::Field("jsonPath".into()),
            // Schemas of properties are keyed: `properties[a]`.
            Step::Key(key) => Step::Field(key.clone()),
            other => other.clone(),
        };
        written.push(step);
    }
    written
}
