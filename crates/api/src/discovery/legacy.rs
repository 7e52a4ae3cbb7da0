//! Unaggregated discovery: `APIVersions`, `APIGroupList`, `APIGroup`, `APIResourceList`.

use kindsmith_gostd::base64;
use kindsmith_json::{Arena, Value};
use kindsmith_object::Release;
use kindsmith_object::meta::Scope;
use sha2::{Digest, Sha256};

use super::order::{Group, Ties};
use super::{Known, other_names, texts, verb_name};
use crate::{Catalog, Served, Subresource};
use kindsmith_json::object_of;

/// The versions of the core group.
pub(super) fn versions<'a>(arena: &'a Arena, host: &str) -> Value<'a> {
    let address = object_of(
        arena,
        &[
            ("clientCIDR", "0.0.0.0/0".into()),
            ("serverAddress", Value::Str(arena.alloc_str(host))),
        ],
    );
    object_of(
        arena,
        &[
            ("kind", "APIVersions".into()),
            ("versions", texts(arena, ["v1"].into_iter())),
            (
                "serverAddressByClientCIDRs",
                Value::Array(arena.alloc_slice_copy(&[address])),
            ),
        ],
    )
}

/// All named groups.
pub(super) fn groups<'a>(arena: &'a Arena, known: Known<'_>) -> Value<'a> {
    let groups = known.groups(Ties::ApiService);
    let groups: Vec<Value<'a>> = groups
        .iter()
        .map(|group| object_of(arena, &members(arena, group)))
        .collect();
    object_of(
        arena,
        &[
            ("kind", "APIGroupList".into()),
            ("apiVersion", "v1".into()),
            ("groups", Value::Array(arena.alloc_slice_copy(&groups))),
        ],
    )
}

/// One named group, if it exists.
pub(super) fn group<'a>(arena: &'a Arena, known: Known<'_>, group: &str) -> Option<Value<'a>> {
    let groups = known.groups(Ties::ApiService);
    let found = groups.iter().find(|known| known.name == group)?;
    let mut all = vec![("kind", "APIGroup".into()), ("apiVersion", "v1".into())];
    all.extend(members(arena, found));
    Some(object_of(arena, &all))
}

fn members<'a>(arena: &'a Arena, group: &Group<'_>) -> Vec<(&'static str, Value<'a>)> {
    let versions = group.versions.iter().map(|version| {
        let group_version = Value::Str(arena.alloc_str(&format!("{}/{}", group.name, version.name)));
        let version = Value::Str(arena.alloc_str(version.name));
        object_of(arena, &[("groupVersion", group_version), ("version", version)])
    });
    let versions: Vec<Value<'a>> = versions.collect();
    vec![
        ("name", Value::Str(arena.alloc_str(group.name))),
        ("versions", Value::Array(arena.alloc_slice_copy(&versions))),
        ("preferredVersion", versions.first().copied().unwrap_or_default()),
    ]
}

/// The resources of a version, if it exists.
pub(super) fn resources<'a>(
    arena: &'a Arena,
    catalog: &Catalog,
    group: &str,
    version: &str,
) -> Option<Value<'a>> {
    let served = catalog.group(group).iter();
    let served = served.filter(|served| *served.version == *version);
    let mut entries: Vec<Value<'a>> = Vec::new();
    let mut is_built_in = false;
    for served in served {
        is_built_in |= !served.resource.is_custom();
        entries.push(resource(arena, served));
        entries.extend(
            served
                .subresources
                .iter()
                .map(|known| subresource(arena, served, known)),
        );
    }
    if entries.is_empty() {
        return None;
    }
    if is_built_in {
        let name = |value: &Value<'a>| value.get("name").and_then(Value::as_str).unwrap_or_default();
        entries.sort_by(|left, right| name(left).cmp(name(right)));
    }
    let group_version = match group {
        "" => version.to_owned(),
        group => format!("{group}/{version}"),
    };
    let mut members = vec![("kind", "APIResourceList".into())];
    // The core group's document predates the field.
    if !group.is_empty() {
        members.push(("apiVersion", "v1".into()));
    }
    members.push(("groupVersion", Value::Str(arena.alloc_str(&group_version))));
    members.push(("resources", Value::Array(arena.alloc_slice_copy(&entries))));
    Some(object_of(arena, &members))
}

