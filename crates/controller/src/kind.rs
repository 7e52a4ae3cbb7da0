//! The tables of a kind: its schema, its field names in the service's API, and the shape of that API. A new field is a
//! new row.

use std::collections::BTreeMap;
use std::fmt;

use kindsmith_json::{Arena, Value, parse_str, to_string, yaml};
use kindsmith_merge::effective::{Attribute, Attributes};
use kindsmith_openapi::crd::{self, Source};
use kindsmith_schema::JsonSchema;

use crate::Json;
use crate::cluster::ObjectRef;
use crate::field_map::{self, Field};

/// A kind and the service behind it.
#[derive(Debug, Clone)]
pub struct Kind {
    /// API group.
    pub group: String,
    /// API version.
    pub version: String,
    /// Kind.
    pub kind: String,
    /// The plural name in paths.
    pub plural: String,
    /// The CRD in YAML.
    pub definition: &'static str,
    /// The schema of the version, for whole objects.
    pub schema: JsonSchema,
    /// What the schema does not say about fields.
    pub attributes: Attributes,
    /// Names of fields in the service's API.
    pub fields: &'static [Field],
    /// Paths of fields that cannot change.
    pub immutable: Vec<String>,
    /// The shape of the API.
    pub rest: &'static Rest,
}

/// Values for the parameters of a collection's path.
pub type Parameters = BTreeMap<String, String>;

/// The shape of a service's API.
#[derive(Debug)]
pub struct Rest {
    /// Path of the collection below the base URL; `{project}` and the parameters are filled in.
    pub collection: &'static str,
    /// Parameters of that path: name, path below `spec`. `{parent}` is a whole name, others are the last part of one. Of several
    /// with the same name the first that the spec sets counts; a path of one part with `{project}` in it is the value itself.
    pub parameters: &'static [(&'static str, &'static [&'static str])],
    /// How a resource is created.
    pub create: Create,
    /// How a resource is changed.
    pub update: Update,
    /// Long-running operations; `None` if the API responds when the work is done.
    pub operations: Option<Operations>,
    /// The path of the value in the live resource by which the service detects concurrent changes.
    pub token: Option<&'static [&'static str]>,
    /// The path of the name in the body that creates the resource; empty if it is not there.
    pub name: &'static str,
    /// The path of labels.
    pub labels: Option<&'static [&'static str]>,
    /// Fields that the API rejects on creation; they are set right after it.
    pub not_on_create: &'static [&'static str],
    /// Fields of the live resource to show in the status: path in the API (`a.b`, `list[0].a`, `list[type=x].a`), path in
    /// the status.
    pub outputs: &'static [(&'static str, &'static str)],
    /// The field with the state of the live resource, and the states in which it must not be read yet.
    pub busy: Option<(&'static str, &'static [&'static str])>,
    /// Fields that refer to other objects.
    pub references: &'static [Reference],
    /// Write-only fields: `{value}` or `{valueFrom: {secretKeyRef: {name, key}}}`.
    pub secrets: &'static [&'static [&'static str]],
    /// Who names resources.
    pub ids: Ids,
    /// How a resource is created as a copy of another one, if the API can do that.
    pub copy: Option<CopyOf>,
}

/// Who names resources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ids {
    /// The object: `spec.resourceID`, or its own name.
    Given,
    /// The same; on creation the name is in this parameter of the query.
    Query(&'static str),
    /// The service, on creation. The resource carries the object's UID, so that it is found again if the response is lost.
    Generated {
        /// The field with the name in the service's responses.
        field: &'static str,
        /// The field with the items of a list.
        items: &'static str,
        /// The path of the label with the UID.
        mark: &'static [&'static str],
    },
}

/// `POST SOURCE/ACTION {CONTEXT: {NAME: …, …}}` creates a copy.
#[derive(Debug, Clone, Copy)]
pub struct CopyOf {
    /// The reference to the source, below `spec`.
    pub source: &'static [&'static str],
    /// The last part of the path.
    pub action: &'static str,
    /// The member of the request with all others.
    pub context: &'static str,
    /// The field with the name of the copy.
    pub name: &'static str,
    /// More fields: path below `spec`, name in the request.
    pub fields: &'static [(&'static [&'static str], &'static str)],
}

