//! API documents, read into one form: Google's discovery documents, OpenAPI 3 and Swagger 2. Knows no CRD.

use super::DescribeError;
use super::words::singular;
use crate::Json;

/// An API.
pub(super) struct Document<'d> {
    pub(super) host: String,
    /// What all paths begin with, with a leading `/`; may be empty.
    pub(super) prefix: String,
    pub(super) calls: Vec<Call<'d>>,
    schemas: &'d Json,
}

/// A method of an API.
pub(super) struct Call<'d> {
    pub(super) method: String,
    /// Below the prefix; parameters are named after the collection before them: `projects/{project}/lamps/{lamp}`.
    pub(super) path: String,
    /// Names of parameters in the query.
    pub(super) query: Vec<String>,
    pub(super) body: Option<&'d Json>,
    pub(super) answer: Option<&'d Json>,
}

/// The longest chain of references that is followed.
const MAX_REFERENCES: usize = 16;

impl<'d> Document<'d> {
    pub(super) fn read(json: &'d Json) -> Result<Self, DescribeError> {
        let (base, mut calls, schemas) = if json["resources"].is_object() {
            let mut calls = Vec::new();
            let service = json["servicePath"].as_str().unwrap_or_default();
            discovered(json, service, 0, &mut calls);
            let root = json["rootUrl"].as_str().unwrap_or_default();
            (root.to_owned(), calls, &json["schemas"])
        } else if json["paths"].is_object() {
            let schemas = if json["swagger"].is_string() {
                &json["definitions"]
            } else {
                &json["components"]["schemas"]
            };
            (address(json), published(json), schemas)
        } else {
            return Err(DescribeError::NotAnApi);
        };
        let rest = base.split_once("://").map_or(&*base, |(_, rest)| rest);
        let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
        let version = common_prefix(&calls);
        for call in &mut calls {
            let path = call.path.trim_start_matches('/');
            let path = path.strip_prefix(&*version).unwrap_or(path);
            call.path = named(path.trim_start_matches('/'));
        }
        let prefix: Vec<&str> = path
            .split('/')
            .chain(version.split('/'))
            .filter(|part| !part.is_empty())
            .collect();
        let prefix = prefix.iter().map(|part| format!("/{part}")).collect();
        Ok(Document {
            host: host.to_owned(),
            prefix,
            calls,
            schemas,
        })
    }

