//! Validation of an object: rules in code, metadata, and rules in tags, combined as in the API server
//! (`ValidateCreate`, `ValidateUpdate`, `ValidateDeclaratively` in apiserver's pkg/registry/rest).

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use kindsmith_engine::{self as engine, CustomChecks, OptionSet};
use kindsmith_json::{Path, Value};
use kindsmith_object::meta::{self, NameRule};
use kindsmith_object::{Behavior, FieldError};
use kindsmith_request::{Declarative, Lifecycle, Write, WriteContext};
use kindsmith_schema::{Facet, Owner};

use super::{asked, older};
use crate::dual_run::twin;
use crate::dual_run::{Declared, HandWrittenError, Joining, join};
use crate::pod::PRIVILEGED;
use crate::{Change, DecodedObject, Kind};

const METADATA: Path<'static> = Path::root("metadata");

impl Kind {
    pub(crate) fn change<'c>(
        &'c self,
        served: &'c Kind,
        write: &'c Write<'_>,
        new: &'c DecodedObject<'_>,
        old: Option<&'c DecodedObject<'_>>,
    ) -> Change<'c> {
        Change {
            release: self.release,
            subresource: write.operation.subresource(),
            group: &served.names.group,
            version: &self.names.version,
            now: write.stamp.now,
            new,
            old,
            scope: self.scope,
            names: self.strategy.name_rule_in(self.release),
            checks_finalizers: self.strategy.checks_finalizers(),
            plan: self.plan(),
        }
    }

    /// All errors of an object that are enforced. Differences between rules in code and in tags are counted. `served` is the
    /// kind of the request, whose objects are checked as those of this one.
    pub(super) fn errors(
        &self,
        served: &Kind,
        context: &WriteContext<'_, '_>,
        new: &DecodedObject<'_>,
        old: Option<&DecodedObject<'_>>,
    ) -> Vec<FieldError> {
        let mut errors = self.found(served, context, new, old);
        meta::as_in(self.release, &mut errors);
        errors
    }

    fn found(
        &self,
        served: &Kind,
        context: &WriteContext<'_, '_>,
        new: &DecodedObject<'_>,
        old: Option<&DecodedObject<'_>>,
    ) -> Vec<FieldError> {
        let change = self.change(served, context.write, new, old);
        let declarative = context.admission.declarative();
        let part = self.validated_part(change.subresource, context.admission.is_scale());
        let validate = |errors: &mut Vec<FieldError>| {
            self.strategy.validate(&change, errors);
            if context.admission.allows_privileged() {
                errors.retain(|error| error.origin != PRIVILEGED);
            }
            asked::settle(context, new, errors);
        };
        let mut errors = Vec::new();
        match old {
            None => {
                validate(&mut errors);
                let mut errors = self.joined(&change, part, errors, declarative);
                if errors.is_empty() && self.strategy.needs_name() {
                    let names = NameRule::PathSegment;
                    meta::validate_create(&new.meta, self.scope, names, &METADATA, &mut errors);
                }
                return errors;
            }
            Some(old) => {
                let names = NameRule::PathSegment;
                meta::validate_create(&new.meta, self.scope, names, &METADATA, &mut errors);
                meta::validate_update(&new.meta, &old.meta, &METADATA, &mut errors);
                validate(&mut errors);
            }
        }
        self.joined(&change, part, errors, declarative)
    }

    /// The subresource that conditions in tags see. Rules in code see a write of `/scale` as one of the object; so do tags
    /// of kinds that do not name the subresource.
    fn validated_part<'c>(&self, subresource: &'c str, is_scale: bool) -> &'c str {
        if is_scale && self.plan().supports("/scale") {
            "scale"
        } else {
            subresource
        }
    }

    /// The errors of code joined with those of tags; what differs is counted.
    fn joined(
        &self,
        change: &Change<'_>,
        part: &str,
        errors: Vec<FieldError>,
        declarative: Option<&Declarative>,
    ) -> Vec<FieldError> {
        let hand_written = self.hand_written();
        // Reviews are checked by whoever answers them.
        let is_own = self.is_own() && self.strategy.is_stored();
        let options = self.options();
        let mut written: Vec<HandWrittenError> = if is_own {
            twin::written(&self.names, change, &options, errors)
        } else {
            errors.into_iter().map(HandWrittenError::unknown).collect()
        };
        written.extend(hand_written.iter().flat_map(|rules| rules.check(change)));
        let declared = self.declared(change, part, &options);
        let joining = Joining {
            lifecycle: match declarative.map(|state| state.lifecycle).unwrap_or_default() {
                // Without hand-written rules there is no other result to choose.
                Lifecycle::Kep { runs, .. } if hand_written.is_none() && !is_own => Lifecycle::Kep {
                    runs,
                    takes_over: true,
                },
                lifecycle => lifecycle,
            },
            is_complete: is_own || hand_written.is_some(),
            matches_above: hand_written.is_some_and(|rules| rules.matches_above),
            is_once: self.release.has(Behavior::ErrorsOnce) && !self.strategy.repeats_errors(),
        };
        let panics = declared.panics.clone();
        let mut joined = join(written, declared, joining);
        if self.is_own() {
            older::reword(self, change, &mut joined.errors);
        }
        if let Some(declarative) = declarative {
            self.count(declarative, change, &panics, &joined.mismatches, &joined.errors);
        }
        joined.errors
    }

    fn count(
        &self,
        declarative: &Declarative,
        change: &Change<'_>,
        panics: &[String],
        mismatches: &[String],
        errors: &[FieldError],
    ) {
        let identifier = self.identifier(change);
        let meta = &change.new.meta;
        let about = format!("{} {}/{}", self.names.kind, meta.namespace, meta.name);
        for line in mismatches {
            declarative
                .tally
                .mismatch(&identifier, &format!("{identifier}: {line} ({about})"));
        }
        for value in panics {
            let line = format!("{identifier}: a rule in a tag panicked: {value} ({about})");
            declarative.tally.panic(&identifier, &line);
        }
        if change.old.is_some() {
            let mut seen = HashSet::new();
            let again = errors
                .iter()
                .filter(|error| !seen.insert(error.to_string()))
                .count();
            declarative.tally.duplicates(again as u64);
        }
    }

    /// As metrics call the write: `replicationcontroller_status_update`.
    fn identifier(&self, change: &Change<'_>) -> String {
        let mut identifier = self.names.kind.to_lowercase();
        if !change.subresource.is_empty() {
            identifier += &format!("_{}", change.subresource.replace('/', "_"));
        }
        identifier
            + if change.old.is_some() {
                "_update"
            } else {
                "_create"
            }
    }

    /// What the type's tags say. A panic in a function that a tag names is caught there, so that nothing else is lost.
    fn declared(&self, change: &Change<'_>, part: &str, options: &OptionSet) -> Declared {
        let new = change.new.value();
        let basis = match change.old {
            None => engine::Change::create(new),
            Some(old) => engine::Change::update(new, old.value()),
        };
        let subresources = [part];
        let guarded = self
            .hand_written()
            .and_then(|rules| rules.custom())
            .map(Guarded::new);
        let change = engine::Change {
            options: Some(options),
            subresources: if part.is_empty() { &[] } else { &subresources },
            custom: guarded.as_ref().map(|custom| custom as &dyn CustomChecks),
            ..basis
        };
        let errors = self.plan().validate(&change);
        Declared {
            errors: errors
                .into_iter()
                .map(|error| (self.is_native(&error), error))
                .map(swap)
                .collect(),
            panics: guarded.map(Guarded::panics).unwrap_or_default(),
            has_native: self.hand_written().is_some() && self.has_native(),
        }
    }

    fn options(&self) -> OptionSet {
        let gates = self.strategy.gates().iter();
        let mut options: OptionSet = gates
            .map(|gate| (gate.name(), gate.is_default(self.release)))
            .collect();
        options.extend(&self.settings.options);
        options
    }

    /// Whether the field of a rule is declared to have no hand-written rules. Of the server's own kinds these are all that
    /// no longer have a level.
    fn is_native(&self, error: &FieldError) -> bool {
        if self.is_own() {
            return error.level.is_none();
        }
        let rules = match error.rule.map(|place| place.owner) {
            Some(Owner::Field(field)) => &self.schema.field(field).rules,
            Some(Owner::Type(ty)) => &self.schema.ty(ty).rules,
            _ => return false,
        };
        rules
            .iter()
            .any(|rule| rule.facet == Facet::DeclarativeValidationNative)
    }

    fn has_native(&self) -> bool {
        let package = &self.schema.ty(self.ty).name.package;
        let types = self.schema.types().filter(|(_, ty)| ty.name.package == *package);
        let mut fields = types.flat_map(|(id, _)| self.schema.fields(id));
        fields.any(|(_, field)| {
            let mut rules = field.rules.iter();
            rules.any(|rule| rule.facet == Facet::DeclarativeValidationNative)
        })
    }
}

fn swap<A, B>((left, right): (A, B)) -> (B, A) {
    (right, left)
}

/// Functions that tags name, with their panics caught.
struct Guarded<'c> {
    inner: &'c (dyn CustomChecks + Send + Sync),
    panics: Mutex<Vec<String>>,
}

impl<'c> Guarded<'c> {
    fn new(inner: &'c (dyn CustomChecks + Send + Sync)) -> Self {
        Self {
            inner,
            panics: Mutex::default(),
        }
    }

    fn panics(self) -> Vec<String> {
        self.panics.into_inner().unwrap_or_default()
    }
}

impl CustomChecks for Guarded<'_> {
    fn check(
        &self,
        function: &str,
        operation: engine::Operation,
        path: &Path<'_>,
        new: Option<Value<'_>>,
        old: Option<Value<'_>>,
    ) -> Vec<FieldError> {
        let call = || self.inner.check(function, operation, path, new, old);
        catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|value| {
            let text = value.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let text = text.or_else(|| value.downcast_ref::<String>().cloned());
            if let Ok(mut panics) = self.panics.lock() {
                panics.push(text.unwrap_or_else(|| "unknown".to_owned()));
            }
            Vec::new()
        })
    }
}
