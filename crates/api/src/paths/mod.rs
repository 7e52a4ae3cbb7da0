//! Paths that are not resources: one file each.

mod debug;
mod flagz;
mod health;
mod openid;
mod root;
mod slis;
mod statusz;
mod version;

use kindsmith_request::Status;

use crate::request::query::Query;
use crate::response::negotiate;
use crate::response::status_response;
use crate::{Api, Request, Response, discovery, openapi};

/// Answers a path that is not a resource.
///
/// # Errors
///
/// If discovery has no such version, or not in the requested format.
pub(crate) fn answer(api: &Api, request: &Request<'_>, query: &Query) -> Result<Response, Status> {
    let path = request.path;
    let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
    if path.contains("//") {
        return Ok(status_response::page_not_found());
    }
    match parts[..] {
        [""] | ["index.html"] => Ok(root::answer(api)),
        ["healthz" | "livez" | "readyz", ..] if !path.ends_with('/') => {
            Ok(health::answer(api, query, &parts).unwrap_or_else(status_response::page_not_found))
        }
        ["metrics", "slis"] => Ok(slis::answer(api)),
        ["statusz"] => statusz::answer(api, request),
        ["flagz"] => flagz::answer(api, request),
        ["version"] => Ok(version::answer()),
        [".well-known", "openid-configuration"] => openid::configuration(api, request),
        ["openid", "v1", "jwks"] => openid::keys(api, request),
        ["openapi", "v2"] if !path.ends_with('/') => Ok(openapi::v2::answer(api, request)),
        ["openapi", "v3", ..] => Ok(openapi::answer(api, request, query)),
        ["api" | "apis", ..] => discovery::answer(api, request, query, &parts),
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
