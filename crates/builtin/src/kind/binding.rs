//! Bindings: a pod gets its node. They are not kept; the API changes the pod (`LegacyBindingREST` in
//! pkg/registry/core/pod/storage/storage.go).

use crate::Strategy;

#[derive(Debug)]
pub(crate) struct Binding;

impl Strategy for Binding {
    fn verbs(&self) -> &'static [&'static str] {
        &["create"]
    }

    fn is_stored(&self) -> bool {
        false
    }
}
