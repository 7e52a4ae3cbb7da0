//! A fake of any service, made from the description of a kind: it validates what it is sent, fills in defaults, also after a
//! removal, runs operations of both styles, and refuses stale writes and changes of what cannot change.

use kindsmith_gostd::url::unescape_path;
use kindsmith_schema::JsonSchema;
use serde_json::json;

use super::{Reply, State, merge, refuse};
use crate::Json;
use crate::description::{Described, fits};
use crate::kind::{Create, Ids, Kind, OperationStyle, Update};
use crate::moved::filled;

/// A request to the service of a description.
pub(super) struct Call<'c> {
    pub(super) of: &'c Described,
    /// The path of the collection.
    collection: String,
    /// The name in the path; empty for the collection itself.
    name: String,
    query: &'c str,
}

impl<'c> Call<'c> {
    /// The call, if the path belongs to the kind.
    pub(super) fn of(of: &'c Described, path: &str, query: &'c str) -> Option<Self> {
        let rest = path.strip_prefix(&*of.prefix)?.strip_prefix('/')?;
        let parts: Vec<&str> = rest.split('/').collect();
        let wanted: Vec<&str> = of.kind.rest.collection.split('/').collect();
        // A leading parent is the name of another resource: pairs of collection and name.
        let (wanted, parent) = match wanted.split_first() {
            Some((&"{parent}", wanted)) => {
                let named = parts.len().checked_sub(wanted.len())?;
                (wanted, named - named % 2)
            }
            _ => (&wanted[..], 0),
        };
        let end = parent + wanted.len();
        let matches = |(wanted, part): (&&str, &&str)| wanted == part || wanted.starts_with('{');
        let is_it = parts.len() >= end && wanted.iter().zip(&parts[parent..]).all(matches);
        let name = match parts.get(end..).filter(|_| is_it)? {
            [] => "",
            [name] => name,
            _ => return None,
        };
        Some(Call {
            of,
            collection: parts[..end].join("/"),
            name: name.to_owned(),
            query,
        })
    }

    fn parameter(&self, name: &str) -> String {
        let mut pairs = self.query.split('&').filter_map(|pair| pair.split_once('='));
        let found = pairs.find(|(key, _)| *key == name);
        found
            .and_then(|(_, value)| unescape_path(value))
            .unwrap_or_default()
    }

    fn path(&self) -> String {
        format!("{}/{}", self.collection, self.name)
    }

    pub(super) fn handle(mut self, state: &mut State, method: &str, body: &Json, fails: bool) -> Reply {
        let rest = self.of.kind.rest;
        match (method, rest.create, self.name.is_empty()) {
            ("GET", _, true) => self.list(state),
            ("POST", Create::Post, true) => {
                self.name = match rest.ids {
                    Ids::Query(parameter) => self.parameter(parameter),
                    Ids::Generated { .. } => format!("g{}", state.next_id()),
                    Ids::Given => {
                        let name = rest.name.split('.').fold(body, |value, key| &value[key]);
                        name.as_str()
                            .unwrap_or_default()
                            .rsplit('/')
                            .next()
                            .unwrap_or_default()
                            .to_owned()
                    }
                };
                if self.name.is_empty() {
                    refuse(400, "the name is missing", "required")
                } else {
                    self.create(state, body, fails)
                }
            }
            ("PUT", Create::Put, false) if !state.resources.contains_key(&self.path()) => {
                self.create(state, body, fails)
            }
            ("GET", _, false) => match state.resources.get(&self.path()) {
                Some(resource) => (200, resource.clone()),
                None => refuse(404, "Resource not found", "notFound"),
            },
            ("PATCH" | "PUT" | "DELETE", _, false) => self.change(state, method, body, fails),
            _ => refuse(405, "method not allowed", "notAllowed"),
        }
    }

    fn list(&self, state: &State) -> Reply {
        let Ids::Generated { items, .. } = self.of.kind.rest.ids else {
            return refuse(405, "method not allowed", "notAllowed");
        };
        let below = format!("{}/", self.collection);
        let found = state
            .resources
            .iter()
            .filter(|(path, _)| path.starts_with(&below));
        let found: Vec<Json> = found.map(|(_, resource)| resource.clone()).collect();
        (200, json!({ items: found }))
    }

