//! What to default for a type, as defaulter-gen finds it (generators/defaulter.go, `callTreeForType`).
//!
//! Which defaults and functions apply to a value depends on the back end, which provides them as [`DefaultBackend`].
//! Must not know values.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use kindsmith_schema::{
    Default as Written, Field, FieldId, GoKind, Owner, Package, Part, Place, Profile, Schema, Str, TypeId,
    TypeRef,
};

use super::Types;

/// What a back end provides for the tree.
pub trait DefaultBackend {
    /// A hand-written function.
    type Call: Clone;

    /// The hand-written functions for values of a type, in the order they are called.
    fn calls(&self, ty: &TypeRef) -> Calls<Self::Call>;

    /// Whether a default changes anything at this place.
    fn applies(&mut self, at: DefaultedPlace<'_>, default: &Written) -> bool;
}

/// Hand-written functions for one type.
#[derive(Debug, Clone)]
pub struct Calls<C> {
    /// In the order they are called.
    pub calls: Vec<C>,
    /// They default everything below too.
    pub covers: bool,
}

/// Where a default would apply.
#[derive(Debug, Clone, Copy)]
pub enum DefaultedPlace<'p> {
    /// A field of a struct.
    Field {
        /// The struct.
        holder: &'p TypeRef,
        /// The field.
        field: &'p Field,
    },
    /// An element of a list or a value of a map, of this type.
    Element(&'p TypeRef),
}

/// What is done to values of a type, besides setting the value itself.
#[derive(Debug)]
pub struct Inside<'s, C> {
    /// The type.
    pub ty: TypeRef,
    /// The type's generated function is called; nothing else is done. A recursive type has one that no scheme knows.
    pub object: Option<TypeId>,
    /// Hand-written functions that are called first.
    pub calls: Vec<C>,
    /// What is done further down.
    pub below: Below<'s, C>,
}

/// What is done inside a value.
#[derive(Debug)]
pub enum Below<'s, C> {
    /// Nothing.
    None,
    /// To the value itself, seen as its underlying type.
    Same(Rc<Inside<'s, C>>),
    /// To what it points to.
    Pointee(Rc<Inside<'s, C>>),
    /// To every element.
    Elements(Defaulted<'s, C>),
    /// To every value of a map. Map values only take defaults, except by KEP-1929.
    Values(Defaulted<'s, C>),
    /// To members of a struct, by index.
    Members(Vec<(u32, Defaulted<'s, C>)>),
}

/// What is done to one member or element.
#[derive(Debug)]
pub struct Defaulted<'s, C> {
    /// Its type.
    pub ty: TypeRef,
    /// What it becomes where it is not set.
    pub default: Option<FoundDefault<'s>>,
    /// What is done to it afterwards.
    pub inside: Option<Rc<Inside<'s, C>>>,
}

/// A default and where it is written.
#[derive(Debug, Clone, Copy)]
pub struct FoundDefault<'s> {
    /// The default.
    pub default: &'s Written,
    /// The field or type that has it.
    pub source: Place,
}

impl<C> Inside<'_, C> {
    /// Whether anything is done; a map whose values take no default has nothing.
    #[must_use]
    pub fn acts(&self) -> bool {
        let below = match &self.below {
            Below::None => false,
            Below::Same(inner) | Below::Pointee(inner) => inner.acts(),
            Below::Elements(element) | Below::Values(element) => element.acts(),
            Below::Members(members) => members.iter().any(|(_, member)| member.acts()),
        };
        below || self.object.is_some() || !self.calls.is_empty()
    }
}

impl<C> Defaulted<'_, C> {
    /// Whether the value is set or changed.
    #[must_use]
    pub fn acts(&self) -> bool {
        self.default.is_some() || self.inside.as_ref().is_some_and(|inside| inside.acts())
    }
}

/// Exported types of the package `input` that may get a generated function for `package`: those that are tagged for
/// it, or structs with a member of a name that the package gives.
#[must_use]
pub fn default_candidates(types: Types<'_>, package: Option<&Package>, input: &Str) -> Vec<TypeId> {
    let wanted = package.map_or(&[][..], |package| &package.options.defaulter);
    let all = types.schema.types().filter(|(id, ty)| {
        let named = TypeRef::Named(*id);
        let is_own = ty.name.package == *input && ty.name.is_exported() && !ty.anonymous;
        is_own
            && types.unalias(&named) == named
            && ty.options.defaulter.unwrap_or_else(|| {
                let members = types.members(&named).map_or(&[][..], |(_, fields)| fields);
                types.kind(&named) == GoKind::Struct
                    && members.iter().any(|field| wanted.contains(&field.name))
            })
    });
    all.map(|(id, _)| id).collect()
}

/// Builds what is done for types.
#[derive(Debug)]
pub struct DefaultTree<'s, B: DefaultBackend> {
    types: Types<'s>,
    profile: Profile,
    /// The back end.
    pub backend: B,
    /// Types that get a generated function of their own.
    pub objects: HashSet<TypeId>,
    /// Types that get a function because they contain themselves: KEP-1929's. defaulter-gen stops at their second visit.
    pub recursive: HashSet<TypeId>,
    building: Vec<TypeRef>,
    /// Types at which a recursion was cut since the build of the current type began.
    cut: HashSet<TypeRef>,
    /// Types visited along such a recursion.
    cycle: HashSet<TypeRef>,
    /// For every recursion that was cut, a type on it.
    cuts: HashSet<TypeId>,
    finished: HashMap<TypeRef, Finished<'s, B::Call>>,
}

