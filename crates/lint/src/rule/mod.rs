//! The rules, one file each: its finding, its settings, when it applies and its check; its page beside it.

mod convention;
mod crd_float;
mod crd_inline;
mod crd_shape;
mod custom_validation;
mod foreign_type;
mod later_tag;
mod level_position;
mod map_of_lists;
mod meaning;
mod openapi_duplicate;
mod openapi_shape;
mod requiredness;
mod tag_stability;
mod unsupported_shape;

use kindsmith_source::Finding;

use crate::Report;
use crate::declared::Declared;
pub(crate) use crate::facts::{About, Facts, Setting};
use crate::reach::Reach;

/// A lint rule.
#[derive(Debug)]
pub struct Rule {
    /// Everything but its check.
    pub facts: Facts,
    pub(crate) check: Check,
}

/// How a rule looks at the sources.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Check {
    /// At the types that generators reach.
    Reach(fn(&Reach<'_>, &mut Report<'_>)),
    /// At declarations as written.
    Source(fn(&Declared<'_>, &mut Report<'_>)),
}

impl Rule {
    /// A rule about what generators reach, on everywhere.
    pub(crate) const fn reach(finding: Finding, check: fn(&Reach<'_>, &mut Report<'_>)) -> Self {
        Self::new(finding, Check::Reach(check))
    }

    /// A rule about declarations as written, on in every API.
    pub(crate) const fn source(finding: Finding, check: fn(&Declared<'_>, &mut Report<'_>)) -> Self {
        Self::new(finding, Check::Source(check)).about(About::Api)
    }

    const fn new(finding: Finding, check: Check) -> Self {
        Self {
            facts: Facts {
                finding,
                alias: None,
                settings: &[],
                about: About::All,
                is_default: true,
            },
            check,
        }
    }

    pub(crate) const fn alias(mut self, alias: &'static str) -> Self {
        self.facts.alias = Some(alias);
        self
    }

    pub(crate) const fn settings(mut self, settings: &'static [Setting]) -> Self {
        self.facts.settings = settings;
        self
    }

    pub(crate) const fn about(mut self, about: About) -> Self {
        self.facts.about = about;
        self
    }

    /// Off unless it is selected.
    pub(crate) const fn off(mut self) -> Self {
        self.facts.is_default = false;
        self
    }

    /// The rule with this code or alias.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        RULES
            .iter()
            .find(|rule| rule.facts.finding.code() == name || rule.facts.alias == Some(name))
    }
}

/// All rules, in the order in which they run.
pub static RULES: &[Rule] = &[
    unsupported_shape::RULE,
    map_of_lists::RULE,
    foreign_type::RULE,
    custom_validation::RULE,
    later_tag::RULE,
    level_position::RULE,
    tag_stability::RULE,
    requiredness::RULE,
    crd_shape::RULE,
    crd_inline::RULE,
    crd_float::RULE,
    openapi_shape::RULE,
    openapi_duplicate::RULE,
    meaning::default_pattern::RULE,
    meaning::gated_rule::RULE,
    meaning::impossible_bounds::RULE,
    meaning::kept_default::RULE,
    meaning::nested_default::RULE,
    meaning::optional_list_key::RULE,
    meaning::ordered_rule::RULE,
    meaning::required_and_optional::RULE,
    meaning::status_immutable::RULE,
    meaning::struct_omitempty::RULE,
    meaning::typedef_chain::RULE,
    meaning::union_shape::RULE,
    meaning::version_drift::RULE,
    meaning::zero_default::RULE,
    meaning::zero_never_set::RULE,
    convention::ambiguous_marker::RULE,
    convention::bool_field::RULE,
    convention::comment_start::RULE,
    convention::condition_field::RULE,
    convention::conflicting_markers::RULE,
    convention::default_field::RULE,
    convention::default_on_required::RULE,
    convention::duration_field::RULE,
    convention::field_name::RULE,
    convention::float_field::RULE,
    convention::forbidden_marker::RULE,
    convention::integer_width::RULE,
    convention::json_tag::RULE,
    convention::list_item_without_required::RULE,
    convention::list_type::RULE,
    convention::map_field::RULE,
    convention::missing_marker::RULE,
    convention::no_maximum_length::RULE,
    convention::no_minimum_length::RULE,
    convention::nullable_field::RULE,
    convention::optional_form::RULE,
    convention::phase_field::RULE,
    convention::preferred_marker::RULE,
    convention::reference_name::RULE,
    convention::repeated_marker::RULE,
    convention::required_form::RULE,
    convention::requiredness_marker::RULE,
    convention::status_required::RULE,
    convention::status_subresource::RULE,
    convention::struct_requiredness::RULE,
    convention::timestamp_name::RULE,
    convention::unbounded_number::RULE,
];
