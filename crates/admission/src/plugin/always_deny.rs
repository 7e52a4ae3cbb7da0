//! `AlwaysDeny`: refuses every write (plugin/pkg/admission/deny/admission.go).

use kindsmith_json::Value;

use super::review::forbid;
use super::{Refusal, Review};

const REASON: &str = "admission control is denying all modifications";

pub(crate) fn mutate<'a>(_: &Review<'_, 'a>, _: Value<'a>) -> Result<Value<'a>, Refusal> {
    forbid(REASON)
}

pub(crate) fn validate<'a>(_: &Review<'_, 'a>, _: Value<'a>) -> Result<(), Refusal> {
    forbid(REASON)
}
