//! Kubernetes' feature gates, as far as they switch something here: one table with the name of each, what it switches, and its
//! stage and default in every release (pkg/features/kube_features.go, and the files of the same name in apiserver and
//! apiextensions-apiserver). Knows no server and no flags: what users set is the server's business.

use crate::Release;

/// How mature a feature is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Off by default.
    Alpha,
    /// Mostly on.
    Beta,
    /// Always on.
    Stable,
    /// About to be removed.
    Deprecated,
}

impl Stage {
    /// As `kubernetes_feature_enabled` shows it: empty for stable features.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Stage::Alpha => "ALPHA",
            Stage::Beta => "BETA",
            Stage::Stable => "",
            Stage::Deprecated => "DEPRECATED",
        }
    }
}

/// What a gate is like from a release on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// The first release.
    pub since: Release,
    /// How mature the feature is.
    pub stage: Stage,
    /// Whether it is on if nobody says otherwise.
    pub default: bool,
    /// Whether it cannot be changed.
    pub is_locked: bool,
}

impl Level {
    const fn locked(self) -> Level {
        Level {
            is_locked: true,
            ..self
        }
    }
}

/// On by default from a release on.
const fn on(since: u8, stage: Stage) -> Level {
    Level {
        since: Release::minor(since),
        stage,
        default: true,
        is_locked: false,
    }
}

/// Off by default from a release on.
const fn off(since: u8, stage: Stage) -> Level {
    Level {
        default: false,
        ..on(since, stage)
    }
}

/// What a gate switches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switch {
    /// What the server does: users can set it.
    Server,
    /// Fields of built-in kinds, which name it in `+featureGate`. It has its default.
    Fields,
    /// Rules and fields of built-in kinds that are written in code. It has its default.
    Code,
    /// Rules of built-in kinds, which name it in `+k8s:ifEnabled` or `+k8s:ifDisabled`. It has its default.
    Rules,
}

