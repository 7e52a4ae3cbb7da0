//! Which kinds and fields came or went with which release (`api/versions.txt`), and the Go types as a release has them.

use std::collections::{HashMap, HashSet};

use kindsmith_object::Release;

const TABLE: &str = include_str!("../../api/versions.txt");

/// Fields and types that are no longer there: first and last release, in which file, after which line, and their declaration.
const GONE: &[((u8, u8), &str, &str, &str)] = &[
    (
        (35, 35),
        "api/core/v1/pod.go",
        "type PodSpec struct {",
        "\t// WorkloadRef is the workload that the pod is part of.\n\t// +featureGate=GenericWorkload\n\t// +optional\n\
         \tWorkloadRef *WorkloadReference `json:\"workloadRef,omitempty\" protobuf:\"bytes,42,opt,name=workloadRef\"`\n",
    ),
    (
        (35, 35),
        "api/core/v1/pod.go",
        "",
        "// WorkloadReference names a workload and a group of it.\ntype WorkloadReference struct {\n\t// Name of the workload.\n\
         \t// +required\n\tName string `json:\"name\" protobuf:\"bytes,1,opt,name=name\"`\n\t// PodGroup of the workload.\n\
         \t// +required\n\tPodGroup string `json:\"podGroup\" protobuf:\"bytes,2,opt,name=podGroup\"`\n\
         \t// PodGroupReplicaKey is the replica of the group.\n\t// +optional\n\
         \tPodGroupReplicaKey string `json:\"podGroupReplicaKey,omitempty\" protobuf:\"bytes,3,opt,name=podGroupReplicaKey\"`\n}\n",
    ),
    (
        (36, 36),
        "api/core/v1/pod_status.go",
        "type NodeAllocatableResourceClaimStatus struct {",
        "\t// Resources of the node by name.\n\t// +required\n\
         \tResources map[ResourceName]resource.Quantity `json:\"resources\" protobuf:\"bytes,3,rep,name=resources\"`\n",
    ),
    (
        (36, 36),
        "api/resource/v1/device.go",
        "type Device struct {",
        "\t// Resources of the node that the device stands for.\n\t// +optional\n\
         \tNodeAllocatableResourceMappings map[corev1.ResourceName]NodeAllocatableResourceMapping \
         `json:\"nodeAllocatableResourceMappings,omitempty\" protobuf:\"bytes,13,opt,name=nodeAllocatableResourceMappings\"`\n",
    ),
    (
        (36, 36),
        "api/resource/v1/device.go",
        "",
        "// How much of a node's resource a device stands for.\ntype NodeAllocatableResourceMapping struct {\n\
         \t// Capacity that is counted.\n\t// +optional\n\
         \tCapacityKey *QualifiedName `json:\"capacityKey,omitempty\" protobuf:\"bytes,1,opt,name=capacityKey\"`\n\
         \t// Factor for that capacity, or for the number of devices.\n\t// +optional\n\
         \tAllocationMultiplier *resource.Quantity `json:\"allocationMultiplier,omitempty\" \
         protobuf:\"bytes,2,opt,name=allocationMultiplier\"`\n}\n",
    ),
];

/// Lines that a release has otherwise: up to which release, in which file, and both forms of the lines.
const CHANGED: &[(u8, &str, &str, &str)] = &[
    (
        34,
        "api/resource/v1/resource_slice.go",
        "`json:\"devices,omitempty\" protobuf:\"bytes,6,name=devices\"`",
        "`json:\"devices\" protobuf:\"bytes,6,name=devices\"`",
    ),
    (
        36,
        "api/core/v1/pod_status.go",
        "\t// +patchStrategy=merge\n\t// +patchMergeKey=resourceClaimName\n\t// +listType=map\n\t// +listMapKey=resourceClaimName\n\
         \t// +k8s:optional\n\t// +k8s:listType=map\n\t// +k8s:listMapKey=resourceClaimName\n\
         \t// +featureGate=DRANodeAllocatableResources\n",
        "\t// +listType=atomic\n\t// +featureGate=DRANodeAllocatableResources\n",
    ),
    (
        36,
        "api/core/v1/pod_status.go",
        "patchStrategy:\"merge\" patchMergeKey:\"resourceClaimName\" protobuf:\"bytes,21,",
        "protobuf:\"bytes,21,",
    ),
];

/// What a release lacks and has, compared with the types under `api/`.
#[derive(Debug, Default)]
pub struct History {
    /// Types and fields that came later, with the release that brought them. The field of a type itself is `*`.
    later: HashMap<(&'static str, &'static str), Release>,
    /// Fields that the release has and the newest does not.
    gone: HashSet<(&'static str, &'static str)>,
}

