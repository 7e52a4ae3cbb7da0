//! Applied configurations.

use std::fmt;

use kindsmith_json::{Arena, Value};

use super::conflict::Conflicts;
use super::last_applied::{self, KUBECTL};
use super::ownership::{Failure, Force};
use super::{
    FieldManager, described, kind_text, managed_fields, strip, with_entries, without_managed_fields,
};
use crate::managed::{self, EntryError, ManagedEntry, Operation};
use crate::typed::{Duplicates, SchemaErrors};

/// Why an apply is rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ApplyError {
    /// The request is malformed: 400 with this message.
    BadRequest(String),
    /// Others own fields that would change: 409, reason `Conflict`, a cause for each conflict.
    Conflicts(Conflicts),
    /// The configuration does not fit the schema. The message names the fields. Kubernetes answers 500, although the
    /// mistake is the client's.
    Schema {
        /// The whole message.
        message: String,
        /// The errors, by field.
        errors: SchemaErrors,
    },
    /// Something else failed, such as a conversion: 500 with this message.
    Internal(String),
}

impl fmt::Display for ApplyError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ApplyError::Conflicts(conflicts) => write!(out, "{conflicts}"),
            ApplyError::BadRequest(message)
            | ApplyError::Schema { message, .. }
            | ApplyError::Internal(message) => out.write_str(message),
        }
    }
}

impl std::error::Error for ApplyError {}

impl From<String> for ApplyError {
    fn from(why: String) -> Self {
        ApplyError::Internal(why)
    }
}

impl From<EntryError> for ApplyError {
    fn from(error: EntryError) -> Self {
        error.to_string().into()
    }
}

/// One apply of a configuration.
struct Request<'a> {
    live: Value<'a>,
    patch: Value<'a>,
    /// The manager's entry, without fields.
    own: ManagedEntry<'a>,
    now: &'a str,
}

/// The result of an apply: the object, if it changed, and the entries.
type Applied<'a> = (Option<Value<'a>>, Vec<ManagedEntry<'a>>);

