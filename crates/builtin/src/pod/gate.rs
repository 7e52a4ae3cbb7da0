//! Fields behind disabled feature gates: dropped silently, unless the stored object uses the feature
//! (`dropDisabledFields` and `dropDisabledPodStatusFields` in pkg/api/pod/util.go). A field names its gate with `+featureGate`.

use kindsmith_json::{Arena, Value};
use kindsmith_object::{Gate, PerRelease, Release};
use kindsmith_schema::{Field, TypeName};

use crate::edit::{self, at_path};
use crate::field_check::items;
use crate::types::{EACH, Steps, paths, schema_of};

/// The fields of one gate.
struct Gated {
    gate: Gate,
    paths: Vec<Steps>,
}

/// Fields of a pod's spec whose gates are on in the newest release.
const OLDER: &[(Gate, &[&[&str]])] = &[
    (
        Gate::ClusterTrustBundleProjection,
        &[&[
            "volumes",
            EACH,
            "projected",
            "sources",
            EACH,
            "clusterTrustBundle",
        ]],
    ),
    (
        Gate::PodCertificateRequest,
        &[&["volumes", EACH, "projected", "sources", EACH, "podCertificate"]],
    ),
    (
        Gate::ContainerRestartRules,
        &[
            &["containers", EACH, "restartPolicyRules"],
            &["containers", EACH, "restartPolicy"],
            &["initContainers", EACH, "restartPolicyRules"],
        ],
    ),
    (
        Gate::EnvFiles,
        &[
            &["containers", EACH, "env", EACH, "valueFrom", "fileKeyRef"],
            &["initContainers", EACH, "env", EACH, "valueFrom", "fileKeyRef"],
            &[
                "ephemeralContainers",
                EACH,
                "env",
                EACH,
                "valueFrom",
                "fileKeyRef",
            ],
        ],
    ),
    (Gate::HostnameOverride, &[&["hostnameOverride"]]),
    (Gate::ImageVolume, &[IMAGES]),
];

const IMAGES: &[&str] = &["volumes", EACH, "image"];

/// Fields of a pod's status whose gates are on in the newest release.
const OLDER_STATUS: &[(Gate, &[&[&str]])] = &[
    (
        Gate::ResourceHealthStatus,
        &[
            &["containerStatuses", EACH, "allocatedResourcesStatus"],
            &["initContainerStatuses", EACH, "allocatedResourcesStatus"],
            &["ephemeralContainerStatuses", EACH, "allocatedResourcesStatus"],
        ],
    ),
    (Gate::DRAExtendedResource, &[&["extendedResourceClaimStatus"]]),
];

/// Drops the fields of disabled gates from the spec of a pod, unless the stored spec uses them.
pub(crate) fn drop_gated<'a>(
    arena: &'a Arena,
    release: Release,
    spec: Value<'a>,
    old: Value<'a>,
) -> Value<'a> {
    static GATED: PerRelease<Vec<Gated>> = PerRelease::new();
    let gates = GATED.get(release, || with_older(gated(release, "PodSpec"), release, OLDER));
    let spec = drop_all(arena, gates, spec, old);
    if release.enables(Gate::ContainerRestartRules) || without_policies(arena, old).is_some() {
        return spec;
    }
    without_policies(arena, spec).unwrap_or(spec)
}

/// The spec without restart policies of init containers that came with restart rules: all but `Always`. `None` if there are none.
fn without_policies<'a>(arena: &'a Arena, spec: Value<'a>) -> Option<Value<'a>> {
    let containers = spec.get("initContainers").and_then(Value::as_array)?;
    let is_later = |container: &Value<'a>| {
        let policy = container.get("restartPolicy");
        policy.is_some_and(|policy| policy.as_str() != Some("Always"))
    };
    if !containers.iter().any(is_later) {
        return None;
    }
    let kept = containers.iter().map(|&container| {
        let mut kept = container;
        if is_later(&kept) {
            kept.unset(arena, &["restartPolicy"]);
        }
        kept
    });
    let kept: Vec<Value<'a>> = kept.collect();
    let mut spec = spec;
    spec.set(
        arena,
        &["initContainers"],
        Value::Array(arena.alloc_slice_copy(&kept)),
    );
    Some(spec)
}

/// Drops the fields of disabled gates from a status, unless the stored one uses them.
pub(crate) fn drop_gated_status<'a>(
    arena: &'a Arena,
    release: Release,
    status: Value<'a>,
    old: Value<'a>,
) -> Value<'a> {
    static GATED: PerRelease<Vec<Gated>> = PerRelease::new();
    let gates = GATED.get(release, || {
        with_older(gated(release, "PodStatus"), release, OLDER_STATUS)
    });
    drop_all(arena, gates, status, old)
}

fn with_older(
    mut gates: Vec<Gated>,
    release: Release,
    older: &'static [(Gate, &[&[&'static str]])],
) -> Vec<Gated> {
    let older = older.iter().filter(|(gate, _)| !release.enables(*gate));
    gates.extend(older.map(|&(gate, paths)| Gated {
        gate,
        paths: paths.iter().map(|path| path.to_vec()).collect(),
    }));
    gates
}

