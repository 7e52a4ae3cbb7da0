//! `PATCH` (`PatchResource` in apiserver's pkg/endpoints/handlers/patch.go): applies any type of patch to the stored
//! object and writes the result like a body.

mod apply;
mod result;
mod strategic;

use kindsmith_builtin::decode_patched_scale;
use kindsmith_json::{Arena, Value};
use kindsmith_merge::patch::{self, JsonPatch, MergePatch, PatchError, StrategicPatch};
use kindsmith_object::{Behavior, Release};
use kindsmith_request::{Admission, FieldValidation, Operation, Origin, Outcome, Status, Warning, Write};

use crate::context::Call;
use crate::request::body;
use crate::request::write_options::{Kind, WriteOptions};
use crate::resource::ScaleChange;
use crate::response::status_response;
use crate::write::{Change, Creation, managed_fields};
use crate::{Request, Response, write};

const JSON: &str = "application/json-patch+json";
const MERGE: &str = "application/merge-patch+json";
const STRATEGIC: &str = "application/strategic-merge-patch+json";
const APPLY: &str = "application/apply-patch+yaml";

/// The patch types that a resource supports.
pub(crate) fn types(call: &Call<'_>) -> &'static [&'static str] {
    if call.served.resource.is_custom() {
        &[JSON, MERGE, APPLY]
    } else {
        &[JSON, MERGE, STRATEGIC, APPLY]
    }
}

/// The patch type of a request: its media type.
pub(crate) fn media<'r>(request: &Request<'r>) -> &'r str {
    let header = request.header("content-type").unwrap_or_default();
    header.split(';').next().unwrap_or_default()
}

/// Patches the object in the path, or a subresource.
pub(crate) fn patch(call: &Call<'_>) -> Result<Response, Status> {
    let media = media(call.request);
    if !types(call).contains(&media) {
        return Err(body::unsupported(&types(call).join(", ")));
    }
    if call.info.path_name().is_empty() {
        return Err(Status::bad_request("name must be provided"));
    }
    let accepted = status_response::accepted(call)?;
    body::check_size(call.request)?;
    let kind = match media {
        APPLY => Kind::Apply,
        _ => Kind::Patch,
    };
    let options = WriteOptions::read(call.request, call.query, kind)?;
    let patch = Patch {
        call,
        options: &options,
        media,
        bytes: call.request.body,
    };
    let done = write::update(call, &options, &patch, |settled| {
        Ok(status_response::settled(call, accepted, 200, settled))
    })?;
    let mut response = done.answer;
    if done.is_created {
        response.status = 201;
    }
    Ok(response)
}

/// A patch of any type.
struct Patch<'r> {
    call: &'r Call<'r>,
    options: &'r WriteOptions,
    media: &'r str,
    bytes: &'r [u8],
}

impl Change for Patch<'_> {
    fn make<'a>(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        admission: &mut dyn Admission<'a>,
    ) -> Outcome<'a> {
        let mut warnings = Vec::new();
        let mut outcome = match self.try_make(arena, write, admission, &mut warnings) {
            Ok(outcome) => outcome,
            Err(status) => status.into(),
        };
        warnings.append(&mut outcome.warnings);
        Outcome { warnings, ..outcome }
    }

    fn creation(&self) -> Creation {
        let creates = match self.call.info.subresource.as_str() {
            "" => true,
            "status" => self.call.served.resource.creates_on_status_apply(),
            _ => false,
        };
        if self.media == APPLY && creates {
            Creation::Always
        } else if self.call.served.resource.release().has(Behavior::AppliedPatches) {
            // The patch is checked before the object is missed (`validateAndTranscodePatch`).
            Creation::ByKind
        } else {
            Creation::Never
        }
    }

    fn is_apply(&self) -> bool {
        self.media == APPLY
    }
}

