//! Steps on custom resources.

use kindsmith_conformance::Step;
use kindsmith_crd::{
    Body, FieldValidation, Media, NoAdmission, Operation, Origin, Outcome, Resource, ScaleWrite, Status,
    Write,
};
use kindsmith_json::{Value, to_string};
use kindsmith_object::meta::{self, Malformed, UnknownFields};

use super::patch;
use super::url::{Place, Url};
use super::world::{Key, World};
use super::{Answer, Done, Left};

/// One step on a resource.
struct Request<'w, 'a> {
    world: &'w mut World<'a>,
    step: Step<'a>,
    url: Url,
    resource: &'a Resource,
    version: &'a str,
    key: Key,
    subresource: String,
    validation: FieldValidation,
}

pub(crate) fn run<'a>(world: &mut World<'a>, step: Step<'a>, url: Url) -> Done<'a> {
    let Place::Objects {
        group,
        version,
        namespace,
        plural,
        name,
        subresource,
    } = url.place.clone()
    else {
        return Err(Left::Other);
    };
    let resource = world.resource(&group, &plural).ok_or(Left::NotServed)?;
    let is_namespaced = resource.scope == kindsmith_object::meta::Scope::Namespaced;
    let served = resource
        .version(&version)
        .is_some_and(|version| version.is_served);
    if !served || is_namespaced == namespace.is_empty() {
        return Err(Left::NotServed);
    }
    let version = world.arena.alloc_str(&version);
    let request = Request {
        key: (group, plural, namespace, name),
        world,
        step,
        url,
        resource,
        version,
        subresource,
        validation: FieldValidation::Warn,
    };
    request.run()
}

