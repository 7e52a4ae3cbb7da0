//! The fields of a spec in the API: other names, other types, and what both say about them.

use std::collections::{HashMap, HashSet};

use kindsmith_schema::JsonSchema;

use super::document::Document;
use super::refers::{Refers, refers};
use super::words::{Names, same};
use crate::Json;
use crate::description::Others;

/// One row of `fields`.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) path: String,
    pub(super) api: Option<String>,
    pub(super) convert: Option<&'static str>,
    pub(super) is: Vec<&'static str>,
    pub(super) refers: Option<Refers>,
}

impl Row {
    pub(super) fn new(path: &str) -> Self {
        Row {
            path: path.to_owned(),
            api: None,
            convert: None,
            is: Vec::new(),
            refers: None,
        }
    }

    fn is_needed(&self) -> bool {
        self.api.is_some() || self.convert.is_some() || !self.is.is_empty() || self.refers.is_some()
    }
}

/// The search.
pub(super) struct Fields<'m, 'd> {
    pub(super) document: &'m Document<'d>,
    pub(super) others: &'m Others,
    pub(super) group: &'m str,
    pub(super) rows: Vec<Row>,
    /// Paths whose rows were given.
    pub(super) given: HashSet<String>,
    pub(super) todo: Vec<String>,
    /// What the service sets by itself: path in the API, value.
    pub(super) fills: Vec<(String, Json)>,
}

/// The members of an object in the API.
struct Object<'d> {
    names: Names<'d>,
    members: HashMap<&'d str, &'d Json>,
}

/// A place in both.
#[derive(Clone, Copy)]
struct At<'a> {
    spec: &'a str,
    api: &'a str,
    depth: usize,
}

impl<'d> Fields<'_, 'd> {
    /// Finds all fields of a spec in the resource.
    pub(super) fn find(&mut self, spec: &JsonSchema, resource: &'d Json) {
        let at = At {
            spec: "",
            api: "",
            depth: 0,
        };
        self.members(spec, resource, at);
    }

    fn members(&mut self, spec: &JsonSchema, api: &'d Json, at: At<'_>) {
        if at.depth > kindsmith_merge::MAX_DEPTH {
            return;
        }
        let known = self.document.members(api);
        let api = Object {
            names: Names::new(known.iter().map(|(name, _)| *name)),
            // Of two members with a name, the first counts.
            members: known.into_iter().rev().collect(),
        };
        for (name, member) in &spec.properties {
            let path = join(at.spec, name);
            if !self.given.contains(&path) {
                self.field(name, &path, member, &api, at);
            }
        }
    }

    fn field(&mut self, name: &str, path: &str, member: &JsonSchema, api: &Object<'d>, at: At<'_>) {
        let refers_to = is_reference(member) || member.item().is_some_and(is_reference);
        let base = match (refers_to, name.strip_suffix("Refs"), name.strip_suffix("Ref")) {
            (true, Some(base), _) => format!("{base}s"),
            (true, None, Some(base)) => base.to_owned(),
            _ => name.to_owned(),
        };
        let Some((found, is_sure)) = same(&base, &api.names) else {
            self.todo.push(format!(
                "`{path}` is not in the API: give its name with `api`, or leave it out with `as: none`"
            ));
            self.rows.push(Row {
                convert: Some("none"),
                refers: is_reference(member).then(|| {
                    refers(
                        &base,
                        member,
                        &Json::Null,
                        self.others,
                        self.group,
                        &mut self.todo,
                        path,
                    )
                }),
                ..Row::new(path)
            });
            return;
        };
        if !is_sure && !refers_to {
            self.todo
                .push(format!("`{path}` is taken for `{found}` in the API"));
        }
        let place = join(at.api, found);
        let there = api.members.get(found).copied().unwrap_or(&Json::Null);
        self.found(path, member, &place, there, &base, at);
    }

    fn found(
        &mut self,
        path: &str,
        member: &JsonSchema,
        place: &str,
        there: &'d Json,
        base: &str,
        at: At<'_>,
    ) {
        let inner = |path: &str| {
            path.rsplit_once("[*].")
                .map_or(path, |(_, inner)| inner)
                .to_owned()
        };
        let is_renamed = inner(path) != inner(place);
        let resolved = self.document.resolve(there);
        let mut row = Row::new(path);
        row.is = words(member, there, resolved);
        let below = At {
            depth: at.depth + 1,
            ..at
        };
        if is_reference(member) {
            row.api = is_renamed.then(|| place.to_owned());
            row.refers = Some(refers(
                base,
                member,
                there,
                self.others,
                self.group,
                &mut self.todo,
                path,
            ));
        } else if member.property("value").is_some() && member.property("valueFrom").is_some() {
            row.api = is_renamed.then(|| place.to_owned());
            row.convert = Some("secret");
            row.is.retain(|word| *word != "writeOnly");
        } else if let Some(item) = member.item().filter(|item| is_reference(item)) {
            let api = format!("{place}[*]");
            let mut each = Row::new(&format!("{path}[*]"));
            each.api = (path != place).then_some(api);
            each.refers = Some(refers(
                base,
                item,
                there,
                self.others,
                self.group,
                &mut self.todo,
                path,
            ));
            row.api = is_renamed.then(|| place.to_owned());
            self.rows.push(each);
        } else {
            row.convert = self.conversion(path, member, resolved);
            let is_object = !member.properties.is_empty() && row.convert.is_none();
            if is_object && resolved["properties"].is_object() {
                let inside = At {
                    spec: path,
                    api: place,
                    ..below
                };
                self.push(row);
                return self.members(member, there, inside);
            }
            row.api = is_renamed.then(|| place.to_owned());
            if let (Some(item), Some(items)) = (member.item(), self.document.items(there))
                && row.convert.is_none()
            {
                self.push(row);
                let inside = At {
                    spec: &format!("{path}[*]"),
                    api: &format!("{place}[*]"),
                    ..below
                };
                return self.members(item, items, inside);
            }
            self.fill(place, member, resolved);
        }
        self.push(row);
    }

    fn push(&mut self, row: Row) {
        if row.is_needed() {
            self.rows.push(row);
        }
    }

    /// How a value is converted, if its types differ.
    fn conversion(&mut self, path: &str, member: &JsonSchema, there: &Json) -> Option<&'static str> {
        let api = there["type"].as_str().unwrap_or("object");
        let convert = match (&*member.ty, api) {
            ("integer", "string") => "text",
            ("object", "array") => "listOfOne",
            ("array", "object") => "firstItem",
            (own, api) if own == api || own.is_empty() || (own, api) == ("number", "integer") => return None,
            ("integer", "number") => return None,
            (own, api) => {
                self.todo
                    .push(format!("`{path}` is of type {own}, in the API of type {api}"));
                return None;
            }
        };
        Some(convert)
    }

    /// Remembers what the service sets by itself.
    fn fill(&mut self, place: &str, member: &JsonSchema, there: &Json) {
        if place.contains("[*]") {
            return;
        }
        let said = match &there["default"] {
            Json::String(text) => text.clone(),
            Json::Null => match said_default(there) {
                Some(text) => text,
                None => return,
            },
            other => other.to_string(),
        };
        let value: Json = match &*member.ty {
            "string" => said.into(),
            _ => serde_json::from_str(&said).unwrap_or_default(),
        };
        if !value.is_null() && crate::description::fits(member, &value) {
            let shown = place.to_owned();
            self.todo.push(format!(
                "the service sets `{shown}` to {value} by itself: declare it in `defaults` if other values are to be reset"
            ));
            self.fills.push((shown, value));
        }
    }
}

