//! Manifests: the kinds around them, and what a place in one is.

pub(crate) mod complete;
mod constants;
pub(crate) mod hover;
mod place;

use std::sync::Arc;

use kindsmith::Kinds;
use kindsmith_generate::controller_gen::{self, Options, Tags};
use kindsmith_go::package::Files;
use kindsmith_schema::JsonSchema;

use place::Step;

/// How deep directories are searched for CRDs.
const MAX_DEPTH: usize = 8;
/// How many manifests are looked at; a workspace with more is a cluster's dump.
const MAX_FILES: usize = 5_000;
/// Directories that hold no manifests of the project.
const SKIPPED: [&str; 3] = ["node_modules", "target", "vendor"];

/// The kinds that manifests of the workspace can have: those of its CRDs, and built-in ones.
#[derive(Debug, Default)]
pub(crate) struct Crds {
    pub(crate) kinds: Kinds,
}

impl Crds {
    /// Finds the CRDs below some directories, and in open documents outside of them.
    pub(crate) fn find<'p>(roots: &[String], open: impl Iterator<Item = &'p str>, files: &dyn Files) -> Self {
        let mut paths = Vec::new();
        for root in roots {
            search(root, files, 0, &mut paths);
        }
        paths.extend(open.filter(|path| is_manifest(path)).map(str::to_owned));
        paths.sort();
        paths.dedup();
        let mut crds = kindsmith::crds::Crds::default();
        for path in paths {
            let Ok(bytes) = files.read(&path) else {
                continue;
            };
            let text = String::from_utf8_lossy(&bytes);
            if text.contains("CustomResourceDefinition") {
                crds.add(&path, &text);
            }
        }
        Self {
            kinds: Kinds::new(crds, None),
        }
    }

    /// The schema of a kind.
    fn schema(&self, api_version: &str, kind: &str) -> Option<Arc<JsonSchema>> {
        if let Some(found) = self.kinds.crds().of_object(api_version, kind) {
            return found.schema().ok();
        }
        let known = kindsmith_builtin::own_kinds(self.kinds.release()).iter();
        let found = known.clone().find(|known| {
            let names = &known.names;
            &*names.kind == kind && version_text(&names.group, &names.version) == api_version
        })?;
        let options = Options {
            tags: Tags::All,
            allow_dangerous_types: true,
            embedded_object_meta: true,
            go_json: true,
            ..Options::default()
        };
        Some(Arc::new(
            controller_gen::schema_of(&found.schema, found.ty, &options).0,
        ))
    }

    /// All kinds, as `apiVersion` and `kind`.
    fn all(&self) -> Vec<(String, String)> {
        let mut all = Vec::new();
        for definition in self.kinds.crds().definitions() {
            for version in definition.spec.versions.iter().filter(|version| version.served) {
                all.push((
                    version_text(&definition.spec.group, &version.name),
                    definition.spec.names.kind.to_string(),
                ));
            }
        }
        for known in kindsmith_builtin::own_kinds(self.kinds.release()) {
            let names = &known.names;
            all.push((version_text(&names.group, &names.version), names.kind.to_string()));
        }
        all.sort();
        all.dedup();
        all
    }
}

fn version_text(group: &str, version: &str) -> String {
    match group {
        "" => version.to_owned(),
        group => format!("{group}/{version}"),
    }
}

fn is_manifest(path: &str) -> bool {
    [".yaml", ".yml"].iter().any(|end| path.ends_with(end))
}

fn search(directory: &str, files: &dyn Files, depth: usize, found: &mut Vec<String>) {
    let Ok(mut entries) = files.list(directory) else {
        return;
    };
    entries.sort();
    for entry in entries {
        let path = format!("{}/{}", directory.trim_end_matches('/'), entry.name);
        let is_skipped = entry.name.starts_with('.') || SKIPPED.contains(&&*entry.name);
        if entry.directory && !is_skipped && depth < MAX_DEPTH {
            search(&path, files, depth + 1, found);
        } else if !entry.directory && is_manifest(&entry.name) && found.len() < MAX_FILES {
            found.push(path);
        }
    }
}

/// The node of a schema that a path leads to.
fn node<'s>(root: &'s JsonSchema, path: &[Step]) -> Option<&'s JsonSchema> {
    let mut at = root;
    for step in path {
        at = match step {
            Step::Key(name) => at.property(name).or_else(|| at.additional())?,
            Step::Item => at.item()?,
        };
    }
    Some(at)
}
