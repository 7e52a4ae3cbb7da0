//! Runs objects through two versions of an API: which are refused, defaulted differently or lose fields.

mod home_version;

use kindsmith::{Arena, ArenaReview, GroupVersion, Kinds, Rejection, Value, Write};
use kindsmith_json::path::PathBuf;
use kindsmith_json::{Path, to_string};
use kindsmith_source::{Finding, Tool};

use crate::change::{Change, Class};
use home_version::Home;

/// An object that is refused.
static REFUSED: Finding = Finding::new(
    "diff-object-refused",
    Tool::Kindsmith,
    include_str!("objects/refused.md"),
);
/// An object with other values.
static CHANGED: Finding = Finding::new(
    "diff-object-changed",
    Tool::Kindsmith,
    include_str!("objects/changed.md"),
);
/// An object that loses fields.
static PRUNED: Finding = Finding::new(
    "diff-object-pruned",
    Tool::Kindsmith,
    include_str!("objects/pruned.md"),
);

/// All findings about objects.
pub static FINDINGS: &[&Finding] = &[&REFUSED, &CHANGED, &PRUNED];

/// An annotation that an update changes, to see whether unchanged fields still pass.
const TOUCHED: &str = "kindsmith.dev/touched";

/// How one object fares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The old API has no CRD for it.
    Unknown,
    /// The old API refuses it already, so nothing can break.
    RefusedBefore,
    /// The new API does not have its version, and a webhook would have to convert it.
    NotConverted,
    /// The changes it sees; none if everything is as before.
    Compared(Vec<Change>),
}

/// Compares what both versions do with an object. `origin` names it in the changes.
///
/// An object whose version is gone is compared in the new storage version, if it is converted by field name.
#[must_use]
pub fn compare(old: &Kinds, new: &Kinds, object: Value<'_>, origin: &str) -> Verdict {
    let arena = Arena::new();
    let Some(old_home) = Home::of(old, object) else {
        return Verdict::Unknown;
    };
    let Some(before) = review(old, &arena, object, None) else {
        return Verdict::Unknown;
    };
    let Some(stored) = before.object.filter(|_| before.is_allowed()) else {
        return Verdict::RefusedBefore;
    };
    let stored = old_home.stored(&arena, stored);
    let subject = Subject::of(object, origin);
    let Some(new_home) = Home::of(new, object) else {
        let change = subject.change(&REFUSED, Class::BreaksClients, String::new());
        return Verdict::Compared(vec![Change {
            message: "there is no schema for it any more".to_owned(),
            ..change
        }]);
    };
    if new_home.has_version(&subject.version) {
        return Verdict::Compared(changes(&new_home, new, &arena, &subject, object, stored));
    }
    let converted = |value| new_home.in_storage_version(&arena, value);
    match (converted(object), converted(stored)) {
        (Some(object), Some(stored)) => {
            Verdict::Compared(changes(&new_home, new, &arena, &subject, object, stored))
        }
        _ => Verdict::NotConverted,
    }
}

/// The changes that an object sees in the new API. `stored` is what the old API made of it.
fn changes<'a>(
    home: &Home<'a>,
    new: &'a Kinds,
    arena: &'a Arena,
    subject: &Subject<'_>,
    object: Value<'a>,
    stored: Value<'a>,
) -> Vec<Change> {
    let Some(created) = review(new, arena, object, None) else {
        return Vec::new();
    };
    let touched = touched(arena, stored);
    let updated = review(new, arena, touched, Some(stored));
    let update_errors = updated.map(|updated| told(&updated)).unwrap_or_default();
    if !update_errors.is_empty() {
        let changes = update_errors.into_iter().map(|error| Change {
            message: format!("refused, even on an update that does not touch it: {error}"),
            ..subject.change(&REFUSED, Class::BreaksStored, error.path.to_string())
        });
        return changes.collect();
    }
    if !created.is_allowed() {
        let changes = told(&created).into_iter().map(|error| Change {
            message: format!("a new object like this is refused: {error}"),
            stored: Some("this one can be updated while the value does not change".to_owned()),
            ..subject.change(&REFUSED, Class::Ratchets, error.path.to_string())
        });
        return changes.collect();
    }
    let mut changes = Vec::new();
    if let Some(after) = created.object {
        let after = home.stored(arena, after);
        subject.differences(stored, after, &Path::NIL, &mut changes);
    }
    changes
}

