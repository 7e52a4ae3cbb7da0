//! Validation: runs a plan's programs over an object and its old version.
//!
//! Mirrors the code that validation-gen emits: fields equal to their old value are skipped, checks run cohort
//! by cohort, and values that pass cause no work. Must not know tags.

mod collection;
mod compare;
mod leaf;
mod null_items;
mod structure;
mod update;

use std::borrow::Cow;

use kindsmith_checks::Profile;
use kindsmith_formats::format::grammar::is_label;
use kindsmith_formats::limit;
use kindsmith_gostd::budget::Batch;
use kindsmith_json::{Path, Value};
use kindsmith_schema::{Level, Place, Str};

use crate::change::{Change, CustomChecks, Operation};
use crate::plan::{
    Active, Check, CheckId, FieldIx, Inner, MAX_DEPTH, NodeId, NodeShape, OptionIx, Plan, Program, Quick,
    Step,
};
use crate::value::{Val, equal, get_near};
use kindsmith_object::{BadValue, Detail, ErrorKind, FieldError};
use kindsmith_object::{Event, NoTrace, Trace};

impl Plan {
    /// Validates an object; on update only the changed parts.
    ///
    /// The object should fit its type (check with [`decode`](Plan::decode)); parts that do not fit count as
    /// absent. Errors come in the order in which Kubernetes reports them, map entries in the order of the
    /// object.
    #[must_use]
    pub fn validate(&self, change: &Change<'_, '_>) -> Vec<FieldError> {
        self.validate_traced(change, &mut NoTrace)
    }

    /// Whether objects of the type are validated in writes of a subresource, such as `/scale`.
    #[must_use]
    pub fn supports(&self, subresource: &str) -> bool {
        self.subresources.iter().any(|path| **path == *subresource)
    }

    /// Validates an object and reports each step to the trace.
    pub fn validate_traced<T: Trace>(&self, change: &Change<'_, '_>, trace: &mut T) -> Vec<FieldError> {
        let subresource = subresource_path(change.subresources);
        let options = self.resolve_options(change);
        let mut run = Run {
            plan: self,
            operation: change.operation,
            options: &options,
            subresource: &subresource,
            custom: change.custom,
            errors: Vec::new(),
            failures: 0,
            silent: 0,
            rule: None,
            depth: 0,
            batch: Batch::default(),
            trace,
        };
        if self.supports(&subresource) {
            let old = change.old.filter(|_| change.operation == Operation::Update);
            if self.profile == Profile::Kep {
                run.null_items(self.root, &Path::NIL, change.new, old);
            }
            run.type_function(self.root, &Path::NIL, Some(change.new), old);
        } else {
            let detail = Detail::NoValidation {
                ty: self.go_name.clone(),
                subresource: subresource.as_ref().into(),
            };
            run.report(&Path::NIL, ErrorKind::Internal, "", || {
                (BadValue::Failure, detail)
            });
        }
        run.errors
    }

    fn resolve_options(&self, change: &Change<'_, '_>) -> Vec<Option<bool>> {
        let get = |name: &Str| change.options.and_then(|options| options.get(name));
        self.options.iter().map(get).collect()
    }
}

fn subresource_path<'c>(parts: &[&'c str]) -> Cow<'c, str> {
    match parts {
        [] => Cow::Borrowed("/"),
        parts => Cow::Owned(format!("/{}", parts.join("/"))),
    }
}

/// Where the last field was found, in the object and in its old self.
#[derive(Default)]
struct Near {
    new: usize,
    old: usize,
}

/// State of one validation run.
struct Run<'r, T> {
    plan: &'r Plan,
    operation: Operation,
    options: &'r [Option<bool>],
    subresource: &'r str,
    custom: Option<&'r dyn CustomChecks>,
    errors: Vec<FieldError>,
    /// Failures so far, including silent ones.
    failures: usize,
    /// While this is above zero, failures are counted but not reported.
    silent: usize,
    /// The rule that is running.
    rule: Option<Place>,
    depth: usize,
    batch: Batch,
    trace: &'r mut T,
}

