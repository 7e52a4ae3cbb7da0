//! Cluster state that policies need.

use kindsmith_json::Value;
use kindsmith_merge::Topology;
use kindsmith_object::LabelSelector;
use kindsmith_request::{Mutated, Status};

use super::ParamKind;
use crate::{Gvk, Host};

/// The scope of a parameter kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParamScope {
    /// Namespaced.
    Namespaced,
    /// Cluster-scoped.
    Cluster,
}

/// A parameter object.
#[derive(Debug, Clone, Copy)]
pub struct Param<'a> {
    /// The object.
    pub object: Value<'a>,
    /// Whether its kind is built-in.
    pub is_built_in: bool,
}

/// The cluster, as seen by a request.
pub trait Cluster<'a>: Host<'a> {
    /// This as a `Host`.
    fn host(&mut self) -> &mut dyn Host<'a>;

    /// This as a shared `Host`.
    fn view(&self) -> &dyn Host<'a>;

    /// A namespace.
    ///
    /// # Errors
    ///
    /// If there is none.
    fn namespace(&self, name: &str) -> Result<Value<'a>, Status>;

    /// Checks that there is a namespace.
    ///
    /// # Errors
    ///
    /// If there is none.
    fn check_namespace(&self, name: &str) -> Result<(), Status>;

    /// The scope of a kind; `None` for an unknown kind.
    fn param_scope(&self, kind: &ParamKind) -> Option<ParamScope>;

    /// An object by name; the namespace is empty for cluster-scoped kinds.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    fn param(&self, kind: &ParamKind, namespace: &str, name: &str) -> Result<Option<Param<'a>>, Status>;

    /// Objects that match a selector, sorted by name; the namespace is empty for cluster-scoped kinds.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    fn params(
        &self,
        kind: &ParamKind,
        namespace: &str,
        selector: &LabelSelector,
    ) -> Result<Vec<Param<'a>>, Status>;

    /// Calls `use_it` with the merge topology of a kind; `None` if it is unknown.
    fn with_topology(&self, kind: &Gvk, use_it: &mut dyn FnMut(Option<&Topology>));

    /// Decodes an object after an apply configuration.
    ///
    /// # Errors
    ///
    /// If it does not fit its type.
    fn decode_merged(&self, merged: Value<'a>, kind: &Gvk) -> Result<Mutated<'a>, String>;

    /// Decodes an object after a JSON patch; unknown fields are errors.
    ///
    /// # Errors
    ///
    /// If it does not fit its type.
    fn decode_strictly(&self, patched: Value<'a>, kind: &Gvk) -> Result<Mutated<'a>, Status>;

    /// The reason why objects of a kind cannot be mutated, if there is one.
    fn immutable(&self, kind: &Gvk) -> Option<String>;
}
