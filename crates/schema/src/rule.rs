//! Rules: one check with everything wrapped around it.

use crate::{Facet, Literal, Str};

/// One rule as written: its check, and the chain of wrappers around it from the outside in.
///
/// The order of wrappers matters: a condition outside `subfield` differs from one inside.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// The family of its tag, which decides which reference tool acts on it.
    pub family: Family,
    /// Wrappers, outermost first.
    pub wraps: Vec<Wrap>,
    /// The check.
    pub facet: Facet,
}

/// Families of tags with similar meanings for different tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// `+k8s:` tags: declarative validation.
    Declarative,
    /// `+optional`, `+listType`, `+k8s:validation:` …: read by openapi-gen.
    OpenApi,
    /// `+kubebuilder:` markers: read by controller-gen.
    Kubebuilder,
}

/// Something wrapped around a check.
#[derive(Debug, Clone, PartialEq)]
pub enum Wrap {
    /// A stability level (`+k8s:alpha`, `+k8s:beta`).
    Level {
        /// The level.
        level: Level,
        /// The `since` argument.
        since: Option<Version>,
    },
    /// Only if a condition holds.
    If(Condition),
    /// On every element of a list or value of a map.
    EachVal,
    /// On every key of a map.
    EachKey,
    /// On the member with this JSON name.
    Subfield(Str),
    /// On the list item that the selector picks.
    Item(Selector),
}

/// A condition of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// An option is on or off.
    Option {
        /// Name of the option.
        name: Str,
        /// The required state.
        enabled: bool,
    },
    /// The discriminator of a mode group has this value.
    Mode {
        /// Name of the group; `None` is the unnamed one.
        modality: Option<Str>,
        /// The discriminator's value.
        mode: Str,
    },
    /// The request is for this subresource, or for any other.
    Subresource {
        /// Path of the subresource, as `/status`.
        path: Str,
        /// Whether it must be this one.
        matches: bool,
    },
}

/// Stability of a rule. Unmarked rules are enforced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Evaluated, never enforced.
    Alpha,
    /// Enforced if a switch is on.
    Beta,
    /// Always enforced.
    Stable,
}

/// A Kubernetes minor version, as `1.34`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// Major.
    pub major: u32,
    /// Minor.
    pub minor: u32,
}

/// Picks an item of a list map: key fields with their values, in the order written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selector(pub Vec<(Str, Literal)>);

impl Rule {
    /// A bare rule of a family.
    #[must_use]
    pub fn new(family: Family, facet: Facet) -> Self {
        Self {
            family,
            wraps: Vec::new(),
            facet,
        }
    }

    /// Puts the rule inside one more wrapper.
    #[must_use]
    pub fn wrapped(mut self, wrap: Wrap) -> Self {
        self.wraps.insert(0, wrap);
        self
    }

    /// The outermost stability level; unmarked rules are stable.
    #[must_use]
    pub fn level(&self) -> Level {
        self.wraps
            .iter()
            .find_map(|wrap| match wrap {
                Wrap::Level { level, .. } => Some(*level),
                _ => None,
            })
            .unwrap_or(Level::Stable)
    }

    /// The conditions, outermost first.
    pub fn conditions(&self) -> impl Iterator<Item = &Condition> {
        self.wraps.iter().filter_map(|wrap| match wrap {
            Wrap::If(condition) => Some(condition),
            _ => None,
        })
    }

    /// The wrappers that select where the rule applies, outermost first.
    pub fn scope(&self) -> impl Iterator<Item = &Wrap> {
        self.wraps
            .iter()
            .filter(|wrap| !matches!(wrap, Wrap::Level { .. } | Wrap::If(_)))
    }

    /// Whether the rule applies to the declaration itself, unconditionally and at any level.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.wraps.is_empty()
    }
}

impl Version {
    /// Reads `<major>.<minor>`, digits only.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (major, minor) = text.split_once('.')?;
        let number = |digits: &str| {
            digits
                .bytes()
                .all(|byte| byte.is_ascii_digit())
                .then(|| digits.parse().ok())?
        };
        Some(Self {
            major: number(major)?,
            minor: number(minor)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_two_numbers() {
        assert_eq!(Version::parse("1.34"), Some(Version { major: 1, minor: 34 }));
        for bad in ["v1.34", "1", "1.", ".1", "1.3.4", "1.+3", ""] {
            assert_eq!(Version::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_outermost_level_wins() {
        let rule = Rule::new(Family::Declarative, Facet::Required)
            .wrapped(Wrap::Level {
                level: Level::Alpha,
                since: None,
            })
            .wrapped(Wrap::Level {
                level: Level::Beta,
                since: None,
            });
        assert_eq!(rule.level(), Level::Beta);
    }
}
