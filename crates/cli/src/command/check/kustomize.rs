//! Which files a kustomization uses that are not objects: patches are parts of objects.

use std::path::{Path, PathBuf};

use kindsmith_json::{Arena, Value, yaml};

/// Fields of a kustomization with files that are not objects, as paths or as entries with a `path`.
const FIELDS: [&str; 6] = [
    "configurations",
    "openapi",
    "patches",
    "patchesJson6902",
    "patchesStrategicMerge",
    "replacements",
];

/// The files of a kustomization that are not objects. One that cannot be read has none: it is reported elsewhere.
pub(super) fn patches(kustomization: &Path) -> Vec<PathBuf> {
    let directory = kustomization.parent().unwrap_or(Path::new("."));
    let text = crate::files::read_text(kustomization).unwrap_or_default();
    let arena = Arena::new();
    let value = yaml::parse(&arena, text.as_bytes()).unwrap_or_default();
    let entries = FIELDS.iter().filter_map(|field| value.get(field));
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
