//! The order of a write, the same for custom resources, built-in kinds and CRDs (`Store.Create` and `Store.Update` in
//! apiserver's pkg/registry/generic/registry, with `BeforeCreate` and `BeforeUpdate` in pkg/registry/rest).
//!
//! Decode, prune, default; managed fields; mutating admission, after which a changed object is taken as its kind takes it;
//! prepare; validate; validating admission; encode for the store. What kinds do differently is in their
//! [`WriteSteps`]. Patches and applies are merged before: they arrive here as an [`Origin`].

use std::cell::RefCell;

use kindsmith_json::{Arena, Value};
use kindsmith_object::store_key;

use crate::admission::{AdmissionOperation, AdmissionRequest, Mutated, Undecoded};
use crate::{
    Admission, DecodedObject, Operation, Origin, Outcome, Status, Warning, Write, WriteContext, WriteSteps,
    Written, deduplicate, identity,
};

/// Decodes and writes an object.
pub fn write_object<'a, S: WriteSteps<'a>>(
    steps: &'a S,
    arena: &'a Arena,
    write: &Write<'a>,
    origin: Origin<'a>,
    admission: &mut dyn Admission<'a>,
) -> Outcome<'a> {
    let mut warnings = Vec::new();
    let readable = match origin {
        Origin::Body(_) => Ok(()),
        Origin::Patch { object, .. } | Origin::Apply { object } => check_readable(object),
    };
    let decoded = readable.and_then(|()| steps.decode(arena, write, origin, &mut warnings));
    let result = decoded.and_then(|object| {
        // In a body, a uid is a precondition; in a patched object, it is a change.
        let expected_uid = match origin {
            Origin::Body(_) => object.meta.uid,
            Origin::Patch { .. } | Origin::Apply { .. } => "",
        };
        write_decoded(
            steps,
            arena,
            write,
            object,
            expected_uid,
            admission,
            &mut warnings,
        )
    });
    Outcome { result, warnings }
}

/// Writes a decoded object: from admission to what is stored and answered.
///
/// # Errors
///
/// If the write is rejected.
pub fn write_decoded<'a, S: WriteSteps<'a>>(
    steps: &'a S,
    arena: &'a Arena,
    write: &Write<'a>,
    object: DecodedObject<'a, S::Extra>,
    expected_uid: &str,
    admission: &mut dyn Admission<'a>,
    warnings: &mut Vec<Warning>,
) -> Result<Written<'a>, Status> {
    let mut object = object;
    steps.check_served(write)?;
    let old = identify(steps, arena, write, &mut object, expected_uid)?;
    warn(warnings, deduplicate(arena, &mut object.meta, false));
    let old = old.as_ref();

    let decode = |value: Value<'a>| steps.decode_mutated(arena, value);
    let show = |value: Value<'a>| steps.shown(arena, value);
    let mut request = admission_request(steps, write, &object, old, &decode);
    request.show = &show;
    let mutated = mutate(steps, arena, &request, object, admission);
    warn(warnings, admission.take_warnings());
    object = mutated?;
    identity::settle_namespace(&mut object.meta, steps.target().scope, write.namespace)?;
    warn(warnings, deduplicate(arena, &mut object.meta, true));

    let named = steps.named_kind(&object);
    let notes = RefCell::default();
    let context = WriteContext {
        arena,
        write,
        admission: &*admission,
        notes: &notes,
    };
    let prepared = prepare(steps, &context, &mut object, old);
    warn(warnings, notes.take());
    prepared?;
    object.write_back(arena, steps.metadata_order());
    let validation = steps.validate(&context, &object, old)?;
    warn(warnings, validation.warnings);
    if !validation.errors.is_empty() {
        let (group, kind) = named;
        return Err(Status::invalid(group, kind, object.meta.name, &validation.errors));
    }
    warn(warnings, steps.warnings(&context, &object, old));
    steps.canonicalize(&context, &mut object);

    request.name = object.meta.name;
    let admitted = admission.validate(&request, steps.admitted(arena, &object));
    warn(warnings, admission.take_warnings());
    admitted?;
    // A dry run never reaches the store, which would reject it.
    if old.is_none() && !write.is_dry_run {
        identity::check_new_resource_version(&object.meta)?;
    }
    check_readable(object.value())?;
    let encoded = steps.encode(arena, write, &object)?;
    let mut answer = encoded.object;
    let version = object.meta.resource_version;
    if old.is_none() && write.is_dry_run && !version.is_empty() {
        answer.set(arena, &["metadata", "resourceVersion"], Value::Str(version));
    }
    Ok(Written {
        stored: encoded.stored,
        object: answer,
        unreadable: encoded.unreadable,
        is_removed: old
            .is_some_and(|old| identity::is_finished(&object.meta, &old.meta) && !steps.holds(&object)),
    })
}

fn warn(warnings: &mut Vec<Warning>, texts: impl IntoIterator<Item = String>) {
    warnings.extend(texts.into_iter().map(Warning::from));
}

