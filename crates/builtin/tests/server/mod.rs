//! A small in-memory server for writes of built-in kinds, and the comparison of responses.

use std::collections::BTreeMap;
use std::sync::Arc;

use kindsmith_admission::access::{Authorizer, Decision, Question};
use kindsmith_admission::plugin::{Failed, KindResource, Review, Server as PluginServer};
use kindsmith_admission::{Alone, Caller, Plugin, Plugins, chain};
use kindsmith_builtin::{Declarative, Kind, own_kinds, read_scale};
use kindsmith_json::{Arena, Value, parse_str, to_string};
use kindsmith_object::Release;
use kindsmith_request::{
    Admission, AdmissionRequest, Body, FieldValidation, Media, Operation, Origin, Outcome, Pools, ScaleWrite,
    Stamp, Status, Write,
};

const ADMIN: &str =
    r#"{"username":"admin","uid":"<uid>","groups":["system:masters","system:authenticated"]}"#;

struct Requests<'a> {
    user: Value<'a>,
    arena: &'a Arena,
    /// What the recorded server had before; none for recordings of a server without it.
    fixtures: Option<Fixtures<'a>>,
    warnings: Vec<String>,
    declarative: Arc<Declarative>,
}

/// Objects, and the collections they were sent to.
struct Fixtures<'a>(&'a [Value<'a>]);

const FIXTURES: &str = include_str!("../../../../conformance/builtin/fixtures.json");

impl<'a> Fixtures<'a> {
    fn of(&self, group: &str, resource: &str, namespace: &str) -> Vec<Value<'a>> {
        let api = match group {
            "" => "/api/v1".to_owned(),
            group => format!("/apis/{group}/v1"),
        };
        let place = match namespace {
            "" => format!("{api}/{resource}"),
            namespace => format!("{api}/namespaces/{namespace}/{resource}"),
        };
        let fixtures = self.0.iter();
        let fixtures = fixtures.filter(|fixture| fixture.get("path") == Some(Value::Str(&place)));
        fixtures.filter_map(|fixture| fixture.get("body")).collect()
    }
}

impl Authorizer for Fixtures<'_> {
    fn authorize(&self, _: &Question, _: &str) -> Decision {
        Decision {
            is_allowed: true,
            ..Decision::default()
        }
    }
}

impl<'a> PluginServer<'a> for Fixtures<'a> {
    fn find(&self, group: &str, resource: &str, namespace: &str, name: &str) -> Option<Value<'a>> {
        let all = self.of(group, resource, namespace);
        let is_it = |object: &Value<'a>| object.lookup(&["metadata", "name"]) == Some(Value::Str(name));
        all.into_iter().find(is_it)
    }

    fn all(&self, group: &str, resource: &str, namespace: &str) -> Vec<Value<'a>> {
        self.of(group, resource, namespace)
    }

    fn resource(&self, _: &str, _: &str) -> Option<KindResource> {
        None
    }

    fn user(&self) -> &'static str {
        "admin"
    }

    fn groups(&self) -> &[String] {
        &[]
    }

    fn authorizer(&self) -> &dyn Authorizer {
        self
    }

    fn create(&self, _: &str, _: Value<'_>) -> Result<(), Failed> {
        Ok(())
    }

    fn replace(&self, _: &str, _: Value<'_>) -> Result<(), Failed> {
        Ok(())
    }

    fn now(&self) -> i64 {
        0
    }

    fn steady(&self) -> i128 {
        0
    }

    fn caller(&self) -> Option<&dyn Caller> {
        None
    }

    fn suffix(&self) -> &'a str {
        "abcde"
    }
}

/// The plugins whose effects are recorded: namespaces, certificates and quotas are not.
const PLUGINS: &[Plugin] = &[
    Plugin::ServiceAccount,
    Plugin::TaintNodesByCondition,
    Plugin::PodSecurity,
    Plugin::Priority,
    Plugin::DefaultTolerationSeconds,
    Plugin::StorageObjectInUseProtection,
    Plugin::RuntimeClass,
];

/// The range of the server that was recorded.
struct Recorded;

impl Pools for Recorded {
    fn address_ranges(&self) -> &[&str] {
        &["10.0.0.0/24"]
    }
}

