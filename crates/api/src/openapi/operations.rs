//! One operation on a path: its name, parameters, bodies and responses.

use kindsmith_json::{Arena, Value};
use kindsmith_object::Behavior;

use super::shared::{KINDS, Schemas};
use crate::Served;
use kindsmith_json::object_of;

/// A parameter of the query: its name and type.
pub(super) type Parameter = (&'static str, &'static str);

pub(super) const PRETTY: Parameter = ("pretty", "string");
const GET: &[Parameter] = &[("resourceVersion", "string")];
const LIST: &[Parameter] = &[
    ("allowWatchBookmarks", "boolean"),
    ("continue", "string"),
    ("fieldSelector", "string"),
    ("labelSelector", "string"),
    ("limit", "integer"),
    ("resourceVersion", "string"),
    ("resourceVersionMatch", "string"),
    ("sendInitialEvents", "boolean"),
    ("shardSelector", "string"),
    ("timeoutSeconds", "integer"),
    ("watch", "boolean"),
];
const WRITE: &[Parameter] = &[
    ("dryRun", "string"),
    ("fieldManager", "string"),
    ("fieldValidation", "string"),
];
const PATCH: &[Parameter] = &[
    ("dryRun", "string"),
    ("fieldManager", "string"),
    ("fieldValidation", "string"),
    ("force", "boolean"),
];
const DELETE: &[Parameter] = &[
    ("dryRun", "string"),
    ("gracePeriodSeconds", "integer"),
    ("ignoreStoreReadErrorWithClusterBreakingPotential", "boolean"),
    ("orphanDependents", "boolean"),
    ("propagationPolicy", "string"),
];

/// Parameters to delete a collection of a built-in kind: those of a list and those of a deletion.
const DELETE_MANY: &[Parameter] = &[
    ("continue", "string"),
    ("dryRun", "string"),
    ("fieldSelector", "string"),
    ("gracePeriodSeconds", "integer"),
    ("ignoreStoreReadErrorWithClusterBreakingPotential", "boolean"),
    ("labelSelector", "string"),
    ("limit", "integer"),
    ("orphanDependents", "boolean"),
    ("propagationPolicy", "string"),
    ("resourceVersion", "string"),
    ("resourceVersionMatch", "string"),
    ("sendInitialEvents", "boolean"),
    ("shardSelector", "string"),
    ("timeoutSeconds", "integer"),
];

/// What an operation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Action {
    /// The method in lower case.
    pub(super) method: &'static str,
    /// The verb of the API: `x-kubernetes-action`.
    pub(super) action: &'static str,
    /// The first part of the operation ID.
    pub(super) verb: &'static str,
}

pub(super) const READ: Action = Action {
    method: "get",
    action: "get",
    verb: "read",
};
pub(super) const READ_MANY: Action = Action {
    method: "get",
    action: "list",
    verb: "list",
};
pub(super) const CREATE: Action = Action {
    method: "post",
    action: "post",
    verb: "create",
};
pub(super) const REPLACE: Action = Action {
    method: "put",
    action: "put",
    verb: "replace",
};
pub(super) const CHANGE: Action = Action {
    method: "patch",
    action: "patch",
    verb: "patch",
};
pub(super) const REMOVE: Action = Action {
    method: "delete",
    action: "delete",
    verb: "delete",
};
pub(super) const REMOVE_MANY: Action = Action {
    method: "delete",
    action: "deletecollection",
    verb: "delete",
};

/// Watches one object, by a path of its own.
pub(super) const WATCH: Action = Action {
    method: "get",
    action: "watch",
    verb: "watch",
};
/// Watches a list, by a path of its own.
pub(super) const WATCH_MANY: Action = Action {
    method: "get",
    action: "watchlist",
    verb: "watch",
};

impl Action {
    /// The query parameters of a resource.
    pub(super) fn parameters(self, served: &Served) -> impl Iterator<Item = Parameter> {
        let is_sharded = served.resource.release().has(Behavior::ShardedLists);
        let all = self.all_parameters(served.resource.is_custom()).iter().copied();
        all.filter(move |(name, _)| is_sharded || *name != "shardSelector")
    }

    fn all_parameters(self, is_custom: bool) -> &'static [Parameter] {
        match (self.action, is_custom) {
            ("get", true) => GET,
            ("get", false) => &[],
            ("deletecollection", false) => DELETE_MANY,
            ("list" | "watch" | "watchlist" | "deletecollection", _) => LIST,
            ("put" | "post", _) => WRITE,
            ("patch", _) => PATCH,
            _ => DELETE,
        }
    }
}

