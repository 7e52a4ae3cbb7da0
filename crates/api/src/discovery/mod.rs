//! Discovery of groups, versions and resources, aggregated and unaggregated. Built from the catalog and from what is registered of other
//! servers.

mod aggregated;
mod legacy;
pub(crate) mod order;

use std::sync::Arc;

use self::order::{Group, Ties};

use kindsmith_json::write::Order;
use kindsmith_json::{Arena, Value};
use kindsmith_request::Status;

use crate::documents::Documents;
use crate::registered::{Registered, Registration};
use crate::request::query::Query;
use crate::response::negotiate::{self, Encoding, Endpoint, Shape, negotiate};
use crate::response::{render, status_response};
use crate::{Catalog, Request, Response, Served, Verb};

/// What discovery knows.
#[derive(Clone, Copy)]
pub(crate) struct Known<'c> {
    pub(crate) catalog: &'c Arc<Catalog>,
    pub(crate) registered: &'c Registered,
}

impl<'c> Known<'c> {
    /// The named groups. Aggregated discovery has nothing of a group that this server should answer and does not.
    fn groups(self, ties: Ties) -> Vec<Group<'c>> {
        let unserved = self.registered.unserved(self.catalog);
        match ties {
            Ties::Name => order::groups(self.catalog, self.elsewhere(), ties),
            Ties::ApiService => order::groups(self.catalog, unserved, ties),
        }
    }

    /// The versions that other servers answer.
    fn elsewhere(self) -> impl Iterator<Item = &'c Registration> {
        let unserved = self.registered.unserved(self.catalog);
        unserved.filter(|known| known.service.is_some())
    }
}

/// Answers a discovery path under `/api` or `/apis`, split into its parts.
///
/// # Errors
///
/// If the requested format is not available, or a built-in group has no such version.
pub(crate) fn answer(
    known: Known<'_>,
    documents: &Documents,
    request: &Request<'_>,
    query: &Query,
    parts: &[&str],
) -> Result<Response, Status> {
    let catalog = known.catalog;
    if let ["apis", group, version] = *parts
        && !catalog.has_version(group, version)
        && known.registered.elsewhere(group, version).is_some()
    {
        return Ok(status_response::service_unavailable());
    }
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
                    (known, documents),
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
                _ => Some(legacy::groups(&arena, known)),
            }
        }
        ["api", version] => legacy::resources(&arena, catalog, "", version),
        ["apis", group] => legacy::group(&arena, known, group),
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