impl<'a> Admission<'a> for Requests<'a> {
    /// The recorded server was started without `--allow-privileged`.
    fn allows_privileged(&self) -> bool {
        false
    }

    fn user_info(&self) -> Option<Value<'a>> {
        Some(self.user)
    }

    fn pools(&self) -> &dyn Pools {
        &Recorded
    }

    fn declarative(&self) -> Option<&Declarative> {
        Some(&self.declarative)
    }

    /// Whoever keeps managed fields drops entries of a client; they are not compared here.
    fn manage_fields(&mut self, request: &AdmissionRequest<'_, 'a>, object: Value<'a>) -> Value<'a> {
        let _ = request;
        match object.lookup(&["metadata", "managedFields"]) {
            None => object,
            Some(_) => {
                let mut object = object;
                object.unset(self.arena, &["metadata", "managedFields"]);
                object
            }
        }
    }

    fn mutate(&mut self, request: &AdmissionRequest<'_, 'a>, object: Value<'a>) -> Result<Value<'a>, Status> {
        let Some(fixtures) = &self.fixtures else {
            return Alone::new(self.arena).mutate(request, object);
        };
        let plugins = Plugins::only(PLUGINS);
        chain::mutate(
            &plugins,
            &Review::new(self.arena, request, fixtures, &plugins.settings),
            None,
            object,
        )
    }

    fn validate(&mut self, request: &AdmissionRequest<'_, 'a>, object: Value<'a>) -> Result<(), Status> {
        let Some(fixtures) = &self.fixtures else {
            return Ok(());
        };
        let plugins = Plugins::only(PLUGINS);
        let review = Review::new(self.arena, request, fixtures, &plugins.settings);
        let admitted = chain::validate(&plugins, &review, None, object);
        self.warnings.extend(review.into_warnings());
        admitted
    }

    fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }
}

/// Objects by path.
#[derive(Default, Clone)]
pub(crate) struct Server {
    objects: BTreeMap<String, String>,
    pub(crate) revision: u64,
    /// The UID of new objects, if it must look like one.
    uid: Option<&'static str>,
    /// Whether admission plugins are off.
    pub(crate) is_plain: bool,
    /// Counts differences between tags and hand-written rules.
    pub(crate) declarative: Arc<Declarative>,
    /// The release whose kinds are served; the newest if there is none.
    pub(crate) release: Option<Release>,
}

/// A placeholder for a random UID.
#[allow(dead_code, reason = "not every test needs uids that look like some")]
pub(crate) const UID: &str = "f81d4fae-7dec-41d0-a765-00a0c91e6bf6";

/// A request.
pub(crate) struct Step<'a> {
    pub(crate) method: &'a str,
    pub(crate) path: &'a str,
    pub(crate) query: &'a str,
    pub(crate) media: &'a str,
    pub(crate) body: String,
}

/// The object or collection of a request.
struct Target<'p> {
    kind: &'static Kind,
    namespace: &'p str,
    name: &'p str,
    subresource: &'p str,
}

fn target(path: &str, release: Release) -> Option<Target<'_>> {
    let mut parts = path.trim_start_matches('/').split('/');
    let group = match parts.next()? {
        "api" => "",
        _ => parts.next()?,
    };
    let version = parts.next()?;
    let rest: Vec<&str> = parts.collect();
    let (namespace, rest) = match &*rest {
        ["namespaces", namespace, rest @ ..] if !matches!(rest, [] | ["status" | "finalize"]) => {
            (*namespace, rest.to_vec())
        }
        rest => ("", rest.to_vec()),
    };
    let plural = *rest.first()?;
    let kind = own_kinds(release).iter().find(|kind| {
        *kind.names.group == *group && *kind.names.version == *version && *kind.names.plural == *plural
    })?;
    Some(Target {
        kind,
        namespace,
        name: rest.get(1).copied().unwrap_or_default(),
        subresource: rest.get(2).copied().unwrap_or_default(),
    })
}

impl Server {
    /// A server that starts at this revision.
    #[allow(dead_code, reason = "not every test counts from somewhere else than zero")]
    pub(crate) fn at(revision: u64) -> Server {
        Server {
            revision,
            uid: Some(UID),
            ..Server::default()
        }
    }

