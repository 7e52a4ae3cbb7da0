//! What one pass would do, computed without any call: the difference found by the merge engine, as requests to the
//! service.

mod labels;
mod mask;

use kindsmith_gostd::url::escape_parameter;
use kindsmith_json::{Arena, Object, Value, parse_str, to_string};
use kindsmith_merge::effective::{
    Batch, Change, Desired, Effective, FieldPath, Ignored, Listing, Method, Step, Strategy, UNMANAGED,
    apply_changes, batches, body, effective, ignores_unspecified,
};

use crate::Json;
use crate::field_map::{Convert, Field, change_to_api, to_api, to_spec};
use crate::kind::{Ids, Kind, Update};
use crate::memory::{Memory, Ownership};
use crate::moved::moved;
use crate::strangers::strangers;
use labels::{Labels, labeled};

/// Field managers that are controllers, not users.
const CONTROLLERS: [&str; 2] = ["cnrm-controller-manager", "kindsmith-controller"];

/// The changes to make.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The object with its effective spec.
    pub effective: Json,
    /// Fields that keep their live values.
    pub kept: Vec<KeptField>,
    /// Fields to change.
    pub set: Vec<String>,
    /// Those of them that the object does not set: the kind declares their value.
    pub declared: Vec<String>,
    /// Fields that are no longer set from the object.
    pub released: Vec<String>,
    /// Requested changes that are ignored.
    pub ignored: Vec<Ignored>,
    /// Requested changes that are impossible.
    pub refused: Vec<Ignored>,
    /// Fields that the object sets, to be remembered.
    pub specified: Vec<String>,
    /// Lists with a hash, to be remembered.
    pub lists: Vec<(String, String)>,
    /// Request bodies, in order. The live resource must be read again after each.
    pub requests: Vec<Payload>,
    /// A hash of the changes and differences: if it repeats, the service does not make the change.
    pub digest: String,
}

/// A field that keeps its live value.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptField {
    /// The field.
    pub path: String,
    /// Its live value.
    pub value: Json,
    /// Why.
    pub by: String,
}

impl Plan {
    /// What a request means for fields once the service has carried it out: those that it sets, and those that did not
    /// differ, are set from the object; those that it removes are not any more.
    pub(crate) fn ownership(&self, request: &Payload) -> Ownership {
        let parse = |texts: &[String]| -> Vec<FieldPath> {
            let paths = texts.iter().filter_map(|text| FieldPath::parse(text).ok());
            paths.collect()
        };
        let (all, sent, removed) = (parse(&self.set), parse(&request.fields), parse(&request.removes));
        let is_done = |text: &&String| {
            FieldPath::parse(text).is_ok_and(|path| is_near(&path, &sent) || !is_near(&path, &all))
        };
        let released = self.released.iter().chain(&request.removes);
        Ownership {
            adds: self.specified.iter().filter(is_done).cloned().collect(),
            frees: released
                .filter(|text| FieldPath::parse(text).is_ok_and(|path| is_near(&path, &removed)))
                .cloned()
                .collect(),
            sends: self
                .lists
                .iter()
                .filter(|(path, _)| is_done(&path))
                .cloned()
                .collect(),
        }
    }
}

/// Whether a path is equal to, above or below one of these.
fn is_near(path: &FieldPath, others: &[FieldPath]) -> bool {
    others.iter().any(|other| {
        let mut pairs = path.steps().iter().zip(other.steps());
        pairs.all(|(one, other)| one == other)
    })
}