impl<'a> Request<'_, 'a> {
    fn run(mut self) -> Done<'a> {
        if !self.step.accept().is_empty() {
            return Err(Left::Representation);
        }
        match self.url.field_validation(self.step.method()) {
            Ok(validation) => self.validation = validation,
            Err(status) => return Ok(self.refusal(status, Vec::new())),
        }
        let is_collection = self.key.3.is_empty();
        match (self.step.method(), &*self.subresource) {
            ("POST", "") if is_collection => self.create(),
            ("GET", "" | "status") if !is_collection => self.get(),
            ("PUT", "" | "status") => self.put(),
            ("PATCH", "" | "status") => self.patch(),
            ("DELETE", "") => self.delete(),
            ("GET", "scale") => self.get_scale(),
            ("PUT" | "PATCH", "scale") => self.write_scale(),
            ("GET", _) => Err(Left::List),
            _ => Err(self.leave(Left::Other)),
        }
    }

    /// Skips a step; the recorded response becomes the current state.
    fn leave(&mut self, left: Left) -> Left {
        let answer = self.step.answer();
        let is_object = answer.get("kind").and_then(Value::as_str) == Some(&self.resource.kind);
        if is_object && self.step.status() < 300 && self.url.parameter("dryRun").is_empty() {
            let name = answer.lookup(&["metadata", "name"]).and_then(Value::as_str);
            let mut key = self.key.clone();
            key.3 = name.unwrap_or_default().to_owned();
            self.world.adopt(self.resource, key, answer);
        }
        left
    }

    fn write(&mut self, operation: Operation<'a>) -> Result<Write<'a>, Left> {
        let arena = self.world.arena;
        Ok(Write {
            version: self.version,
            operation,
            namespace: arena.alloc_str(&self.key.2),
            name: arena.alloc_str(&self.key.3),
            field_validation: self.validation,
            is_dry_run: false,
            stamp: self.world.stamp(),
        })
    }

    fn text(&self) -> &'a str {
        self.world.fill(&self.step.body().unwrap_or_default())
    }

    fn body(&self) -> Result<Body<'a>, Left> {
        let text = self.text();
        let media = match self.step.media().unwrap_or("application/json") {
            "application/json" => Media::Json,
            "application/yaml" => Media::Yaml,
            _ => return Err(Left::Representation),
        };
        Ok(Body {
            bytes: text.as_bytes(),
            media,
        })
    }

    fn create(&mut self) -> Done<'a> {
        let write = self.write(Operation::Create)?;
        let body = self.body()?;
        let outcome = self
            .resource
            .write(self.world.arena, &write, body, &mut NoAdmission);
        self.answer(outcome, 201)
    }

    fn old(&self) -> Option<Value<'a>> {
        self.world.read(self.resource, &self.key, self.version)
    }

    fn operation(&self) -> Operation<'a> {
        let old = self.old();
        match &*self.subresource {
            "status" => Operation::UpdateStatus { old },
            _ => Operation::Update { old },
        }
    }

    fn put(&mut self) -> Done<'a> {
        let write = self.write(self.operation())?;
        let body = self.body()?;
        let outcome = self
            .resource
            .write(self.world.arena, &write, body, &mut NoAdmission);
        self.answer(outcome, 200)
    }

    fn patch(&mut self) -> Done<'a> {
        let arena = self.world.arena;
        let Some(old) = self.old() else {
            return Err(self.leave(Left::Patch));
        };
        let text = self.text();
        let parsed = kindsmith_json::read::read(arena, text.as_bytes(), kindsmith_json::Options::default());
        let Ok(patch) = parsed else {
            return Err(self.leave(Left::Patch));
        };
        let is_plain = patch.duplicates.is_empty();
        let patched = match self.step.media().unwrap_or("application/json") {
            "application/merge-patch+json" if patch.value.as_object().is_none() => None,
            "application/merge-patch+json" => Some(patch::merge(arena, old, patch.value)),
            "application/json-patch+json" if is_plain => patch::operations(arena, old, patch.value),
            "application/apply-patch+yaml" => return Err(self.leave(Left::Apply)),
            _ => None,
        };
        let Some(patched) = patched else {
            return Err(self.leave(Left::Patch));
        };
        let strict = patch.duplicates.iter();
        let strict: Vec<&str> = strict
            .map(|twice| &*arena.alloc_str(&twice.to_string()))
            .collect();
        let origin = Origin::Patch {
            object: patched,
            text: arena.alloc_str(&to_string(patched)),
            strict: arena.alloc_slice_copy(&strict),
        };
        let write = self.write(self.operation())?;
        let outcome = self.resource.write(arena, &write, origin, &mut NoAdmission);
        self.answer(outcome, 200)
    }

    fn get(&mut self) -> Done<'a> {
        let version = self.resource.version(self.version);
        let is_there = self.subresource.is_empty() || version.is_some_and(|version| version.has_status);
        let found = self.old().filter(|_| is_there);
        let missing = || Status::not_found(&self.resource.group, &self.resource.plural, &self.key.3);
        Ok(match found {
            Some(body) => self.with_deprecation(200, body, Vec::new()),
            None => self.refusal(missing(), Vec::new()),
        })
    }

    fn get_scale(&mut self) -> Done<'a> {
        let Some(object) = self.old() else {
            return Err(Left::Other);
        };
        Ok(
            match self.resource.scale(self.world.arena, self.version, object) {
                Ok(scale) => self.with_deprecation(200, scale, Vec::new()),
                Err(status) => self.refusal(status, Vec::new()),
            },
        )
    }

    fn scale_of(&self, object: Value<'a>) -> Value<'a> {
        let scale = self.resource.scale(self.world.arena, self.version, object);
        scale.unwrap_or_default()
    }

    fn write_scale(&mut self) -> Done<'a> {
        let arena = self.world.arena;
        let Some(old) = self.old() else {
            return Err(Left::Other);
        };
        let text = self.text();
        let Ok(sent) = kindsmith_json::parse_str(arena, text) else {
            return Err(Left::Patch);
        };
        let scale = match self.step.media().unwrap_or("application/json") {
            "application/json" => sent,
            "application/merge-patch+json" => patch::merge(arena, self.scale_of(old), sent),
            "application/json-patch+json" => {
                patch::operations(arena, self.scale_of(old), sent).ok_or(Left::Patch)?
            }
            _ => return Err(Left::Patch),
        };
        let is_body = self.step.method() == "PUT";
        let kind = (scale.get("apiVersion"), scale.get("kind"));
        let replicas = match scale.lookup(&["spec", "replicas"]) {
            None if !is_body && self.scale_of(old).lookup(&["spec", "replicas"]).is_none() => i32::MIN.into(),
            None => 0,
            Some(Value::Int(replicas)) => replicas,
            // A `Scale` is decoded as a built-in kind.
            Some(_) => return Err(Left::Native),
        };
        if !matches!(kind, (None, None)) && kind != (Some("autoscaling/v1".into()), Some("Scale".into())) {
            return Err(Left::Native);
        }
        let metadata = scale.get("metadata").unwrap_or_default();
        let metadata = meta::decode(arena, metadata, Malformed::Refuse, UnknownFields::Ignore);
        let scale = ScaleWrite {
            metadata: metadata.expect("recorded metadata is well-formed").meta,
            replicas,
            is_body,
        };
        let write = self.write(Operation::Update { old: Some(old) })?;
        let outcome = self.resource.write_scale(arena, &write, &scale, &mut NoAdmission);
        self.answer(outcome, 200)
    }

    fn delete(&mut self) -> Done<'a> {
        let answer = self.step.answer();
        let is_held = answer.lookup(&["metadata", "finalizers"]).is_some();
        if self.step.status() == 200 && self.url.parameter("dryRun").is_empty() {
            if is_held {
                return Err(self.leave(Left::Delete));
            }
            self.world.remove(&self.key);
        }
        Err(Left::Delete)
    }

    fn answer(&mut self, outcome: Outcome<'a>, success: u16) -> Done<'a> {
        let Outcome { result, warnings } = outcome;
        let warnings = warnings.iter().map(ToString::to_string).collect();
        let written = match result {
            Ok(written) => written,
            Err(status) => return Ok(self.refusal(status, warnings)),
        };
        let mut key = self.key.clone();
        let name = written
            .object
            .lookup(&["metadata", "name"])
            .and_then(Value::as_str);
        key.3 = name.unwrap_or_default().to_owned();
        if success == 201 && self.world.contains(&key) {
            let status = Status::already_exists(&self.resource.group, &self.resource.plural, &key.3);
            return Ok(self.refusal(status, warnings));
        }
        let mut body = written.object;
        if self.url.parameter("dryRun").is_empty() {
            let revision = self.world.store(key.clone(), written.stored);
            self.world.set_revision(&mut body, revision);
            if written.is_removed {
                self.world.remove(&key);
            }
        } else if success == 200 {
            self.world.set_revision(&mut body, 1);
        }
        Ok(self.with_deprecation(success, body, warnings))
    }

    fn refusal(&self, status: Status, warnings: Vec<String>) -> Answer<'a> {
        let status: &'a Status = self.world.arena.alloc(status);
        let body = status.to_value(self.world.arena);
        self.with_deprecation(status.code, body, warnings)
    }

    fn with_deprecation(&self, status: u16, body: Value<'a>, warnings: Vec<String>) -> Answer<'a> {
        let version = self.resource.version(self.version);
        let deprecation = version.and_then(|version| version.deprecation_warning.clone());
        Answer {
            status,
            body,
            warnings: deprecation.into_iter().chain(warnings).collect(),
        }
    }
}
