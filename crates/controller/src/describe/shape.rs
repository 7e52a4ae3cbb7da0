//! The shape of an API for one kind: which calls it has, where names, masks, operations and tokens are.

use kindsmith_schema::JsonSchema;

use super::DescribeError;
use super::document::{Call, Document};
use super::words::{folded, singular};
use crate::Json;

/// How the resources of a kind are called.
pub(super) struct Shape<'d> {
    pub(super) collection: String,
    /// Parameters of the path with the field of the spec.
    pub(super) parameters: Vec<(String, String)>,
    pub(super) is_put: bool,
    pub(super) id: Option<String>,
    pub(super) update: Option<String>,
    pub(super) operations: Option<String>,
    pub(super) token: Option<String>,
    pub(super) labels: Option<String>,
    pub(super) busy: Option<(String, Vec<String>)>,
    pub(super) resource: &'d Json,
    pub(super) todo: Vec<String>,
}

/// A collection of an API.
struct Candidate<'d> {
    path: String,
    resource: &'d Json,
    get: &'d Json,
    create: usize,
    update: Option<usize>,
    list: Option<usize>,
}

impl<'d> Shape<'d> {
    /// The shape for a kind; `wanted` is a collection that the user chose.
    pub(super) fn find(
        document: &Document<'d>,
        kind: &str,
        spec: &JsonSchema,
        wanted: Option<&str>,
    ) -> Result<Self, DescribeError> {
        let all = candidates(document);
        let known = || all.iter().map(|candidate| candidate.path.clone()).collect();
        let score = |candidate: &Candidate<'d>| {
            let members = document.members(candidate.resource);
            let same = members.iter().filter(|(name, _)| spec.property(name).is_some());
            let last = candidate.path.rsplit('/').next().unwrap_or_default();
            let is_named = folded(kind).ends_with(&folded(&singular(last)));
            let places = placeholders(&candidate.path);
            let placed = places.iter().filter(|name| field_of(spec, name).is_some());
            (is_named, same.count(), placed.count())
        };
        let found = match wanted {
            Some(wanted) => all.iter().find(|candidate| candidate.path == wanted),
            None => all.iter().filter(|one| score(one).0).max_by_key(|one| score(one)),
        };
        let found = found.ok_or_else(|| DescribeError::NoResource {
            kind: kind.to_owned(),
            known: known(),
        })?;
        Ok(Self::of(document, found, spec))
    }

    fn of(document: &Document<'d>, found: &Candidate<'d>, spec: &JsonSchema) -> Self {
        let mut todo = Vec::new();
        let Placed {
            collection,
            parameters,
            renamed,
        } = placed(&found.path, spec, &mut todo);
        let create = &document.calls[found.create];
        let labels = labels(document, found.resource, spec);
        let id = id(document, found, create, labels.as_deref(), &mut todo);
        let is_marked = id.as_ref().is_some_and(|id| id.contains("mark:"));
        Shape {
            collection,
            parameters,
            is_put: create.method == "PUT",
            update: update(document, found),
            operations: operations(document, create, found, &renamed, &mut todo),
            token: token(document, found.resource),
            labels: labels.filter(|_| !is_marked),
            busy: busy(document, found.resource, &mut todo),
            id,
            resource: found.resource,
            todo,
        }
    }
}

fn candidates<'d>(document: &Document<'d>) -> Vec<Candidate<'d>> {
    let calls = &document.calls;
    let mut found: Vec<Candidate<'d>> = Vec::new();
    for call in calls.iter().filter(|call| call.method == "GET") {
        let Some((path, last)) = call.path.rsplit_once('/') else {
            continue;
        };
        let Some(get) = call
            .answer
            .filter(|_| last.starts_with('{') && last.ends_with('}'))
        else {
            continue;
        };
        let at = |method: &str, path: &str| {
            let is_it = |call: &Call<'_>| call.method == method && call.path == path;
            calls.iter().position(is_it)
        };
        let is_same = |index: &usize| {
            let body = calls[*index].body;
            body.is_some_and(|body| Document::name(body) == Document::name(get))
        };
        let create = at("POST", path)
            .filter(is_same)
            .or_else(|| at("PUT", &call.path).filter(is_same))
            .or_else(|| at("POST", path));
        if let Some(create) = create.filter(|_| found.iter().all(|known| known.path != path)) {
            found.push(Candidate {
                path: path.to_owned(),
                resource: document.resolve(get),
                get,
                create,
                update: at("PATCH", &call.path).or_else(|| at("PUT", &call.path)),
                list: at("GET", path),
            });
        }
    }
    found
}

