//! Objects of kinds that are stored in another version than they are served in, with other fields.

use kindsmith_json::{Arena, Value};
use kindsmith_request::{DecodedObject, Status};

use crate::{Kind, find_own};

impl Kind {
    /// An object of this kind in any version of the server's own, in this version.
    pub fn convert<'a>(&'a self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let version = object
            .get("apiVersion")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let version = version.rsplit('/').next().unwrap_or_default();
        match find_own(self.release, &self.names.group, version, &self.names.kind) {
            Some(from) if from.names.version != self.names.version => {
                self.as_served(arena, from.to_checked(arena, object))
            }
            _ => object,
        }
    }

    /// The kind whose rules objects are checked by: the stored version if fields differ, as the reference checks objects of
    /// all versions in one form.
    pub(crate) fn checked(&self) -> &Kind {
        match (self.strategy.conversion(), &self.storage) {
            (Some(_), Some(storage)) => storage,
            _ => self,
        }
    }

    /// The object in the form in which it is checked.
    pub(crate) fn to_checked<'a>(&'a self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let (checked, Some(conversion)) = (self.checked(), self.strategy.conversion()) else {
            return object;
        };
        if is_of(object, checked) {
            return object;
        }
        let converted = checked.with_type(arena, (conversion.to_storage)(arena, object));
        checked.plan().encoded(arena, converted)
    }

    /// The object in the form in which it is served.
    pub(crate) fn as_served<'a>(&'a self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let Some(conversion) = self.strategy.conversion() else {
            return object;
        };
        if !is_of(object, self.checked()) {
            return object;
        }
        let converted = self.with_type(arena, (conversion.from_storage)(arena, object));
        self.plan().encoded(arena, self.defaulted(arena, converted))
    }

    /// The stored object in the form in which it is checked.
    pub(crate) fn old_to_checked<'a>(
        &'a self,
        arena: &'a Arena,
        old: Option<&DecodedObject<'a>>,
    ) -> Result<Option<DecodedObject<'a>>, Status> {
        old.map(|old| self.decoded_to_checked(arena, old)).transpose()
    }

    /// A decoded object in the form in which it is checked.
    pub(crate) fn decoded_to_checked<'a>(
        &'a self,
        arena: &'a Arena,
        object: &DecodedObject<'a>,
    ) -> Result<DecodedObject<'a>, Status> {
        let mut object = *object;
        if self.strategy.conversion().is_none() {
            return Ok(object);
        }
        object.write_back(arena, kindsmith_object::meta::KeyOrder::Go);
        let converted = self.to_checked(arena, object.value());
        DecodedObject::of(arena, converted).map_err(|error| Status::internal(&error.to_string()))
    }
}

fn is_of(object: Value<'_>, kind: &Kind) -> bool {
    let version = object.get("apiVersion").and_then(Value::as_str);
    version == Some(&kind.names.api_version())
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, parse_str, to_string};

    use crate::find_own;

    #[test]
    fn objects_have_the_fields_of_each_version() {
        let arena = Arena::new();
        let kind = |version| {
            find_own(
                kindsmith_object::Release::NEWEST,
                "autoscaling",
                version,
                "HorizontalPodAutoscaler",
            )
            .expect("it is served")
        };
        let text = r#"{"kind":"HorizontalPodAutoscaler","apiVersion":"autoscaling/v1","metadata":{"name":"a"},"spec":{"scaleTargetRef":{"kind":"D","name":"d"},"minReplicas":1,"maxReplicas":3,"targetCPUUtilizationPercentage":5},"status":{"currentReplicas":0,"desiredReplicas":0}}"#;
        let object = parse_str(&arena, text).expect("it is JSON");
        let newer = kind("v2").convert(&arena, object);
        let usage = ["resource", "target", "averageUtilization"];
        let metric = newer
            .lookup(&["spec", "metrics"])
            .and_then(|metrics| metrics.at(0));
        assert_eq!(metric.and_then(|metric| metric.lookup(&usage)), Some(5.into()));
        assert_eq!(to_string(kind("v1").convert(&arena, newer)), text);
        assert_eq!(to_string(kind("v1").convert(&arena, object)), text);
    }
}
