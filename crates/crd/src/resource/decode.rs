//! Decoding of custom resources, from a body or from the result of a patch: prune, report unknown fields, default.

use kindsmith_json::path::PathBuf;
use kindsmith_json::{Arena, Value};
use kindsmith_object::GroupVersion;
use kindsmith_request::body::{self, Body, FieldValidation, Unreadable};
use kindsmith_request::{Status, Warning, Write};

use super::Resource;
use super::coerce::{Custom, Reason};

impl Resource {
    /// Decodes a body: prunes and reports unknown fields, sets defaults, and checks that it has the version of the URL.
    pub(super) fn decode_body<'a>(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        body: Body<'a>,
        warnings: &mut Vec<Warning>,
    ) -> Result<Custom<'a>, Status> {
        let expected = (&*self.kind, write.version);
        let refuse = |error: Unreadable| error.status(&self.kind, body.bytes);
        let parsed = body::parse(arena, body, expected, write.field_validation).map_err(refuse)?;
        let object = parsed.value.as_object().unwrap_or_default();
        let refuse = |message: String| {
            let version = GroupVersion::parse(parsed.value.text("apiVersion")).unwrap_or_default();
            refuse(Unreadable::recognized(
                message,
                parsed.value.text("kind"),
                version.version,
            ))
        };
        let (custom, unknown) = self
            .apply_and_default(arena, object, reason(write))
            .map_err(refuse)?;
        let strict = strict_errors(parsed.strict.clone(), unknown);
        match write.field_validation {
            FieldValidation::Strict if !strict.is_empty() => {
                return Err(refuse(body::strict_error(&strict)));
            }
            _ => warnings.extend(body::warnings(strict)),
        }
        self.check_version(&custom, write)?;
        Ok(custom)
    }

    /// Decodes the result of a patch. `text` shows it in errors; `strict` is what strict decoding rejects in the patch
    /// itself.
    pub(super) fn decode_patched<'a>(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        object: Value<'a>,
        (text, strict): (&str, &[&str]),
        warnings: &mut Vec<Warning>,
    ) -> Result<Custom<'a>, Status> {
        let object = object.as_object().unwrap_or_default();
        let (mut custom, unknown) = self
            .apply(arena, object, reason(write))
            .map_err(|message| body::invalid_patch(text, &message))?;
        let strict = strict.iter().map(|&text| text.to_owned().into()).collect();
        let strict = strict_errors(strict, unknown);
        match write.field_validation {
            FieldValidation::Strict if !strict.is_empty() => {
                return Err(body::invalid_patch(text, &body::strict_error(&strict)));
            }
            _ => warnings.extend(body::warnings(strict)),
        }
        self.default_object(arena, &mut custom);
        Ok(custom)
    }

    fn check_version(&self, custom: &Custom<'_>, write: &Write<'_>) -> Result<(), Status> {
        let given = custom.group_version();
        if (given.group, given.version) == (&*self.group, write.version) {
            return Ok(());
        }
        Err(Status::bad_request(format!(
            "the API version in the data ({given}) does not match the expected API version ({}/{})",
            self.group, write.version
        )))
    }
}

fn reason(write: &Write<'_>) -> Reason {
    Reason::Request {
        lists_unknown: write.field_validation != FieldValidation::Ignore,
    }
}

fn strict_errors(mut repeated: Vec<Warning>, unknown: Vec<PathBuf>) -> Vec<Warning> {
    repeated.extend(unknown.into_iter().map(Warning::unknown_field));
    repeated
}
