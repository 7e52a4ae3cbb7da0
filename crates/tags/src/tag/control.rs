//! Switches of validation-gen and defaulter-gen, one file each.

mod defaulter_gen;
mod defaulter_gen_input;
mod is_subresource;
mod recorded;
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
    &defaulter_gen::TAG,
    &defaulter_gen_input::TAG,
    &is_subresource::TAG,
    &supports_subresource::TAG,
    &validation_gen::TAG,
    &validation_gen_input::TAG,
    &validation_gen_nolint::TAG,
    &validation_gen_scheme_registry::TAG,
    &validation_gen_test_fixture::TAG,
    &validation_gen_test_targets::TAG,
];
