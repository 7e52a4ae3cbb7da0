//! What all resources can do, whether they are built in, custom, or definitions of custom ones.
//!
//! The verbs are written against this; adding a kind of resource is an implementation of it.

use std::fmt;

use kindsmith_json::{Arena, Value};
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

    /// The published schema of a version, if there is one.
    fn schema(&self, version: &str) -> Option<&JsonSchema> {
        let _ = version;
        None
    }
}
