//! The tree of defaults, laid out flat for a plan.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use kindsmith_checks::{
    Below, Calls, DefaultBackend, DefaultTree, Defaulted, DefaultedPlace, FoundDefault, Inside, Types,
    default_candidates,
};
use kindsmith_schema::{Default, TypeId, TypeRef};

use super::{DefaultIx, DefaultNode, DefaultPlan, DefaultValue, ElementDefault, MemberDefault, fold};
use crate::plan::{Builder, CompileOptions, FieldIx, NodeShape};

pub(super) fn compile<'s>(
    types: Types<'s>,
    builder: &mut Builder<'s>,
    root: TypeId,
    options: &CompileOptions,
) -> DefaultPlan {
    let package = &types.schema.ty(root).name.package;
    let candidates = default_candidates(types, types.schema.package(package), package);
    let mut tree = DefaultTree::new(types, Hooked(&options.hooked), HashSet::new());
    tree.find_objects(&candidates);
    let mut layout = Layout {
        types,
        builder,
        plan: DefaultPlan::default(),
        objects: HashMap::new(),
        done: HashMap::new(),
    };
    // Every object function is laid out at an index that is known before, because they call each other.
    let mut objects: Vec<TypeId> = tree.objects.iter().copied().collect();
    objects.sort_unstable();
    for id in &objects {
        let ix = layout.push(DefaultNode::default());
        layout.objects.insert(*id, ix);
    }
    for id in &objects {
        let Some(built) = tree.build(&TypeRef::Named(*id), true) else {
            continue;
        };
        let (ix, at) = (layout.lay(&built), layout.objects[id]);
        layout.plan.nodes[at.0 as usize] = layout.plan.nodes[ix.0 as usize].clone();
    }
    layout.plan.root = match layout.objects.get(&root) {
        Some(ix) => Some(*ix),
        None => {
            let built = tree.build(&TypeRef::Named(root), true);
            built.map(|built| layout.lay(&built))
        }
    };
    layout.plan
}

/// Types with hand-written functions.
struct Hooked<'o>(&'o [TypeId]);

impl DefaultBackend for Hooked<'_> {
    type Call = TypeId;

    fn calls(&self, ty: &TypeRef) -> Calls<TypeId> {
        let calls = match ty {
            TypeRef::Named(id) if self.0.contains(id) => vec![*id],
            _ => Vec::new(),
        };
        Calls { calls, covers: false }
    }

    /// An absent member takes its default even where that is zero: unlike Go, JSON tells the two apart.
    fn applies(&mut self, _: DefaultedPlace<'_>, default: &Default) -> bool {
        default.value().is_some_and(|json| json.as_str() != "null")
    }
}

/// Longer arrays are not filled element by element.
const LONGEST_ARRAY: usize = 4096;

struct Layout<'l, 's> {
    types: Types<'s>,
    builder: &'l mut Builder<'s>,
    plan: DefaultPlan,
    /// Types with a function of their own, which other functions call.
    objects: HashMap<TypeId, DefaultIx>,
    /// By address; holding on to the subtrees keeps addresses unique.
    done: HashMap<*const Inside<'s, TypeId>, (Rc<Inside<'s, TypeId>>, DefaultIx)>,
}

impl<'s> Layout<'_, 's> {
    fn push(&mut self, node: DefaultNode) -> DefaultIx {
        self.plan.nodes.push(node);
        DefaultIx(self.plan.nodes.len() as u32 - 1)
    }

    fn lay(&mut self, inside: &Rc<Inside<'s, TypeId>>) -> DefaultIx {
        if let Some((_, ix)) = self.done.get(&Rc::as_ptr(inside)) {
            return *ix;
        }
        let ix = self.lay_new(inside);
        self.done.insert(Rc::as_ptr(inside), (Rc::clone(inside), ix));
        ix
    }

    fn lay_new(&mut self, inside: &Inside<'s, TypeId>) -> DefaultIx {
        if let Some(ix) = inside.object.and_then(|id| self.objects.get(&id)) {
            return *ix;
        }
        let mut node = DefaultNode {
            hooks: inside.calls.clone(),
            ..DefaultNode::default()
        };
        match &inside.below {
            Below::Pointee(inner) => return self.lay(inner),
            Below::Same(inner) if inside.calls.is_empty() => return self.lay(inner),
            Below::Same(inner) => {
                let inner = self.lay(inner);
                let inner = &self.plan.nodes[inner.0 as usize];
                node.members = inner.members.clone();
                node.element = inner.element.clone();
            }
            Below::Elements(element) => {
                let len = match self.types.underlying(&inside.ty) {
                    TypeRef::Array(len, _) => usize::try_from(len).map_or(0, |len| len.min(LONGEST_ARRAY)),
                    _ => 0,
                };
                node.element = Some(self.element(element, len));
            }
            Below::Values(value) => {
                node.element = value.default.is_some().then(|| self.element(value, 0));
            }
            Below::Members(members) => node.members = self.members(&inside.ty, members),
            Below::None => {}
        }
        self.push(node)
    }

    fn element(&mut self, element: &Defaulted<'s, TypeId>, array_len: usize) -> ElementDefault {
        ElementDefault {
            value: self.value(&element.ty, element.default),
            slot: self.builder.slot(&element.ty),
            below: element.inside.as_ref().map(|inside| self.lay(inside)),
            array_len,
        }
    }

    fn members(&mut self, ty: &TypeRef, members: &[(u32, Defaulted<'s, TypeId>)]) -> Vec<MemberDefault> {
        let node = self.builder.node(ty);
        let NodeShape::Struct(shape) = &self.builder.nodes[node.0 as usize].shape else {
            return Vec::new();
        };
        let first = shape.first;
        let lay = |(index, member): &(u32, Defaulted<'s, TypeId>)| MemberDefault {
            field: FieldIx(first + index),
            value: self.value(&member.ty, member.default),
            below: member.inside.as_ref().map(|inside| self.lay(inside)),
        };
        members.iter().map(lay).collect()
    }

    /// A default ready to be used on values of a type.
    fn value(&mut self, of: &TypeRef, found: Option<FoundDefault<'s>>) -> Option<DefaultValue> {
        let FoundDefault { default, source } = found?;
        let node = self.builder.node(of);
        let default = &fold::folded(&self.builder.nodes, &self.builder.fields, node, default);
        let resolved = self.types.resolved(of);
        let scalar = match resolved.base {
            TypeRef::Scalar(scalar) => Some(scalar),
            _ => None,
        };
        let replaces_zero = resolved.pointers == 0 && scalar.is_some();
        DefaultValue::new(default, scalar, replaces_zero, Some(source))
    }
}
