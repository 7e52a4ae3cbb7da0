//! Defaults of a schema: each must be valid under its own schema
//! (`apiserver/schema/defaulting/validation.go` of apiextensions).
//!
//! Values of maps are not visited, as upstream.

use kindsmith_cel::cost::limit;
use kindsmith_json::{Arena, Path, Value};
use kindsmith_object::meta::Malformed;
use kindsmith_object::{Behavior, FieldError, Release};
use kindsmith_request::aggregate;
use kindsmith_schema::{Items, Json, JsonSchema, Shared};
use kindsmith_structural::rules::Ratchet;
use kindsmith_structural::{Coercion, Mode, NUMERIC_RANGE, NotStructural, StructuralSchema, ValuePlan};

use super::faults::{Faults, stored};
use super::known::{Check, Known};
use super::reach::reached;
use super::surroundings::Surroundings;
use super::visit;

/// The errors in the defaults of a structural schema.
pub(super) fn violations(schema: &JsonSchema, path: &Path<'_>, pruned: bool, known: &Known) -> Faults {
    let mut check = Checking {
        pruned,
        known,
        budget: limit::PER_OBJECT,
        faults: Faults::default(),
    };
    let place = Place {
        resource: schema,
        is_resource: true,
        inside_meta: false,
        surroundings: Surroundings::Resource,
    };
    // All rules share the cost budget of one object; once it is spent, the remaining defaults are not checked.
    let _ = check.node(schema, path, &place);
    check.faults
}

/// Whether a default contains fields that would be pruned.
pub(super) fn has_unpruned(schema: &JsonSchema) -> bool {
    let has_defaults = visit::any(schema, &mut |node| node.default.is_some());
    if !has_defaults || !super::structural::is_structural(schema) {
        return false;
    }
    let pruned = StructuralSchema::shape(schema).map(|structure| {
        let pruned = structure.prune_defaults(schema);
        pruned.is_ok_and(|pruned| *pruned != *schema)
    });
    pruned.unwrap_or(false)
}

/// Where a node is.
#[derive(Clone, Copy)]
struct Place<'p> {
    /// The node itself if it is a resource, or else the closest resource above it.
    resource: &'p JsonSchema,
    /// Whether the node is that resource.
    is_resource: bool,
    /// Whether it is inside `metadata`, `apiVersion` or `kind` of the resource.
    inside_meta: bool,
    /// The path from the resource.
    surroundings: Surroundings<'p>,
}

/// The cost budget of rules is spent.
struct Spent;

struct Checking<'k> {
    pruned: bool,
    known: &'k Known,
    budget: i64,
    faults: Faults,
}

