//! What policies need to know of the cluster: namespaces, parameters, how kinds merge, who may do what.

use kindsmith_admission::Gvk;
use kindsmith_admission::policy::{Cluster, Param, ParamKind, ParamScope};
use kindsmith_json::Value;
use kindsmith_merge::Topology;
use kindsmith_object::LabelSelector;
use kindsmith_object::meta::{Scope, group_version};
use kindsmith_request::{Mutated, Status, Undecoded};
use kindsmith_store::{Entry, List};

use super::Host;
use super::user_access::{check_namespace, namespace};
use crate::{Served, stored};

impl<'a> Cluster<'a> for Host<'_, 'a> {
    fn host(&mut self) -> &mut dyn kindsmith_admission::Host<'a> {
        self
    }

    fn view(&self) -> &dyn kindsmith_admission::Host<'a> {
        self
    }

    fn namespace(&self, name: &str) -> Result<Value<'a>, Status> {
        namespace(self.call, self.arena, name)
    }

    fn check_namespace(&self, name: &str) -> Result<(), Status> {
        check_namespace(self.call, name)
    }

    fn param_scope(&self, kind: &ParamKind) -> Option<ParamScope> {
        self.param_resource(kind, |served| match served.scope {
            Scope::Namespaced => ParamScope::Namespaced,
            Scope::Cluster => ParamScope::Cluster,
        })
    }

    fn param(&self, kind: &ParamKind, namespace: &str, name: &str) -> Result<Option<Param<'a>>, Status> {
        let found = self.param_resource(kind, |served| {
            let key = format!("{}{name}", prefix(served, namespace));
            let entry = self
                .call
                .store
                .get(key.as_bytes(), None)
                .map_err(stored::failure)?;
            entry.map(|entry| self.read_param(served, &entry)).transpose()
        });
        found.unwrap_or(Ok(None))
    }

    fn params(
        &self,
        kind: &ParamKind,
        namespace: &str,
        selector: &LabelSelector,
    ) -> Result<Vec<Param<'a>>, Status> {
        let found = self.param_resource(kind, |served| {
            let prefix = prefix(served, namespace);
            let page = self.call.store.list(&List::of(prefix.as_bytes()));
            let mut params = Vec::new();
            for entry in &page.map_err(stored::failure)?.entries {
                let param = self.read_param(served, entry)?;
                if selector.selects(param.object) {
                    params.push(param);
                }
            }
            Ok(params)
        });
        found.unwrap_or_else(|| Ok(Vec::new()))
    }

    fn with_topology(&self, kind: &Gvk, use_it: &mut dyn FnMut(Option<&Topology>)) {
        let served = self.call.served;
        let catalog = self.call.core.catalog();
        let found = catalog.find(&kind.group, &kind.version, &served.plural);
        let found = found.filter(|found| *found.kind == *kind.kind);
        use_it(found.and_then(|found| found.resource.topology(&kind.version)));
    }

    fn decode_merged(&self, merged: Value<'a>, kind: &Gvk) -> Result<Mutated<'a>, String> {
        self.decode_as(merged, kind).map_err(|undecoded| {
            let (problem, is_base64) = match undecoded {
                Undecoded::Decoder { why, is_base64 } => (why, is_base64),
                Undecoded::Status(status) => (status.message, false),
            };
            if self.call.served.resource.is_custom() {
                return problem;
            }
            let Gvk { group, version, kind } = kind;
            let place = if is_base64 {
                "error decoding from json: "
            } else {
                ""
            };
            format!(
                "unable to convert unstructured object to {group}/{version}, Kind={kind}: {place}{problem}"
            )
        })
    }

    fn decode_strictly(&self, patched: Value<'a>, kind: &Gvk) -> Result<Mutated<'a>, Status> {
        let served = self.call.served;
        let Some(built_in) = served.resource.built_in() else {
            return kindsmith_admission::Host::decode(self, patched, kind);
        };
        self.decode_as_named(patched, kind)?;
        let decoded = kindsmith_admission::Host::decode(self, patched, kind)?;
        let unknown = built_in.plan().unknown_fields(patched);
        if unknown.is_empty() || *built_in.names.kind != *kind.kind {
            return Ok(decoded);
        }
        let unknown: Vec<String> = unknown
            .iter()
            .map(|path| format!("unknown field \"{path}\""))
            .collect();
        Err(Status::internal(&format!(
            "strict decoding error: {}",
            unknown.join(", ")
        )))
    }

    fn immutable(&self, kind: &Gvk) -> Option<String> {
        let is_scale = (&*kind.group, &*kind.kind) == ("autoscaling", "Scale");
        (is_scale && self.call.served.resource.is_custom()).then(|| {
            format!(
                "request to convert CR to an invalid group/version: {}/{}",
                kind.group, kind.version
            )
        })
    }
}

impl<'a> Host<'_, 'a> {
    /// Calls a function with the resource of a kind; `None` if the kind is not served.
    fn param_resource<T>(&self, kind: &ParamKind, make: impl FnOnce(&Served) -> T) -> Option<T> {
        let catalog = self.call.core.catalog();
        let (group, version) = group_version(&kind.api_version)?;
        Some(make(catalog.of_kind(group, version, &kind.kind)?))
    }

    fn read_param(&self, served: &Served, entry: &Entry) -> Result<Param<'a>, Status> {
        let arena = kindsmith_json::Arena::new();
        let object = stored::read(&arena, served, entry)?;
        Ok(Param {
            object: object.copy_in(self.arena),
            is_built_in: !served.resource.is_custom(),
        })
    }

    /// A patch may turn an object into one of another kind, which must at least be readable as such.
    fn decode_as_named(&self, patched: Value<'_>, kind: &Gvk) -> Result<(), Status> {
        let text = |key| patched.get(key).and_then(Value::as_str).unwrap_or_default();
        let (group, version) = group_version(text("apiVersion")).unwrap_or_default();
        if text("kind").is_empty() || text("kind") == kind.kind {
            return Ok(());
        }
        let catalog = self.call.core.catalog();
        let found = catalog.of_kind(group, version, text("kind"));
        let Some(built_in) = found.and_then(|served| served.resource.built_in()) else {
            return Ok(());
        };
        let decoded = built_in.plan().decode(patched);
        decoded.map_err(|error| Status::internal(&error.to_string()))
    }
}

/// Where objects of a namespace are stored, or those of the cluster.
fn prefix(served: &Served, namespace: &str) -> String {
    match served.scope {
        Scope::Namespaced => format!("{}{namespace}/", served.key_prefix),
        Scope::Cluster => served.key_prefix.to_string(),
    }
}