impl<T: Trace> Run<'_, T> {
    fn is_update(&self) -> bool {
        self.operation == Operation::Update
    }

    /// Runs the generated function of a type.
    fn type_function(&mut self, node: NodeId, path: &Path<'_>, new: Val<'_>, old: Val<'_>) {
        let plan = self.plan;
        let node = plan.node(node);
        let members = match &node.shape {
            NodeShape::Struct(members) if !node.opaque => Some(members),
            _ => None,
        };
        // Upstream reads members of a nil pointer here and panics; we validate nothing.
        if new.is_none() && members.is_some_and(|members| !members.active.is_empty()) {
            return;
        }
        if self.depth >= MAX_DEPTH {
            return;
        }
        self.depth += 1;
        if node.program.len == 0 || self.program(node.program, path, new, old) {
            self.iterate(node.keys, path, new, old);
            self.iterate(node.values, path, new, old);
            if let (Some(members), Some(holder)) = (members, new) {
                self.batch.spend(members.active.len() as u64);
                let mut near = Near::default();
                for active in &members.active {
                    if T::ON || !active.passes(holder, &mut near.new) {
                        self.field(active.field, path, holder, old, &mut near);
                    }
                }
            }
        }
        self.depth -= 1;
    }

    fn field(
        &mut self,
        ix: FieldIx,
        path: &Path<'_>,
        holder: Value<'_>,
        old_holder: Val<'_>,
        near: &mut Near,
    ) {
        let plan = self.plan;
        let field = plan.field(ix);
        let new = plan.member_near(field, holder, &mut near.new);
        let old = old_holder.and_then(|holder| plan.member_near(field, holder, &mut near.old));
        let child;
        let path = match (&*field.name, path.is_nil()) {
            ("", true) => {
                child = path.child(&field.root_name);
                &child
            }
            ("", false) => path,
            (name, _) => {
                child = path.child(name);
                &child
            }
        };
        if self.is_update() && old_holder.is_some() && equal(plan, field.slot, new, old) {
            if T::ON {
                self.trace.event(Event::Unchanged { path });
            }
            return;
        }
        if field.program.len > 0 && !self.program(field.program, path, new, old) {
            return;
        }
        if field.calls_type
            && (T::ON || !new.is_some_and(|new| plan.passes_at_a_glance(field.slot.node, new)))
        {
            self.type_function(field.slot.node, path, new, old);
        }
        self.iterate(field.keys, path, new, old);
        self.iterate(field.values, path, new, old);
    }

    fn iterate(&mut self, check: Option<CheckId>, path: &Path<'_>, new: Val<'_>, old: Val<'_>) {
        if let Some(check) = check {
            self.check(check, path, new, old);
        }
    }

    /// Runs cohorts in order; false when a short circuit ends all checks.
    fn program(&mut self, program: Program, path: &Path<'_>, new: Val<'_>, old: Val<'_>) -> bool {
        let outer_rule = self.rule;
        let mut failed = false;
        let mut skipped_cohort = None;
        let mut goes_on = true;
        for step in self.plan.steps(program) {
            if skipped_cohort == Some(step.cohort) {
                continue;
            }
            if skipped_cohort.take().is_some() {
                failed = false;
            }
            if !step.quick.passes(new) {
                failed |= self.marked_step(step, path, new, old) && step.short_circuit;
            }
            if step.gate && std::mem::take(&mut failed) {
                if step.cohort == 0 {
                    goes_on = false;
                    break;
                }
                skipped_cohort = Some(step.cohort);
            }
        }
        self.rule = outer_rule;
        goes_on
    }

    /// Runs a step and sets the level of its errors; returns whether it failed.
    fn marked_step(&mut self, step: &Step, path: &Path<'_>, new: Val<'_>, old: Val<'_>) -> bool {
        self.rule = step.rule;
        let before = self.errors.len();
        let fails = self.step(step.check, step.non_error, path, new, old);
        if self.errors.len() > before {
            mark(&mut self.errors[before..], step.level);
            for error in &mut self.errors[before..] {
                error.short_circuit |= step.short_circuit;
            }
        }
        fails
    }

    /// Runs a check, silently if requested; returns whether it failed.
    fn step(&mut self, check: CheckId, silent: bool, path: &Path<'_>, new: Val<'_>, old: Val<'_>) -> bool {
        let failures = self.failures;
        self.silent += usize::from(silent);
        self.check(check, path, new, old);
        self.silent -= usize::from(silent);
        let fails = self.failures > failures;
        if T::ON && silent && fails {
            self.trace.event(Event::Stopped {
                path,
                rule: self.rule,
            });
        }
        fails
    }

    fn inner(&mut self, inner: Inner, path: &Path<'_>, new: Val<'_>, old: Val<'_>) {
        let before = self.errors.len();
        self.check(inner.check, path, new, old);
        mark(&mut self.errors[before..], inner.level);
    }

    fn check(&mut self, id: CheckId, path: &Path<'_>, new: Val<'_>, old: Val<'_>) {
        let plan = self.plan;
        match plan.check(id) {
            Check::Leaf { leaf, slot, options } => self.leaf(leaf, *slot, options, path, new, old),
            Check::TypeFunction(node) => self.type_function(*node, path, new, old),
            Check::EachElement {
                element,
                matching,
                inner,
            } => self.each_element(*element, matching, *inner, path, new, old),
            Check::EachEntry { value, inner } => self.each_entry(*value, *inner, path, new, old),
            Check::EachKey(inner) => self.each_key(*inner, path, new, old),
            Check::Subfield { field, name, inner } => self.subfield(*field, name, *inner, path, new, old),
            Check::Item {
                element,
                selector,
                inner,
            } => self.item(*element, selector, *inner, path, new, old),
            Check::IfOption {
                option,
                enabled,
                inner,
            } => self.if_option(*option, *enabled, *inner, path, new, old),
            Check::IfSubresource {
                path: at,
                matches,
                inner,
            } => {
                if (self.subresource == &**at) == *matches {
                    self.inner(*inner, path, new, old);
                }
            }
            Check::Unique { element, matching } => self.unique(*element, matching, path, new),
            Check::Update {
                slot,
                constraints,
                matching,
            } => self.update(*slot, constraints, matching, path, new, old),
            Check::ItemUpdate {
                element,
                selector,
                constraints,
            } => self.item_update(*element, selector, constraints, path, new, old),
            Check::ImmutableItems { slot, matching } => self.immutable_items(*slot, matching, path, new, old),
            Check::Union(union) => self.union(union, path, new, old),
            Check::Dependent {
                trigger,
                trigger_name,
                dependent,
                dependent_name,
                required,
            } => {
                let names = (trigger_name, dependent_name);
                self.dependent((*trigger, *dependent), names, *required, path, new, old);
            }
            Check::Mode(mode) => self.mode(mode, path, new, old),
            Check::Compare(compare) => self.compare(compare, path, new, old),
        }
    }

    fn if_option(
        &mut self,
        option: OptionIx,
        enabled: bool,
        inner: Inner,
        path: &Path<'_>,
        new: Val<'_>,
        old: Val<'_>,
    ) {
        match self.options[option.0 as usize] {
            Some(on) if on == enabled => self.inner(inner, path, new, old),
            Some(_) => {}
            None => self.undefined_option(option, path),
        }
    }

    fn undefined_option(&mut self, option: OptionIx, path: &Path<'_>) {
        let name = self.plan.options[option.0 as usize].clone();
        self.report(path, ErrorKind::Internal, "", || {
            (BadValue::Failure, Detail::UndefinedOption(name))
        });
    }

    /// Reports a failure. The bad value is built only if the error is reported.
    fn report(
        &mut self,
        path: &Path<'_>,
        kind: ErrorKind,
        origin: impl Into<Cow<'static, str>>,
        shown: impl FnOnce() -> (BadValue, Detail),
    ) {
        self.failures += 1;
        if self.silent > 0 {
            return;
        }
        let (bad, detail) = shown();
        let error = FieldError {
            origin: origin.into(),
            rule: self.rule,
            ..FieldError::new(kind, path.to_owned(), bad, detail)
        };
        if T::ON {
            self.trace.event(Event::Failed { error: &error });
        }
        self.errors.push(error);
    }

    /// Reports an `Invalid` with a fixed text.
    fn invalid_nil(&mut self, path: &Path<'_>, origin: &'static str, text: &'static str) {
        self.report(path, ErrorKind::Invalid, origin, || {
            (BadValue::Nil, Detail::Text(text.into()))
        });
    }
}

