//! Which rules count: those that are enforced, under the options that a CRD is generated for.
//!
//! A CRD has neither stability levels nor options. Alpha rules are not enforced, and conditions on options
//! are decided when the CRD is generated.

pub(crate) use kindsmith_checks::Enforcement;
use kindsmith_schema::{Rule, Wrap};

use super::mode;
use crate::controller_gen::Options;

/// Decides levels and options of a rule: how it is enforced, and the wraps that are left.
pub(crate) fn decide(options: &Options, rule: &Rule) -> (Enforcement, Vec<Wrap>) {
    kindsmith_checks::decide(rule, |name| options.switch(name))
}

/// The enforced rules of a declaration, with their remaining wrappers. Modes are handled by the struct.
pub(crate) fn enforced<'r>(
    options: &Options,
    rules: &'r [Rule],
) -> impl Iterator<Item = (usize, &'r Rule, Vec<Wrap>)> {
    rules.iter().enumerate().filter_map(|(index, rule)| {
        let (standing, wraps) = decide(options, rule);
        (standing == Enforcement::Enforced && !mode::is_moded(rule)).then_some((index, rule, wraps))
    })
}
