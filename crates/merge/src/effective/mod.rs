//! The effective desired state of a resource: the user's spec, plus the live values of fields that the user wants to
//! keep and the spec does not set.
//!
//! [`effective`] is a pure function: its input is a stored object, the live one in the same form, a schema, and a
//! [`Listing`] of fields; its result is what to compare and write, and why. The object is never changed. A field that
//! the spec sets always wins, as a whole; a listed field that it does not set has its live value and never drifts; all
//! other fields that it does not set have the value that the kind's [`Attributes`] declare, are removed if the spec set
//! them before, or are left alone. [`writes`] turns the differences into the smallest requests.
//!
//! Knows no kind, service, file, network or clock.

mod attributes;
mod equality;
mod keyed;
mod listing;
mod path;
mod presence;
mod shape;
mod union;
mod walk;
mod write;

pub use attributes::{Attribute, Attributes, Declared, Within};
pub use keyed::at;
pub use listing::{ANNOTATIONS, IGNORE_UNSPECIFIED, Ignored, Listing, PathError, UNMANAGED, check};
pub use path::{FieldPath, ItemKeys, Step, SyntaxError, split};
pub use write::{Batch, Method, Strategy, Write, apply_changes, batches, body, writes};

use std::fmt;

use equality::Site;
use kindsmith_json::{Arena, Value};
use kindsmith_schema::JsonSchema;
use presence::Presence;
use walk::{Place, Walk};

/// What a user wants, and what is remembered about it.
#[derive(Debug, Clone, Copy)]
pub struct Desired<'a, 'i> {
    /// The object as it is stored, with its metadata.
    pub object: Value<'a>,
    /// Field managers that are not users.
    pub controllers: &'i [&'i str],
    /// Fields that the spec set before: [`Effective::specified`] of the last pass.
    pub applied: &'i Listing,
    /// Write-only fields whose value has changed since it was sent.
    pub resend: &'i [String],
    /// Lists with a hash of the value that was sent last: [`Effective::lists`] of that pass.
    pub sent: &'i [(String, String)],
    /// Fields whose live value counts even if the spec sets them.
    pub unmanaged: &'i Listing,
    /// Whether all fields that the spec does not set are left alone, whatever the kind declares for them.
    pub ignores_unspecified: bool,
}

impl<'a, 'i> Desired<'a, 'i> {
    /// An object about which nothing is remembered.
    #[must_use]
    pub fn new(object: Value<'a>, nothing: &'i Listing) -> Self {
        Desired {
            object,
            controllers: &[],
            applied: nothing,
            resend: &[],
            sent: &[],
            unmanaged: nothing,
            ignores_unspecified: false,
        }
    }
}

/// Whether an annotation says that all fields that the spec does not set are left alone.
#[must_use]
pub fn ignores_unspecified(object: Value<'_>) -> bool {
    let annotation = object.lookup(&["metadata", "annotations", IGNORE_UNSPECIFIED]);
    annotation.and_then(Value::as_str) == Some("true")
}

/// The effective state and how it differs from the live one.
#[derive(Debug, Clone, PartialEq)]
pub struct Effective<'a> {
    /// The object with its effective spec.
    pub object: Value<'a>,
    /// Fields that have their live value because they are listed and the spec does not set them, by path.
    pub kept: Vec<Kept<'a>>,
    /// Fields that differ and must be written, by path.
    pub set: Vec<Change<'a>>,
    /// Fields that the spec set before and no longer sets, by path.
    pub released: Vec<String>,
    /// Requests that are not carried out.
    pub ignored: Vec<Ignored>,
    /// Values in the spec that the resource cannot have. Nothing should be written until that is resolved.
    pub refused: Vec<Ignored>,
    /// Possible mistakes of the author.
    pub warnings: Vec<Ignored>,
    /// Fields that the spec sets, to be remembered.
    pub specified: Vec<String>,
    /// Fields to change because the kind declares another value than the live one, by path.
    pub declared: Vec<String>,
    /// Lists of structs in the spec, each with a hash, to be remembered.
    pub lists: Vec<(String, String)>,
}

/// A field with its live value.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept<'a> {
    /// The field.
    pub path: String,
    /// Its live value.
    pub value: Value<'a>,
    /// Why.
    pub by: KeptBy,
}

/// Why a field has its live value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeptBy {
    /// This path lists it, and the spec does not set it.
    Listed(String),
    /// This path says that the spec does not decide it.
    Unmanaged(String),
    /// Its object is kept in part, and is not valid without it.
    Required,
}

impl fmt::Display for KeptBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listed(path) => write!(f, "listed as {path}"),
            Self::Unmanaged(path) => write!(f, "unmanaged as {path}"),
            Self::Required => f.write_str("required by its object"),
        }
    }
}

/// A difference.
#[derive(Debug, Clone, PartialEq)]
pub struct Change<'a> {
    /// The field, or the item of a list map.
    pub path: FieldPath,
    /// Its new value; `None` removes it.
    pub value: Option<Value<'a>>,
}

/// Computes the effective state.
///
/// `live` is the live object in the form of the kind, with a `spec`; `None` if it does not exist yet. `schema` is the
/// kind's schema for whole objects.
#[must_use]
pub fn effective<'a>(
    arena: &'a Arena,
    desired: &Desired<'a, '_>,
    live: Option<Value<'a>>,
    listing: &Listing,
    schema: &JsonSchema,
    attributes: &Attributes,
) -> Effective<'a> {
    let mut walk = Walk {
        arena,
        object: desired.object,
        exists: live.is_some(),
        ignores_unspecified: desired.ignores_unspecified,
        path: vec![Step::Field("spec".into())],
        resend: desired.resend,
        sent: desired.sent,
        kept: Vec::new(),
        changes: Vec::new(),
        released: Vec::new(),
        ignored: Vec::new(),
        refused: Vec::new(),
        warnings: Vec::new(),
        specified: Vec::new(),
        declared: Vec::new(),
        lists: Vec::new(),
    };
    let root = Site {
        schema: Some(schema),
        rules: attributes.root(),
    };
    let presence = Presence::of(arena, desired.object, desired.controllers);
    let mut object = desired.object;
    let spec = root.field("spec").and_then(|site| {
        let place = Place {
            site,
            keep: listing.cursor().field("spec"),
            unmanaged: desired.unmanaged.cursor().field("spec"),
            applied: desired.applied.cursor().field("spec"),
            presence: presence.field("spec"),
            frozen: None,
        };
        let of = |object: Value<'a>| object.get("spec");
        walk.node(of(object), live.and_then(of), &place, true)
    });
    match spec {
        Some(spec) => object.set(arena, &["spec"], spec),
        None => drop(object.unset(arena, &["spec"])),
    }
    walk.finish(object)
}

impl<'a> Walk<'a, '_> {
    /// Sorts the results, so that they do not depend on the order of members.
    fn finish(mut self, object: Value<'a>) -> Effective<'a> {
        self.kept.sort_by(|left, right| left.path.cmp(&right.path));
        self.changes.sort_by(|left, right| left.path.cmp(&right.path));
        for paths in [&mut self.released, &mut self.specified, &mut self.declared] {
            paths.sort();
            paths.dedup();
        }
        for notes in [&mut self.ignored, &mut self.refused, &mut self.warnings] {
            notes.sort();
            notes.dedup();
        }
        Effective {
            object,
            kept: self.kept,
            set: self.changes,
            released: self.released,
            ignored: self.ignored,
            refused: self.refused,
            warnings: self.warnings,
            specified: self.specified,
            declared: self.declared,
            lists: self.lists,
        }
    }
}