    /// A schema with references followed.
    pub(super) fn resolve(&self, schema: &'d Json) -> &'d Json {
        let mut here = schema;
        for _ in 0..MAX_REFERENCES {
            let only = here["allOf"].as_array().filter(|all| all.len() == 1);
            here = match (here["$ref"].as_str(), only) {
                (Some(name), _) => &self.schemas[name.rsplit('/').next().unwrap_or(name)],
                (None, Some(all)) => &all[0],
                (None, None) => return here,
            };
        }
        here
    }

    /// The name of the schema that is referred to.
    pub(super) fn name(schema: &Json) -> Option<&str> {
        let only = schema["allOf"].as_array().filter(|all| all.len() == 1);
        let name = schema["$ref"].as_str().or_else(|| only?[0]["$ref"].as_str())?;
        Some(name.rsplit('/').next().unwrap_or(name))
    }

    /// The members of an object.
    pub(super) fn members(&self, schema: &'d Json) -> Vec<(&'d str, &'d Json)> {
        let schema = self.resolve(schema);
        let mut found = Vec::new();
        let parts = schema["allOf"].as_array().into_iter().flatten();
        for part in parts.map(|part| self.resolve(part)).chain([schema]) {
            let members = part["properties"].as_object().into_iter().flatten();
            found.extend(members.map(|(name, member)| (name.as_str(), member)));
        }
        found
    }

    pub(super) fn member(&self, schema: &'d Json, name: &str) -> Option<&'d Json> {
        let mut members = self.members(schema).into_iter();
        members
            .find(|(known, _)| *known == name)
            .map(|(_, member)| member)
    }

    /// The schema of a list's items.
    pub(super) fn items(&self, schema: &'d Json) -> Option<&'d Json> {
        let schema = self.resolve(schema);
        (schema["type"] == "array").then(|| self.resolve(&schema["items"]))
    }
}

/// The methods of a discovery document.
fn discovered<'d>(json: &'d Json, service: &str, depth: usize, calls: &mut Vec<Call<'d>>) {
    if depth > MAX_REFERENCES {
        return;
    }
    for method in json["methods"]
        .as_object()
        .into_iter()
        .flat_map(|methods| methods.values())
    {
        let path = method["flatPath"]
            .as_str()
            .or(method["path"].as_str())
            .unwrap_or_default();
        let parameters = method["parameters"].as_object().into_iter().flatten();
        let query = parameters.filter(|(_, parameter)| parameter["location"] == "query");
        calls.push(Call {
            method: method["httpMethod"].as_str().unwrap_or_default().to_owned(),
            path: format!("{service}{path}"),
            query: query.map(|(name, _)| name.clone()).collect(),
            body: method.get("request"),
            answer: method.get("response"),
        });
    }
    for below in json["resources"]
        .as_object()
        .into_iter()
        .flat_map(|below| below.values())
    {
        discovered(below, service, depth + 1, calls);
    }
}

/// The base URL of an OpenAPI document.
fn address(json: &Json) -> String {
    let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
    if json["swagger"].is_string() {
        return format!("https://{}{}", text(&json["host"]), text(&json["basePath"]));
    }
    text(&json["servers"][0]["url"])
}

/// The methods of an OpenAPI document.
fn published(json: &Json) -> Vec<Call<'_>> {
    let mut calls = Vec::new();
    for (path, item) in json["paths"].as_object().into_iter().flatten() {
        for method in ["get", "post", "put", "patch", "delete"] {
            let Some(operation) = item.get(method) else {
                continue;
            };
            let parameters = || {
                let all = [&item["parameters"], &operation["parameters"]];
                all.into_iter().filter_map(Json::as_array).flatten()
            };
            let text = |parameter: &Json| parameter["name"].as_str().map(str::to_owned);
            let answers = ["200", "201", "202"].map(|code| &operation["responses"][code]);
            let answer = answers.iter().find(|answer| answer.is_object());
            let of_swagger = parameters().find(|parameter| parameter["in"] == "body");
            calls.push(Call {
                method: method.to_uppercase(),
                path: path.clone(),
                query: parameters()
                    .filter(|parameter| parameter["in"] == "query")
                    .filter_map(text)
                    .collect(),
                body: content(&operation["requestBody"]).or_else(|| of_swagger?.get("schema")),
                answer: answer.and_then(|answer| content(answer).or_else(|| answer.get("schema"))),
            });
        }
    }
    calls
}

/// The schema of a body in JSON.
fn content(body: &Json) -> Option<&Json> {
    let content = body["content"].as_object()?;
    let json = content.iter().find(|(media, _)| media.contains("json"));
    json.and_then(|(_, content)| content.get("schema"))
}

/// What all paths begin with, up to a version such as `v1`; empty if they do not.
fn common_prefix(calls: &[Call<'_>]) -> String {
    let of = |path: &str| -> Option<String> {
        let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
        let is_version = |part: &&str| -> bool {
            let digits = part.strip_prefix('v').unwrap_or_default();
            digits.starts_with(|sign: char| sign.is_ascii_digit())
        };
        let end = parts.iter().position(is_version)?;
        let start = &parts[..=end];
        start
            .iter()
            .all(|part| !part.contains('{'))
            .then(|| start.join("/"))
    };
    let first = calls.first().and_then(|call| of(&call.path));
    let first = first.filter(|first| calls.iter().all(|call| of(&call.path).as_ref() == Some(first)));
    first.unwrap_or_default()
}

/// A path with parameters named after the collection before them.
fn named(path: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    for part in path.split('/') {
        let inner = part.strip_prefix('{').and_then(|part| part.strip_suffix('}'));
        let before = parts.last().filter(|before| !before.starts_with('{'));
        let name = match (inner, before) {
            (Some(_), Some(before)) => format!("{{{}}}", singular(before)),
            (Some(inner), None) => format!("{{{}}}", inner.trim_start_matches('+')),
            (None, _) => part.to_owned(),
        };
        parts.push(name);
    }
    parts.join("/")
}
