//! Custom resources, loaded on first use from the stored bytes of their CRD.

use std::fmt;
use std::sync::{Arc, OnceLock};

use kindsmith_crd as custom;
use kindsmith_crd::InCode;
use kindsmith_crd::definition::Gates;
use kindsmith_json::{Arena, Value};
use kindsmith_merge::{ResetFields, Topology};
use kindsmith_object::meta::group_version;
use kindsmith_object::{Behavior, Release};
use kindsmith_openapi::crd::{self, Column, Definition, SelectableField};
use kindsmith_request::{Admission, Body, Origin, Outcome, Status, Write, body};
use kindsmith_schema::JsonSchema;
use kindsmith_store::Bytes;

use super::kept::Kept;
use super::{Generation, Resource, ScaleChange};
use crate::Unreadable;
use crate::conversion_webhook::Conversions;

/// A custom resource. Until it is used it holds only the bytes of its CRD, which the store keeps anyway.
pub(crate) struct Custom {
    source: Bytes,
    storage_version: Box<str>,
    serving: Serving,
    has_webhook: bool,
    loaded: OnceLock<Loaded>,
    kept: Kept,
    generation: Generation,
}

/// What custom resources need of the server that serves them.
#[derive(Debug, Clone)]
pub(crate) struct Serving {
    /// The release whose rules hold.
    pub(crate) release: Release,
    /// Which features the server has.
    pub(crate) gates: Gates,
    /// How conversion webhooks are called.
    pub(crate) conversions: Conversions,
    /// What the program decides in code, by group and kind.
    pub(crate) in_code: Arc<[(String, String, InCode)]>,
}

struct Loaded {
    definition: Definition,
    resource: custom::Resource,
    /// One for each version.
    topologies: Vec<OnceLock<Topology>>,
}

impl Custom {
    pub(crate) fn new(source: Bytes, storage_version: &str, has_webhook: bool, serving: &Serving) -> Self {
        Custom {
            source,
            serving: serving.clone(),
            has_webhook,
            storage_version: storage_version.into(),
            loaded: OnceLock::new(),
            kept: Kept::default(),
            generation: Generation::new(),
        }
    }

    fn loaded(&self) -> &Loaded {
        self.loaded.get_or_init(|| {
            let definition = read_definition(&self.source).unwrap_or_default();
            let converter = self.serving.conversions.converter(&definition);
            let resource = custom::Resource::with_gates(&definition, self.serving.gates);
            let mut resource = resource.with_converter(converter);
            let mut in_code = self.serving.in_code.iter();
            let code =
                in_code.find(|(group, kind, _)| *resource.group == **group && *resource.kind == **kind);
            if let Some((.., code)) = code {
                resource = resource.with_code(code);
            }
            let versions = definition.spec.versions.iter();
            let topologies = versions.map(|_| OnceLock::new()).collect();
            Loaded {
                definition,
                resource,
                topologies,
            }
        })
    }

    /// The cache of objects converted to a version; `None` if this version needs no conversion.
    fn place(&self, version: &str, stored: Value<'_>, revision: u64) -> Option<(usize, u64)> {
        if !self.has_webhook {
            return None;
        }
        let resource = &self.loaded().resource;
        let api_version = stored.get("apiVersion").and_then(Value::as_str);
        let is_converted = api_version.and_then(group_version) != Some((&*resource.group, version));
        let mut versions = resource.versions.iter();
        let position = versions.position(|known| *known.name == *version)?;
        is_converted.then_some((position, revision))
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
    match body::parse_built_in(arena, sent, expected) {
        Ok(parsed) if (&*parsed.kind, &*parsed.group, &*parsed.version) != expected => {
            Err(Status::bad_request(
                "no kind is registered for the type v1.Scale in scheme \
                 \"k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go:781\"",
            ))
        }
        _ => Ok(()),
    }
}

fn unreadable(error: custom::ReadError) -> Unreadable {
    match error {
        custom::ReadError::Undecodable(why) => Unreadable::Corrupt(why),
        error @ custom::ReadError::NotServed => Status::internal(&error.to_string()).into(),
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
    fn read<'a>(
        &'a self,
        arena: &'a Arena,
        stored: Value<'a>,
        version: &str,
    ) -> Result<Value<'a>, Unreadable> {
        let read = self.loaded().resource.read(arena, stored, version);
        read.map_err(unreadable)
    }

    fn read_all<'a>(
        &'a self,
        arena: &'a Arena,
        stored: &[Value<'a>],
        version: &str,
    ) -> Option<Vec<Result<Value<'a>, Unreadable>>> {
        let read = self.loaded().resource.read_all(arena, stored, version)?;
        Some(read.into_iter().map(|read| read.map_err(unreadable)).collect())
    }

    fn is_kept(&self, version: &str, revision: u64, stored: Value<'_>) -> bool {
        let place = self.place(version, stored, revision);
        place.is_some_and(|place| self.kept.get(place).is_some())
    }

    fn read_kept<'a>(
        &'a self,
        arena: &'a Arena,
        stored: Value<'a>,
        version: &str,
        revision: u64,
    ) -> Result<Value<'a>, Unreadable> {
        let Some(place) = self.place(version, stored, revision) else {
            return self.read(arena, stored, version);
        };
        if let Some(bytes) = self.kept.get(place)
            && let Ok(object) = kindsmith_json::parse(arena, arena.alloc_slice_copy(&bytes))
        {
            return Ok(object);
        }
        let object = self.read(arena, stored, version)?;
        self.kept.put(place, kindsmith_json::to_string(object).as_bytes());
        Ok(object)
    }

    fn keep(&self, version: &str, revision: u64, object: Value<'_>) {
        // Whatever is in another version than the storage's was converted.
        if version != &*self.storage_version
            && let Some(place) = self.place(version, Value::Null, revision)
        {
            self.kept.put(place, kindsmith_json::to_string(object).as_bytes());
        }
    }

    fn generation(&self, version: &str) -> Option<Generation> {
        (*version == *self.storage_version).then_some(self.generation)
    }

    fn may_wait(&self) -> bool {
        self.has_webhook
    }

    fn to_storage<'a>(&'a self, arena: &'a Arena, object: Value<'a>) -> Result<Value<'a>, Status> {
        let converted = self.loaded().resource.stored_form(arena, object);
        converted.map_err(|error| Status::unforeseen(error.to_string()))
    }

    fn is_servable(&self, version: &str) -> bool {
        let resource = &self.loaded().resource;
        let version = resource.version(version);
        version.is_none_or(|version| resource.is_servable(version))
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

    fn scale_to_patch<'a>(
        &self,
        arena: &'a Arena,
        version: &str,
        object: Value<'a>,
    ) -> Result<Value<'a>, Status> {
        self.loaded().resource.scale_to_patch(arena, version, object)
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
        let Value::Object(object) = object else {
            return Ok(object);
        };
        let converted = self.loaded().resource.convert_object(arena, object, version);
        converted
            .map(Value::Object)
            .map_err(|error| Status::unforeseen(error.to_string()))
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

    fn release(&self) -> Release {
        self.serving.release
    }

    /// As `GetResetFields` in apiextensions-apiserver's pkg/registry/customresource.
    fn reset_fields(&self, version: &str, subresource: &str) -> Option<ResetFields> {
        let version = self.loaded().resource.version(version)?;
        match subresource {
            "status" if self.release().has(Behavior::StatusWithoutMetadata) => {
                Some(ResetFields::members(&["metadata", "spec"]))
            }
            "status" => Some(ResetFields::members(&["spec"])),
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
