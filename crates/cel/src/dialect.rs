//! What differs between the releases of Kubernetes in CEL: one list with the first release of each feature and a sentence about it,
//! which `docs/versions.md` shows. Functions, macros and costs name the feature they came with, never a release number.

/// The CEL of a release of Kubernetes: of the newest by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dialect {
    minor: u8,
    is_stored: bool,
}

impl Dialect {
    /// What the release 1.`minor` accepts in new expressions. A library counts from the release after the one that brought it, so that
    /// a cluster can go back by one release (`environment/base.go` in apiserver's pkg/cel).
    #[must_use]
    pub const fn of_release(minor: u8) -> Dialect {
        Dialect {
            minor,
            is_stored: false,
        }
    }

    /// What the release runs: expressions that are stored may use all its libraries.
    #[must_use]
    pub const fn stored(self) -> Dialect {
        Dialect {
            is_stored: true,
            ..self
        }
    }

    /// Whether it has a feature.
    #[must_use]
    pub fn has(self, feature: Feature) -> bool {
        let since = if self.is_stored {
            feature.brought()
        } else {
            feature.since()
        };
        since <= self.minor
    }
}

impl Default for Dialect {
    fn default() -> Self {
        Dialect::of_release(u8::MAX)
    }
}

/// What came with a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Functions and macros: new expressions may use them from the next release on.
    Library,
    /// Costs and values of what was there before.
    Meaning,
}

use Kind::{Library, Meaning};

/// Makes the enum and the table of one list.
macro_rules! features {
    ($($(#[doc = $doc:literal])* $name:ident: $kind:ident $brought:literal,)*) => {
        /// A feature that the CEL of older releases does not have.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Feature {
            $($(#[doc = $doc])* $name,)*
        }

        impl Feature {
            /// All features, by release.
            pub const ALL: &'static [Feature] = &[$(Feature::$name,)*];
        }

        const TABLE: &[(Kind, u8, &str)] = &[$(($kind, $brought, concat!($($doc),*)),)*];
    };
}

features! {
    /// New expressions may use `slice`, `flatten`, `reverse`, `distinct`, `sort`, `sortBy` and `lists.range`.
    ListFunctions: Library 34,
    /// Errors of rules about scalars have the value; before, they had the type, as did those about objects and lists.
    FailedValues: Meaning 35,
    /// `startsWith` and `endsWith` cost as much as the text that is looked for; before, as much as the whole text.
    PrefixCost: Meaning 37,
    /// `matches(text, pattern)` costs as much as `text.matches(pattern)`; before, it cost 1.
    GlobalMatchesCost: Meaning 37,
    /// Estimates of costs count at most 253 characters for names in `metadata`; before, as much as a request may have.
    NameLength: Meaning 37,
    /// Elements of sets are compared by value; before, as they were sent, so `1` and `1.0` differed, and each was looked for alone.
    ElementsByValue: Meaning 37,
    /// `duration` takes text only; before, whole numbers passed the check of types, and failed.
    DurationsOfText: Meaning 37,
    /// `or` and `orValue` of a value that is not an optional are errors; before, they were that value.
    OptionalsOnly: Meaning 37,
    /// A literal named after a variable has no declaration; before, the variable was called not a type.
    LiteralsOfTypes: Meaning 37,
    /// Backquotes may enclose names of fields.
    EscapedNames: Meaning 37,
    /// New expressions may use `includes`.
    Includes: Library 37,
}

impl Feature {
    /// The second number of the first release that has it in new expressions.
    #[must_use]
    pub fn since(self) -> u8 {
        let (kind, brought, _) = TABLE[self as usize];
        brought + u8::from(kind == Library)
    }

    /// The second number of the release that brought it.
    fn brought(self) -> u8 {
        TABLE[self as usize].1
    }

    /// A sentence about it.
    #[must_use]
    pub fn about(self) -> &'static str {
        TABLE[self as usize].2.trim()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_sorted_by_release() {
        assert!(Feature::ALL.is_sorted_by_key(|feature| feature.since()));
        let newest = Dialect::default();
        assert!(Feature::ALL.iter().all(|feature| newest.has(*feature)));
    }

    #[test]
    fn new_expressions_may_use_a_library_one_release_later() {
        let dialect = Dialect::of_release(34);
        assert!(!dialect.has(Feature::ListFunctions));
        assert!(dialect.stored().has(Feature::ListFunctions));
        assert!(Dialect::of_release(35).has(Feature::ListFunctions));
        assert!(!Dialect::of_release(36).stored().has(Feature::PrefixCost));
        assert!(Dialect::of_release(37).has(Feature::PrefixCost));
    }
}