/// Makes the enum and the table of one list.
macro_rules! gates {
    ($($(#[$doc:meta])* $gate:ident: $switch:ident [$($level:expr),*],)*) => {
        /// A feature gate, by Kubernetes' name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Gate {
            $($(#[$doc])* $gate,)*
        }

        impl Gate {
            /// All gates, sorted by name.
            pub const ALL: &'static [Gate] = &[$(Gate::$gate,)*];
        }

        const TABLE: &[(&str, Switch, &[Level])] = &[
            $((stringify!($gate), Switch::$switch, &[$($level),*]),)*
        ];
    };
}

use Stage::{Alpha, Beta, Deprecated, Stable};

gates! {
    /// Large answers are compressed.
    APIResponseCompression: Server [off(8, Alpha), on(16, Beta)],
    /// Discovery has no `v2beta1` any more.
    AggregatedDiscoveryRemoveBetaType: Server [off(0, Stable), on(33, Deprecated), on(35, Deprecated).locked()],
    /// Stored objects that cannot be read can be deleted, and errors say which those are.
    AllowUnsafeMalformedObjectDeletion: Code [off(32, Alpha), on(37, Beta)],
    /// Owners of the files of projected volumes.
    AtomicWriteVolumeUserFields: Fields [off(37, Alpha)],
    /// An update of a custom resource is not rejected for what it did not change.
    CRDValidationRatcheting: Server [off(28, Alpha), on(30, Beta), on(33, Stable).locked()],
    /// The health of volumes in the status of pods.
    CSIVolumeHealth: Fields [off(21, Alpha)],
    /// Trust bundles as sources of projected volumes.
    ClusterTrustBundleProjection: Code [off(29, Alpha), off(33, Beta), on(37, Stable)],
    /// The page `/flagz`.
    ComponentFlagz: Code [off(32, Alpha), on(36, Beta)],
    /// The page `/statusz`.
    ComponentStatusz: Code [off(32, Alpha), on(36, Beta)],
    /// Impersonation that is limited to what a request does.
    ConstrainedImpersonation: Code [off(35, Alpha), on(36, Beta)],
    /// Rules for when containers restart.
    ContainerRestartRules: Code [off(34, Alpha), on(35, Beta)],
    /// The signal that stops a container.
    ContainerStopSignals: Fields [off(33, Alpha)],
    /// CRDs may get defaults. A gate of the KEP, which Kubernetes had until it was stable.
    CustomResourceDefaulting: Server [on(0, Stable)],
    /// Fields of custom resources can be selected.
    CustomResourceFieldSelectors: Server [off(30, Alpha), on(31, Beta), on(32, Stable).locked()],
    /// Devices that several claims share.
    DRAConsumableCapacity: Code [off(34, Alpha), on(36, Beta)],
    /// Devices that are ready only some time after they were allocated.
    DRADeviceBindingConditions: Code [off(34, Alpha), on(36, Beta)],
    /// Taints of devices, and tolerations of claims.
    DRADeviceTaints: Code [off(33, Alpha), on(36, Beta), on(37, Stable).locked()],
    /// Devices that are asked for as extended resources.
    DRAExtendedResource: Code [off(34, Alpha), on(36, Beta), on(37, Stable).locked()],
    /// Devices that are counted as resources of the node.
    DRANodeAllocatableResources: Fields [off(36, Alpha)],
    /// Devices that are parts of others.
    DRAPartitionableDevices: Code [off(33, Alpha), on(36, Beta)],
    /// Types of partitionable devices.
    DRAPartitionableDevicesType: Rules [off(37, Alpha)],
    /// Defaults replace explicit nulls. A gate of KEP-1929 only.
    DeclarativeDefaults: Server [on(0, Stable)],
    /// Tags are checked, and compared with hand-written rules.
    DeclarativeValidation: Server [on(33, Beta), on(36, Stable).locked()],
    /// Beta rules of tags are enforced.
    DeclarativeValidationBeta: Server [on(36, Beta)],
    /// The result of tags counts, and not that of hand-written rules.
    DeclarativeValidationTakeover: Server [off(33, Beta), off(36, Deprecated), off(37, Deprecated).locked()],
    /// How many pods of deployments and replica sets are about to end.
    DeploymentReplicaSetTerminatingReplicas: Code [off(33, Alpha), on(35, Beta)],
    /// The mode of `emptyDir` volumes.
    EmptyDirVolumeMode: Fields [off(37, Alpha)],
    /// Variables of the environment from files.
    EnvFiles: Code [off(34, Alpha), on(35, Beta)],
    /// Requests for evictions.
    EvictionRequestAPI: Fields [off(37, Alpha)],
    /// TLS of gRPC probes.
    GRPCContainerProbeTLS: Fields [off(37, Alpha)],
    /// The group in which pods are scheduled.
    GenericWorkload: Fields [off(35, Alpha), off(37, Beta)],
    /// HTTP/2 without TLS for probes.
    H2CContainerProbe: Fields [off(37, Alpha)],
    /// The tolerance of autoscalers.
    HPAConfigurableTolerance: Code [off(33, Alpha), on(35, Beta), on(37, Stable).locked()],
    /// Autoscalers count the generations of their spec.
    HPAGeneration: Code [on(37, Beta)],
    /// Autoscalers may scale to zero.
    HPAScaleToZero: Rules [off(16, Alpha), on(37, Beta)],
    /// The hostname of a pod, whatever else it is called.
    HostnameOverride: Code [off(34, Alpha), on(35, Beta), on(37, Stable).locked()],
    /// Images as volumes.
    ImageVolume: Code [off(31, Alpha), off(33, Beta), on(35, Beta), on(36, Stable).locked()],
    /// The digest of images that are volumes.
    ImageVolumeWithDigest: Fields [off(35, Alpha)],
    /// Resources of whole pods can be resized.
    InPlacePodLevelResourcesVerticalScaling: Code [off(35, Alpha), on(36, Beta)],
    /// Resources of init containers can be resized.
    InPlacePodVerticalScalingInitContainers: Code [on(36, Beta), on(37, Stable).locked()],
    /// Preemption for pods that are resized.
    InPlacePodVerticalScalingSchedulerPreemption: Rules [off(37, Alpha)],
    /// Policies and webhooks from files, whose names objects cannot take.
    ManifestBasedAdmissionControlConfig: Code [off(36, Alpha), on(37, Beta)],
    /// How many pods of a stateful set may be missing during an update.
    MaxUnavailableStatefulSet: Code [off(24, Alpha), off(35, Beta), on(37, Beta)],
    /// How often a driver reports how many volumes a node takes.
    MutableCSINodeAllocatableCount: Code [off(33, Alpha), off(34, Beta), on(35, Beta), on(36, Stable).locked()],
    /// Resources of suspended jobs can change.
    MutablePodResourcesForSuspendedJobs: Code [off(35, Alpha), on(36, Beta)],
    /// Certificates as sources of projected volumes.
    PodCertificateRequest: Code [off(34, Alpha), off(35, Beta), on(37, Stable)],
    /// Pod-level resources are defaulted after admission, and limits too.
    PodLevelResourcesFixDefaulting: Code [on(37, Beta)],
    /// Empty pod-level resources do not decide the class of service.
    PodLevelResourcesFixKubeletQOSClass: Code [on(37, Beta)],
    /// Names of services may start with a digit.
    RelaxedServiceNameValidation: Code [off(34, Alpha), on(36, Beta), on(37, Stable).locked()],
    /// The health of devices in the status of pods.
    ResourceHealthStatus: Code [off(31, Alpha), on(36, Beta)],
    /// A container can restart all others.
    RestartAllContainersOnContainerExits: Code [off(35, Alpha), on(36, Beta)],
    /// Volumes are mounted with an SELinux label.
    SELinuxMount: Code [off(30, Alpha), off(33, Beta), on(37, Stable)],
    /// Addresses must have their standard form.
    StrictIPCIDRValidation: Code [off(33, Alpha), on(36, Beta)],
    /// Options of bind mounts.
    VolumeBindMountOptions: Fields [off(37, Alpha)],
    /// Pods are not scheduled to nodes without their driver.
    VolumeLimitScaling: Code [off(35, Alpha), on(37, Beta)],
    /// Watches may start with the existing objects.
    WatchList: Server [off(27, Alpha), on(32, Beta), off(33, Beta), on(34, Beta)],
    /// Jobs that are part of a workload.
    WorkloadWithJob: Rules [off(36, Alpha)],
}

impl Release {
    /// Whether a feature is on by default.
    #[must_use]
    pub fn enables(self, gate: Gate) -> bool {
        gate.is_default(self)
    }
}

impl Gate {
    /// The gate of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Gate> {
        Gate::ALL.iter().copied().find(|gate| gate.name() == name)
    }

    /// Kubernetes' name.
    #[must_use]
    pub fn name(self) -> &'static str {
        TABLE[self as usize].0
    }

    /// What it switches.
    #[must_use]
    pub fn switch(self) -> Switch {
        TABLE[self as usize].1
    }

    /// What it is like in a release; `None` if it was not there yet.
    #[must_use]
    pub fn level(self, release: Release) -> Option<Level> {
        let levels = TABLE[self as usize].2.iter().rev();
        let mut levels = levels.filter(|level| level.since <= release);
        levels.next().copied()
    }

    /// Whether it is on by default in a release.
    #[must_use]
    pub fn is_default(self, release: Release) -> bool {
        self.level(release).is_some_and(|level| level.default)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_levels_follow_each_other() {
        assert!(Gate::ALL.is_sorted_by(|a, b| a.name() < b.name()));
        for (name, _, levels) in TABLE {
            assert!(levels.is_sorted_by(|a, b| a.since < b.since), "{name}");
            assert!(!levels.is_empty(), "{name}");
        }
    }

    #[test]
    fn a_gate_changes_from_release_to_release() {
        let gate = Gate::named("HPAScaleToZero").expect("it is a gate");
        let at = |minor| {
            let level = gate.level(Release::minor(minor));
            level.map(|level| (level.stage, level.default))
        };
        assert_eq!(at(15), None);
        assert_eq!(at(36), Some((Alpha, false)));
        assert_eq!(at(38), Some((Beta, true)));
        assert!(!Gate::WatchList.is_default(Release::minor(33)));
        assert_eq!(Gate::named("hpascaletozero"), None);
    }
}