impl Rest {
    /// An API that responds when the work is done, without anything special; for `..Rest::PLAIN`.
    pub const PLAIN: Rest = Rest {
        collection: "",
        parameters: &[],
        create: Create::Post,
        update: Update::Patch,
        operations: None,
        token: None,
        name: "",
        labels: None,
        not_on_create: &[],
        outputs: &[],
        busy: None,
        references: &[],
        secrets: &[],
        ids: Ids::Given,
        copy: None,
    };

    /// Whether the resource is in a transitional state.
    pub(crate) fn is_busy(&self, live: &Json) -> bool {
        self.busy
            .is_some_and(|(member, words)| live[member].as_str().is_some_and(|word| words.contains(&word)))
    }
}

/// Long-running operations of an API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operations {
    /// How they look.
    pub style: OperationStyle,
    /// Their path with parameters of the collection, for the style that needs it.
    pub path: &'static str,
}

/// How operations look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperationStyle {
    /// `{name: ID, status: DONE, error: {errors: […]}}`, below a path of their own.
    Status,
    /// `{name: PATH, done: true, error: {code, message}}`.
    Done,
}

/// How a resource is created.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Create {
    /// POST to the collection, with the name in the body.
    Post,
    /// PUT to its own path.
    Put,
}

/// How a resource is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Update {
    /// A merge patch.
    Patch,
    /// The whole resource.
    Replace,
    /// A patch of named fields: `{MEMBER: {…}, updateMask: "a,b"}`.
    Mask {
        /// The member that contains the resource.
        member: &'static str,
    },
    /// A patch of named fields: `?updateMask=a.b,c`, with the resource as the body.
    MaskQuery,
}

/// A field of the form `{name, namespace}` or `{external}`.
#[derive(Debug)]
pub struct Reference {
    /// The path below `spec`.
    pub path: &'static [&'static str],
    /// API group and version of the objects it refers to.
    pub api_version: &'static str,
    /// Their kind.
    pub kind: &'static str,
    /// Their plural name in paths.
    pub plural: &'static str,
    /// Fields of their status with their name in the service's API; the first that is set counts.
    pub status: &'static [&'static str],
    /// Their name if there is no such field; `{project}` and `{name}` are filled in.
    pub external: &'static str,
}

/// Why a kind cannot be used: a mistake in its tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KindError(String);

impl KindError {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        KindError(text.into())
    }
}

impl fmt::Display for KindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for KindError {}

impl Kind {
    /// Builds a kind from its CRD and its tables.
    ///
    /// # Errors
    /// If the CRD or a path in the tables cannot be read, or if a field that could be kept has a schema default.
    pub fn new(
        definition: &'static str,
        fields: &'static [Field],
        attributes: &[(&str, Attribute)],
        rest: &'static Rest,
    ) -> Result<Self, KindError> {
        let arena = Arena::new();
        let wrong = |error: &dyn fmt::Display| KindError(error.to_string());
        let document = yaml::parse(&arena, definition.as_bytes()).map_err(|error| wrong(&error))?;
        let read = crd::read(document, Source::Unknown).map_err(|error| wrong(&error))?;
        let spec = read.definition.spec;
        let stored = spec.versions.iter().find(|version| version.storage);
        let version = stored
            .or(spec.versions.first())
            .ok_or_else(|| KindError("the CRD has no version".to_owned()))?;
        let schema = version
            .open_api_v3_schema()
            .ok_or_else(|| KindError("the CRD has no schema".to_owned()))?;
        if let Some(path) = schema.property("spec").and_then(|spec| defaulted(spec, 0)) {
            let text = "has a schema default, so it would always be specified and its live value never kept";
            return Err(KindError(format!("spec.{path} {text}")));
        }
        let mut known = Attributes::of_schema(schema);
        for (path, attribute) in attributes {
            known
                .add(path, attribute.clone())
                .map_err(|error| wrong(&error))?;
        }
        Ok(Kind {
            group: spec.group.to_string(),
            version: version.name.to_string(),
            kind: spec.names.kind.to_string(),
            plural: spec.names.plural.to_string(),
            definition,
            schema: JsonSchema::clone(schema),
            attributes: known,
            fields,
            immutable: attributes
                .iter()
                .filter(|(_, attribute)| *attribute == Attribute::Immutable)
                .map(|(path, _)| (*path).to_owned())
                .collect(),
            rest,
        })
    }

    /// Converts a spec to the API.
    #[must_use]
    pub fn to_api(&self, spec: &Json) -> Json {
        convert(spec, |arena, spec| field_map::to_api(arena, self.fields, spec))
    }

