//! The order of a write (`Store.Create`, `Store.Update` and `BeforeCreate`, `BeforeUpdate` in apiserver's
//! pkg/registry).

mod decode;
mod duplicate;
mod numbers;
mod store;
mod validate;

use kindsmith_json::{Arena, Value};
use kindsmith_object::meta::ObjectMeta;
use kindsmith_request::{
    Admission, Body, Operation, Origin, Outcome, Status, Write, Written, deduplicate, identity,
};

use crate::{Draft, Kind, Preparation};

/// Where a write starts: a uid in a body is a condition, one in a patched object a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entry {
    Body,
    Value,
}

impl Kind {
    /// Writes an object from a request's body. An update of what is not there creates it where the kind allows that.
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
            .and_then(|draft| self.carry_out(arena, write, draft, Entry::Body, admission, &mut warnings));
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
        let result = taken
            .and_then(|draft| self.carry_out(arena, write, draft, Entry::Value, admission, &mut warnings));
        Outcome { result, warnings }
    }

    /// The order of a write, from the decoded object to what is stored and answered.
    pub(crate) fn carry_out<'a>(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        mut draft: Draft<'a>,
        entry: Entry,
        admission: &mut dyn Admission<'a>,
        warnings: &mut Vec<String>,
    ) -> Result<Written<'a>, Status> {
        self.check_part(write)?;
        let old = self.identify(arena, write, &mut draft, entry)?;
        warnings.extend(deduplicate(arena, &mut draft.meta, false));

        draft = admit(arena, draft, old.as_ref(), admission)?;
        warnings.extend(deduplicate(arena, &mut draft.meta, true));

        self.prepare(arena, write, &mut draft, old.as_ref(), admission.user_info())?;
        draft.write_back(arena);
        let errors = self.validate(write, &draft, old.as_ref());
        if !errors.is_empty() {
            return Err(Status::invalid(
                &self.names.group,
                &self.names.kind,
                draft.meta.name,
                &errors,
            ));
        }
        warnings.extend(self.strategy.warnings(&self.change(write, &draft, old.as_ref())));
        self.strategy.canonicalize(arena, &mut draft);
        draft.write_back(arena);

        admission.judge(draft.value(), old.map(|old| old.value()))?;
        let written = self.store(arena, write, &draft, old.is_none())?;
        Ok(Written {
            is_removed: old.is_some_and(|old| self.is_finished(&draft, &old)),
            ..written
        })
    }

    /// Does an update remove the last thing that an object to be deleted waits for (`ShouldDeleteDuringUpdate` in
    /// apiserver's pkg/registry/generic/registry/store.go)?
    fn is_finished(&self, new: &Draft<'_>, old: &Draft<'_>) -> bool {
        new.meta.finalizers.is_empty()
            && old.meta.deletion_timestamp.is_some()
            && old.meta.deletion_grace_period_seconds.unwrap_or_default() == 0
            && !self.strategy.holds(new)
    }

    fn check_part(&self, write: &Write<'_>) -> Result<(), Status> {
        let part = write.operation.part();
        let is_served = part.is_empty()
            || self
                .strategy
                .subresources()
                .iter()
                .any(|known| known.name == part);
        match is_served {
            true => Ok(()),
            false => Err(self.no_such_object(write)),
        }
    }

    /// Checks namespace and name, and finds the old object of an update. None is for a new object.
    fn identify<'a>(
        &self,
        arena: &'a Arena,
        write: &Write<'a>,
        draft: &mut Draft<'a>,
        entry: Entry,
    ) -> Result<Option<Draft<'a>>, Status> {
        if let Operation::Create = write.operation {
            identity::wipe(&mut draft.meta);
            identity::settle_namespace(&mut draft.meta, self.scope, write.namespace)?;
            return Ok(None);
        }
        identity::settle_namespace(&mut draft.meta, self.scope, write.namespace)?;
        identity::check_name(&draft.meta, write.name)?;
        let Some(old) = write.operation.old() else {
            return self.create_on_update(write, draft, entry).map(|()| None);
        };
        let old = Draft::of(arena, old)?;
        if entry == Entry::Body {
            self.check_uid(write, &draft.meta, old.meta.uid)?;
        }
        Ok(Some(old))
    }

    /// Refuses an update meant for another object of the same name (`Preconditions.Check` in apiserver's
    /// pkg/storage/interfaces.go).
    pub(crate) fn check_uid(&self, write: &Write<'_>, new: &ObjectMeta<'_>, old: &str) -> Result<(), Status> {
        if new.uid.is_empty() || new.uid == old {
            return Ok(());
        }
        let namespace = match new.namespace {
            "" => String::new(),
            namespace => format!("{namespace}/"),
        };
        let why = format!(
            "StorageError: invalid object, Code: 4, Key: {}{namespace}{}, ResourceVersion: 0, AdditionalErrorMsg: \
             Precondition failed: UID in precondition: {}, UID in object meta: {old}",
            self.key_prefix(),
            write.name,
            new.uid,
        );
        let (group, resource) = self.group_resource();
        Err(Status::conflict(group, resource, write.name, &why))
    }

    /// Lets an update create what is not there, if the kind allows it.
    fn create_on_update<'a>(
        &self,
        write: &Write<'a>,
        draft: &mut Draft<'a>,
        entry: Entry,
    ) -> Result<(), Status> {
        if !self.strategy.creates_on_update() || !write.operation.part().is_empty() {
            return Err(self.no_such_object(write));
        }
        if entry == Entry::Body {
            // The condition on the uid meets an object that is all empty.
            self.check_uid(write, &draft.meta, "")?;
        }
        draft.meta.resource_version = "";
        identity::wipe(&mut draft.meta);
        Ok(())
    }

    /// Puts back what a write may not change, and fills in what the server knows.
    fn prepare<'a>(
        &self,
        arena: &'a Arena,
        write: &Write<'a>,
        draft: &mut Draft<'a>,
        old: Option<&Draft<'a>>,
        user: Option<Value<'a>>,
    ) -> Result<(), Status> {
        let preparation = Preparation {
            arena,
            plan: self.plan(),
            part: write.operation.part(),
            old,
            user,
            now: write.stamp.now,
            uid: write.stamp.uid,
        };
        let Some(old) = old else {
            identity::fill(arena, &mut draft.meta, &write.stamp);
            self.strategy.prepare(&preparation, draft);
            return Ok(());
        };
        self.check_resource_version(draft, old)?;
        draft.meta.generation = old.meta.generation;
        self.strategy.prepare(&preparation, draft);
        keep_system_fields(&mut draft.meta, &old.meta);
        Ok(())
    }

    /// Refuses an update of another state than the stored one. Most kinds take one that does not say which it changes.
    fn check_resource_version<'a>(&self, draft: &mut Draft<'a>, old: &Draft<'a>) -> Result<(), Status> {
        let is_open = matches!(draft.meta.resource_version, "" | "0");
        if is_open && self.strategy.allows_unconditional_update() {
            draft.meta.resource_version = old.meta.resource_version;
            return Ok(());
        }
        identity::check_resource_version(self.group_resource(), &draft.meta, &old.meta)
    }

    pub(crate) fn no_such_object(&self, write: &Write<'_>) -> Status {
        let (group, resource) = self.group_resource();
        Status::not_found(group, resource, write.name)
    }
}

/// Puts back what an update leaves out or cannot change (`BeforeUpdate`).
fn keep_system_fields<'a>(new: &mut ObjectMeta<'a>, old: &ObjectMeta<'a>) {
    if new.uid.is_empty() {
        new.uid = old.uid;
    }
    if old.creation_timestamp.is_some() {
        new.creation_timestamp = old.creation_timestamp;
    }
    if old.deletion_timestamp.is_some() {
        new.deletion_timestamp = old.deletion_timestamp;
    }
    if new.deletion_grace_period_seconds.is_none() {
        new.deletion_grace_period_seconds = old.deletion_grace_period_seconds;
    }
}

/// Lets others change the object; its metadata is looked at again only if they did.
fn admit<'a>(
    arena: &'a Arena,
    mut draft: Draft<'a>,
    old: Option<&Draft<'a>>,
    admission: &mut dyn Admission<'a>,
) -> Result<Draft<'a>, Status> {
    draft.write_back(arena);
    let before = draft.object;
    let after = admission.mutate(Value::Object(before), old.map(Draft::value))?;
    match after {
        Value::Object(after) if std::ptr::eq(after.entries(), before.entries()) => Ok(draft),
        after => Draft::of(arena, after),
    }
}
