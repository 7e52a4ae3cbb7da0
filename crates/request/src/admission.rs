//! What others may do to a write between decoding and storing: managed fields, webhooks, policies.

use kindsmith_json::Value;

use crate::Status;

/// Takes part in writes. Both steps do nothing unless they are implemented.
pub trait Admission<'a> {
    /// Who writes, as an `authentication.k8s.io/v1` `UserInfo`; none if nobody asks to know.
    fn user_info(&self) -> Option<Value<'a>> {
        None
    }

    /// Changes a decoded object before it is prepared and validated.
    ///
    /// # Errors
    ///
    /// If the write is refused.
    fn mutate(&mut self, object: Value<'a>, old: Option<Value<'a>>) -> Result<Value<'a>, Status> {
        let _ = old;
        Ok(object)
    }

    /// Has the last word on a valid object.
    ///
    /// # Errors
    ///
    /// If the write is refused.
    fn judge(&mut self, object: Value<'a>, old: Option<Value<'a>>) -> Result<(), Status> {
        let _ = (object, old);
        Ok(())
    }
}

/// Nobody takes part.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoAdmission;

impl Admission<'_> for NoAdmission {}
