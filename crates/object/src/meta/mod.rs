//! ObjectMeta as the API server reads, rewrites and judges it, for custom resources and for metadata embedded in them.
//!
//! Metadata is the one part of a custom resource that passes through a Go struct: unknown fields vanish, empty ones
//! are omitted, times are rewritten, and a wrong type is refused with the decoder's own words. [`decode`] does all of
//! that in one pass and hands the very same value back when there was nothing to do.
//!
//! Knows no schema, no store and no clock; what the server fills in (uid, times, generated names) is given by the
//! caller.

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
mod structs;
mod validate;

use kindsmith_json::{Object, Value};

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
pub use validate::invalid;
pub use validate::{Scope, validate_create, validate_update};

/// An object's metadata (`metav1.ObjectMeta`).
///
/// Copying is shallow: texts, maps and lists live where the object lives. Empty texts and lists and zero numbers are
/// what Go cannot tell from absent.
#[derive(Debug, Clone, Copy, Default)]
pub struct ObjectMeta<'a> {
    /// The name within the namespace.
    pub name: &'a str,
    /// The prefix of a name that the server makes up.
    pub generate_name: &'a str,
    /// The namespace.
    pub namespace: &'a str,
    /// A legacy field that nothing fills.
    pub self_link: &'a str,
    /// The identity over time.
    pub uid: &'a str,
    /// The version of the stored object.
    pub resource_version: &'a str,
    /// How often the desired state changed.
    pub generation: i64,
    /// When it was created: RFC 3339 in UTC.
    pub creation_timestamp: Option<&'a str>,
    /// When it is to be gone: RFC 3339 in UTC.
    pub deletion_timestamp: Option<&'a str>,
    /// How long it may take to go.
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
