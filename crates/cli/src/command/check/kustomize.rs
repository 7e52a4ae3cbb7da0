//! What kustomizations make of the files of a directory: patches are parts of objects, and resources may be changed before
//! they are objects.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use kindsmith_json::{Arena, Value, yaml};

/// Fields of a kustomization with files that are not objects, as paths or as entries with a `path`.
const PARTS: [&str; 6] = [
    "configurations",
    "openapi",
    "patches",
    "patchesJson6902",
    "patchesStrategicMerge",
    "replacements",
];

/// Fields with objects.
const OBJECTS: [&str; 6] = [
    "bases",
    "crds",
    "generators",
    "resources",
    "transformers",
    "validators",
];

/// Fields that change what is in the resources.
const CHANGES: [&str; 12] = [
    "components",
    "generators",
    "namePrefix",
    "nameSuffix",
    "namespace",
    "patches",
    "patchesJson6902",
    "patchesStrategicMerge",
    "replacements",
    "replicas",
    "transformers",
    "vars",
];

/// What the kustomizations of a directory say about its files.
#[derive(Debug, Default)]
pub(super) struct Kustomized {
    parts: HashSet<PathBuf>,
    resources: HashSet<PathBuf>,
    changed: HashSet<PathBuf>,
    directories: HashSet<PathBuf>,
}

impl Kustomized {
    /// Reads kustomizations. One that cannot be read says nothing: it is reported elsewhere.
    pub(super) fn read<'f>(kustomizations: impl Iterator<Item = &'f PathBuf>) -> Self {
        let mut all = Self::default();
        kustomizations.for_each(|file| all.add(file));
        all
    }

    fn add(&mut self, kustomization: &Path) {
        let directory = kustomization.parent().unwrap_or(Path::new("."));
        let text = crate::files::read_text(kustomization).unwrap_or_default();
        let arena = Arena::new();
        let value = yaml::parse(&arena, text.as_bytes()).unwrap_or_default();
        let resources: Vec<PathBuf> = paths(value, &OBJECTS, directory);
        let is_component = value.get("kind").and_then(Value::as_str) == Some("Component");
        if is_component || CHANGES.iter().any(|field| value.get(field).is_some()) {
            self.changed.extend(resources.iter().cloned());
        }
        self.parts.extend(paths(value, &PARTS, directory));
        self.resources.extend(resources);
        self.directories.insert(directory.to_owned());
    }

    /// Whether a file is a part of an object, or not in use: it is beside a kustomization that does not name it as a
    /// resource, or in its directory `patches`.
    pub(super) fn is_part(&self, file: &Path) -> bool {
        let directory = file.parent().unwrap_or(Path::new("."));
        let is_patch = directory.file_name().is_some_and(|name| name == "patches")
            && directory
                .parent()
                .is_some_and(|above| self.directories.contains(above));
        let is_unused = (is_patch || self.directories.contains(directory)) && !self.resources.contains(file);
        self.parts.contains(file) || is_unused
    }

    /// Whether a kustomization changes the objects of a file.
    pub(super) fn is_changed(&self, file: &Path) -> bool {
        self.changed.contains(file)
    }
}

/// The files that some fields name.
fn paths(value: Value<'_>, fields: &[&str], directory: &Path) -> Vec<PathBuf> {
    let entries = fields.iter().filter_map(|field| value.get(field));
    let entries = entries.flat_map(|entry| match entry {
        Value::Array(entries) => entries.to_vec(),
        entry => vec![entry],
    });
    let path = |entry: Value<'_>| {
        let text = entry.as_str().or_else(|| entry.get("path")?.as_str());
        text.map(|text| joined(directory, text))
    };
    entries.filter_map(path).collect()
}

/// A path below or beside a directory, without `.` and `..`, as files are found.
fn joined(directory: &Path, relative: &str) -> PathBuf {
    let mut path = directory.to_owned();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                path.pop();
            }
            part => path.push(part),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_joined_as_files_are_found() {
        for (directory, relative, expected) in [
            ("overlay", "./patch.yaml", "overlay/patch.yaml"),
            ("a/overlay", "../base/patch.yaml", "a/base/patch.yaml"),
            (".", "patch.yaml", "./patch.yaml"),
        ] {
            assert_eq!(joined(Path::new(directory), relative), PathBuf::from(expected));
        }
    }
}