/// The body of one request.
#[derive(Debug, Clone, PartialEq)]
pub struct Payload {
    /// Whether the body is the whole resource.
    pub whole: bool,
    /// The body.
    pub body: Json,
    /// The fields it changes.
    pub fields: Vec<String>,
    /// Those of them that it removes.
    pub removes: Vec<String>,
    /// The query of its path.
    pub query: Option<String>,
    /// The resource it is sent to, with an action, if not the one that is created or changed.
    pub action: Option<(String, &'static str)>,
}

/// Plans the changes for an object whose references are resolved. `live` is the API's resource, `resend` are secrets that
/// have changed since they were sent.
#[must_use]
pub fn plan(kind: &Kind, object: &Json, live: Option<&Json>, memory: &Memory, resend: &[String]) -> Plan {
    let arena = Arena::new();
    let known = memory.identity.as_deref().filter(|_| live.is_some());
    let moved = known.map_or_else(Vec::new, |identity| moved(kind, object, identity));
    let strangers = strangers(kind, object);
    let object = &*labeled(kind, object);
    let parse = |json: &Json| parse_str(&arena, arena.alloc_str(&json.to_string())).unwrap_or_default();
    let (object, raw) = (parse(object), live.map(parse));
    let mut bad = Vec::new();
    let (listing, ignored) = Listing::of_object(object, &kind.schema, &kind.attributes);
    bad.extend(ignored);
    let (unmanaged, ignored) = Listing::of_annotations(&[UNMANAGED], object, &kind.schema, &kind.attributes);
    bad.extend(ignored);
    let mut applied = Listing::default();
    for path in memory
        .applied
        .iter()
        .filter_map(|text| FieldPath::parse(text).ok())
    {
        applied.insert(&path);
    }
    let live = raw.map(|raw| shown(&arena, kind, object, raw));
    let sent: Vec<(String, String)> = memory.sent.clone().into_iter().collect();
    let desired = Desired {
        controllers: &CONTROLLERS,
        applied: &applied,
        resend,
        sent: &sent,
        ignores_unspecified: ignores_unspecified(object),
        ..Desired::new(object, &unmanaged)
    };
    let result = effective(&arena, &desired, live, &listing, &kind.schema, &kind.attributes);
    bad.extend(result.ignored.iter().cloned());
    bad.extend(strangers);
    let labels = Labels::of(&arena, kind, object, raw, memory);
    let requests = match raw {
        Some(raw) => updates(&arena, kind, &result, live.unwrap_or_default(), raw, &labels),
        None => vec![creation(&arena, kind, &result, object, &labels)],
    };
    Plan {
        effective: json(result.object),
        kept: result
            .kept
            .iter()
            .map(|kept| KeptField {
                path: kept.path.clone(),
                value: json(kept.value),
                by: kept.by.to_string(),
            })
            .collect(),
        set: result
            .set
            .iter()
            .chain(&labels.changes)
            .map(|change| change.path.to_string())
            .collect(),
        digest: digest(&result, &labels),
        declared: result.declared,
        lists: result.lists,
        released: result.released,
        ignored: bad,
        refused: moved.into_iter().chain(result.refused).collect(),
        specified: result.specified.into_iter().chain(labels.specified).collect(),
        requests,
    }
}

/// The live resource in the form of the object.
fn shown<'a>(arena: &'a Arena, kind: &Kind, object: Value<'a>, raw: Value<'a>) -> Value<'a> {
    let mut spec = to_spec(arena, kind.fields, raw);
    // What the service does not know cannot differ from what it has.
    let unknown = kind
        .fields
        .iter()
        .filter(|field| field.convert == Convert::Nothing);
    for field in unknown {
        let wanted = object.get("spec").and_then(|spec| spec.lookup(field.spec));
        if let Some(wanted) = wanted {
            spec.set(arena, field.spec, wanted);
        }
    }
    shown_as_flags(arena, kind.fields, object, &mut spec);
    let mut live = Value::Object(Object::EMPTY);
    live.set(arena, &["spec"], spec);
    live
}

/// A flag and another field may stand for the same object of the API. It is shown as both if the object sets both; without
/// members, as the one that the object sets.
fn shown_as_flags<'a>(arena: &'a Arena, fields: &'static [Field], object: Value<'a>, live: &mut Value<'a>) {
    let wanted = |path| object.get("spec").and_then(|spec| spec.lookup(path));
    for flag in fields.iter().filter(|field| field.convert == Convert::Flag) {
        let is_other = |other: &&Field| other.api == flag.api && other.convert != Convert::Flag;
        let Some(other) = fields.iter().find(is_other) else {
            continue;
        };
        let (true, Some(shown)) = (
            wanted(flag.spec) == Some(Value::Bool(true)),
            live.lookup(other.spec),
        ) else {
            continue;
        };
        let is_both = wanted(other.spec).is_some();
        if !is_both && shown.as_object().is_some_and(Object::is_empty) {
            live.unset(arena, other.spec);
        }
        if is_both || live.lookup(other.spec).is_none() {
            live.set(arena, flag.spec, Value::Bool(true));
        }
    }
}

