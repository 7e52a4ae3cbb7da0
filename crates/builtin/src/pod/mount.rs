//! Volume mounts and block devices of containers.

use std::collections::{HashMap, HashSet};

use super::spec::{Spec, each_container};
use crate::field::{Errors, Field};
use crate::field_check::not_found;
use crate::part::file_path::{check_relative, goes_up};
use crate::types::words;

/// Volume names and container paths that the other list (mounts or devices) uses.
struct Others<'v> {
    names: HashSet<&'v str>,
    paths: HashSet<&'v str>,
}

impl<'v> Others<'v> {
    fn of(uses: &Field<'_, 'v>, path: &str) -> Others<'v> {
        let mut by_name = HashMap::new();
        for used in uses.items() {
            by_name.insert(used.child("name").text(), used.child(path).text());
        }
        Others {
            paths: by_name.values().copied().collect(),
            names: by_name.into_keys().collect(),
        }
    }
}

/// Checks the volume mounts of a container. Some errors are reported on the list, without an index.
pub(super) fn check_mounts(container: &Field<'_, '_>, spec: &Spec<'_, '_>, errors: &mut Errors) {
    let devices = Others::of(&container.child("volumeDevices"), "devicePath");
    let mounts = container.child("volumeMounts");
    let mut places = HashSet::new();
    for mount in mounts.items() {
        let (name, place) = (
            mount.child("name").or_empty(),
            mount.child("mountPath").or_empty(),
        );
        if name.is_blank() {
            name.required("", errors);
        }
        if !spec.volumes.contains_key(name.text()) {
            errors.push(not_found(&name.path, name.text()));
        }
        if place.is_blank() {
            place.required("", errors);
        }
        if !places.insert(place.text()) {
            place.invalid("must be unique", errors);
        }
        if devices.names.contains(name.text()) {
            name.invalid("must not already exist in volumeDevices", errors);
        }
        if devices.paths.contains(place.text()) {
            place.invalid("must not already exist as a path in volumeDevices", errors);
        }
        check_sub_paths(&mount, &mounts, errors);
        let is_privileged = container.child("securityContext").child("privileged").truth();
        check_propagation(&mount, &mounts, is_privileged, errors);
        check_recursive(&mount, &mounts, errors);
    }
}

fn check_sub_paths(mount: &Field<'_, '_>, mounts: &Field<'_, '_>, errors: &mut Errors) {
    let (plain, expression) = (mount.child("subPath"), mount.child("subPathExpr"));
    if !plain.is_blank() && !expression.is_blank() {
        expression.invalid("subPathExpr and subPath are mutually exclusive", errors);
    }
    for key in ["subPath", "subPathExpr"] {
        check_relative(&mount.child(key).at(mounts.path.child(key)), errors);
    }
}

fn check_propagation(
    mount: &Field<'_, '_>,
    mounts: &Field<'_, '_>,
    is_privileged: bool,
    errors: &mut Errors,
) {
    let mode = mount.child("mountPropagation");
    let mode = mode.at(mounts.path.child("mountPropagation"));
    mode.optional_word(words("core/v1.MountPropagationMode"), errors);
    if mode.text() == "Bidirectional" && !is_privileged {
        let detail = "Bidirectional mount propagation is available only to privileged containers";
        mode.forbidden(detail, errors);
    }
}

fn check_recursive(mount: &Field<'_, '_>, mounts: &Field<'_, '_>, errors: &mut Errors) {
    let recursive = mount.child("recursiveReadOnly");
    let recursive = recursive.at(mounts.path.child("recursiveReadOnly"));
    recursive.optional_word(words("core/v1.RecursiveReadOnlyMode"), errors);
    if !matches!(recursive.text(), "Enabled" | "IfPossible") {
        return;
    }
    if !mount.child("readOnly").truth() {
        recursive.forbidden("may only be specified when readOnly is true", errors);
    }
    let propagation = mount.child("mountPropagation");
    if propagation.is_set() && propagation.text() != "None" {
        let detail = "may only be specified when mountPropagation is None or not specified";
        recursive.forbidden(detail, errors);
    }
}

/// Checks the block devices of a container.
pub(super) fn check_devices(container: &Field<'_, '_>, spec: &Spec<'_, '_>, errors: &mut Errors) {
    let mounts = Others::of(&container.child("volumeMounts"), "mountPath");
    let (mut names, mut paths) = (HashSet::new(), HashSet::new());
    for device in container.child("volumeDevices").items() {
        let (name, path) = (
            device.child("name").or_empty(),
            device.child("devicePath").or_empty(),
        );
        if name.is_blank() {
            name.required("", errors);
        }
        if names.contains(name.text()) {
            name.invalid("must be unique", errors);
        }
        match spec.volumes.get(name.text()) {
            None => errors.push(not_found(&name.path, name.text())),
            Some(Some("persistentVolumeClaim" | "ephemeral")) => {}
            Some(_) => {
                let detail =
                    "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode";
                name.invalid(detail, errors);
            }
        }
        if path.is_blank() {
            path.required("", errors);
        }
        if paths.contains(path.text()) {
            path.invalid("must be unique", errors);
        }
        if goes_up(path.text()) {
            path.invalid("can not contain backsteps ('..')", errors);
        } else {
            paths.insert(path.text());
        }
        if mounts.names.contains(name.text()) {
            name.invalid("must not already exist in volumeMounts", errors);
        }
        if mounts.paths.contains(path.text()) {
            path.invalid("must not already exist as a path in volumeMounts", errors);
        }
        if !name.is_blank() {
            names.insert(name.text());
        }
    }
}

/// `fileKeyRef` can only read from `emptyDir` volumes.
pub(super) fn check_file_references(spec: &Spec<'_, '_>, errors: &mut Errors) {
    let volumes = spec.child("volumes");
    let is_empty_directory: HashMap<&str, bool> = volumes
        .items()
        .map(|volume| (volume.child("name").text(), volume.child("emptyDir").is_set()))
        .collect();
    each_container(&spec.field, |container| {
        for variable in container.child("env").items() {
            let source = variable.child("valueFrom");
            let reference = source.child("fileKeyRef");
            if !reference.is_set() {
                continue;
            }
            let name = reference.child("volumeName").or_empty();
            match is_empty_directory.get(name.text()) {
                None => errors.push(not_found(&name.path, name.text())),
                Some(false) => name.invalid("referenced volume must be of type emptyDir", errors),
                Some(true) => {}
            }
        }
    });
}
