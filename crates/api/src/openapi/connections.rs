//! Paths of subresources that connect a client with something else: streams of pods, and proxies. What is sent are parameters.

use kindsmith_json::{Arena, Value};

use super::operations::{content, group_version_kind, names, path_parameter, query};
use super::shared::{KINDS, Schemas};
use crate::{Served, Subresource, Verb};
use kindsmith_json::object_of;

/// A subresource that connects.
pub(super) struct Connection<'c> {
    pub(super) served: &'c Served,
    pub(super) sub: &'c Subresource,
    /// What follows group, version and method in the operation ID: `NamespacedPodExec`.
    pub(super) noun: &'c str,
}

/// Methods in their order, with the verb that they are for. Proxies pass on methods that no verb is for.
const METHODS: [(&str, &str, Verb); 7] = [
    ("get", "Get", Verb::Get),
    ("put", "Put", Verb::Update),
    ("post", "Post", Verb::Create),
    ("delete", "Delete", Verb::Delete),
    ("options", "Options", Verb::Delete),
    ("head", "Head", Verb::Delete),
    ("patch", "Patch", Verb::Patch),
];

/// The path of a connection, and for a proxy that of what is behind it.
pub(super) fn paths<'a>(
    arena: &'a Arena,
    connection: &Connection<'_>,
    path: &str,
    schemas: &Schemas<'a>,
) -> Vec<(&'a str, Value<'a>)> {
    let mut paths = vec![item(arena, connection, path, schemas)];
    if *connection.sub.name == *"proxy" {
        let noun = format!("{}WithPath", connection.noun);
        let behind = Connection {
            noun: &noun,
            ..*connection
        };
        paths.push(item(arena, &behind, &format!("{path}/{{path}}"), schemas));
    }
    paths
}

fn item<'a>(
    arena: &'a Arena,
    connection: &Connection<'_>,
    path: &str,
    schemas: &Schemas<'a>,
) -> (&'a str, Value<'a>) {
    let Connection { sub, .. } = connection;
    let methods = METHODS.iter().filter(|(_, _, verb)| sub.verbs.contains(verb));
    let mut members: Vec<(&'a str, Value<'a>)> = methods
        .map(|&(method, title, _)| (method, operation(arena, connection, title)))
        .collect();
    let mut parameters: Vec<(&str, Value<'a>)> = Vec::new();
    for name in ["name", "namespace", "path"] {
        if path.contains(&format!("{{{name}}}")) {
            let about = format!("{name} of the {}", sub.kind.2);
            parameters.push((name, path_parameter(arena, name, &about)));
        }
    }
    parameters.extend(fields(arena, &sub.kind.2, schemas));
    parameters.sort_by_key(|(name, _)| *name);
    let parameters: Vec<Value<'a>> = parameters.into_iter().map(|(_, value)| value).collect();
    members.push(("parameters", Value::Array(arena.alloc_slice_copy(&parameters))));
    (arena.alloc_str(path), object_of(arena, &members))
}

fn operation<'a>(arena: &'a Arena, connection: &Connection<'_>, method: &str) -> Value<'a> {
    let Connection { served, sub, noun } = connection;
    let text = |text: String| Value::Str(arena.alloc_str(&text));
    let (tag, id) = names(served, "connect", &format!("{method}{noun}"));
    let schema = object_of(arena, &[("type", "string".into())]);
    let answer = [
        ("description", "OK".into()),
        ("content", content(arena, &["*/*"], schema)),
    ];
    let refused = object_of(arena, &[("description", "Unauthorized".into())]);
    let answers = [("200", object_of(arena, &answer)), ("401", refused)];
    object_of(
        arena,
        &[
            ("tags", Value::Array(arena.alloc_slice_copy(&[text(tag)]))),
            (
                "description",
                text(format!("Connects to {} of a {}.", sub.name, served.kind)),
            ),
            ("operationId", text(id)),
            ("responses", object_of(arena, &answers)),
            ("x-kubernetes-action", "connect".into()),
            (
                KINDS,
                group_version_kind(arena, (&sub.kind.0, &sub.kind.1, &sub.kind.2)),
            ),
        ],
    )
}

/// The fields of a type of options as parameters of the query; those that are objects cannot be.
pub(super) fn fields<'a>(
    arena: &'a Arena,
    options: &str,
    schemas: &Schemas<'a>,
) -> impl Iterator<Item = (&'a str, Value<'a>)> {
    let schema = schemas.own().get(&format!("io.k8s.api.core.v1.{options}"));
    let properties = schema.and_then(|schema| schema.get("properties")?.as_object());
    let fields = properties.unwrap_or_default().iter();
    fields.filter_map(move |(name, schema)| {
        let is_meta = matches!(name, "apiVersion" | "kind");
        let scalar = schema.get("items").unwrap_or(schema);
        let ty = scalar.get("type")?.as_str()?;
        (!is_meta).then(|| (name, query(arena, (name, ty))))
    })
}
