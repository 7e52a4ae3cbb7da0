//! The place where a tag is evaluated: its declaration, and the part of it that prefix tags select.

use kindsmith_schema::{Field, Owner, Selector, TypeRef, Wrap};
use kindsmith_source::Span;

use crate::tag::Scope;

/// A place of evaluation (validation-gen `validators.Context`).
#[derive(Debug, Clone)]
pub struct At<'a> {
    /// The declaration that has the tag.
    pub owner: Owner,
    /// The kind of place.
    pub scope: Scope,
    /// The type of the values here; `None` for packages and constants.
    pub ty: Option<&'a TypeRef>,
    /// Upstream's key for its state: type name, JSON names, and the parts that prefix tags add.
    pub path: String,
    /// The field here, directly or through `subfield`.
    pub member: Option<&'a Field>,
    /// Path of the surrounding struct, list or map.
    pub parent_path: String,
    /// Type of the surrounding struct, list or map.
    pub parent: Option<&'a TypeRef>,
    /// The selected items of the surrounding list; an empty selector means all of them.
    pub selector: Option<Selector>,
    /// The wrappers around the tag, outermost first.
    pub wraps: Vec<Wrap>,
    /// Names of the tags around and of the tag itself.
    pub chain: Vec<&'static str>,
    /// The place of the line, from just after the `+`.
    pub span: Span,
    /// The place of the current tag's name in the line.
    pub name_span: std::ops::Range<usize>,
    /// Whether rules and findings are suppressed: the line is read a second time for its list tags.
    pub mute: bool,
    /// Whether upstream does not read the line, so that its errors are only warnings.
    pub ignored: bool,
    /// Whether the line says nothing: only a KEP describes its tag, and upstream decides.
    pub dropped: bool,
    /// Whether validation-gen is off for the package, so that errors in its tags have no effect.
    pub unasked: bool,
}

impl<'a> At<'a> {
    /// The place inside one more wrapper.
    #[must_use]
    pub fn wrapped(&self, wrap: Wrap) -> Self {
        let mut inner = self.clone();
        inner.wraps.push(wrap);
        inner
    }

    /// Whether the place was reached by `subfield` on the struct's own declaration.
    #[must_use]
    pub(crate) fn is_member_of_owner(&self) -> bool {
        let mut steps = self
            .wraps
            .iter()
            .filter(|wrap| !matches!(wrap, Wrap::Level { .. } | Wrap::If(_)));
        matches!(self.owner, Owner::Type(_))
            && matches!(steps.next(), Some(Wrap::Subfield(_)))
            && steps.next().is_none()
    }

    /// The key under which modes are stored. Those of fields are complete when the tags of their struct are
    /// read.
    #[must_use]
    pub(crate) fn modes_path(&self) -> String {
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
