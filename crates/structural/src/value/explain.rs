//! The errors of a value, with upstream's order and messages. Runs only if the quick check fails.
//!
//! Follows `SchemaValidator.Validate` (kube-openapi, validate/schema.go), and `ratchetingValueValidator`
//! (apiextensions-apiserver, validation/ratcheting.go) where there is an old value.

use kindsmith_gostd::budget;
use kindsmith_json::{Object, Path, Value};
use kindsmith_object::Keyword;

use super::fault::{Faults, Site};
use super::name::Name;
use super::number::GoNumber;
use super::plan::{Additional, Junctors, List, Members, Node, NodeId, ValuePlan};
use super::types::Kind;
use crate::layout::StructuralSchema;
use crate::ratchet::Pair;

/// State of one search for errors.
pub(super) struct Explain<'e> {
    pub(super) plan: &'e ValuePlan,
    /// Correlates old and new values; `None` if there are no old ones.
    pub(super) structure: Option<&'e StructuralSchema>,
    /// The path of the root value.
    pub(super) base: &'e Path<'e>,
}

/// A value to check.
struct Look<'e, 'v> {
    value: Value<'v>,
    name: &'e Name<'e>,
    /// The value with its old value, if it has one.
    pair: Option<&'e Pair<'v>>,
}

/// Results of a check besides errors.
#[derive(Debug, Clone, Copy, Default)]
struct Found {
    /// Upstream's measure of how much matched, used to choose the best of several failures.
    matched: u64,
    failed: bool,
}

impl Found {
    fn add(&mut self, other: Found) {
        self.matched += other.matched;
        self.failed |= other.failed;
    }

    fn applied(&mut self, other: Found) {
        self.add(other);
        self.matched += 1;
    }

    fn fail(&mut self, out: &mut Faults, fault: super::fault::Fault<'_>) {
        self.failed = true;
        out.add(fault);
    }
}

/// Children of a pair that are known to be unchanged.
#[derive(Default)]
struct Known {
    changed: bool,
}

impl Known {
    /// Records that a failed child is changed; then its parent is too.
    fn note(&mut self, found: Found, child: Option<&Pair<'_>>) {
        self.changed |= found.failed && child.is_some();
    }
}

