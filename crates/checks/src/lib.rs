//! Tags to calls of checks, in the order and with the quirks of validation-gen.
//!
//! Walks types as the generator discovers them (VG/validation.go, `discoverType`), because a tag's result may
//! depend on tags seen before it. Does not know values: `plan` lays out the calls and `run` runs them.

mod cohort;
mod context;
mod default_tree;
mod deferred;
mod dependent;
mod enforcement;
mod facet;
mod ir;
mod item;
mod kep_reading;
mod list;
mod mode;
mod order;
mod reach;
mod requiredness;
mod subfield;
mod types;
mod union;
mod update;
mod virtual_group;
mod wrap;

use std::collections::{HashMap, HashSet};

use kindsmith_schema::{
    FieldId, GoKind, Owner, Part, Place, RootSelector, Rule, Schema, Str, TypeId, TypeRef,
};

pub use cohort::cohorts;
use context::{Context, On};
pub use default_tree::{
    Below, Calls, DefaultBackend, DefaultTree, Defaulted, DefaultedPlace, FoundDefault, Inside,
    default_candidates, type_default,
};
use deferred::{Deferred, Scope, Validations};
pub use enforcement::{Decided, Enforcement, decide};
pub use facet::value_check;
pub use ir::{
    Body, Call, Compare, EnumExclusion, EnumSet, Leaf, Matching, Mode, Number, RouteStep, Union, UnionMembers,
};
pub use item::item_constraints;
pub use kep_reading::{kep_defaults, kep_immutability};
pub use kindsmith_schema::Profile;
pub use order::in_order;
pub use reach::has_validations;
pub use requiredness::is_zero_default;
pub use types::{Native, Types};

/// The lowered tags of a type and its fields.
#[derive(Debug, Default)]
pub struct LoweredType {
    /// Calls of the type's function, before its fields.
    pub calls: Vec<Call>,
    /// Calls of the function of a named key type, one per key.
    pub keys: Option<Call>,
    /// Calls of the function of a named element type, one per element.
    pub values: Option<Call>,
    /// By field index.
    pub fields: Vec<LoweredField>,
    /// Fields are not visited.
    pub opaque: bool,
    /// Counts as validated even if nothing runs.
    pub comment: bool,
}

/// The lowered tags of a field.
#[derive(Debug, Default)]
pub struct LoweredField {
    /// Calls on the field's value.
    pub calls: Vec<Call>,
    /// Calls of the function of a named key type, one per key.
    pub keys: Option<Call>,
    /// Calls of the function of a named element type, one per element.
    pub values: Option<Call>,
    /// The function of the field's type is not called.
    pub opaque: bool,
    /// Counts as validated even if nothing runs.
    pub comment: bool,
}

/// Everything lowered, by type.
pub type Lowered = HashMap<TypeId, LoweredType>;

/// Lowers all types reachable from a type.
#[must_use]
pub fn lower(schema: &Schema, root: TypeId, profile: Profile) -> Lowered {
    lower_roots(schema, &roots(schema, root), profile)
}

/// Lowers all types reachable from the roots, in this order.
#[must_use]
pub fn lower_roots(schema: &Schema, roots: &[TypeId], profile: Profile) -> Lowered {
    let mut lowerer = Lowerer::new(schema, profile);
    if profile == Profile::Kep {
        lowerer.spanning = virtual_group::spanning(lowerer.types, roots);
    }
    for root in roots {
        lowerer.discover(&TypeRef::Named(*root), 0);
    }
    if !lowerer.spanning.is_empty() {
        lowerer.add_spanning_groups(roots);
    }
    lowerer.done
}

/// The roots of the type's package in the generator's order, since results can depend on it.
fn roots(schema: &Schema, root: TypeId) -> Vec<TypeId> {
    let package = &schema.ty(root).name.package;
    let selectors = schema
        .package(package)
        .map_or(&[][..], |package| &package.options.validation);
    let mut roots: Vec<TypeId> = schema
        .types()
        .filter(|(_, ty)| ty.name.package == *package && ty.name.is_exported() && !ty.anonymous)
        .filter(|(_, ty)| {
            ty.options
                .validation
                .unwrap_or_else(|| selectors.iter().any(|selector| selects(selector, ty)))
        })
        .map(|(id, _)| id)
        .collect();
    if !roots.contains(&root) {
        roots.push(root);
    }
    roots
}

