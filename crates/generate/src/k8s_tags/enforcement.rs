//! Which rules count: those that are enforced, under the options that a CRD is generated for.
//!
//! A CRD has neither stability levels nor options. Alpha rules are not enforced, and conditions on options
//! are decided when the CRD is generated.

pub(crate) use kindsmith_checks::Enforcement;
use kindsmith_schema::{Condition, Family, Rule, Wrap};

/// Known states of the options of declarative validation.
#[derive(Clone, Copy)]
pub(crate) struct Switches<'a>(pub(crate) &'a [(String, bool)]);

impl Switches<'_> {
    /// Whether an option is on; `None` if unknown.
    pub(crate) fn get(self, name: &str) -> Option<bool> {
        let known = self.0.iter().rev().find(|(known, _)| known == name);
        known.map(|(_, on)| *on)
    }
}

/// Decides levels and options of a rule: how it is enforced, and the wraps that are left.
pub(crate) fn decide(switches: Switches<'_>, rule: &Rule) -> (Enforcement, Vec<Wrap>) {
    kindsmith_checks::decide(rule, |name| switches.get(name))
}

/// The enforced rules of a declaration, with their remaining wrappers. Modes are handled by the struct.
pub(crate) fn enforced<'r>(
    switches: Switches<'_>,
    rules: &'r [Rule],
) -> impl Iterator<Item = (usize, &'r Rule, Vec<Wrap>)> {
    rules.iter().enumerate().filter_map(move |(index, rule)| {
        let (standing, wraps) = decide(switches, rule);
        (standing == Enforcement::Enforced && !is_moded(rule)).then_some((index, rule, wraps))
    })
}

/// Whether a rule is under a mode of its own struct.
fn is_moded(rule: &Rule) -> bool {
    rule.family == Family::Declarative && inside_mode(rule).is_some()
}

/// The wrappers of a rule inside its mode, if it is under a mode of its own struct.
pub(crate) fn inside_mode(rule: &Rule) -> Option<&[Wrap]> {
    let is_mode = |wrap: &Wrap| matches!(wrap, Wrap::If(Condition::Mode { .. }));
    let at = rule.wraps.iter().position(is_mode)?;
    let (outside, inside) = (&rule.wraps[..at], &rule.wraps[at + 1..]);
    let is_own = |wrap: &Wrap| matches!(wrap, Wrap::Level { .. } | Wrap::If(_));
    outside.iter().all(is_own).then_some(inside)
}