fn placeholders(path: &str) -> Vec<&str> {
    path.split('/')
        .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
        .collect()
}

/// The field of the spec that a parameter of the path means.
fn field_of(spec: &JsonSchema, name: &str) -> Option<String> {
    let places: &[&str] = match name {
        "location" => &["location", "region", "zone"],
        _ => &[],
    };
    let reference = format!("{name}Ref");
    let mut names = [name, &*reference].into_iter().chain(places.iter().copied());
    names
        .find(|name| spec.property(name).is_some())
        .map(str::to_owned)
}

/// A collection with a field for every parameter.
struct Placed {
    collection: String,
    parameters: Vec<(String, String)>,
    /// Parameters of the document with their names here.
    renamed: Vec<(String, String)>,
}

/// `{from}` as `{to}`.
fn rename(path: &str, from: &str, to: &str) -> String {
    path.replace(&format!("{{{from}}}"), &format!("{{{to}}}"))
}

fn placed(path: &str, spec: &JsonSchema, todo: &mut Vec<String>) -> Placed {
    let mut collection = path.to_owned();
    let mut parameters = Vec::new();
    let mut renamed = Vec::new();
    let names = placeholders(path);
    let has_project = names.contains(&"project");
    let mut is_replaced = has_project;
    for name in names {
        if name == "project" {
            continue;
        }
        match field_of(spec, name) {
            Some(field) => {
                // A region is named after the field: `locations/{region}`.
                let own = if field.ends_with("Ref") { name } else { &*field };
                collection = rename(&collection, name, own);
                renamed.push((name.to_owned(), own.to_owned()));
                parameters.push((own.to_owned(), field));
            }
            None if !is_replaced => {
                is_replaced = true;
                collection = rename(&collection, name, "project");
                renamed.push((name.to_owned(), "project".to_owned()));
                todo.push(format!(
                    "`{{{name}}}` in the path is the project: the annotation of the object or its namespace, or the namespace's name"
                ));
            }
            None => todo.push(format!(
                "`{{{name}}}` in the path has no field in the spec: add one to the CRD and to `parameters`"
            )),
        }
    }
    Placed {
        collection,
        parameters,
        renamed,
    }
}

/// Where the name of a new resource is.
fn id<'d>(
    document: &Document<'d>,
    found: &Candidate<'d>,
    create: &Call<'d>,
    labels: Option<&str>,
    todo: &mut Vec<String>,
) -> Option<String> {
    if create.method == "PUT" {
        return None;
    }
    let last = found.path.rsplit('/').next().unwrap_or_default();
    let own = format!("{}id", folded(&singular(last)));
    let mut ids = create.query.iter().filter(|name| name.ends_with("Id"));
    if let Some(parameter) = ids.find(|name| own.ends_with(&folded(name)) || folded(name).ends_with(&own)) {
        return Some(format!("{{query: {parameter}}}"));
    }
    // `datasetReference.datasetId`
    let inner = format!("{}Id", singular(last));
    let has_name = document.member(found.resource, "name").is_some();
    let mut members = document.members(found.resource).into_iter().filter(|_| !has_name);
    if let Some((outer, _)) = members.find(|(_, member)| document.member(member, &inner).is_some()) {
        return Some(format!("{{body: {outer}.{inner}}}"));
    }
    let field = if has_name { "name" } else { "id" };
    let Some(name) = document.member(found.resource, field) else {
        todo.push("the document does not say where the name of a new resource is: see `id`".to_owned());
        return Some("{body: name}".to_owned());
    };
    if !is_made(name) {
        return Some(format!("{{body: {field}}}"));
    }
    let items = found.list.and_then(|list| {
        let answer = document.calls[list].answer?;
        let mut members = document.members(answer).into_iter();
        members.find_map(|(key, member)| document.items(member).map(|_| key))
    });
    let (Some(items), Some(labels)) = (items, labels) else {
        todo.push(
            "the service names resources, but none of its maps can carry the object's UID: see `id`"
                .to_owned(),
        );
        return Some(format!("{{body: {field}}}"));
    };
    Some(format!(
        "{{generated: {{field: {field}, items: {items}, mark: {labels}.object-uid}}}}"
    ))
}

/// Whether the service makes the name.
fn is_made(name: &Json) -> bool {
    let text = name["description"].as_str().unwrap_or_default().to_lowercase();
    let words = [
        "assigned by the",
        "automatically assigned",
        "generated by",
        "chosen by the s",
    ];
    name["readOnly"] == true || words.iter().any(|words| text.contains(words))
}

