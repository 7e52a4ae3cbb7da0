//! A cluster with one object, for tests and examples of a single pass.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::json;

use crate::Json;
use crate::cluster::{Cluster, ClusterError, ObjectRef};

/// A cluster with one object, which goes when it is being deleted and has no finalizers. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct OneObject(Arc<Mutex<Option<Json>>>);

impl OneObject {
    /// A cluster with this object.
    #[must_use]
    pub fn new(object: Json) -> Self {
        OneObject(Arc::new(Mutex::new(Some(object))))
    }

    /// The object, to look at it and to change it as a user; `None` once it is gone.
    pub fn lock(&self) -> MutexGuard<'_, Option<Json>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the object as a user. Does nothing once it is gone.
    pub fn edit(&self, change: impl FnOnce(&mut Json)) {
        if let Some(object) = self.lock().as_mut() {
            change(object);
        }
    }
}

impl Cluster for OneObject {
    async fn get(&self, what: &ObjectRef) -> Result<Option<Json>, ClusterError> {
        let object = self.lock();
        let is_it = object.as_ref().is_some_and(|object| object["kind"] == *what.kind);
        match &*what.kind {
            // The kind itself is not being deleted.
            "CustomResourceDefinition" => Ok(Some(json!({ "metadata": {} }))),
            _ if is_it => Ok(object.clone()),
            _ => Ok(None),
        }
    }

    async fn patch(&self, _: &ObjectRef, _: bool, patch: &Json) -> Result<Json, ClusterError> {
        let mut object = self.lock();
        let known = object.as_mut().ok_or(ClusterError::Gone)?;
        super::merge(known, patch);
        let after = known.clone();
        let metadata = &after["metadata"];
        let is_held = metadata["finalizers"]
            .as_array()
            .is_some_and(|names| !names.is_empty());
        if !metadata["deletionTimestamp"].is_null() && !is_held {
            *object = None;
        }
        Ok(after)
    }

    async fn create(&self, _: &ObjectRef, _: &Json) -> Result<Json, ClusterError> {
        Err(ClusterError::Failed("this cluster has one object".to_owned()))
    }

    async fn event(&self, _: &Json, _: bool, _: &str, _: &str) {}
}
