//! Whether failures of a check count, under options that are known.
//!
//! Failures of alpha checks are hidden; an option that is known decides once and for all. Must not know values.

use kindsmith_schema::{Condition, Facet, Family, Level, Rule, Wrap};

use super::{Body, Call};

/// How a check is enforced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enforcement {
    /// Its failures are reported, unless a condition is left that is not known.
    Enforced,
    /// It runs and its failures are hidden; they still stop other checks of the field.
    Hidden,
    /// It does not run.
    Off,
}

/// Decides levels and options of a rule: how it is enforced, and the wraps that are left.
pub fn decide(rule: &Rule, option: impl Fn(&str) -> Option<bool>) -> (Enforcement, Vec<Wrap>) {
    if rule.family != Family::Declarative {
        return (Enforcement::Off, Vec::new());
    }
    let mut enforcement = of_level(level(rule));
    let mut left = Vec::new();
    for wrap in &rule.wraps {
        match wrap {
            Wrap::Level { .. } => {}
            Wrap::If(Condition::Option { name, enabled }) => match option(name) {
                Some(on) if on == *enabled => {}
                Some(_) => enforcement = Enforcement::Off,
                None => left.push(wrap.clone()),
            },
            _ => left.push(wrap.clone()),
        }
    }
    (enforcement, left)
}

/// A call without the levels and conditions around it.
#[derive(Debug)]
pub struct Decided<'c> {
    /// What is left.
    pub call: &'c Call,
    /// How it is enforced.
    pub enforcement: Enforcement,
    /// Whether a condition was around it that is not known.
    pub conditional: bool,
}

impl Call {
    /// Decides levels and options around a call.
    pub fn decided(&self, option: impl Fn(&str) -> Option<bool>) -> Decided<'_> {
        let (mut call, mut level) = (self, self.level);
        let (mut is_off, mut conditional) = (false, false);
        loop {
            level = level.or(call.level);
            call = match &call.body {
                Body::IfOption {
                    option: name,
                    enabled,
                    inner,
                } => {
                    let on = option(name);
                    is_off |= on.is_some_and(|on| on != *enabled);
                    conditional |= on.is_none();
                    inner
                }
                Body::IfSubresource { inner, .. } => {
                    conditional = true;
                    inner
                }
                _ => break,
            };
        }
        let enforcement = if is_off { Enforcement::Off } else { of_level(level) };
        Decided {
            call,
            enforcement,
            conditional,
        }
    }
}

fn of_level(level: Option<Level>) -> Enforcement {
    match level {
        Some(Level::Alpha) => Enforcement::Hidden,
        _ => Enforcement::Enforced,
    }
}

/// The outermost level of a rule. One inside a chain, directly on a check that takes no arguments, is lost
/// (VG/validation.go, `toGolangSourceDataLiteral`).
fn level(rule: &Rule) -> Option<Level> {
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

/// The same as [`Call::has_arguments`], for a tag.
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
        let options = |name: &str| match name {
            "On" => Some(true),
            "Off" => Some(false),
            _ => None,
        };
        let check = |wraps: &[Wrap], standing: Enforcement, left: &[Wrap]| {
            let mut rule = Rule::new(Family::Declarative, Facet::Required);
            rule.wraps = wraps.to_vec();
            let found = decide(&rule, options);
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
