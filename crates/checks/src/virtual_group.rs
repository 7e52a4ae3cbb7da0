//! KEP-5073's groups of virtual fields that span a kind: `memberOf` in several structs or lists. The demand is placed on
//! the struct that is nearest above all members. Groups within one struct or list are unions of that place.

use std::collections::{BTreeMap, HashSet};

use kindsmith_schema::{Facet, FieldId, GoKind, Owner, Part, Place, Str, TypeId, TypeRef, Wrap};

use super::ir::{RouteStep, Union, UnionMembers};
use super::{Body, Call, Lowerer, Types, item};

/// Longer ways are recursive.
const MAX_STEPS: usize = 32;

/// A member, and the way to it from a root.
struct Found {
    /// The struct or list that declares it.
    home: Owner,
    route: Vec<RouteStep>,
    name: String,
    rule: Place,
}

type Groups = BTreeMap<Str, Vec<Found>>;

/// Names of the groups whose members are in several places of one root.
pub(super) fn spanning(types: Types<'_>, roots: &[TypeId]) -> HashSet<Str> {
    let mut names = HashSet::new();
    for root in roots {
        let groups = groups(types, *root).into_iter();
        names.extend(groups.filter(|(_, found)| spans(found)).map(|(name, _)| name));
    }
    names
}

fn spans(found: &[Found]) -> bool {
    found.iter().any(|member| member.home != found[0].home)
}

fn groups(types: Types<'_>, root: TypeId) -> Groups {
    let mut walk = Walk {
        types,
        within: Vec::new(),
        route: Vec::new(),
        name: Vec::new(),
        groups: Groups::new(),
    };
    walk.value(&TypeRef::Named(root));
    walk.groups
}

struct Walk<'s> {
    types: Types<'s>,
    /// Structs on the way, so that recursive types end.
    within: Vec<TypeId>,
    route: Vec<RouteStep>,
    name: Vec<String>,
    groups: Groups,
}

impl Walk<'_> {
    fn value(&mut self, ty: &TypeRef) {
        let ty = self.types.non_pointer(ty);
        if self.route.len() > MAX_STEPS {
            return;
        }
        let element = self.types.list_element(&ty);
        let element = element.or_else(|| self.types.map_parts(&ty).map(|(_, value)| value));
        if let Some(element) = element {
            self.route.push(RouteStep::Each);
            self.value(&element);
            self.route.pop();
        } else if self.types.kind(&ty) == GoKind::Struct {
            self.members(&ty);
        }
    }

    fn members(&mut self, ty: &TypeRef) {
        let Some((owner, fields)) = self.types.members(ty) else {
            return;
        };
        if self.within.contains(&owner) {
            return;
        }
        self.within.push(owner);
        for (index, field) in fields.iter().enumerate().filter(|(_, field)| field.is_exported()) {
            let id = FieldId {
                owner,
                index: index as u32,
            };
            self.route.push(RouteStep::Field(id));
            self.name.push(field.json_name().unwrap_or_default().to_owned());
            for (number, rule) in field.rules.iter().enumerate() {
                if let Facet::MemberOf { group } = &rule.facet {
                    let rule_place = Owner::Field(id).part(Part::Rule(number as u32));
                    self.found(group, id, &field.ty, &rule.wraps, rule_place);
                }
            }
            self.value(&field.ty);
            self.route.pop();
            self.name.pop();
        }
        self.within.pop();
    }

    fn found(&mut self, group: &Str, id: FieldId, ty: &TypeRef, wraps: &[Wrap], rule: Place) {
        let mut route = self.route.clone();
        let names: Vec<&str> = self
            .name
            .iter()
            .map(String::as_str)
            .filter(|name| !name.is_empty())
            .collect();
        let mut name = names.join(".");
        let home = match wraps {
            [] => Owner::Type(id.owner),
            [Wrap::Item(selector)] => {
                let Some(element) = self.types.list_element(ty) else {
                    return;
                };
                let element = self.types.non_pointer(&element);
                route.push(RouteStep::Item(item::criteria(self.types, &element, selector)));
                name = format!("{name}[{}]", item::selector_text(selector));
                Owner::Field(id)
            }
            _ => return,
        };
        self.groups.entry(group.clone()).or_default().push(Found {
            home,
            route,
            name,
            rule,
        });
    }
}

impl Lowerer<'_> {
    /// Adds the demands of the groups that span a root to the structs above their members.
    pub(super) fn add_spanning_groups(&mut self, roots: &[TypeId]) {
        let mut seen = HashSet::new();
        for root in roots {
            for (group, mut found) in groups(self.types, *root) {
                if !spans(&found) {
                    continue;
                }
                let above = shared(&found);
                let Some(RouteStep::Field(first)) = found[0].route.get(above) else {
                    continue;
                };
                let holder = first.owner;
                if !seen.insert((holder, group)) {
                    continue;
                }
                let rule = found[0].rule;
                let names = found
                    .iter()
                    .map(|member| (tail(&member.name, above).into(), "".into()));
                let names = names.collect();
                let routes = found.iter_mut().map(|member| member.route.split_off(above));
                let union = Union {
                    zero_or_one: false,
                    discriminator: None,
                    names,
                    members: UnionMembers::Routes(routes.collect()),
                };
                if let Some(lowered) = self.done.get_mut(&holder) {
                    lowered.calls.push(Call::new(Body::Union(union), Some(rule)));
                }
            }
        }
    }
}

/// How many steps all ways share before a list or map.
fn shared(found: &[Found]) -> usize {
    let first = &found[0].route;
    let is_shared = |at: usize| {
        matches!(first.get(at), Some(RouteStep::Field(_)))
            && found.iter().all(|member| {
                member.route.get(at) == first.get(at)
                    && matches!(member.route.get(at + 1), Some(RouteStep::Field(_)))
            })
    };
    (0..first.len()).take_while(|at| is_shared(*at)).count()
}

/// The name without its first parts.
fn tail(name: &str, parts: usize) -> &str {
    name.splitn(parts + 1, '.').last().unwrap_or(name)
}
