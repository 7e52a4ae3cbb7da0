//! Options of a pod's log, checked before the pod is looked up (`ValidatePodLogOptions` in
//! pkg/apis/core/validation/validation.go).

use kindsmith_gostd::strconv::parse_int;
use kindsmith_gostd::time::{Layout, Time};
use kindsmith_json::Path;
use kindsmith_object::FieldError;
use kindsmith_request::Status;

use crate::context::Call;

/// Refuses options that cannot be read or are out of range.
pub(super) fn check(call: &Call<'_>) -> Result<(), Status> {
    let seconds = number(call, "sinceSeconds")?;
    let time = call.query.get("sinceTime");
    if let Some(text) = time.filter(|text| !matches!(*text, "" | "null")) {
        let read = Time::parse(Layout::Rfc3339, text);
        read.map_err(|error| Status::bad_request(error.to_string()))?;
    }
    let (lines, bytes) = (number(call, "tailLines")?, number(call, "limitBytes")?);
    let mut errors = Vec::new();
    if let Some(lines) = lines.filter(|lines| *lines < 0) {
        errors.push(FieldError::invalid(
            &Path::root("tailLines"),
            lines,
            "must be greater than or equal to 0",
        ));
    }
    if let Some(bytes) = bytes.filter(|bytes| *bytes < 1) {
        errors.push(FieldError::invalid(
            &Path::root("limitBytes"),
            bytes,
            "must be greater than 0",
        ));
    }
    match seconds {
        Some(_) if time.is_some() => {
            let detail = "at most one of `sinceTime` or `sinceSeconds` may be specified";
            errors.push(FieldError::forbidden(&Path::root(""), detail));
        }
        Some(seconds) if seconds < 1 => {
            errors.push(FieldError::invalid(
                &Path::root("sinceSeconds"),
                seconds,
                "must be greater than 0",
            ));
        }
        _ => {}
    }
    // The feature gate PodLogsQuerySplitStreams is off.
    if call.query.get("stream").is_some() {
        errors.push(FieldError::forbidden(
            &Path::root("stream"),
            "may not be specified",
        ));
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(Status::invalid(
            "",
            "PodLogOptions",
            call.info.path_name(),
            &errors,
        ))
    }
}

/// A number, if the parameter is there.
fn number(call: &Call<'_>, name: &str) -> Result<Option<i64>, Status> {
    let read = |text| parse_int(text, 10, 64).map_err(|error| Status::bad_request(error.to_string()));
    call.query.get(name).map(read).transpose()
}
