//! Paths that are not resources: one file each.

mod debug;
mod flagz;
mod health;
mod openid;
mod root;
mod slis;
mod statusz;
mod version;

use std::collections::BTreeMap;
use std::sync::Mutex;

use kindsmith_object::{Gate, Release};
use kindsmith_request::Status;

use crate::context::Core;
use crate::documents::Documents;
use crate::request::query::Query;
use crate::response::negotiate;
use crate::response::status_response;
use crate::{Request, Response, Time, discovery, openapi, options, stored};

/// What these paths use besides what calls use.
pub(crate) struct Pages {
    /// Discovery and OpenAPI documents.
    documents: Documents,
    /// When the server was opened.
    started: Time,
    /// How often health checks passed or failed, by check and endpoint.
    checked: Mutex<Counts>,
    release: Release,
    options: options::Pages,
}

/// Check, endpoint and result with how often it was.
type Counts = BTreeMap<(&'static str, &'static str, bool), u64>;

impl Pages {
    /// The release whose rules hold.
    pub(crate) fn release(&self) -> Release {
        self.release
    }

    pub(crate) fn new(started: Time, release: Release, options: options::Pages) -> Self {
        Pages {
            documents: Documents::default(),
            started,
            release,
            checked: Mutex::default(),
            options,
        }
    }
}

/// Answers a path that is not a resource.
///
/// # Errors
///
/// If discovery has no such version, or not in the requested format.
pub(crate) fn answer(
    core: &Core,
    pages: &Pages,
    request: &Request<'_>,
    query: &Query,
) -> Result<Response, Status> {
    let path = request.path;
    let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
    if path.contains("//") {
        return Ok(status_response::page_not_found());
    }
    let (catalog, signer) = (core.catalog(), core.tokens.signer.as_deref());
    let published = openapi::Published {
        catalog: &catalog,
        documents: &pages.documents,
        v2_defaults: pages.options.v2_defaults,
        has_keys: signer.is_some(),
        now: core.environment.now(),
    };
    let registered = || core.registered.now().map_err(stored::failure);
    match parts[..] {
        ["" | "index.html"] => {
            let paths = root::paths((&catalog, &*registered()?), pages.release, signer.is_some());
            Ok(root::answer(&paths))
        }
        ["healthz" | "livez" | "readyz", ..] if !path.ends_with('/') => {
            Ok(health::answer(&*core.store, query, &parts).unwrap_or_else(status_response::page_not_found))
        }
        ["metrics", "slis"] => Ok(slis::answer(&*core.store, &pages.checked)),
        ["statusz"] if pages.release.enables(Gate::ComponentStatusz) => {
            let paths = root::paths((&catalog, &*registered()?), pages.release, signer.is_some());
            statusz::answer(pages.release, paths, (pages.started, published.now), request)
        }
        ["flagz"] if pages.release.enables(Gate::ComponentFlagz) => {
            flagz::answer(&pages.options.flags, request)
        }
        ["version"] => version::answer(pages.release, request),
        ["version", ..] => Err(status_response::no_resource()),
        [".well-known", "openid-configuration"] => openid::configuration(signer, request),
        ["openid", "v1", "jwks"] => openid::keys(signer, request),
        ["openapi", "v2"] if !path.ends_with('/') => Ok(openapi::v2::answer(&published, request)),
        ["openapi", "v3", ..] => Ok(openapi::answer(&published, request, query)),
        ["api" | "apis", ..] => {
            let registered = registered()?;
            let known = discovery::Known {
                catalog: &catalog,
                registered: &registered,
            };
            discovery::answer(known, &pages.documents, request, query, &parts)
        }
        _ => Ok(status_response::page_not_found()),
    }
}

/// Indented JSON, for people.
fn pretty(value: kindsmith_json::Value<'_>) -> Response {
    let text = kindsmith_json::write::Format::GO
        .order(kindsmith_json::write::Order::Kept)
        .indent("  ")
        .to_string(value);
    negotiate::bytes(200, "application/json", text.into_bytes())
}
