//! A pod's spec as its checks read it. Knows no check.

use std::collections::{BTreeSet, HashMap};

use kindsmith_json::{Path, Value};
use kindsmith_object::meta::ObjectMeta;

use crate::Change;
use crate::field::Field;

/// Annotation of static pods.
pub(crate) const MIRROR: &str = "kubernetes.io/config.mirror";

/// A pod's spec with the values that many of its rules need.
pub(super) struct Spec<'s, 'v> {
    pub(super) field: Field<'s, 'v>,
    /// The pod's metadata; templates have none.
    pub(super) pod: Option<&'s ObjectMeta<'v>>,
    /// Valid volumes: name and source.
    pub(super) volumes: HashMap<&'v str, Option<&'static str>>,
    /// The names of resource claims.
    pub(super) claims: BTreeSet<&'v str>,
}

impl<'v> Spec<'_, 'v> {
    pub(super) fn child<'c>(&'c self, key: &'c str) -> Field<'c, 'v> {
        self.field.child(key)
    }

    /// Whether the pod shares the node's user namespace.
    pub(super) fn shares_users(&self) -> bool {
        let users = self.child("hostUsers");
        !users.is_set() || users.truth()
    }

    pub(super) fn system(&self) -> &'v str {
        self.child("os").child("name").text()
    }
}

/// Calls `visit` for each container: init containers first, ephemeral containers last.
pub(super) fn each_container<'v>(spec: &Field<'_, 'v>, mut visit: impl FnMut(&Field<'_, 'v>)) {
    for key in ["initContainers", "containers", "ephemeralContainers"] {
        for container in spec.child(key).items() {
            visit(&container);
        }
    }
}

/// The annotations of a pod.
pub(super) fn annotations<'c>(change: &Change<'c>) -> Field<'static, 'c> {
    const METADATA: Path<'static> = Path::root("metadata");
    const ANNOTATIONS: Path<'static> = METADATA.child("annotations");
    Field {
        path: ANNOTATIONS,
        value: Some(Value::Object(change.new.meta.annotations)),
        release: change.release,
    }
}
