//! OpenAPI: version 3 is an index of documents, and one document for each group and version, made when it is asked for
//! (kube-openapi's handler3, apiextensions-apiserver's pkg/controller/openapi/builder).

mod built_in;
mod connections;
mod custom;
mod older;
mod operations;
mod overview;
mod paths;
mod shared;
mod types;
pub(crate) mod v2;

use std::collections::BTreeMap;
use std::sync::Arc;

use kindsmith_gostd::time::{Layout, Time};
use kindsmith_json::write::{Format, Order};
use kindsmith_json::{Arena, Value};
use kindsmith_object::Release;

use overview::Overview;

use crate::documents::{self, Document, Documents};
use crate::request::query::Query;
use crate::{Catalog, Content, PublishedDefaults, Request, Response, Served};
use kindsmith_json::object_of;

/// What documents are made of.
pub(crate) struct Published<'p> {
    pub(crate) catalog: &'p Arc<Catalog>,
    /// The documents that are made already.
    pub(crate) documents: &'p Documents,
    /// Which definitions of version 2 publish their defaults.
    pub(crate) v2_defaults: PublishedDefaults,
    /// Whether the keys of tokens are published.
    pub(crate) has_keys: bool,
    pub(crate) now: crate::Time,
}

/// Answers a path of `/openapi/v3`.
pub(crate) fn answer(published: &Published<'_>, request: &Request<'_>, query: &Query) -> Response {
    let (catalog, documents) = (published.catalog, published.documents);
    let Some(name) = request.path.strip_prefix("/openapi/v3/") else {
        let index = documents.get(catalog, "openapi", || index(catalog, published.has_keys));
        return tagged(request, &index, Vec::new());
    };
    let key = format!("openapi/{name}");
    let served = served(catalog, name);
    let document = if served.is_empty() {
        let mut overviews = overview::all(catalog, published.has_keys).into_iter();
        match overviews.find(|overview| overview.name == name) {
            Some(overview) => {
                documents.get(catalog, &key, || overview_document(catalog.release(), &overview))
            }
            None => return empty(404, Vec::new()),
        }
    } else {
        documents.get(catalog, &key, || document(catalog.release(), &served))
    };
    let vary = ("vary", "Accept".into());
    if !accepts_json(request.header("accept").unwrap_or_default()) {
        return empty(406, vec![vary]);
    }
    let hash = query.text("hash");
    if hash.is_empty() {
        return tagged(request, &document, vec![vary]);
    }
    if hash != document.tag {
        let location = format!("/openapi/v3/{name}?hash={}", document.tag);
        return empty(301, vec![("location", location.into()), vary]);
    }
    // The URL contains a hash of the content, so it can be cached for long.
    let expires = in_a_year(published.now.seconds);
    let headers = vec![
        vary,
        ("cache-control", "public, immutable".into()),
        ("expires", expires.into()),
    ];
    tagged(request, &document, headers)
}

type Headers = Vec<(&'static str, std::borrow::Cow<'static, str>)>;

fn tagged(request: &Request<'_>, document: &Document, headers: Headers) -> Response {
    let tag = format!("\"{}\"", document.tag);
    let is_known = request.header("if-none-match") == Some(&tag);
    let mut all: Headers = vec![("etag", tag.into())];
    all.extend(headers);
    if is_known {
        return empty(304, all);
    }
    all.insert(0, ("content-type", "application/json".into()));
    Response {
        status: 200,
        headers: all,
        content: Content::Bytes(document.text.clone().into_bytes()),
    }
}

fn empty(status: u16, headers: Headers) -> Response {
    Response {
        status,
        headers,
        content: Content::Bytes(Vec::new()),
    }
}

fn accepts_json(accept: &str) -> bool {
    accept.is_empty()
        || accept.split(',').any(|clause| {
            let media = clause.split(';').next().unwrap_or_default().trim();
            matches!(media, "*/*" | "application/*" | "application/json")
        })
}

