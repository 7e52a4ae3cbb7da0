//! What defaulter-gen would emit for a type, as a tree (defaulter.go, `callTreeForType`).

mod fold;

use std::collections::{HashMap, HashSet};

use kindsmith_json::{Arena, Value};
use kindsmith_schema::{Default, FieldId, GoKind, Owner, Part, Place, Scalar, TypeId, TypeRef};

use super::{
    DefaultIx, DefaultNode, DefaultPlan, DefaultValue, ElementDefault, MemberDefault, Ready,
    sees_type_comments,
};
use crate::plan::{Builder, CompileOptions, FieldIx, NodeShape};
use kindsmith_checks::Types;

pub(super) fn compile<'s>(
    types: Types<'s>,
    builder: &mut Builder<'s>,
    root: TypeId,
    options: &CompileOptions,
) -> DefaultPlan {
    let mut tree = Tree {
        types,
        builder,
        options,
        plan: DefaultPlan::default(),
        objects: HashMap::new(),
        building: Vec::new(),
        cut: HashSet::new(),
        finished: HashMap::new(),
    };
    tree.find_objects(root);
    // Builds each object function at the index reserved for it.
    let mut objects: Vec<(TypeId, DefaultIx)> = tree.objects.iter().map(|(ty, ix)| (*ty, *ix)).collect();
    objects.sort_by_key(|(_, ix)| ix.0);
    for (ty, ix) in objects {
        if let Some(built) = tree.build(&TypeRef::Named(ty), true) {
            tree.plan.nodes.swap(ix.0 as usize, built.0 as usize);
        }
    }
    tree.plan.root = match tree.objects.get(&root) {
        Some(ix) => Some(*ix),
        None => tree.build(&TypeRef::Named(root), true),
    };
    tree.plan
}

/// Longer arrays are not filled element by element.
const LONGEST_ARRAY: usize = 4096;

struct Tree<'t, 's> {
    types: Types<'s>,
    builder: &'t mut Builder<'s>,
    options: &'t CompileOptions,
    plan: DefaultPlan,
    /// Types with a function of their own, which other functions call.
    objects: HashMap<TypeId, DefaultIx>,
    building: Vec<TypeRef>,
    /// Types where recursion was cut since the outermost build began.
    cut: HashSet<TypeRef>,
    /// Complete subtrees, which can be shared.
    finished: HashMap<TypeRef, Option<DefaultIx>>,
}

impl Tree<'_, '_> {
    /// Types of the root's package that get a function: those with the member that the package's tag names,
    /// if they have anything to default.
    fn find_objects(&mut self, root: TypeId) {
        let schema = self.types.schema;
        let package = &schema.ty(root).name.package;
        let names = schema
            .package(package)
            .map_or(&[][..], |package| &package.options.defaulter);
        let candidates: Vec<TypeId> = schema
            .types()
            .filter(|(_, ty)| ty.name.package == *package && ty.name.is_exported())
            .filter(|(id, ty)| {
                let members = self
                    .types
                    .members(&TypeRef::Named(*id))
                    .map_or(&[][..], |(_, fields)| fields);
                let is_struct = self.types.kind(&TypeRef::Named(*id)) == GoKind::Struct;
                ty.options
                    .defaulter
                    .unwrap_or_else(|| is_struct && members.iter().any(|field| names.contains(&field.name)))
            })
            .map(|(id, _)| id)
            .collect();
        loop {
            let mut promoted = Vec::new();
            for ty in &candidates {
                if self.objects.contains_key(ty) {
                    continue;
                }
                let (nodes, finished) = (self.plan.nodes.len(), self.finished.clone());
                if self.build(&TypeRef::Named(*ty), true).is_some() {
                    promoted.push(*ty);
                }
                // Only the answer matters; the nodes just built may call functions that are not known yet.
                self.plan.nodes.truncate(nodes);
                self.finished = finished;
            }
            if promoted.is_empty() {
                break;
            }
            for ty in promoted {
                let ix = self.push(DefaultNode::default());
                self.objects.insert(ty, ix);
            }
            self.finished.clear();
        }
    }

