//! `/.well-known/openid-configuration` and `/openid/v1/jwks`: how others check tokens of service accounts (pkg/routes/openidmetadata.go).

use kindsmith_json::{Value, to_string};
use kindsmith_request::Status;

use crate::response::{negotiate, status_response};
use crate::{Request, Response, TokenSigner};

/// How long answers may be kept.
const CACHING: &str = "public, max-age=3600";

/// Answers what the issuer of tokens is and does; 404 for a server that signs none.
pub(super) fn configuration(
    signer: Option<&dyn TokenSigner>,
    request: &Request<'_>,
) -> Result<Response, Status> {
    let Some(signer) = signer else {
        return Ok(status_response::page_not_found());
    };
    check(request, "application/json")?;
    let (issuer, keys) = (signer.issuer(), signer.issuer().trim_end_matches('/'));
    let quoted = |text: &str| to_string(Value::Str(text));
    let body = format!(
        r#"{{"issuer":{},"jwks_uri":{},"response_types_supported":["id_token"],"subject_types_supported":["public"],"id_token_signing_alg_values_supported":["{}"]}}"#,
        quoted(issuer),
        quoted(&format!("{keys}/openid/v1/jwks")),
        signer.algorithm()
    );
    Ok(cached("application/json", body))
}

/// Answers the public keys.
pub(super) fn keys(signer: Option<&dyn TokenSigner>, request: &Request<'_>) -> Result<Response, Status> {
    let Some(signer) = signer else {
        return Ok(status_response::page_not_found());
    };
    check(request, "application/jwk-set+json")?;
    Ok(cached("application/jwk-set+json", signer.key_set()))
}

fn check(request: &Request<'_>, produced: &str) -> Result<(), Status> {
    match negotiate::refused_unless(request.header("accept"), &[produced]) {
        Some(status) => Err(status),
        None => Ok(()),
    }
}

fn cached(content_type: &'static str, body: String) -> Response {
    let mut response = negotiate::bytes(200, content_type, body.into_bytes());
    response.headers.push(("cache-control", CACHING.into()));
    response
}
