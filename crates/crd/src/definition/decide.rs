//! Decides which checks apply: all of them on create; on update not those that the old CRD already failed.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use kindsmith_openapi::crd::{ApiVersion, InternalDefinition, InternalSpec, Version};
use kindsmith_schema::{JsonSchema, Str};

use super::demands::{Demands, MAX_SELECTABLE_FIELDS, Refused};
use super::visit::{any_schema, schemas};
use super::{Gates, conditions, conversion_strategy, defaults, openapi, structural};

impl Demands {
    pub(super) fn of_create(definition: &InternalDefinition, gates: Gates) -> Demands {
        let v1 = definition.origin == ApiVersion::V1;
        Demands {
            defaults: refused_defaults(definition.origin, gates),
            review_versions: true,
            immutable_names: false,
            schemas: v1,
            known_types: v1,
            structural: v1,
            pruned_defaults: true,
            old_schemas: HashMap::new(),
            old_schema: None,
            atomic_sets: true,
            map_keys: true,
            ca_bundle: false,
            v1,
            unchanged: HashSet::new(),
            many_selectable: HashSet::new(),
            suppress_expression_cost: false,
        }
    }

    pub(super) fn of_update(old: &InternalDefinition, new: &InternalDefinition, gates: Gates) -> Demands {
        let create = Demands::of_create(new, gates);
        let spec = &old.spec;
        let established = conditions::is_true(&old.status, conditions::ESTABLISHED);
        Demands {
            defaults: create
                .defaults
                .filter(|_| !any_schema(spec, |node| node.default.is_some())),
            review_versions: conversion_strategy::has_known_review_version(spec),
            immutable_names: established,
            schemas: create.schemas && has_all_schemas(spec),
            known_types: create.known_types && !any_schema(spec, openapi::has_unknown_type),
            structural: create.structural && all_structural(spec),
            pruned_defaults: !has_unpruned_defaults(spec),
            old_schemas: if gates.defaults_of_kep {
                schemas_by_version(spec)
            } else {
                HashMap::new()
            },
            atomic_sets: !any_schema(spec, openapi::has_non_atomic_items),
            map_keys: !any_schema(spec, openapi::has_bad_keys),
            ca_bundle: established && !conversion_strategy::has_bad_ca_bundle(spec),
            unchanged: unchanged_schemas(spec, &new.spec),
            many_selectable: many_selectable(spec, &new.spec),
            ..create
        }
    }
}

fn refused_defaults(origin: ApiVersion, gates: Gates) -> Option<Refused<'static>> {
    if !gates.custom_resource_defaulting {
        return Some(Refused::Everywhere(""));
    }
    (origin == ApiVersion::V1beta1).then_some(Refused::Everywhere(
        "(cannot set default values in apiextensions.k8s.io/v1beta1 CRDs, must use apiextensions.k8s.io/v1)",
    ))
}

fn has_shared_schema(spec: &InternalSpec) -> bool {
    spec.validation
        .as_ref()
        .is_some_and(|validation| validation.open_api_v3_schema.is_some())
}

/// Whether every version has a schema.
fn has_all_schemas(spec: &InternalSpec) -> bool {
    has_shared_schema(spec)
        || spec
            .versions
            .iter()
            .all(|version| version.open_api_v3_schema().is_some())
}

fn all_structural(spec: &InternalSpec) -> bool {
    schemas(spec).all(structural::is_structural)
}

/// The schema of each version; that of all if they share one.
fn schemas_by_version(spec: &InternalSpec) -> HashMap<Str, Arc<JsonSchema>> {
    let schema = |version: &Version| spec.validation_of(version)?.open_api_v3_schema.clone();
    let versions = spec.versions.iter();
    versions
        .filter_map(|version| Some((version.name.clone(), schema(version)?)))
        .collect()
}

fn has_unpruned_defaults(spec: &InternalSpec) -> bool {
    schemas(spec).any(defaults::has_unpruned)
}

/// Versions whose schema is the same in the old CRD.
fn unchanged_schemas(old: &InternalSpec, new: &InternalSpec) -> HashSet<Str> {
    let same = |version: &&Version| {
        old.versions
            .iter()
            .find(|previous| previous.name == version.name)
            .is_some_and(|previous| {
                let (before, after) = (old.validation_of(previous), new.validation_of(version));
                match (before, after) {
                    (Some(before), Some(after)) => before.is_same_as(after),
                    (before, after) => before.is_none() && after.is_none(),
                }
            })
    };
    new.versions
        .iter()
        .filter(same)
        .map(|version| version.name.clone())
        .collect()
}

fn many_selectable(old: &InternalSpec, new: &InternalSpec) -> HashSet<Str> {
    let mut allowed = HashSet::new();
    if old.selectable_fields.len() > MAX_SELECTABLE_FIELDS && *old.selectable_fields == *new.selectable_fields
    {
        allowed.insert(Str::from(""));
    }
    for version in &new.versions {
        let kept = old
            .versions
            .iter()
            .rfind(|previous| previous.name == version.name)
            .is_some_and(|previous| {
                previous.selectable_fields.len() > MAX_SELECTABLE_FIELDS
                    && *previous.selectable_fields == *version.selectable_fields
            });
        if kept {
            allowed.insert(version.name.clone());
        }
    }
    allowed
}
