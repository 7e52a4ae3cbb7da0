//! Custom resources, loaded on first use from the stored bytes of their CRD.

use std::fmt;
use std::sync::OnceLock;

use kindsmith_crd as custom;
use kindsmith_crd::definition::Gates;
use kindsmith_json::{Arena, Value};
use kindsmith_merge::{ResetFields, Topology};
use kindsmith_openapi::crd::{self, Column, Definition, SelectableField};
use kindsmith_request::{Admission, Body, Origin, Outcome, Status, Write, body};
use kindsmith_schema::JsonSchema;
use kindsmith_store::Bytes;

use super::{Resource, ScaleChange};

/// A custom resource. Until it is used it holds only the bytes of its CRD, which the store keeps anyway.
pub(crate) struct Custom {
    source: Bytes,
    storage_version: Box<str>,
    gates: Gates,
    loaded: OnceLock<Loaded>,
}

struct Loaded {
    definition: Definition,
    resource: custom::Resource,
    /// One for each version.
    topologies: Vec<OnceLock<Topology>>,
}

impl Custom {
    pub(crate) fn new(source: Bytes, storage_version: &str, gates: Gates) -> Self {
        Custom {
            source,
            gates,
            storage_version: storage_version.into(),
            loaded: OnceLock::new(),
        }
    }

    fn loaded(&self) -> &Loaded {
        self.loaded.get_or_init(|| {
            let definition = read_definition(&self.source).unwrap_or_default();
            let resource = custom::Resource::with_gates(&definition, self.gates);
            let versions = definition.spec.versions.iter();
            let topologies = versions.map(|_| OnceLock::new()).collect();
            Loaded {
                definition,
                resource,
                topologies,
            }
        })
    }

    fn version(&self, name: &str) -> Option<&crd::Version> {
        let mut versions = self.loaded().definition.spec.versions.iter();
        versions.find(|version| *version.name == *name)
    }
}

fn replicas_path(path: &str) -> Vec<&str> {
    path.trim_start_matches('.').split('.').collect()
}

/// Rejects a body of another kind, with the error of a scheme that has only one version of `Scale`.
fn check_scale<'a>(arena: &'a Arena, sent: Body<'a>) -> Result<(), Status> {
    let expected = ("Scale", "autoscaling", "v1");
    match body::parse_native(arena, sent, expected) {
        Ok(parsed) if (&*parsed.kind, &*parsed.group, &*parsed.version) != expected => {
            Err(Status::bad_request(
                "no kind is registered for the type v1.Scale in scheme \
                 \"k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go:781\"",
            ))
        }
        _ => Ok(()),
    }
}

/// Reads a stored CRD.
pub(crate) fn read_definition(source: &[u8]) -> Option<Definition> {
    let arena = Arena::new();
    let value = kindsmith_json::parse(&arena, source).ok()?;
    let read = crd::read(value, crd::Source::Unknown).ok()?;
    Some(read.definition)
}

impl fmt::Debug for Custom {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Custom").finish_non_exhaustive()
    }
}

impl Resource for Custom {
    fn read<'a>(&'a self, arena: &'a Arena, stored: Value<'a>, version: &str) -> Result<Value<'a>, Status> {
        let resource = &self.loaded().resource;
        resource
            .read(arena, stored, version)
            .map_err(|error| Status::internal(&error.to_string()))
    }

    fn write<'a>(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        origin: Origin<'a>,
        admission: &mut dyn Admission<'a>,
    ) -> Outcome<'a> {
        self.loaded().resource.write(arena, write, origin, admission)
    }

    fn is_custom(&self) -> bool {
        true
    }

    fn storage_version(&self) -> &str {
        &self.storage_version
    }

    fn source(&self) -> &[u8] {
        &self.source
    }

    fn columns(&self, version: &str) -> &[Column] {
        self.version(version)
            .map_or(&[], |version| &version.additional_printer_columns)
    }

    fn selectable_fields(&self, version: &str) -> &[SelectableField] {
        self.version(version)
            .map_or(&[], |version| &version.selectable_fields)
    }

    fn scale<'a>(&self, arena: &'a Arena, version: &str, object: Value<'a>) -> Result<Value<'a>, Status> {
        self.loaded().resource.scale(arena, version, object)
    }

    fn write_scale<'a>(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        change: ScaleChange<'a>,
        admission: &mut dyn Admission<'a>,
    ) -> Outcome<'a> {
        if let ScaleChange::Body(body) = change
            && let Err(status) = check_scale(arena, body)
        {
            return status.into();
        }
        match super::read_scale(arena, write, change) {
            Ok((scale, warnings)) => {
                let resource = &self.loaded().resource;
                let outcome = resource.write_scale(arena, write, &scale, admission);
                super::with_warnings(warnings, outcome)
            }
            Err(status) => status.into(),
        }
    }

    fn replicas_paths(&self) -> Vec<(&str, Option<Vec<&str>>)> {
        let versions = self.loaded().resource.versions.iter();
        versions
            .map(|version| {
                let scale = version.scale.as_ref();
                (
                    &*version.name,
                    scale.map(|scale| replicas_path(&scale.spec_replicas)),
                )
            })
            .collect()
    }

    fn convert<'a>(&self, arena: &'a Arena, object: Value<'a>, version: &str) -> Result<Value<'a>, Status> {
        // Without a conversion webhook only `apiVersion` changes.
        let group = &self.loaded().resource.group;
        let mut object = object;
        let api_version = arena.alloc_str(&format!("{group}/{version}"));
        object.set(arena, &["apiVersion"], Value::Str(api_version));
        Ok(object)
    }

    fn topology(&self, version: &str) -> Option<&Topology> {
        let loaded = self.loaded();
        let position = loaded
            .resource
            .versions
            .iter()
            .position(|known| *known.name == *version)?;
        let topology = loaded.topologies.get(position)?;
        Some(topology.get_or_init(|| {
            let schema = loaded.resource.versions[position].schema();
            Topology::of_published(schema, loaded.resource.preserve_unknown_fields)
        }))
    }

    /// As `GetResetFields` in apiextensions-apiserver's pkg/registry/customresource.
    fn reset_fields(&self, version: &str, subresource: &str) -> Option<ResetFields> {
        let version = self.loaded().resource.version(version)?;
        match subresource {
            "status" => Some(ResetFields::members(&["metadata", "spec"])),
            "" if version.has_status => Some(ResetFields::members(&["status"])),
            _ => None,
        }
    }

    fn deprecation_warning(&self, version: &str) -> Option<&str> {
        let version = self.loaded().resource.version(version)?;
        version.deprecation_warning.as_deref()
    }

    fn schema(&self, version: &str) -> Option<&JsonSchema> {
        self.loaded().resource.version(version)?.schema()
    }
}