/// A subtree to share, and the types inside which it would have been cut.
#[derive(Debug, Clone)]
struct Finished<'s, C> {
    inside: Option<Rc<Inside<'s, C>>>,
    cycle: HashSet<TypeRef>,
}

impl<'s, B: DefaultBackend> DefaultTree<'s, B> {
    /// With types known to get a function of their own.
    #[must_use]
    pub fn new(types: Types<'s>, backend: B, objects: HashSet<TypeId>) -> Self {
        Self {
            types,
            profile: Profile::Upstream,
            backend,
            objects,
            recursive: HashSet::new(),
            building: Vec::new(),
            cut: HashSet::new(),
            cycle: HashSet::new(),
            cuts: HashSet::new(),
            finished: HashMap::new(),
        }
    }

    /// Sets whose defaults reach below maps, and elements with something inside: KEP-1929's, not defaulter-gen's.
    #[must_use]
    pub fn profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// Decides which of the candidates get a function: those with something to do, also through another one.
    pub fn find_objects(&mut self, candidates: &[TypeId]) {
        self.find_candidates(candidates);
        if self.profile == Profile::Kep {
            self.find_recursive();
        }
    }

    /// Finds the types below the objects that contain themselves and have something to do. One for each way around is
    /// enough.
    fn find_recursive(&mut self) {
        let objects: Vec<TypeId> = self.objects.iter().copied().collect();
        let mut visited = HashSet::new();
        for id in objects {
            self.build(&TypeRef::Named(id), true);
            visited.extend(std::mem::take(&mut self.cuts));
            self.finished.clear();
        }
        let mut acting = HashSet::new();
        for id in visited.difference(&self.objects.clone()) {
            self.finished.clear();
            if self.build(&TypeRef::Named(*id), true).is_some() {
                acting.insert(*id);
            }
        }
        self.finished.clear();
        self.recursive = acting;
    }

    fn find_candidates(&mut self, candidates: &[TypeId]) {
        loop {
            let mut found = Vec::new();
            for id in candidates {
                if !self.objects.contains(id) && self.build(&TypeRef::Named(*id), true).is_some() {
                    found.push(*id);
                }
            }
            if found.is_empty() {
                return;
            }
            self.objects.extend(found);
            self.finished.clear();
        }
    }