/// The errors of a review, without the remark that rules were not run because of other errors.
fn told(review: &ArenaReview<'_>) -> Vec<Rejection> {
    let is_remark = |error: &&Rejection| error.path == PathBuf::default() && review.errors.len() > 1;
    review
        .errors
        .iter()
        .filter(|error| !is_remark(error))
        .cloned()
        .collect()
}

fn review<'a>(
    kinds: &'a Kinds,
    arena: &'a Arena,
    object: Value<'a>,
    old: Option<Value<'a>>,
) -> Option<ArenaReview<'a>> {
    let write = match old {
        Some(old) => Write::update(old, object),
        None => Write::create(object),
    };
    // Dumps have metadata that only the server sets, which a create would refuse.
    let write = Write {
        is_schema_only: true,
        ..write
    };
    kinds.review(arena, &write).ok()
}

/// The object with another annotation.
fn touched<'a>(arena: &'a Arena, object: Value<'a>) -> Value<'a> {
    let mut touched = object;
    touched.set(arena, &["metadata", "annotations", TOUCHED], "true".into());
    touched
}

/// The object under comparison.
struct Subject<'o> {
    group: String,
    version: String,
    kind: String,
    name: String,
    origin: &'o str,
}

impl<'o> Subject<'o> {
    fn of(object: Value<'_>, origin: &'o str) -> Self {
        let GroupVersion { group, version } =
            GroupVersion::parse(object.text("apiVersion")).unwrap_or_default();
        let namespace = object.text(&["metadata", "namespace"]);
        let name = object.text(&["metadata", "name"]);
        Self {
            group: group.to_owned(),
            version: version.to_owned(),
            kind: object.text("kind").to_owned(),
            name: match namespace {
                "" => name.to_owned(),
                _ => format!("{namespace}/{name}"),
            },
            origin,
        }
    }

    fn change(&self, finding: &'static Finding, class: Class, path: String) -> Change {
        Change {
            finding,
            class,
            group: self.group.clone(),
            kind: self.kind.clone(),
            version: Some(self.version.clone()),
            object: Some(format!("{}: {}", self.origin, self.name)),
            path,
            message: String::new(),
            stored: None,
            help: None,
        }
    }

    /// Adds the differences of two values: what is gone, and what is new or different.
    fn differences(&self, old: Value<'_>, new: Value<'_>, path: &Path<'_>, changes: &mut Vec<Change>) {
        match (old, new) {
            (Value::Object(before), Value::Object(after)) => {
                for (name, value) in before {
                    let below = path.child(name);
                    match after.get(name) {
                        Some(other) => self.differences(value, other, &below, changes),
                        None => changes.push(Change {
                            message: format!("{} is dropped", to_string(value)),
                            ..self.change(&PRUNED, Class::Meaning, shown(&below))
                        }),
                    }
                }
                for (name, value) in after.iter().filter(|(name, _)| before.get(name).is_none()) {
                    changes.push(Change {
                        message: format!("is set to {}", to_string(value)),
                        ..self.change(&CHANGED, Class::Meaning, shown(&path.child(name)))
                    });
                }
            }
            (Value::Array(before), Value::Array(after)) if before.len() == after.len() => {
                for (index, (old, new)) in before.iter().zip(after.iter()).enumerate() {
                    self.differences(*old, *new, &path.index(index), changes);
                }
            }
            (old, new) if old != new => changes.push(Change {
                message: format!("is {} instead of {}", to_string(new), to_string(old)),
                ..self.change(&CHANGED, Class::Meaning, shown(path))
            }),
            _ => {}
        }
    }
}

