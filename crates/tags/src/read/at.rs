//! Where a tag is evaluated: the declaration it is written on, and the part of it that prefix tags have led to.

use kindsmith_schema::{Field, Owner, Selector, TypeRef, Wrap};
use kindsmith_source::Span;

use crate::tag::Scope;

/// A place of evaluation (validation-gen `validators.Context`).
#[derive(Debug, Clone)]
pub struct At<'a> {
    /// The declaration the tag is written on.
    pub owner: Owner,
    /// The kind of place.
    pub scope: Scope,
    /// The type of the values here; none for packages and constants.
    pub ty: Option<&'a TypeRef>,
    /// The key upstream files its bookkeeping under: type name, JSON names, and what prefix tags add.
    pub path: String,
    /// The field here, directly or through `subfield`.
    pub member: Option<&'a Field>,
    /// Path of the surrounding struct, list or map.
    pub parent_path: String,
    /// Type of the surrounding struct, list or map.
    pub parent: Option<&'a TypeRef>,
    /// Which items of the surrounding list are meant; an empty selector means all of them.
    pub selector: Option<Selector>,
    /// What is wrapped around the tag, outermost first.
    pub wraps: Vec<Wrap>,
    /// Names of the tags around and of the tag itself.
    pub chain: Vec<&'static str>,
    /// Where the line is, from just after the `+`.
    pub span: Span,
    /// Where the name of the current tag is in the line.
    pub name_span: std::ops::Range<usize>,
    /// Whether rules and findings are suppressed: the line is read again for what it says about a list.
    pub mute: bool,
    /// Whether upstream does not read the line, so that no mistake in it is an error.
    pub ignored: bool,
    /// Whether the package asks validation-gen for nothing, so that no mistake in its tags stops anybody.
    pub unasked: bool,
}

impl<'a> At<'a> {
    /// The same place inside one more wrapper.
    #[must_use]
    pub fn wrapped(&self, wrap: Wrap) -> Self {
        let mut inner = self.clone();
        inner.wraps.push(wrap);
        inner
    }

    /// Whether `subfield` on the struct's own declaration has led here.
    #[must_use]
    pub fn is_member_of_owner(&self) -> bool {
        let mut steps = self
            .wraps
            .iter()
            .filter(|wrap| !matches!(wrap, Wrap::Level { .. } | Wrap::If(_)));
        matches!(self.owner, Owner::Type(_))
            && matches!(steps.next(), Some(Wrap::Subfield(_)))
            && steps.next().is_none()
    }

    /// The key modes are filed under. Those of the fields are done when the tags of their struct are read.
    #[must_use]
    pub fn modes_path(&self) -> String {
        let owner = if self.is_member_of_owner() { "#" } else { "" };
        format!("{}{owner}", self.parent_path)
    }

    /// A place inside this one.
    #[must_use]
    pub fn inside(&self, wrap: Wrap, scope: Scope, ty: &'a TypeRef, path: String) -> Self {
        let mut inner = self.wrapped(wrap);
        inner.scope = scope;
        inner.ty = Some(ty);
        inner.parent_path = std::mem::replace(&mut inner.path, path);
        inner.parent = self.ty;
        inner.member = None;
        inner.selector = None;
        inner
    }
}
