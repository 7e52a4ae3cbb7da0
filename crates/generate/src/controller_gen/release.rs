//! Releases of controller-gen: which markers each reads, and what else changed. Two tables; `conformance/controller-gen/releases`
//! has recordings of every release.

use kindsmith_schema::{Facet, Family, Rule, Str};

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
    /// v0.22
    V22,
    /// v0.23
    #[default]
    V23,
}

/// Whether a rule needs the markers of a release.
type IsAbout = fn(&Rule) -> bool;

/// What came with which release.
const SINCE: &[(Release, IsAbout, &str)] = &[
    (
        Release::V18,
        |rule| matches!(rule.facet, Facet::Title(_)),
        "kubebuilder:title on fields",
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
        |rule| is_declarative(rule) && matches!(rule.facet, Facet::Required | Facet::Optional),
        "k8s:required, k8s:optional",
    ),
    (
        Release::V21,
        |rule| matches!(rule.facet, Facet::ExternalDocs(_)),
        "kubebuilder:externalDocs",
    ),
    (
        Release::V21,
        |rule| is_declarative(rule) && matches!(rule.facet, Facet::Immutable | Facet::Enum),
        "k8s:immutable, k8s:enum",
    ),
    (
        Release::V22,
        |rule| is_declarative(rule) && matches!(rule.facet, Facet::ListType(_) | Facet::ListMapKey(_)),
        "k8s:listType, k8s:listMapKey",
    ),
    (
        Release::V23,
        |rule| is_declarative(rule) && is_bound(&rule.facet),
        "k8s:maxItems, k8s:minimum, k8s:maximum",
    ),
];

/// Something that a release does and the one before does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    /// Descriptions without a sentence that fits are cut between words.
    CutAtWords,
    /// Types with `MarshalText` are strings.
    TextMarshalers,
    /// `*` among the verbs of a role replaces the others.
    AllVerbs,
    /// Methods that copy name aliases (`type A = B`) as written.
    Aliases,
    /// Titles of types are read, not only those of fields.
    TypeTitles,
    /// Webhooks are sorted by name across packages, before that within each package, and packages by imports.
    SortedWebhooks,
    /// Methods that copy what a pointer points to name lists and maps.
    NamedPointees,
    /// A type's enum beats that of a field; both were written before.
    FirstEnum,
    /// List map keys that are given twice are written once.
    UniqueKeys,
    /// Groups of fields are counted by adding instead of by filtering a list.
    SummedGroups,
    /// `+k8s:required` requires something inside.
    RequiredContent,
    /// A field's list type and keys replace those of its type.
    ReplacedListTypes,
    /// Fields of named lists and maps have a JSON type, so that markers apply to them.
    TypedContainers,
}

/// What else changed with which release.
const CHANGES: &[(Release, Change, &str)] = &[
    (
        Release::V17,
        Change::CutAtWords,
        "maxDescLen cuts between words and adds \"...\"",
    ),
    (
        Release::V17,
        Change::TextMarshalers,
        "types with MarshalText are strings",
    ),
    (
        Release::V17,
        Change::AllVerbs,
        "rbac: the verb * replaces the others",
    ),
    (Release::V17, Change::Aliases, "object: aliases keep their names"),
    (Release::V20, Change::TypeTitles, "kubebuilder:title on types"),
    (
        Release::V20,
        Change::SortedWebhooks,
        "webhook: sorted by name across packages",
    ),
    (
        Release::V20,
        Change::NamedPointees,
        "object: pointers to named lists and maps name them",
    ),
    (
        Release::V21,
        Change::FirstEnum,
        "an enum on a type beats one on its field",
    ),
    (
        Release::V22,
        Change::UniqueKeys,
        "duplicate list map keys are removed",
    ),
    (
        Release::V22,
        Change::SummedGroups,
        "rules of AtMostOneOf, ExactlyOneOf and AtLeastOneOf are cheaper",
    ),
    (
        Release::V23,
        Change::RequiredContent,
        "k8s:required requires something inside",
    ),
    (
        Release::V23,
        Change::ReplacedListTypes,
        "listType and listMapKey on a field replace those of its type",
    ),
    (
        Release::V23,
        Change::TypedContainers,
        "markers on fields of named lists and maps",
    ),
];

