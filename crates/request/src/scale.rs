//! The subresource `/scale`: replicas and selector of an object, seen as an `autoscaling/v1` `Scale`
//! (`ScaleREST` of pkg/registry and of apiextensions-apiserver's pkg/registry/customresource).

use kindsmith_json::{Arena, Value, object_of_present};
use kindsmith_object::meta::{DecodeError, ObjectMeta};

use crate::{
    Admission, AdmissionRequest, Declarative, DecodedObject, Mutated, Outcome, Status, Write, WriteSteps,
    Written, identity, write_decoded,
};

/// The fields of a `Scale` that do not come from the object's metadata.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scale<'a> {
    /// The desired number of replicas.
    pub replicas: i64,
    /// The current number of replicas.
    pub status_replicas: i64,
    /// The label selector of the pods, as text.
    pub selector: &'a str,
}

impl<'a> Scale<'a> {
    /// The `Scale` of an object.
    #[must_use]
    pub fn to_value(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let metadata = ["name", "namespace", "uid", "resourceVersion", "creationTimestamp"]
            .map(|key| (key, object.lookup(&["metadata", key])));
        let replicas = (self.replicas != 0).then_some(Value::Int(self.replicas));
        let selector = (!self.selector.is_empty()).then_some(Value::Str(self.selector));
        let status = [
            ("replicas", Some(Value::Int(self.status_replicas))),
            ("selector", selector),
        ];
        object_of_present(
            arena,
            &[
                ("kind", Some("Scale".into())),
                ("apiVersion", Some("autoscaling/v1".into())),
                ("metadata", Some(object_of_present(arena, &metadata))),
                ("spec", Some(object_of_present(arena, &[("replicas", replicas)]))),
                ("status", Some(object_of_present(arena, &status))),
            ],
        )
    }
}

/// A `Scale` that a client sends.
#[derive(Debug, Clone, Copy)]
pub struct ScaleWrite<'a> {
    /// Its metadata: the name must be that of the URL, a resource version is a condition.
    pub metadata: ObjectMeta<'a>,
    /// The desired number of replicas; none means zero.
    pub replicas: i64,
    /// Whether it is the body of a request, in which a uid is a condition.
    pub is_body: bool,
}

impl<'a> ScaleWrite<'a> {
    /// Takes a decoded `Scale`.
    ///
    /// # Errors
    ///
    /// If its metadata is malformed.
    pub fn of(arena: &'a Arena, scale: Value<'a>, is_body: bool) -> Result<Self, DecodeError> {
        let replicas = scale.lookup(&["spec", "replicas"]).and_then(Value::as_i64);
        Ok(ScaleWrite {
            metadata: DecodedObject::<()>::of(arena, scale)?.meta,
            replicas: replicas.unwrap_or_default(),
            is_body,
        })
    }
}

impl<'a> ScaleWrite<'a> {
    /// The `Scale` as it was sent: mutating admission sees nothing of the stored object in the body of a request.
    fn to_value(self, arena: &'a Arena, namespace: &'a str) -> Value<'a> {
        let metadata = ObjectMeta {
            namespace,
            ..self.metadata
        };
        let scale = Scale {
            replicas: self.replicas,
            ..Scale::default()
        };
        let mut value = scale.to_value(arena, Value::Null);
        value.set(arena, &["metadata"], metadata.encode_built_in(arena).into());
        value
    }
}

/// What kinds do differently in a write of their scale.
pub trait ScaleSteps<'a>: WriteSteps<'a> {
    /// The `Scale` of an object; a missing number of replicas counts as zero.
    ///
    /// # Errors
    ///
    /// If the kind cannot be scaled, or the object has values of another type there.
    fn scale(&self, arena: &'a Arena, version: &str, object: Value<'a>) -> Result<Value<'a>, Status>;

    /// An object with another number of replicas.
    ///
    /// # Errors
    ///
    /// If the kind cannot be scaled or rejects the number.
    fn set_replicas(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        object: Value<'a>,
        replicas: i64,
    ) -> Result<Value<'a>, Status>;
}

