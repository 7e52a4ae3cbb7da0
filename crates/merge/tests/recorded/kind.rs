//! A custom resource of a recording, as the manager sees it.

use kindsmith_json::{Arena, Value};
use kindsmith_merge::{ConvertError, ResetFields, Topology, Versions};
use kindsmith_structural::StructuralSchema;

pub(crate) struct Version {
    pub(crate) api_version: String,
    topology: Topology,
    structure: Option<StructuralSchema>,
    has_status: bool,
}

/// A CRD after a write.
pub(crate) struct Kind {
    pub(crate) group: String,
    pub(crate) plural: String,
    pub(crate) kind: String,
    pub(crate) versions: Vec<Version>,
}

/// The kind behind one of its endpoints.
pub(crate) struct Endpoint<'k> {
    pub(crate) kind: &'k Kind,
    pub(crate) resets: Vec<(String, ResetFields)>,
}

impl Kind {
    /// Reads a stored CRD.
    pub(crate) fn read(definition: Value<'_>) -> Kind {
        let text = |path: &[&str]| {
            let found = definition.lookup(path).and_then(Value::as_str);
            found.expect("definitions have names").to_owned()
        };
        let group = text(&["spec", "group"]);
        let versions = definition.lookup(&["spec", "versions"]).and_then(Value::as_array);
        let versions = versions
            .expect("definitions have versions")
            .iter()
            .map(|version| {
                let schema = version.lookup(&["schema", "openAPIV3Schema"]);
                let schema =
                    schema.map(|schema| kindsmith_openapi::schema::read(schema).expect("schemas read").0);
                Version {
                    api_version: format!(
                        "{group}/{}",
                        version.get("name").and_then(Value::as_str).unwrap_or_default()
                    ),
                    topology: Topology::of_published(schema.as_ref(), false),
                    structure: schema.map(|schema| {
                        StructuralSchema::compile(&schema).expect("stored schemas are structural")
                    }),
                    has_status: version.lookup(&["subresources", "status"]).is_some(),
                }
            });
        Kind {
            versions: versions.collect(),
            plural: text(&["spec", "names", "plural"]),
            kind: text(&["spec", "names", "kind"]),
            group,
        }
    }

    /// The server's own kinds, each in one version.
    pub(crate) fn own() -> Vec<Kind> {
        let schema = kindsmith_builtin::types::own_schema();
        let kinds = schema.kinds().iter().map(|kind| {
            let api_version = if kind.group.is_empty() {
                kind.version.to_string()
            } else {
                format!("{}/{}", kind.group, kind.version)
            };
            let version = Version {
                api_version,
                topology: Topology::of_type(schema, kind.ty),
                structure: None,
                has_status: schema
                    .ty(kind.ty)
                    .fields()
                    .iter()
                    .any(|field| &*field.name == "Status"),
            };
            let plural = kind.names.plural.as_ref().map(|plural| plural.to_string());
            Kind {
                group: kind.group.to_string(),
                plural: plural.unwrap_or_else(|| format!("{}s", kind.kind.to_lowercase())),
                kind: kind.kind.to_string(),
                versions: vec![version],
            }
        });
        kinds.collect()
    }

    /// Whether defaults come from the CRD.
    pub(crate) fn is_custom(&self) -> bool {
        self.versions.iter().any(|version| version.structure.is_some())
    }

    pub(crate) fn endpoint(&self, subresource: &str) -> Endpoint<'_> {
        let with_status = self.versions.iter().filter(|version| version.has_status);
        let names: &[&str] = if subresource == "status" {
            &["metadata", "spec"]
        } else {
            &["status"]
        };
        let resets = with_status.map(|version| (version.api_version.clone(), ResetFields::members(names)));
        Endpoint {
            kind: self,
            resets: resets.collect(),
        }
    }

    fn version(&self, api_version: &str) -> Option<&Version> {
        self.versions
            .iter()
            .find(|version| version.api_version == api_version)
    }

    /// Resets what the endpoint does not change: `/status` changes only the status, the main endpoint everything else.
    pub(crate) fn reset<'a>(
        &self,
        arena: &'a Arena,
        live: Value<'a>,
        applied: Value<'a>,
        subresource: &str,
    ) -> Value<'a> {
        if !self.versions.iter().any(|version| version.has_status) {
            return applied;
        }
        let (mut kept, status, managed) = match subresource {
            "status" => (
                live,
                applied.get("status"),
                applied.lookup(&["metadata", "managedFields"]),
            ),
            _ => (
                applied,
                live.get("status"),
                applied.lookup(&["metadata", "managedFields"]),
            ),
        };
        for (path, value) in [
            (&["status"][..], status),
            (&["metadata", "managedFields"][..], managed),
        ] {
            match value {
                Some(value) => kept.set(arena, path, value),
                None => _ = kept.unset(arena, path),
            }
        }
        kept
    }

    /// Sets defaults, as after an apply.
    pub(crate) fn default<'a>(&'a self, arena: &'a Arena, object: Value<'a>, api_version: &str) -> Value<'a> {
        match self
            .version(api_version)
            .and_then(|version| version.structure.as_ref())
        {
            Some(structure) => structure.default(arena, structure.prune(arena, object, true)),
            None => object,
        }
    }
}

impl Versions for Endpoint<'_> {
    fn topology(&self, api_version: &str) -> Option<&Topology> {
        self.kind.version(api_version).map(|version| &version.topology)
    }

    fn convert<'a>(&self, arena: &'a Arena, object: Value<'a>, to: &str) -> Result<Value<'a>, ConvertError> {
        if self.topology(to).is_none() {
            return Err(ConvertError::Failed(format!(
                "request to convert CR to an invalid group/version: {to}"
            )));
        }
        let mut converted = object;
        converted.set(arena, &["apiVersion"], Value::Str(arena.alloc_str(to)));
        Ok(converted)
    }

    fn reset_fields(&self, api_version: &str) -> Option<&ResetFields> {
        self.resets
            .iter()
            .find(|(version, _)| version == api_version)
            .map(|(_, reset)| reset)
    }
}
