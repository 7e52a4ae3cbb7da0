//! Writes of custom resources: the steps of [`write_decoded`](kindsmith_request::write_decoded) for them.

use kindsmith_json::{Arena, Value};
use kindsmith_object::meta::{self, KeyOrder};
use kindsmith_request::{
    Admission, Encoded, Mutated, Operation, Origin, Outcome, Status, Target, Undecoded, Validation, Warning,
    Write, WriteContext, WriteSteps, write_object,
};
use kindsmith_structural::Part;

use super::coerce::{Custom, Extra, Reason, decode_metadata};
use super::validate::with_malformed;
use super::{CheckedWrite, ReadError, Resource, prepare};

impl Resource {
    /// Writes an object: a [`Body`](crate::Body), or what a patch or an apply resulted in.
    ///
    /// ```
    /// use kindsmith_crd::{Body, FieldValidation, Media, NoAdmission, Operation, Resource, Stamp, Write};
    /// use kindsmith_json::{Arena, yaml};
    /// use kindsmith_openapi::crd;
    ///
    /// let definition = br#"
    /// spec:
    ///   group: example.org
    ///   scope: Namespaced
    ///   names: {plural: things, kind: Thing}
    ///   versions:
    ///   - name: v1
    ///     served: true
    ///     storage: true
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    ///         properties:
    ///           size: {type: integer, maximum: 5}
    /// "#;
    /// let arena = Arena::new();
    /// let definition = crd::read(yaml::parse(&arena, definition)?, crd::Source::Yaml)?.definition;
    /// let things = Resource::new(&definition);
    ///
    /// let write = Write {
    ///     version: "v1",
    ///     operation: Operation::Create,
    ///     namespace: "default",
    ///     name: "",
    ///     field_validation: FieldValidation::Warn,
    ///     is_dry_run: false,
    ///     stamp: Stamp { uid: "1234", now: "2026-01-01T00:00:00Z", name_suffix: "abcde" },
    /// };
    /// let body = Body {
    ///     bytes: b"{apiVersion: example.org/v1, kind: Thing, metadata: {name: a}, size: 7, sise: 1}",
    ///     media: Media::Yaml,
    /// };
    /// let outcome = things.write(&arena, &write, body, &mut NoAdmission);
    /// assert_eq!(outcome.warnings[0].message, r#"unknown field "sise""#);
    /// assert_eq!(
    ///     outcome.result.expect_err("too large").message,
    ///     r#"Thing.example.org "a" is invalid: size: Invalid value: 7: size in body should be less than or equal to 5"#
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write<'a>(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        origin: impl Into<Origin<'a>>,
        admission: &mut dyn Admission<'a>,
    ) -> Outcome<'a> {
        write_object(self, arena, write, origin.into(), admission)
    }
}

impl<'a> WriteSteps<'a> for Resource {
    type Extra = Extra<'a>;

