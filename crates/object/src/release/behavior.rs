//! What changed from release to release without a gate: one list with the first release of each behavior and a sentence
//! about it, which `docs/versions.md` shows.

use super::Release;

/// Makes the enum and the table of one list.
macro_rules! behaviors {
    ($($(#[doc = $doc:literal])* $name:ident: $since:literal,)*) => {
        /// A behavior that older releases do not have.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Behavior {
            $($(#[doc = $doc])* $name,)*
        }

        impl Behavior {
            /// All behaviors, by release.
            pub const ALL: &'static [Behavior] = &[$(Behavior::$name,)*];
        }

        const TABLE: &[(u8, &str)] = &[$(($since, concat!($($doc),*)),)*];
    };
}

behaviors! {
    /// Services with `spec.externalIPs` are answered with a warning that the field is deprecated.
    ExternalAddressesDeprecated: 36,
    /// Lists of restart rules that are too long have too many items, not too many bytes.
    RestartRulesCounted: 36,
    /// Restart rules are allowed in init containers that always restart.
    RestartRulesOfSidecars: 36,
    /// Keys of attributes and capacities of devices are reported at the map, not at the key.
    DeviceKeysAtMap: 36,
    /// A storage class whose fixed fields change has invalid values; before, changes were forbidden.
    StorageClassImmutable: 36,
    /// An error that was found twice is reported once.
    ErrorsOnce: 37,
    /// Errors in owner references name the reference by its index; missing values are required.
    OwnerReferencesIndexed: 37,
    /// Fields that cannot change are reported without their value where a tag says so.
    ImmutableWithoutValue: 37,
    /// Each fixed field of a stateful set is reported by itself; before, there was one error for all.
    StatefulSetFixedFields: 37,
    /// In messages, the host namespaces of pods are members of their spec, and members have the order of the API.
    HostNamespacesInSpec: 37,
    /// Driver names are compared without regard to case, and messages say so.
    CaselessDriverNames: 37,
    /// A review without attributes is invalid as a whole, not because of its resource attributes.
    ReviewWithoutAttributes: 37,
    /// User IDs in the status of containers may have 32 bits.
    LargeUserIds: 37,
}

impl Behavior {
    /// The first release that behaves so.
    #[must_use]
    pub fn since(self) -> Release {
        Release::minor(TABLE[self as usize].0)
    }

    /// A sentence about it.
    #[must_use]
    pub fn about(self) -> &'static str {
        TABLE[self as usize].1.trim()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behaviors_are_sorted_by_release() {
        assert!(Behavior::ALL.is_sorted_by_key(|behavior| behavior.since()));
        for behavior in Behavior::ALL {
            assert!(Release::KNOWN.contains(&behavior.since()), "{behavior:?}");
            assert!(behavior.about().ends_with('.'), "{behavior:?}");
        }
    }
}
