//! Which rules count: those that are enforced, under the options a definition is made for.
//!
//! A definition has neither stability levels nor options. What is alpha is not enforced by anyone, and what an option
//! decides is decided when the definition is made.

pub(crate) use kindsmith_checks::Enforcement;
use kindsmith_schema::{Rule, Wrap};

use super::mode;
use crate::controller_gen::Options;

/// Decides levels and options of a rule: how it is enforced, and the wraps that are left.
pub(crate) fn decide(options: &Options, rule: &Rule) -> (Enforcement, Vec<Wrap>) {
    kindsmith_checks::decide(rule, |name| options.switch(name))
}

/// The rules of a declaration that are enforced, with the wraps that are left of them. Modes are the struct's business.
pub(crate) fn enforced<'r>(
    options: &Options,
    rules: &'r [Rule],
) -> impl Iterator<Item = (usize, &'r Rule, Vec<Wrap>)> {
    rules.iter().enumerate().filter_map(|(index, rule)| {
        let (standing, wraps) = decide(options, rule);
        (standing == Enforcement::Enforced && !mode::is_moded(rule)).then_some((index, rule, wraps))
    })
}