impl Checking<'_> {
    fn node(&mut self, schema: &JsonSchema, path: &Path<'_>, place: &Place<'_>) -> Result<(), Spent> {
        if let Some(default) = &schema.default {
            self.default(schema, default, &path.child("default"), place)?;
        }
        if let Some(item) = schema.item() {
            let surroundings = Surroundings::Element(&place.surroundings);
            let below = below(item, place, surroundings, place.inside_meta);
            self.node(item, &path.child("items"), &below)?;
        }
        if place.is_resource || place.inside_meta {
            return self.members(schema, path, place);
        }
        if schema.properties.is_empty() {
            return Ok(());
        }
        // Only a run tells which default spends the rest of the budget.
        let cost = self.known.default_cost(&schema.properties);
        if let Some(cost) = cost.filter(|cost| *cost < self.budget) {
            self.budget -= cost;
            return Ok(());
        }
        let (faults, budget) = (self.faults.len(), self.budget);
        self.members(schema, path, place)?;
        if self.faults.len() == faults {
            self.known
                .set_default_cost(&schema.properties, budget - self.budget);
        }
        Ok(())
    }

    fn members(&mut self, schema: &JsonSchema, path: &Path<'_>, place: &Place<'_>) -> Result<(), Spent> {
        let properties = path.child("properties");
        for (name, property) in &schema.properties {
            let meta = place.is_resource && matches!(&**name, "metadata" | "apiVersion" | "kind");
            let surroundings = Surroundings::Member(&place.surroundings, name);
            let below = below(property, place, surroundings, place.inside_meta || meta);
            self.node(property, &properties.key(name), &below)?;
        }
        Ok(())
    }

    fn default(
        &mut self,
        schema: &JsonSchema,
        default: &Json,
        at: &Path<'_>,
        place: &Place<'_>,
    ) -> Result<(), Spent> {
        let arena = Arena::new();
        let value = value(default, &arena);
        let whole = schema;
        let schema = reached(whole, value);
        // Most defaults are scalars without rules: nothing of them is pruned or run, so their schema is not compiled.
        let is_scalar = !matches!(value, Value::Array(_) | Value::Object(_));
        if is_scalar && !place.is_resource && !place.inside_meta && whole.validations.is_empty() {
            self.scalar(schema, value, at);
            return Ok(());
        }
        let schema = &schema;
        let Ok(structure) = shape(schema, place.is_resource) else {
            return Ok(());
        };
        let checked = if place.inside_meta {
            meta(default, value, at, place, &arena).map(|()| value)
        } else {
            if self.pruned && structure.prune(&arena, value, place.is_resource) != value {
                self.faults
                    .invalid(at, stored(default), "must not have unknown fields");
            }
            resource(&structure, value, at, place.is_resource, &arena)
        };
        match checked.and_then(|value| values(schema, value, at, self.known.release()).map(|()| value)) {
            // Most defaults have no rules. Those see the whole schema of their node.
            Ok(value) if !structure.has_rules_for(value) => Ok(()),
            Ok(value) => {
                let cache = self.known.rules();
                let shape = |schema| shape(schema, place.is_resource).ok();
                let of_reached = || shape(schema)?.with_rules_of_whole(value, whole, cache);
                let of_whole = || Some(shape(whole)?.with_rules_for(value, whole, cache));
                match of_reached().or_else(of_whole) {
                    Some(structure) => self.rules(&structure, value, at),
                    None => Ok(()),
                }
            }
            Err(errors) => {
                self.faults.extend(errors);
                Ok(())
            }
        }
    }

    fn scalar(&mut self, schema: JsonSchema, value: Value<'_>, at: &Path<'_>) {
        let known = self.known;
        known.once_default(schema, |schema| {
            if NotStructural::check(schema).is_err() {
                return true;
            }
            match values(schema, value, at, known.release()) {
                Ok(()) => true,
                Err(errors) => {
                    self.faults.extend(errors);
                    false
                }
            }
        });
    }

    /// Runs the rules twice: as on an update that changes nothing, and as on a create, since rules can tell the two
    /// apart.
    fn rules(&mut self, structure: &StructuralSchema, value: Value<'_>, at: &Path<'_>) -> Result<(), Spent> {
        let mut left = Some(self.budget);
        for old in [Some(value), None] {
            let verdict = structure.run_rules(at, value, old, Ratchet::Insist, self.budget);
            left = left.zip(verdict.budget).map(|(left, budget)| left.min(budget));
            let failed = !verdict.errors.is_empty();
            self.faults.extend(verdict.errors);
            if failed {
                break;
            }
        }
        self.budget = left.ok_or(Spent)?;
        Ok(())
    }
}

fn below<'p>(
    schema: &'p JsonSchema,
    place: &Place<'p>,
    surroundings: Surroundings<'p>,
    inside_meta: bool,
) -> Place<'p> {
    if schema.embedded_resource {
        return Place {
            resource: schema,
            is_resource: true,
            inside_meta: false,
            surroundings: Surroundings::Resource,
        };
    }
    Place {
        resource: place.resource,
        is_resource: false,
        inside_meta,
        surroundings,
    }
}

/// The compiled form of a schema, without rules.
fn shape(
    schema: &JsonSchema,
    is_resource: bool,
) -> Result<StructuralSchema, kindsmith_structural::NotStructural> {
    if is_resource {
        StructuralSchema::shape(schema)
    } else {
        StructuralSchema::shape_of_part(schema)
    }
}

