//! The kinds that a document describes, and where it serves them.

use kindsmith_json::{Object, Value};

use super::Published;

const KINDS: &str = "x-kubernetes-group-version-kind";

/// A kind that a document describes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind<'a> {
    /// API group; empty for the core.
    pub group: &'a str,
    /// Version.
    pub version: &'a str,
    /// Kind.
    pub kind: &'a str,
    /// Name of its schema in the document.
    pub name: &'a str,
    /// Where it is served, if the document says so.
    pub served: Option<Served<'a>>,
}

/// Where a kind is served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Served<'a> {
    /// Resource, as in the path.
    pub plural: &'a str,
    /// Whether objects are in namespaces.
    pub namespaced: bool,
    /// Whether there is `/status`.
    pub status: bool,
    /// Whether there is `/scale`.
    pub scale: bool,
}

impl<'a> Published<'a> {
    /// The kinds the document describes, in its order.
    #[must_use]
    pub fn kinds(&self) -> Vec<Kind<'a>> {
        let resources = resources(self.paths);
        let mut kinds = Vec::new();
        for (name, schema) in self.schemas {
            let listed = schema.get(KINDS).and_then(Value::as_array).unwrap_or_default();
            for entry in listed {
                let (group, version, kind) = (entry.text("group"), entry.text("version"), entry.text("kind"));
                let served = resources
                    .iter()
                    .find(|(of, _)| *of == (group, version, kind))
                    .map(|(_, served)| served.clone());
                kinds.push(Kind {
                    group,
                    version,
                    kind,
                    name,
                    served,
                });
            }
        }
        kinds
    }
}

type GroupVersionKind<'a> = (&'a str, &'a str, &'a str);

/// The resources of paths that address one object: `…/namespaces/{namespace}/things/{name}`.
fn resources(paths: Object<'_>) -> Vec<(GroupVersionKind<'_>, Served<'_>)> {
    let mut resources = Vec::new();
    for (path, item) in paths {
        let Some(collection) = path.strip_suffix("/{name}") else {
            continue;
        };
        let Some((parent, plural)) = collection.rsplit_once('/') else {
            continue;
        };
        let operations = item.as_object().unwrap_or_default();
        let Some(of) = operations.values().find_map(|operation| operation.get(KINDS)) else {
            continue;
        };
        let of = (of.text("group"), of.text("version"), of.text("kind"));
        resources.push((
            of,
            Served {
                plural,
                namespaced: parent.ends_with("/namespaces/{namespace}"),
                status: paths.contains_key(&format!("{path}/status")),
                scale: paths.contains_key(&format!("{path}/scale")),
            },
        ));
    }
    resources
}
