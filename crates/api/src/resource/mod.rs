//! The interface of a resource: built-in kinds, custom resources and CRDs implement it.
//!
//! The verbs use only this trait; a new sort of resource is a new implementation.

mod built_in;
mod custom;
mod definitions;
mod generation;
mod kept;

use std::fmt;

use kindsmith_builtin::{GarbageCollection, Kind};
use kindsmith_json::{Arena, Value};
use kindsmith_merge::patch::{PatchError, StrategicPatch};
use kindsmith_merge::{ResetFields, Topology};
use kindsmith_object::Release;
use kindsmith_openapi::crd::{Column, SelectableField};
use kindsmith_request::{Admission, Body, Origin, Outcome, ScaleWrite, Status, Warning, Write};
use kindsmith_schema::JsonSchema;

use crate::Unreadable;

pub(crate) use built_in::BuiltIn;
pub(crate) use custom::{Custom, Serving, read_definition};
pub(crate) use definitions::Definitions;
pub use generation::Generation;

/// A resource with all its versions.
pub trait Resource: fmt::Debug + Send + Sync {
    /// Reads a stored object in a version.
    ///
    /// # Errors
    ///
    /// If what is stored cannot be read.
    fn read<'a>(
        &'a self,
        arena: &'a Arena,
        stored: Value<'a>,
        version: &str,
    ) -> Result<Value<'a>, Unreadable>;

    /// Reads a stored object in the version in which it is stored.
    ///
    /// # Errors
    ///
    /// If what is stored cannot be read.
    fn read_stored<'a>(&'a self, arena: &'a Arena, stored: Value<'a>) -> Result<Value<'a>, Unreadable> {
        self.read(arena, stored, self.storage_version())
    }

    /// Reads a stored object of a revision that may have been read before; what a webhook converted need not be converted again.
    ///
    /// # Errors
    ///
    /// If what is stored cannot be read.
    fn read_kept<'a>(
        &'a self,
        arena: &'a Arena,
        stored: Value<'a>,
        version: &str,
        revision: u64,
    ) -> Result<Value<'a>, Unreadable> {
        let _ = revision;
        self.read(arena, stored, version)
    }

    /// Reads stored objects of a list in a version, so that a webhook is asked once for all of them; `None` if they must be read
    /// one by one.
    fn read_all<'a>(
        &'a self,
        arena: &'a Arena,
        stored: &[Value<'a>],
        version: &str,
    ) -> Option<Vec<Result<Value<'a>, Unreadable>>> {
        let _ = (arena, stored, version);
        None
    }

    /// Whether [`Resource::read_kept`] has the object already.
    fn is_kept(&self, version: &str, revision: u64, stored: Value<'_>) -> bool {
        let _ = (version, revision, stored);
        false
    }

    /// Keeps what [`Resource::read_kept`] would give.
    fn keep(&self, version: &str, revision: u64, object: Value<'_>) {
        let _ = (version, revision, object);
    }

    /// Identifies how stored objects are read in a version, if all of them are read alike as long as the resource is not
    /// replaced.
    fn generation(&self, version: &str) -> Option<Generation> {
        let _ = version;
        None
    }

    /// Whether a webhook converts objects: reading one may take its time.
    fn may_wait(&self) -> bool {
        false
    }

    /// The object in the version in which it is stored.
    ///
    /// # Errors
    ///
    /// If it cannot be converted.
    fn to_storage<'a>(&'a self, arena: &'a Arena, object: Value<'a>) -> Result<Value<'a>, Status> {
        let _ = arena;
        Ok(object)
    }

    /// Whether objects of a version can be served at all.
    fn is_servable(&self, version: &str) -> bool {
        let _ = version;
        true
    }

    /// Writes an object: a body, or the result of a patch or an apply.
    fn write<'a>(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        origin: Origin<'a>,
        admission: &mut dyn Admission<'a>,
    ) -> Outcome<'a>;

    /// Converts a protobuf body to JSON.
    ///
    /// # Errors
    ///
    /// The response for a body that cannot be decoded; custom resources have no protobuf.
    fn json_body<'a>(&self, arena: &'a Arena, bytes: &'a [u8]) -> Result<Body<'a>, Status> {
        let _ = (arena, bytes);
        Err(crate::request::body::unsupported(
            "application/json, application/yaml",
        ))
    }

    /// The built-in kind, if it is one.
    fn built_in(&self) -> Option<&Kind> {
        None
    }

    /// The release whose rules hold.
    fn release(&self) -> Release {
        self.built_in().map_or_else(Release::default, |kind| kind.release)
    }

    /// Whether objects are stored; reviews are only answered.
    fn is_stored(&self) -> bool {
        true
    }

    /// Applies a strategic merge patch to an object.
    ///
    /// # Errors
    ///
    /// If the patch does not fit, or the resource does not support such patches.
    fn patch_strategically<'a>(
        &self,
        arena: &'a Arena,
        patch: &StrategicPatch<'a>,
        target: Value<'a>,
    ) -> Result<Value<'a>, PatchError> {
        let _ = (arena, patch, target);
        Err(PatchError::Failed(
            "the resource takes no strategic merge patch".to_owned(),
        ))
    }

    /// Whether it is a custom resource; lists and objects of those are encoded slightly differently.
    fn is_custom(&self) -> bool {
        false
    }

    /// The storage version; empty if objects are not stored.
    fn storage_version(&self) -> &str {
        ""
    }

    /// The table columns that the CRD declares for a version.
    fn columns(&self, version: &str) -> &[Column] {
        let _ = version;
        &[]
    }

    /// The JSON paths that the CRD declares as selectable fields, besides metadata.
    fn selectable_fields(&self, version: &str) -> &[SelectableField] {
        let _ = version;
        &[]
    }

    /// The bytes of the CRD; empty for built-in kinds. They identify this state of the CRD.
    fn source(&self) -> &[u8] {
        &[]
    }

    /// Appends an object as its protobuf message, without envelope. Returns `false` for custom resources, which have
    /// none.
    fn append_protobuf(&self, out: &mut Vec<u8>, version: &str, object: Value<'_>) -> bool {
        let _ = (out, version, object);
        false
    }

    /// Converts an object to another version.
    ///
    /// # Errors
    ///
    /// If it cannot be converted.
    fn convert<'a>(&self, arena: &'a Arena, object: Value<'a>, version: &str) -> Result<Value<'a>, Status> {
        let _ = (arena, version);
        Ok(object)
    }

    /// The merge topology of a version; `None` if there is no such version.
    fn topology(&self, version: &str) -> Option<&Topology> {
        let _ = version;
        None
    }

    /// The fields that a write through a subresource (empty for the object itself) drops and therefore does not own.
    fn reset_fields(&self, version: &str, subresource: &str) -> Option<ResetFields> {
        let _ = (version, subresource);
        None
    }

    /// The scale of an object.
    ///
    /// # Errors
    ///
    /// If it has none.
    fn scale<'a>(&self, arena: &'a Arena, version: &str, object: Value<'a>) -> Result<Value<'a>, Status> {
        let _ = (arena, version, object);
        Err(Status::internal("the resource has no scale"))
    }

    /// The scale that a patch changes.
    ///
    /// # Errors
    ///
    /// If it has none.
    fn scale_to_patch<'a>(
        &self,
        arena: &'a Arena,
        version: &str,
        object: Value<'a>,
    ) -> Result<Value<'a>, Status> {
        self.scale(arena, version, object)
    }

    /// Sets the replicas of the stored object; the response is a `Scale`.
    fn write_scale<'a>(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        change: ScaleChange<'a>,
        admission: &mut dyn Admission<'a>,
    ) -> Outcome<'a> {
        let _ = (arena, write, change, admission);
        Status::internal("the resource has no scale").into()
    }

    /// For each version, the path that `Scale` calls `spec.replicas`; `None` if the version cannot be scaled.
    fn replicas_paths(&self) -> Vec<(&str, Option<Vec<&str>>)> {
        Vec::new()
    }

    /// The warning for every request to a version.
    fn deprecation_warning(&self, version: &str) -> Option<&str> {
        let _ = version;
        None
    }

    /// Whether an update of a missing object creates it.
    fn creates_on_update(&self) -> bool {
        false
    }

    /// Whether a configuration that is applied to the status of a missing object creates it.
    fn creates_on_status_apply(&self) -> bool {
        self.creates_on_update()
    }

    /// Whether a deletion returns the object instead of a `Status`.
    fn returns_deleted_object(&self) -> bool {
        false
    }

    /// What a deletion without a propagation policy does to dependents.
    fn garbage_collection(&self) -> GarbageCollection {
        GarbageCollection::Background
    }

    /// The stored object after its deletion began, for kinds that do more than wait for finalizers; `None` for all
    /// others. `finalizers` are those that the propagation policy leaves.
    fn begin_deletion<'a>(
        &self,
        arena: &'a Arena,
        object: Value<'a>,
        now: &'a str,
        finalizers: &[&'a str],
    ) -> Option<Value<'a>> {
        let _ = (arena, object, now, finalizers);
        None
    }

    /// How the refusal of a deletion for its preconditions begins, for kinds that check them themselves.
    fn precondition_refusal(&self) -> Option<&'static str> {
        None
    }

    /// An object that is not stored, such as a bookmark, with the members that its type never omits.
    fn as_encoded<'a>(&'a self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let _ = arena;
        object
    }

    /// Whether its storage can delete objects that it cannot read.
    fn has_unsafe_deleter(&self) -> bool {
        true
    }

    /// Whether the reference reads its objects from a cache, which shows in errors.
    fn is_cached(&self) -> bool {
        true
    }

    /// The warning for a deletion without a propagation policy.
    fn deletion_warning(&self) -> Option<&'static str> {
        None
    }

    /// For how many seconds an object is kept after its deletion began, for kinds that end by themselves.
    fn grace_period_seconds(&self, object: Value<'_>, requested: Option<i64>) -> Option<i64> {
        let _ = (object, requested);
        None
    }

    /// The published schema of a version, if there is one.
    fn schema(&self, version: &str) -> Option<&JsonSchema> {
        let _ = version;
        None
    }
}

/// A `Scale` to write.
#[derive(Debug, Clone, Copy)]
pub enum ScaleChange<'a> {
    /// A request's body.
    Body(Body<'a>),
    /// The result of a patch.
    Patched(Value<'a>),
}

/// Reads a `Scale` that a client sent, with warnings.
fn read_scale<'a>(
    arena: &'a Arena,
    write: &Write<'a>,
    change: ScaleChange<'a>,
) -> Result<(ScaleWrite<'a>, Vec<Warning>), Status> {
    match change {
        ScaleChange::Body(body) => kindsmith_builtin::read_scale(arena, body, write.field_validation),
        ScaleChange::Patched(scale) => match ScaleWrite::of(arena, scale, false) {
            Ok(scale) => Ok((scale, Vec::new())),
            Err(error) => Err(Status::internal(&error.to_string())),
        },
    }
}

/// Puts more warnings in front of those of an outcome.
fn with_warnings(mut warnings: Vec<Warning>, outcome: Outcome<'_>) -> Outcome<'_> {
    warnings.extend(outcome.warnings);
    Outcome { warnings, ..outcome }
}
