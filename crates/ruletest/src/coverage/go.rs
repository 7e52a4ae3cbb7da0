//! What can be touched of a Go type: its `+k8s:` tags, defaults, enum constants, union members and the transitions that
//! update rules are about, each at its place in the source.

use std::collections::{HashMap, HashSet};

use kindsmith::Action;
use kindsmith_go::Read;
use kindsmith_json::{Value, to_string};
use kindsmith_schema::{
    Condition, Facet, Family, Field, FieldId, ListType, Owner, Part, Place, Rule, Schema, Shape, TypeId,
    TypeRef, Wrap,
};

use super::{FAILED, Item, PASSED, SEEN};
use crate::run::Seen;

/// A type, and which item belongs to which place.
#[derive(Debug)]
pub(super) struct Universe {
    root: TypeId,
    rules: HashMap<Place, usize>,
    values: HashMap<(TypeId, u32), usize>,
    transitions: HashMap<(Place, Transition), usize>,
}

/// How an update changes a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Transition {
    Set,
    Clear,
    Modify,
    Keep,
}

const TRANSITIONS: [(Transition, &str); 4] = [
    (Transition::Set, "unset to set"),
    (Transition::Clear, "set to unset"),
    (Transition::Modify, "one value to another"),
    (Transition::Keep, "unchanged"),
];

impl Universe {
    pub(super) fn new(read: &Read, root: TypeId) -> (Self, Vec<Item>) {
        let mut builder = Builder {
            read,
            items: Vec::new(),
            visited: HashSet::new(),
            universe: Self {
                root,
                rules: HashMap::new(),
                values: HashMap::new(),
                transitions: HashMap::new(),
            },
        };
        builder.named(root, "");
        (builder.universe, builder.items)
    }

    pub(super) fn observe(&self, seen: &Seen<'_, '_>, items: &mut [Item]) {
        let Some(go_types) = seen.subject.kinds().go_types() else {
            return;
        };
        let mut walk = Walk {
            universe: self,
            schema: &go_types.read().schema,
            items,
            failed: HashSet::new(),
            seen,
        };
        for step in &seen.review.trace {
            let Some(at) = step
                .source
                .and_then(|place| self.rules.get(&place).map(|at| (place, *at)))
            else {
                continue;
            };
            match step.action {
                Action::Failed(_) => {
                    walk.failed.insert(at.0);
                    walk.items[at.1].hits |= FAILED;
                }
                Action::Defaulted(_) => walk.items[at.1].hits |= SEEN,
                _ => {}
            }
        }
        let object = seen.review.object.unwrap_or(seen.write.object);
        walk.named(self.root, Some(object), seen.write.old, 0);
    }
}

struct Builder<'r> {
    read: &'r Read,
    items: Vec<Item>,
    visited: HashSet<TypeId>,
    universe: Universe,
}