/// An operation to write.
pub(super) struct Operation<'o> {
    pub(super) action: Action,
    /// What follows group and version in the operation ID: `NamespacedPlanetStatus`.
    pub(super) noun: &'o str,
    /// The schema of the response; empty if it is text.
    pub(super) answer: &'o str,
    /// Group, version and kind of what is created through a subresource.
    pub(super) created: Option<(&'o str, &'o str, &'o str)>,
    /// Whether its parameters are listed once for the whole path.
    pub(super) has_no_parameters: bool,
}

/// Writes an operation.
pub(super) fn operation<'a>(
    arena: &'a Arena,
    served: &'a Served,
    operation: &Operation<'_>,
    schemas: &mut Schemas<'a>,
) -> Value<'a> {
    let action = operation.action;
    let text = |text: String| Value::Str(arena.alloc_str(&text));
    let (tag, name) = names(served, action.verb, operation.noun);
    let mut members = vec![
        ("tags", Value::Array(arena.alloc_slice_copy(&[text(tag)]))),
        ("description", text(describe(served, action))),
        ("operationId", text(name)),
    ];
    let parameters = action.parameters(served).map(|parameter| query(arena, parameter));
    let parameters: Vec<Value<'a>> = parameters.collect();
    if !operation.has_no_parameters && !parameters.is_empty() {
        members.push(("parameters", Value::Array(arena.alloc_slice_copy(&parameters))));
    }
    if let Some((body, is_required)) = body(served, operation) {
        let media = match (action.method, served.resource.is_custom()) {
            ("patch", true) => CUSTOM_PATCHES,
            ("patch", false) => PATCHES,
            (_, true) => PLAIN,
            (_, false) => &["*/*"],
        };
        let mut request = vec![("content", content(arena, media, schemas.reference(body)))];
        if is_required {
            request.push(("required", Value::Bool(true)));
        }
        members.push(("requestBody", object_of(arena, &request)));
    }
    members.push(("responses", responses(arena, served, operation, schemas)));
    members.push(("x-kubernetes-action", action.action.into()));
    let kind = match operation.created {
        Some(kind) => group_version_kind(arena, kind),
        None => self::kind(arena, served, operation),
    };
    members.push((KINDS, kind));
    object_of(arena, &members)
}

const PLAIN: &[&str] = &["application/json", "application/yaml"];
/// The media types of built-in objects.
pub(super) const TYPED: &[&str] = &[
    "application/json",
    "application/vnd.kubernetes.protobuf",
    "application/yaml",
];
const TEXT: &[&str] = &[
    "application/json",
    "application/vnd.kubernetes.protobuf",
    "application/yaml",
    "text/plain",
];
const STREAMED: &[&str] = &[
    "application/json",
    "application/json;stream=watch",
    "application/vnd.kubernetes.protobuf",
    "application/vnd.kubernetes.protobuf;stream=watch",
    "application/yaml",
];
const CUSTOM_PATCHES: &[&str] = &[
    "application/apply-patch+yaml",
    "application/json-patch+json",
    "application/merge-patch+json",
];
const PATCHES: &[&str] = &[
    "application/apply-patch+yaml",
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
];

const DELETE_OPTIONS: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions";

/// The schema of the request body, and whether a body is required.
fn body<'o>(served: &Served, operation: &Operation<'o>) -> Option<(&'o str, bool)> {
    match operation.action.action {
        "post" | "put" => Some((operation.answer, true)),
        "patch" => Some(("io.k8s.apimachinery.pkg.apis.meta.v1.Patch", true)),
        "delete" => Some((DELETE_OPTIONS, false)),
        "deletecollection" if !served.resource.is_custom() => Some((DELETE_OPTIONS, false)),
        _ => None,
    }
}

fn responses<'a>(
    arena: &'a Arena,
    served: &Served,
    operation: &Operation<'_>,
    schemas: &mut Schemas<'a>,
) -> Value<'a> {
    let is_custom = served.resource.is_custom();
    let codes: &[(&str, &str)] = match operation.action.action {
        "post" => &[("200", "OK"), ("201", "Created"), ("202", "Accepted")],
        "put" => &[("200", "OK"), ("201", "Created")],
        "patch" if !is_custom => &[("200", "OK"), ("201", "Created")],
        "delete" => &[("200", "OK"), ("202", "Accepted")],
        _ => &[("200", "OK")],
    };
    let media = match (is_custom, operation.action) {
        (true, _) => PLAIN,
        (false, READ_MANY | WATCH | WATCH_MANY) => STREAMED,
        (false, _) if operation.answer.is_empty() => TEXT,
        (false, _) => TYPED,
    };
    let schema = match operation.answer {
        "" => object_of(arena, &[("type", "string".into())]),
        answer => schemas.reference(answer),
    };
    let mut members: Vec<(&str, Value<'a>)> = codes
        .iter()
        .map(|&(code, description)| {
            let content = content(arena, media, schema);
            let response = object_of(
                arena,
                &[("description", description.into()), ("content", content)],
            );
            (code, response)
        })
        .collect();
    members.push(("401", object_of(arena, &[("description", "Unauthorized".into())])));
    object_of(arena, &members)
}

