//! Where the data of a persistent volume is: exactly one source, and what each source demands
//! (`ValidatePersistentVolumeSpec` in pkg/apis/core/validation/validation.go).

use kindsmith_json::{Arena, Object, Value};
use kindsmith_object::meta::NameRule;

use crate::field::{Errors, Field};
use crate::field_check::invalid_text;
use crate::part::file_path::check_descending;
use crate::part::volume_source;

/// One way to store data.
struct Source {
    /// Its field.
    key: &'static str,
    /// The field that errors inside it name, and the one that an error about a second source names.
    names: (&'static str, &'static str),
    /// Texts and lists that must not be empty.
    required: &'static [&'static str],
    /// Whatever else it demands.
    rules: fn(&Field<'_, '_>, &str, &mut Errors),
}

const fn source(key: &'static str, required: &'static [&'static str]) -> Source {
    Source {
        key,
        names: (key, key),
        required,
        rules: |_, _, _| {},
    }
}

const fn ruled(
    key: &'static str,
    required: &'static [&'static str],
    rules: fn(&Field<'_, '_>, &str, &mut Errors),
) -> Source {
    Source {
        rules,
        ..source(key, required)
    }
}

/// All sources, in the order in which they are looked at.
const SOURCES: [Source; 22] = [
    ruled("hostPath", &["path"], |host, _, errors| {
        volume_source::check_host_path(host, errors);
    }),
    Source {
        names: ("persistentDisk", "gcePersistentDisk"),
        ..ruled("gcePersistentDisk", &["pdName"], |disk, _, errors| {
            volume_source::check_partition(disk, errors);
        })
    },
    ruled("awsElasticBlockStore", &["volumeID"], |disk, _, errors| {
        volume_source::check_partition(disk, errors);
    }),
    ruled("glusterfs", &["endpoints", "path"], |gluster, _, errors| {
        let namespace = gluster.child("endpointsNamespace");
        match (namespace.is_set(), namespace.text()) {
            (false, _) => {}
            (true, "") => {
                let detail = "if the endpointnamespace is set, it must be a valid namespace name";
                namespace.invalid(detail, errors);
            }
            (true, _) => namespace.name(NameRule::Label, errors),
        }
    }),
    ruled("flocker", &[], |flocker, _, errors| {
        volume_source::check_flocker(flocker, errors);
    }),
    ruled("nfs", &["server", "path"], |nfs, _, errors| {
        volume_source::check_nfs(nfs, errors);
    }),
    source("rbd", &["monitors", "image"]),
    ruled("quobyte", &["volume"], |quobyte, _, errors| {
        volume_source::check_quobyte(quobyte, errors);
    }),
    Source {
        names: ("cephfs", "cephFS"),
        ..source("cephfs", &["monitors"])
    },
    ruled("iscsi", &["targetPortal", "iqn"], check_iscsi),
    ruled("cinder", &["volumeID"], |cinder, _, errors| {
        require_in(&cinder.child("secretRef"), &["name", "namespace"], errors);
    }),
    ruled("fc", &[], |channel, _, errors| {
        volume_source::check_fibre_channel(channel, errors);
    }),
    ruled("flexVolume", &["driver"], |flex, _, errors| {
        volume_source::check_flex(flex, errors);
    }),
    ruled("azureFile", &["secretName", "shareName"], |azure, _, errors| {
        let namespace = azure.child("secretNamespace");
        if namespace.is_set() && namespace.text().is_empty() {
            namespace.required("", errors);
        }
    }),
    source("vsphereVolume", &["volumePath"]),
    source("photonPersistentDisk", &["pdID"]),
    source("portworxVolume", &["volumeID"]),
    ruled("azureDisk", &["diskName", "diskURI"], |disk, _, errors| {
        volume_source::check_azure(disk, errors);
    }),
    source("scaleIO", &["gateway", "system", "volumeName"]),
    ruled("local", &["path"], |local, _, errors| {
        check_descending(&local.child("path"), errors);
    }),
    ruled("storageos", &["volumeName"], |storage, _, errors| {
        volume_source::check_storage_os_names(storage, errors);
        require_in(&storage.child("secretRef"), &["name", "namespace"], errors);
    }),
    ruled("csi", &[], check_csi),
];