    fn push(&mut self, node: DefaultNode) -> DefaultIx {
        self.plan.nodes.push(node);
        DefaultIx(self.plan.nodes.len() as u32 - 1)
    }

    /// The defaulting work for values of a type; `None` when there is none.
    fn build(&mut self, ty: &TypeRef, root: bool) -> Option<DefaultIx> {
        let ty = self.types.unalias(ty);
        if let TypeRef::Named(id) = ty
            && let Some(object) = self.objects.get(&id)
            && !root
        {
            return Some(*object);
        }
        if !root && let Some(known) = self.finished.get(&ty) {
            return *known;
        }
        if self.building.contains(&ty) {
            self.cut.insert(ty);
            return None;
        }
        let outer_cut = std::mem::take(&mut self.cut);
        self.building.push(ty.clone());
        let built = self.build_new(&ty);
        self.building.pop();
        self.cut.remove(&ty);
        // A subtree with a cut in it depends on its surroundings.
        if self.cut.is_empty() && !root {
            self.finished.insert(ty, built);
        }
        self.cut.extend(outer_cut);
        built
    }

    fn build_new(&mut self, ty: &TypeRef) -> Option<DefaultIx> {
        let mut node = DefaultNode::default();
        if let TypeRef::Named(id) = ty
            && self.options.hooked.contains(id)
        {
            node.hooks.push(*id);
        }
        let mut has_children = false;
        match (self.types.kind(ty), self.types.underlying(ty)) {
            (GoKind::Alias, literal) => {
                // The function of a named type runs before the work of its underlying type.
                if let Some(below) = self.build(&literal, false) {
                    if node.hooks.is_empty() {
                        return Some(below);
                    }
                    let inner = self.copy(below);
                    node.members = inner.members;
                    node.element = inner.element;
                    has_children = true;
                }
            }
            (GoKind::Pointer, TypeRef::Pointer(inner)) => return self.build(&inner, false),
            (GoKind::Slice, TypeRef::List(element)) => {
                node.element = self.list_element(&element);
                has_children = node.element.is_some();
            }
            (GoKind::Array, TypeRef::Array(len, element)) => {
                node.element = self.list_element(&element);
                has_children = node.element.is_some();
                if let Some(element) = &mut node.element {
                    element.array_len = usize::try_from(len).map_or(0, |len| len.min(LONGEST_ARRAY));
                }
            }
            (GoKind::Map, TypeRef::Map(_, value)) => {
                // Nothing below a map is defaulted, but work found there still suppresses a value default.
                if self.build(&value, false).is_some() {
                    return Some(self.push(node));
                }
                node.element = self.element_default(&value);
                has_children = node.element.is_some();
            }
            (GoKind::Struct, _) => {
                node.members = self.members(ty);
                has_children = !node.members.is_empty();
            }
            _ => {}
        }
        if !has_children && node.hooks.is_empty() {
            return None;
        }
        Some(self.push(node))
    }

    fn copy(&mut self, ix: DefaultIx) -> DefaultNode {
        let node = &self.plan.nodes[ix.0 as usize];
        DefaultNode {
            hooks: node.hooks.clone(),
            members: node
                .members
                .iter()
                .map(|member| MemberDefault {
                    field: member.field,
                    value: member.value.clone(),
                    below: member.below,
                })
                .collect(),
            element: node.element.as_ref().map(|element| ElementDefault {
                value: element.value.clone(),
                slot: element.slot,
                below: element.below,
                array_len: element.array_len,
            }),
        }
    }

    fn list_element(&mut self, element: &TypeRef) -> Option<ElementDefault> {
        match self.build(element, false) {
            Some(below) => Some(ElementDefault {
                value: None,
                slot: self.builder.slot(element),
                below: Some(below),
                array_len: 0,
            }),
            None => self.element_default(element),
        }
    }

