//! Bodies of requests: how large they may be and how they are written (`NegotiateInputSerializer` in apiserver's
//! pkg/endpoints/handlers/negotiation).

use kindsmith_wire::{Body, Media, Status};

use crate::Request;

/// How many bytes a body may have.
const LIMIT: usize = 3 * 1024 * 1024;

const ACCEPTED: &str = "application/json, application/yaml, application/vnd.kubernetes.protobuf";

/// The body of a request, if it is not too large (`limitedReadBody`).
pub(crate) fn body<'r>(request: &Request<'r>) -> Result<&'r [u8], Status> {
    match request.body.len() > LIMIT {
        true => Err(Status::too_large(&format!("limit is {LIMIT}"))),
        false => Ok(request.body),
    }
}

/// How a body is written.
pub(crate) fn media(request: &Request<'_>) -> Result<Media, Status> {
    let header = request.header("content-type").unwrap_or_default();
    let media = header.split(';').next().unwrap_or_default().trim();
    match media.to_ascii_lowercase().as_str() {
        "" if header.is_empty() => Ok(Media::Json),
        "application/json" => Ok(Media::Json),
        "application/yaml" => Ok(Media::Yaml),
        _ => Err(unsupported(ACCEPTED)),
    }
}

/// Reads the body of a create or update.
pub(crate) fn read<'r>(request: &Request<'r>) -> Result<Body<'r>, Status> {
    let media = media(request)?;
    Ok(Body {
        bytes: body(request)?,
        media,
    })
}

/// 415 with a list of what is taken.
pub(crate) fn unsupported(accepted: &str) -> Status {
    Status {
        code: 415,
        reason: "UnsupportedMediaType",
        message: format!(
            "the body of the request was in an unknown format - accepted media types include: {accepted}"
        ),
        details: None,
    }
}
