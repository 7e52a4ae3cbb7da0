//! Errors of a strategic merge patch whose result does not fit the Go type: Kubernetes converts the result instead of
//! decoding it, and the converter has its own messages (`fromUnstructured` in apimachinery's pkg/runtime/converter.go).

use kindsmith_builtin::types::unrestorable_crd;
use kindsmith_json::Value;
use kindsmith_request::{Status, body};

/// Rejects a patched CRD that the converter does not take. Built-in kinds ask their own type when they decode the result.
pub(super) fn check_crd(patched: Value<'_>, shown: &str) -> Result<(), Status> {
    match unrestorable_crd(patched) {
        Some(why) => Err(body::invalid_patch(shown, &why)),
        None => Ok(()),
    }
}
