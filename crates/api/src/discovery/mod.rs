//! Discovery of groups, versions and resources, aggregated and unaggregated. Built from the catalog alone.

mod aggregated;
mod legacy;
pub(crate) mod order;

use std::sync::Arc;

use kindsmith_json::write::Order;
use kindsmith_json::{Arena, Value};
use kindsmith_request::Status;

use crate::documents::Documents;
use crate::request::query::Query;
use crate::response::negotiate::{self, Encoding, Endpoint, Shape, negotiate};
use crate::response::{render, status_response};
use crate::{Catalog, Request, Response, Served, Verb};

/// Answers a discovery path under `/api` or `/apis`, split into its parts.
///
/// # Errors
///
/// If the requested format is not available, or a built-in group has no such version.
pub(crate) fn answer(
    catalog: &Arc<Catalog>,
    documents: &Documents,
    request: &Request<'_>,
    query: &Query,
    parts: &[&str],
) -> Result<Response, Status> {
    // Documents of groups come from the aggregator, which answers every method.
    let is_routed = matches!(parts, ["api"] | ["api", "v1"]);
    if is_routed && !matches!(request.method, "GET" | "HEAD") {
        return Err(status_response::method_not_allowed());
    }
    let has_router = match parts {
        ["api"] => true,
        ["api", version] => *version == "v1",
        ["apis", group, version] => catalog.is_built_in_version(group, version),
        _ => false,
    };
    if has_router && let Some(status) = negotiate::refused_by_router(request.header("accept"), false) {
        return Err(status);
    }
    let arena = Arena::new();
    let document = match parts {
        ["api" | "apis"] => {
            let accepted = negotiate(request, query, Endpoint::Discovery)?;
            if accepted.shape == Shape::Discovery {
                return Ok(aggregated::answer(
                    (catalog, documents),
                    request,
                    accepted,
                    parts == ["api"],
                ));
            }
            match parts {
                ["api"] => Some(legacy::versions(
                    &arena,
                    request.header("host").unwrap_or_default(),
                )),
                _ => Some(legacy::groups(&arena, catalog)),
            }
        }
        ["api", version] => legacy::resources(&arena, catalog, "", version),
        ["apis", group] => legacy::group(&arena, catalog, group),
        ["apis", group, version] => legacy::resources(&arena, catalog, group, version),
        _ => None,
    };
    match (document, parts) {
        (Some(document), _) => {
            let accepted = negotiate(request, query, Endpoint::Plain)?;
            Ok(match accepted.encoding {
                Encoding::Protobuf => message(document),
                _ => negotiate::value(accepted, 200, document, Order::Kept),
            })
        }
        (None, ["api", _]) => Err(status_response::no_resource()),
        (None, ["apis", group, _]) if catalog.is_built_in_group(group) => Err(status_response::no_resource()),
        _ => Ok(status_response::page_not_found()),
    }
}

/// A document as protobuf.
fn message(document: Value<'_>) -> Response {
    let text = |key| document.get(key).and_then(Value::as_str).unwrap_or_default();
    let kind = text("kind");
    let message = negotiate::meta_message(kind, document);
    render::protobuf(200, text("apiVersion"), kind, &message)
}

/// The name of a verb.
fn verb_name(verb: Verb) -> &'static str {
    match verb {
        Verb::Create => "create",
        Verb::Delete => "delete",
        Verb::DeleteCollection => "deletecollection",
        Verb::Get => "get",
        Verb::List => "list",
        Verb::Patch => "patch",
        Verb::Update => "update",
        Verb::Watch => "watch",
    }
}

/// An array of strings.
fn texts<'a>(arena: &'a Arena, texts: impl ExactSizeIterator<Item = &'a str>) -> Value<'a> {
    Value::Array(arena.alloc_slice_fill_iter(texts.map(Value::Str)))
}

/// Singular name, short names and categories, where present.
fn other_names<'a>(arena: &'a Arena, served: &Served) -> impl Iterator<Item = (&'static str, Value<'a>)> {
    let lists = [
        ("shortNames", &served.short_names),
        ("categories", &served.categories),
    ];
    lists
        .into_iter()
        .filter(|(_, names)| !names.is_empty())
        .map(|(key, names)| {
            (
                key,
                texts(arena, names.iter().map(|name| &*arena.alloc_str(name))),
            )
        })
}
