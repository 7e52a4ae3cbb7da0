//! The imports of a file, named by the end of their paths as Kubernetes' generators do.

use std::collections::BTreeMap;

use kindsmith_gostd::token;

/// Imports by path.
pub(super) struct Imports {
    /// The package of the file.
    own: String,
    by_path: BTreeMap<String, String>,
}

impl Imports {
    pub(super) fn new(own: &str) -> Self {
        Self {
            own: own.to_owned(),
            by_path: BTreeMap::new(),
        }
    }

    /// A name of a package, which is imported from now on.
    pub(super) fn qualified(&mut self, path: &str, name: &str) -> String {
        if path == self.own || path.is_empty() {
            return name.to_owned();
        }
        if let Some(known) = self.by_path.get(path) {
            return format!("{known}.{name}");
        }
        let alias = self.free(path);
        let qualified = format!("{alias}.{name}");
        self.by_path.insert(path.to_owned(), alias);
        qualified
    }

    /// The shortest end of a path that is neither taken nor the name of the file's own package.
    fn free(&self, path: &str) -> String {
        let parts: Vec<&str> = path.split('/').collect();
        let own = self.own.rsplit('/').next().unwrap_or_default();
        let is_taken = |name: &String| name == own || self.by_path.values().any(|known| known == name);
        let ends = (0..parts.len()).rev();
        let mut names = ends.map(|from| parts[from..].concat().replace(['_', '.', '-'], ""));
        let name = names.find(|name| !is_taken(name)).unwrap_or_default();
        if token::is_keyword(&name) {
            format!("_{name}")
        } else {
            name
        }
    }

    /// The import declaration: packages of Go's library first.
    pub(super) fn declaration(&self) -> String {
        let is_far = |path: &str| path.split('/').next().is_some_and(|first| first.contains('.'));
        let lines = |far: bool| {
            let of_group = self.by_path.iter().filter(move |(path, _)| is_far(path) == far);
            of_group
                .map(|(path, alias)| format!("\t{alias} \"{path}\"\n"))
                .collect::<String>()
        };
        let groups: Vec<String> = [lines(false), lines(true)]
            .into_iter()
            .filter(|group| !group.is_empty())
            .collect();
        if groups.is_empty() {
            return String::new();
        }
        format!("\nimport (\n{})\n", groups.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_ends_of_paths() {
        let mut imports = Imports::new("example.org/park/applyconfiguration/park/v1");
        for (path, expected) in [
            ("k8s.io/apimachinery/pkg/apis/meta/v1", "metav1.T"),
            (
                "k8s.io/client-go/applyconfigurations/meta/v1",
                "applyconfigurationsmetav1.T",
            ),
            ("example.org/park/v1", "parkv1.T"),
            ("time", "time.T"),
            ("example.org/a-b/c_d", "cd.T"),
            ("example.org/x/select", "_select.T"),
            ("example.org/park/applyconfiguration/park/v1", "T"),
        ] {
            assert_eq!(imports.qualified(path, "T"), expected, "{path}");
        }
        assert!(
            imports
                .declaration()
                .starts_with("\nimport (\n\ttime \"time\"\n\n\tcd ")
        );
    }
}
