//! Markers of other generators, which are only stored, one file each.

mod conversion_gen;
mod deepcopy_gen;
mod deprecated;
mod feature_gate;
mod gateway;
mod genclient;
mod group_go_name;
mod kubernetes;
mod list_key;
mod one_of;
mod prerelease_lifecycle_gen;
mod protobuf;
mod protobuf_gen;
mod rbac;
mod register_gen;
mod resource;
mod resource_name;
mod scaffold;
mod webhook;

use super::Tag;

/// All of them, by file.
pub const ALL: &[&Tag] = &[
    &conversion_gen::TAG,
    &deepcopy_gen::TAG,
    &deprecated::TAG,
    &feature_gate::TAG,
    &gateway::TAG,
    &genclient::TAG,
    &group_go_name::TAG,
    &kubernetes::TAG,
    &list_key::TAG,
    &one_of::TAG,
    &prerelease_lifecycle_gen::TAG,
    &protobuf::TAG,
    &protobuf_gen::TAG,
    &rbac::TAG,
    &register_gen::TAG,
    &resource::TAG,
    &resource_name::TAG,
    &scaffold::TAG,
    &webhook::TAG,
];
