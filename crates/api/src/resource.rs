//! What all resources can do, whether they are built in, custom, or definitions of custom ones.
//!
//! The verbs are written against this; adding a kind of resource is an implementation of it.

use std::fmt;

use kindsmith_json::{Arena, Value};
use kindsmith_openapi::crd::{Column, SelectableField};
use kindsmith_schema::JsonSchema;
use kindsmith_wire::{Admission, Body, Origin, Outcome, Status, Write};

/// A resource with all its versions.
pub trait Resource: fmt::Debug + Send + Sync {
    /// Reads a stored object in a version.
    ///
    /// # Errors
    ///
    /// If what is stored cannot be read.
    fn read<'a>(&'a self, arena: &'a Arena, stored: Value<'a>, version: &str) -> Result<Value<'a>, Status>;

    /// Writes an object from a request's body.
    fn write<'a>(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        body: Body<'a>,
        admission: &mut dyn Admission<'a>,
    ) -> Outcome<'a>;

    /// Writes an object that a patch or an apply resulted in.
    fn write_value<'a>(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        value: Value<'a>,
        origin: &Origin<'a>,
        admission: &mut dyn Admission<'a>,
    ) -> Outcome<'a>;

    /// Whether it is a custom resource, whose lists and objects look a little different from those of built-in kinds.
    fn is_custom(&self) -> bool {
        false
    }

    /// The version in which objects are stored; empty if they are stored in none.
    fn storage_version(&self) -> &str {
        ""
    }

    /// The columns of tables that the definition of a custom resource declares for a version.
    fn columns(&self, version: &str) -> &[Column] {
        let _ = version;
        &[]
    }

    /// The JSON paths that the definition of a custom resource lets field selectors name, besides metadata.
    fn selectable_fields(&self, version: &str) -> &[SelectableField] {
        let _ = version;
        &[]
    }

    /// Appends an object of a version as its protobuf message, without envelope. Says whether it can: custom resources
    /// cannot.
    fn append_protobuf(&self, out: &mut Vec<u8>, version: &str, object: Value<'_>) -> bool {
        let _ = (out, version, object);
        false
    }

    /// The published schema of a version, if there is one.
    fn schema(&self, version: &str) -> Option<&JsonSchema> {
        let _ = version;
        None
    }
}
