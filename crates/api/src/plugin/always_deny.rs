//! `AlwaysDeny`: refuses every write (plugin/pkg/admission/deny/admission.go).

use kindsmith_json::Value;

use super::{Refusal, Review};

pub(super) const REASON: &str = "admission control is denying all modifications";

pub(super) fn validate<'a>(_: &Review<'_, '_, 'a>, _: Value<'a>) -> Result<(), Refusal> {
    Err(Refusal::Forbidden(REASON.to_owned()))
}
