//! OpenAPI v2: one document about everything that is served, in JSON and in the protobuf form of gnostic
//! (kube-openapi's handler, apiextensions-apiserver's pkg/controller/openapi/v2).
//!
//! It is made of the same operations as version 3, said in the older way.

mod definition;
mod path;
mod protobuf;

use std::collections::BTreeMap;

use kindsmith_generate::openapi_gen::{self, Defaults, Names, Options, Version};
use kindsmith_json::write::{Format, Order};
use kindsmith_json::{Arena, Value};
use kindsmith_object::{Behavior, PerRelease, Release};

use super::{
    Published, accepts_json, built_in, custom, empty, older, overview, paths, shared, tagged, types,
};
use crate::documents::Document;
use crate::{Catalog, Content, PublishedDefaults, Request, Response};
use kindsmith_json::object_of;

/// Where definitions are.
const PREFIX: &str = "#/definitions/";

/// The media type of the protobuf form, and its older spelling, which clients still ask for.
const PROTOBUF: &str = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
const OLD_PROTOBUF: &str = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

/// Answers `/openapi/v2`.
pub(crate) fn answer(published: &Published<'_>, request: &Request<'_>) -> Response {
    let accept = request.header("accept").unwrap_or_default();
    let wants_protobuf = accept.split(',').find_map(|clause| {
        let media = clause.split(';').next().unwrap_or_default().trim();
        match media {
            PROTOBUF | OLD_PROTOBUF => Some(true),
            "*/*" | "application/*" | "application/json" => Some(false),
            _ => None,
        }
    });
    if wants_protobuf.is_none() && !accepts_json(accept) {
        return empty(406, Vec::new());
    }
    let (catalog, defaults) = (published.catalog, published.v2_defaults);
    let document = published.documents.get(catalog, "openapi/v2", || {
        document(catalog, published.has_keys, defaults)
    });
    let mut response = tagged(request, &document, vec![("vary", "Accept".into())]);
    if wants_protobuf == Some(true) && response.status == 200 {
        response.content = Content::Bytes(protobuf::encode(&document.text));
        response.headers[0] = ("content-type", PROTOBUF.into());
    }
    response
}

/// The definitions of all built-in types, made when they are first needed.
fn builtin_definitions(release: Release, defaults: PublishedDefaults) -> &'static str {
    static WITHOUT: PerRelease<String> = PerRelease::new();
    static WITH: PerRelease<String> = PerRelease::new();
    let (kept, defaults) = match defaults {
        PublishedDefaults::All => (&WITH, Defaults::All),
        PublishedDefaults::None | PublishedDefaults::CustomResources => (&WITHOUT, Defaults::None),
    };
    kept.get(release, || {
        let options = Options {
            version: Version::V2,
            defaults,
            validation: false,
            names: Names::Friendly,
        };
        let own = kindsmith_builtin::types::schema_of(release);
        let text = openapi_gen::document_with(own, options, types::elements(release)).text;
        older::document(release, text, &["definitions"])
    })
}

/// Enough bytes for the values of a document with some hundred custom resources; pages that are not needed are not touched.
const ROOM: usize = 32 << 20;

/// The document of all that is served.
fn document(catalog: &Catalog, has_keys: bool, defaults: PublishedDefaults) -> Document {
    let release = catalog.release();
    let arena = Arena::with_capacity(ROOM);
    let builtin =
        kindsmith_json::parse_str(&arena, builtin_definitions(release, defaults)).unwrap_or_default();
    let mut builtin = builtin.get("definitions").unwrap_or_default();
    if !release.has(Behavior::DetailsNotAtomic) {
        let details = [
            "io.k8s.apimachinery.pkg.apis.meta.v1.Status",
            "properties",
            "details",
            "x-kubernetes-list-type",
        ];
        builtin.set(&arena, &details, "atomic".into());
    }
    let (mut schemas, mut all_paths) = (shared::Schemas::new(&arena, release), Vec::new());
    schemas.kinds_of_all();
    for overview in overview::everything(catalog, has_keys) {
        all_paths.push(overview.path(&arena, &mut schemas));
    }
    let mut custom_definitions = BTreeMap::new();
    for served in &catalog.served {
        let is_custom = served.resource.is_custom();
        let models = if is_custom {
            custom::models(&arena, served, &mut schemas)
        } else {
            built_in::models(&arena, served, &mut schemas)
        };
        let Some(models) = models else { continue };
        if is_custom {
            let publishes = defaults != PublishedDefaults::None;
            let object = definition::of_custom(&arena, served, publishes);
            custom_definitions.insert(models.object, object);
        }
        all_paths.extend(paths::paths(&arena, served, &models, &mut schemas));
    }
    let mut definitions = Vec::new();
    for (name, schema) in schemas.finish().and_then(Value::as_object).unwrap_or_default() {
        let own = custom_definitions.get(name).copied();
        let own = own.or_else(|| {
            let own = builtin.get(name)?;
            Some(definition::with_extensions(&arena, own, schema))
        });
        definitions.push((name, own.unwrap_or_else(|| definition::of_v3(&arena, schema))));
    }
    all_paths.sort_by_key(|(path, _)| *path);
    let converted: Vec<(&str, Value<'_>)> = all_paths
        .into_iter()
        .map(|(name, item)| (name, path::item(&arena, item)))
        .collect();
    let version: &str = arena.alloc_str(&release.to_string());
    let info = [("title", "Kubernetes".into()), ("version", version.into())];
    let needs = object_of(&arena, &[("BearerToken", Value::Array(&[]))]);
    let members = [
        ("swagger", "2.0".into()),
        ("info", object_of(&arena, &info)),
        ("paths", object_of(&arena, &converted)),
        ("definitions", object_of(&arena, &definitions)),
        ("securityDefinitions", shared::security(&arena)),
        ("security", Value::Array(arena.alloc_slice_copy(&[needs]))),
    ];
    let text = Format::GO
        .order(Order::Kept)
        .to_string(object_of(&arena, &members));
    Document::new(text)
}
