//! Which rules count: those that are enforced, under the options that a CRD is generated for.
//!
//! A CRD has neither stability levels nor options. Alpha rules are not enforced, and conditions on options
//! are decided when the CRD is generated.

use kindsmith_schema::{Condition, Facet, Family, Level, Rule, Wrap};

use super::mode;
use crate::controller_gen::Options;

/// The state of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Enforcement {
    /// Failures are errors, unless an unknown condition is left.
    Enforced,
    /// Checked, but failures are hidden; they still stop other checks of the field.
    Hidden,
    /// Not checked.
    Off,
}

/// Decides levels and options of a rule: returns its state, and the wrappers that are left.
pub(crate) fn decide(options: &Options, rule: &Rule) -> (Enforcement, Vec<Wrap>) {
    let mut standing = match (rule.family, level(rule)) {
        (Family::Native, Some(Level::Alpha)) => Enforcement::Hidden,
        (Family::Native, _) => Enforcement::Enforced,
        _ => return (Enforcement::Off, Vec::new()),
    };
    let mut left = Vec::new();
    for wrap in &rule.wraps {
        match wrap {
            Wrap::Level { .. } => {}
            Wrap::If(Condition::Option { name, enabled }) => match options.switch(name) {
                Some(on) if on == *enabled => {}
                Some(_) => standing = Enforcement::Off,
                None => left.push(wrap.clone()),
            },
            _ => left.push(wrap.clone()),
        }
    }
    (standing, left)
}

/// The outermost level of a rule. A level inside a chain, directly around a check without arguments, is lost
/// (validation-gen's `validation.go`, `toGolangSourceDataLiteral`).
pub(crate) fn level(rule: &Rule) -> Option<Level> {
    let outside = rule
        .wraps
        .iter()
        .rposition(|wrap| !matches!(wrap, Wrap::Level { .. }));
    let counted = match outside {
        Some(last) if !has_arguments(&rule.facet) => &rule.wraps[..last],
        _ => &rule.wraps[..],
    };
    counted.iter().find_map(|wrap| match wrap {
        Wrap::Level { level, .. } => Some(*level),
        _ => None,
    })
}

fn has_arguments(facet: &Facet) -> bool {
    !matches!(
        facet,
        Facet::Required
            | Facet::Optional
            | Facet::Forbidden
            | Facet::Immutable
            | Facet::Monotonic
            | Facet::Format(_)
            | Facet::CustomValidation
    )
}

/// The rank of a rule among those of its declaration: rules are processed in the order of the outermost tag's
/// name, and the first of several that form one check decides for all. Only the names of wrapping tags
/// matter.
pub(crate) fn rank(rule: &Rule) -> u8 {
    match rule.wraps.first() {
        Some(Wrap::Level {
            level: Level::Alpha, ..
        }) => 0,
        Some(Wrap::Level { .. }) => 1,
        Some(Wrap::If(Condition::Option { enabled: false, .. })) => 2,
        Some(Wrap::If(Condition::Option { .. })) => 3,
        Some(Wrap::If(_)) => 4,
        _ => 5,
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_decide_and_levels_hide() {
        let option = |name: &str, enabled| {
            Wrap::If(Condition::Option {
                name: name.into(),
                enabled,
            })
        };
        let alpha = Wrap::Level {
            level: Level::Alpha,
            since: None,
        };
        let options = Options {
            switches: vec![("On".to_owned(), true), ("Off".to_owned(), false)],
            ..Options::default()
        };
        let check = |wraps: &[Wrap], standing: Enforcement, left: &[Wrap]| {
            let mut rule = Rule::new(Family::Native, Facet::Required);
            rule.wraps = wraps.to_vec();
            let found = decide(&options, &rule);
            assert_eq!(found.0, standing, "{wraps:?}");
            if standing != Enforcement::Off {
                assert_eq!(found.1, left, "{wraps:?}");
            }
        };
        check(&[], Enforcement::Enforced, &[]);
        check(
            &[alpha.clone(), Wrap::EachVal],
            Enforcement::Hidden,
            &[Wrap::EachVal],
        );
        check(
            &[option("On", true), Wrap::EachVal, option("Off", false)],
            Enforcement::Enforced,
            &[Wrap::EachVal],
        );
        check(&[Wrap::EachVal, alpha], Enforcement::Enforced, &[Wrap::EachVal]);
        check(&[option("On", false)], Enforcement::Off, &[]);
        check(&[Wrap::EachVal, option("Off", true)], Enforcement::Off, &[]);
        check(
            &[option("Other", true)],
            Enforcement::Enforced,
            &[option("Other", true)],
        );
    }
}