    /// What is done for values of a type; `None` when nothing. The `root` is the body of a function, not a call of it.
    pub fn build(&mut self, ty: &TypeRef, root: bool) -> Option<Rc<Inside<'s, B::Call>>> {
        let ty = self.types.unalias(ty);
        if let TypeRef::Named(id) = ty
            && (self.objects.contains(&id) || self.recursive.contains(&id))
            && !root
        {
            return Some(inside(ty, Some(id), Vec::new(), Below::None));
        }
        let Calls { calls, covers } = self.backend.calls(&ty);
        if covers {
            return Some(inside(ty, None, calls, Below::None));
        }
        if let Some(at) = self.building.iter().position(|outer| *outer == ty) {
            self.cycle.extend(self.building[at..].iter().cloned());
            // A way around always leads through a type with a name.
            self.cuts
                .extend(self.building[at..].iter().find_map(|ty| match ty {
                    TypeRef::Named(id) => Some(*id),
                    _ => None,
                }));
            self.cut.insert(ty);
            return None;
        }
        if !root && let Some(known) = self.finished(&ty) {
            return known;
        }
        let outer_cut = std::mem::take(&mut self.cut);
        let outer_cycle = std::mem::take(&mut self.cycle);
        self.building.push(ty.clone());
        let below = self.below(&ty);
        self.building.pop();
        self.cut.remove(&ty);
        let has_work = !calls.is_empty() || !matches!(below, Below::None);
        let built = has_work.then(|| inside(ty.clone(), None, calls, below));
        // A subtree with a cut in it depends on what is around it.
        if self.cut.is_empty() && !root {
            let finished = Finished {
                inside: built.clone(),
                cycle: self.cycle.clone(),
            };
            self.finished.insert(ty, finished);
        }
        self.cut.extend(outer_cut);
        self.cycle.extend(outer_cycle);
        built
    }

    /// The subtree of a type that was built before, unless it would be cut here.
    fn finished(&self, ty: &TypeRef) -> Option<Option<Rc<Inside<'s, B::Call>>>> {
        let known = self.finished.get(ty)?;
        let is_cut = self.building.iter().any(|outer| known.cycle.contains(outer));
        (!is_cut).then(|| known.inside.clone())
    }

    fn below(&mut self, ty: &TypeRef) -> Below<'s, B::Call> {
        match (self.types.kind(ty), self.types.underlying(ty)) {
            (GoKind::Alias, literal) => self.build(&literal, false).map_or(Below::None, Below::Same),
            (GoKind::Pointer, TypeRef::Pointer(inner)) => {
                self.build(&inner, false).map_or(Below::None, Below::Pointee)
            }
            (GoKind::Slice, TypeRef::List(element)) | (GoKind::Array, TypeRef::Array(_, element)) => {
                let inside = self.build(&element, false);
                self.element(&element, inside)
                    .map_or(Below::None, Below::Elements)
            }
            (GoKind::Map, TypeRef::Map(_, value)) => match self.build(&value, false) {
                // defaulter-gen fills nothing below a map, but that keeps the default of the values out.
                Some(_) if self.profile == Profile::Upstream => Below::Values(Defaulted {
                    ty: self.types.unalias(&value),
                    default: None,
                    inside: None,
                }),
                inside => self.element(&value, inside).map_or(Below::None, Below::Values),
            },
            (GoKind::Struct, _) => self.members(ty),
            _ => Below::None,
        }
    }

    /// To defaulter-gen, an element takes the default of its type only where nothing is done inside it.
    fn element(
        &mut self,
        element: &TypeRef,
        inside: Option<Rc<Inside<'s, B::Call>>>,
    ) -> Option<Defaulted<'s, B::Call>> {
        let ty = self.types.unalias(element);
        let mut default = None;
        if inside.is_none() || self.profile == Profile::Kep {
            let own = match ty {
                TypeRef::Named(id) => type_default(self.types.schema, id),
                _ => None,
            };
            let found = own.or_else(|| nested_default(self.types, &ty));
            default = found.filter(|found| self.backend.applies(DefaultedPlace::Element(&ty), found.default));
        }
        if default.is_none() && inside.is_none() {
            return None;
        }
        Some(Defaulted { ty, default, inside })
    }

    fn members(&mut self, holder: &TypeRef) -> Below<'s, B::Call> {
        let Some((owner, fields)) = self.types.members(holder) else {
            return Below::None;
        };
        let mut members = Vec::new();
        for (index, field) in fields.iter().enumerate() {
            let index = index as u32;
            // defaulter-gen does not know the type argument here.
            let inside = if field.type_parameter {
                None
            } else {
                self.build(&field.ty, false)
            };
            let own = field.default.as_ref().map(|default| FoundDefault {
                default,
                source: Owner::Field(FieldId { owner, index }).part(Part::Default),
            });
            let default = match own {
                None if !field.type_parameter => nested_default(self.types, &field.ty),
                own => own,
            };
            let at = DefaultedPlace::Field { holder, field };
            let default = default.filter(|found| self.backend.applies(at, found.default));
            if inside.is_some() || default.is_some() {
                let ty = self.types.unalias(&field.ty);
                members.push((index, Defaulted { ty, default, inside }));
            }
        }
        if members.is_empty() {
            Below::None
        } else {
            Below::Members(members)
        }
    }
}

