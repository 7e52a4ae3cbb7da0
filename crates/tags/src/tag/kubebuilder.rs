//! Markers of controller-gen, one file each.

mod ac_generate;
mod ac_output_package;
mod at_least_one_of;
mod at_most_one_of;
mod default;
mod deprecatedversion;
mod embedded_resource;
mod r#enum;
mod exactly_one_of;
mod example;
mod exclusive_maximum;
mod exclusive_minimum;
mod external_docs;
mod format;
mod group_name;
mod max_items;
mod max_length;
mod max_properties;
mod maximum;
mod metadata;
mod min_items;
mod min_length;
mod min_properties;
mod minimum;
mod multiple_of;
mod number;
mod object_generate;
mod object_root;
mod optional;
mod pattern;
mod preserve_unknown_fields;
mod printcolumn;
mod required;
mod resource;
mod schemaless;
mod selectablefield;
mod skip;
mod skipversion;
mod storageversion;
mod subresource_scale;
mod subresource_status;
mod title;
mod r#type;
mod unique_items;
mod unservedversion;
mod url;
mod version_name;
mod x_embedded_resource;
mod x_int_or_string;
mod x_preserve_unknown_fields;
mod x_validation;

use kindsmith_schema::Str;

use super::Tag;
use crate::grammar::marker::MarkerValues;

/// All of them, by file.
pub const ALL: &[&Tag] = &[
    &ac_generate::TAG,
    &ac_output_package::TAG,
    &at_least_one_of::TAG,
    &at_most_one_of::TAG,
    &default::TAG,
    &deprecatedversion::TAG,
    &embedded_resource::TAG,
    &r#enum::TAG,
    &exactly_one_of::TAG,
    &example::TAG,
    &exclusive_maximum::TAG,
    &exclusive_minimum::TAG,
    &external_docs::TAG,
    &format::TAG,
    &group_name::TAG,
    &max_items::TAG,
    &max_length::TAG,
    &max_properties::TAG,
    &maximum::TAG,
    &metadata::TAG,
    &min_items::TAG,
    &min_length::TAG,
    &min_properties::TAG,
    &minimum::TAG,
    &multiple_of::TAG,
    &object_generate::TAG,
    &object_root::TAG,
    &optional::TAG,
    &pattern::TAG,
    &preserve_unknown_fields::TAG,
    &printcolumn::TAG,
    &required::TAG,
    &resource::TAG,
    &schemaless::TAG,
    &selectablefield::TAG,
    &skip::TAG,
    &skipversion::TAG,
    &storageversion::TAG,
    &subresource_scale::TAG,
    &subresource_status::TAG,
    &title::TAG,
    &r#type::TAG,
    &unique_items::TAG,
    &unservedversion::TAG,
    &version_name::TAG,
    &x_embedded_resource::TAG,
    &x_int_or_string::TAG,
    &x_preserve_unknown_fields::TAG,
    &x_validation::TAG,
];

/// The members of a one-of marker; paths into them are rejected.
fn members(marker: &str, values: &MarkerValues) -> Result<Vec<Str>, String> {
    let members = values.texts("");
    let (nested, own): (Vec<&str>, Vec<&str>) = members.into_iter().partition(|member| member.contains('.'));
    if nested.is_empty() {
        Ok(own.into_iter().map(Into::into).collect())
    } else {
        Err(format!(
            "{marker}: cannot reference nested fields: {}",
            nested.join(",")
        ))
    }
}