    /// What the service does not understand.
    fn invalid(&self, body: &Json) -> Option<Reply> {
        let kind = &self.of.kind;
        let mut spec = kind.to_spec(body);
        let schema = kind.schema.property("spec")?;
        drop_containers(kind, schema, &mut spec);
        let wrong = spec
            .as_object()?
            .iter()
            .find(|(key, value)| schema.property(key).is_some_and(|schema| !fits(schema, value)));
        wrong.map(|(key, value)| refuse(400, &format!("Invalid value for field {key}: {value}"), "invalid"))
    }

    fn create(&self, state: &mut State, body: &Json, fails: bool) -> Reply {
        let path = self.path();
        if state.resources.contains_key(&path) {
            return refuse(409, "Resource already exists in the project", "alreadyExists");
        }
        if let Some(refusal) = self.invalid(body) {
            return refusal;
        }
        if fails {
            return self.start(state, "CREATE", true);
        }
        let mut resource = body.clone();
        if let Ids::Generated { field, .. } = self.of.kind.rest.ids {
            resource[field] = path.clone().into();
        }
        self.fill(&mut resource);
        self.touch(&mut resource);
        let reply = resource.clone();
        state.resources.insert(path.clone(), resource);
        *state.creations.entry(path).or_default() += 1;
        match self.of.kind.rest.operations {
            None => (200, reply),
            Some(_) => self.start(state, "CREATE", false),
        }
    }

    fn change(&self, state: &mut State, method: &str, body: &Json, fails: bool) -> Reply {
        let path = self.path();
        let Some(old) = state.resources.get(&path).cloned() else {
            return refuse(404, "Resource not found", "notFound");
        };
        if state.is_running(&path) {
            let message = "another operation is in progress";
            return refuse(409, message, "operationInProgress");
        }
        let has_operations = self.of.kind.rest.operations.is_some();
        if method == "DELETE" {
            if has_operations {
                return self.start(state, "DELETE", fails);
            }
            state.resources.remove(&path);
            return (200, json!({}));
        }
        let new = match self.changed(&old, method, body) {
            Ok(new) => new,
            Err(refusal) => return refusal,
        };
        if !(fails && has_operations) {
            state.resources.insert(path, new.clone());
        }
        if has_operations {
            self.start(state, "UPDATE", fails)
        } else {
            (200, new)
        }
    }

    /// The resource after a change.
    fn changed(&self, old: &Json, method: &str, body: &Json) -> Result<Json, Reply> {
        let rest = self.of.kind.rest;
        let in_query = self.parameter("updateMask");
        let (sent, mask) = match rest.update {
            Update::Mask { member } => (&body[member], body["updateMask"].as_str()),
            Update::MaskQuery => (body, Some(&*in_query)),
            Update::Patch | Update::Replace => (body, None),
        };
        if let Some(refusal) = self.invalid(sent) {
            return Err(refusal);
        }
        if let Some(token) = rest.token {
            let at = |json: &Json| token.iter().fold(json.clone(), |value, key| value[*key].clone());
            if !at(sent).is_null() && at(sent) != at(old) {
                return Err(refuse(412, "the resource has changed", "staleData"));
            }
        }
        let mut new = old.clone();
        match mask {
            Some("") => return Err(refuse(400, "The update mask must not be empty", "badRequest")),
            Some(mask) => {
                for field in mask.split(',') {
                    put(&mut new, field, get(sent, field));
                }
            }
            None if method == "PUT" => new = body.clone(),
            None => merge(&mut new, sent),
        }
        if let Some(field) = self.fixed(old, &new) {
            return Err(refuse(400, &format!("{field} cannot be changed"), "invalid"));
        }
        self.fill(&mut new);
        self.touch(&mut new);
        Ok(new)
    }

