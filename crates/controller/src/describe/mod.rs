//! Makes the description of a kind from a document of its API and its CRD: complete as far as both say, with what a person
//! must decide in `todo`.

mod document;
mod fields;
mod refers;
mod shape;
mod text;
mod words;

use std::fmt;

use kindsmith_json::{Arena, yaml};
use kindsmith_openapi::crd::{self, Source};
use kindsmith_schema::JsonSchema;
use serde_json::{Map, json};

use crate::Json;
use crate::description::Others;
use document::Document;
use fields::{Fields, Row, is_reference};
use shape::Shape;

/// Why there is no description.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DescribeError {
    /// The document is neither a discovery document nor OpenAPI.
    NotAnApi,
    /// The CRD cannot be used.
    Definition(String),
    /// The API has no collection for the kind.
    NoResource {
        /// The kind.
        kind: String,
        /// The collections that there are.
        known: Vec<String>,
    },
}

impl fmt::Display for DescribeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAnApi => f.write_str("neither a discovery document nor an OpenAPI document"),
            Self::Definition(text) => write!(f, "the CRD: {text}"),
            Self::NoResource { kind, .. } => write!(f, "no collection of the API is named like `{kind}`"),
        }
    }
}

impl std::error::Error for DescribeError {}

/// A description that is being made.
struct Draft<'d> {
    kind: String,
    title: String,
    host: &'d str,
    prefix: &'d str,
    shape: Shape<'d>,
    rows: Vec<Row>,
    outputs: Vec<(String, String)>,
    fills: Vec<(String, Json)>,
    example: Json,
    todo: Vec<String>,
    definition: &'d str,
}

/// Describes the kind of a CRD. `collection` chooses a collection of the API; otherwise it is found by name. `others` are
/// kinds that references may mean.
///
/// # Errors
/// If the document or the CRD cannot be used, or the API has nothing for the kind.
pub fn describe(
    api: &Json,
    definition: &str,
    collection: Option<&str>,
    others: &Others,
) -> Result<String, DescribeError> {
    let document = Document::read(api)?;
    let (group, kind, schema) = read(definition)?;
    let none = || DescribeError::Definition("it has no `spec`".to_owned());
    let spec = schema.property("spec").ok_or_else(none)?;
    let shape = Shape::find(&document, &kind, spec, collection)?;
    let rows = identities(spec, &shape, others, &group);
    let mut fields = Fields {
        document: &document,
        others,
        group: &group,
        given: rows.iter().map(|row| row.path.clone()).collect(),
        rows,
        todo: shape.todo.clone(),
        fills: Vec::new(),
    };
    fields.find(spec, shape.resource);
    let (rows, todo, fills) = (fields.rows, fields.todo, fields.fills);
    let draft = Draft {
        title: format!(
            "from the document {}",
            api["id"]
                .as_str()
                .or(api["info"]["title"].as_str())
                .unwrap_or("of its API")
        ),
        host: &document.host,
        prefix: &document.prefix,
        outputs: outputs(&document, &shape, &schema),
        example: example(spec, &shape),
        shape,
        rows,
        fills,
        todo,
        kind,
        definition,
    };
    Ok(text::write(&draft))
}

/// Group, kind and schema of a CRD.
fn read(definition: &str) -> Result<(String, String, JsonSchema), DescribeError> {
    let wrong = |text: &dyn fmt::Display| DescribeError::Definition(text.to_string());
    let arena = Arena::new();
    let document =
        yaml::parse(&arena, arena.alloc_str(definition).as_bytes()).map_err(|error| wrong(&error))?;
    let read = crd::read(document, Source::Unknown).map_err(|error| wrong(&error))?;
    let spec = read.definition.spec;
    let stored = spec
        .versions
        .iter()
        .find(|version| version.storage)
        .or(spec.versions.first());
    let schema = stored.and_then(|version| version.open_api_v3_schema());
    let schema = schema.ok_or_else(|| wrong(&"it has no schema"))?;
    Ok((
        spec.group.to_string(),
        spec.names.kind.to_string(),
        JsonSchema::clone(schema),
    ))
}

/// Rows of the fields that are the name of a resource, or in its path.
fn identities(spec: &JsonSchema, shape: &Shape<'_>, others: &Others, group: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    let names = shape.parameters.iter().map(|(_, field)| &**field);
    for name in ["resourceID"].into_iter().chain(names) {
        let Some(field) = spec.property(name) else {
            continue;
        };
        let base = name.strip_suffix("Ref").unwrap_or(name);
        let refers = is_reference(field)
            .then(|| refers::refers(base, field, &Json::Null, others, group, &mut Vec::new(), name));
        rows.push(Row {
            convert: Some("none"),
            is: vec!["identity"],
            refers: refers.map(|refers| refers::Refers {
                status: Vec::new(),
                external: Some("{name}".to_owned()),
                ..refers
            }),
            ..Row::new(name)
        });
    }
    // The project is in the path, too: by the annotation.
    if spec.property("projectRef").is_some() && shape.collection.contains("{project}") {
        rows.push(Row {
            convert: Some("none"),
            ..Row::new("projectRef")
        });
    }
    rows
}

/// Values that the service sets and that the status has a place for.
fn outputs(document: &Document<'_>, shape: &Shape<'_>, schema: &JsonSchema) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let Some(status) = schema.property("status") else {
        return found;
    };
    let names = |schema: &JsonSchema| -> Vec<String> {
        schema
            .properties
            .iter()
            .map(|(name, _)| name.to_string())
            .collect()
    };
    let own = [
        "conditions",
        "observedGeneration",
        "externalRef",
        "preservedFields",
        "ignoredFields",
        "observedState",
    ];
    let top = names(status)
        .into_iter()
        .filter(|name| !own.contains(&&**name))
        .map(|name| (name.clone(), name));
    let observed = status.property("observedState").map(names).unwrap_or_default();
    let observed = observed
        .into_iter()
        .map(|name| (format!("observedState.{name}"), name));
    for (path, name) in top.chain(observed) {
        if document.member(shape.resource, &name).is_some() {
            found.push((path, name));
        }
    }
    found
}

/// A spec with what is required.
fn example(spec: &JsonSchema, shape: &Shape<'_>) -> Json {
    let mut example = sample(spec, 0);
    for (_, field) in &shape.parameters {
        if example[field].is_null()
            && let Some(schema) = spec.property(field)
        {
            example[field] = sample(schema, 0);
        }
    }
    example
}

fn sample(schema: &JsonSchema, depth: usize) -> Json {
    if depth > kindsmith_merge::MAX_DEPTH {
        return Json::Null;
    }
    if is_reference(schema) {
        return json!({ "external": "example" });
    }
    let allowed = schema
        .enum_values
        .iter()
        .map(|value| serde_json::from_str(&value.to_string()).unwrap_or_default());
    let chosen = allowed
        .clone()
        .find(|value: &Json| value.as_str().is_none_or(|text| !text.ends_with("UNSPECIFIED")));
    if let Some(chosen) = chosen {
        return chosen;
    }
    match &*schema.ty {
        "object" => {
            let required = schema.required.iter().filter_map(|name| {
                let member = schema.property(name)?;
                Some((name.to_string(), sample(member, depth + 1)))
            });
            Json::Object(required.collect::<Map<String, Json>>())
        }
        "array" => json!([]),
        "integer" | "number" => json!(1),
        "boolean" => json!(true),
        _ => json!("example"),
    }
}
