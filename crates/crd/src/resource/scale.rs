//! The subresource `/scale` of custom resources (`ScaleREST` in apiextensions-apiserver's
//! pkg/registry/customresource/etcd.go): the CRD gives the paths of the numbers.

use kindsmith_gostd::quote::quote;
use kindsmith_json::{Arena, Value};
use kindsmith_request::{Admission, Outcome, Scale, ScaleSteps, ScaleWrite, Status, Write, WriteSteps};
use kindsmith_structural::ScalePaths;

use super::Resource;

/// Replicas that an object does not have (`UpdatedObject` of `scaleUpdatedObjectInfo`).
const UNSET: i64 = i32::MIN as i64;

impl Resource {
    /// The scale of an object in a version.
    ///
    /// # Errors
    ///
    /// If the version has no scale, or the object has no replicas at the CRD's path.
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

    /// The scale that a patch changes: replicas that the object does not have are unset.
    ///
    /// # Errors
    ///
    /// If the version has no scale.
    pub fn scale_to_patch<'a>(
        &self,
        arena: &'a Arena,
        version: &str,
        object: Value<'a>,
    ) -> Result<Value<'a>, Status> {
        let name = object.lookup(&["metadata", "name"]).and_then(Value::as_str);
        let paths = self
            .scale_paths(version)
            .ok_or_else(|| Status::not_found(&self.group, &self.plural, name.unwrap_or_default()))?;
        let (mut scale, is_set) = scale_of(arena, paths, object).map_err(Status::unforeseen)?;
        if !is_set {
            scale.set(arena, &["spec", "replicas"], Value::Int(UNSET));
        }
        Ok(scale)
    }

    /// Sets the replicas of the stored object; the response is a `Scale`.
    pub fn write_scale<'a>(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        scale: &ScaleWrite<'a>,
        admission: &mut dyn Admission<'a>,
    ) -> Outcome<'a> {
        kindsmith_request::write_scale(self, arena, write, scale, admission)
    }

    fn scale_paths(&self, version: &str) -> Option<&ScalePaths> {
        self.version(version)?.scale.as_ref()
    }
}

impl<'a> ScaleSteps<'a> for Resource {
    fn scale(&self, arena: &'a Arena, version: &str, object: Value<'a>) -> Result<Value<'a>, Status> {
        let paths = self.scale_paths(version);
        let paths = paths.ok_or_else(|| Status::internal("the resource has no scale"))?;
        let (scale, _) = scale_of(arena, paths, object).map_err(Status::bad_request)?;
        Ok(scale)
    }

    fn set_replicas(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        object: Value<'a>,
        replicas: i64,
    ) -> Result<Value<'a>, Status> {
        let paths = self.scale_paths(write.version);
        let paths = paths.ok_or_else(|| self.target().not_found(write))?;
        paths.values(object).map_err(Status::unforeseen)?;
        if replicas == UNSET {
            let path = quote(&paths.spec_replicas);
            return Err(Status::bad_request(format!(
                "the spec replicas field {path} cannot be empty"
            )));
        }
        let (mut object, replicas) = (object, i32::try_from(replicas).unwrap_or_default());
        paths
            .set_spec_replicas(arena, &mut object, replicas.into())
            .map_err(Status::unforeseen)?;
        Ok(object)
    }
}

/// The scale of an object, and whether the object specifies replicas.
fn scale_of<'a>(
    arena: &'a Arena,
    paths: &ScalePaths,
    object: Value<'a>,
) -> Result<(Value<'a>, bool), String> {
    let values = paths.values(object)?;
    let scale = Scale {
        // Replicas of a `Scale` have 32 bits; larger numbers are truncated, as in Go.
        replicas: (values.spec_replicas.unwrap_or_default() as i32).into(),
        status_replicas: (values.status_replicas as i32).into(),
        selector: values.selector,
    };
    Ok((scale.to_value(arena, object), values.spec_replicas.is_some()))
}
