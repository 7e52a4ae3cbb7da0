//! Markers of openapi-gen, one file each.

mod r#enum;
mod list_map_key;
mod list_type;
mod map_type;
mod nullable;
mod openapi_gen;
mod openapi_model_package;
mod optional;
mod patch_merge_key;
mod patch_strategy;
mod required;
mod struct_type;
mod union;
mod union_deprecated;
mod union_discriminator;
mod validation;
mod validations;

use super::Tag;

/// All of them, by file.
pub const ALL: &[&Tag] = &[
    &r#enum::TAG,
    &list_map_key::TAG,
    &list_type::TAG,
    &map_type::TAG,
    &nullable::TAG,
    &openapi_gen::TAG,
    &openapi_model_package::TAG,
    &optional::TAG,
    &patch_merge_key::TAG,
    &patch_strategy::TAG,
    &required::TAG,
    &struct_type::TAG,
    &union::TAG,
    &union_deprecated::TAG,
    &union_discriminator::TAG,
    &validation::TAG,
    &validations::TAG,
];