fn drop_all<'a>(arena: &'a Arena, gates: &[Gated], value: Value<'a>, old: Value<'a>) -> Value<'a> {
    let mut value = value;
    for Gated { paths, .. } in gates {
        let mut kept = None;
        for path in paths {
            kept = without(arena, kept.unwrap_or(value), path).or(kept);
        }
        let is_used = || paths.iter().any(|path| without(arena, old, path).is_some());
        if let Some(kept) = kept.filter(|_| !is_used()) {
            value = kept;
        }
    }
    value
}

/// The disabled gates of all fields below a type of `core/v1`.
fn gated(release: Release, name: &str) -> Vec<Gated> {
    let Some(root) = schema_of(release).find(&TypeName::new("k8s.io/api/core/v1", name)) else {
        return Vec::new();
    };
    let gate_of = |field: &'static Field| {
        let (_, gate) = field.markers.iter().find(|(name, _)| &**name == "featureGate")?;
        Gate::named(gate).filter(|gate| !gate.is_default(release))
    };
    let mut gates: Vec<Gated> = Vec::new();
    for (gate, path) in paths(schema_of(release), root, gate_of) {
        match gates.iter_mut().find(|known| known.gate == gate) {
            Some(known) => known.paths.push(path),
            None => gates.push(Gated {
                gate,
                paths: vec![path],
            }),
        }
    }
    gates
}

/// The value without the field; `None` if the field is not set.
fn without<'a>(arena: &'a Arena, value: Value<'a>, path: &[&'static str]) -> Option<Value<'a>> {
    // Go drops a `lifecycle` in which nothing is left (`dropContainerStopSignals`).
    if let [above @ .., "lifecycle", "stopSignal"] = path {
        return at_path(arena, value, above, &|mut container| {
            let mut lifecycle = container.get("lifecycle")?.as_object()?;
            lifecycle.get("stopSignal")?;
            lifecycle.remove(arena, "stopSignal");
            if lifecycle.is_empty() {
                container.unset(arena, &["lifecycle"]);
            } else {
                container.set(arena, &["lifecycle"], Value::Object(lifecycle));
            }
            Some(container)
        });
    }
    if path == IMAGES {
        return without_images(arena, value);
    }
    edit::without(arena, value, path)
}

/// The spec without volumes that are images, and without their mounts (`dropImageVolumes`).
fn without_images<'a>(arena: &'a Arena, spec: Value<'a>) -> Option<Value<'a>> {
    let is_image = |volume: &Value<'_>| volume.get("image").is_some_and(|image| !image.is_null());
    let volumes = items(spec.get("volumes"));
    let names: Vec<Option<Value<'a>>> = volumes
        .iter()
        .filter(|volume| is_image(volume))
        .map(|volume| volume.get("name"))
        .collect();
    if names.is_empty() {
        return None;
    }
    let mut spec = spec;
    keep(arena, &mut spec, "volumes", |volume| !is_image(volume));
    for list in ["containers", "initContainers", "ephemeralContainers"] {
        edit::each(arena, &mut spec, list, |mut container| {
            keep(arena, &mut container, "volumeMounts", |mount| {
                !names.contains(&mount.get("name"))
            });
            Some(container)
        });
    }
    Some(spec)
}

/// Keeps some items of a list; a list without items is left out.
fn keep<'a>(arena: &'a Arena, holder: &mut Value<'a>, key: &'a str, is_kept: impl Fn(&Value<'a>) -> bool) {
    let all = items(holder.get(key));
    let kept: Vec<Value<'a>> = all.iter().copied().filter(|item| is_kept(item)).collect();
    if kept.len() == all.len() {
        return;
    }
    if kept.is_empty() {
        holder.unset(arena, &[key]);
    } else {
        holder.set(arena, &[key], Value::Array(arena.alloc_slice_copy(&kept)));
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, parse_str, to_string};

    use super::{Release, drop_gated};

    #[test]
    fn drops_what_gates_hide_unless_it_is_stored() {
        for (spec, old, expected) in [
            (
                r#"{"schedulingGroup":{},"nodeName":"n"}"#,
                "{}",
                r#"{"nodeName":"n"}"#,
            ),
            (
                r#"{"schedulingGroup":{}}"#,
                r#"{"schedulingGroup":{}}"#,
                r#"{"schedulingGroup":{}}"#,
            ),
            (
                r#"{"containers":[{"name":"c","lifecycle":{"stopSignal":"SIGKILL"}}]}"#,
                "{}",
                r#"{"containers":[{"name":"c"}]}"#,
            ),
            // A gate whose feature is used anywhere keeps all its fields.
            (
                r#"{"containers":[{"name":"c","lifecycle":{"stopSignal":"SIGKILL"}}]}"#,
                r#"{"initContainers":[{"name":"i","lifecycle":{"stopSignal":"SIGTERM"}}]}"#,
                r#"{"containers":[{"name":"c","lifecycle":{"stopSignal":"SIGKILL"}}]}"#,
            ),
            (
                r#"{"volumes":[{"name":"v","emptyDir":{"mode":1}}]}"#,
                "{}",
                r#"{"volumes":[{"name":"v","emptyDir":{}}]}"#,
            ),
        ] {
            let arena = Arena::new();
            let read = |text| parse_str(&arena, text).expect("it is JSON");
            assert_eq!(
                to_string(drop_gated(&arena, Release::NEWEST, read(spec), read(old))),
                expected
            );
        }
    }
}