fn shown(path: &Path<'_>) -> String {
    let path: PathBuf = Path::to_owned(path);
    path.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::text;
    use kindsmith_json::yaml;

    const OLD: &str = "properties: {a: {type: string}, b: {type: string, default: x}}";

    fn check(new: &str, spec: &str, expected: &[&str]) {
        check_from(OLD, new, spec, expected);
    }

    fn check_from(old: &str, new: &str, spec: &str, expected: &[&str]) {
        let kinds = |fragment: &str| {
            let text = text(fragment).expect("a fragment");
            Kinds::from_crds(&text).unwrap_or_else(|error| panic!("{error}"))
        };
        let (old, new) = (kinds(old), kinds(new));
        let object =
            format!("{{apiVersion: park.example.org/v1, kind: Gate, metadata: {{name: n}}, spec: {spec}}}");
        let arena = Arena::new();
        let object = yaml::parse(&arena, object.as_bytes()).expect("YAML");
        let found = match compare(&old, &new, object, "gates.yaml") {
            Verdict::Compared(changes) => changes
                .iter()
                .map(|change| format!("{} {}: {}", change.class.name(), change.path, change.message))
                .collect(),
            other => vec![format!("{other:?}")],
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn refused_on_create_only_or_always() {
        check(
            "properties: {a: {type: string, maxLength: 1}, b: {type: string, default: x}}",
            "{a: long}",
            &[
                "ratchets spec.a: a new object like this is refused: spec.a: Too long: may not be more than 1 byte",
            ],
        );
        check(
            "properties: {a: {type: string}, b: {type: string, default: x}}\nx-kubernetes-validations: [{rule: oldSelf.a != self.a}]",
            "{a: long}",
            &[
                "breaks-stored spec: refused, even on an update that does not touch it: spec: Invalid value: failed rule: oldSelf.a != self.a",
            ],
        );
    }

    #[test]
    fn other_defaults_and_dropped_fields() {
        check(
            "properties: {b: {type: string, default: w}, c: {type: string, default: z}}",
            "{a: long}",
            &[
                "meaning spec.a: \"long\" is dropped",
                "meaning spec.b: is \"w\" instead of \"x\"",
                "meaning spec.c: is set to \"z\"",
            ],
        );
        check(OLD, "{a: long}", &[]);
    }

    #[test]
    fn what_the_old_api_refuses_cannot_break() {
        check(OLD, "{a: 1}", &["RefusedBefore"]);
    }

    /// Versions, each with the fields of `spec`; the last is the one that is stored.
    fn versions(all: &[(&str, &str)], more: &str) -> String {
        let version = |(index, (name, fields)): (usize, &(&str, &str))| {
            let is_stored = index + 1 == all.len();
            format!(
                "{{name: {name}, served: true, storage: {is_stored}, schema: {{openAPIV3Schema: {{type: object, \
                 properties: {{spec: {{type: object, properties: {{{fields}}}}}}}}}}}}}"
            )
        };
        let all: Vec<String> = all.iter().enumerate().map(version).collect();
        format!("versions: [{}]\n{more}", all.join(", "))
    }

    fn check_versions(old: &str, new: &str, expected: &[&str]) {
        check_from(old, new, "{a: x, b: z}", expected);
    }

    #[test]
    fn objects_of_a_version_that_is_gone_are_converted_by_field_name() {
        let both = "a: {type: string}, b: {type: string}";
        let old = versions(&[("v1", both)], "");
        let new = |fields: &str, more: &str| versions(&[("v2", fields)], more);
        check_versions(&old, &new(both, ""), &[]);
        check_versions(
            &old,
            &new("a: {type: string}", ""),
            &["meaning spec.b: \"z\" is dropped"],
        );
        check_versions(
            &old,
            &new("a: {type: integer}, b: {type: string}", ""),
            &[
                "ratchets spec.a: a new object like this is refused: spec.a: Invalid value: \"string\": spec.a in body must be of type integer: \"string\"",
            ],
        );
        let webhook = "conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {url: 'https://a.example.org'}}}";
        check_versions(&old, &new(both, webhook), &["NotConverted"]);
    }

    #[test]
    fn fields_that_the_storage_version_does_not_have_are_lost() {
        let (few, both) = ("a: {type: string}", "a: {type: string}, b: {type: string}");
        let old = versions(&[("v2", few), ("v1", both)], "");
        let new = versions(&[("v1", both), ("v2", few)], "");
        check_versions(&old, &new, &["meaning spec.b: \"z\" is dropped"]);
    }

    #[test]
    fn built_in_kinds_are_not_compared() {
        let text = text(OLD).expect("a fragment");
        let kinds = Kinds::from_crds(&text).expect("a CRD");
        let arena = Arena::new();
        let object =
            yaml::parse(&arena, b"{apiVersion: v1, kind: ConfigMap, metadata: {name: n}}").expect("YAML");
        assert_eq!(compare(&kinds, &kinds, object, "a.yaml"), Verdict::Unknown);
    }
}
