//! A kind of a subject with its schema, and reviews of objects made from it. Used to propose cases and to compare
//! descriptions.

use std::sync::Arc;

use kindsmith::{Profile, Rejection, Write};
use kindsmith_generate::controller_gen::{self, Options, Tags};
use kindsmith_json::{Arena, parse_str, to_string};
use kindsmith_schema::JsonSchema;
use serde_json::Value as Json;

use crate::run::Seen;
use crate::sample::smallest;
use crate::subject::Subject;

/// One kind of a subject.
#[derive(Debug)]
pub struct Kind<'s> {
    /// Where the kind comes from.
    pub subject: &'s Subject,
    /// Its `apiVersion`.
    pub api_version: String,
    /// Its kind.
    pub kind: String,
    /// Its schema; for a Go type the one of its CRD.
    pub schema: Arc<JsonSchema>,
    /// Whose rules apply.
    pub profile: Profile,
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
            for version in spec.versions.iter() {
                let Some(schema) = version.open_api_v3_schema() else {
                    continue;
                };
                all.push(Self {
                    subject,
                    api_version: format!("{}/{}", spec.group, version.name),
                    kind: spec.names.kind.to_string(),
                    schema: Arc::clone(schema),
                    profile,
                });
            }
        }
        all.extend(go_kinds(subject, profile));
        all
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
            Kind {
                subject,
                api_version,
                kind: kind.kind.to_string(),
                schema: Arc::new(controller_gen::schema_of(schema, kind.ty, &options).0),
                profile,
            }
        })
        .collect()
}