    /// Answers a request; `None` for requests that are not supported here.
    pub(crate) fn handle(&mut self, step: &Step<'_>) -> Option<(u16, String, Vec<String>)> {
        let target = target(step.path, self.release.unwrap_or(Release::NEWEST))?;
        let arena = Arena::new();
        let key = |name: &str| format!("{}{}/{name}", target.kind.key_prefix(), target.namespace);
        let old = self.objects.get(&key(target.name)).cloned();
        let old = old.map(|text| parse_str(&arena, arena.alloc_str(&text)).expect("it was stored"));
        if step.method == "DELETE" {
            self.objects.remove(&key(target.name));
            return None;
        }
        let operation = match (step.method, target.subresource) {
            ("POST", "") => Operation::Create,
            ("PUT" | "PATCH", "" | "scale") => Operation::Update { old },
            ("PUT" | "PATCH", "status") => Operation::UpdateStatus { old },
            ("PUT" | "PATCH", subresource) => Operation::UpdateSubresource {
                subresource: arena.alloc_str(subresource),
                old,
            },
            _ => return None,
        };
        let strict = step.query.contains("fieldValidation=Strict");
        let write = Write {
            version: arena.alloc_str(&target.kind.names.version),
            operation,
            namespace: arena.alloc_str(target.namespace),
            name: arena.alloc_str(target.name),
            field_validation: match () {
                () if strict => FieldValidation::Strict,
                () if step.query.contains("fieldValidation=Ignore") => FieldValidation::Ignore,
                () => FieldValidation::Warn,
            },
            is_dry_run: step.query.contains("dryRun=All"),
            stamp: Stamp {
                uid: self.uid.unwrap_or("<uid>"),
                now: "2026-01-01T00:00:00Z",
                name_suffix: "abcde",
            },
        };
        let fixtures = self
            .uid
            .filter(|_| !self.is_plain)
            .map(|_| parse_str(&arena, FIXTURES).expect("fixtures are JSON"));
        let fixtures = fixtures.and_then(Value::as_array).map(Fixtures);
        let admission = Requests {
            user: parse_str(&arena, ADMIN).expect("it is JSON"),
            arena: &arena,
            fixtures,
            warnings: Vec::new(),
            declarative: Arc::clone(&self.declarative),
        };
        let outcome = send(admission, &target, &write, step)?;
        let is_dry = step.query.contains("dryRun=All");
        let result = outcome.result;
        let (status, text) = match result {
            Err(status) => (status.code, to_string(status.to_value(&arena))),
            Ok(written) => {
                self.revision += 1;
                let (mut stored, mut answer) = (written.stored, written.object);
                let revision = Value::Str(arena.alloc_str(&self.revision.to_string()));
                let name = stored.lookup(&["metadata", "name"]).and_then(Value::as_str);
                stored.set(&arena, &["metadata", "resourceVersion"], revision);
                if !is_dry {
                    answer.set(
                        &arena,
                        &["metadata", "resourceVersion"],
                        Value::Str("<resourceVersion>"),
                    );
                    self.objects
                        .insert(key(name.unwrap_or_default()), to_string(stored));
                }
                let is_new = write.operation.old().is_none();
                (if is_new { 201 } else { 200 }, to_string(answer))
            }
        };
        let warnings = outcome.warnings.iter().map(ToString::to_string);
        Some((status, text, warnings.collect()))
    }
}