fn selects(selector: &RootSelector, ty: &kindsmith_schema::Type) -> bool {
    match selector {
        RootSelector::All => true,
        RootSelector::WithField(name) => ty.fields().iter().any(|field| field.name == *name),
        RootSelector::WithSuffix(suffix) => ty.name.name.ends_with(&**suffix),
    }
}

/// State collected from tags so far, by the generator's name of the place.
pub(crate) struct Lowerer<'s> {
    types: Types<'s>,
    profile: Profile,
    done: Lowered,
    under_way: HashSet<TypeId>,
    lists: HashMap<String, list::Metadata>,
    lists_done: HashSet<String>,
    unions: HashMap<String, union::Unions>,
    groups: HashMap<String, union::Unions>,
    modes: HashMap<String, mode::Groups>,
    updates: HashMap<String, update::Collected>,
    inherited: HashSet<String>,
    opaque_members: HashSet<FieldId>,
    opaque_types: HashSet<TypeId>,
    /// Groups of virtual fields across structs.
    spanning: HashSet<Str>,
}

/// Deferred work may defer more work, but not forever.
const MAX_ROUNDS: usize = 10;

/// Types repeat after a limited depth; a longer chain of unnamed types is not followed.
const MAX_DEPTH: usize = 200;

impl<'s> Lowerer<'s> {
    fn new(schema: &'s Schema, profile: Profile) -> Self {
        Self {
            types: Types::new(schema),
            profile,
            done: HashMap::new(),
            under_way: HashSet::new(),
            lists: HashMap::new(),
            lists_done: HashSet::new(),
            unions: HashMap::new(),
            groups: HashMap::new(),
            modes: HashMap::new(),
            updates: HashMap::new(),
            inherited: HashSet::new(),
            opaque_members: HashSet::new(),
            opaque_types: HashSet::new(),
            spanning: HashSet::new(),
        }
    }

    /// Lowers a type and everything below it, once.
    fn discover(&mut self, ty: &TypeRef, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        let ty = self.types.non_pointer(ty);
        match (self.types.kind(&ty), &ty) {
            (GoKind::Struct | GoKind::Alias, TypeRef::Named(id)) => self.discover_named(*id, depth),
            (_, TypeRef::List(element) | TypeRef::Array(_, element)) => self.discover(element, depth + 1),
            (_, TypeRef::Map(key, value)) => {
                self.discover(key, depth + 1);
                self.discover(value, depth + 1);
            }
            _ => {}
        }
    }

    fn discover_named(&mut self, id: TypeId, depth: usize) {
        if self.done.contains_key(&id) || !self.under_way.insert(id) {
            return;
        }
        let ty = TypeRef::Named(id);
        let path = self.types.text(&ty);
        let mut lowered = LoweredType::default();
        let mut hoisted = Vec::new();
        if self.types.kind(&ty) == GoKind::Struct {
            self.discover_struct(id, &path, depth, &mut lowered, &mut hoisted);
        } else {
            self.discover(&self.types.underlying(&ty), depth + 1);
        }
        let context = Context {
            on: On::Type,
            ty: ty.clone(),
            path,
            member: None,
            parent_path: String::new(),
            parent: None,
            selector: None,
            level: None,
            rule: None,
        };
        let rules = &self.types.schema.ty(id).rules;
        let mut validations = self.extract_all(&context, rules, Owner::Type(id));
        lowered.opaque = validations.opaque;
        if self.types.kind(&ty) == GoKind::Alias {
            let opaque = (validations.opaque_keys, validations.opaque_values);
            (lowered.keys, lowered.values) = self.iterations(&context, opaque);
        }
        let own = std::mem::take(&mut validations.deferred);
        lowered.calls = hoisted;
        lowered.calls.append(&mut validations.calls);
        lowered.comment |= validations.comment;
        let mut result = Validations::default();
        self.run_deferred(own, &mut result, None);
        lowered.calls.append(&mut result.calls);
        lowered.comment |= result.comment;
        self.done.insert(id, lowered);
    }

