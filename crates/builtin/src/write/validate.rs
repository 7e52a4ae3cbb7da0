//! Validation of an object: rules in code, metadata, and rules in tags, combined as in the API server
//! (`ValidateCreate`, `ValidateUpdate`, `ValidateDeclaratively` in apiserver's pkg/registry/rest).

use std::collections::HashSet;

use kindsmith_engine as engine;
use kindsmith_json::Path;
use kindsmith_object::meta::{self, NameRule};
use kindsmith_object::{ErrorKind, FieldError};
use kindsmith_request::Write;
use kindsmith_schema::Level;

use crate::{Change, DecodedObject, Kind};

const METADATA: Path<'static> = Path::root("metadata");

impl Kind {
    pub(crate) fn change<'c>(
        &'c self,
        write: &'c Write<'_>,
        new: &'c DecodedObject<'_>,
        old: Option<&'c DecodedObject<'_>>,
    ) -> Change<'c> {
        Change {
            subresource: write.operation.subresource(),
            version: &self.names.version,
            new,
            old,
            scope: self.scope,
            names: self.strategy.name_rule(),
            checks_finalizers: self.strategy.checks_finalizers(),
            plan: self.plan(),
        }
    }

    /// All errors of an object that are enforced.
    pub(super) fn errors(
        &self,
        write: &Write<'_>,
        new: &DecodedObject<'_>,
        old: Option<&DecodedObject<'_>>,
    ) -> Vec<FieldError> {
        let change = self.change(write, new, old);
        let mut errors = Vec::new();
        match old {
            None => {
                self.strategy.validate(&change, &mut errors);
                if errors.is_empty() {
                    let names = NameRule::PathSegment;
                    meta::validate_create(&new.meta, self.scope, names, &METADATA, &mut errors);
                }
            }
            Some(old) => {
                let names = NameRule::PathSegment;
                meta::validate_create(&new.meta, self.scope, names, &METADATA, &mut errors);
                meta::validate_update(&new.meta, &old.meta, &METADATA, &mut errors);
                self.strategy.validate(&change, &mut errors);
            }
        }
        join(errors, self.declared(&change))
    }

    /// The errors of the type's tags.
    fn declared(&self, change: &Change<'_>) -> Vec<FieldError> {
        let options = self.strategy.options();
        let new = change.new.value();
        let basis = match change.old {
            None => engine::Change::create(new),
            Some(old) => engine::Change::update(new, old.value()),
        };
        let subresources = [change.subresource];
        let change = engine::Change {
            options: Some(&options),
            subresources: if change.subresource.is_empty() {
                &[]
            } else {
                &subresources
            },
            ..basis
        };
        let mut errors = self.plan().validate(&change);
        errors.retain(|error| error.is_enforced(true));
        errors
    }
}

/// Combines the errors of code and of tags. If a beta rule finds the same error as code, the rule's is kept; all others
/// stay, so some mistakes are reported twice.
fn join(written: Vec<FieldError>, declared: Vec<FieldError>) -> Vec<FieldError> {
    let betas: Vec<&FieldError> = declared
        .iter()
        .filter(|error| error.level == Some(Level::Beta))
        .collect();
    // The comparison in Kubernetes also drops duplicates.
    let mut seen = HashSet::new();
    let mut joined = written;
    joined.retain(|error| seen.insert(error.to_string()) && !betas.iter().any(|beta| is_same(error, beta)));
    joined.extend(declared);
    joined
}

/// Whether two errors report the same mistake (`ErrorMatcher` by type, field and origin).
fn is_same(written: &FieldError, declared: &FieldError) -> bool {
    let is_covered = written.origin == declared.origin
        && (written.kind != ErrorKind::Invalid || !written.origin.is_empty());
    written.kind == declared.kind
        && written.path == declared.path
        && (is_covered || written.to_string() == declared.to_string())
}
