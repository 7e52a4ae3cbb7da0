//! The defaulting work of a type, as defaulter-gen finds it (generators/defaulter.go, `callTreeForType`).

use std::collections::HashSet;

use kindsmith_checks::Types;
use kindsmith_schema::{Default, Field, GoKind, Str, TypeId, TypeRef};

use super::super::Problem;
use super::functions::{Callee, Functions};
use super::value;

/// What to do with one value.
#[derive(Debug, Clone)]
pub(super) struct Node {
    /// Its type.
    pub(super) ty: TypeRef,
    /// Its default.
    pub(super) default: Option<Default>,
    /// Functions that are called on it.
    pub(super) calls: Vec<Callee>,
    pub(super) below: Below,
}

/// What to do inside a value.
#[derive(Debug, Clone)]
pub(super) enum Below {
    /// Nothing.
    None,
    /// For the value itself, viewed as its underlying type.
    Same(Box<Node>),
    /// For the target of a pointer.
    Pointee(Box<Node>),
    /// For every element.
    Elements(Box<Node>),
    /// For every value of a map.
    Values(Box<Node>),
    /// For members of a struct, by Go name.
    Members(Vec<(Str, Node)>),
}

impl Node {
    /// Whether there is work for the value or inside it.
    pub(super) fn acts(&self) -> bool {
        self.default.is_some() || self.acts_inside()
    }

    /// Whether there is work apart from setting the value itself. Map values only take defaults.
    pub(super) fn acts_inside(&self) -> bool {
        let below = match &self.below {
            Below::None => false,
            Below::Same(inner) | Below::Pointee(inner) => inner.acts_inside(),
            Below::Elements(element) => element.acts(),
            Below::Values(value) => value.default.is_some(),
            Below::Members(members) => members.iter().any(|(_, member)| member.acts()),
        };
        below || !self.calls.is_empty()
    }
}

/// Builds nodes.
pub(super) struct Tree<'t, 's> {
    types: Types<'s>,
    functions: &'t Functions<'s>,
    /// Types that get a function of their own.
    pub(super) objects: HashSet<TypeId>,
    building: Vec<TypeRef>,
    pub(super) problems: Vec<Problem>,
}

impl<'t, 's> Tree<'t, 's> {
    pub(super) fn new(types: Types<'s>, functions: &'t Functions<'s>) -> Self {
        Self::with_objects(types, functions, HashSet::new())
    }