/// A word of the enum that the description calls the default.
fn said_default(there: &Json) -> Option<String> {
    let text = there["description"].as_str()?;
    let (_, after) = ["Defaults to ", "defaults to ", "default is ", "default value is "]
        .iter()
        .find_map(|words| text.split_once(words))?;
    let word: String = after
        .trim_start_matches(['`', '"', '\''])
        .chars()
        .take_while(|sign| sign.is_ascii_alphanumeric() || *sign == '_')
        .collect();
    let words = there["enum"].as_array()?;
    words.iter().any(|known| *known == *word).then_some(word)
}

/// What both documents say about a field.
fn words(member: &JsonSchema, there: &Json, resolved: &Json) -> Vec<&'static str> {
    let text = |json: &Json| json["description"].as_str().unwrap_or_default().to_lowercase();
    let texts = [text(there), text(resolved), member.description.to_lowercase()];
    let says = |words: &[&str]| {
        texts
            .iter()
            .any(|text| words.iter().any(|word| text.contains(word)))
    };
    if there["readOnly"] == true || resolved["readOnly"] == true || says(&["output only", "[output-only]"]) {
        return vec!["outputOnly"];
    }
    let mut found = Vec::new();
    let is_fixed = member
        .validations
        .iter()
        .any(|rule| rule.rule.contains("self == oldSelf"))
        || says(&[
            "immutable",
            "cannot be changed",
            "can't be changed",
            "cannot be modified",
            "cannot be updated",
        ]);
    if there["writeOnly"] == true || says(&["input only", "write-only"]) {
        found.push("writeOnly");
    } else if is_fixed {
        found.push("immutable");
    }
    let format = resolved["format"].as_str().unwrap_or_default();
    match (format, &*member.format) {
        ("google-duration" | "duration", "") => found.push("duration"),
        ("google-datetime" | "date-time", "") if &*member.ty == "string" => found.push("time"),
        _ => {}
    }
    found
}

pub(super) fn is_reference(schema: &JsonSchema) -> bool {
    schema.property("external").is_some()
}

fn join(at: &str, name: &str) -> String {
    if at.is_empty() {
        name.to_owned()
    } else {
        format!("{at}.{name}")
    }
}