impl Plan {
    /// Is an element certain to pass its type's function?
    #[inline]
    fn passes_at_a_glance(&self, node: NodeId, item: Value<'_>) -> bool {
        let NodeShape::Struct(members) = &self.node(node).shape else {
            return false;
        };
        let mut near = 0;
        members.glance && members.active.iter().all(|active| active.passes(item, &mut near))
    }
}

impl Active {
    /// Is the field certain to pass, whatever its old value? Then neither its path nor its old value is
    /// needed.
    #[inline]
    fn passes(&self, holder: Value<'_>, near: &mut usize) -> bool {
        let (Some(key), false, Value::Object(object)) = (&self.key, self.glance.is_empty(), holder) else {
            return false;
        };
        let before = *near;
        let value = match get_near(object, key, near) {
            None | Some(Value::Null) if self.pointer => None,
            None => Some(Value::Null),
            value => value,
        };
        let passes = self.glance.iter().all(|quick| quick.passes(value));
        if !passes {
            *near = before;
        }
        passes
    }
}

impl Quick {
    /// Is the value certain to pass?
    #[inline]
    fn passes(self, value: Val<'_>) -> bool {
        match (self, value) {
            (Self::NotNil, value) => value.is_some(),
            (Self::Text, Some(Value::Str(text))) => !text.is_empty(),
            (Self::NonZero, Some(Value::Int(number))) => number != 0,
            (Self::NonEmpty, Some(Value::Array(items))) => !items.is_empty(),
            (Self::NonEmpty, Some(Value::Object(object))) => !object.is_empty(),
            (Self::Label, Some(Value::Str(text))) => text.len() <= limit::LABEL && is_label(text),
            (Self::AtMostBytes(limit), Some(Value::Str(text))) => text.len() <= limit as usize,
            (Self::AtMostItems(limit), Some(Value::Array(items))) => items.len() <= limit as usize,
            (Self::AtMostItems(limit), Some(Value::Object(object))) => object.len() <= limit as usize,
            (Self::AtLeast(limit), Some(Value::Int(number))) => number >= limit,
            (Self::AtMost(limit), Some(Value::Int(number))) => number <= limit,
            _ => false,
        }
    }
}

fn mark(errors: &mut [FieldError], level: Option<Level>) {
    if level.is_some() {
        errors.iter_mut().for_each(|error| error.level = level);
    }
}