    /// Starts with types that are known to get a function of their own.
    pub(super) fn with_objects(
        types: Types<'s>,
        functions: &'t Functions<'s>,
        objects: HashSet<TypeId>,
    ) -> Self {
        Self {
            types,
            functions,
            objects,
            building: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// Decides which candidates get a function: those with work to do, directly or through another.
    pub(super) fn find_objects(&mut self, candidates: &[TypeId]) {
        loop {
            let mut fresh = Vec::new();
            for id in candidates {
                if !self.objects.contains(id) && self.build(&TypeRef::Named(*id), true).is_some() {
                    fresh.push(*id);
                }
            }
            if fresh.is_empty() {
                break;
            }
            self.objects.extend(fresh);
        }
        self.problems.clear();
    }

    /// The defaulting work for values of a type; `None` when there is none.
    pub(super) fn build(&mut self, ty: &TypeRef, root: bool) -> Option<Node> {
        let ty = self.types.unalias(ty);
        let mut node = Node {
            ty: ty.clone(),
            default: None,
            calls: Vec::new(),
            below: Below::None,
        };
        if let TypeRef::Named(id) = ty {
            if self.objects.contains(&id) && !root {
                node.below = Below::None;
                node.calls = vec![Callee {
                    package: Str::default(),
                    name: super::object_function(self.types.schema, id).into(),
                    covers: true,
                }];
                return Some(node);
            }
            if let Some(object) = self.functions.object(id) {
                node.calls = vec![object];
                return Some(node);
            }
            node.calls = self.functions.base(id);
            if node.calls.iter().any(|callee| callee.covers) {
                return Some(node);
            }
        } else if let TypeRef::Scalar(scalar) = ty {
            node.calls = self.functions.builtin(scalar);
        }
        if self.building.contains(&ty) {
            return None;
        }
        self.building.push(ty.clone());
        node.below = self.below(&ty);
        self.building.pop();
        let has_work = !node.calls.is_empty() || !matches!(node.below, Below::None);
        has_work.then_some(node)
    }

    fn below(&mut self, ty: &TypeRef) -> Below {
        let boxed = |node: Option<Node>, wrap: fn(Box<Node>) -> Below| {
            node.map_or(Below::None, |node| wrap(Box::new(node)))
        };
        match (self.types.kind(ty), self.types.underlying(ty)) {
            (GoKind::Alias, literal) => boxed(self.build(&literal, false), Below::Same),
            (GoKind::Pointer, TypeRef::Pointer(inner)) => boxed(self.build(&inner, false), Below::Pointee),
            (GoKind::Slice, TypeRef::List(element)) | (GoKind::Array, TypeRef::Array(_, element)) => {
                let built = self.build(&element, false);
                boxed(built.or_else(|| self.element(&element)), Below::Elements)
            }
            (GoKind::Map, TypeRef::Map(_, value)) => match self.build(&value, false) {
                // Nothing below a map is defaulted, but work found there still suppresses a default of the
                // values.
                Some(node) => Below::Values(Box::new(Node {
                    calls: Vec::new(),
                    below: Below::None,
                    ..node
                })),
                None => boxed(self.element(&value), Below::Values),
            },
            (GoKind::Struct, _) => self.members(ty),
            _ => Below::None,
        }
    }

    fn members(&mut self, ty: &TypeRef) -> Below {
        let Some((_, fields)) = self.types.members(ty) else {
            return Below::None;
        };
        let mut members = Vec::new();
        for field in fields.iter().filter(|field| !field.type_parameter) {
            let built = self.build(&field.ty, false);
            let default = self.field_default(ty, field);
            if built.is_none() && default.is_none() {
                continue;
            }
            let mut node = built.unwrap_or_else(|| self.empty(&field.ty));
            node.default = default;
            members.push((field.name.clone(), node));
        }
        if members.is_empty() {
            Below::None
        } else {
            Below::Members(members)
        }
    }

    fn empty(&self, ty: &TypeRef) -> Node {
        Node {
            ty: self.types.unalias(ty),
            default: None,
            calls: Vec::new(),
            below: Below::None,
        }
    }

    fn field_default(&mut self, holder: &TypeRef, field: &Field) -> Option<Default> {
        let default = match &field.default {
            Some(default) => Some(default.clone()),
            None => self.nested_default(&field.ty),
        };
        let default = default.filter(|default| value::applies(self.types, &field.ty, default))?;
        if !value::can_be_unset(self.types, &field.ty) {
            if let TypeRef::Named(id) = holder {
                self.problems.push(Problem {
                    ty: self.types.schema.ty(*id).name.clone(),
                    message: format!(
                        "the default of {} never applies: a value of its type is always set",
                        field.name
                    ),
                });
            }
            return None;
        }
        Some(default)
    }

    /// An element whose type has a default.
    fn element(&mut self, element: &TypeRef) -> Option<Node> {
        let element = self.types.unalias(element);
        let own = match element {
            TypeRef::Named(id) => self.type_default(id),
            _ => None,
        };
        let default = own.or_else(|| self.nested_default(&element))?;
        if !value::applies(self.types, &element, &default) || !value::can_be_unset(self.types, &element) {
            return None;
        }
        let mut node = self.empty(&element);
        node.default = Some(default);
        Some(node)
    }

    /// The first default found through names and pointers; value types do not have one.
    fn nested_default(&self, ty: &TypeRef) -> Option<Default> {
        if self.types.native(ty).pointers == 0 {
            return None;
        }
        let mut here = self.types.unalias(ty);
        for _ in 0..=self.types.schema.types().len() {
            if let TypeRef::Named(id) = here
                && let Some(default) = self.type_default(id)
            {
                return Some(default);
            }
            let next = match (self.types.kind(&here), self.types.underlying(&here)) {
                (GoKind::Pointer, TypeRef::Pointer(inner)) => *inner,
                (GoKind::Alias, literal) => literal,
                _ => return None,
            };
            here = self.types.unalias(&next);
        }
        None
    }

    /// The default on a type. Upstream sees comments on types only in its input packages: those with the tag,
    /// and those whose types such a package defaults.
    fn type_default(&self, id: TypeId) -> Option<Default> {
        let ty = self.types.schema.ty(id);
        let path = &ty.name.package;
        let is_seen = self.types.schema.packages().iter().any(|package| {
            let input = package.options.defaulter_input.as_ref().unwrap_or(&package.path);
            !package.options.defaulter.is_empty() && (package.path == *path || input == path)
        });
        ty.default.clone().filter(|_| is_seen)
    }
}