impl Patch<'_> {
    fn try_make<'a>(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        admission: &mut dyn Admission<'a>,
        warnings: &mut Vec<Warning>,
    ) -> Result<Outcome<'a>, Status> {
        let resource = &*self.call.served.resource;
        let old = write.operation.old();
        if old.is_none() && self.creation() != Creation::Always {
            self.check_document(arena)?;
            return Err(self.call.not_found());
        }
        if self.media == APPLY && self.call.info.subresource == "scale" {
            let (call, options) = (self.call, self.options);
            let (change, old) = apply::scale(call, options, arena, write, self.bytes, warnings)?;
            let operation = Operation::Update { old: Some(old) };
            let write = Write { operation, ..*write };
            return Ok(resource.write_scale(arena, &write, change, admission));
        }
        if self.media == APPLY {
            let applied = apply::apply(self.call, self.options, arena, write, self.bytes, warnings)?;
            return Ok(resource.write(arena, write, Origin::Apply { object: applied }, admission));
        }
        let is_scale = self.call.info.subresource == "scale";
        let old = old.ok_or_else(|| self.call.not_found())?;
        let target = if is_scale {
            let scale = resource.scale_to_patch(arena, write.version, old)?;
            managed_fields::scale_with_entries(self.call.served, arena, old, scale)
        } else {
            old
        };
        let (patched, shown, strict) = self.lay(arena, target).map_err(|error| {
            let release = self.call.served.resource.release();
            refusal(release, error)
        })?;
        let strict = match write.field_validation {
            FieldValidation::Ignore => Vec::new(),
            FieldValidation::Warn | FieldValidation::Strict => strict,
        };
        let is_custom = resource.is_custom() && !is_scale;
        let is_strategic = shown.is_some();
        let shown = shown.unwrap_or_else(|| result::shown(arena, self.bytes, patched, is_custom));
        if !is_strategic {
            result::check(patched, &shown, is_custom)?;
        } else if self.call.info.resource == "customresourcedefinitions" {
            strategic::check_crd(patched, &shown)?;
        }
        if is_scale {
            let strict: Vec<&str> = strict.iter().map(String::as_str).collect();
            let patched = decode_patched_scale(arena, write, patched, (&shown, &strict), warnings);
            let change = ScaleChange::Patched(patched?);
            return Ok(resource.write_scale(arena, write, change, admission));
        }
        let origin = Origin::Patch {
            object: patched,
            text: arena.alloc_str(&shown),
            strict: arena.alloc_slice_fill_iter(strict.iter().map(|text| &*arena.alloc_str(text))),
        };
        Ok(resource.write(arena, write, origin, admission))
    }

    /// Rejects what is not JSON, or not YAML.
    fn check_document(&self, arena: &Arena) -> Result<(), Status> {
        let release = self.call.served.resource.release();
        if self.media == APPLY {
            return apply::check_document(release, arena, self.bytes);
        }
        patch::check_document(arena, self.bytes).map_err(|error| refusal(release, error))
    }

    /// Applies the patch to an object. Also returns how errors show the result, if not as JSON, and what strict
    /// decoding rejects in the patch.
    fn lay<'a>(
        &'a self,
        arena: &'a Arena,
        target: Value<'a>,
    ) -> Result<(Value<'a>, Option<String>, Vec<String>), PatchError> {
        match self.media {
            JSON => {
                let patch = match self.options.field_validation {
                    FieldValidation::Ignore => JsonPatch::read_unchecked(arena, self.bytes)?,
                    FieldValidation::Warn | FieldValidation::Strict => JsonPatch::read(arena, self.bytes)?,
                };
                Ok((patch.apply(arena, target)?, None, patch.strict))
            }
            STRATEGIC => {
                let patch = StrategicPatch::read(arena, self.bytes)?;
                let resource = &*self.call.served.resource;
                let patched = resource.patch_strategically(arena, &patch, target)?;
                Ok((patched, Some(patch.shown()), patch.strict))
            }
            _ => {
                let patch = MergePatch::read(arena, self.bytes)?;
                Ok((patch.apply(arena, target), None, patch.strict))
            }
        }
    }
}

fn refusal(release: Release, error: PatchError) -> Status {
    match error {
        PatchError::Unreadable(why) if !release.has(Behavior::AppliedPatches) => {
            Status::bad_request(format!("error decoding patch: {why}"))
        }
        error @ PatchError::Unreadable(_) => Status::bad_request(error.to_string()),
        PatchError::BadRequest(message) => Status::bad_request(message),
        PatchError::TooLarge(message) => Status {
            message,
            ..Status::too_large("")
        },
        error @ PatchError::Rejected => Status {
            code: 422,
            reason: "Invalid".into(),
            message: error.to_string(),
            details: Some(Box::default()),
        },
        PatchError::Failed(message) => Status::unforeseen(message),
    }
}