fn update(document: &Document<'_>, found: &Candidate<'_>) -> Option<String> {
    let call = &document.calls[found.update?];
    if call.method == "PUT" {
        return Some("replace".to_owned());
    }
    if call.query.iter().any(|name| name == "updateMask") {
        return Some("maskInQuery".to_owned());
    }
    let members = document.members(call.body?);
    let has_mask = members.iter().any(|(name, _)| *name == "updateMask");
    let of = |(_, member): &&(&str, &Json)| Document::name(member) == Document::name(found.get);
    let member = members.iter().find(of).filter(|_| has_mask)?;
    Some(format!("{{maskInBody: {}}}", member.0))
}

fn operations(
    document: &Document<'_>,
    create: &Call<'_>,
    found: &Candidate<'_>,
    renamed: &[(String, String)],
    todo: &mut Vec<String>,
) -> Option<String> {
    let answer = create.answer?;
    if Document::name(answer) == Document::name(found.get) {
        return None;
    }
    let has = |name: &str| document.member(answer, name).is_some();
    if has("done") {
        return Some("{style: done}".to_owned());
    }
    if !has("status") {
        return None;
    }
    // Of several the one that is as near to the resource as possible, with no other parameters.
    let known = placeholders(&found.path);
    let reads = document.calls.iter().filter(|call| {
        let is_it = call
            .answer
            .is_some_and(|found| Document::name(found) == Document::name(answer));
        call.method == "GET" && is_it && call.path.ends_with('}')
    });
    let reads = reads.filter_map(|call| call.path.rsplit_once('/'));
    let of_places = |path: &str| placeholders(path).iter().all(|name| known.contains(name));
    let (near, others): (Vec<_>, Vec<_>) = reads.partition(|(path, _)| of_places(path));
    let best = near.into_iter().max_by_key(|(path, _)| placeholders(path).len());
    match best.or(others.first().copied()) {
        Some((path, _)) => {
            let path = renamed
                .iter()
                .fold(path.to_owned(), |path, (from, to)| rename(&path, from, to));
            Some(format!("{{style: status, path: \"{path}\"}}"))
        }
        None => {
            todo.push("the document does not say how operations are read: see `operations`".to_owned());
            None
        }
    }
}

/// The value by which the service detects concurrent changes.
fn token<'d>(document: &Document<'d>, resource: &'d Json) -> Option<String> {
    for (name, member) in document.members(resource) {
        if document.member(member, "settingsVersion").is_some() {
            return Some(format!("{name}.settingsVersion"));
        }
    }
    let mut names = ["etag", "fingerprint"].into_iter();
    names
        .find(|name| document.member(resource, name).is_some())
        .map(str::to_owned)
}

fn is_map(schema: &Json) -> bool {
    schema["additionalProperties"]["type"] == "string"
}

/// A map of labels that the spec does not have itself.
fn labels<'d>(document: &Document<'d>, resource: &'d Json, spec: &JsonSchema) -> Option<String> {
    for name in ["labels", "userLabels"] {
        let member = document.member(resource, name);
        if member.is_some_and(is_map) && spec.property(name).is_none() {
            return Some(name.to_owned());
        }
    }
    for (outer, member) in document.members(resource) {
        for name in ["labels", "userLabels"] {
            let inner = document.member(member, name);
            let own = spec.property(outer).and_then(|outer| outer.property(name));
            if inner.is_some_and(is_map) && own.is_none() {
                return Some(format!("{outer}.{name}"));
            }
        }
    }
    None
}

/// The field with the state, and the states in which the resource changes.
fn busy<'d>(
    document: &Document<'d>,
    resource: &'d Json,
    todo: &mut Vec<String>,
) -> Option<(String, Vec<String>)> {
    let state = document.resolve(document.member(resource, "state")?);
    let words = state["enum"].as_array()?.iter().filter_map(Json::as_str);
    let is_busy = |word: &&str| {
        let changes = [
            "CREATING",
            "UPDATING",
            "DELETING",
            "PROVISIONING",
            "PENDING",
            "RESTARTING",
            "STARTING",
        ];
        changes.contains(word) || word.starts_with("PENDING_")
    };
    let (busy, others): (Vec<&str>, Vec<&str>) = words.partition(is_busy);
    if busy.is_empty() {
        return None;
    }
    let others: Vec<&str> = others.into_iter().filter(|word| word.ends_with("ING")).collect();
    if !others.is_empty() {
        todo.push(format!(
            "whether the resource can be changed in the states {}: see `busy`",
            others.join(", ")
        ));
    }
    Some(("state".to_owned(), busy.into_iter().map(str::to_owned).collect()))
}