impl Explain<'_> {
    /// Reports the errors of a value and everything below.
    pub(super) fn run(&self, id: NodeId, value: Value<'_>, pair: Option<&Pair<'_>>, out: &mut Faults) {
        let name = &Name::ROOT;
        self.value(id, &Look { value, name, pair }, out);
    }

    fn value(&self, id: NodeId, look: &Look<'_, '_>, out: &mut Faults) -> Found {
        budget::spend(1);
        let before = out.len();
        let mut known = Known::default();
        let mut found = self.checks(self.plan.node(id), look, &mut known, out);
        if !found.failed {
            return found;
        }
        if let (Some(pair), Some(structure)) = (look.pair, self.structure) {
            if known.changed {
                pair.settle(false);
            }
            // An unchanged value is accepted, whatever the schema says now.
            if pair.unchanged(structure) {
                out.truncate(before);
                found.failed = false;
            }
        }
        found
    }

    fn checks(&self, node: &Node, look: &Look<'_, '_>, known: &mut Known, out: &mut Faults) -> Found {
        let mut found = Found::default();
        let types = self.plan.types(node);
        if look.value.is_null() {
            found.add(self.kind(node, look, out));
            found.add(self.listed(node, look, out));
            return found;
        }
        if types.apply() {
            found.applied(self.kind(node, look, out));
        }
        found.applied(self.junctors(node, look, out));
        match look.value {
            Value::Null | Value::Bool(_) => {}
            Value::Str(text) => {
                found.applied(self.text(node, look, text, out));
                if node.format.is_some() {
                    found.applied(self.format(node, look, text, out));
                }
            }
            Value::Int(int) => found.applied(self.number(node, look, GoNumber::Int(int), out)),
            Value::Uint(int) => found.applied(self.number(node, look, GoNumber::Float(int as f64), out)),
            Value::Float(float) => found.applied(self.number(node, look, GoNumber::Float(float), out)),
            Value::Array(items) => found.applied(self.list(node, look, items, known, out)),
            Value::Object(_) => {}
        }
        found.applied(self.listed(node, look, out));
        if let Value::Object(object) = look.value {
            found.applied(self.object(node, look, object, known, out));
        }
        found.matched += 1;
        found
    }

    fn site<'l>(&'l self, name: &'l Name<'l>) -> Site<'l> {
        let base = self.base;
        Site { base, name }
    }

    fn kind(&self, node: &Node, look: &Look<'_, '_>, out: &mut Faults) -> Found {
        let mut found = Found::default();
        match self.plan.types(node).mismatch(Kind::of(look.value)) {
            Some(mismatch) => found.fail(out, self.site(look.name).wrong_type(mismatch)),
            None => found.matched = 1,
        }
        found
    }

    fn text(&self, node: &Node, look: &Look<'_, '_>, text: &str, out: &mut Faults) -> Found {
        let mut found = Found::default();
        if let Some(fault) = self.plan.text(node).and_then(|check| check.fault(text)) {
            found.fail(out, self.site(look.name).text(fault, text));
        }
        found
    }

    fn format(&self, node: &Node, look: &Look<'_, '_>, text: &str, out: &mut Faults) -> Found {
        let mut found = Found::default();
        if node.format.is_some_and(|format| !format.passes(text)) {
            let written = &self.plan.types(node).format;
            found.fail(out, self.site(look.name).wrong_format(written, text));
        }
        found
    }

    fn number(&self, node: &Node, look: &Look<'_, '_>, number: GoNumber, out: &mut Faults) -> Found {
        let mut found = Found::default();
        if let Some(check) = self.plan.number(node) {
            check.faults(number, |fault| {
                found.fail(out, self.site(look.name).number(fault));
            });
        }
        found.matched += 1;
        found
    }

    fn listed(&self, node: &Node, look: &Look<'_, '_>, out: &mut Faults) -> Found {
        let mut found = Found::default();
        if let Some(enumeration) = self.plan.enumeration(node)
            && !enumeration.allows(look.value)
        {
            found.fail(out, self.site(look.name).not_listed(enumeration, look.value));
        }
        found
    }

    fn list(
        &self,
        node: &Node,
        look: &Look<'_, '_>,
        items: &[Value<'_>],
        known: &mut Known,
        out: &mut Faults,
    ) -> Found {
        let mut found = Found::default();
        if let Some(list) = self.plan.list(node) {
            found.add(self.items(list, look, known, out));
            self.sizes(list, look, items, &mut found, out);
        }
        found.matched += 1;
        found
    }

    fn items(&self, list: &List, look: &Look<'_, '_>, known: &mut Known, out: &mut Faults) -> Found {
        let mut found = Found::default();
        let (Some(item), Some(items)) = (list.item, look.value.as_array()) else {
            return found;
        };
        let elements = look
            .pair
            .zip(self.structure)
            .and_then(|(pair, structure)| pair.elements(structure));
        for (index, &value) in items.iter().enumerate() {
            let name = &look.name.index(index);
            let pair = elements.as_ref().and_then(|elements| elements.find(value));
            let pair = pair.as_ref();
            let child = self.value(item, &Look { value, name, pair }, out);
            known.note(child, pair);
            found.add(child);
        }
        found
    }

    fn sizes(
        &self,
        list: &List,
        look: &Look<'_, '_>,
        items: &[Value<'_>],
        found: &mut Found,
        out: &mut Faults,
    ) {
        let site = self.site(look.name);
        let count = items.len();
        if let Some(min) = list.min.filter(|&min| (count as i64) < min) {
            found.fail(out, site.too_few(Keyword::MinItems, count, min));
        }
        if let Some(max) = list.max.filter(|&max| count as i64 > max) {
            found.fail(out, site.too_many("items", count, max));
        }
        if list.unique && super::has_repetition(items) {
            found.fail(out, site.repeated());
        }
    }

    fn object(
        &self,
        node: &Node,
        look: &Look<'_, '_>,
        object: Object<'_>,
        known: &mut Known,
        out: &mut Faults,
    ) -> Found {
        let mut found = Found::default();
        let Some(members) = self.plan.object(node) else {
            return found;
        };
        let site = self.site(look.name);
        let count = object.len();
        if let Some(min) = members.min.filter(|&min| (count as i64) < min) {
            found.fail(out, site.too_few(Keyword::MinProperties, count, min));
        }
        if let Some(max) = members.max.filter(|&max| count as i64 > max) {
            found.fail(out, site.too_many("properties", count, max));
        }
        found.add(self.additional(members, look, known, out));
        found.add(self.properties(members, look, known, out));
        for &name in &members.required_names {
            let key = self.plan.word(name);
            if !object.contains_key(key) {
                found.fail(out, self.site(&look.name.dotted(key)).required());
            }
        }
        found
    }

    fn additional(
        &self,
        members: &Members,
        look: &Look<'_, '_>,
        known: &mut Known,
        out: &mut Faults,
    ) -> Found {
        let mut found = Found::default();
        let (Value::Object(object), true) = (look.value, members.additional != Additional::Free) else {
            return found;
        };
        let mut hint = 0;
        for (key, value) in object {
            if self.plan.property_of(members, key, &mut hint).is_some() {
                continue;
            }
            match members.additional {
                Additional::Free => {}
                Additional::Refused => found.fail(out, self.site(look.name).forbidden(key)),
                Additional::Node(node) => {
                    let name = &look.name.dotted(key);
                    found.add(self.member(node, look, (key, value), name, known, out));
                }
            }
        }
        found
    }

    fn properties(
        &self,
        members: &Members,
        look: &Look<'_, '_>,
        known: &mut Known,
        out: &mut Faults,
    ) -> Found {
        let mut found = Found::default();
        for property in members.in_order() {
            let key = self.plan.word(property.name);
            if let Some(value) = look.value.get(key) {
                let name = &look.name.property(key);
                found.add(self.member(property.node, look, (key, value), name, known, out));
            }
        }
        found
    }

    fn member<'v>(
        &self,
        node: NodeId,
        parent: &Look<'_, 'v>,
        (key, value): (&str, Value<'v>),
        name: &Name<'_>,
        known: &mut Known,
        out: &mut Faults,
    ) -> Found {
        // Changes of these fields do not count: both objects were converted to the same version.
        let type_meta = parent.name.is_empty() && matches!(key, "apiVersion" | "kind");
        let pair = parent
            .pair
            .zip(self.structure)
            .filter(|_| !type_meta)
            .and_then(|(pair, structure)| pair.key(structure, key));
        let pair = pair.as_ref();
        let found = self.value(node, &Look { value, name, pair }, out);
        known.note(found, pair);
        found
    }

    /// Schemas inside junctors are checked without old values: only the whole can be excused.
    fn junctors(&self, node: &Node, look: &Look<'_, '_>, out: &mut Faults) -> Found {
        let mut found = Found::default();
        if let Some(junctors) = self.plan.junctors(node) {
            self.any(junctors, look, &mut found, out);
            self.one(junctors, look, &mut found, out);
            self.all(junctors, look, &mut found, out);
            if junctors
                .not
                .is_some_and(|branch| self.plan.passes(branch, look.value))
            {
                found.fail(out, self.site(look.name).refused());
            }
        }
        found.matched += 1;
        found
    }

    fn branch(&self, id: NodeId, look: &Look<'_, '_>) -> (Found, Faults) {
        let mut faults = Faults::default();
        let alone = Look {
            value: look.value,
            name: look.name,
            pair: None,
        };
        let found = self.value(id, &alone, &mut faults);
        (found, faults)
    }

    fn any(&self, junctors: &Junctors, look: &Look<'_, '_>, found: &mut Found, out: &mut Faults) {
        let mut best: Option<(Found, Faults)> = None;
        for &branch in &junctors.any {
            let (this, faults) = self.branch(branch, look);
            if !this.failed {
                found.matched += this.matched;
                return;
            }
            keep_better(&mut best, this, faults);
        }
        if let Some((this, faults)) = best {
            found.fail(out, self.site(look.name).none_of_any());
            found.add(this);
            out.append(faults);
        }
    }

    fn one(&self, junctors: &Junctors, look: &Look<'_, '_>, found: &mut Found, out: &mut Faults) {
        if junctors.one.is_empty() {
            return;
        }
        let mut best: Option<(Found, Faults)> = None;
        let (mut valid, mut first) = (0, None);
        for &branch in &junctors.one {
            let (this, faults) = self.branch(branch, look);
            if !this.failed {
                valid += 1;
                first = first.or(Some(this));
            } else if valid == 0 {
                keep_better(&mut best, this, faults);
            }
        }
        match (valid, first) {
            (1, Some(first)) => found.add(first),
            _ => found.fail(out, self.site(look.name).not_one(valid)),
        }
        if let (0, Some((this, faults))) = (valid, best) {
            found.add(this);
            out.append(faults);
        }
    }

    fn all(&self, junctors: &Junctors, look: &Look<'_, '_>, found: &mut Found, out: &mut Faults) {
        let mut valid = 0;
        for &branch in &junctors.all {
            let (this, faults) = self.branch(branch, look);
            valid += usize::from(!this.failed);
            found.add(this);
            out.append(faults);
        }
        if valid != junctors.all.len() {
            found.fail(out, self.site(look.name).not_all(valid));
        }
    }
}

/// Of several failures, the first with the most matches is reported.
fn keep_better(best: &mut Option<(Found, Faults)>, this: Found, faults: Faults) {
    if best
        .as_ref()
        .is_none_or(|(known, _)| this.matched > known.matched)
    {
        *best = Some((this, faults));
    }
}