/// A default as untyped data: integers outside the signed 64-bit range become floats.
fn value<'a>(default: &Json, arena: &'a Arena) -> Value<'a> {
    kindsmith_json::parse_str(arena, arena.alloc_str(default.as_str())).unwrap_or_default()
}

/// Checks the embedded resources in a default; returns the default as it is stored.
fn resource<'a>(
    structure: &'a StructuralSchema,
    value: Value<'a>,
    at: &Path<'_>,
    is_resource: bool,
    arena: &'a Arena,
) -> Result<Value<'a>, Vec<FieldError>> {
    let how = Coercion {
        resource: is_resource,
        malformed: Malformed::Refuse,
        unknown: None,
    };
    let value = structure
        .coerce(arena, value, at, how)
        .map_err(|error| vec![*error])?;
    let errors = structure.embedded_errors(value, at, is_resource);
    if errors.is_empty() { Ok(value) } else { Err(errors) }
}

/// A default inside metadata must be valid metadata in an otherwise empty resource.
fn meta(
    default: &Json,
    value: Value<'_>,
    at: &Path<'_>,
    place: &Place<'_>,
    arena: &Arena,
) -> Result<(), Vec<FieldError>> {
    let Ok(structure) = StructuralSchema::shape(place.resource) else {
        return Ok(());
    };
    let object = place.surroundings.around(value, arena);
    let Err(errors) = resource(&structure, object, &Path::NIL, true, arena) else {
        return Ok(());
    };
    let mut faults = Faults::default();
    let detail = format!(
        "must result in valid metadata: {}",
        aggregate(errors.iter().map(ToString::to_string))
    );
    faults.invalid(at, stored(default), &detail);
    Err(faults.into_errors())
}

fn values(
    schema: &JsonSchema,
    value: Value<'_>,
    at: &Path<'_>,
    release: Release,
) -> Result<(), Vec<FieldError>> {
    let plan = ValuePlan::compile(schema, Mode::Default);
    let mut errors = plan.validate(plan.root(), value, at);
    if !release.has(Behavior::NumericRanges) {
        errors.retain(|error| error.origin != NUMERIC_RANGE);
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// The schema with its defaults as they are stored: unknown metadata fields of embedded resources are dropped. `None`
/// if nothing changes.
///
/// Validation modifies the CRD upstream too.
pub(super) fn coerced(schema: &JsonSchema, known: &Known) -> Option<JsonSchema> {
    let embeds = || visit::each_unknown(schema, known, Check::Embedded, &mut |node| node.embedded_resource);
    let concerned = schema.default.is_some() || embeds();
    concerned.then(|| rewritten(schema, true, false)).flatten()
}

fn rewritten(schema: &JsonSchema, is_resource: bool, inside_meta: bool) -> Option<JsonSchema> {
    let is_resource = is_resource || schema.embedded_resource;
    let inside_meta = inside_meta && !schema.embedded_resource;
    let mut changed: Option<JsonSchema> = None;
    if let Some(default) = &schema.default
        && !inside_meta
        && let Some(kept) = kept(schema, default, is_resource)
    {
        changed.get_or_insert_with(|| schema.clone()).default = Some(kept);
    }
    if let Some(item) = schema.item()
        && let Some(item) = rewritten(item, false, inside_meta)
    {
        changed.get_or_insert_with(|| schema.clone()).items = Some(Shared::new(Items::Each(item)));
    }
    for (index, (name, property)) in schema.properties.iter().enumerate() {
        let meta = is_resource && matches!(&**name, "metadata" | "apiVersion" | "kind");
        if let Some(property) = rewritten(property, false, inside_meta || meta) {
            changed.get_or_insert_with(|| schema.clone()).properties[index].1 = property;
        }
    }
    changed
}

fn kept(schema: &JsonSchema, default: &Json, is_resource: bool) -> Option<Json> {
    let structure = shape(schema, is_resource).ok()?;
    let arena = Arena::new();
    let value = value(default, &arena);
    let how = Coercion {
        resource: is_resource,
        malformed: Malformed::Refuse,
        unknown: None,
    };
    let coerced = structure.coerce(&arena, value, &Path::NIL, how).ok()?;
    (coerced != value).then(|| Json::exact(coerced))
}
