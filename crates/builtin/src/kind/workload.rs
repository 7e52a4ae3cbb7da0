//! Workloads: kinds that make pods from a template. Each is a [`Workload`], which says what it does not share with the others.

mod validate;

use std::borrow::Cow;

use kindsmith_json::{Arena, Path, Value};
use kindsmith_object::meta::NameRule;
use kindsmith_object::{Behavior, FieldError, Release};

use super::described::{Default, Rules};
use super::generation::prepare_generation;
use crate::edit::member;
use crate::field_check::name_problems;
use crate::table::Table;
use crate::{
    Change, DecodedObject, GarbageCollection, Names, Preparation, Scaling, Strategy, Subresource, pod,
};

pub(super) use validate::{
    SPEC, Words, amount, is_empty, rolling_value, strategy_value, validate_amount, validate_collisions,
    validate_counts, validate_limits, validate_pods, validate_same_selector, validate_share,
};

/// What a workload does not share with the others. Start from [`Workload::PLAIN`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Workload {
    pub(super) short_names: &'static [&'static str],
    pub(super) name_rule: NameRule,
    /// Since when tags check names; before, they were subdomains.
    pub(super) tagged_since: Option<Behavior>,
    /// How `/scale` finds pods; `None` without it.
    pub(super) scaling: Option<Scaling>,
    pub(super) garbage_collection: GarbageCollection,
    /// The fields that field selectors may name.
    pub(super) selectable: Option<&'static [&'static str]>,
    /// What a write of the status does not change.
    pub(super) kept_by_status: &'static [&'static [&'static str]],
    pub(super) table: Table,
    /// Sets defaults after those of the template.
    pub(super) default: Default,
    /// Why an object has no internal form, if it has none.
    pub(super) conversion_error: fn(Value<'_>) -> Option<String>,
    /// The object as managed fields see it.
    pub(super) tracked: Default,
    /// Prepares an object after its generation was counted.
    pub(super) prepare: for<'a> fn(&Preparation<'_, 'a>, &mut DecodedObject<'a>),
    /// Validates a write of the spec.
    pub(super) spec: Rules,
    /// Validates a write of the status.
    pub(super) status: Rules,
    /// Whether errors of the status come before those of the metadata.
    pub(super) is_status_first: bool,
    pub(super) warns: fn(&Change<'_>) -> Vec<String>,
}

impl Workload {
    pub(super) const PLAIN: Workload = Workload {
        short_names: &[],
        name_rule: NameRule::Subdomain,
        tagged_since: None,
        scaling: Some(Scaling::Selector),
        garbage_collection: GarbageCollection::Background,
        selectable: None,
        kept_by_status: &[&["spec"]],
        table: Table::DEFAULT,
        default: |_, object| object,
        conversion_error: |_| None,
        tracked: |_, object| object,
        prepare: |_, _| {},
        spec: |_, _| {},
        status: |_, _| {},
        is_status_first: false,
        warns: controller_warnings,
    };
}

/// The object with a number of replicas, which is not a pointer in the internal type.
pub(super) fn counted<'a>(arena: &'a Arena, object: Value<'a>) -> Value<'a> {
    let mut object = object;
    if object.lookup(&["spec", "replicas"]).is_none() {
        object.set(arena, &["spec", "replicas"], Value::Int(0));
    }
    object
}

impl Strategy for Workload {
    fn table(&self, _: &Names) -> Table {
        self.table
    }

    fn name_rule(&self) -> NameRule {
        self.name_rule
    }

    fn name_rule_in(&self, release: Release) -> NameRule {
        match self.tagged_since {
            Some(behavior) if !release.has(behavior) => NameRule::Subdomain,
            _ => self.name_rule,
        }
    }

    fn short_names(&self) -> &'static [&'static str] {
        self.short_names
    }

    fn categories(&self) -> &'static [&'static str] {
        &["all"]
    }

    fn subresources(&self) -> &'static [Subresource] {
        match self.scaling {
            Some(_) => &[Subresource::SCALE, Subresource::STATUS],
            None => &[Subresource::STATUS],
        }
    }

    fn scaling(&self) -> Option<Scaling> {
        self.scaling
    }

    fn garbage_collection(&self) -> GarbageCollection {
        self.garbage_collection
    }

    fn selectable_fields(&self, _: &Names) -> Option<&'static [&'static str]> {
        self.selectable
    }

    fn selectable_text<'a>(&self, field: &str, object: Value<'a>) -> Option<Cow<'a, str>> {
        let is_absent = field == "status.replicas" && object.lookup(&["status", "replicas"]).is_none();
        is_absent.then_some("0".into())
    }

    fn reset_fields(&self, subresource: &str) -> &'static [&'static [&'static str]] {
        match subresource {
            "status" => self.kept_by_status,
            _ => &[&["status"]],
        }
    }

    fn pod_spec(&self) -> Option<&'static [&'static str]> {
        Some(&["spec", "template", "spec"])
    }

    fn default<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let mut object = object;
        default_template(arena, &mut object, &["spec", "template"]);
        (self.default)(arena, object)
    }

    fn conversion_error(&self, object: Value<'_>) -> Option<String> {
        (self.conversion_error)(object)
    }

    fn tracked<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        (self.tracked)(arena, object)
    }

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, decoded: &mut DecodedObject<'a>) {
        prepare_generation(preparation, decoded, &["spec"]);
        (self.prepare)(preparation, decoded);
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Vec<FieldError>) {
        match change.subresource {
            "status" if self.is_status_first => {
                (self.status)(change, errors);
                change.validate_metadata(errors);
            }
            part => {
                change.validate_metadata(errors);
                let rules = if part == "status" { self.status } else { self.spec };
                rules(change, errors);
            }
        }
    }

    fn warnings(&self, change: &Change<'_>) -> Vec<String> {
        (self.warns)(change)
    }
}

/// Defaults the pod template of an object.
pub(super) fn default_template<'a>(arena: &'a Arena, object: &mut Value<'a>, path: &[&'a str]) {
    member(arena, object, path, |template| {
        pod::default_template(arena, template)
    });
}

/// Warnings about a new controller, or one whose spec has changed.
pub(super) fn controller_warnings(change: &Change<'_>) -> Vec<String> {
    let mut warnings = Vec::new();
    match change.old {
        None => warnings = name_warnings(change),
        Some(old) if old.meta.generation == change.new.meta.generation => return warnings,
        Some(_) => {}
    }
    if change.subresource.is_empty()
        && let Some(template) = change.get(&["spec", "template"])
    {
        let spec = Path::root("spec");
        warnings.extend(pod::template_warnings(
            template,
            &spec.child("template"),
            change.release,
        ));
    }
    warnings
}

/// Warns about names that are not suitable for pods, which are named after their controller.
fn name_warnings(change: &Change<'_>) -> Vec<String> {
    let problems = name_problems(NameRule::Label, change.new.meta.name);
    if problems.is_empty() {
        Vec::new()
    } else {
        vec![format!(
            "metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS \
             label is recommended: [{}]",
            problems.join(" ")
        )]
    }
}
