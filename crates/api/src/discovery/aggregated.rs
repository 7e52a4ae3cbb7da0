//! Aggregated discovery: `APIGroupDiscoveryList` of `apidiscovery.k8s.io/v2`.

use std::sync::Arc;

use kindsmith_json::write::{Format, Order};
use kindsmith_json::{Arena, Object, Value};
use kindsmith_object::meta::Scope;

use super::{order, other_names, texts, verb_name};
use crate::documents::{Document, Documents};
use crate::response::negotiate::{self, Accepted, Encoding};
use crate::{Catalog, Content, Request, Response, Served};
use kindsmith_json::object_of;

/// Answers the document of the core group or of all others; 304 for a client that has it already.
pub(super) fn answer(
    (catalog, documents): (&Arc<Catalog>, &Documents),
    request: &Request<'_>,
    accepted: Accepted,
    is_core: bool,
) -> Response {
    let name = if is_core {
        "discovery/api"
    } else {
        "discovery/apis"
    };
    let document = documents.get(catalog, name, || {
        let arena = Arena::new();
        let text = Format::GO
            .order(Order::Kept)
            .to_string(document(&arena, catalog, is_core));
        Document::new(text)
    });
    let tag = format!("\"{}\"", document.tag);
    let mut response = if request.header("if-none-match") == Some(&tag) {
        Response {
            status: 304,
            headers: Vec::new(),
            content: Content::Bytes(Vec::new()),
        }
    } else {
        content(accepted, &document.text)
    };
    response.headers.extend([
        ("etag", tag.into()),
        ("vary", "Accept".into()),
        ("cache-control", "public".into()),
    ]);
    response
}

fn content(accepted: Accepted, text: &str) -> Response {
    let media_type = match accepted.encoding {
        Encoding::Yaml => "application/yaml;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
        _ => "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
    };
    let mut response = if accepted.pretty || accepted.encoding == Encoding::Yaml {
        let arena = Arena::new();
        let value = kindsmith_json::parse_str(&arena, text).unwrap_or_default();
        negotiate::value(accepted, 200, value, Order::Kept)
    } else {
        negotiate::bytes(200, media_type, format!("{text}\n").into_bytes())
    };
    // Clients tell the two formats apart by the parameters of the media type.
    response.headers = vec![("content-type", media_type.into())];
    response
}

fn document<'a>(arena: &'a Arena, catalog: &Catalog, is_core: bool) -> Value<'a> {
    let core: Vec<Arc<Served>>;
    let groups = if is_core {
        core = catalog
            .served
            .iter()
            .filter(|served| served.group.is_empty())
            .cloned()
            .collect();
        if core.is_empty() {
            Vec::new()
        } else {
            vec![("", &core[..])]
        }
    } else {
        order::groups(catalog)
    };
    let items: Vec<Value<'a>> = groups
        .into_iter()
        .map(|(name, served)| {
            let metadata = match name {
                "" => Object::EMPTY.into(),
                name => object_of(arena, &[("name", Value::Str(arena.alloc_str(name)))]),
            };
            let versions: Vec<Value<'a>> = order::versions(served)
                .into_iter()
                .map(|(version, served)| self::version(arena, version, served))
                .collect();
            let versions = Value::Array(arena.alloc_slice_copy(&versions));
            object_of(arena, &[("metadata", metadata), ("versions", versions)])
        })
        .collect();
    object_of(
        arena,
        &[
            ("kind", "APIGroupDiscoveryList".into()),
            ("apiVersion", "apidiscovery.k8s.io/v2".into()),
            ("metadata", Object::EMPTY.into()),
            ("items", Value::Array(arena.alloc_slice_copy(&items))),
        ],
    )
}

fn version<'a>(arena: &'a Arena, version: &str, served: &[Arc<Served>]) -> Value<'a> {
    let resources: Vec<Value<'a>> = served.iter().map(|served| resource(arena, served)).collect();
    object_of(
        arena,
        &[
            ("version", Value::Str(arena.alloc_str(version))),
            ("resources", Value::Array(arena.alloc_slice_copy(&resources))),
            ("freshness", "Current".into()),
        ],
    )
}

fn resource<'a>(arena: &'a Arena, served: &Served) -> Value<'a> {
    let text = |text: &str| Value::Str(arena.alloc_str(text));
    let own = (&*served.group, &*served.version, &*served.kind);
    let mut members = vec![
        ("resource", text(&served.plural)),
        ("responseKind", kind(arena, served, own)),
        (
            "scope",
            match served.scope {
                Scope::Namespaced => "Namespaced",
                Scope::Cluster => "Cluster",
            }
            .into(),
        ),
        ("singularResource", text(&served.singular)),
        (
            "verbs",
            texts(arena, served.verbs.iter().map(|&verb| verb_name(verb))),
        ),
    ];
    members.extend(other_names(arena, served));
    let mut subresources: Vec<&crate::Subresource> = served.subresources.iter().collect();
    if !served.resource.is_custom() {
        subresources.sort_by(|left, right| left.name.cmp(&right.name));
    }
    let subresources: Vec<Value<'a>> = subresources
        .into_iter()
        .map(|subresource| {
            let (group, version, kind) = &subresource.kind;
            let response_kind = self::kind(arena, served, (group, version, kind));
            let verbs = texts(arena, subresource.verbs.iter().map(|&verb| verb_name(verb)));
            object_of(
                arena,
                &[
                    ("subresource", text(&subresource.name)),
                    ("responseKind", response_kind),
                    ("verbs", verbs),
                ],
            )
        })
        .collect();
    if !subresources.is_empty() {
        members.push((
            "subresources",
            Value::Array(arena.alloc_slice_copy(&subresources)),
        ));
    }
    object_of(arena, &members)
}

/// A response kind; that of a built-in resource omits group and version when they are its own.
fn kind<'a>(arena: &'a Arena, served: &Served, (group, version, kind): (&str, &str, &str)) -> Value<'a> {
    let is_implied = !served.resource.is_custom() && (group, version) == (&*served.group, &*served.version);
    let (group, version) = if is_implied { ("", "") } else { (group, version) };
    let text = |text: &str| Value::Str(arena.alloc_str(text));
    object_of(
        arena,
        &[
            ("group", text(group)),
            ("version", text(version)),
            ("kind", text(kind)),
        ],
    )
}