/// The index: all documents with their URLs, sorted by name.
fn index(catalog: &Catalog, has_keys: bool) -> Document {
    let arena = Arena::new();
    let versions = catalog
        .served
        .chunk_by(|left, right| (&left.group, &left.version) == (&right.group, &right.version));
    let mut tags: BTreeMap<String, String> = versions
        .filter_map(|served| Some((name_of(served.first()?), tag(served))))
        .collect();
    for overview in overview::all(catalog, has_keys) {
        let tag = overview_tag(&overview);
        tags.insert(overview.name, tag);
    }
    let entries: Vec<(&str, Value<'_>)> = tags
        .iter()
        .map(|(name, tag)| {
            let address = format!("/openapi/v3/{name}?hash={tag}");
            let address = Value::Str(arena.alloc_str(&address));
            (&**name, object_of(&arena, &[("serverRelativeURL", address)]))
        })
        .collect();
    let document = object_of(&arena, &[("paths", object_of(&arena, &entries))]);
    Document::new(Format::GO.to_string(document))
}

fn name_of(served: &Served) -> String {
    match &*served.group {
        "" => format!("api/{}", served.version),
        group => format!("apis/{group}/{}", served.version),
    }
}

/// The resources described by a document.
fn served(catalog: &Catalog, name: &str) -> Vec<Arc<Served>> {
    let served = catalog.served.iter();
    served.filter(|served| name_of(served) == name).cloned().collect()
}

/// The hash of a document's sources. The index needs the hashes of all documents, but must not build them.
fn tag(served: &[Arc<Served>]) -> String {
    let mut parts: Vec<Vec<u8>> = vec![env!("CARGO_PKG_VERSION").into()];
    for served in served {
        let names = format!(
            "{}/{}/{}/{}/{}/{:?}/{:?}/{:?}",
            served.group,
            served.version,
            served.plural,
            served.kind,
            served.list_kind,
            served.scope,
            served.verbs,
            served.subresources
        );
        parts.push(names.into_bytes());
        parts.push(served.resource.source().to_vec());
    }
    let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
    documents::tag(&parts)
}

/// The document of a group and version.
fn document(release: Release, served: &[Arc<Served>]) -> Document {
    let arena = Arena::new();
    let is_custom = served.iter().all(|served| served.resource.is_custom());
    let mut schemas = shared::Schemas::new(&arena, release);
    let mut paths = Vec::new();
    if let Some(first) = served.first().filter(|_| !is_custom) {
        schemas.kinds_of(&first.group, &first.version);
        paths.push(overview::resources(first).path(&arena, &mut schemas));
    }
    for served in served {
        let models = if served.resource.is_custom() {
            custom::models(&arena, served, &mut schemas)
        } else {
            built_in::models(&arena, served, &mut schemas)
        };
        if let Some(models) = models {
            paths.extend(paths::paths(&arena, served, &models, &mut schemas));
        }
    }
    Document {
        tag: tag(served),
        text: text(&arena, (release, is_custom), &paths, schemas),
    }
}

/// The document of a path without resources.
fn overview_document(release: Release, overview: &Overview) -> Document {
    let arena = Arena::new();
    let mut schemas = shared::Schemas::new(&arena, release);
    let paths = [overview.path(&arena, &mut schemas)];
    Document {
        tag: overview_tag(overview),
        text: text(&arena, (release, false), &paths, schemas),
    }
}

fn overview_tag(overview: &Overview) -> String {
    documents::tag(&[env!("CARGO_PKG_VERSION").as_bytes(), overview.name.as_bytes()])
}

fn text<'a>(
    arena: &'a Arena,
    (release, is_custom): (Release, bool),
    paths: &[(&str, Value<'a>)],
    schemas: shared::Schemas<'a>,
) -> String {
    let (title, version) = if is_custom {
        ("Kubernetes CRD Swagger", "v0.1.0")
    } else {
        let version: &str = arena.alloc_str(&release.to_string());
        ("Kubernetes", version)
    };
    let info = object_of(arena, &[("title", title.into()), ("version", version.into())]);
    let mut components = Vec::new();
    components.extend(schemas.finish().map(|schemas| ("schemas", schemas)));
    if !is_custom {
        components.push(("securitySchemes", shared::security(arena)));
    }
    let members = [
        ("openapi", "3.0.0".into()),
        ("info", info),
        ("paths", object_of(arena, paths)),
        ("components", object_of(arena, &components)),
    ];
    Format::GO
        .order(Order::Kept)
        .to_string(object_of(arena, &members))
}

/// Uses the published schema of a resource's objects, and what finds those it refers to; `None` if it has none.
pub(crate) fn with_schema<T>(
    served: &Served,
    use_it: impl for<'a> FnOnce(Value<'a>, &dyn Fn(&str) -> Option<Value<'a>>) -> T,
) -> Option<T> {
    let arena = Arena::new();
    let release = served
        .resource
        .built_in()
        .map_or(Release::NEWEST, |kind| kind.release);
    let mut schemas = shared::Schemas::new(&arena, release);
    let models = if served.resource.is_custom() {
        custom::models(&arena, served, &mut schemas)
    } else {
        built_in::models(&arena, served, &mut schemas)
    };
    let name = models?.object;
    let all = schemas.finish()?;
    let find = |reference: &str| all.get(reference.strip_prefix(shared::PREFIX)?);
    Some(use_it(all.get(name)?, &find))
}

/// The time one year from now, for headers: `Mon, 15 Nov 2027 11:00:00 GMT`.
fn in_a_year(now: i64) -> String {
    let seconds = now.saturating_add(365 * 86_400);
    let time = Time::from_unix(seconds, 0).map(|time| time.format(Layout::Rfc3339));
    let text = time.unwrap_or_default();
    let day =
        ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][seconds.div_euclid(86_400).rem_euclid(7) as usize];
    let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let part = |range: std::ops::Range<usize>| text.get(range).unwrap_or_default();
    let month = part(5..7)
        .parse::<usize>()
        .ok()
        .and_then(|month| months.get(month - 1));
    format!(
        "{day}, {} {} {} {} GMT",
        part(8..10),
        month.unwrap_or(&"Jan"),
        part(0..4),
        part(11..19)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_as_headers_have_them() {
        assert_eq!(in_a_year(0), "Fri, 01 Jan 1971 00:00:00 GMT");
        assert_eq!(in_a_year(1_763_200_800), "Sun, 15 Nov 2026 10:00:00 GMT");
    }
}
