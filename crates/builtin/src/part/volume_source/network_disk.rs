//! Disks and file systems that are reached over a network.

use std::sync::OnceLock;

use kindsmith_gostd::regexp::Regexp;
use kindsmith_object::meta::NameRule;

use super::check_secret;
use crate::field::{Errors, Field};
use crate::field_check::invalid_text;

pub(crate) fn check_nfs(nfs: &Field<'_, '_>, errors: &mut Errors) {
    let path = nfs.child("path").or_empty();
    if !path.text().starts_with('/') {
        path.invalid("must be an absolute path", errors);
    }
}

pub(crate) fn check_flocker(flocker: &Field<'_, '_>, errors: &mut Errors) {
    let (name, id) = (flocker.child("datasetName"), flocker.child("datasetUUID"));
    match (name.is_blank(), id.is_blank()) {
        (true, true) => flocker.required("one of datasetName and datasetUUID is required", errors),
        (false, false) => {
            let detail = "datasetName and datasetUUID can not be specified simultaneously";
            errors.push(invalid_text(&flocker.path, "resource", detail));
        }
        _ => {}
    }
    if name.text().contains('/') {
        name.invalid("must not contain '/'", errors);
    }
}

pub(crate) fn check_quobyte(quobyte: &Field<'_, '_>, errors: &mut Errors) {
    const PAIRS: &str = "must be a host:port pair or multiple pairs separated by commas";
    const TENANT: usize = 64;
    let (registry, tenant) = (quobyte.child("registry"), quobyte.child("tenant"));
    if registry.is_blank() {
        registry.required(PAIRS, errors);
    } else if tenant.text().len() > TENANT {
        tenant.required(
            "must be a UUID and may not exceed a length of 64 characters",
            errors,
        );
    } else {
        for pair in registry.text().split(',') {
            if !is_host_and_port(pair) {
                registry.invalid(PAIRS, errors);
            }
        }
    }
}

/// Go's `net.SplitHostPort`: one colon outside brackets, brackets only around the host.
fn is_host_and_port(text: &str) -> bool {
    let Some((host, port)) = text.rsplit_once(':') else {
        return false;
    };
    let inner = host.strip_prefix('[').map(|rest| rest.strip_suffix(']'));
    let is_host = match inner {
        Some(inner) => inner.is_some_and(|inner| !inner.contains(['[', ']'])),
        None => !host.contains([':', '[', ']']),
    };
    is_host && !port.contains(['[', ']'])
}

pub(crate) fn check_fibre_channel(channel: &Field<'_, '_>, errors: &mut Errors) {
    let (targets, ids, unit) = (
        channel.child("targetWWNs"),
        channel.child("wwids"),
        channel.child("lun"),
    );
    match (targets.is_blank(), ids.is_blank()) {
        (true, true) => {
            targets.required("must specify either targetWWNs or wwids, but not both", errors);
        }
        (false, false) => {
            targets.invalid("targetWWNs and wwids can not be specified simultaneously", errors);
        }
        _ => {}
    }
    if targets.is_blank() {
        return;
    }
    if unit.is_set() {
        unit.between(0, 255, errors);
    } else {
        unit.required("lun is required if targetWWNs is specified", errors);
    }
}

pub(crate) fn check_flex(flex: &Field<'_, '_>, errors: &mut Errors) {
    for (key, option) in flex.child("options").entries() {
        let domain = key.split_once('/').map_or(key, |(domain, _)| domain);
        let domain = format!(".{}", domain.to_lowercase());
        if domain.ends_with(".kubernetes.io") || domain.ends_with(".k8s.io") {
            let detail = "kubernetes.io and k8s.io namespaces are reserved";
            errors.push(invalid_text(&option.path, key, detail));
        }
    }
}

pub(super) fn check_storage_os(storage: &Field<'_, '_>, errors: &mut Errors) {
    check_storage_os_names(storage, errors);
    check_secret(storage, errors);
}

/// Checks the names of a volume of StorageOS.
pub(crate) fn check_storage_os_names(storage: &Field<'_, '_>, errors: &mut Errors) {
    for key in ["volumeName", "volumeNamespace"] {
        let name = storage.child(key);
        if !name.is_blank() {
            name.name(NameRule::Label, errors);
        }
    }
}

pub(super) fn check_iscsi(iscsi: &Field<'_, '_>, errors: &mut Errors) {
    let target = iscsi.child("iqn");
    if !target.is_blank() {
        check_initiator(&target, errors);
    }
    let unit = iscsi.child("lun");
    if unit.is_set() {
        unit.between(0, 255, errors);
    }
    let secret = iscsi.child("secretRef");
    let authenticates = ["chapAuthDiscovery", "chapAuthSession"];
    if authenticates.iter().any(|key| iscsi.child(key).truth()) && !secret.is_set() {
        secret.required("", errors);
    }
    let initiator = iscsi.child("initiatorName");
    if initiator.is_set() {
        check_initiator(&initiator.at(iscsi.path.child("initiatorname")), errors);
    }
}

/// The forms of names of the two ends of a session, told apart by how they start.
const INITIATORS: [(&str, &str); 3] = [
    ("iqn", r"iqn\.\d{4}-\d{2}\.([[:alnum:]-.]+)(:[^,;*&$|\s]+)$"),
    ("eui", r"^eui.[[:alnum:]]{16}$"),
    ("naa", r"^naa.[[:alnum:]]{32}$"),
];

/// Is this the name of an end of a session?
pub(crate) fn is_initiator(name: &str) -> bool {
    static FORMS: OnceLock<Vec<Option<Regexp>>> = OnceLock::new();
    let forms = FORMS.get_or_init(|| {
        INITIATORS
            .iter()
            .map(|(_, form)| Regexp::new(form).ok())
            .collect()
    });
    let found = INITIATORS
        .iter()
        .zip(forms)
        .find(|((start, _), _)| name.starts_with(start));
    found.is_some_and(|(_, form)| form.as_ref().is_some_and(|form| form.is_match(name)))
}

fn check_initiator(name: &Field<'_, '_>, errors: &mut Errors) {
    let has_start = INITIATORS.iter().any(|(start, _)| name.text().starts_with(start));
    if !has_start {
        name.invalid("must be valid format starting with iqn, eui, or naa", errors);
    } else if !is_initiator(name.text()) {
        name.invalid("must be valid format", errors);
    }
}

/// An initiator makes a name of its own from the volume's name and the portal, which is limited.
pub(super) fn check_iscsi_name(volume: &Field<'_, '_>, errors: &mut Errors) {
    const LIMIT: usize = 64;
    let (iscsi, name) = (volume.child("iscsi"), volume.child("name").or_empty());
    let length = name.text().len() + 1 + iscsi.child("targetPortal").text().len();
    if iscsi.child("initiatorName").is_set() && length > LIMIT {
        let detail = "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if \
                      iscsi.initiatorName is specified.";
        name.invalid(detail, errors);
    }
}
