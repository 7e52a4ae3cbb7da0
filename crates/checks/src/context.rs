//! The context of a tag while it is lowered.

use kindsmith_schema::{FieldId, Level, Place, Selector, TypeRef};

/// The kind of declaration that a tag is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum On {
    Type,
    Field,
    ListVal,
    MapKey,
    MapVal,
}

/// The context of a tag.
#[derive(Debug, Clone)]
pub(crate) struct Context {
    pub(crate) on: On,
    /// The type of the value that the tag applies to.
    pub(crate) ty: TypeRef,
    /// The generator's name for the place; state shared by several tags is collected under it.
    pub(crate) path: String,
    /// The field, if it is one.
    pub(crate) member: Option<FieldId>,
    /// The generator's name for the surrounding struct or list.
    pub(crate) parent_path: String,
    pub(crate) parent: Option<TypeRef>,
    /// The list item that the tag selects.
    pub(crate) selector: Option<Selector>,
    /// The innermost level around the tag.
    pub(crate) level: Option<Level>,
    /// The rule that is being lowered.
    pub(crate) rule: Option<Place>,
}

impl Context {
    /// The place one level down.
    pub(crate) fn below(&self, on: On, ty: TypeRef, path: String) -> Self {
        Self {
            on,
            ty,
            path,
            member: None,
            parent_path: self.path.clone(),
            parent: Some(self.ty.clone()),
            selector: None,
            level: self.level,
            rule: self.rule,
        }
    }

    pub(crate) fn child_path(&self, name: &str) -> String {
        format!("{}.{name}", self.path)
    }

    pub(crate) fn key_path(&self, key: &str) -> String {
        format!("{}[{key}]", self.path)
    }
}