    fn element_default(&mut self, element: &TypeRef) -> Option<ElementDefault> {
        let element = self.types.unalias(element);
        let value = match &element {
            TypeRef::Named(id) => self.type_default(*id, &element),
            _ => None,
        };
        let value = value.or_else(|| self.nested_default(&element))?;
        Some(ElementDefault {
            value: Some(value),
            slot: self.builder.slot(&element),
            below: None,
            array_len: 0,
        })
    }

    fn members(&mut self, ty: &TypeRef) -> Vec<MemberDefault> {
        let Some((owner, fields)) = self.types.members(ty) else {
            return Vec::new();
        };
        let node = self.builder.node(ty);
        let NodeShape::Struct(members) = &self.builder.nodes[node.0 as usize].shape else {
            return Vec::new();
        };
        let first = members.first;
        let mut found = Vec::new();
        for (index, field) in fields.iter().enumerate() {
            let index = index as u32;
            // defaulter-gen does not see the type argument behind a type parameter.
            let below = if field.type_parameter {
                None
            } else {
                self.build(&field.ty, false)
            };
            let source = Place {
                owner: Owner::Field(FieldId { owner, index }),
                part: Part::Default,
            };
            let own = field.default.as_ref();
            let value = match own.and_then(|default| self.value(default, &field.ty, source)) {
                Some(value) => Some(value),
                None if own.is_none() && !field.type_parameter => self.nested_default(&field.ty),
                None => None,
            };
            if value.is_some() || below.is_some() {
                found.push(MemberDefault {
                    field: FieldIx(first + index),
                    value,
                    below,
                });
            }
        }
        found
    }

    /// The first default found through names and pointers; value types do not have one.
    fn nested_default(&mut self, ty: &TypeRef) -> Option<DefaultValue> {
        if self.types.native(ty).pointers == 0 {
            return None;
        }
        let mut here = self.types.unalias(ty);
        for _ in 0..=self.types.schema.types().len() {
            if let TypeRef::Named(id) = here
                && let Some(value) = self.type_default(id, ty)
            {
                return Some(value);
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

    fn type_default(&mut self, id: TypeId, of: &TypeRef) -> Option<DefaultValue> {
        if !sees_type_comments(self.types.schema, id) {
            return None;
        }
        let default = self.types.schema.ty(id).default.as_ref()?;
        let source = Place {
            owner: Owner::Type(id),
            part: Part::Default,
        };
        self.value(default, of, source)
    }

    /// A default for a value of a type; `None` when it equals the zero value.
    fn value(&mut self, default: &Default, of: &TypeRef, source: Place) -> Option<DefaultValue> {
        let node = self.builder.node(of);
        let default = &fold::folded(&self.builder.nodes, &self.builder.fields, node, default);
        let native = self.types.native(of);
        let scalar = match native.base {
            TypeRef::Scalar(scalar) => Some(scalar),
            _ => None,
        };
        DefaultValue::new(
            default,
            scalar,
            native.pointers == 0 && scalar.is_some(),
            Some(source),
        )
    }
}

impl DefaultValue {
    pub(super) fn new(
        default: &Default,
        scalar: Option<Scalar>,
        replaces_zero: bool,
        source: Option<Place>,
    ) -> Option<Self> {
        let json = default.value()?;
        let arena = Arena::new();
        let ready = match (json.value(&arena), scalar) {
            (Value::Null, _) => return None,
            (Value::Bool(truth), _) => Ready::Bool(truth),
            (Value::Int(number), _) => Ready::Int(number),
            (Value::Uint(number), _) => Ready::Uint(number),
            // Go accepts the constant 1.0 as an integer.
            (Value::Float(number), Some(scalar))
                if scalar.is_integer() && number.fract() == 0.0 && number.abs() < 9e15 =>
            {
                Ready::Int(number as i64)
            }
            (Value::Float(number), _) => Ready::Float(number),
            (Value::Str(text), _) => Ready::Str(text.into()),
            (Value::Array(_) | Value::Object(_), _) => Ready::Parse,
        };
        Some(Self {
            json: json.as_str().into(),
            ready,
            source,
            replaces_zero,
        })
    }
}