fn send<'a>(
    admission: Requests<'a>,
    target: &Target<'_>,
    write: &Write<'a>,
    step: &Step<'_>,
) -> Option<Outcome<'a>> {
    let (arena, mut admission) = (admission.arena, admission);
    let text: &'a str = arena.alloc_str(&step.body);
    let body = Body {
        bytes: text.as_bytes(),
        media: match step.media {
            "application/yaml" => Media::Yaml,
            _ => Media::Json,
        },
    };
    let refuse = |status: Status| Outcome {
        result: Err(status),
        warnings: Vec::new(),
    };
    let kind = target.kind;
    if step.method != "PATCH" {
        if target.subresource != "scale" {
            return Some(kind.write(arena, write, body, &mut admission));
        }
        return Some(match read_scale(arena, body, write.field_validation) {
            Ok((scale, _)) => kind.write_scale(arena, write, &scale, &mut admission),
            Err(status) => refuse(status),
        });
    }
    if !matches!(
        step.media,
        "application/merge-patch+json" | "application/strategic-merge-patch+json"
    ) {
        return None;
    }
    let patch = parse_str(arena, text).ok()?;
    let old = write.operation.old()?;
    if target.subresource == "scale" {
        let patched = merge(arena, kind.scale(arena, old).ok()?, patch);
        let scale = ScaleWrite::of(arena, patched, false).ok()?;
        return Some(kind.write_scale(arena, write, &scale, &mut admission));
    }
    if step.media == "application/strategic-merge-patch+json" {
        return None;
    }
    let patched = merge(arena, old, patch);
    let origin = Origin::Patch {
        object: patched,
        text: arena.alloc_str(&to_string(patched)),
        strict: &[],
    };
    Some(kind.write(arena, write, origin, &mut admission))
}

/// A JSON merge patch.
fn merge<'a>(arena: &'a Arena, old: Value<'a>, patch: Value<'a>) -> Value<'a> {
    let Value::Object(changes) = patch else {
        return patch;
    };
    let mut merged = old.as_object().unwrap_or_default();
    for (key, change) in changes {
        match change {
            Value::Null => merged.remove(arena, key),
            change => {
                let before = merged.get(key).unwrap_or_default();
                merged.insert(arena, key, merge(arena, before, change))
            }
        };
    }
    Value::Object(merged)
}

/// What two answers are compared by: volatile values and managed fields are left out.
#[allow(dead_code, reason = "not every test compares answers")]
fn normal<'a>(arena: &'a Arena, value: Value<'a>) -> Value<'a> {
    const VOLATILE: [&str; 6] = [
        "uid",
        "creationTimestamp",
        "deletionTimestamp",
        "time",
        "lastTransitionTime",
        "lastUpdateTime",
    ];
    match value {
        Value::Array(items) => {
            let items: Vec<Value<'a>> = items.iter().map(|&item| normal(arena, item)).collect();
            Value::Array(arena.alloc_slice_copy(&items))
        }
        Value::Object(object) => {
            let mut kept = kindsmith_json::Object::EMPTY;
            for (key, value) in object {
                // The store sets the version.
                if matches!(key, "managedFields" | "resourceVersion") {
                    continue;
                }
                let is_volatile =
                    VOLATILE.contains(&key) && value.as_str().is_some_and(|text| !text.is_empty());
                let value = if is_volatile {
                    Value::Str("<volatile>")
                } else {
                    normal(arena, value)
                };
                kept.insert(arena, key, value);
            }
            Value::Object(kept)
        }
        scalar => scalar,
    }
}

/// Several causes come in no fixed order from the reference.
#[allow(dead_code, reason = "not every test compares answers")]
pub(crate) fn unordered(text: &str) -> String {
    let arena = Arena::new();
    let mut value = normal(&arena, parse_str(&arena, text).expect("answers are JSON"));
    let causes = value.lookup(&["details", "causes"]).and_then(Value::as_array);
    if let Some(causes) = causes.filter(|causes| causes.len() > 1) {
        let mut texts: Vec<String> = causes.iter().map(|cause| to_string(*cause)).collect();
        texts.sort_unstable();
        let texts = Value::Str(arena.alloc_str(&texts.join("\n")));
        value.set(&arena, &["details", "causes"], texts);
        let message = value.get("message").and_then(Value::as_str).unwrap_or_default();
        let head = message.split(" is invalid: ").next().unwrap_or_default();
        value.set(&arena, &["message"], Value::Str(head));
    }
    to_string(value)
}

#[allow(dead_code, reason = "not every test sends recorded bodies as they were")]
/// JSON as the recorder sent it: with a space after commas and colons.
pub(crate) fn spaced(value: Value<'_>) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| spaced(*item)).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(object) => {
            let member = |(key, value)| format!("{}: {}", to_string(Value::Str(key)), spaced(value));
            let members: Vec<String> = object.iter().map(member).collect();
            format!("{{{}}}", members.join(", "))
        }
        scalar => to_string(scalar),
    }
}
