//! Checks of structs: subfields, unions, dependencies, modes.

use kindsmith_json::{Path, Value};
use kindsmith_schema::{Scalar, Str};

use super::{Run, mark};
use crate::plan::{FieldIx, Inner, ModeCheck, NodeShape, Program, RouteStep, UnionCheck, UnionMembers};
use crate::value::{Val, equal, items, text};
use kindsmith_object::{BadValue, Detail, ErrorKind, UnionVerdict};
use kindsmith_object::{Event, Trace};

impl<T: Trace> Run<'_, T> {
    pub(super) fn subfield(
        &mut self,
        field: FieldIx,
        name: &str,
        inner: Inner,
        path: &Path<'_>,
        new: Val<'_>,
        old: Val<'_>,
    ) {
        let plan = self.plan;
        let field = plan.field(field);
        // Upstream panics on a nil struct; here there is no member to check.
        let Some(holder) = new else { return };
        let value = plan.member(field, holder);
        let old_value = old.and_then(|old| plan.member(field, old));
        let path = path.child(name);
        if self.is_update() && old.is_some() && equal(plan, field.slot, value, old_value) {
            if T::ON {
                self.trace.event(Event::Unchanged { path: &path });
            }
            return;
        }
        self.inner(inner, &path, value, old_value);
    }

    pub(super) fn dependent(
        &mut self,
        (trigger, dependent): (FieldIx, FieldIx),
        (trigger_name, dependent_name): (&Str, &Str),
        required: bool,
        path: &Path<'_>,
        new: Val<'_>,
        old: Val<'_>,
    ) {
        let Some(holder) = new else { return };
        let state = |run: &Self, holder| {
            (
                run.member_is_set(trigger, Some(holder)),
                run.member_is_set(dependent, Some(holder)),
            )
        };
        let now = state(self, holder);
        if self.is_update() && old.is_some_and(|old| state(self, old) == now) {
            return;
        }
        let path = path.child(dependent_name);
        let empty = || BadValue::Text("".into());
        match (required, now) {
            (true, (true, false)) => self.report(&path, ErrorKind::Required, "dependentRequired", || {
                (empty(), Detail::SetWhen(trigger_name.clone()))
            }),
            (false, (true, true)) => self.report(&path, ErrorKind::Forbidden, "dependentForbidden", || {
                (empty(), Detail::NotSetWhen(trigger_name.clone()))
            }),
            _ => {}
        }
    }

    fn member_is_set(&self, field: FieldIx, holder: Val<'_>) -> bool {
        let field = self.plan.field(field);
        let value = holder.and_then(|holder| self.plan.member(field, holder));
        self.plan.is_set(field.slot, value)
    }

    pub(super) fn union(&mut self, union: &UnionCheck, path: &Path<'_>, new: Val<'_>, old: Val<'_>) {
        let count = union.members.len();
        let unchanged = self.is_update()
            && has_old_value(union, old)
            && self.discriminator(union, new) == self.discriminator(union, old)
            && (0..count).all(|index| {
                self.union_member_is_set(union, index, new) == self.union_member_is_set(union, index, old)
            });
        if unchanged {
            return;
        }
        if union.discriminator.is_some() {
            return self.discriminated(union, path, new);
        }
        let set = (0..count)
            .filter(|&index| self.union_member_is_set(union, index, new))
            .count();
        let verdict = match (set, union.zero_or_one) {
            (0, false) => UnionVerdict::None,
            (0 | 1, _) => return,
            (_, false) => UnionVerdict::Several,
            (_, true) => UnionVerdict::MoreThanOne,
        };
        let origin = if union.zero_or_one { "zeroOrOneOf" } else { "union" };
        let given: Vec<&str> = (0..count)
            .filter(|&index| self.union_member_is_set(union, index, new))
            .filter_map(|index| Some(&*union.names.get(index)?.0))
            .collect();
        self.report(path, ErrorKind::Invalid, origin, || {
            let bad = match verdict {
                UnionVerdict::None => String::new(),
                _ => format!("{{{}}}", given.join(", ")),
            };
            let members = union.names.iter().map(|(name, _)| name.clone()).collect();
            (BadValue::Text(bad.into()), Detail::Union { verdict, members })
        });
    }

    fn discriminated(&mut self, union: &UnionCheck, path: &Path<'_>, new: Val<'_>) {
        let Some((name, _)) = &union.discriminator else {
            return;
        };
        let chosen = self.discriminator(union, new);
        for (index, (member, value)) in union.names.iter().enumerate() {
            let is_set = self.union_member_is_set(union, index, new);
            let is_chosen = chosen == &**value;
            let empty = BadValue::Text("".into());
            let discriminator = name.clone();
            match (is_set, is_chosen) {
                (true, false) => self.report(&path.child(member), ErrorKind::Invalid, "union", || {
                    let value = value.clone();
                    (empty, Detail::OnlyWhen { discriminator, value })
                }),
                (false, true) => self.report(&path.child(member), ErrorKind::Invalid, "union", || {
                    let value = chosen.into();
                    (empty, Detail::MustWhen { discriminator, value })
                }),
                _ => {}
            }
        }
    }

    fn discriminator<'a>(&self, union: &UnionCheck, holder: Val<'a>) -> &'a str {
        let (Some((_, field)), Some(holder)) = (&union.discriminator, holder) else {
            return "";
        };
        self.plan.member(self.plan.field(*field), holder).map_or("", text)
    }

    fn union_member_is_set(&self, union: &UnionCheck, index: usize, holder: Val<'_>) -> bool {
        match &union.members {
            UnionMembers::Fields(fields) => self.member_is_set(fields[index], holder),
            UnionMembers::Items { element, selectors } => self
                .plan
                .select(*element, &selectors[index], items(holder))
                .is_some(),
            UnionMembers::Routes(routes) => self.leads_to_set(&routes[index], holder),
        }
    }

    /// Whether a way below a struct leads to a value that is set.
    fn leads_to_set(&self, route: &[RouteStep], here: Val<'_>) -> bool {
        let plan = self.plan;
        let Some((step, rest)) = route.split_first() else {
            return false;
        };
        match step {
            RouteStep::Field(field) if rest.is_empty() => self.member_is_set(*field, here),
            RouteStep::Field(field) => {
                let below = here.and_then(|here| plan.member(plan.field(*field), here));
                self.leads_to_set(rest, below)
            }
            RouteStep::Item { element, selector } => {
                let found = plan.select(*element, selector, items(here));
                found.is_some_and(|(_, item)| rest.is_empty() || self.leads_to_set(rest, Some(item)))
            }
            RouteStep::Each(element) => match here {
                Some(Value::Array(items)) => items
                    .iter()
                    .any(|item| self.leads_to_set(rest, plan.element(*element, *item))),
                Some(Value::Object(entries)) => entries
                    .values()
                    .any(|entry| self.leads_to_set(rest, plan.element(*element, entry))),
                _ => false,
            },
        }
    }

    pub(super) fn mode(&mut self, mode: &ModeCheck, path: &Path<'_>, new: Val<'_>, old: Val<'_>) {
        let plan = self.plan;
        let Some(holder) = new else { return };
        let (discriminator, field) = (plan.field(mode.discriminator), plan.field(mode.field));
        let value = plan.member(field, holder);
        let old_value = old.and_then(|old| plan.member(field, old));
        let chosen = plan.member(discriminator, holder);
        let unchanged = old.is_some_and(|old| {
            equal(plan, discriminator.slot, chosen, plan.member(discriminator, old))
                && equal(plan, field.slot, value, old_value)
        });
        if self.is_update() && unchanged {
            return;
        }
        let path = path.child(&mode.name);
        let is_bool = matches!(
            plan.node(discriminator.slot.node).shape,
            NodeShape::Scalar(Scalar::Bool)
        );
        let chosen = mode_text(chosen, is_bool);
        match mode.rules.iter().find(|(value, _)| **value == *chosen) {
            Some((_, program)) => self.mode_rules(*program, &path, value, old_value),
            None if plan.is_set(field.slot, value) => {
                let before = self.errors.len();
                self.report(&path, ErrorKind::Forbidden, "", || {
                    (BadValue::Text("".into()), Detail::None)
                });
                mark(&mut self.errors[before..], mode.forbidden_level);
            }
            None => {}
        }
    }

    /// Runs the rules of one mode in written order. A short circuit takes effect after the last rule; earlier
    /// rules have run by then.
    fn mode_rules(&mut self, program: Program, path: &Path<'_>, new: Val<'_>, old: Val<'_>) {
        let outer_rule = self.rule;
        let mut failed = false;
        for step in self.plan.steps(program) {
            self.rule = step.rule;
            let before = self.errors.len();
            let fails = self.step(step.check, step.non_error, path, new, old);
            mark(&mut self.errors[before..], step.level);
            failed |= step.short_circuit && fails;
            if step.gate && failed {
                break;
            }
        }
        self.rule = outer_rule;
    }
}

impl UnionMembers {
    fn len(&self) -> usize {
        match self {
            Self::Fields(fields) => fields.len(),
            Self::Items { selectors, .. } => selectors.len(),
            Self::Routes(routes) => routes.len(),
        }
    }
}

/// Whether there was an old value: a pointer or list that is not nil, even if empty.
fn has_old_value(union: &UnionCheck, old: Val<'_>) -> bool {
    match &union.members {
        UnionMembers::Fields(_) | UnionMembers::Routes(_) => old.is_some(),
        UnionMembers::Items { .. } => matches!(old, Some(Value::Array(_))),
    }
}

fn mode_text(chosen: Val<'_>, is_bool: bool) -> &str {
    match chosen {
        Some(Value::Bool(true)) => "true",
        _ if is_bool => "false",
        Some(value) => text(value),
        None => "",
    }
}