    /// A field that changes although it cannot.
    fn fixed(&self, old: &Json, new: &Json) -> Option<&'c String> {
        let of: &'c Described = self.of;
        let kind = &of.kind;
        let (old, new) = (kind.to_spec(old), kind.to_spec(new));
        kind.immutable.iter().find(|path| {
            let of = |json: &Json| get(json, path.trim_start_matches("spec."));
            of(&old).is_some() && of(&old) != of(&new)
        })
    }

    /// Adds what the service adds, and drops secrets and what it leaves out.
    fn fill(&self, resource: &mut Json) {
        for (path, value) in &self.of.fills {
            let path = path.join(".");
            if get(resource, &path).is_none_or(|value| value.is_null()) {
                put(resource, &path, Some(value.clone()));
            }
        }
        let kind = &self.of.kind;
        for field in kind
            .fields
            .iter()
            .filter(|field| kind.rest.secrets.contains(&field.spec))
        {
            put(resource, &field.api.join("."), None);
        }
    }

    fn touch(&self, resource: &mut Json) {
        if let Some(token) = self.of.kind.rest.token {
            let path = token.join(".");
            let version = get(resource, &path).and_then(|token| token.as_str()?.parse::<u64>().ok());
            put(
                resource,
                &path,
                Some((version.unwrap_or(0) + 1).to_string().into()),
            );
        }
    }

    /// Starts an operation.
    fn start(&self, state: &mut State, what: &str, fails: bool) -> Reply {
        let Some(operations) = self.of.kind.rest.operations else {
            return refuse(500, "by script", "scripted");
        };
        let id = format!("op-{}", state.next_id());
        let scope: Vec<&str> = self.collection.split('/').collect();
        let (name, path) = match operations.style {
            OperationStyle::Status => {
                let of = self.of.kind.rest.collection;
                let path = filled(operations.path, of, &self.path());
                (id.clone(), format!("{path}/{id}"))
            }
            OperationStyle::Done => {
                let scope = scope[..scope.len().saturating_sub(1)].join("/");
                let name = format!("{scope}/operations/{id}");
                (name.clone(), name)
            }
        };
        let mut operation = json!({
            "name": name, "operationType": what, "targetId": self.path(), "fails": fails, "left": state.latency,
        });
        match operations.style {
            OperationStyle::Status => operation["status"] = "PENDING".into(),
            OperationStyle::Done => operation["done"] = false.into(),
        }
        state.operations.insert(path, operation.clone());
        (200, operation)
    }
}

/// Drops empty objects that only the API has: those around fields that the spec has elsewhere.
fn drop_containers(kind: &Kind, schema: &JsonSchema, spec: &mut Json) {
    let is_known = |path: &[&str]| {
        let mut names = path.iter();
        names
            .try_fold(schema, |schema, name| schema.property(name))
            .is_some()
    };
    for field in kind.fields {
        for end in (1..field.api.len()).rev() {
            let (path, text) = (&field.api[..end], field.api[..end].join("."));
            if !is_known(path) && get(spec, &text).is_some_and(|value| value == json!({})) {
                put(spec, &text, None);
            }
        }
    }
}

fn get(json: &Json, path: &str) -> Option<Json> {
    path.split('.')
        .try_fold(json, |value, key| value.get(key))
        .cloned()
}

/// Sets or removes the value at a path.
fn put(json: &mut Json, path: &str, value: Option<Json>) {
    let (parents, last) = path.rsplit_once('.').unwrap_or(("", path));
    let parent = match (parents, value.is_some()) {
        ("", _) => Some(json),
        (parents, true) => {
            let mut here = json;
            for key in parents.split('.') {
                if !here[key].is_object() {
                    here[key] = json!({});
                }
                here = &mut here[key];
            }
            Some(here)
        }
        (parents, false) => parents.split('.').try_fold(json, |value, key| value.get_mut(key)),
    };
    let Some(members) = parent.and_then(Json::as_object_mut) else {
        return;
    };
    match value {
        Some(value) => drop(members.insert(last.to_owned(), value)),
        None => drop(members.remove(last)),
    }
}
