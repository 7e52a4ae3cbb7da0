//! Server-side apply.

use kindsmith_json::read::Options;
use kindsmith_json::{Arena, Value, yaml};
use kindsmith_merge::{ApplyError, Conflicts};
use kindsmith_object::{Behavior, Release};
use kindsmith_request::{Cause, Details, FieldValidation, Status, Warning, WarningReason, Write, body};

use crate::context::Call;
use crate::request::write_options::WriteOptions;
use crate::resource::ScaleChange;
use crate::write::managed_fields::{self, Endpoint};

/// Applies a configuration to the stored object.
pub(super) fn apply<'a>(
    call: &Call<'_>,
    options: &WriteOptions,
    arena: &'a Arena,
    write: &Write<'a>,
    bytes: &'a [u8],
    warnings: &mut Vec<Warning>,
) -> Result<Value<'a>, Status> {
    let release = call.served.resource.release();
    let read = read(release, arena, bytes)?;
    let endpoint = Endpoint::new(call.served, &call.info.subresource);
    let live = write.operation.old().unwrap_or_else(|| endpoint.empty(arena));
    let mut applied = endpoint
        .manager()
        .apply(
            arena,
            live,
            read.value,
            &options.manager,
            options.force,
            write.stamp.now,
        )
        .map_err(refusal)?;
    check_strict(release, &read, options, warnings)?;
    let path = ["metadata", "resourceVersion"];
    if write.operation.old().is_none() {
        check_new(call, applied)?;
        // An update that creates demands no version (`Store.Update` in apiserver's pkg/registry/generic/registry/store.go).
        applied.unset(arena, &path);
    } else if let Some(version) = read.value.lookup(&path) {
        // It is a condition, even if nothing else changes.
        applied.set(arena, &path, version);
    }
    Ok(applied)
}

/// Applies a configuration to the scale of the stored object; returns the new `Scale`, and the object with its managed
/// fields.
pub(super) fn scale<'a>(
    call: &Call<'_>,
    options: &WriteOptions,
    arena: &'a Arena,
    write: &Write<'a>,
    bytes: &'a [u8],
    warnings: &mut Vec<Warning>,
) -> Result<(ScaleChange<'a>, Value<'a>), Status> {
    let release = call.served.resource.release();
    let read = read(release, arena, bytes)?;
    let old = write.operation.old().ok_or_else(|| call.not_found())?;
    let live = call.served.resource.scale_to_patch(arena, write.version, old)?;
    let applied = managed_fields::apply_scale(
        call.served,
        arena,
        (old, live),
        read.value,
        options,
        write.stamp.now,
    );
    let (scale, object) = applied.map_err(refusal)?;
    check_strict(release, &read, options, warnings)?;
    Ok((ScaleChange::Patched(scale), object))
}

/// Rejects what is not YAML, before anything else is known. What looks like JSON is not looked at yet (`ToJSON` in
/// apimachinery's pkg/util/yaml/decoder.go).
pub(super) fn check_document(release: Release, arena: &Arena, bytes: &[u8]) -> Result<(), Status> {
    if looks_like_json(bytes) {
        return Ok(());
    }
    document(release, arena, bytes).map(drop)
}

fn looks_like_json(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().starts_with(b"{")
}

fn document<'a>(release: Release, arena: &'a Arena, bytes: &'a [u8]) -> Result<yaml::Read<'a>, Status> {
    yaml::read(arena, bytes, Options::default()).map_err(|error| {
        Status::bad_request(
            if release.has(Behavior::AppliedPatches) && !looks_like_json(bytes) {
                format!("error encoding patch: {error}")
            } else {
                let what = decoded(release);
                format!("error decoding {what}: error converting YAML to JSON: {error}")
            },
        )
    })
}

/// Reads an applied configuration.
fn read<'a>(release: Release, arena: &'a Arena, bytes: &'a [u8]) -> Result<yaml::Read<'a>, Status> {
    let read = document(release, arena, bytes)?;
    if !matches!(read.value, Value::Object(_) | Value::Null) {
        let kind = read.value.go_json_name();
        return Err(Status::bad_request(format!(
            "error decoding {}: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal {kind} into Go value \
             of type map[string]interface {{}}",
            decoded(release)
        )));
    }
    Ok(read)
}

/// What errors say was decoded.
fn decoded(release: Release) -> &'static str {
    if release.has(Behavior::AppliedPatches) {
        "patch"
    } else {
        "YAML"
    }
}

/// Reports duplicate keys.
fn check_strict(
    release: Release,
    read: &yaml::Read<'_>,
    options: &WriteOptions,
    warnings: &mut Vec<Warning>,
) -> Result<(), Status> {
    if let Some(strict) = read.strict_error() {
        match options.field_validation {
            FieldValidation::Strict => {
                return Err(Status::bad_request(format!(
                    "error strict decoding {}: error converting YAML to JSON: {strict}",
                    decoded(release)
                )));
            }
            FieldValidation::Warn => {
                let strict = Warning {
                    reason: WarningReason::YamlErrors,
                    ..Warning::from(strict)
                };
                warnings.extend(body::warnings(vec![strict]));
            }
            FieldValidation::Ignore => {}
        }
    }
    Ok(())
}

/// Rejects a new object with a uid, or with a name other than the URL's.
fn check_new(call: &Call<'_>, applied: Value<'_>) -> Result<(), Status> {
    let text = |key| {
        applied
            .lookup(&["metadata", key])
            .and_then(Value::as_str)
            .unwrap_or_default()
    };
    let (name, uid) = (call.info.path_name(), text("uid"));
    if !uid.is_empty() {
        let why = format!(
            "uid mismatch: the provided object specified uid {uid}, and no existing object was found"
        );
        return Err(Status::conflict(
            &call.served.group,
            &call.served.plural,
            name,
            &why,
        ));
    }
    match text("name") {
        "" => Err(Status::bad_request(format!(
            "the name of the object ({name} based on URL) was undeterminable: name must be provided"
        ))),
        given if given != name => Err(Status::bad_request(format!(
            "the name of the object ({given}) does not match the name on the URL ({name})"
        ))),
        _ => Ok(()),
    }
}

fn refusal(error: ApplyError) -> Status {
    match error {
        ApplyError::BadRequest(message) => Status::bad_request(message),
        ApplyError::Conflicts(conflicts) => conflict(&conflicts),
        // Kubernetes answers 500, though the mistake is the client's.
        ApplyError::Schema { message, .. } => Status::bad_request(message),
        ApplyError::Internal(message) => Status::unforeseen(message),
    }
}

/// 409 with a cause for each field owned by another manager (`NewConflictError` in apimachinery's
/// pkg/util/managedfields/internal/conflict.go).
fn conflict(conflicts: &Conflicts) -> Status {
    let causes = conflicts.0.iter().map(|conflict| Cause {
        reason: "FieldManagerConflict".into(),
        message: conflict.cause(),
        field: conflict.path.clone(),
    });
    Status {
        code: 409,
        reason: "Conflict".into(),
        message: conflicts.to_string(),
        details: Some(Box::new(Details {
            causes: causes.collect(),
            ..Details::default()
        })),
    }
}