/// Checks namespace, name and uid, and takes the stored object of an update; `None` for a new object.
fn identify<'a, S: WriteSteps<'a>>(
    steps: &'a S,
    arena: &'a Arena,
    write: &Write<'a>,
    object: &mut DecodedObject<'a, S::Extra>,
    expected_uid: &str,
) -> Result<Option<DecodedObject<'a, S::Extra>>, Status> {
    let target = steps.target();
    identity::settle_namespace(&mut object.meta, target.scope, write.namespace)?;
    if let Operation::Create = write.operation {
        identity::wipe(&mut object.meta);
        return Ok(None);
    }
    identity::check_name(&object.meta, write.name)?;
    let check_uid = |stored: &str| {
        let key = || {
            let key = format!("{}{}", steps.key_prefix(), identity::place(&object.meta));
            // A dry run is compared above the store, which adds the root of the keys.
            if write.is_dry_run {
                store_key::shown(&key).to_owned()
            } else {
                key
            }
        };
        identity::check_uid(
            (target.group, target.resource),
            write.name,
            key,
            expected_uid,
            stored,
        )
    };
    let Some(old) = write.operation.old() else {
        if !steps.creates_on_update() || !write.operation.subresource().is_empty() {
            return Err(target.not_found(write));
        }
        // The expected uid is compared with that of an empty object.
        check_uid("")?;
        object.meta.resource_version = "";
        identity::wipe(&mut object.meta);
        return Ok(None);
    };
    let old = steps.take_stored(arena, old)?;
    check_uid(old.meta.uid)?;
    Ok(Some(old))
}

type Decode<'r, 'a> = &'r dyn Fn(Value<'a>) -> Result<Mutated<'a>, Undecoded>;

fn admission_request<'r, 'a, S: WriteSteps<'a>>(
    steps: &'r S,
    write: &Write<'a>,
    object: &DecodedObject<'a, S::Extra>,
    old: Option<&DecodedObject<'a, S::Extra>>,
    decode: Decode<'r, 'a>,
) -> AdmissionRequest<'r, 'a>
where
    'a: 'r,
{
    AdmissionRequest {
        operation: match old {
            None => AdmissionOperation::Create,
            Some(_) => AdmissionOperation::Update,
        },
        name: object.meta.name,
        namespace: object.meta.namespace,
        old: old.map(DecodedObject::value),
        decode,
        ..AdmissionRequest::of_review(steps.target(), write)
    }
}

/// Lets admission record managed fields and change the object.
fn mutate<'a, S: WriteSteps<'a>>(
    steps: &'a S,
    arena: &'a Arena,
    request: &AdmissionRequest<'_, 'a>,
    mut object: DecodedObject<'a, S::Extra>,
    admission: &mut dyn Admission<'a>,
) -> Result<DecodedObject<'a, S::Extra>, Status> {
    object.write_back(arena, steps.metadata_order());
    let versioned = steps.versioned(arena, object.value());
    let managed = admission.manage_fields(request, versioned);
    if !is_same(managed, versioned) {
        let fields = managed.lookup(&["metadata", "managedFields"]);
        object.meta.managed_fields = fields.and_then(Value::as_array).unwrap_or_default();
        object.write_back(arena, steps.metadata_order());
    }
    let mutated = admission.mutate(request, object.value())?;
    if is_same(mutated, object.value()) {
        Ok(object)
    } else {
        check_readable(mutated)?;
        steps.take_mutated(arena, mutated)
    }
}

/// Rejects what could not be read again once it is stored: patches and webhooks can nest an object deeper than any body.
fn check_readable(object: Value<'_>) -> Result<(), Status> {
    if object.is_readable() {
        Ok(())
    } else {
        Err(Status::bad_request("the object would have exceeded max depth"))
    }
}

/// Whether two values are the same object in memory, so that nothing can have changed.
fn is_same(left: Value<'_>, right: Value<'_>) -> bool {
    match (left, right) {
        (Value::Object(left), Value::Object(right)) => std::ptr::eq(left.entries(), right.entries()),
        _ => false,
    }
}

/// Sets system fields, and restores what a write may not change.
fn prepare<'a, S: WriteSteps<'a>>(
    steps: &'a S,
    context: &WriteContext<'_, 'a>,
    object: &mut DecodedObject<'a, S::Extra>,
    old: Option<&DecodedObject<'a, S::Extra>>,
) -> Result<(), Status> {
    let WriteContext { arena, write, .. } = *context;
    let Some(old) = old else {
        let name_suffix = if steps.has_name_suffix() {
            write.stamp.name_suffix
        } else {
            ""
        };
        let stamp = crate::Stamp {
            name_suffix,
            ..write.stamp
        };
        identity::fill(arena, &mut object.meta, &stamp);
        steps.begin(context, object, None)?;
        steps.prepare(context, object, None);
        return Ok(());
    };
    let is_unconditional = matches!(object.meta.resource_version, "" | "0");
    if is_unconditional && steps.allows_unconditional_update() {
        object.meta.resource_version = old.meta.resource_version;
    } else {
        let target = steps.target();
        identity::check_resource_version((target.group, target.resource), &object.meta, &old.meta)?;
    }
    steps.begin(context, object, Some(old))?;
    object.meta.generation = old.meta.generation;
    steps.prepare(context, object, Some(old));
    identity::keep_system_fields(&mut object.meta, &old.meta);
    Ok(())
}
