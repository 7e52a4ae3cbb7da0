//! The rules: one kind of change each, one file each, with its page beside it.

use kindsmith_openapi::crd::{Definition, Version};
use kindsmith_source::Finding;

use crate::node::Node;
use crate::report::Report;

/// A kind of change.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Its finding: code and page.
    pub finding: &'static Finding,
    pub(crate) check: Check,
}

/// What a rule compares.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Check {
    /// Which kinds there are; called by name.
    Kinds,
    /// Two CRDs of one kind.
    Definition(fn(&Definition, &Definition, &mut Report<'_>)),
    /// Two schemas of one version, and what stands beside them.
    Version(fn(&Version, &Version, &mut Report<'_>)),
    /// Two schemas of one place.
    Node(fn(&Node<'_>, &mut Report<'_>)),
}

/// Declares the rules: a module of each and the list of all. A line is `file: Check,`.
macro_rules! rules {
    ($($module:ident: $check:expr,)*) => {
        $(pub(crate) mod $module;)*

        /// All rules, in the order in which they run.
        pub static RULES: &[Rule] = &[$(Rule { finding: &$module::FINDING, check: $check },)*];
    };
}

rules! {
    removed_kind: Check::Kinds,
    added_kind: Check::Kinds,
    scope: Check::Definition(scope::check),
    names: Check::Definition(names::check),
    removed_version: Check::Definition(removed_version::check),
    added_version: Check::Definition(added_version::check),
    storage_version: Check::Definition(storage_version::check),
    conversion: Check::Definition(conversion::check),
    served_version: Check::Version(served_version::check),
    deprecated_version: Check::Version(deprecated_version::check),
    status_subresource: Check::Version(status_subresource::check),
    scale_subresource: Check::Version(scale_subresource::check),
    printer_columns: Check::Version(printer_columns::check),
    selectable_fields: Check::Version(selectable_fields::check),
    removed_field: Check::Node(removed_field::check),
    added_field: Check::Node(added_field::check),
    field_type: Check::Node(field_type::check),
    nullability: Check::Node(nullability::check),
    requiredness: Check::Node(requiredness::check),
    default: Check::Node(default::check),
    enumeration: Check::Node(enumeration::check),
    bounds: Check::Node(bounds::check),
    pattern: Check::Node(pattern::check),
    format: Check::Node(format::check),
    list_type: Check::Node(list_type::check),
    map_type: Check::Node(map_type::check),
    pruning: Check::Node(pruning::check),
    embedded_resource: Check::Node(embedded_resource::check),
    alternatives: Check::Node(alternatives::check),
    cel_rule: Check::Node(cel_rule::check),
}