/// Sets the number of replicas of the stored object of an update; the answer is a `Scale`.
pub fn write_scale<'a, S: ScaleSteps<'a>>(
    steps: &'a S,
    arena: &'a Arena,
    write: &Write<'a>,
    scale: &ScaleWrite<'a>,
    admission: &mut dyn Admission<'a>,
) -> Outcome<'a> {
    let mut warnings = Vec::new();
    let expected_uid = if scale.is_body { scale.metadata.uid } else { "" };
    let mut admission = ScaleAdmission {
        steps,
        arena,
        write,
        sent: scale,
        inner: admission,
    };
    let result = scaled(steps, arena, write, scale)
        .and_then(|object| {
            write_decoded(
                steps,
                arena,
                write,
                object,
                expected_uid,
                &mut admission,
                &mut warnings,
            )
        })
        .and_then(|written| {
            if written.unreadable.is_some() {
                return Ok(written);
            }
            let object = steps.scale(arena, write.version, written.object)?;
            Ok(Written { object, ..written })
        });
    Outcome { result, warnings }
}

/// The stored object with the new number of replicas.
fn scaled<'a, S: ScaleSteps<'a>>(
    steps: &'a S,
    arena: &'a Arena,
    write: &Write<'a>,
    scale: &ScaleWrite<'a>,
) -> Result<DecodedObject<'a, S::Extra>, Status> {
    let (mut meta, target) = (scale.metadata, steps.target());
    identity::settle_namespace(&mut meta, target.scope, write.namespace)?;
    identity::check_name(&meta, write.name)?;
    let old = write.operation.old().ok_or_else(|| target.not_found(write))?;
    let object = steps.set_replicas(arena, write, old, scale.replicas)?;
    let mut object = steps.take_stored(arena, object)?;
    if !meta.resource_version.is_empty() {
        object.meta.resource_version = meta.resource_version;
    }
    Ok(object)
}

/// Shows admission the `Scale` instead of the object behind it. Managed fields are those of the object.
struct ScaleAdmission<'s, 'a, S> {
    steps: &'a S,
    arena: &'a Arena,
    write: &'s Write<'a>,
    sent: &'s ScaleWrite<'a>,
    inner: &'s mut dyn Admission<'a>,
}

impl<'a, S: ScaleSteps<'a>> ScaleAdmission<'_, 'a, S> {
    fn scale(&self, object: Value<'a>) -> Result<Value<'a>, Status> {
        self.steps.scale(self.arena, self.write.version, object)
    }

    fn request<'r>(&self, request: &AdmissionRequest<'r, 'a>) -> Result<AdmissionRequest<'r, 'a>, Status> {
        Ok(AdmissionRequest {
            subresource: "scale",
            kind: ("autoscaling", "v1", "Scale"),
            old: request.old.map(|old| self.scale(old)).transpose()?,
            show: &std::convert::identity,
            decode: &Mutated::same,
            ..*request
        })
    }
}

impl<'a, S: ScaleSteps<'a>> Admission<'a> for ScaleAdmission<'_, 'a, S> {
    fn user_info(&self) -> Option<Value<'a>> {
        self.inner.user_info()
    }

    fn declarative(&self) -> Option<&Declarative> {
        self.inner.declarative()
    }

    fn is_scale(&self) -> bool {
        true
    }

    fn manage_fields(&mut self, request: &AdmissionRequest<'_, 'a>, object: Value<'a>) -> Value<'a> {
        self.inner.manage_fields(request, object)
    }

    fn mutate(&mut self, request: &AdmissionRequest<'_, 'a>, object: Value<'a>) -> Result<Value<'a>, Status> {
        let request = self.request(request)?;
        let before = if self.sent.is_body {
            self.sent.to_value(self.arena, self.write.namespace)
        } else {
            self.scale(object)?
        };
        let after = self.inner.mutate(&request, before)?;
        let replicas = |scale: Value<'a>| scale.lookup(&["spec", "replicas"]).and_then(Value::as_i64);
        if replicas(after) == replicas(before) {
            Ok(object)
        } else {
            let replicas = replicas(after).unwrap_or_default();
            self.steps.set_replicas(self.arena, self.write, object, replicas)
        }
    }

    fn validate(&mut self, request: &AdmissionRequest<'_, 'a>, object: Value<'a>) -> Result<(), Status> {
        let request = self.request(request)?;
        let scale = self.scale(object)?;
        self.inner.validate(&request, scale)
    }

    fn take_warnings(&mut self) -> Vec<String> {
        self.inner.take_warnings()
    }
}
