//! What policies need to know of the cluster.

use kindsmith_json::Value;
use kindsmith_merge::Topology;
use kindsmith_object::LabelSelector;
use kindsmith_request::{Mutated, Status};

use super::ParamKind;
use crate::{Gvk, Host};

/// Where the objects of a kind of parameters live.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParamScope {
    /// In namespaces.
    Namespaced,
    /// In the cluster.
    Cluster,
}

/// An object that holds parameters.
#[derive(Debug, Clone, Copy)]
pub struct Param<'a> {
    /// The object.
    pub object: Value<'a>,
    /// Whether its kind is a built-in one.
    pub is_native: bool,
}

/// A cluster, and the kind of the request.
pub trait Cluster<'a>: Host<'a> {
    /// The same as a plain host.
    fn host(&mut self) -> &mut dyn Host<'a>;

    /// The same as a plain host, to look at.
    fn view(&self) -> &dyn Host<'a>;

    /// A namespace.
    ///
    /// # Errors
    ///
    /// If there is none.
    fn namespace(&self, name: &str) -> Result<Value<'a>, Status>;

    /// Where objects of a kind live; none if there is no such kind.
    fn param_scope(&self, kind: &ParamKind) -> Option<ParamScope>;

    /// An object by its name; the namespace is empty for those of the cluster.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    fn param(&self, kind: &ParamKind, namespace: &str, name: &str) -> Result<Option<Param<'a>>, Status>;

    /// Objects by their labels, by name; the namespace is empty for those of the cluster.
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

    /// How objects of a kind merge, handed to `use_it`; none if that is not known.
    fn with_topology(&self, kind: &Gvk, use_it: &mut dyn FnMut(Option<&Topology>));

    /// Reads an object that an apply configuration changed.
    ///
    /// # Errors
    ///
    /// Why it does not fit its type.
    fn decode_merged(&self, merged: Value<'a>, kind: &Gvk) -> Result<Mutated<'a>, String>;

    /// Reads an object that a JSON patch changed, and refuses what its type does not know.
    ///
    /// # Errors
    ///
    /// If it does not fit its type.
    fn decode_strictly(&self, patched: Value<'a>, kind: &Gvk) -> Result<Mutated<'a>, Status>;

    /// Why objects of a kind cannot be mutated, if they cannot.
    fn immutable(&self, kind: &Gvk) -> Option<String>;
}
