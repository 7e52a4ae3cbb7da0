//! ObjectMeta as the API server decodes, rewrites and validates it, for custom resources and for metadata
//! embedded in them.
//!
//! Metadata is the only part of a custom resource that passes through a Go struct: unknown fields are
//! dropped, empty ones omitted, times rewritten, and a wrong type is rejected with the decoder's message.
//! [`decode`] does all of that in one pass and returns the very same value when nothing changed.
//!
//! Knows no schema, no store and no clock; the caller passes in what the server generates (uid, times,
//! names).

pub mod fields;

mod as_in;
mod decode;
mod decoder;
mod embedded;
mod encode;
mod error;
mod finalizers;
mod keys;
mod managed;
mod name;
mod owners;
mod restore;
mod structs;
mod validate;

use kindsmith_json::{Object, Value};

pub use as_in::{as_in, older_label_words};
pub use decode::{Decoded, Malformed, UnknownFields, decode, decode_field};
pub use decoder::Order;
pub use embedded::shown;
pub use embedded::validate_embedded;
pub use encode::KeyOrder;
pub use error::DecodeError;
pub use finalizers::finalizer_warnings;
pub use keys::{validate_annotations, validate_labels};
pub use managed::ManagedFieldsEntry;
pub use name::NameRule;
pub use owners::{OwnerReference, group_version};
pub use restore::restore_error;
pub use validate::{Scope, validate_create, validate_update};

/// An object's metadata (`metav1.ObjectMeta`).
///
/// Copying is shallow: strings, maps and lists stay where the object is. Empty strings and lists and zero
/// numbers mean absent, as in Go.
#[derive(Debug, Clone, Copy, Default)]
pub struct ObjectMeta<'a> {
    /// The name within the namespace.
    pub name: &'a str,
    /// The prefix for a name that the server generates.
    pub generate_name: &'a str,
    /// The namespace.
    pub namespace: &'a str,
    /// A legacy field that is never set.
    pub self_link: &'a str,
    /// The identity of the object; never reused.
    pub uid: &'a str,
    /// The version of the stored object.
    pub resource_version: &'a str,
    /// How often the desired state changed.
    pub generation: i64,
    /// When it was created: RFC 3339 in UTC.
    pub creation_timestamp: Option<&'a str>,
    /// When it should be gone: RFC 3339 in UTC.
    pub deletion_timestamp: Option<&'a str>,
    /// The time allowed for graceful deletion.
    pub deletion_grace_period_seconds: Option<i64>,
    /// Labels; every value is a string.
    pub labels: Object<'a>,
    /// Annotations; every value is a string.
    pub annotations: Object<'a>,
    /// The owners, as objects with the fields of [`OwnerReference`].
    pub owner_references: &'a [Value<'a>],
    /// The finalizers; every element is a string.
    pub finalizers: &'a [Value<'a>],
    /// Who set which fields, as objects with the fields of [`ManagedFieldsEntry`].
    pub managed_fields: &'a [Value<'a>],
}

impl<'a> ObjectMeta<'a> {
    /// The owners.
    pub fn owners(&self) -> impl ExactSizeIterator<Item = OwnerReference<'a>> {
        self.owner_references
            .iter()
            .map(|&owner| OwnerReference::of(owner))
    }

    /// The names of the finalizers.
    pub fn finalizer_names(&self) -> impl ExactSizeIterator<Item = &'a str> {
        self.finalizers
            .iter()
            .map(|name| name.as_str().unwrap_or_default())
    }

    /// Who set which fields.
    pub fn managers(&self) -> impl ExactSizeIterator<Item = ManagedFieldsEntry<'a>> {
        self.managed_fields
            .iter()
            .map(|&entry| ManagedFieldsEntry::of(entry))
    }
}
