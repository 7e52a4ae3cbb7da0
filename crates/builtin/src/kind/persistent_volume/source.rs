//! Where the data of a persistent volume is: exactly one source, and what each source demands
//! (`ValidatePersistentVolumeSpec` in pkg/apis/core/validation/validation.go).

use kindsmith_gostd::regexp::Regexp;
use kindsmith_json::{Arena, Object, Value};
use kindsmith_object::meta::NameRule;

use crate::field::{Errors, Field};
use crate::rule::{invalid_text, not_supported};

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
        check_no_backsteps(&host.child("path"), errors);
        if !host.child("path").text().is_empty() && host.child("type").is_set() {
            host.child("type").one_of(&HOST_PATH_TYPES, errors);
        }
    }),
    Source {
        names: ("persistentDisk", "gcePersistentDisk"),
        ..ruled("gcePersistentDisk", &["pdName"], |disk, _, errors| {
            check_partition(disk, errors);
        })
    },
    ruled("awsElasticBlockStore", &["volumeID"], |disk, _, errors| {
        check_partition(disk, errors);
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
    ruled("flocker", &[], check_flocker),
    ruled("nfs", &["server", "path"], |nfs, _, errors| {
        let path = nfs.child("path").or_empty();
        if !path.text().starts_with('/') {
            path.invalid("must be an absolute path", errors);
        }
    }),
    source("rbd", &["monitors", "image"]),
    ruled("quobyte", &[], check_quobyte),
    Source {
        names: ("cephfs", "cephFS"),
        ..source("cephfs", &["monitors"])
    },
    ruled("iscsi", &["targetPortal", "iqn"], check_iscsi),
    ruled("cinder", &["volumeID"], |cinder, _, errors| {
        require_in(&cinder.child("secretRef"), &["name", "namespace"], errors);
    }),
    ruled("fc", &[], check_fibre_channel),
    ruled("flexVolume", &["driver"], |flex, _, errors| {
        for (key, option) in flex.child("options").entries() {
            let domain = key.split_once('/').map_or(key, |(domain, _)| domain);
            let domain = format!(".{}", domain.to_lowercase());
            if domain.ends_with(".kubernetes.io") || domain.ends_with(".k8s.io") {
                let detail = "kubernetes.io and k8s.io namespaces are reserved";
                errors.push(invalid_text(&option.path, key, detail));
            }
        }
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
    ruled("azureDisk", &["diskName", "diskURI"], check_azure_disk),
    source("scaleIO", &["gateway", "system", "volumeName"]),
    ruled("local", &["path"], |local, _, errors| {
        check_no_backsteps(&local.child("path"), errors);
    }),
    ruled("storageos", &["volumeName"], |storage, _, errors| {
        for key in ["volumeName", "volumeNamespace"] {
            if !storage.child(key).text().is_empty() {
                storage.child(key).name(NameRule::Label, errors);
            }
        }
        require_in(&storage.child("secretRef"), &["name", "namespace"], errors);
    }),
    ruled("csi", &[], check_csi),
];

const HOST_PATH_TYPES: [&str; 8] = [
    "",
    "BlockDevice",
    "CharDevice",
    "Directory",
    "DirectoryOrCreate",
    "File",
    "FileOrCreate",
    "Socket",
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
        };
        require(&field, source.required, errors);
        (source.rules)(&field, name, errors);
        if source.key == "local" {
            with_local(errors);
        }
    }
    if number == 0 {
        spec.required("must specify a volume type", errors);
    }
}

fn require(field: &Field<'_, '_>, keys: &[&str], errors: &mut Errors) {
    for key in keys {
        let member = field.child(key);
        if member.text().is_empty() && member.len() == 0 {
            member.required("", errors);
        }
    }
}

fn require_in(field: &Field<'_, '_>, keys: &[&str], errors: &mut Errors) {
    if field.is_set() {
        require(field, keys, errors);
    }
}

fn check_no_backsteps(path: &Field<'_, '_>, errors: &mut Errors) {
    if path.text().split('/').any(|part| part == "..") {
        path.invalid("must not contain '..'", errors);
    }
}

fn check_partition(disk: &Field<'_, '_>, errors: &mut Errors) {
    let partition = disk.child("partition");
    if !(0..=255).contains(&partition.number()) {
        partition.invalid("must be between 1 and 255, inclusive", errors);
    }
}

fn check_lun(lun: &Field<'_, '_>, errors: &mut Errors) {
    if !(0..=255).contains(&lun.number()) {
        lun.invalid("must be between 0 and 255, inclusive", errors);
    }
}

fn check_flocker(flocker: &Field<'_, '_>, _: &str, errors: &mut Errors) {
    let (name, uuid) = (flocker.child("datasetName"), flocker.child("datasetUUID"));
    match (name.text(), uuid.text()) {
        ("", "") => flocker.required("one of datasetName and datasetUUID is required", errors),
        ("", _) | (_, "") => {}
        _ => {
            let detail = "datasetName and datasetUUID can not be specified simultaneously";
            errors.push(invalid_text(&flocker.path, "resource", detail));
        }
    }
    if name.text().contains('/') {
        name.invalid("must not contain '/'", errors);
    }
}

fn check_quobyte(quobyte: &Field<'_, '_>, _: &str, errors: &mut Errors) {
    const REGISTRY: &str = "must be a host:port pair or multiple pairs separated by commas";
    let (registry, tenant) = (quobyte.child("registry"), quobyte.child("tenant"));
    if registry.text().is_empty() {
        registry.required(REGISTRY, errors);
    } else if tenant.text().len() >= 65 {
        let detail = "must be a UUID and may not exceed a length of 64 characters";
        tenant.required(detail, errors);
    } else {
        for pair in registry.text().split(',') {
            if !is_host_and_port(pair) {
                registry.invalid(REGISTRY, errors);
            }
        }
    }
    require(quobyte, &["volume"], errors);
}

/// Is a text an address with a port, such as `h:1` or `[::1]:1` (`net.SplitHostPort`)?
fn is_host_and_port(text: &str) -> bool {
    let Some((host, port)) = text.rsplit_once(':') else {
        return false;
    };
    let is_plain = |part: &str| !part.contains(['[', ']']);
    match host.strip_prefix('[') {
        Some(rest) => rest.strip_suffix(']').is_some_and(is_plain) && is_plain(port),
        None => !host.contains(':') && is_plain(host) && is_plain(port),
    }
}

/// What a name of an initiator looks like, by its first letters.
const INITIATORS: [(&str, &str); 3] = [
    ("iqn", r"iqn\.\d{4}-\d{2}\.([[:alnum:]-.]+)(:[^,;*&$|\s]+)$"),
    ("eui", r"^eui.[[:alnum:]]{16}$"),
    ("naa", r"^naa.[[:alnum:]]{32}$"),
];

fn is_initiator(name: &str) -> bool {
    let found = INITIATORS.iter().find(|(start, _)| name.starts_with(start));
    let pattern = found.and_then(|(_, pattern)| Regexp::new(pattern).ok());
    pattern.is_some_and(|pattern| pattern.is_match(name))
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
    if !name.text().is_empty() && !is_initiator(name.text()) {
        name.invalid("must be valid format", errors);
    }
    check_lun(&iscsi.child("lun"), errors);
    let secret = iscsi.child("secretRef");
    let needs_secret = ["chapAuthDiscovery", "chapAuthSession"]
        .iter()
        .any(|key| iscsi.child(key).truth());
    if needs_secret && !secret.is_set() {
        secret.required("", errors);
    }
    require_in(&secret, &["name"], errors);
    if initiator.is_set() && !is_initiator(initiator.text()) {
        let path = iscsi.path.child("initiatorname");
        errors.push(invalid_text(&path, initiator.text(), "must be valid format"));
    }
}

fn check_fibre_channel(fc: &Field<'_, '_>, _: &str, errors: &mut Errors) {
    let (targets, ids) = (fc.child("targetWWNs"), fc.child("wwids"));
    match (targets.len(), ids.len()) {
        (0, 0) => targets.required("must specify either targetWWNs or wwids, but not both", errors),
        (0, _) | (_, 0) => {}
        _ => targets.invalid("targetWWNs and wwids can not be specified simultaneously", errors),
    }
    let lun = fc.child("lun");
    match (targets.len(), lun.is_set()) {
        (0, _) => {}
        (_, false) => lun.required("lun is required if targetWWNs is specified", errors),
        (_, true) => check_lun(&lun, errors),
    }
}

fn check_azure_disk(disk: &Field<'_, '_>, _: &str, errors: &mut Errors) {
    const MANAGED: &str =
        "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}";
    const BLOB: &str = "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd";
    let (caching, kind, uri) = (
        disk.child("cachingMode"),
        disk.child("kind"),
        disk.child("diskURI"),
    );
    if caching.is_set() {
        caching.one_of(&["None", "ReadOnly", "ReadWrite"], errors);
    }
    if !kind.is_set() {
        return;
    }
    kind.one_of(&["Dedicated", "Managed", "Shared"], errors);
    let (start, known) = match kind.text() {
        "Managed" => ("/subscriptions/", MANAGED),
        _ => ("https://", BLOB),
    };
    if !uri.text().starts_with(start) {
        errors.push(not_supported(&uri.path, uri.text(), &[known]));
    }
}

fn check_csi(csi: &Field<'_, '_>, _: &str, errors: &mut Errors) {
    csi.child("driver").driver_name(errors);
    require(csi, &["volumeHandle"], errors);
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
    ("cephfs", "cephfs", "deprecated in v1.28, non-functional in v1.31+"),
    (
        "photonPersistentDisk",
        "photonPersistentDisk",
        "deprecated in v1.11, non-functional in v1.16+",
    ),
    ("scaleIO", "scaleIO", "deprecated in v1.16, non-functional in v1.22+"),
    ("storageos", "storageOS", "deprecated in v1.22, non-functional in v1.25+"),
    ("glusterfs", "glusterfs", "deprecated in v1.25, non-functional in v1.26+"),
    ("rbd", "rbd", "deprecated in v1.28, non-functional in v1.31+"),
];

pub(super) fn source_warnings(spec: &Field<'_, '_>) -> Vec<String> {
    DEAD.iter()
        .filter(|(key, ..)| spec.child(key).is_set())
        .map(|(_, shown, text)| format!("spec.{shown}: {text}"))
        .collect()
}
