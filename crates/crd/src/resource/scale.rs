//! The subresource `/scale`: replicas and selector of an object, seen as an `autoscaling/v1` `Scale`
//! (`ScaleREST` in apiextensions-apiserver's pkg/registry/customresource/etcd.go).

use kindsmith_gostd::quote::quote;
use kindsmith_json::{Arena, Entry as Member, Object, Value};
use kindsmith_object::meta::ObjectMeta;
use kindsmith_request::{Admission, Operation, Outcome, Status, Write, Written, identity};
use kindsmith_structural::ScalePaths;

use super::Resource;
use super::coerce::Item;
use super::write::Entry;

/// A `Scale` that is written.
#[derive(Debug, Clone, Copy)]
pub struct ScaleWrite<'a> {
    /// Its metadata: the name must be that of the URL, a resource version is a condition.
    pub metadata: ObjectMeta<'a>,
    /// The desired number of replicas. A body that leaves it out says zero; none is for a patch that leaves out what the
    /// object does not have.
    pub replicas: Option<i32>,
    /// Whether it is a request's body, in which a uid is a condition.
    pub is_body: bool,
}

impl Resource {
    /// The scale of an object in a version.
    ///
    /// # Errors
    ///
    /// If the version has no scale, or the object no number of replicas where the definition says.
    pub fn scale<'a>(&self, arena: &'a Arena, version: &str, object: Value<'a>) -> Result<Value<'a>, Status> {
        let name = object.lookup(&["metadata", "name"]).and_then(Value::as_str);
        let paths = self
            .scale_paths(version)
            .ok_or_else(|| Status::not_found(&self.group, &self.plural, name.unwrap_or_default()))?;
        let (scale, is_set) = scale_of(arena, paths, object).map_err(Status::unforeseen)?;
        if !is_set {
            let path = quote(&paths.spec_replicas);
            return Err(Status::internal(&format!(
                "the spec replicas field {path} does not exist"
            )));
        }
        Ok(scale)
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
            .and_then(|item| self.carry_out(arena, write, item, Entry::Value, admission, &mut warnings))
            .and_then(|written| self.answer_scale(arena, write, written));
        Outcome { result, warnings }
    }

    /// The old object with the number of replicas it is to have.
    fn scaled<'a>(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        scale: &ScaleWrite<'a>,
    ) -> Result<Item<'a>, Status> {
        let mut meta = scale.metadata;
        identity::settle_namespace(&mut meta, self.scope, write.namespace)?;
        identity::check_name(&meta, write.name)?;
        let (
            Some(paths),
            Operation::Update {
                old: Some(mut object),
            },
        ) = (self.scale_paths(write.version), write.operation)
        else {
            return Err(self.no_such_object(write));
        };
        paths.values(object).map_err(Status::unforeseen)?;
        let Some(replicas) = scale.replicas else {
            let path = quote(&paths.spec_replicas);
            return Err(Status::bad_request(format!(
                "the spec replicas field {path} cannot be empty"
            )));
        };
        paths
            .set_spec_replicas(arena, &mut object, replicas.into())
            .map_err(Status::unforeseen)?;
        let object = object.as_object().unwrap_or_default();
        let mut item = Item::of(arena, object).map_err(Status::unforeseen)?;
        if scale.is_body {
            identity::check_uid(self.names(), &meta, &item.meta)?;
        }
        if !meta.resource_version.is_empty() {
            item.meta.resource_version = meta.resource_version;
        }
        Ok(item)
    }

    fn answer_scale<'a>(
        &self,
        arena: &'a Arena,
        write: &Write<'a>,
        written: Written<'a>,
    ) -> Result<Written<'a>, Status> {
        let paths = self
            .scale_paths(write.version)
            .ok_or_else(|| self.no_such_object(write))?;
        let (object, _) = scale_of(arena, paths, written.object).map_err(Status::bad_request)?;
        Ok(Written { object, ..written })
    }

    fn scale_paths(&self, version: &str) -> Option<&ScalePaths> {
        self.version(version)?.scale.as_ref()
    }
}

/// The scale of an object, and whether it says how many replicas there shall be.
fn scale_of<'a>(
    arena: &'a Arena,
    paths: &ScalePaths,
    object: Value<'a>,
) -> Result<(Value<'a>, bool), String> {
    let values = paths.values(object)?;
    let selector = values.selector;
    // The numbers of a Scale have 32 bits; what is beyond is cut off.
    let replicas = values.spec_replicas.unwrap_or_default() as i32;
    let metadata = ["name", "namespace", "uid", "resourceVersion", "creationTimestamp"]
        .map(|key| (key, object.lookup(&["metadata", key])));
    let spec = [("replicas", (replicas != 0).then_some(replicas.into()))];
    let status = [
        ("replicas", Some((values.status_replicas as i32).into())),
        ("selector", (!selector.is_empty()).then_some(selector.into())),
    ];
    let scale = members(
        arena,
        &[
            ("kind", Some("Scale".into())),
            ("apiVersion", Some("autoscaling/v1".into())),
            ("metadata", Some(members(arena, &metadata))),
            ("spec", Some(members(arena, &spec))),
            ("status", Some(members(arena, &status))),
        ],
    );
    Ok((scale, values.spec_replicas.is_some()))
}

fn members<'a>(arena: &'a Arena, fields: &[(&'static str, Option<Value<'a>>)]) -> Value<'a> {
    let present: Vec<Member<'a>> = fields
        .iter()
        .filter_map(|&(key, value)| value.map(|value| Member { key, value }))
        .collect();
    Value::Object(Object::from_entries(arena, arena.alloc_slice_copy(&present)))
}