/// Checks the sources of a volume; `name` is the volume's. `with_local` runs behind the rules of a local one.
pub(super) fn validate_sources(
    spec: &Field<'_, '_>,
    name: &str,
    with_local: impl Fn(&mut Errors),
    errors: &mut Errors,
) {
    let mut number = 0;
    for source in &SOURCES {
        let value = spec.child(source.key).value;
        if value.is_none() {
            continue;
        }
        // Volumes of the flexible kind may come second.
        if number > 0 && source.key != "flexVolume" {
            let second = spec.child(source.names.1);
            second.forbidden("may not specify more than 1 volume type", errors);
            continue;
        }
        number += 1;
        let field = Field {
            path: spec.path.child(source.names.0),
            value,
            release: spec.release,
        };
        field.required_members(source.required, errors);
        (source.rules)(&field, name, errors);
        if source.key == "local" {
            with_local(errors);
        }
    }
    if number == 0 {
        spec.required("must specify a volume type", errors);
    }
}

fn require_in(field: &Field<'_, '_>, keys: &[&str], errors: &mut Errors) {
    if field.is_set() {
        field.required_members(keys, errors);
    }
}

fn check_iscsi(iscsi: &Field<'_, '_>, volume: &str, errors: &mut Errors) {
    const LIMIT: usize = 64;
    let (portal, initiator) = (iscsi.child("targetPortal"), iscsi.child("initiatorName"));
    if initiator.is_set() && volume.len() + 1 + portal.text().len() > LIMIT {
        let detail = "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if \
                      iscsi.initiatorName is specified.";
        let path = iscsi.path.child("targetportal");
        errors.push(invalid_text(&path, portal.text(), detail));
    }
    let name = iscsi.child("iqn");
    if !name.text().is_empty() && !volume_source::is_initiator(name.text()) {
        name.invalid("must be valid format", errors);
    }
    let unit = iscsi.child("lun");
    if unit.is_set() {
        unit.between(0, 255, errors);
    }
    let secret = iscsi.child("secretRef");
    let needs_secret = ["chapAuthDiscovery", "chapAuthSession"]
        .iter()
        .any(|key| iscsi.child(key).truth());
    if needs_secret && !secret.is_set() {
        secret.required("", errors);
    }
    require_in(&secret, &["name"], errors);
    if initiator.is_set() && !volume_source::is_initiator(initiator.text()) {
        let path = iscsi.path.child("initiatorname");
        errors.push(invalid_text(&path, initiator.text(), "must be valid format"));
    }
}

fn check_csi(csi: &Field<'_, '_>, _: &str, errors: &mut Errors) {
    csi.child("driver").driver_name(errors);
    csi.required_members(&["volumeHandle"], errors);
    for key in [
        "controllerPublishSecretRef",
        "controllerExpandSecretRef",
        "nodePublishSecretRef",
        "nodeExpandSecretRef",
    ] {
        let secret = csi.child(key);
        if secret.is_set() {
            secret.child("name").required_name(NameRule::Subdomain, errors);
            secret.child("namespace").required_name(NameRule::Label, errors);
        }
    }
}

/// Sources whose volumes can be mounted with options of an annotation.
const MOUNTED_WITH_OPTIONS: [&str; 13] = [
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "glusterfs",
    "nfs",
    "rbd",
    "quobyte",
    "iscsi",
    "cinder",
    "cephfs",
    "azureFile",
    "vsphereVolume",
    "azureDisk",
    "photonPersistentDisk",
];

pub(super) fn takes_mount_options(spec: &Field<'_, '_>) -> bool {
    MOUNTED_WITH_OPTIONS.iter().any(|key| spec.child(key).is_set())
}

/// The sources of a volume alone.
pub(super) fn of_spec<'a>(arena: &'a Arena, spec: Option<Value<'a>>) -> Value<'a> {
    let mut found = Object::EMPTY;
    for source in &SOURCES {
        if let Some(value) = spec.and_then(|spec| spec.get(source.key)) {
            found.insert(arena, source.key, value);
        }
    }
    Value::Object(found)
}

/// What is said about sources that do nothing any more, in the order of the checks.
const DEAD: [(&str, &str, &str); 6] = [
    (
        "cephfs",
        "cephfs",
        "deprecated in v1.28, non-functional in v1.31+",
    ),
    (
        "photonPersistentDisk",
        "photonPersistentDisk",
        "deprecated in v1.11, non-functional in v1.16+",
    ),
    (
        "scaleIO",
        "scaleIO",
        "deprecated in v1.16, non-functional in v1.22+",
    ),
    (
        "storageos",
        "storageOS",
        "deprecated in v1.22, non-functional in v1.25+",
    ),
    (
        "glusterfs",
        "glusterfs",
        "deprecated in v1.25, non-functional in v1.26+",
    ),
    ("rbd", "rbd", "deprecated in v1.28, non-functional in v1.31+"),
];

pub(super) fn source_warnings(spec: &Field<'_, '_>) -> Vec<String> {
    DEAD.iter()
        .filter(|(key, ..)| spec.child(key).is_set())
        .map(|(_, shown, text)| format!("spec.{shown}: {text}"))
        .collect()
}