fn inside<C>(ty: TypeRef, object: Option<TypeId>, calls: Vec<C>, below: Below<'_, C>) -> Rc<Inside<'_, C>> {
    Rc::new(Inside {
        ty,
        object,
        calls,
        below,
    })
}

/// The first default on the way through named types and pointers; value types have none.
fn nested_default<'s>(types: Types<'s>, ty: &TypeRef) -> Option<FoundDefault<'s>> {
    if types.resolved(ty).pointers == 0 {
        return None;
    }
    let mut here = types.unalias(ty);
    for _ in 0..=types.schema.types().len() {
        if let TypeRef::Named(id) = here
            && let Some(found) = type_default(types.schema, id)
        {
            return Some(found);
        }
        let next = match (types.kind(&here), types.underlying(&here)) {
            (GoKind::Pointer, TypeRef::Pointer(inner)) => *inner,
            (GoKind::Alias, literal) => literal,
            _ => return None,
        };
        here = types.unalias(&next);
    }
    None
}

/// The default written on a type, where defaulter-gen sees it.
#[must_use]
pub fn type_default(schema: &Schema, id: TypeId) -> Option<FoundDefault<'_>> {
    let default = schema.ty(id).default.as_ref()?;
    sees_type_default(schema, id).then(|| FoundDefault {
        default,
        source: Owner::Type(id).part(Part::Default),
    })
}

/// Whether a default on a type counts. defaulter-gen sees comments on types only in the packages it runs for, and in
/// those whose types such a package defaults; without any such package, in those that were read.
fn sees_type_default(schema: &Schema, ty: TypeId) -> bool {
    let path = &schema.ty(ty).name.package;
    let Some(package) = schema.package(path) else {
        return true;
    };
    let mut runs = schema
        .packages()
        .iter()
        .filter(|package| !package.options.defaulter.is_empty())
        .peekable();
    if runs.peek().is_none() {
        return package.input;
    }
    runs.any(|run| run.path == *path || run.options.defaulter_input.as_ref() == Some(path))
}

#[cfg(test)]
mod tests {
    use kindsmith_schema::{Builder, JsonTag, Shape, Struct, Type, TypeName};

    use super::*;

    struct Hooked(TypeId);

    impl DefaultBackend for Hooked {
        type Call = ();

        fn calls(&self, ty: &TypeRef) -> Calls<()> {
            let is_hooked = *ty == TypeRef::Named(self.0);
            Calls {
                calls: vec![(); usize::from(is_hooked)],
                covers: false,
            }
        }

        fn applies(&mut self, _: DefaultedPlace<'_>, _: &Written) -> bool {
            true
        }
    }

    fn depth(inside: &Inside<'_, ()>) -> usize {
        let below = match &inside.below {
            Below::Members(members) => {
                let depths = members.iter().filter_map(|(_, member)| member.inside.as_ref());
                depths.map(|inside| depth(inside)).max()
            }
            Below::Pointee(inner) => return depth(inner),
            _ => None,
        };
        1 + below.unwrap_or(0)
    }

    /// What was built for a type does not depend on where the type was met first.
    #[test]
    fn types_that_contain_each_other_are_cut_at_the_second_visit() {
        let mut builder = Builder::default();
        let name = |name: &str| TypeName::new("example.org/p", name);
        let [root, left, right] = ["Root", "Left", "Right"].map(|text| builder.declare(&name(text)));
        let field = |name: &str, id| Field::new(name, JsonTag::parse(name), TypeRef::Named(id).pointer());
        let mut define = |id, text: &str, fields| {
            builder.define(id, Type::new(name(text), Shape::Struct(Struct { fields })));
        };
        define(root, "Root", vec![field("Left", left), field("Right", right)]);
        define(left, "Left", vec![field("Right", right)]);
        define(right, "Right", vec![field("Left", left)]);
        let (schema, ids) = builder.finish();
        let backend = Hooked(ids.ty(right));
        let mut tree = DefaultTree::new(Types::new(&schema), backend, HashSet::new());
        let built = tree.build(&TypeRef::Named(ids.ty(root)), true).expect("hooked");
        let Below::Members(members) = &built.below else {
            panic!("{built:?}");
        };
        let depths = members.iter().filter_map(|(_, member)| member.inside.as_ref());
        let depths: Vec<usize> = depths.map(|inside| depth(inside)).collect();
        assert_eq!(depths, [2, 1]);
    }
}
