//! The schema of a field or type at the moment controller-gen applies a marker to it: just enough for its
//! checks.
//!
//! controller-gen follows the spelling of a type, not what it resolves to (controller-tools
//! `pkg/crd/schema.go`): a named struct is just a reference, and a scalar of another package is ignored. Both have
//! no type here. Of named lists and maps the type is known, but not what is inside.

use kindsmith_schema::{Scalar, Shape, Type, TypeId, TypeRef, View};
use rustc_hash::FxHashMap;

/// A schema under construction.
#[derive(Debug, Clone, Default)]
pub struct Node {
    /// Its `type`, empty for references.
    pub ty: String,
    /// Whether it is int-or-string.
    pub int_or_string: bool,
    /// Its list type.
    pub list_type: Option<String>,
    /// The schema of the items of a list.
    pub items: Option<Box<Node>>,
    /// The type behind a named type, which the schema may not contradict.
    pub behind: Option<String>,
    /// Whether the type is unknown only because controller-gen does not resolve its name.
    pub opaque: bool,
}

/// Longer chains of types are circular.
const MAX_DEPTH: usize = 32;

impl Node {
    fn of(ty: &str) -> Self {
        Self {
            ty: ty.to_owned(),
            ..Self::default()
        }
    }

    fn reference() -> Self {
        Self {
            opaque: true,
            ..Self::default()
        }
    }

    /// Whether the published type is a number.
    #[must_use]
    pub fn is_numeric(&self) -> bool {
        self.ty == "integer" || self.ty == "number"
    }

    /// Rejects types that are not numbers, with controller-gen's message.
    pub fn numeric(&self, name: &str) -> Result<(), Unfit> {
        if self.is_numeric() {
            return Ok(());
        }
        Err(Unfit::Type(format!(
            "must apply {name} to a numeric value, found {}",
            self.ty
        )))
    }

    /// Rejects types that are not numbers, and fractions for integers, with controller-gen's message.
    pub fn limit(&self, name: &str, value: f64) -> Result<(), Unfit> {
        self.numeric(name)?;
        if self.ty == "integer" && value.fract() != 0.0 {
            let value = kindsmith_gostd::float::format_f64(value);
            return Err(Unfit::Other(format!(
                "cannot apply non-integral {name} validation ({value}) to integer value"
            )));
        }
        Ok(())
    }

    /// Rejects types that are not strings, with controller-gen's message.
    pub fn textual(&self, name: &str) -> Result<(), Unfit> {
        if self.ty == "string" || self.int_or_string {
            return Ok(());
        }
        let found = kindsmith_gostd::quote::quote(&self.ty);
        Err(Unfit::Type(format!(
            "must apply {name} to a textual value, found type {found}"
        )))
    }

    /// Rejects types that are not lists, with controller-gen's message.
    pub fn array(&self, message: &str) -> Result<(), Unfit> {
        if self.ty == "array" {
            Ok(())
        } else {
            Err(Unfit::Type(message.to_owned()))
        }
    }

    /// Rejects types that are not objects, with controller-gen's message.
    pub fn object(&self, name: &str) -> Result<(), Unfit> {
        if self.ty == "object" {
            Ok(())
        } else {
            Err(Unfit::Type(format!("must apply {name} to an object")))
        }
    }
}

/// Why a marker does not apply, with controller-gen's message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unfit {
    /// It is for other types.
    Type(String),
    /// Its value is not one of those allowed.
    Value(String),
    /// Something else.
    Other(String),
}

impl From<String> for Unfit {
    fn from(message: String) -> Self {
        Self::Other(message)
    }
}

/// The published form of types.
#[derive(Debug)]
pub(crate) struct Published<'a> {
    pub(crate) view: View<'a>,
    /// The changes by markers on types.
    pub(crate) changes: FxHashMap<TypeId, Change>,
    /// Whether named lists and maps are just references.
    pub(crate) opaque_containers: bool,
}

