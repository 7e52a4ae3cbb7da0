//! Releases of controller-gen: which markers each reads. One table, made from the markers that the releases list themselves.

use kindsmith_schema::{Facet, Family, Rule};

/// A release of controller-gen, without its patch number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Release {
    /// v0.16
    V16,
    /// v0.17
    V17,
    /// v0.18
    V18,
    /// v0.19
    V19,
    /// v0.20
    V20,
    /// v0.21
    V21,
    /// v0.22, which the recordings are made with.
    #[default]
    V22,
    /// v0.23
    V23,
}

/// Whether a rule needs the markers of a release.
type IsAbout = fn(&Rule) -> bool;

/// What came with which release.
const SINCE: &[(Release, IsAbout, &str)] = &[
    (
        Release::V18,
        |rule| matches!(rule.facet, Facet::Title(_)),
        "kubebuilder:title",
    ),
    (
        Release::V19,
        |rule| matches!(rule.facet, Facet::AtMostOneOf(_) | Facet::ExactlyOneOf(_)),
        "kubebuilder:validation:AtMostOneOf, ExactlyOneOf",
    ),
    (
        Release::V20,
        |rule| matches!(rule.facet, Facet::AtLeastOneOf(_)),
        "kubebuilder:validation:AtLeastOneOf",
    ),
    (
        Release::V20,
        |rule| is_native(rule) && matches!(rule.facet, Facet::Required | Facet::Optional),
        "k8s:required, k8s:optional",
    ),
    (
        Release::V21,
        |rule| matches!(rule.facet, Facet::ExternalDocs(_)),
        "kubebuilder:externalDocs",
    ),
    (
        Release::V21,
        |rule| is_native(rule) && matches!(rule.facet, Facet::Immutable | Facet::Enum),
        "k8s:immutable, k8s:enum",
    ),
    (
        Release::V22,
        |rule| is_native(rule) && matches!(rule.facet, Facet::ListType(_) | Facet::ListMapKey(_)),
        "k8s:listType, k8s:listMapKey",
    ),
    (
        Release::V23,
        |rule| is_native(rule) && is_bound(&rule.facet),
        "k8s:maxItems, k8s:minimum, k8s:maximum; k8s:required asks for something inside",
    ),
];

fn is_native(rule: &Rule) -> bool {
    rule.family == Family::Native
}

/// The bounds that controller-gen reads from `+k8s:` tags since v0.23.
fn is_bound(facet: &Facet) -> bool {
    matches!(facet, Facet::MaxItems(_) | Facet::Minimum(_) | Facet::Maximum(_))
}

impl Release {
    /// All releases, oldest first.
    pub const ALL: [Self; 8] = [
        Self::V16,
        Self::V17,
        Self::V18,
        Self::V19,
        Self::V20,
        Self::V21,
        Self::V22,
        Self::V23,
    ];

    /// Its name: `v0.23`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::V16 => "v0.16",
            Self::V17 => "v0.17",
            Self::V18 => "v0.18",
            Self::V19 => "v0.19",
            Self::V20 => "v0.20",
            Self::V21 => "v0.21",
            Self::V22 => "v0.22",
            Self::V23 => "v0.23",
        }
    }

    /// The release of a version such as `v0.23.1`; later ones are like the last, earlier ones like the first.
    #[must_use]
    pub fn of_version(version: &str) -> Option<Self> {
        let mut parts = version.trim().strip_prefix('v')?.split('.');
        let minor: usize = match (parts.next()?, parts.next()?) {
            ("0", minor) => minor.parse().ok()?,
            _ => return None,
        };
        let index = minor.saturating_sub(16).min(Self::ALL.len() - 1);
        Some(Self::ALL[index])
    }

    /// The markers that came with this release.
    pub fn news(self) -> impl Iterator<Item = &'static str> {
        let of_release = SINCE.iter().filter(move |(since, ..)| *since == self);
        of_release.map(|(_, _, markers)| *markers)
    }

    /// Whether the release reads the marker behind a rule.
    pub(crate) fn reads(self, rule: &Rule) -> bool {
        let mut later = SINCE.iter().filter(|(since, ..)| *since > self);
        !later.any(|(_, is_it, _)| is_it(rule))
    }

    /// Rules of validation-gen's tags that this release reads as bounds.
    pub(crate) fn bounds(self, rules: &[Rule]) -> impl Iterator<Item = &Rule> {
        rules.iter().filter(move |rule| {
            self >= Self::V23 && is_native(rule) && rule.is_plain() && is_bound(&rule.facet)
        })
    }

    /// Whether a required value must have something in it.
    pub(crate) fn requires_content(self, published: &[Rule]) -> bool {
        let is_required = |rule: &Rule| is_native(rule) && rule.facet == Facet::Required;
        self >= Self::V23 && published.iter().any(is_required)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_belong_to_releases() {
        for (version, expected) in [
            ("v0.23.0", Some("v0.23")),
            ("v0.20.1", Some("v0.20")),
            ("v0.14.0", Some("v0.16")),
            ("v0.99.0", Some("v0.23")),
            ("(devel)", None),
            ("v1.0.0", None),
        ] {
            assert_eq!(
                Release::of_version(version).map(Release::name),
                expected,
                "{version}"
            );
        }
    }

    #[test]
    fn releases_read_what_they_know() {
        let rule = |family, facet| Rule {
            family,
            wraps: Vec::new(),
            facet,
        };
        for (family, facet, since) in [
            (Family::Native, Facet::Immutable, Release::V21),
            (Family::Native, Facet::Required, Release::V20),
            (Family::Kubebuilder, Facet::Required, Release::V16),
            (Family::Native, Facet::MaxItems(1), Release::V23),
            (Family::Kubebuilder, Facet::MaxItems(1), Release::V16),
        ] {
            let rule = rule(family, facet);
            for release in Release::ALL {
                assert_eq!(release.reads(&rule), release >= since, "{release:?} {rule:?}");
            }
        }
    }
}
