//! Sources of volumes: those of pods, and those that persistent volumes share with them (`validateVolumeSource` in
//! pkg/apis/core/validation/validation.go).

mod cloud_disk;
mod configured;
mod downward;
mod ephemeral;
mod network_disk;
mod projected;

use kindsmith_json::Value;

use crate::field::{Errors, Field};
use crate::part::file_path::{check_descending, check_relative};
use crate::types::words;

pub(crate) use cloud_disk::{check_azure, check_partition};
pub(crate) use downward::{check_field_reference, check_resource_reference};
pub(crate) use network_disk::{
    check_fibre_channel, check_flex, check_flocker, check_nfs, check_quobyte, check_storage_os_names,
    is_initiator,
};

/// A kind of volume.
struct Source {
    /// The member of a volume that says it.
    key: &'static str,
    /// Members that must be set.
    required: &'static [&'static str],
    /// The rule for the rest.
    check: fn(&Field<'_, '_>, &mut Errors),
}

const fn source(
    key: &'static str,
    required: &'static [&'static str],
    check: fn(&Field<'_, '_>, &mut Errors),
) -> Source {
    Source { key, required, check }
}

/// All sources, in the order in which the server looks at them.
const SOURCES: [Source; 30] = [
    source("emptyDir", &[], check_empty_directory),
    source("hostPath", &["path"], check_host_path),
    source("gitRepo", &["repository"], check_repository),
    source("gcePersistentDisk", &["pdName"], check_partition),
    source("awsElasticBlockStore", &["volumeID"], check_partition),
    source("secret", &["secretName"], configured::check_files),
    source("nfs", &["server", "path"], check_nfs),
    source("iscsi", &["targetPortal", "iqn"], network_disk::check_iscsi),
    source("glusterfs", &["endpoints", "path"], nothing),
    source("flocker", &[], check_flocker),
    source("persistentVolumeClaim", &["claimName"], nothing),
    source("rbd", &["monitors", "image"], nothing),
    source("cinder", &["volumeID"], check_secret),
    source("cephfs", &["monitors"], nothing),
    source("quobyte", &["volume"], check_quobyte),
    source("downwardAPI", &[], downward::check_files),
    source("fc", &[], check_fibre_channel),
    source("flexVolume", &["driver"], check_flex),
    source("configMap", &["name"], configured::check_files),
    source("azureFile", &["secretName", "shareName"], nothing),
    source("vsphereVolume", &["volumePath"], nothing),
    source("photonPersistentDisk", &["pdID"], nothing),
    source("portworxVolume", &["volumeID"], nothing),
    source("azureDisk", &["diskName", "diskURI"], check_azure),
    source("storageos", &["volumeName"], network_disk::check_storage_os),
    source("projected", &[], projected::check),
    source("scaleIO", &["gateway", "system", "volumeName"], nothing),
    source("csi", &[], check_csi),
    source("ephemeral", &["volumeClaimTemplate"], ephemeral::check),
    source("image", &["reference"], check_image),
];

fn nothing(_: &Field<'_, '_>, _: &mut Errors) {}

/// Where the faults of a source are reported: one is spelled in another way.
fn place(key: &str) -> &str {
    match key {
        "gcePersistentDisk" => "persistentDisk",
        key => key,
    }
}

/// Where a source too many is reported: two are spelled in another way.
fn extra_place(key: &str) -> &str {
    match key {
        "cephfs" => "cephFS",
        "downwardAPI" => "downwarAPI",
        key => key,
    }
}

/// Checks the source of a volume of a pod. There must be exactly one; only the first is looked into.
pub(crate) fn check_source(volume: &Field<'_, '_>, errors: &mut Errors) {
    let used = SOURCES.iter().filter(|source| volume.child(source.key).is_set());
    for (number, source) in used.clone().enumerate() {
        if number == 0 {
            check_members(volume, source, errors);
        } else {
            let extra = volume.child(extra_place(source.key));
            extra.forbidden("may not specify more than 1 volume type", errors);
        }
        if source.key == "iscsi" {
            network_disk::check_iscsi_name(volume, errors);
        }
    }
    if used.count() == 0 {
        volume.required("must specify a volume type", errors);
    }
}

fn check_members(volume: &Field<'_, '_>, source: &Source, errors: &mut Errors) {
    let found = volume.child(source.key);
    let found = found.at(volume.path.child(place(source.key)));
    found.required_members(source.required, errors);
    (source.check)(&found, errors);
}

fn check_empty_directory(directory: &Field<'_, '_>, errors: &mut Errors) {
    let limit = directory.child("sizeLimit");
    if limit.quantity().is_some_and(|amount| amount.sign() < 0) {
        limit.forbidden("SizeLimit field must be a valid resource quantity", errors);
    }
}

/// Checks a path on the node.
pub(crate) fn check_host_path(host: &Field<'_, '_>, errors: &mut Errors) {
    const TYPES: [&str; 8] = [
        "",
        "BlockDevice",
        "CharDevice",
        "Directory",
        "DirectoryOrCreate",
        "File",
        "FileOrCreate",
        "Socket",
    ];
    let path = host.child("path");
    if path.is_blank() {
        return;
    }
    check_descending(&path, errors);
    host.child("type").optional_word(&TYPES, errors);
}

fn check_repository(repository: &Field<'_, '_>, errors: &mut Errors) {
    check_relative(&repository.child("directory"), errors);
}

/// A reference to a secret must name it.
fn check_secret(source: &Field<'_, '_>, errors: &mut Errors) {
    let secret = source.child("secretRef");
    if secret.is_set() {
        secret.required_members(&["name"], errors);
    }
}

/// Faults of the secret's name are reported beside the reference.
fn check_csi(csi: &Field<'_, '_>, errors: &mut Errors) {
    csi.child("driver").driver_name(errors);
    let secret = csi.child("nodePublishSecretRef");
    if !secret.is_set() {
        return;
    }
    let name = secret.child("name");
    if name.is_blank() {
        name.required("", errors);
    } else {
        let beside = name.at(csi.path.child("name"));
        beside.name(kindsmith_object::meta::NameRule::Subdomain, errors);
    }
}

fn check_image(image: &Field<'_, '_>, errors: &mut Errors) {
    let policy = image.child("pullPolicy");
    policy.required_word(words("core/v1.PullPolicy"), errors);
}

/// An invalid file mode.
fn check_mode(mode: &Field<'_, '_>, errors: &mut Errors) {
    const MOST: i64 = 0o777;
    if mode.is_set() && !(0..=MOST).contains(&mode.number()) {
        let detail = "must be a number between 0 and 0777 (octal), both inclusive";
        mode.invalid(detail, errors);
    }
}

/// The name of a volume's source, if it has one.
#[must_use]
pub fn source_key(volume: Value<'_>) -> Option<&'static str> {
    let is_used = |source: &&Source| volume.get(source.key).is_some_and(|value| !value.is_null());
    SOURCES.iter().find(is_used).map(|source| source.key)
}