/// How markers on a type change its published form.
#[derive(Debug, Clone, Default)]
pub(crate) struct Change {
    pub(crate) ty: Option<String>,
    pub(crate) int_or_string: bool,
}

impl Published<'_> {
    /// The schema of a type used in a package, before the markers of the use.
    pub(crate) fn of_use(&self, package: &str, of: &TypeRef) -> Node {
        self.use_in(package, of, MAX_DEPTH)
    }

    /// The schema of a type declaration, before its markers.
    pub(crate) fn of_declaration(&self, id: TypeId) -> Node {
        self.bare(self.view.ty(id), MAX_DEPTH)
    }

    fn use_in(&self, package: &str, of: &TypeRef, depth: usize) -> Node {
        if depth == 0 {
            return Node::reference();
        }
        match of {
            TypeRef::Scalar(scalar) => Node::of(scalar_type(*scalar)),
            TypeRef::Pointer(inner) => self.use_in(package, inner, depth - 1),
            // Only `byte` counts, not its alias `uint8`.
            TypeRef::List(inner) if **inner == TypeRef::Scalar(Scalar::Byte) => Node::of("string"),
            TypeRef::List(inner) | TypeRef::Array(_, inner) => Node {
                items: Some(Box::new(self.use_in(package, inner, depth - 1))),
                ..Node::of("array")
            },
            TypeRef::Map(..) => Node::of("object"),
            TypeRef::Named(id) => self.named(package, *id, depth - 1),
            TypeRef::Any { .. } | TypeRef::Interface | TypeRef::Unsupported { .. } => Node::reference(),
        }
    }

    fn named(&self, package: &str, id: TypeId, depth: usize) -> Node {
        let ty = self.view.ty(id);
        match &ty.shape {
            Shape::Alias(TypeRef::Scalar(scalar)) => Node::of(scalar_type(*scalar)),
            Shape::Alias(TypeRef::Named(target)) if depth > 0 => self.named(package, *target, depth - 1),
            Shape::Def(target) if &*ty.name.package == package && self.view.scalar(target).is_some() => {
                let declared = self.declared(id, depth);
                Node {
                    behind: Some(declared.ty.clone()),
                    ..declared
                }
            }
            _ => self.container(id),
        }
    }

    /// A named list or map.
    fn container(&self, id: TypeId) -> Node {
        match self.view.underlying(&TypeRef::Named(id)) {
            _ if self.opaque_containers => Node::reference(),
            TypeRef::List(_) => Node::of("array"),
            TypeRef::Map(..) => Node::of("object"),
            _ => Node::reference(),
        }
    }

    /// A type with its markers; only some of them change its form.
    fn declared(&self, id: TypeId, depth: usize) -> Node {
        let mut node = self.bare(self.view.ty(id), depth);
        if let Some(change) = self.changes.get(&id) {
            node.ty = change.ty.clone().unwrap_or(node.ty);
            node.int_or_string |= change.int_or_string;
        }
        node
    }

    fn bare(&self, ty: &Type, depth: usize) -> Node {
        if depth == 0 {
            return Node::reference();
        }
        match &ty.shape {
            _ if self.implements(ty, "MarshalText") && !self.implements(ty, "MarshalJSON") => {
                Node::of("string")
            }
            Shape::Struct(_) => Node::of("object"),
            Shape::Def(target) | Shape::Alias(target) => self.use_in(&ty.name.package, target, depth - 1),
            Shape::Hole => Node::reference(),
        }
    }

    /// Whether the type or its pointer has the method, directly or from an embedded struct.
    fn implements(&self, ty: &Type, method: &str) -> bool {
        let is_embedded = |field: &kindsmith_schema::Field| match self.view.deref(&field.ty) {
            TypeRef::Named(id) => field.embedded && self.view.ty(*id).has_method(method),
            _ => false,
        };
        ty.has_method(method) || ty.fields().iter().any(is_embedded)
    }
}

fn scalar_type(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "boolean",
        Scalar::String => "string",
        Scalar::Float32 | Scalar::Float64 => "number",
        _ => "integer",
    }
}
