//! The tags that validation-gen knows, one file each.

mod alpha;
mod beta;
mod custom_unique;
mod custom_validation;
mod dependent_forbidden;
mod dependent_required;
mod each_key;
mod each_val;
mod enum_exclude;
mod enumeration;
mod forbidden;
mod format;
mod if_disabled;
pub(crate) mod if_enabled;
mod if_mode;
mod immutable;
pub(crate) mod item;
mod list_map_key;
mod list_type;
mod max_bytes;
mod max_items;
mod max_length;
mod max_properties;
mod maximum;
mod min_items;
mod min_length;
mod min_properties;
pub(crate) mod minimum;
mod mode_discriminator;
mod monotonic;
mod neq;
mod number;
mod opaque_type;
mod optional;
mod required;
mod subfield;
mod union_discriminator;
mod union_member;
mod unique;
mod update;
mod validate_error;
mod validate_false;
mod validate_true;
mod validate_true_alpha;
mod validate_true_beta;
mod zero_or_one_of_member;

use super::Tag;

/// All of them, by name.
pub const ALL: &[&Tag] = &[
    &alpha::TAG,
    &beta::TAG,
    &custom_unique::TAG,
    &custom_validation::TAG,
    &dependent_forbidden::TAG,
    &dependent_required::TAG,
    &each_key::TAG,
    &each_val::TAG,
    &enumeration::TAG,
    &enum_exclude::TAG,
    &forbidden::TAG,
    &format::TAG,
    &if_disabled::TAG,
    &if_enabled::TAG,
    &if_mode::TAG,
    &immutable::TAG,
    &item::TAG,
    &list_map_key::TAG,
    &list_type::TAG,
    &max_bytes::TAG,
    &max_items::TAG,
    &max_length::TAG,
    &max_properties::TAG,
    &maximum::TAG,
    &min_items::TAG,
    &min_length::TAG,
    &min_properties::TAG,
    &minimum::TAG,
    &mode_discriminator::TAG,
    &monotonic::TAG,
    &neq::TAG,
    &opaque_type::TAG,
    &optional::TAG,
    &required::TAG,
    &subfield::TAG,
    &union_discriminator::TAG,
    &union_member::TAG,
    &unique::TAG,
    &update::TAG,
    &validate_error::TAG,
    &validate_false::TAG,
    &validate_true::TAG,
    &validate_true_alpha::TAG,
    &validate_true_beta::TAG,
    &zero_or_one_of_member::TAG,
];