    /// Converts the API's resource to a spec. Members that are not in the schema are kept.
    #[must_use]
    pub fn to_spec(&self, api: &Json) -> Json {
        convert(api, |arena, api| field_map::to_spec(arena, self.fields, api))
    }

    /// The parameters of the resource's path, from an object.
    #[must_use]
    pub fn parameters(&self, object: &Json, project: &str) -> Parameters {
        let mut parameters = Parameters::new();
        let mut add = |name: &str, text: &str| {
            let known = parameters.entry(name.to_owned()).or_default();
            if known.is_empty() {
                text.clone_into(known);
            }
        };
        for (name, path) in self.rest.parameters {
            if let Some(template) = template(path) {
                add(name, &template.replace("{project}", project));
                continue;
            }
            let value = path.iter().fold(&object["spec"], |value, key| &value[*key]);
            let text = ["external", "name"].iter().find_map(|key| value[*key].as_str());
            let text = value.as_str().or(text).unwrap_or_default();
            let text = match *name {
                "parent" => text.trim_matches('/'),
                _ => text.rsplit('/').next().unwrap_or_default(),
            };
            add(name, text);
        }
        add("project", project);
        parameters
    }

    /// The field of the spec for the labels of the resource, if there is one.
    pub(crate) fn labels_field(&self) -> Option<&'static [&'static str]> {
        let path = self.rest.labels?;
        if let Some(field) = self.fields.iter().find(|field| field.api == path) {
            return Some(field.spec);
        }
        let spec = self.schema.property("spec")?;
        let found = path.iter().try_fold(spec, |schema, name| schema.property(name));
        let is_renamed = self.fields.iter().any(|field| field.spec == path);
        found.filter(|_| !is_renamed).map(|_| path)
    }

    /// A reference to an object of the kind.
    #[must_use]
    pub fn object(&self, namespace: &str, name: &str) -> ObjectRef {
        ObjectRef {
            api_version: self.api_version(),
            kind: self.kind.clone(),
            plural: self.plural.clone(),
            namespace: namespace.to_owned(),
            name: name.to_owned(),
        }
    }

    /// A reference to the kind's CRD.
    #[must_use]
    pub fn crd(&self) -> ObjectRef {
        ObjectRef {
            api_version: "apiextensions.k8s.io/v1".to_owned(),
            kind: "CustomResourceDefinition".to_owned(),
            plural: "customresourcedefinitions".to_owned(),
            namespace: String::new(),
            name: format!("{}.{}", self.plural, self.group),
        }
    }

    /// `GROUP/VERSION`.
    #[must_use]
    pub fn api_version(&self) -> String {
        format!("{}/{}", self.group, self.version)
    }
}

/// The value of a parameter that does not come from a field.
pub(crate) fn template(path: &[&'static str]) -> Option<&'static str> {
    match path {
        [only] if only.contains('{') => Some(only),
        _ => None,
    }
}

/// The path of a field with a default, if there is one.
fn defaulted(schema: &JsonSchema, depth: usize) -> Option<String> {
    if depth > kindsmith_merge::MAX_DEPTH {
        return None;
    }
    schema
        .properties
        .iter()
        .find_map(|(name, member)| match &member.default {
            Some(_) => Some(name.to_string()),
            None => defaulted(member, depth + 1).map(|below| format!("{name}.{below}")),
        })
}

fn convert(json: &Json, with: impl for<'a> Fn(&'a Arena, Value<'a>) -> Value<'a>) -> Json {
    let arena = Arena::new();
    let value = parse_str(&arena, arena.alloc_str(&json.to_string())).unwrap_or_default();
    serde_json::from_str(&to_string(with(&arena, value))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_default_in_the_spec_is_rejected() {
        let definition = "
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: lights.home.example.org}
spec:
  group: home.example.org
  names: {kind: Light, plural: lights}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              lamp: {type: object, properties: {lit: {type: boolean, default: true}}}
";
        let rest = crate::kinds::ALL
            .first()
            .and_then(|known| (known.kind)().ok())
            .map(|kind| kind.rest);
        let error = Kind::new(definition, &[], &[], rest.expect("there are kinds")).err();
        let text = "spec.lamp.lit has a schema default, so it would always be specified and its live value never kept";
        assert_eq!(error.map(|error| error.to_string()).as_deref(), Some(text));
    }
}