fn json(value: Value<'_>) -> Json {
    serde_json::from_str(&to_string(value)).unwrap_or_default()
}

fn digest(result: &Effective<'_>, labels: &Labels<'_>) -> String {
    let changes = result.set.iter().chain(&labels.changes);
    crate::hash::hash(changes.map(|change| {
        let value = change.value.map(to_string).unwrap_or_default();
        format!("{}={value}\n", change.path)
    }))
}

fn creation<'a>(
    arena: &'a Arena,
    kind: &Kind,
    result: &Effective<'a>,
    object: Value<'a>,
    labels: &Labels<'a>,
) -> Payload {
    let mut spec = result.object.get("spec").unwrap_or_default();
    let mut specified: Vec<String> = result
        .specified
        .iter()
        .chain(&labels.specified)
        .cloned()
        .collect();
    specified.retain(|path| !kind.rest.not_on_create.contains(&&**path));
    if let Some(payload) = copy_of(arena, kind, spec, object) {
        return payload;
    }
    for path in kind.rest.not_on_create {
        let names: Vec<&'static str> = path.split('.').skip(1).collect();
        spec.unset(arena, &names);
    }
    let mut body = to_api(arena, kind.fields, spec);
    if body.as_object().is_none() {
        body = Value::Object(Object::EMPTY);
    }
    if let Some(path) = kind.rest.labels
        && !labels.wanted.is_empty()
    {
        body.set(arena, path, Value::Object(labels.wanted));
    }
    match kind.rest.ids {
        Ids::Generated { mark, .. } => {
            let uid = object.lookup(&["metadata", "uid"]).unwrap_or_default();
            body.set(arena, mark, uid);
        }
        Ids::Given | Ids::Query(_) if kind.rest.name.is_empty() => {}
        Ids::Given | Ids::Query(_) => {
            let path: Vec<&'static str> = kind.rest.name.split('.').collect();
            body.set(arena, &path, Value::Str(name(object)));
        }
    }
    Payload {
        whole: true,
        body: json(body),
        fields: specified,
        removes: Vec::new(),
        query: match kind.rest.ids {
            Ids::Query(parameter) => Some(format!("{parameter}={}", escape_parameter(name(object)))),
            _ => None,
        },
        action: None,
    }
}

/// The request for a copy, if the spec names a source. What else the spec sets is changed afterward.
fn copy_of<'a>(arena: &'a Arena, kind: &Kind, spec: Value<'a>, object: Value<'a>) -> Option<Payload> {
    let copy = kind.rest.copy?;
    let source = spec.lookup(copy.source)?.get("external")?.as_str()?;
    let mut body = Value::Object(Object::EMPTY);
    body.set(arena, &[copy.context, copy.name], Value::Str(name(object)));
    for (path, field) in copy.fields {
        if let Some(value) = spec.lookup(path).filter(|value| !value.is_null()) {
            body.set(arena, &[copy.context, field], value);
        }
    }
    let source = source.rsplit(['/', ':']).next().unwrap_or(source);
    Some(Payload {
        whole: true,
        body: json(body),
        fields: Vec::new(),
        removes: Vec::new(),
        query: None,
        action: Some((source.to_owned(), copy.action)),
    })
}

/// The name of the resource: `spec.resourceID`, or that of the object.
#[must_use]
pub fn name(object: Value<'_>) -> &str {
    let given = object.lookup(&["spec", "resourceID"]).and_then(Value::as_str);
    let own = object.lookup(&["metadata", "name"]).and_then(Value::as_str);
    let given = given.and_then(|given| given.rsplit('/').next());
    given.filter(|name| !name.is_empty()).or(own).unwrap_or_default()
}