    fn discover_struct(
        &mut self,
        id: TypeId,
        path: &str,
        depth: usize,
        lowered: &mut LoweredType,
        hoisted: &mut Vec<Call>,
    ) {
        let parent = TypeRef::Named(id);
        let Some((owner, fields)) = self.types.members(&parent) else {
            return;
        };
        let mut pending = Vec::new();
        for (index, field) in fields.iter().enumerate() {
            if !field.is_exported() {
                pending.push(Validations::default());
                lowered.fields.push(LoweredField::default());
                continue;
            }
            let member = FieldId {
                owner,
                index: index as u32,
            };
            self.discover(&field.ty, depth + 1);
            let context = Context {
                on: On::Field,
                ty: self.types.unalias(&field.ty),
                path: format!("{path}.{}", field.display_name()),
                member: Some(member),
                parent_path: path.to_owned(),
                parent: Some(parent.clone()),
                selector: None,
                level: None,
                rule: None,
            };
            let validations = self.extract_all(&context, &field.rules, Owner::Field(member));
            let mut one = LoweredField::default();
            let named = matches!(
                self.types.kind(&self.types.non_pointer(&field.ty)),
                GoKind::Struct | GoKind::Alias
            );
            one.opaque = named && validations.opaque;
            if matches!(context.ty, TypeRef::List(_) | TypeRef::Map(..)) {
                let opaque = (validations.opaque_keys, validations.opaque_values);
                (one.keys, one.values) = self.iterations(&context, opaque);
            }
            lowered.fields.push(one);
            pending.push(validations);
        }
        for (one, mut validations) in lowered.fields.iter_mut().zip(pending) {
            let deferred = std::mem::take(&mut validations.deferred);
            let mut parent = Validations::default();
            self.run_deferred(deferred, &mut validations, Some(&mut parent));
            one.calls = validations.calls;
            one.comment = validations.comment;
            hoisted.append(&mut parent.calls);
            lowered.comment |= parent.comment;
        }
    }

    /// Calls of the functions of named key and element types.
    fn iterations(&mut self, context: &Context, opaque: (bool, bool)) -> (Option<Call>, Option<Call>) {
        let (mut keys, mut values) = (None, None);
        let element = if let Some((key, value)) = self.types.map_parts(&context.ty) {
            if let Some(id) = self.types.function_type(&key).filter(|_| !opaque.0) {
                let call = Call::new(Body::TypeFunction(id), None);
                keys = Some(call.wrapped(Body::EachKey));
            }
            Some(value)
        } else {
            self.types.list_element(&context.ty)
        };
        let element = element.and_then(|element| self.types.function_type(&element));
        if let Some(id) = element.filter(|_| !opaque.1) {
            let matching = self.matching(&context.path, &context.ty);
            let call = Call::new(Body::TypeFunction(id), None);
            values = Some(call.wrapped(|inner| Body::EachVal { matching, inner }));
        }
        (keys, values)
    }

    /// Runs deferred work round by round. Without a `parent`, all results go to `this`.
    fn run_deferred(
        &mut self,
        mut deferred: Vec<Deferred<'s>>,
        this: &mut Validations<'s>,
        mut parent: Option<&mut Validations<'s>>,
    ) {
        for _ in 0..MAX_ROUNDS {
            if deferred.is_empty() {
                return;
            }
            let mut next = Vec::new();
            for one in deferred {
                let mut result = (one.work)(self);
                next.append(&mut result.deferred);
                match (&mut parent, one.scope) {
                    (Some(parent), Scope::Parent) => parent.add(result),
                    _ => this.add(result),
                }
            }
            deferred = next;
        }
    }

    /// Lowers the native rules of one declaration.
    fn extract_all(&mut self, context: &Context, rules: &'s [Rule], owner: Owner) -> Validations<'s> {
        let mut all = Validations::default();
        for (index, rule) in in_order(rules) {
            let mut context = context.clone();
            context.rule = Some(Place {
                owner,
                part: Part::Rule(index),
            });
            all.add(self.extract(&context, rule, 0));
        }
        all
    }
}
