//! The order of a write.

use kindsmith_json::{Arena, Value};
use kindsmith_object::meta;
use kindsmith_request::{
    Admission, Body, Operation, Origin, Outcome, Status, Write, Written, deduplicate, identity,
};
use kindsmith_structural::{Part, Validation};

use super::coerce::Item;
use super::{Resource, Version, prepare};

/// Where a write starts: a uid in a body is a condition, one in a patched object a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    Body,
    Value,
}

impl Resource {
    /// Writes an object from a request's body.
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
    ///     stamp: Stamp { uid: "1234", now: "2026-01-01T00:00:00Z", name_suffix: "abcde" },
    /// };
    /// let body = Body {
    ///     bytes: b"{apiVersion: example.org/v1, kind: Thing, metadata: {name: a}, size: 7, sise: 1}",
    ///     media: Media::Yaml,
    /// };
    /// let outcome = things.write(&arena, &write, body, &mut NoAdmission);
    /// assert_eq!(outcome.warnings, [r#"unknown field "sise""#]);
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
        body: Body<'a>,
        admission: &mut dyn Admission<'a>,
    ) -> Outcome<'a> {
        let mut warnings = Vec::new();
        let decoded = self.decode(arena, write, body, &mut warnings);
        let result = decoded
            .and_then(|item| self.carry_out(arena, write, item, Entry::Body, admission, &mut warnings));
        Outcome { result, warnings }
    }

    /// Writes an object that a patch or an apply resulted in.
    pub fn write_value<'a>(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        value: Value<'a>,
        origin: &Origin<'a>,
        admission: &mut dyn Admission<'a>,
    ) -> Outcome<'a> {
        let mut warnings = Vec::new();
        let taken = self.take(arena, write, value, origin, &mut warnings);
        let result =
            taken.and_then(|item| self.carry_out(arena, write, item, Entry::Value, admission, &mut warnings));
        Outcome { result, warnings }
    }

    /// The order of a write, from the decoded object to what is stored and answered.
    pub(super) fn carry_out<'a>(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        mut item: Item<'a>,
        entry: Entry,
        admission: &mut dyn Admission<'a>,
        warnings: &mut Vec<String>,
    ) -> Result<Written<'a>, Status> {
        let version = self.servable(write)?;
        let old = self.identify(arena, write, &mut item, entry)?;
        warnings.extend(deduplicate(arena, &mut item.meta, false));

        item = admit(arena, item, old.as_ref(), admission)?;
        warnings.extend(deduplicate(arena, &mut item.meta, true));

        // The answer names the kind and group that were sent, whatever the preparation makes of them.
        let (sent_group, sent_kind) = (item.group_version().0, item.kind());
        self.prepare(arena, write, version, &mut item, old.as_ref())?;
        item.write_back(arena);
        let Validation {
            errors,
            warnings: excused,
        } = self.validate(write, version, &item, old.as_ref());
        warnings.extend(excused);
        if !errors.is_empty() {
            return Err(Status::invalid(sent_group, sent_kind, item.meta.name, &errors));
        }
        if !matches!(write.operation, Operation::UpdateStatus { .. }) {
            warnings.extend(meta::finalizer_warnings(
                &item.meta,
                old.as_ref().map(|old| &old.meta),
            ));
        }

        admission.judge(Value::Object(item.object), write.operation.old())?;
        let written = self.store(arena, write, &item)?;
        Ok(Written {
            is_removed: old.is_some_and(|old| identity::is_finished(&item.meta, &old.meta)),
            ..written
        })
    }

    /// The version of the URL, if objects can be served in it and stored.
    fn servable(&self, write: &Write<'_>) -> Result<&Version, Status> {
        let version = self
            .version(write.version)
            .ok_or_else(|| self.no_such_object(write))?;
        let is_served = match write.operation.part() {
            "" => true,
            "status" => version.has_status,
            _ => false,
        };
        if !is_served {
            return Err(self.no_such_object(write));
        }
        if !self.is_servable(version) {
            return Err(Status::internal("error resolving resource"));
        }
        Ok(version)
    }

    /// Checks namespace and name, and finds the old object of an update.
    fn identify<'a>(
        &self,
        arena: &'a Arena,
        write: &Write<'a>,
        item: &mut Item<'a>,
        entry: Entry,
    ) -> Result<Option<Item<'a>>, Status> {
        if let Operation::Create = write.operation {
            identity::wipe(&mut item.meta);
            identity::settle_namespace(&mut item.meta, self.scope, write.namespace)?;
            return Ok(None);
        }
        identity::settle_namespace(&mut item.meta, self.scope, write.namespace)?;
        identity::check_name(&item.meta, write.name)?;
        let old = write.operation.old().and_then(Value::as_object);
        let old = Item::of(arena, old.ok_or_else(|| self.no_such_object(write))?)
            .map_err(|message| Status::internal(&message))?;
        if entry == Entry::Body {
            identity::check_uid(self.names(), &item.meta, &old.meta)?;
        }
        Ok(Some(old))
    }

    /// Puts back what a write may not change, and fills in what the server knows.
    fn prepare<'a>(
        &self,
        arena: &'a Arena,
        write: &Write<'a>,
        version: &Version,
        item: &mut Item<'a>,
        old: Option<&Item<'a>>,
    ) -> Result<(), Status> {
        let Some(old) = old else {
            identity::fill(arena, &mut item.meta, &write.stamp);
            prepare::create(arena, item, version);
            return Ok(());
        };
        identity::check_resource_version(self.names(), &item.meta, &old.meta)?;
        match write.operation {
            Operation::UpdateStatus { .. } => prepare::update_status(arena, item, old),
            _ => prepare::update(arena, item, old, version),
        }
        Ok(())
    }

    fn validate(
        &self,
        write: &Write<'_>,
        version: &Version,
        item: &Item<'_>,
        old: Option<&Item<'_>>,
    ) -> Validation {
        match (old, write.operation) {
            (None, _) => self.validate_create(version, item),
            (Some(old), Operation::UpdateStatus { .. }) => {
                self.validate_update(version, item, old, Part::Status)
            }
            (Some(old), _) => self.validate_update(version, item, old, Part::Whole),
        }
    }

    /// What is stored, and what is read back from it for the answer.
    fn store<'a>(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        item: &Item<'a>,
    ) -> Result<Written<'a>, Status> {
        if let Operation::Create = write.operation {
            identity::check_new_resource_version(&item.meta)?;
        }
        let stored = self.to_storage(arena, item)?;
        let object = if self.is_read_as_it_is(arena, write.version, item, stored) {
            stored
        } else {
            self.read(arena, stored, write.version)
                .map_err(|error| Status::internal(&error.to_string()))?
        };
        Ok(Written {
            stored,
            object,
            is_removed: false,
        })
    }

    pub(super) fn no_such_object(&self, write: &Write<'_>) -> Status {
        Status::not_found(&self.group, &self.plural, write.name)
    }
}

/// Lets others change the object; its metadata is looked at again only if they did.
fn admit<'a>(
    arena: &'a Arena,
    mut item: Item<'a>,
    old: Option<&Item<'a>>,
    admission: &mut dyn Admission<'a>,
) -> Result<Item<'a>, Status> {
    item.write_back(arena);
    let before = item.object;
    let after = admission.mutate(Value::Object(before), old.map(|old| Value::Object(old.object)))?;
    match after {
        Value::Object(after) if std::ptr::eq(after.entries(), before.entries()) => Ok(item),
        after => {
            let object = after.as_object().unwrap_or_default();
            Item::of(arena, object).map_err(|message| Status::internal(&message))
        }
    }
}
