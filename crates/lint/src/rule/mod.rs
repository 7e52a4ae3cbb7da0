//! The rules, one file each.

mod crd_float;
mod crd_inline;
mod crd_shape;
mod custom_validation;
mod foreign_type;
mod level_position;
mod map_of_lists;
mod openapi_duplicate;
mod openapi_shape;
mod requiredness;
mod tag_stability;
mod unsupported_shape;

use kindsmith_source::Finding;

use crate::Report;
use crate::reach::Reach;

/// A lint rule.
#[derive(Debug)]
pub struct Rule {
    /// Its finding: code, page and tool.
    pub finding: Finding,
    pub(crate) check: fn(&Reach<'_>, &mut Report<'_>),
}

/// All rules, in the order in which they run.
pub static RULES: &[Rule] = &[
    unsupported_shape::RULE,
    map_of_lists::RULE,
    foreign_type::RULE,
    custom_validation::RULE,
    level_position::RULE,
    tag_stability::RULE,
    requiredness::RULE,
    crd_shape::RULE,
    crd_inline::RULE,
    crd_float::RULE,
    openapi_shape::RULE,
    openapi_duplicate::RULE,
];