impl FieldManager<'_> {
    /// Applies the configuration `patch` to `live`; the result has updated `managedFields`.
    ///
    /// `live` is the stored object, or [`Versions::empty`](super::Versions::empty) if there is none. The caller still
    /// has to default the result. `now` is the time as `2026-01-02T15:04:05Z`; it is used only if the object changes.
    ///
    /// # Errors
    /// If the configuration is invalid, or conflicts with other managers without `force`.
    pub fn apply<'a>(
        &self,
        arena: &'a Arena,
        live: Value<'a>,
        patch: Value<'a>,
        manager: &str,
        force: bool,
        now: &'a str,
    ) -> Result<Value<'a>, ApplyError> {
        let entries = managed::decode(arena, managed_fields(live));
        let mut entries = entries.map_err(|why| format!("failed to decode managed fields: {why}"))?;
        let text = |key| patch.get(key).and_then(Value::as_str).unwrap_or_default();
        let (api_version, kind) = (text("apiVersion"), text("kind"));
        if (api_version, kind) != (self.api_version, self.kind) {
            let found = kind_text(api_version, kind);
            return Err(ApplyError::BadRequest(format!("invalid object type: {found}")));
        }
        let live = without_managed_fields(arena, live);
        if entries.is_empty() {
            let empty = self.versions.empty(arena, self.api_version, self.kind);
            let before = self.tracked_update(arena, empty, live, entries, "before-first-apply", now);
            entries = before.map_err(|why| format!("failed to create manager for existing fields: {why}"))?;
        }
        let own = self.entry(arena, manager, Operation::Apply);
        let request = Request {
            live,
            patch,
            own,
            now,
        };
        let (object, entries) = self.apply_checked(arena, &request, entries, force)?;
        let mut object = object.unwrap_or(live);
        if manager == KUBECTL {
            object = last_applied::refresh(arena, object, patch);
        }
        Ok(with_entries(arena, object, entries))
    }

    /// Applies; conflicts with fields that kubectl itself applied client-side are forced.
    fn apply_checked<'a>(
        &self,
        arena: &'a Arena,
        request: &Request<'a>,
        entries: Vec<ManagedEntry<'a>>,
        force: bool,
    ) -> Result<Applied<'a>, ApplyError> {
        self.check_patch(arena, request)?;
        let wanted = if force { Force::Yes } else { Force::No };
        let conflicts = match self.apply_once(arena, request, entries.clone(), wanted) {
            Ok(applied) => return Ok(applied),
            Err(Failure::Internal(why)) => return Err(ApplyError::Internal(why)),
            Err(Failure::Conflicts(conflicts)) => conflicts,
        };
        let allowed = match request.own.manager {
            KUBECTL => self.last_applied(arena, request.live),
            _ => None,
        };
        let left = match allowed {
            Some(allowed) => conflicts.without(arena, allowed),
            None => Some(conflicts),
        };
        if let Some(conflicts) = left {
            return Err(ApplyError::Conflicts(conflicts.report()));
        }
        match self.apply_once(arena, request, entries, Force::Yes) {
            Ok(applied) => Ok(applied),
            Err(Failure::Internal(why)) => Err(ApplyError::Internal(why)),
            Err(Failure::Conflicts(conflicts)) => Err(ApplyError::Conflicts(conflicts.report())),
        }
    }

    fn check_patch<'a>(&self, arena: &'a Arena, request: &Request<'a>) -> Result<(), ApplyError> {
        if managed::is_present(arena, managed_fields(request.patch)) {
            return Err(ApplyError::BadRequest(
                "metadata.managedFields must be nil".to_owned(),
            ));
        }
        let topology = self.topology()?;
        topology
            .validate(request.patch, Duplicates::Refused)
            .map_err(|errors| ApplyError::Schema {
                message: format!(
                    "failed to create typed patch object ({}): {errors}",
                    described(request.patch)
                ),
                errors,
            })?;
        let valid = topology.validate(request.live, Duplicates::Allowed);
        valid.map_err(|errors| {
            ApplyError::Internal(format!(
                "failed to create typed live object ({}): {errors}",
                described(request.live)
            ))
        })
    }

    fn apply_once<'a>(
        &self,
        arena: &'a Arena,
        request: &Request<'a>,
        mut entries: Vec<ManagedEntry<'a>>,
        force: Force,
    ) -> Result<Applied<'a>, Failure<'a>> {
        let Request {
            live,
            patch,
            own,
            now,
        } = *request;
        let topology = self.topology()?;
        self.reconcile(arena, live, &mut entries)?;
        let merged = topology.merge(arena, live, patch);
        let mut fields = topology.field_set(arena, patch);
        if let Some(reset) = self.versions.reset_fields(self.api_version) {
            fields = reset.filter(arena, fields);
        }
        let position = entries.iter().position(|entry| entry.is_same_manager(&own));
        let last = position.map(|position| entries.remove(position));
        let time = last.and_then(|last| last.time);
        entries.push(ManagedEntry { time, fields, ..own });
        let pruned = self
            .prune(arena, merged, &entries, fields, last.as_ref())
            .map_err(|why| format!("failed to prune fields: {why}"))?;
        // Removing fields may leave a list item without its keys.
        if last.is_some_and(|last| !last.fields.is_subset(fields)) {
            let valid = topology.validate(pruned, Duplicates::Allowed);
            valid.map_err(|why| format!("failed to compare objects: {why}"))?;
        }
        self.take(arena, (live, pruned), &mut entries, Some(&own), force)?;
        let is_changed = !live.equals_numerically(pruned);
        if let Some(entry) = entries.iter_mut().find(|entry| entry.is_same_manager(&own)) {
            entry.fields = strip::strip(arena, entry.fields);
            if is_changed {
                entry.time = Some(now);
            }
        }
        entries.retain(|entry| !entry.fields.is_empty());
        Ok((is_changed.then_some(pruned), entries))
    }
}