fn updates<'a>(
    arena: &'a Arena,
    kind: &Kind,
    result: &Effective<'a>,
    live: Value<'a>,
    raw: Value<'a>,
    labels: &Labels<'a>,
) -> Vec<Payload> {
    let mut batches = batches(result, &kind.attributes);
    if !labels.changes.is_empty() {
        match batches.last_mut().filter(|batch| !batch.apart) {
            Some(_) => {}
            None => batches.push(Batch {
                apart: false,
                changes: Vec::new(),
            }),
        }
    }
    let after = apply_changes(arena, live, &result.set);
    let spec = after.get("spec").unwrap_or_default();
    let strategy = Strategy {
        method: Method::Patch,
        token: kind.rest.token,
    };
    let payload = |batch: &Batch<'a>| {
        let mut changes: Vec<Change<'a>> = batch
            .changes
            .iter()
            .filter_map(|change| change_to_api(arena, kind.fields, change, spec))
            .collect();
        let mut fields: Vec<String> = batch
            .changes
            .iter()
            .map(|change| change.path.to_string())
            .collect();
        if !batch.apart {
            changes.extend(labels.api_changes(kind));
            fields.extend(labels.changes.iter().map(|change| change.path.to_string()));
        }
        let gone = batch
            .changes
            .iter()
            .chain(if batch.apart { &[][..] } else { &labels.changes });
        let removes = gone
            .filter(|change| change.value.is_none())
            .map(|change| change.path.to_string())
            .collect();
        let whole = kind.rest.update == Update::Replace && !batch.apart;
        let method = if whole { Method::Replace } else { Method::Patch };
        let write = body(arena, method, &changes, raw, &strategy);
        let mask = mask::mask(kind, &changes);
        let body = match kind.rest.update {
            Update::Mask { member } => masked(arena, member, &changes, raw),
            Update::MaskQuery => {
                let wanted = result.object.get("spec").unwrap_or_default();
                let fields = masked_fields(arena, &mask, &changes, raw, kind.rest.token);
                mask::with_secrets(arena, kind, &mask, fields, to_api(arena, kind.fields, wanted))
            }
            Update::Patch | Update::Replace => write.body,
        };
        Payload {
            whole,
            body: json(body),
            fields,
            removes,
            query: (kind.rest.update == Update::MaskQuery).then(|| format!("updateMask={}", mask.join(","))),
            action: None,
        }
    };
    batches.iter().map(payload).collect()
}

/// `{MEMBER: {…}, updateMask: "a,b"}`. The mask has top-level names only, so these fields are sent as a whole; removed
/// fields are named but not sent.
fn masked<'a>(arena: &'a Arena, member: &'static str, changes: &[Change<'a>], raw: Value<'a>) -> Value<'a> {
    let after = apply_changes(arena, raw, changes);
    let mut names: Vec<&str> = changes
        .iter()
        .filter_map(|change| match change.path.steps().first() {
            Some(Step::Field(name)) => Some(&**name),
            _ => None,
        })
        .collect();
    names.sort_unstable();
    names.dedup();
    let mut resource = Object::EMPTY.edit(arena);
    for (key, value) in after.as_object().unwrap_or_default() {
        if names.contains(&key) && !value.is_null() {
            resource.insert(key, value);
        }
    }
    let mut masked = Value::Object(Object::EMPTY);
    masked.set(arena, &[member], Value::Object(resource.finish()));
    masked.set(
        arena,
        &["updateMask"],
        Value::Str(arena.alloc_str(&names.join(","))),
    );
    masked
}

/// The resource with the fields of a mask; removed ones are named but not sent.
fn masked_fields<'a>(
    arena: &'a Arena,
    mask: &[String],
    changes: &[Change<'a>],
    raw: Value<'a>,
    token: Option<&'static [&'static str]>,
) -> Value<'a> {
    let after = apply_changes(arena, raw, changes);
    let mut resource = Value::Object(Object::EMPTY);
    let token = token.map(|token| token.join("."));
    for path in mask.iter().chain(&token) {
        let names: Vec<&'a str> = path.split('.').map(|name| &*arena.alloc_str(name)).collect();
        if let Some(value) = after.lookup(&names).filter(|value| !value.is_null()) {
            resource.set(arena, &names, value);
        }
    }
    resource
}