    fn target(&self) -> Target<'_> {
        Target {
            group: &self.group,
            resource: &self.plural,
            kind: &self.kind,
            scope: self.scope,
        }
    }

    fn metadata_order(&self) -> KeyOrder {
        KeyOrder::Sorted
    }

    fn check_served(&self, write: &Write<'_>) -> Result<(), Status> {
        let version = self.version(write.version);
        let version = version.ok_or_else(|| self.target().not_found(write))?;
        let is_served = match write.operation.subresource() {
            "" => true,
            "status" => version.has_status,
            _ => false,
        };
        if !is_served {
            return Err(self.target().not_found(write));
        }
        if self.is_servable(version) {
            Ok(())
        } else {
            Err(Status::internal("error resolving resource"))
        }
    }

    fn decode(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        origin: Origin<'a>,
        warnings: &mut Vec<Warning>,
    ) -> Result<Custom<'a>, Status> {
        match origin {
            Origin::Body(body) => self.decode_body(arena, write, body, warnings),
            Origin::Patch { object, text, strict } => {
                self.decode_patched(arena, write, object, (text, strict), warnings)
            }
            Origin::Apply { object } => {
                let mut applied = self.take(arena, object).map_err(Status::unforeseen)?;
                let old = write.operation.old();
                if old.is_none_or(|old| !differs_in_owners_only(arena, old, object)) {
                    self.default_object(arena, &mut applied);
                }
                Ok(applied)
            }
        }
    }

    fn take_stored(&'a self, arena: &'a Arena, object: Value<'a>) -> Result<Custom<'a>, Status> {
        self.take(arena, object)
            .map_err(|message| Status::internal(&message))
    }

    /// Fields outside the schema stay: validating admission sees them, and storing prunes them (`schemaCoercingConverter` in
    /// apiextensions-apiserver's pkg/apiserver/customresource_handler.go).
    fn take_mutated(&'a self, arena: &'a Arena, object: Value<'a>) -> Result<Custom<'a>, Status> {
        let object = object.as_object().unwrap_or_default();
        let metadata = object.get("metadata");
        if metadata.is_some_and(|metadata| metadata.as_object().is_none()) {
            return Err(Status::internal("system metadata was not initialized"));
        }
        let taken = decode_metadata(arena, object, Reason::Mutation);
        let (mut object, _) = taken.map_err(|message| Status::internal(&message))?;
        self.default_object(arena, &mut object);
        object.extra.is_unpruned = true;
        Ok(object)
    }

    /// Metadata that a webhook left malformed is there, although it is not stored.
    fn admitted(&'a self, arena: &'a Arena, object: &Custom<'a>) -> Value<'a> {
        let mut value = object.value();
        if let Some(given) = object.extra.malformed {
            let metadata = with_malformed(arena, object, given);
            value.set(arena, &["metadata"], Value::Object(metadata));
        }
        value
    }

    /// Unknown fields are kept, as in the last of the mutations.
    fn decode_mutated(&'a self, arena: &'a Arena, object: Value<'a>) -> Result<Mutated<'a>, Undecoded> {
        let kind = object.get("kind").and_then(Value::as_str).unwrap_or_default();
        if kind.is_empty() {
            let text = kindsmith_json::to_string(object);
            return Err(Undecoded::because(format!(
                "Object 'Kind' is missing in '{text}'"
            )));
        }
        let members = object.as_object().unwrap_or_default();
        let structure = self.normalizer_of(members);
        let defaulted = structure.map(|structure| structure.default(arena, object));
        Ok(Mutated {
            decoded: object,
            object: defaulted.unwrap_or(object),
        })
    }

    fn prepare(&self, context: &WriteContext<'_, 'a>, object: &mut Custom<'a>, old: Option<&Custom<'a>>) {
        let Some(version) = self.version(context.write.version) else {
            return;
        };
        match (old, context.write.operation) {
            (None, _) => prepare::create(context.arena, object, version),
            (Some(old), Operation::UpdateStatus { .. }) => {
                prepare::update_status(context.arena, object, old);
            }
            (Some(old), _) => prepare::update(context.arena, object, old, version),
        }
    }

    /// The kind and group that were sent; preparation may change them.
    fn named_kind(&'a self, object: &Custom<'a>) -> (&'a str, &'a str) {
        (object.group_version().group, object.kind())
    }

    fn validate(
        &self,
        context: &WriteContext<'_, 'a>,
        object: &Custom<'a>,
        old: Option<&Custom<'a>>,
    ) -> Result<Validation, Status> {
        let version = self.version(context.write.version);
        let version = version.ok_or_else(|| self.target().not_found(context.write))?;
        let found = match (old, context.write.operation) {
            (None, _) => self.validate_create(version, object),
            (Some(old), Operation::UpdateStatus { .. }) => {
                self.validate_update(version, object, old, Part::Status)
            }
            (Some(old), _) => self.validate_update(version, object, old, Part::Whole),
        };
        let write = CheckedWrite {
            version: context.write.version,
            new: Value::Object(object.object),
            old: old.map(|old| Value::Object(old.object)),
            subresource: context.write.operation.subresource(),
            is_valid: true,
        };
        Ok(Validation {
            errors: self.check_in_code(write, found.errors),
            warnings: found.warnings,
        })
    }

    fn warnings(
        &self,
        context: &WriteContext<'_, 'a>,
        object: &Custom<'a>,
        old: Option<&Custom<'a>>,
    ) -> Vec<String> {
        if let Operation::UpdateStatus { .. } = context.write.operation {
            return Vec::new();
        }
        meta::finalizer_warnings(&object.meta, old.map(|old| &old.meta))
    }

    fn encode(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        object: &Custom<'a>,
    ) -> Result<Encoded<'a>, Status> {
        let stored = self.to_storage(arena, object)?;
        let is_same = self.is_read_as_it_is(arena, write.version, object, stored);
        let read = if is_same {
            Ok(stored)
        } else {
            self.read(arena, stored, write.version)
        };
        let (object, unreadable) = match read {
            Ok(object) => (object, None),
            Err(ReadError::Undecodable(why)) => (stored, Some(&*arena.alloc_str(&why))),
            Err(error @ ReadError::NotServed) => return Err(Status::internal(&error.to_string())),
        };
        Ok(Encoded {
            stored,
            object,
            unreadable,
        })
    }
}

/// Whether an apply changed nothing but who owns what. The stored object is taken then as it is, without the defaults of the version
/// that it is written in (`managedFieldsUpdater.Apply` in apimachinery's pkg/util/managedfields/internal).
fn differs_in_owners_only<'a>(arena: &'a Arena, old: Value<'a>, new: Value<'a>) -> bool {
    let unowned = |object: Value<'a>| {
        let mut object = object;
        object.unset(arena, &["metadata", "managedFields"]);
        object
    };
    unowned(old) == unowned(new)
}
