//! Bounds taken from another field. They ratchet on their own: only a change of the compared values matters.

use kindsmith_json::{Path, Value};

use super::Run;
use super::leaf::{is_above, is_below};
use crate::plan::{CompareCheck, FieldIx, Number, Plan, RouteStep, Slot};
use crate::value::{Val, bad_value, entries, equal, integer, items};
use kindsmith_object::Trace;
use kindsmith_object::{Detail, ErrorKind};

impl<T: Trace> Run<'_, T> {
    pub(super) fn compare(&mut self, check: &CompareCheck, path: &Path<'_>, new: Val<'_>, old: Val<'_>) {
        let plan = self.plan;
        let Some(holder) = new else { return };
        let field = plan.field(check.field);
        let value = plan.member(field, holder);
        let limit = plan.follow(&check.limit, holder);
        if self.is_update()
            && let (Some(old), Some(limit_field)) = (old, check.limit.last())
            && equal(plan, field.slot, value, plan.member(field, old))
            && equal(
                plan,
                plan.field(*limit_field).slot,
                limit,
                plan.follow(&check.limit, old),
            )
        {
            return;
        }
        let Some(limit) = limit else { return };
        let path = path.child(&field.name);
        self.bounds(check, &check.below, field.slot, &path, value, limit);
    }

    /// Checks all values that a way leads to.
    fn bounds(
        &mut self,
        check: &CompareCheck,
        way: &[RouteStep],
        slot: Slot,
        path: &Path<'_>,
        value: Val<'_>,
        limit: Value<'_>,
    ) {
        let plan = self.plan;
        let Some((step, rest)) = way.split_first() else {
            return self.bound(check, slot, path, value, limit);
        };
        match step {
            RouteStep::Field(field) => {
                let field = plan.field(*field);
                let below = value.and_then(|value| plan.member(field, value));
                self.bounds(check, rest, field.slot, &path.child(&field.name), below, limit);
            }
            RouteStep::Item { element, selector } => {
                if let Some((index, item)) = plan.select(*element, selector, items(value)) {
                    self.bounds(check, rest, *element, &path.index(index), Some(item), limit);
                }
            }
            RouteStep::Each(element) => {
                for (index, &item) in items(value).iter().enumerate() {
                    let item = plan.element(*element, item);
                    self.bounds(check, rest, *element, &path.index(index), item, limit);
                }
                if let Some(Value::Object(_)) = value {
                    for (key, entry) in entries(value) {
                        let entry = plan.element(*element, entry);
                        self.bounds(check, rest, *element, &path.key(key), entry, limit);
                    }
                }
            }
        }
    }

    fn bound(&mut self, check: &CompareCheck, slot: Slot, path: &Path<'_>, value: Val<'_>, limit: Value<'_>) {
        let plan = self.plan;
        let Some(value) = value else { return };
        let number = match limit {
            Value::Float(limit) => Number::Float(limit),
            limit => Number::Int(integer(limit)),
        };
        let (fails, origin, detail): (_, _, fn(_) -> _) = match (check.at_least, check.exclusive) {
            (true, false) => (is_below(value, number, false), "minimum", Detail::AtLeast),
            (true, true) => (is_below(value, number, true), "minimum", Detail::Above),
            (false, false) => (is_above(value, number, false), "maximum", Detail::AtMost),
            (false, true) => (is_above(value, number, true), "maximum", Detail::Below),
        };
        if fails {
            self.report(path, ErrorKind::Invalid, origin, || {
                (bad_value(plan, slot.node, value), detail(number.text()))
            });
        }
    }
}

impl Plan {
    /// The value at the end of a chain of members.
    fn follow<'a>(&self, fields: &[FieldIx], holder: Value<'a>) -> Val<'a> {
        fields
            .iter()
            .try_fold(holder, |holder, field| self.member(self.field(*field), holder))
    }
}
