//! A kind of a subject with its schema, and reviews of objects made from it. Used to propose cases and to compare
//! descriptions.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use kindsmith::{OptionSet, Profile, Rejection, Write};
use kindsmith_generate::controller_gen::{self, Options, Tags};
use kindsmith_json::{Arena, parse_str, to_string};
use kindsmith_schema::{Condition, JsonSchema, Rule, Schema, Shape, TypeId};
use serde_json::Value as Json;

use crate::run::Seen;
use crate::sample::smallest;
use crate::subject::Subject;

/// One kind of a subject.
#[derive(Debug, Clone)]
pub struct Kind<'s> {
    /// Where the kind comes from.
    pub subject: &'s Subject,
    /// Its `apiVersion`.
    pub api_version: String,
    /// Its kind.
    pub kind: String,
    /// Its schema; for a Go type the one of its CRD.
    pub schema: Arc<JsonSchema>,
    /// Which rules apply.
    pub profile: Profile,
    /// The validation options that its rules refer to; only Go types have them.
    pub option_names: BTreeSet<String>,
    options: OptionSet,
}

/// The answer to a write of an object.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The enforced errors.
    pub errors: Vec<String>,
    /// The stored object, if the write is accepted.
    pub object: Option<Json>,
}

impl<'s> Kind<'s> {
    /// All kinds of a subject: of CRDs every version, of Go packages all types with metadata.
    #[must_use]
    pub fn all(subject: &'s Subject, profile: Profile) -> Vec<Self> {
        let mut all = Vec::new();
        for definition in subject.kinds().crds().definitions() {
            let spec = &definition.spec;
            for (version, schema) in spec.schemas() {
                all.push(Self {
                    subject,
                    api_version: format!("{}/{}", spec.group, version.name),
                    kind: spec.names.kind.to_string(),
                    schema: Arc::clone(schema),
                    profile,
                    option_names: BTreeSet::new(),
                    options: OptionSet::default(),
                });
            }
        }
        // Types that are written for controller-gen are there already, as the CRDs that they become.
        let go = go_kinds(subject, profile).into_iter();
        all.extend(go.filter(|kind| subject.is_go(&kind.api_version, &kind.kind)));
        all
    }

    /// The kind with all of its options on or off; they are off at first.
    #[must_use]
    pub fn with_options(&self, on: bool) -> Self {
        let mut kind = self.clone();
        for name in &self.option_names {
            kind.options.set(name.as_str(), on);
        }
        kind
    }

    /// The smallest object that is probably valid.
    #[must_use]
    pub fn smallest(&self) -> Json {
        smallest(&self.schema, &self.api_version, &self.kind)
    }

    /// Whether the status is written through its own subresource.
    #[must_use]
    pub fn has_status(&self) -> bool {
        let found = self
            .subject
            .kinds()
            .crds()
            .of_object(&self.api_version, &self.kind);
        found.is_some_and(|found| found.has_status())
    }

    /// Reviews a write; `see` gets it for coverage.
    pub fn review(&self, object: &Json, old: Option<&Json>, see: &mut dyn FnMut(&Seen<'_, '_>)) -> Answer {
        let arena = Arena::new();
        let parse = |value: &Json| {
            let text = arena.alloc_str(&value.to_string());
            parse_str(&arena, text).unwrap_or_default()
        };
        let new = parse(object);
        let create = |value| Write {
            profile: self.profile,
            options: Some(&self.options),
            ..Write::create(value)
        };
        let write = match old.map(parse) {
            None => Write::create(new),
            Some(old) => {
                // The stored object has its defaults.
                let stored = self.subject.review(&arena, &create(old)).ok();
                Write::update(stored.and_then(|review| review.object).unwrap_or(old), new)
            }
        };
        let write = Write {
            profile: self.profile,
            options: Some(&self.options),
            is_traced: true,
            ..write
        };
        let mut review = match self.subject.review(&arena, &write) {
            Ok(review) => review,
            Err(error) => {
                return Answer {
                    errors: vec![error.to_string()],
                    object: None,
                };
            }
        };
        review.errors.retain(is_enforced);
        see(&Seen {
            write: &write,
            review: &review,
            subject: self.subject,
        });
        let stored = review.object.filter(|_| review.errors.is_empty());
        Answer {
            errors: review.errors.iter().map(ToString::to_string).collect(),
            object: stored.and_then(|object| serde_json::from_str(&to_string(object)).ok()),
        }
    }
}

fn is_enforced(error: &Rejection) -> bool {
    error.error.as_ref().is_none_or(|error| error.is_enforced(true))
}

fn go_kinds(subject: &Subject, profile: Profile) -> Vec<Kind<'_>> {
    let Some(go_types) = subject.kinds().go_types() else {
        return Vec::new();
    };
    let schema = &go_types.read().schema;
    let options = Options {
        allow_dangerous_types: true,
        ignore_unexported_fields: true,
        tags: Tags::All,
        go_json: true,
        max_description: Some(0),
        ..Options::default()
    };
    let kinds = schema.kinds().iter().chain(schema.ungrouped_kinds());
    kinds
        .map(|kind| {
            let api_version = match &*kind.group {
                "" => kind.version.to_string(),
                group => format!("{group}/{}", kind.version),
            };
            let kind = Kind {
                subject,
                api_version,
                kind: kind.kind.to_string(),
                schema: Arc::new(controller_gen::schema_of(schema, kind.ty, &options).0),
                profile,
                option_names: option_names(schema, kind.ty),
                options: OptionSet::default(),
            };
            kind.with_options(false)
        })
        .collect()
}

/// The options that rules of a type and of all below it refer to.
fn option_names(schema: &Schema, root: TypeId) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut visited = HashSet::new();
    let mut waiting = vec![root];
    while let Some(id) = waiting.pop() {
        if !visited.insert(id) {
            continue;
        }
        let ty = schema.ty(id);
        add_options(&ty.rules, &mut names);
        match &ty.shape {
            Shape::Struct(_) => {
                for (_, field) in schema.fields(id) {
                    add_options(&field.rules, &mut names);
                    waiting.extend(field.ty.innermost());
                }
            }
            Shape::Def(target) | Shape::Alias(target) => waiting.extend(target.innermost()),
            Shape::Hole => {}
        }
    }
    names
}

fn add_options(rules: &[Rule], names: &mut BTreeSet<String>) {
    for condition in rules.iter().flat_map(Rule::conditions) {
        if let Condition::Option { name, .. } = condition {
            names.insert(name.to_string());
        }
    }
}
