//! Aggregated discovery: `APIGroupDiscoveryList` of `apidiscovery.k8s.io/v2`.

use kindsmith_json::write::{Format, Order};
use kindsmith_json::{Arena, Object, Value};
use kindsmith_object::meta::Scope;

use super::order::{self, Group, Ties, Version};
use super::{Known, other_names, texts, verb_name};
use crate::documents::{Document, Documents};
use crate::response::negotiate::{self, Accepted, Encoding};
use crate::{Content, Request, Response, Served};
use kindsmith_json::object_of;

/// Answers the document of the core group or of all others; 304 for a client that has it already.
pub(super) fn answer(
    (known, documents): (Known<'_>, &Documents),
    request: &Request<'_>,
    accepted: Accepted,
    is_core: bool,
) -> Response {
    let groups = || {
        if is_core {
            order::core(known.catalog).into_iter().collect()
        } else {
            known.groups(Ties::Name)
        }
    };
    let named = if is_core {
        ("discovery/api", String::new())
    } else {
        let elsewhere: Vec<_> = known.elsewhere().collect();
        ("discovery/apis", format!("{elsewhere:?}"))
    };
    let document = documents.get_of(known.catalog, (named.0, &named.1), || {
        let arena = Arena::new();
        let text = Format::GO
            .order(Order::Kept)
            .to_string(document(&arena, &groups()));
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

fn document<'a>(arena: &'a Arena, groups: &[Group<'_>]) -> Value<'a> {
    let items = groups.iter().map(|group| {
        let metadata = match group.name {
            "" => Object::EMPTY.into(),
            name => object_of(arena, &[("name", Value::Str(arena.alloc_str(name)))]),
        };
        let versions = group.versions.iter().map(|known| version(arena, known));
        let versions: Vec<Value<'a>> = versions.collect();
        let versions = Value::Array(arena.alloc_slice_copy(&versions));
        object_of(arena, &[("metadata", metadata), ("versions", versions)])
    });
    let items: Vec<Value<'a>> = items.collect();
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

/// A version with its resources; one of another server, which could not be asked, is stale and has none.
fn version<'a>(arena: &'a Arena, known: &Version<'_>) -> Value<'a> {
    let name = ("version", Value::Str(arena.alloc_str(known.name)));
    if known.served.is_empty() {
        return object_of(arena, &[name, ("freshness", "Stale".into())]);
    }
    let resources: Vec<Value<'a>> = known
        .served
        .iter()
        .map(|served| resource(arena, served))
        .collect();
    object_of(
        arena,
        &[
            name,
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
