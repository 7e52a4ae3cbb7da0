//! The imports of one file: only those used, under the names that gengo would choose, so that types in field
//! paths are written the same way.

use std::collections::BTreeMap;

use kindsmith_gostd::token;
use kindsmith_schema::{Package, Schema, Str};

/// Names that generated functions use themselves, declared or predeclared; a package is never imported under
/// one.
const OWN_NAMES: &[&str] = &[
    "a", "b", "ctx", "e", "err", "errs", "fldPath", "fresh", "i", "in", "item", "key", "kind", "list", "o",
    "obj", "old", "oldObj", "op", "scheme", "stop", "value", "any", "append", "bool", "byte", "error",
    "false", "len", "max", "nil", "panic", "string", "true",
];

/// The packages a file uses.
#[derive(Debug)]
pub(super) struct Imports {
    own: String,
    /// Names that the package already declares.
    taken: Vec<Str>,
    names: BTreeMap<String, String>,
}

impl Imports {
    /// No imports yet, in a file of the package `own`.
    pub(super) fn new(own: &str) -> Self {
        Self {
            own: own.to_owned(),
            taken: Vec::new(),
            names: BTreeMap::new(),
        }
    }

    /// Like `new`, for a package of the schema.
    pub(super) fn of_package(package: &Package) -> Self {
        Self {
            taken: package.private_names.clone(),
            ..Self::new(&package.path)
        }
    }

    /// The name of a package in this file; imports it.
    pub(super) fn name(&mut self, path: &str) -> String {
        if let Some(name) = self.names.get(path) {
            return name.clone();
        }
        let name = self.choose(path);
        self.names.insert(path.to_owned(), name.clone());
        name
    }

    /// A qualified name.
    pub(super) fn of(&mut self, path: &str, what: &str) -> String {
        format!("{}.{what}", self.name(path))
    }

    /// As many trailing elements of the path as necessary (gengo `generator/import_tracker.go`).
    fn choose(&self, path: &str) -> String {
        let own = self.own.rsplit('/').next().unwrap_or_default();
        let parts: Vec<&str> = path.split('/').collect();
        let is_free = |name: &str| {
            name != own
                && !OWN_NAMES.contains(&name)
                && self.names.values().all(|known| known != name)
                && self.taken.iter().all(|taken| **taken != *name)
        };
        let mut name = String::new();
        for first in (0..parts.len()).rev() {
            let joined = parts[first..].concat();
            name = joined.chars().filter(|c| c.is_alphanumeric()).collect();
            if is_free(&name) {
                break;
            }
        }
        if token::is_keyword(&name) || name.starts_with(|c: char| c.is_numeric()) {
            name.insert(0, '_');
        }
        // Even the whole path is not enough if the package declares that name itself.
        while !is_free(&name) {
            name += "pkg";
        }
        name
    }

    /// The import declaration: the standard library first.
    pub(super) fn declaration(&self, schema: &Schema) -> String {
        let (library, others): (Vec<_>, Vec<_>) = self.names.iter().partition(|(path, _)| is_standard(path));
        let groups = [library, others];
        let lines: Vec<String> = groups
            .iter()
            .filter(|group| !group.is_empty())
            .map(|group| {
                let lines: Vec<String> = group
                    .iter()
                    .map(|(path, name)| line(schema, path, name))
                    .collect();
                lines.join("\n")
            })
            .collect();
        match lines.as_slice() {
            [] => String::new(),
            _ => format!("import (\n{}\n)\n", lines.join("\n\n")),
        }
    }
}

/// Paths of the standard library have no dot in their first element.
fn is_standard(path: &str) -> bool {
    !path.split('/').next().unwrap_or_default().contains('.')
}

fn line(schema: &Schema, path: &str, name: &str) -> String {
    let last = path.rsplit('/').next().unwrap_or_default();
    let declared = match schema.package(path) {
        Some(package) => &*package.name,
        // The package name of these libraries is the last element of their path.
        None if path.starts_with("k8s.io/apimachinery/") || is_standard(path) => last,
        None => "",
    };
    if declared == name {
        format!("\t\"{path}\"")
    } else {
        format!("\t{name} \"{path}\"")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_long_as_necessary() {
        let package = Package {
            private_names: ["fmt", "field"].map(Str::from).to_vec(),
            ..Package::new("example.org/api/v1", "v1")
        };
        let mut imports = Imports::of_package(&package);
        for (path, name) in [
            ("k8s.io/apimachinery/pkg/apis/meta/v1", "metav1"),
            ("k8s.io/api/core/v1", "corev1"),
            ("example.org/other/core/v1", "othercorev1"),
            ("example.org/my-pkg.x", "mypkgx"),
            ("example.org/obj", "exampleorgobj"),
            ("example.org/type", "_type"),
            ("context", "context"),
            ("example.org/3d", "_3d"),
            ("fmt", "fmtpkg"),
            ("k8s.io/apimachinery/pkg/util/validation/field", "validationfield"),
        ] {
            assert_eq!(imports.name(path), name);
        }
    }
}
