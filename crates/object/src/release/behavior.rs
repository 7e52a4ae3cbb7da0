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
    /// Messages about operators of tolerations that are not supported name `Lt` and `Gt` among those that are.
    NumericTolerationsNamed: 35,
    /// An empty name of a driver is only required; before, it was also invalid.
    EmptyDriverNameOnce: 35,
    /// Names of attributes and capacities of devices with an empty part are invalid; before, the part was required.
    QualifiedNamesInvalid: 35,
    /// A resize of a pod with resources of its own names the gate that forbids it.
    ResizeNamesGate: 35,
    /// Services with `spec.trafficDistribution: PreferClose` are answered with a warning that the value is deprecated.
    PreferCloseDeprecated: 35,
    /// Messages count labels and their keys in bytes, and call malformed keys label keys; before, characters and qualified names.
    LabelsInBytes: 35,
    /// Errors about types of values name embedded structs in the path of a field.
    EmbeddedStructsNamed: 35,
    /// Values are checked against the formats `k8s-short-name` and `k8s-long-name` of CRDs; before, there was a warning that they
    /// are not known.
    NameFormats: 35,
    /// Tolerations of devices are dropped from claims while their gate is off.
    DeviceTolerationsGated: 35,
    /// Attributes that must be distinct are dropped from claims while their gate is off.
    DistinctAttributesGated: 35,
    /// Taints and tolerations of devices may have the effect `None`.
    TaintsWithoutEffect: 35,
    /// Names of replication controllers and device classes are checked by tags, which do not look at prefixes of generated names.
    NamesByTag: 35,
    /// Tolerations of runtime classes are reported at their place; before, at `tolerations` below it.
    TolerationsInPlace: 35,
    /// CSI drivers with token requests are answered with a warning if they do not say where tokens are.
    TokensInSecretsWarned: 35,
    /// An update of a claim is checked for changes of its spec only; before, the spec was checked again.
    ClaimsCheckedOnce: 35,
    /// Who writes the status of a claim does not own metadata that the request has.
    ClaimStatusWithoutMetadata: 35,
    /// Tables of service accounts do not count secrets.
    ServiceAccountsWithoutSecrets: 35,
    /// In tables, a pod of which one container completed and another failed shows the failure.
    FailuresShown: 35,
    /// In OpenAPI, the details of a status are not a list.
    DetailsNotAtomic: 35,
    /// Options of a deletion that cannot be read are a bad request; before, an error of the server.
    BadDeleteOptions: 35,
    /// Groups and other traits that are impersonated without a user are a bad request; before, an error of the server.
    BadImpersonation: 35,
    /// In OpenAPI, options of deletions are a kind of the core group and of the document's; before, of all groups.
    KindsOfOneGroup: 36,
    /// Services with `spec.externalIPs` are answered with a warning that the field is deprecated.
    ExternalAddressesDeprecated: 36,
    /// CRDs with unrecognized formats of numbers and other values that are not strings are answered with a warning.
    FormatsOfNumbersWarned: 36,
    /// Lists have the option `shardSelector`, which does nothing unless its gate is on.
    ShardedLists: 36,
    /// Formats of CRDs count for their type; before, formats of strings counted for all types, and those of numbers for none.
    FormatsByType: 36,
    /// Webhook configurations and policies whose name ends with `.static.k8s.io` are answered with a warning while files of them
    /// are off; with files, such names are invalid.
    NamesOfFilesWarned: 36,
    /// Numbers of custom resources that are beyond their type and format are invalid for that reason, too.
    NumericRanges: 36,
    /// Who writes the status of a custom resource does not own metadata that the request has.
    StatusWithoutMetadata: 36,
    /// Who writes the status of a CRD owns metadata that the request has.
    DefinitionStatusMetadata: 36,
    /// The status of a service CIDR is written by its subresource only; before, by all writes.
    ServiceCidrStatusApart: 36,
    /// In tables, the default ingress class is marked.
    DefaultIngressClassShown: 36,
    /// In tables, the kernel of a node has its architecture.
    NodeArchitectureShown: 36,
    /// Lists of restart rules that are too long have too many items, not too many bytes.
    RestartRulesCounted: 36,
    /// Restart rules are allowed in init containers that always restart.
    RestartRulesOfSidecars: 36,
    /// Keys of attributes and capacities of devices are reported at the map, not at the key.
    DeviceKeysAtMap: 36,
    /// A storage class whose fixed fields change has invalid values; before, changes were forbidden.
    StorageClassImmutable: 36,
    /// In OpenAPI, elements of lists and maps have no defaults; before, they had the zero value of their type.
    ElementsWithoutDefaults: 37,
    /// A write whose ownership cannot be determined keeps the managed fields that are stored; before, it removed them.
    OwnersKept: 37,
    /// Metadata of custom resources that a webhook left malformed is invalid; before, it was dropped.
    MalformedMetadataInvalid: 37,
    /// A proxied service is looked up by its endpoint slices; before, by its endpoints, and one without them was not found.
    ServicesBySlices: 37,
    /// Patches that are not JSON are called so, and errors of applied configurations speak of a patch; before, of JSON and YAML.
    AppliedPatches: 37,
    /// CRDs with sets of objects or lists are answered with a warning.
    SetsOfObjectsWarned: 37,
    /// Tables of CRDs have columns of their own: scope, versions, group, kind, short names, whether objects are served.
    DefinitionColumns: 37,
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
    /// A review with no attributes, or with both sorts, is invalid as a whole, not because of one of them.
    ReviewWithoutAttributes: 37,
    /// Negative amounts count for the class of service of a pod that is resized.
    NegativeAmountsCount: 37,
    /// Old annotations that listed init containers are dropped from pods and templates when they are written, and their fields are
    /// managed; before, they were dropped when requests were read.
    InitAnnotationsInRequests: 37,
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
