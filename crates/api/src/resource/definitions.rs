//! CRDs, which are a resource themselves.

use std::sync::OnceLock;

use kindsmith_builtin::protobuf;
use kindsmith_builtin::types::{own_codec, own_schema};
use kindsmith_crd::CrdResource;
use kindsmith_crd::definition::{Deletion, FINALIZER, terminate};
use kindsmith_json::{Arena, Value};
use kindsmith_merge::patch::{PatchError, StrategicPatch};
use kindsmith_merge::{ResetFields, Topology};
use kindsmith_object::meta::{self, Malformed, UnknownFields};
use kindsmith_object::{Behavior, Release};
use kindsmith_openapi::crd::{self, Definition};
use kindsmith_request::{Admission, Body, Origin, Outcome, Status, Write};
use kindsmith_schema::{Json, TypeId, TypeName};

use super::{Generation, Resource};
use crate::Unreadable;
use crate::request::body::unsupported;

/// The Go type of CRDs.
fn own_type() -> Option<TypeId> {
    let package = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1";
    own_schema().find(&TypeName::new(package, "CustomResourceDefinition"))
}

/// The CRD resource.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Definitions {
    crds: CrdResource,
    generation: Generation,
}

impl Definitions {
    pub(crate) fn new(crds: CrdResource) -> Self {
        Definitions {
            crds,
            generation: Generation::new(),
        }
    }
}

/// The members that the type of a CRD never omits.
const NEVER_OMITTED: &str = r#"{
    "spec": {"group": "", "names": {"plural": "", "kind": ""}, "scope": "", "versions": null},
    "status": {"conditions": null, "acceptedNames": {"plural": "", "kind": ""}, "storedVersions": null}
}"#;

impl Resource for Definitions {
    fn release(&self) -> Release {
        self.crds.gates.release
    }

    fn read<'a>(
        &'a self,
        arena: &'a Arena,
        stored: Value<'a>,
        version: &str,
    ) -> Result<Value<'a>, Unreadable> {
        let _ = (arena, version);
        Ok(stored)
    }

    fn write<'a>(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        origin: Origin<'a>,
        admission: &mut dyn Admission<'a>,
    ) -> Outcome<'a> {
        self.crds.write(arena, write, origin, admission)
    }

    fn generation(&self, _: &str) -> Option<Generation> {
        Some(self.generation)
    }

    fn json_body<'a>(&self, arena: &'a Arena, bytes: &'a [u8]) -> Result<Body<'a>, Status> {
        let ty = own_type().ok_or_else(|| unsupported("application/json, application/yaml"))?;
        let expected = ("CustomResourceDefinition", "apiextensions.k8s.io", "v1");
        protobuf::json_body(own_codec(), arena, ty, expected, bytes)
    }

    fn append_protobuf(&self, out: &mut Vec<u8>, _: &str, object: Value<'_>) -> bool {
        own_type().is_some_and(|ty| own_codec().append_message(out, ty, object).is_ok())
    }

    fn patch_strategically<'a>(
        &self,
        arena: &'a Arena,
        patch: &StrategicPatch<'a>,
        target: Value<'a>,
    ) -> Result<Value<'a>, PatchError> {
        let ty =
            own_type().ok_or_else(|| PatchError::Failed("no type CustomResourceDefinition".to_owned()))?;
        patch.apply(arena, target, own_schema(), ty)
    }

    fn storage_version(&self) -> &str {
        "v1"
    }

    fn topology(&self, version: &str) -> Option<&Topology> {
        static TOPOLOGY: OnceLock<Topology> = OnceLock::new();
        (version == "v1").then(|| {
            TOPOLOGY.get_or_init(|| match own_type() {
                Some(ty) => Topology::of_type(own_schema(), ty),
                None => Topology::deduced(),
            })
        })
    }

    fn reset_fields(&self, version: &str, subresource: &str) -> Option<ResetFields> {
        let _ = version;
        match subresource {
            "status" if !self.release().has(Behavior::DefinitionStatusMetadata) => {
                Some(ResetFields::members(&["metadata", "spec"]))
            }
            // Metadata sent with the status is written, so it is owned too.
            "status" => Some(ResetFields::members(&["spec"])),
            _ => Some(ResetFields::members(&["status"])),
        }
    }

    fn as_encoded<'a>(&'a self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let never_omitted = kindsmith_json::parse_str(arena, NEVER_OMITTED).unwrap_or_default();
        let mut object = object;
        for (key, value) in never_omitted.as_object().unwrap_or_default() {
            object.set(arena, &[key], value);
        }
        object
    }

    fn precondition_refusal(&self) -> Option<&'static str> {
        Some("precondition failed")
    }

    /// A CRD is deleted after its objects (`REST.Delete` in apiextensions-apiserver's
    /// pkg/registry/customresourcedefinition/etcd.go).
    fn begin_deletion<'a>(
        &self,
        arena: &'a Arena,
        object: Value<'a>,
        now: &'a str,
        _: &[&'a str],
    ) -> Option<Value<'a>> {
        if object.lookup(&["metadata", "deletionTimestamp"]).is_some() {
            return None;
        }
        let definition = crd::read(object, crd::Source::Unknown).ok()?.definition;
        let metadata = object.get("metadata").unwrap_or_default();
        let metadata = meta::decode(arena, metadata, Malformed::Drop, UnknownFields::Ignore);
        let mut meta = metadata.ok()?.meta;
        meta.deletion_timestamp = Some(now);
        if !meta.finalizers.contains(&Value::Str(FINALIZER)) {
            let finalizers = [meta.finalizers, &[Value::Str(FINALIZER)]].concat();
            meta.finalizers = arena.alloc_slice_copy(&finalizers);
        }
        let going = Definition {
            metadata: Json::from(Value::Object(meta.encode_built_in(arena))),
            status: terminate(&definition, &Deletion::Pending, now),
            spec: definition.spec,
        };
        Some(going.copy_in(arena))
    }
}
