//! Built-in kinds.

use std::fmt;
use std::sync::{Arc, OnceLock};

use kindsmith_builtin::{GarbageCollection, Kind, find_own, own_kinds};
use kindsmith_json::{Arena, Value};
use kindsmith_merge::patch::{PatchError, StrategicPatch};
use kindsmith_merge::{ResetFields, Topology};
use kindsmith_object::meta::{self, KeyOrder, Malformed, UnknownFields};
use kindsmith_object::store_key;
use kindsmith_request::{Admission, Body, DecodedObject, Origin, Outcome, Status, Write};

use super::{Generation, Resource, ScaleChange};
use crate::Unreadable;

/// A built-in kind.
pub(crate) struct BuiltIn {
    pub(crate) kind: Arc<Kind>,
    topology: OnceLock<Topology>,
    /// The same of the kind's other versions, if it is one of the server's own.
    others: OnceLock<Vec<(&'static str, Topology)>>,
    generation: Generation,
}

impl BuiltIn {
    pub(crate) fn new(kind: Arc<Kind>) -> Self {
        BuiltIn {
            kind,
            topology: OnceLock::new(),
            others: OnceLock::new(),
            generation: Generation::new(),
        }
    }

    /// The topology of the same kind in another version of the server's own.
    fn other(&self, version: &str) -> Option<&Topology> {
        let names = &self.kind.names;
        let others = self.others.get_or_init(|| {
            let same = own_kinds(self.kind.release).iter().filter(|other| {
                let other = &other.names;
                other.group == names.group && other.kind == names.kind && other.version != names.version
            });
            same.map(|other| {
                let version: &'static str = &other.names.version;
                (version, Topology::of_type(&other.schema, other.ty))
            })
            .collect()
        });
        let found = others.iter().find(|(known, _)| *known == version);
        found.map(|(_, topology)| topology)
    }
}

impl fmt::Debug for BuiltIn {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("BuiltIn").field(&self.kind.names.kind).finish()
    }
}

