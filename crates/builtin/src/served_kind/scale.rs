//! The subresource `/scale` of built-in kinds (`ScaleREST` in pkg/registry/core/replicationcontroller/storage and
//! pkg/registry/apps/deployment/storage).

use kindsmith_json::{Arena, Entry, Object, Path, Value};
use kindsmith_object::{BadValue, Detail, ErrorKind, FieldError, Release};
use kindsmith_request::{
    Admission, Body, FieldValidation, Outcome, Scale, ScaleSteps, ScaleWrite, Status, Warning, Write,
    WriteSteps, body,
};
use kindsmith_schema::Str;

use crate::field_check::{entries, number};
use crate::part::selector;
use crate::{Kind, Scaling, find_own};

/// Reads a `Scale` from a request body, with warnings.
///
/// # Errors
///
/// The response for a body that cannot be decoded.
pub fn read_scale<'a>(
    arena: &'a Arena,
    bytes: Body<'a>,
    validation: FieldValidation,
) -> Result<(ScaleWrite<'a>, Vec<Warning>), Status> {
    let kind = find_own(Release::NEWEST, "autoscaling", "v1", "Scale")
        .ok_or_else(|| Status::internal("no kind Scale"))?;
    let (value, strict) = kind.read_body(arena, bytes, validation)?;
    let scale = ScaleWrite::of(arena, value, true).map_err(|error| Status::internal(&error.to_string()))?;
    Ok((scale, body::warnings(strict)))
}

/// Decodes the `Scale` that a patch makes. `shown` is how errors show it, and what strict decoding rejects in the patch
/// itself.
///
/// # Errors
///
/// If it is no `Scale`, or strict decoding rejects it.
pub fn decode_patched_scale<'a>(
    arena: &'a Arena,
    write: &Write<'a>,
    scale: Value<'a>,
    shown: (&str, &[&str]),
    warnings: &mut Vec<Warning>,
) -> Result<Value<'a>, Status> {
    let kind = find_own(Release::NEWEST, "autoscaling", "v1", "Scale")
        .ok_or_else(|| Status::internal("no kind Scale"))?;
    kind.decode_patched(arena, write, scale, shown, warnings)
}

impl Kind {
    /// Sets the replicas of the stored object; the response is a `Scale`.
    pub fn write_scale<'a>(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        scale: &ScaleWrite<'a>,
        admission: &mut dyn Admission<'a>,
    ) -> Outcome<'a> {
        if let Some(status) = self.other_object(write, scale) {
            return status.into();
        }
        kindsmith_request::write_scale(self, arena, write, scale, admission)
    }

    /// The conflict of a patched `Scale` that names another object. In a body, the uid is a condition of the write.
    fn other_object(&self, write: &Write<'_>, scale: &ScaleWrite<'_>) -> Option<Status> {
        let (sent, stored) = (
            scale.metadata.uid,
            write.operation.old()?.text(&["metadata", "uid"]),
        );
        if scale.is_body || sent.is_empty() || sent == stored {
            return None;
        }
        let (group, resource) = self.group_resource();
        let why = format!("Precondition failed: UID in precondition: {sent}, UID in object meta: {stored}");
        Some(Status::conflict(
            group,
            &format!("{resource}/scale"),
            write.name,
            &why,
        ))
    }

    /// The scale of an object.
    ///
    /// # Errors
    ///
    /// If the kind cannot be scaled.
    pub fn scale<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Result<Value<'a>, Status> {
        let name = object.lookup(&["metadata", "name"]).and_then(Value::as_str);
        let Some(scaling) = self.strategy.scaling() else {
            let (group, resource) = self.group_resource();
            return Err(Status::not_found(group, resource, name.unwrap_or_default()));
        };
        let scale = match &self.scale_paths {
            None => Scale {
                replicas: number(object.lookup(&REPLICAS)),
                status_replicas: number(object.lookup(&["status", "replicas"])),
                selector: arena.alloc_str(&selector_text(arena, scaling, object)),
            },
            Some(paths) => {
                let selector = paths.selector.as_deref().and_then(|path| at(object, path));
                Scale {
                    replicas: number(at(object, &paths.spec)),
                    status_replicas: number(at(object, &paths.status)),
                    selector: selector.and_then(Value::as_str).unwrap_or_default(),
                }
            }
        };
        Ok(scale.to_value(arena, object))
    }

    /// The path of the desired number; `None` if the kind cannot be scaled.
    #[must_use]
    pub fn replicas_path(&self) -> Option<Vec<&str>> {
        self.strategy.scaling()?;
        Some(match &self.scale_paths {
            None => REPLICAS.to_vec(),
            Some(paths) => paths.spec.iter().map(|name| &**name).collect(),
        })
    }
}

/// The desired number of built-in kinds.
const REPLICAS: [&str; 2] = ["spec", "replicas"];

/// The value at a path.
fn at<'a>(object: Value<'a>, path: &[Str]) -> Option<Value<'a>> {
    path.iter().try_fold(object, |value, name| value.get(name))
}

impl<'a> ScaleSteps<'a> for Kind {
    fn scale(&self, arena: &'a Arena, _: &str, object: Value<'a>) -> Result<Value<'a>, Status> {
        Kind::scale(self, arena, object)
    }

    fn set_replicas(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        object: Value<'a>,
        replicas: i64,
    ) -> Result<Value<'a>, Status> {
        let Some(path) = self.replicas_path() else {
            return Err(self.target().not_found(write));
        };
        if replicas < 0 {
            let error = FieldError::new(
                ErrorKind::Invalid,
                Path::root("spec").child("replicas").to_owned(),
                BadValue::Integer(replicas.into()),
                Detail::AtLeast("0".into()),
            );
            return Err(Status::invalid("autoscaling", "Scale", write.name, &[error]));
        }
        let mut object = object;
        object.set(arena, &path, Value::Int(replicas));
        Ok(object)
    }
}

fn selector_text<'a>(arena: &'a Arena, scaling: Scaling, object: Value<'a>) -> String {
    let found = object.lookup(&["spec", "selector"]).unwrap_or_default();
    match scaling {
        // Kinds with a marker have paths.
        Scaling::Text => String::new(),
        Scaling::Selector => selector::to_text(found),
        Scaling::Labels => {
            let value = Value::Object(entries(Some(found)));
            let key = "matchLabels";
            let wrapped = Object::from_entries(arena, arena.alloc_slice_copy(&[Entry { key, value }]));
            selector::to_text(Value::Object(wrapped))
        }
    }
}