impl History {
    /// The history after a release, which may be older than those whose answers can be given.
    #[must_use]
    pub fn after(release: Release) -> Self {
        let mut history = Self::default();
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let mut words = line.split(' ');
            let (Some(when), Some(name)) = (words.next(), words.next()) else {
                continue;
            };
            let (is_since, other) = (when.starts_with('+'), when[1..].parse().unwrap_or(0));
            let other = Release::minor(other);
            if is_since && other > release {
                history.later.extend(words.map(|field| ((name, field), other)));
            } else if !is_since && other >= release {
                history.gone.extend(words.map(|field| (name, field)));
            }
        }
        history
    }

    /// The release that brought a field of a type such as `core/v1.PodSpec`, if it came later. `*` is the type itself.
    #[must_use]
    pub fn since(&self, name: &str, field: &str) -> Option<Release> {
        self.later.get(&(name, field)).copied()
    }

    /// Whether a field of a type was there, and no longer is.
    #[must_use]
    pub fn is_gone(&self, name: &str, field: &str) -> bool {
        self.gone.contains(&(name, field))
    }

    fn is_empty(&self) -> bool {
        self.later.is_empty() && self.gone.is_empty()
    }
}

/// The newest release, if it has the same types as this one; this one otherwise. Types are read and compiled once for both.
pub(super) fn newest_alike(release: Release) -> Release {
    let has_gone = GONE.iter().any(|(span, ..)| is_within(*span, release));
    let has_changed = CHANGED
        .iter()
        .any(|(until, ..)| Release::minor(*until) >= release);
    if has_gone || has_changed || !History::after(release).is_empty() {
        return release;
    }
    Release::NEWEST
}

fn is_within((first, last): (u8, u8), release: Release) -> bool {
    (Release::minor(first)..=Release::minor(last)).contains(&release)
}

/// The files as a release has them.
pub(super) fn files_of(
    release: Release,
    files: &[(&'static str, &'static str)],
) -> Vec<(&'static str, String)> {
    let history = History::after(release);
    let edited = |&(path, text): &(&'static str, &'static str)| {
        let package = path.strip_prefix("api/").and_then(|path| path.rsplit_once('/'));
        let text = match package {
            Some((package, _)) if !history.is_empty() => without_later(&history, package, text),
            _ => text.to_owned(),
        };
        (path, with_gone(release, path, text))
    };
    files.iter().map(edited).collect()
}

fn with_gone(release: Release, path: &str, mut text: String) -> String {
    let gone = GONE
        .iter()
        .filter(|(span, of, ..)| *of == path && is_within(*span, release));
    for (_, _, opening, declaration) in gone {
        if opening.is_empty() {
            text += "\n";
            text += declaration;
        } else if let Some(end) = end_of_block(&text, opening) {
            text.insert_str(end, declaration);
        }
    }
    let changed = CHANGED
        .iter()
        .filter(|(until, of, ..)| *of == path && Release::minor(*until) >= release);
    for (_, _, newer, older) in changed {
        text = text.replace(newer, older);
    }
    text
}

/// Where the block that a line opens is closed.
fn end_of_block(text: &str, opening: &str) -> Option<usize> {
    let start = text.find(opening)?;
    Some(start + text[start..].find("\n}")? + 1)
}

/// A Go file without the types and fields that came later.
fn without_later(history: &History, package: &str, text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    // Comments belong to what follows them.
    let mut comments = String::new();
    let mut owner = String::new();
    let mut is_dropping = false;
    for line in text.split_inclusive('\n') {
        if is_dropping {
            is_dropping = !line.starts_with('}');
            continue;
        }
        let trimmed = line.trim();
        if trimmed.starts_with("//") {
            comments += line;
            continue;
        }
        if let Some(name) = line.strip_prefix("type ").and_then(|rest| rest.split(' ').next()) {
            owner = format!("{package}.{name}");
            if history.since(&owner, "*").is_some() {
                comments.clear();
                is_dropping = trimmed.ends_with('{');
                continue;
            }
        }
        let is_later = is_member_later(history, package, &owner, trimmed);
        let before = std::mem::take(&mut comments);
        if !is_later {
            kept += &before;
            kept += line;
        }
    }
    kept + &comments
}

/// Whether a line declares a field that came later, or a constant of a type that did.
fn is_member_later(history: &History, package: &str, owner: &str, line: &str) -> bool {
    if let Some((_, tag)) = line.split_once("json:\"") {
        let name = tag.split(['"', ',']).next().unwrap_or_default();
        return history.since(owner, name).is_some();
    }
    let mut words = line.split_whitespace();
    let ty = words.nth(1).unwrap_or_default();
    words.next() == Some("=") && history.since(&format!("{package}.{ty}"), "*").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_types_that_came_later_are_left_out() {
        let history = History::after(Release::minor(35));
        let text = "// Pod.\ntype PodSpec struct {\n\t// A.\n\tA string `json:\"nodeName\"`\n\n\t// Later.\n\t// +optional\n\
                    \tB *X `json:\"schedulingGroup,omitempty\"`\n}\n\n// Group.\ntype PodSchedulingGroup struct {\n\tC string\n}\n";
        let kept = "// Pod.\ntype PodSpec struct {\n\t// A.\n\tA string `json:\"nodeName\"`\n\n}\n\n";
        assert_eq!(without_later(&history, "core/v1", text), kept);
        assert_eq!(
            history.since("core/v1.PodSpec", "schedulingGroup"),
            Some(Release::minor(36))
        );
        assert!(history.is_gone("core/v1.PodSpec", "workloadRef"));
    }
}