fn resource<'a>(arena: &'a Arena, served: &Served) -> Value<'a> {
    let text = |text: &str| Value::Str(arena.alloc_str(text));
    let mut members = vec![
        ("name", text(&served.plural)),
        ("singularName", text(&served.singular)),
        ("namespaced", Value::Bool(served.scope == Scope::Namespaced)),
        ("kind", text(&served.kind)),
        (
            "verbs",
            texts(arena, served.verbs.iter().map(|&verb| verb_name(verb))),
        ),
    ];
    members.extend(other_names(arena, served));
    if served.resource.is_stored() && !served.resource.storage_version().is_empty() {
        members.push(("storageVersionHash", text(&storage_version_hash(served))));
    }
    object_of(arena, &members)
}

fn subresource<'a>(arena: &'a Arena, served: &Served, known: &Subresource) -> Value<'a> {
    let text = |text: &str| Value::Str(arena.alloc_str(text));
    let (group, version, kind) = &known.kind;
    let mut members = vec![
        ("name", text(&format!("{}/{}", served.plural, known.name))),
        ("singularName", "".into()),
        ("namespaced", Value::Bool(served.scope == Scope::Namespaced)),
    ];
    if (group, version) != (&served.group, &served.version) {
        members.push(("group", text(group)));
        members.push(("version", text(version)));
    }
    members.push(("kind", text(kind)));
    members.push((
        "verbs",
        texts(arena, known.verbs.iter().map(|&verb| verb_name(verb))),
    ));
    object_of(arena, &members)
}

/// Resources that Kubernetes stores in a version it does not serve by default.
const STORED_ELSEWHERE: &[StoredElsewhere] = &[
    elsewhere("apiextensions.k8s.io", &["customresourcedefinitions"], "v1beta1"),
    elsewhere(
        "certificates.k8s.io",
        &["clustertrustbundles", "podcertificaterequests"],
        "v1beta1",
    ),
    StoredElsewhere {
        stored: ("", "v1"),
        ..elsewhere("events.k8s.io", &["events"], "")
    },
    elsewhere("resource.k8s.io", &["devicetaintrules"], "v1beta2"),
    elsewhere(
        "storagemigration.k8s.io",
        &["storageversionmigrations"],
        "v1beta1",
    ),
    StoredElsewhere {
        until: Release::minor(34),
        ..elsewhere(
            "resource.k8s.io",
            &[
                "deviceclasses",
                "resourceclaims",
                "resourceclaimtemplates",
                "resourceslices",
            ],
            "v1beta2",
        )
    },
    StoredElsewhere {
        until: Release::minor(36),
        ..elsewhere(
            "admissionregistration.k8s.io",
            &["mutatingadmissionpolicies", "mutatingadmissionpolicybindings"],
            "v1beta1",
        )
    },
    StoredElsewhere {
        until: Release::minor(35),
        ..elsewhere("storage.k8s.io", &["volumeattributesclasses"], "v1beta1")
    },
];

/// Resources that Kubernetes stores in another version than the one that is served here, up to a release.
struct StoredElsewhere {
    until: Release,
    group: &'static str,
    plurals: &'static [&'static str],
    stored: (&'static str, &'static str),
}

const fn elsewhere(
    group: &'static str,
    plurals: &'static [&'static str],
    version: &'static str,
) -> StoredElsewhere {
    StoredElsewhere {
        until: Release::NEWEST,
        group,
        plurals,
        stored: (group, version),
    }
}

/// A hash that changes with the storage version (`discovery.StorageVersionHash`).
fn storage_version_hash(served: &Served) -> String {
    let elsewhere = STORED_ELSEWHERE.iter().find(|stored| {
        stored.group == &*served.group
            && stored.plurals.contains(&&*served.plural)
            && served.resource.release() <= stored.until
    });
    let (group, version) = match elsewhere {
        Some(elsewhere) => elsewhere.stored,
        None => (&*served.group, served.resource.storage_version()),
    };
    let digest = Sha256::digest(format!("{group}/{version}/{}", served.kind));
    base64::encode(&digest[..8])
}
