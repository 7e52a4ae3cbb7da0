//! Converts between `v1` and the internal form: parts that all versions share move to the top, and back.
//!
//! After `Convert_v1_CustomResourceDefinitionSpec_To_apiextensions_CustomResourceDefinitionSpec` and its reverse in
//! apiextensions-apiserver's `pkg/apis/apiextensions/v1/conversion.go`.

use super::internal::{InternalConversion, InternalDefinition, InternalSpec};
use super::types::{Conversion, Spec, Version, Webhook};
use super::{ApiVersion, Definition};
use crate::List;
use crate::record::{self, Record};

impl Definition {
    /// The internal form.
    #[must_use]
    pub fn to_internal(&self) -> InternalDefinition {
        InternalDefinition {
            origin: ApiVersion::V1,
            metadata: self.metadata.clone(),
            spec: to_internal(&self.spec),
            status: self.status.clone(),
        }
    }
}

impl InternalDefinition {
    /// The form of `apiextensions.k8s.io/v1`.
    #[must_use]
    pub fn to_v1(&self) -> Definition {
        Definition {
            metadata: self.metadata.clone(),
            spec: to_v1(&self.spec),
            status: self.status.clone(),
        }
    }
}

/// Converts a spec to the internal form.
fn to_internal(spec: &Spec) -> InternalSpec {
    let mut internal = InternalSpec {
        group: spec.group.clone(),
        names: spec.names.clone(),
        scope: spec.scope.clone(),
        versions: spec.versions.clone(),
        conversion: spec.conversion.as_ref().map(flatten),
        preserve_unknown_fields: Some(spec.preserve_unknown_fields),
        ..InternalSpec::default()
    };
    let Some(first) = spec.versions.first() else {
        return internal;
    };
    internal.version = first.name.clone();
    let others = &spec.versions[1..];
    let versions = internal.versions.make();
    if others.iter().all(|other| option_eq(&first.schema, &other.schema)) {
        internal.validation = first.schema.clone();
        versions.iter_mut().for_each(|version| version.schema = None);
    }
    if others
        .iter()
        .all(|other| option_eq(&first.subresources, &other.subresources))
    {
        internal.subresources = first.subresources.clone();
        versions
            .iter_mut()
            .for_each(|version| version.subresources = None);
    }
    if others
        .iter()
        .all(|other| *first.additional_printer_columns == *other.additional_printer_columns)
    {
        internal.additional_printer_columns = first.additional_printer_columns.clone();
        versions
            .iter_mut()
            .for_each(|version| version.additional_printer_columns = List::ABSENT);
    }
    if others
        .iter()
        .all(|other| *first.selectable_fields == *other.selectable_fields)
    {
        internal.selectable_fields = first.selectable_fields.clone();
        versions
            .iter_mut()
            .for_each(|version| version.selectable_fields = List::ABSENT);
    }
    internal
}

/// Equal to the API: absent and empty lists are equal, and the order of keys does not matter.
fn option_eq<T: Record + PartialEq>(left: &Option<T>, right: &Option<T>) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => left == right || record::semantically_equal(left, right),
        (left, right) => left.is_none() && right.is_none(),
    }
}

/// Converts an internal spec to `v1`.
fn to_v1(internal: &InternalSpec) -> Spec {
    let mut versions = internal.versions.clone();
    if versions.is_empty() && !internal.version.is_empty() {
        versions = List::from(vec![Version {
            name: internal.version.clone(),
            served: true,
            storage: true,
            ..Version::default()
        }]);
    }
    if !versions.is_absent() {
        versions
            .make()
            .iter_mut()
            .for_each(|version| lower(internal, version));
    }
    Spec {
        group: internal.group.clone(),
        names: internal.names.clone(),
        scope: internal.scope.clone(),
        versions,
        conversion: internal.conversion.as_ref().map(unflatten),
        preserve_unknown_fields: internal.preserve_unknown_fields.unwrap_or_default(),
    }
}

fn lower(internal: &InternalSpec, version: &mut Version) {
    if internal.subresources.is_some() {
        version.subresources = internal.subresources.clone();
    }
    if internal.validation.is_some() {
        version.schema = internal.validation.clone();
    }
    if !internal.additional_printer_columns.is_absent() {
        version.additional_printer_columns = internal.additional_printer_columns.clone();
    }
    if !internal.selectable_fields.is_absent() {
        version.selectable_fields = internal.selectable_fields.clone();
    }
}

fn flatten(conversion: &Conversion) -> InternalConversion {
    let webhook = conversion.webhook.as_ref();
    InternalConversion {
        strategy: conversion.strategy.clone(),
        webhook_client_config: webhook.and_then(|webhook| webhook.client_config.clone()),
        conversion_review_versions: webhook
            .map(|webhook| webhook.conversion_review_versions.clone())
            .unwrap_or_default(),
    }
}

/// An empty webhook is dropped on the way back.
fn unflatten(conversion: &InternalConversion) -> Conversion {
    let says_nothing =
        conversion.webhook_client_config.is_none() && conversion.conversion_review_versions.is_absent();
    let webhook = (!says_nothing).then(|| Webhook {
        client_config: conversion.webhook_client_config.clone(),
        conversion_review_versions: conversion.conversion_review_versions.clone(),
    });
    Conversion {
        strategy: conversion.strategy.clone(),
        webhook,
    }
}
