//! Switches of generators, one file each.

mod conversion_fn;
mod conversion_gen;
mod conversion_gen_explicit_from;
mod conversion_gen_external_types;
mod deepcopy_gen;
mod deepcopy_gen_interfaces;
mod deepcopy_gen_nonpointer_interfaces;
mod defaulter_gen;
mod defaulter_gen_input;
mod deprecated;
mod is_subresource;
mod openapi_gen;
mod openapi_model_package;
mod prerelease_lifecycle_gen;
mod prerelease_lifecycle_gen_deprecated;
mod prerelease_lifecycle_gen_introduced;
mod prerelease_lifecycle_gen_removed;
mod prerelease_lifecycle_gen_replacement;
mod protobuf_gen;
pub(crate) mod recorded;
mod register_gen;
mod supports_subresource;
mod validation_gen;
mod validation_gen_input;
mod validation_gen_nolint;
mod validation_gen_scheme_registry;
mod validation_gen_test_fixture;
mod validation_gen_test_targets;

use super::Tag;

/// All of them, by name.
pub const ALL: &[&Tag] = &[
    &conversion_fn::TAG,
    &conversion_gen::TAG,
    &conversion_gen_external_types::TAG,
    &conversion_gen_explicit_from::TAG,
    &deepcopy_gen::TAG,
    &deepcopy_gen_interfaces::TAG,
    &deepcopy_gen_nonpointer_interfaces::TAG,
    &defaulter_gen::TAG,
    &defaulter_gen_input::TAG,
    &deprecated::TAG,
    &is_subresource::TAG,
    &openapi_gen::TAG,
    &openapi_model_package::TAG,
    &prerelease_lifecycle_gen::TAG,
    &prerelease_lifecycle_gen_deprecated::TAG,
    &prerelease_lifecycle_gen_introduced::TAG,
    &prerelease_lifecycle_gen_removed::TAG,
    &prerelease_lifecycle_gen_replacement::TAG,
    &protobuf_gen::TAG,
    &register_gen::TAG,
    &supports_subresource::TAG,
    &validation_gen::TAG,
    &validation_gen_input::TAG,
    &validation_gen_nolint::TAG,
    &validation_gen_scheme_registry::TAG,
    &validation_gen_test_fixture::TAG,
    &validation_gen_test_targets::TAG,
];