impl Builder<'_> {
    fn add(&mut self, path: &str, what: String, place: Place, wants: u8) -> usize {
        let position = self.read.origins.span(&place).map(|span| {
            let position = self.read.sources.position(span);
            let file = self.read.sources.file(span.file).name();
            format!("{file}:{}:{}", position.line, position.column)
        });
        self.items.push(Item::new(path, what, position, wants));
        self.items.len() - 1
    }

    /// The tag as written.
    fn tag(&self, place: Place, facet: &Facet) -> String {
        let span = self.read.origins.span(&place);
        let text = span.map(|span| self.read.sources.text(span).trim().trim_start_matches('/').trim());
        text.map_or_else(|| format!("{facet:?}"), str::to_owned)
    }

    fn named(&mut self, id: TypeId, path: &str) {
        let schema = &self.read.schema;
        let ty = schema.ty(id);
        if ty.well_known.is_some() || !self.visited.insert(id) {
            return;
        }
        self.rules(&ty.rules, Owner::Type(id), path);
        if ty
            .rules
            .iter()
            .any(|rule| rule.family == Family::Declarative && rule.facet == Facet::Enum)
        {
            for (index, constant) in ty.constants.iter().enumerate() {
                let value = constant
                    .value
                    .as_ref()
                    .map(ToString::to_string)
                    .unwrap_or_default();
                let place = Owner::Constant(id, index as u32).part(Part::Name);
                let at = self.add(path, format!("value {value}"), place, SEEN);
                self.universe.values.insert((id, index as u32), at);
            }
        }
        match &ty.shape {
            Shape::Struct(_) => {
                for (id, field) in schema.fields(id) {
                    self.field(id, field, path);
                }
            }
            Shape::Def(target) | Shape::Alias(target) => self.reference(target, path),
            Shape::Hole => {}
        }
    }

    fn reference(&mut self, ty: &TypeRef, path: &str) {
        match ty {
            TypeRef::Named(id) => self.named(*id, path),
            TypeRef::Pointer(inner) => self.reference(inner, path),
            TypeRef::List(inner) | TypeRef::Array(_, inner) => self.reference(inner, &format!("{path}[]")),
            TypeRef::Map(_, value) => self.reference(value, &format!("{path}[*]")),
            _ => {}
        }
    }

    fn field(&mut self, id: FieldId, field: &Field, path: &str) {
        let path = match field.json_name() {
            None if field.is_inline() => path.to_owned(),
            None => return,
            Some(name) if path.is_empty() => name.to_owned(),
            Some(name) => format!("{path}.{name}"),
        };
        self.rules(&field.rules, Owner::Field(id), &path);
        if field.default.is_some() {
            let place = Owner::Field(id).part(Part::Default);
            let at = self.add(&path, "default".to_owned(), place, SEEN);
            self.universe.rules.insert(place, at);
        }
        // Rules of an opaque type are not checked here.
        let is_opaque = |rule: &Rule| rule.family == Family::Declarative && rule.facet == Facet::OpaqueType;
        if !field.rules.iter().any(is_opaque) {
            self.reference(&field.ty, &path);
        }
    }

    fn rules(&mut self, rules: &[Rule], owner: Owner, path: &str) {
        for (index, rule) in rules.iter().enumerate() {
            let place = owner.part(Part::Rule(index as u32));
            let Some(wants) = wants(rule) else {
                continue;
            };
            let tag = self.tag(place, &rule.facet);
            let at = self.add(path, tag.clone(), place, wants);
            self.universe.rules.insert(place, at);
            if is_about_updates(&rule.facet) {
                for (transition, text) in TRANSITIONS {
                    let at = self.add(path, format!("{tag} {text}"), place, SEEN);
                    self.universe.transitions.insert((place, transition), at);
                }
            }
        }
    }
}

/// What must be seen of a rule; `None` if it refuses nothing by itself.
fn wants(rule: &Rule) -> Option<u8> {
    if rule.family != Family::Declarative {
        return None;
    }
    match &rule.facet {
        Facet::Optional
        | Facet::Nullable
        | Facet::ListMapKey(_)
        | Facet::CustomUnique
        | Facet::ListType(ListType::Atomic)
        | Facet::MapType(_)
        | Facet::StructType(_)
        | Facet::OpaqueType
        | Facet::CustomValidation
        | Facet::DeclarativeValidationNative
        | Facet::UnionDiscriminator { .. }
        | Facet::Union { .. }
        | Facet::ModeDiscriminator { .. }
        | Facet::ExclusiveMinimum(_)
        | Facet::ExclusiveMaximum(_) => None,
        Facet::UnionMember { .. } | Facet::ZeroOrOneOfMember { .. } | Facet::MemberOf { .. } => Some(SEEN),
        _ => Some(PASSED | FAILED),
    }
}

fn is_about_updates(facet: &Facet) -> bool {
    matches!(facet, Facet::Immutable | Facet::Update(_) | Facet::Monotonic)
}

/// Types repeat only as deep as the object goes.
const MAX_DEPTH: usize = 100;

struct Walk<'w, 's, 'a> {
    universe: &'w Universe,
    schema: &'w Schema,
    items: &'w mut [Item],
    failed: HashSet<Place>,
    seen: &'w Seen<'s, 'a>,
}

