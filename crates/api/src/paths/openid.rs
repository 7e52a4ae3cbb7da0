//! `/.well-known/openid-configuration` and `/openid/v1/jwks`: how others check tokens of service accounts (pkg/routes/openidmetadata.go).

use kindsmith_json::{Value, to_string};

use crate::response::{negotiate, status_response};
use crate::{Api, Response};

/// How long answers may be kept.
const CACHING: &str = "public, max-age=3600";

/// Answers what the issuer of tokens is and does; 404 for a server that signs none.
pub(super) fn configuration(api: &Api) -> Response {
    let Some(signer) = &api.options().token_signer else {
        return status_response::page_not_found();
    };
    let (issuer, keys) = (signer.issuer(), signer.issuer().trim_end_matches('/'));
    let quoted = |text: &str| to_string(Value::Str(text));
    let body = format!(
        r#"{{"issuer":{},"jwks_uri":{},"response_types_supported":["id_token"],"subject_types_supported":["public"],"id_token_signing_alg_values_supported":["{}"]}}"#,
        quoted(issuer),
        quoted(&format!("{keys}/openid/v1/jwks")),
        signer.algorithm()
    );
    cached("application/json", body)
}

/// Answers the public keys.
pub(super) fn keys(api: &Api) -> Response {
    match &api.options().token_signer {
        Some(signer) => cached("application/jwk-set+json", signer.key_set()),
        None => status_response::page_not_found(),
    }
}

fn cached(content_type: &'static str, body: String) -> Response {
    let mut response = negotiate::bytes(200, content_type, body.into_bytes());
    response.headers.push(("cache-control", CACHING.into()));
    response
}
