//! One built-in kind in one version.

mod body_kind;
mod convert;
mod deleted;
mod round;
mod scale;

use std::sync::{Arc, OnceLock};

use kindsmith_engine::{CompileOptions, Plan};
use kindsmith_json::Arena;
use kindsmith_object::meta::Scope;
use kindsmith_object::{Behavior, Release, StorePrefix};
use kindsmith_request::{Body, Status};
use kindsmith_schema::{Schema, Shape, Str, TypeId, TypeName};

use crate::protobuf::{self, Codec};
use crate::table::Table;
use crate::{HandWritten, Names, ScalePaths, Settings, Strategy, Subresource, types};

pub(crate) use body_kind::PatchedType;

pub use scale::{decode_patched_scale, read_scale};

/// One built-in kind in one version.
#[derive(Debug)]
pub struct Kind {
    /// Its names.
    pub names: Names,
    /// Whether objects are namespaced.
    pub scope: Scope,
    /// The release whose rules hold.
    pub release: Release,
    /// The schema that contains its type.
    pub schema: Arc<Schema>,
    /// Its type.
    pub ty: TypeId,
    /// What the type's tags cannot express.
    pub strategy: &'static dyn Strategy,
    /// The storage version, if it is another one.
    pub storage: Option<Arc<Kind>>,
    /// Where a marker puts the numbers of the scale; `None` for those of built-in kinds.
    pub scale_paths: Option<ScalePaths>,
    hand_written: OnceLock<HandWritten>,
    /// How the server treats it.
    pub settings: Settings,
    plan: OnceLock<Plan>,
    /// Where objects have lists of amounts.
    amounts: OnceLock<Vec<types::Steps>>,
    codec: OnceLock<Codec>,
}

impl Kind {
    /// The columns and rows of `kubectl get`.
    #[must_use]
    pub fn table(&self) -> Table {
        match self.strategy.earlier_table() {
            Some((behavior, table)) if !self.release.has(behavior) => table,
            _ => self.strategy.table(&self.names),
        }
    }

    /// Makes a kind from a type.
    #[must_use]
    pub fn new(
        names: Names,
        scope: Scope,
        schema: Arc<Schema>,
        ty: TypeId,
        strategy: &'static dyn Strategy,
    ) -> Self {
        Kind {
            names,
            scope,
            release: Release::NEWEST,
            schema,
            ty,
            strategy,
            storage: None,
            scale_paths: None,
            hand_written: OnceLock::new(),
            settings: Settings::default(),
            plan: OnceLock::new(),
            amounts: OnceLock::new(),
            codec: OnceLock::new(),
        }
    }

    /// Gives the kind hand-written rules beside its tags; the first ones stay.
    pub fn set_hand_written(&self, rules: HandWritten) {
        let _ = self.hand_written.set(rules);
    }

    pub(crate) fn hand_written(&self) -> Option<&HandWritten> {
        self.hand_written.get()
    }

    /// The compiled type; compiled on first use.
    pub fn plan(&self) -> &Plan {
        self.plan.get_or_init(|| {
            let options = CompileOptions {
                profile: self.settings.profile,
                subresources: self.served_parts(),
                hides_embedded: !self.release.has(Behavior::EmbeddedStructsNamed),
                ..CompileOptions::default()
            };
            Plan::compile_with(&self.schema, self.ty, &options)
        })
    }

    /// The subresources of the kind; `/status` of an own kind only if its type has one in the release.
    pub fn subresources(&self) -> impl Iterator<Item = &'static Subresource> {
        let has_status = match &self.schema.ty(self.ty).shape {
            Shape::Struct(members) if self.is_own() => members
                .fields
                .iter()
                .any(|field| field.json_name() == Some("status")),
            _ => true,
        };
        let parts = self.strategy.subresources().iter();
        parts.filter(move |part| part.name != "status" || has_status)
    }

    /// Paths of the subresources of a kind of another package: markers name them, where own kinds have tags.
    fn served_parts(&self) -> Vec<Str> {
        if self.is_own() {
            return Vec::new();
        }
        let parts = self.strategy.subresources().iter();
        parts.map(|part| format!("/{}", part.name).into()).collect()
    }

    /// Whether it is one of the server's own kinds.
    #[must_use]
    pub fn is_own(&self) -> bool {
        Arc::ptr_eq(&self.schema, types::schema_of(self.release))
    }

    /// The protobuf codec of its schema; built on first use.
    pub fn codec(&self) -> &Codec {
        if self.is_own() {
            types::codec_of(self.release)
        } else {
            self.codec.get_or_init(|| Codec::new(&self.schema))
        }
    }

    /// The type of lists of the kind, if its package declares one.
    #[must_use]
    pub fn list_type(&self) -> Option<TypeId> {
        let package = &self.schema.ty(self.ty).name.package;
        let name = TypeName::new(package.clone(), self.names.list_kind.clone());
        self.schema.find(&name)
    }

    /// Converts a protobuf body to the equivalent JSON body.
    ///
    /// # Errors
    ///
    /// The response for a body that cannot be decoded.
    pub fn json_body<'a>(&self, arena: &'a Arena, body: &'a [u8]) -> Result<Body<'a>, Status> {
        let expected = (&*self.names.kind, &*self.names.group, &*self.names.version);
        protobuf::json_body(self.codec(), arena, self.ty, expected, body)
    }

    /// Where objects are stored.
    #[must_use]
    pub fn key_prefix(&self) -> StorePrefix {
        let (group, resource) = self.group_resource();
        StorePrefix::own(group, resource)
    }

    /// Group and resource, as in errors of the store.
    pub(crate) fn group_resource(&self) -> (&str, &str) {
        (&self.names.group, &self.names.plural)
    }
}
