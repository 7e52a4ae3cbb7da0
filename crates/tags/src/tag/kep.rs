//! Tags that KEP-5073 describes but that are not implemented upstream, one file each.

mod declarative_validation_native;
mod default;
mod exclusive_maximum;
mod exclusive_minimum;
mod if_not_subresource;
mod if_option_disabled;
mod if_option_enabled;
mod if_subresource;
mod list_map_item;
mod member_of;
mod union;

use super::Tag;

/// All of them, by name.
pub const ALL: &[&Tag] = &[
    &declarative_validation_native::TAG,
    &default::TAG,
    &exclusive_maximum::TAG,
    &exclusive_minimum::TAG,
    &if_not_subresource::TAG,
    &if_option_disabled::TAG,
    &if_option_enabled::TAG,
    &if_subresource::TAG,
    &list_map_item::TAG,
    &member_of::TAG,
    &union::TAG,
];
