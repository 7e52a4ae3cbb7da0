//! The subresource `/scale`: replicas and selector of an object, seen as an `autoscaling/v1` `Scale` (`ScaleREST` in
//! pkg/registry/core/replicationcontroller/storage and pkg/registry/apps/deployment/storage).

use kindsmith_json::{Arena, Entry as Member, Object, Path, Value};
use kindsmith_object::meta::ObjectMeta;
use kindsmith_object::{BadValue, Detail, ErrorKind, FieldError};
use kindsmith_request::{Admission, Body, FieldValidation, Outcome, Status, Write, Written, body, identity};

use crate::rule::{entries, number};
use crate::write::Entry;
use crate::{Draft, Kind, find_own, selector};

/// How an object that can be scaled selects its pods: by `spec.selector`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scaling {
    /// By labels alone.
    Labels,
    /// By a label selector.
    Selector,
}

/// A `Scale` that is written.
#[derive(Debug, Clone, Copy)]
pub struct ScaleWrite<'a> {
    /// Its metadata: the name must be that of the URL, a resource version is a condition.
    pub metadata: ObjectMeta<'a>,
    /// The desired number of replicas.
    pub replicas: i64,
    /// Whether it is a request's body, in which a uid is a condition.
    pub is_body: bool,
}

impl<'a> ScaleWrite<'a> {
    /// Reads a `Scale` from a request's body, with the warnings about it.
    ///
    /// # Errors
    ///
    /// The answer to a body that cannot be handled.
    pub fn read(
        arena: &'a Arena,
        bytes: Body<'a>,
        validation: FieldValidation,
    ) -> Result<(Self, Vec<String>), Status> {
        let kind = find_own("autoscaling", "v1", "Scale").ok_or_else(|| Status::internal("no kind Scale"))?;
        let (value, strict) = kind.read_body(arena, bytes, validation)?;
        Ok((Self::of(arena, value, true)?, body::warnings(strict)))
    }

    /// Takes a `Scale` that a patch resulted in.
    ///
    /// # Errors
    ///
    /// If its metadata is none.
    pub fn of(arena: &'a Arena, scale: Value<'a>, is_body: bool) -> Result<Self, Status> {
        Ok(ScaleWrite {
            metadata: Draft::of(arena, scale)?.meta,
            replicas: number(scale.lookup(&["spec", "replicas"])),
            is_body,
        })
    }
}

impl Kind {
    /// The scale of an object.
    ///
    /// # Errors
    ///
    /// If the kind has none.
    pub fn scale<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Result<Value<'a>, Status> {
        let (group, resource) = self.group_resource();
        let name = object.lookup(&["metadata", "name"]).and_then(Value::as_str);
        match self.strategy.scaling() {
            Some(scaling) => Ok(scale_of(arena, scaling, object)),
            None => Err(Status::not_found(group, resource, name.unwrap_or_default())),
        }
    }

    /// Sets the number of replicas of the old object of an update; the answer is a `Scale`.
    pub fn write_scale<'a>(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        scale: &ScaleWrite<'a>,
        admission: &mut dyn Admission<'a>,
    ) -> Outcome<'a> {
        let mut warnings = Vec::new();
        let result = self
            .scaled(arena, write, scale)
            .and_then(|draft| self.carry_out(arena, write, draft, Entry::Value, admission, &mut warnings))
            .and_then(|written| {
                let object = self.scale(arena, written.object)?;
                Ok(Written { object, ..written })
            });
        Outcome { result, warnings }
    }

    /// The old object with the number of replicas it is to have.
    fn scaled<'a>(
        &self,
        arena: &'a Arena,
        write: &Write<'a>,
        scale: &ScaleWrite<'a>,
    ) -> Result<Draft<'a>, Status> {
        let mut meta = scale.metadata;
        identity::settle_namespace(&mut meta, self.scope, write.namespace)?;
        identity::check_name(&meta, write.name)?;
        let old = write
            .operation
            .old()
            .filter(|_| self.strategy.scaling().is_some());
        let old = old.ok_or_else(|| self.no_such_object(write))?;
        if scale.replicas < 0 {
            let error = FieldError::new(
                ErrorKind::Invalid,
                Path::root("spec").child("replicas").to_owned(),
                BadValue::Integer(scale.replicas.into()),
                Detail::AtLeast("0".into()),
            );
            return Err(Status::invalid("autoscaling", "Scale", write.name, &[error]));
        }
        let mut draft = Draft::of(arena, old)?;
        if scale.is_body {
            self.check_uid(write, &meta, draft.meta.uid)?;
        }
        draft.set(arena, &["spec", "replicas"], Value::Int(scale.replicas));
        if !meta.resource_version.is_empty() {
            draft.meta.resource_version = meta.resource_version;
        }
        Ok(draft)
    }
}

fn scale_of<'a>(arena: &'a Arena, scaling: Scaling, object: Value<'a>) -> Value<'a> {
    let metadata = ["name", "namespace", "uid", "resourceVersion", "creationTimestamp"]
        .map(|key| (key, object.lookup(&["metadata", key])));
    let replicas = number(object.lookup(&["spec", "replicas"]));
    let found = object.lookup(&["spec", "selector"]).unwrap_or_default();
    let text = match scaling {
        Scaling::Selector => selector::to_text(found),
        Scaling::Labels => {
            let labels = entries(Some(found));
            let wrapped = members(arena, &[("matchLabels", Some(Value::Object(labels)))]);
            selector::to_text(wrapped)
        }
    };
    let spec = [("replicas", (replicas != 0).then_some(Value::Int(replicas)))];
    let status = [
        (
            "replicas",
            Some(Value::Int(number(object.lookup(&["status", "replicas"])))),
        ),
        (
            "selector",
            (!text.is_empty()).then(|| Value::Str(arena.alloc_str(&text))),
        ),
    ];
    members(
        arena,
        &[
            ("kind", Some("Scale".into())),
            ("apiVersion", Some("autoscaling/v1".into())),
            ("metadata", Some(members(arena, &metadata))),
            ("spec", Some(members(arena, &spec))),
            ("status", Some(members(arena, &status))),
        ],
    )
}

fn members<'a>(arena: &'a Arena, fields: &[(&'static str, Option<Value<'a>>)]) -> Value<'a> {
    let present: Vec<Member<'a>> = fields
        .iter()
        .filter_map(|&(key, value)| value.map(|value| Member { key, value }))
        .collect();
    Value::Object(Object::from_entries(arena, arena.alloc_slice_copy(&present)))
}
