//! The imports of a generated file, with the aliases that controller-gen would choose
//! (`NeedImport` in controller-tools `pkg/deepcopy/traverse.go`).

use std::collections::BTreeMap;

use kindsmith_go::package::Package;

use super::Dialect;
use crate::gengo;

/// Imports by path.
#[derive(Debug, Default)]
pub(super) struct Imports {
    by_path: BTreeMap<String, Import>,
    /// Aliases that are taken.
    taken: Vec<String>,
    /// Import path of the file's own package.
    local: String,
    dialect: Dialect,
}

#[derive(Debug)]
struct Import {
    alias: String,
    /// The name in the package clause.
    name: String,
}

impl Imports {
    /// No imports, in a file of a package with this path and name.
    pub(super) fn new(path: &str, name: &str, dialect: Dialect) -> Self {
        Self {
            by_path: BTreeMap::new(),
            taken: vec![name.to_owned()],
            local: path.to_owned(),
            dialect,
        }
    }

    /// The alias of a package, which is imported from now on.
    pub(super) fn alias(&mut self, path: &str, name: &str) -> String {
        let path = path.rsplit_once("/vendor/").map_or(path, |(_, path)| path);
        if let Some(known) = self.by_path.get(path) {
            return known.alias.clone();
        }
        let alias = match self.dialect {
            Dialect::ControllerGen => self.free(path),
            Dialect::DeepcopyGen => {
                let taken: Vec<&str> = self.by_path.values().map(|import| &*import.alias).collect();
                gengo::alias(path, &self.local, &taken)
            }
        };
        self.taken.push(alias.clone());
        let import = Import {
            alias: alias.clone(),
            name: name.to_owned(),
        };
        self.by_path.insert(path.to_owned(), import);
        alias
    }

    /// The shortest end of a path, its slashes dropped, that no other package has. The first part of a path never
    /// stands without an `x` behind it.
    fn free(&self, path: &str) -> String {
        let mut parts: Vec<String> = path.split('/').map(identifier).collect();
        let mut alias = String::new();
        loop {
            if let [only] = &parts[..] {
                alias = format!("{only}{alias}x");
            } else if let Some(last) = parts.pop() {
                alias.insert_str(0, &last);
            }
            if !self.taken.contains(&alias) {
                return alias;
            }
        }
    }

    /// The import declaration. The alias is left out if the package imports the path elsewhere, so that its name is
    /// known to be the same; deepcopy-gen writes all of them.
    pub(super) fn declaration(&self, package: &Package) -> String {
        let dialect = self.dialect;
        if self.by_path.is_empty() {
            return match dialect {
                Dialect::ControllerGen => "\nimport ()\n".to_owned(),
                Dialect::DeepcopyGen => String::new(),
            };
        }
        let is_direct = |path: &str| {
            let mut imports = package
                .files
                .iter()
                .flat_map(|file| file.imports.iter().map(|import| file.import_path(import)));
            imports.any(|imported| imported == path)
        };
        let lines = self.by_path.iter().map(|(path, import)| {
            if dialect == Dialect::ControllerGen && import.alias == import.name && is_direct(path) {
                format!("\t\"{path}\"\n")
            } else {
                format!("\t{} \"{path}\"\n", import.alias)
            }
        });
        format!("\nimport (\n{})\n", lines.collect::<String>())
    }
}

/// A part of a path as part of an identifier: without leading digits, other characters as `_`.
fn identifier(part: &str) -> String {
    let part = part.trim_start_matches(char::is_numeric);
    part.chars()
        .map(|c| if c.is_alphanumeric() || c == '_' { c } else { '_' })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_grow_until_they_are_free() {
        let mut imports = Imports::new("example.org/api/v1", "v1", Dialect::ControllerGen);
        for (path, alias) in [
            ("k8s.io/api/core/v1", "corev1"),
            ("k8s.io/api/apps/v1", "appsv1"),
            ("example.org/core/v1", "example_orgcorev1x"),
            ("k8s.io/api/core/v1", "corev1"),
            ("time", "timex"),
            ("net/url", "url"),
            ("example.org/2fa/go-lib", "go_lib"),
            ("x/vendor/k8s.io/api/batch/v1", "batchv1"),
        ] {
            assert_eq!(imports.alias(path, ""), alias, "{path}");
        }
    }
}