/// The same schema in each media type.
pub(super) fn content<'a>(arena: &'a Arena, media: &[&'static str], schema: Value<'a>) -> Value<'a> {
    let entry = object_of(arena, &[("schema", schema)]);
    let members: Vec<(&'a str, Value<'a>)> = media.iter().map(|&media| (media, entry)).collect();
    object_of(arena, &members)
}

/// A parameter of the query.
pub(super) fn query<'a>(arena: &'a Arena, (name, ty): (&'a str, &'a str)) -> Value<'a> {
    let schema = object_of(arena, &[("type", ty.into()), ("uniqueItems", Value::Bool(true))]);
    object_of(
        arena,
        &[("name", name.into()), ("in", "query".into()), ("schema", schema)],
    )
}

/// A parameter in the path.
pub(super) fn path_parameter<'a>(arena: &'a Arena, name: &'static str, description: &str) -> Value<'a> {
    let schema = object_of(
        arena,
        &[("type", "string".into()), ("uniqueItems", Value::Bool(true))],
    );
    object_of(
        arena,
        &[
            ("name", name.into()),
            ("in", "path".into()),
            ("description", Value::Str(arena.alloc_str(description))),
            ("required", Value::Bool(true)),
            ("schema", schema),
        ],
    )
}

/// The kind of the operation; for the scale of a built-in kind it is `Scale`.
fn kind<'a>(arena: &'a Arena, served: &'a Served, operation: &Operation<'_>) -> Value<'a> {
    let is_scale = !served.resource.is_custom() && operation.answer.ends_with(".autoscaling.v1.Scale");
    let kind = if is_scale {
        ("autoscaling", "v1", "Scale")
    } else {
        (&*served.group, &*served.version, &*served.kind)
    };
    group_version_kind(arena, kind)
}

pub(super) fn group_version_kind<'a>(
    arena: &'a Arena,
    (group, version, kind): (&str, &str, &str),
) -> Value<'a> {
    let members = [("group", group), ("version", version), ("kind", kind)];
    object_of(
        arena,
        &members.map(|(key, text)| (key, Value::Str(arena.alloc_str(text)))),
    )
}

fn describe(served: &Served, action: Action) -> String {
    match action.action {
        "get" => format!("Reads a {}.", served.kind),
        "watch" => format!("Watches a {}.", served.kind),
        "list" | "watchlist" => format!("Lists or watches objects of the kind {}.", served.kind),
        "post" => format!("Creates a {}.", served.kind),
        "put" => format!("Writes a {} as a whole.", served.kind),
        "patch" => format!("Changes parts of a {}.", served.kind),
        "delete" => format!("Deletes a {}.", served.kind),
        _ => format!(
            "Deletes all objects of the kind {} that are selected.",
            served.kind
        ),
    }
}

/// Tag and ID of an operation (`GetOperationIDAndTags` in apiserver's pkg/endpoints/openapi).
pub(super) fn names(served: &Served, verb: &str, noun: &str) -> (String, String) {
    let group = match &*served.group {
        "" => "core",
        group => short_group(group),
    };
    let tag = format!(
        "{}_{}",
        identifier(group, false),
        identifier(&served.version, false)
    );
    let name = format!(
        "{verb}{}{}{noun}",
        identifier(group, true),
        identifier(&served.version, true)
    );
    (tag, name)
}

/// The name of a group in tags and operation IDs.
pub(super) fn short_group(group: &str) -> &str {
    group.strip_suffix(".k8s.io").unwrap_or(group)
}

/// Turns text into a part of an operation ID: drops all but letters and digits and capitalizes what follows
/// (`ToValidOperationID`).
pub(super) fn identifier(text: &str, mut is_capital: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        if !letter.is_alphanumeric() && letter != '_' {
            is_capital = true;
            continue;
        }
        if std::mem::take(&mut is_capital) {
            out.extend(letter.to_uppercase());
        } else {
            out.push(letter);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_have_no_dots() {
        assert_eq!(identifier("openapi-v3.example.com", true), "OpenapiV3ExampleCom");
        assert_eq!(identifier("openapi-v3.example.com", false), "openapiV3ExampleCom");
    }
}