impl Resource for BuiltIn {
    fn read<'a>(&'a self, arena: &'a Arena, stored: Value<'a>, _: &str) -> Result<Value<'a>, Unreadable> {
        Ok(self.kind.read(arena, stored)?)
    }

    fn read_stored<'a>(&'a self, arena: &'a Arena, stored: Value<'a>) -> Result<Value<'a>, Unreadable> {
        let kind = self.kind.storage.as_ref().unwrap_or(&self.kind);
        Ok(kind.read(arena, stored)?)
    }

    fn generation(&self, _: &str) -> Option<Generation> {
        Some(self.generation)
    }

    fn append_protobuf(&self, out: &mut Vec<u8>, _: &str, object: Value<'_>) -> bool {
        self.kind
            .codec()
            .append_message(out, self.kind.ty, object)
            .is_ok()
    }

    fn write<'a>(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        origin: Origin<'a>,
        admission: &mut dyn Admission<'a>,
    ) -> Outcome<'a> {
        self.kind.write(arena, write, origin, admission)
    }

    fn json_body<'a>(&self, arena: &'a Arena, bytes: &'a [u8]) -> Result<Body<'a>, Status> {
        self.kind.json_body(arena, bytes)
    }

    fn built_in(&self) -> Option<&Kind> {
        Some(&self.kind)
    }

    fn deprecation_warning(&self, _: &str) -> Option<&str> {
        self.kind.strategy.deprecation()
    }

    fn storage_version(&self) -> &str {
        let stored = self.kind.storage.as_ref().unwrap_or(&self.kind);
        &stored.names.version
    }

    fn topology(&self, version: &str) -> Option<&Topology> {
        let kind = &self.kind;
        if *kind.names.version != *version {
            return self.other(version);
        }
        let topology = self
            .topology
            .get_or_init(|| Topology::of_type(&kind.schema, kind.ty));
        Some(topology)
    }

    fn convert<'a>(&self, arena: &'a Arena, object: Value<'a>, version: &str) -> Result<Value<'a>, Status> {
        let names = &self.kind.names;
        Ok(
            match find_own(self.kind.release, &names.group, version, &names.kind) {
                Some(kind) => kind.convert(arena, object),
                None => object,
            },
        )
    }

    fn reset_fields(&self, version: &str, subresource: &str) -> Option<ResetFields> {
        let _ = version;
        let paths = self.kind.strategy.reset_fields_in(self.kind.release, subresource);
        (!paths.is_empty()).then(|| {
            let path = |path: &&[&str]| path.iter().map(|&name| name.to_owned()).collect();
            ResetFields::Except(paths.iter().map(path).collect())
        })
    }

    fn patch_strategically<'a>(
        &self,
        arena: &'a Arena,
        patch: &StrategicPatch<'a>,
        target: Value<'a>,
    ) -> Result<Value<'a>, PatchError> {
        patch.apply(arena, target, &self.kind.schema, self.kind.ty)
    }

    fn scale<'a>(&self, arena: &'a Arena, version: &str, object: Value<'a>) -> Result<Value<'a>, Status> {
        let _ = version;
        self.kind.scale(arena, object)
    }

    fn write_scale<'a>(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        change: ScaleChange<'a>,
        admission: &mut dyn Admission<'a>,
    ) -> Outcome<'a> {
        match super::read_scale(arena, write, change) {
            Ok((scale, warnings)) => {
                let outcome = self.kind.write_scale(arena, write, &scale, admission);
                super::with_warnings(warnings, outcome)
            }
            Err(status) => status.into(),
        }
    }

    fn replicas_paths(&self) -> Vec<(&str, Option<Vec<&str>>)> {
        vec![(&*self.kind.names.version, self.kind.replicas_path())]
    }

    fn creates_on_update(&self) -> bool {
        self.kind.strategy.creates_on_update()
    }

    fn creates_on_status_apply(&self) -> bool {
        self.kind.strategy.creates_on_status_apply()
    }

    fn returns_deleted_object(&self) -> bool {
        self.kind.returns_deleted_object()
    }

    fn is_stored(&self) -> bool {
        self.kind.strategy.is_stored()
    }

    fn garbage_collection(&self) -> GarbageCollection {
        self.kind.strategy.garbage_collection()
    }

    fn grace_period_seconds(&self, object: Value<'_>, requested: Option<i64>) -> Option<i64> {
        self.kind.strategy.grace_period_seconds(object, requested)
    }

    /// Namespaces are deleted in two steps (`REST.Delete` in pkg/registry/core/namespace/storage/storage.go): the first
    /// request marks them; they are removed once `spec.finalizers` is empty.
    fn begin_deletion<'a>(
        &self,
        arena: &'a Arena,
        object: Value<'a>,
        now: &'a str,
        finalizers: &[&'a str],
    ) -> Option<Value<'a>> {
        if !self.kind.strategy.is_deleted_in_steps() {
            return None;
        }
        let metadata = object.get("metadata").unwrap_or_default();
        let decoded = meta::decode(arena, metadata, Malformed::Drop, UnknownFields::Ignore).ok()?;
        let mut going = DecodedObject {
            object: object.as_object()?,
            meta: decoded.meta,
            extra: (),
        };
        let strategy = self.kind.strategy;
        if going.meta.deletion_timestamp.is_some() {
            return strategy.holds(&going).then_some(object);
        }
        strategy.begin_deletion(arena, &mut going);
        going.meta.deletion_timestamp = Some(now);
        going.meta.finalizers = arena.alloc_slice_fill_iter(finalizers.iter().copied().map(Value::Str));
        going.write_back(arena, KeyOrder::Go);
        Some(going.value())
    }

    fn precondition_refusal(&self) -> Option<&'static str> {
        self.kind
            .strategy
            .is_deleted_in_steps()
            .then_some("Precondition failed")
    }

    fn as_encoded<'a>(&'a self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        self.kind.as_encoded(arena, object)
    }

    /// The storages of namespaces and of roles are not the generic one, which can.
    fn has_unsafe_deleter(&self) -> bool {
        !self.kind.strategy.is_deleted_in_steps() && *self.kind.names.group != *"rbac.authorization.k8s.io"
    }

    fn is_cached(&self) -> bool {
        self.kind.key_prefix() != store_key::EVENTS
    }

    fn deletion_warning(&self) -> Option<&'static str> {
        self.kind.strategy.deletion_warning()
    }
}