fn joined(fields: &[Str], between: &str, term: fn(&Str) -> String) -> String {
    let terms: Vec<String> = fields.iter().map(term).collect();
    terms.join(between)
}

fn is_declarative(rule: &Rule) -> bool {
    rule.family == Family::Declarative
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

    /// The version that CRDs name: `v0.23.0`.
    #[must_use]
    pub fn version(self) -> String {
        format!("{}.0", self.name())
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

    /// The markers that came with this release, and what else changed.
    pub fn news(self) -> impl Iterator<Item = &'static str> {
        let markers = SINCE.iter().map(|(since, _, markers)| (*since, *markers));
        let changes = CHANGES.iter().map(|(since, _, what)| (*since, *what));
        let of_release = markers.chain(changes).filter(move |(since, _)| *since == self);
        of_release.map(|(_, what)| what)
    }

    /// Whether the release has a change.
    pub(crate) fn has(self, change: Change) -> bool {
        let mut later = CHANGES.iter().filter(|(since, ..)| *since > self);
        !later.any(|(_, of, _)| *of == change)
    }

    /// Whether webhooks are sorted across packages. If not, packages come in the order of their imports.
    #[must_use]
    pub fn sorts_webhooks(self) -> bool {
        self.has(Change::SortedWebhooks)
    }

    /// Whether markers on fields see that a named type is a list or map.
    #[must_use]
    pub fn sees_containers(self) -> bool {
        self.has(Change::TypedContainers)
    }

    /// The number of fields that are set, in CEL.
    pub(crate) fn count(self, fields: &[Str]) -> String {
        if self.has(Change::SummedGroups) {
            joined(fields, "+", |field| format!("(has(self.{field})?1:0)"))
        } else {
            let set = joined(fields, ",", |field| format!("has(self.{field})"));
            format!("[{set}].filter(x,x==true).size()")
        }
    }

    /// Whether any field is set, in CEL.
    pub(crate) fn any(self, fields: &[Str]) -> String {
        if self.has(Change::SummedGroups) {
            joined(fields, "||", |field| format!("has(self.{field})"))
        } else {
            format!("{} >= 1", self.count(fields))
        }
    }

    /// Whether the release reads the marker behind a rule.
    pub(crate) fn reads(self, rule: &Rule) -> bool {
        let mut later = SINCE.iter().filter(|(since, ..)| *since > self);
        !later.any(|(_, is_it, _)| is_it(rule))
    }

    /// Whether the release reads the marker behind a rule of a type.
    pub(crate) fn reads_on_type(self, rule: &Rule) -> bool {
        let is_title = matches!(rule.facet, Facet::Title(_));
        self.reads(rule) && (!is_title || self.has(Change::TypeTitles))
    }

    /// Rules of validation-gen's tags that this release reads as bounds.
    pub(crate) fn bounds(self, rules: &[Rule]) -> impl Iterator<Item = &Rule> {
        rules.iter().filter(move |rule| {
            self >= Self::V23 && is_declarative(rule) && rule.is_plain() && is_bound(&rule.facet)
        })
    }

    /// Whether a required value must have something in it.
    pub(crate) fn requires_content(self, published: &[Rule]) -> bool {
        let is_required = |rule: &Rule| is_declarative(rule) && rule.facet == Facet::Required;
        self.has(Change::RequiredContent) && published.iter().any(is_required)
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
            (Family::Declarative, Facet::Immutable, Release::V21),
            (Family::Declarative, Facet::Required, Release::V20),
            (Family::Kubebuilder, Facet::Required, Release::V16),
            (Family::Declarative, Facet::MaxItems(1), Release::V23),
            (Family::Kubebuilder, Facet::MaxItems(1), Release::V16),
        ] {
            let rule = rule(family, facet);
            for release in Release::ALL {
                assert_eq!(release.reads(&rule), release >= since, "{release:?} {rule:?}");
            }
        }
    }
}