impl Walk<'_, '_, '_> {
    fn named(&mut self, id: TypeId, new: Option<Value<'_>>, old: Option<Value<'_>>, depth: usize) {
        let schema = self.schema;
        let ty = schema.ty(id);
        if ty.well_known.is_some() || depth > MAX_DEPTH {
            return;
        }
        self.rules(&ty.rules, Owner::Type(id), new, old);
        if let Some(value) = new.filter(|_| !ty.constants.is_empty()) {
            let text = to_string(value);
            for (index, constant) in ty.constants.iter().enumerate() {
                let is_it = constant
                    .value
                    .as_ref()
                    .is_some_and(|known| known.to_string() == text);
                if let Some(at) = self.universe.values.get(&(id, index as u32)).filter(|_| is_it) {
                    self.items[*at].hits |= SEEN;
                }
            }
        }
        match &ty.shape {
            Shape::Struct(_) => {
                for (id, field) in schema.fields(id) {
                    self.field(id, field, new, old, depth);
                }
            }
            Shape::Def(target) | Shape::Alias(target) => self.reference(target, new, old, depth + 1),
            Shape::Hole => {}
        }
    }

    fn field(
        &mut self,
        id: FieldId,
        field: &Field,
        new: Option<Value<'_>>,
        old: Option<Value<'_>>,
        depth: usize,
    ) {
        if field.json_name().is_none() && !field.is_inline() {
            return;
        }
        let (new, old) = (below(field, new), below(field, old));
        self.rules(&field.rules, Owner::Field(id), new, old);
        self.reference(&field.ty, new, old, depth + 1);
    }

    fn reference(&mut self, ty: &TypeRef, new: Option<Value<'_>>, old: Option<Value<'_>>, depth: usize) {
        if new.is_none() && old.is_none() {
            return;
        }
        match ty {
            TypeRef::Named(id) => self.named(*id, new, old, depth),
            TypeRef::Pointer(inner) => self.reference(inner, new, old, depth),
            TypeRef::List(inner) | TypeRef::Array(_, inner) => {
                let elements = new.and_then(Value::as_array).unwrap_or_default();
                for (index, element) in elements.iter().enumerate() {
                    let before = old.and_then(|old| old.at(index));
                    self.reference(inner, Some(*element), before, depth + 1);
                }
            }
            TypeRef::Map(_, value) => {
                let entries = new.and_then(Value::as_object).unwrap_or_default();
                for (key, entry) in entries {
                    let before = old.and_then(|old| old.get(key));
                    self.reference(value, Some(entry), before, depth + 1);
                }
            }
            _ => {}
        }
    }

    fn rules(&mut self, rules: &[Rule], owner: Owner, new: Option<Value<'_>>, old: Option<Value<'_>>) {
        for (index, rule) in rules.iter().enumerate() {
            let place = owner.part(Part::Rule(index as u32));
            let Some(&at) = self.universe.rules.get(&place) else {
                continue;
            };
            if self.applies(rule, new) && !self.failed.contains(&place) {
                self.items[at].hits |= PASSED;
                if new.is_some() {
                    self.items[at].hits |= SEEN;
                }
            }
            if is_about_updates(&rule.facet) && self.seen.write.old.is_some() {
                let transition = transition(new, old);
                let at =
                    transition.and_then(|transition| self.universe.transitions.get(&(place, transition)));
                if let Some(at) = at {
                    self.items[*at].hits |= SEEN;
                }
            }
        }
    }

    /// Whether the value is one that the rule looks at.
    fn applies(&self, rule: &Rule, new: Option<Value<'_>>) -> bool {
        let options = self.seen.write.options;
        let conditions = rule.conditions().all(|condition| match condition {
            Condition::Option { name, enabled } => options.and_then(|all| all.get(name)) == Some(*enabled),
            _ => true,
        });
        let has_values = rule.wraps.iter().all(|wrap| match wrap {
            Wrap::EachVal | Wrap::EachKey => new.is_some_and(|value| {
                value.as_array().is_some_and(|list| !list.is_empty())
                    || value.as_object().is_some_and(|map| !map.is_empty())
            }),
            _ => true,
        });
        let is_there = match rule.facet {
            Facet::Forbidden => new.is_none(),
            _ if is_about_updates(&rule.facet) => self.seen.write.old.is_some(),
            _ => new.is_some(),
        };
        conditions && has_values && is_there
    }
}

fn below<'a>(field: &Field, value: Option<Value<'a>>) -> Option<Value<'a>> {
    match field.json_name() {
        None => value,
        Some(name) => value?.get(name).filter(|value| !value.is_null()),
    }
}

fn transition(new: Option<Value<'_>>, old: Option<Value<'_>>) -> Option<Transition> {
    match (old, new) {
        (None, None) => None,
        (None, Some(_)) => Some(Transition::Set),
        (Some(_), None) => Some(Transition::Clear),
        (Some(old), Some(new)) if old == new => Some(Transition::Keep),
        _ => Some(Transition::Modify),
    }
}
