//! Request bodies: size limit and format (`NegotiateInputSerializer` in apiserver's
//! pkg/endpoints/handlers/negotiation).

use kindsmith_formats::limit::REQUEST_BYTES;
use kindsmith_request::{Body, Media, Status};

use crate::Request;

const ACCEPTED: &str = "application/json, application/yaml, application/vnd.kubernetes.protobuf";

/// A request body in one of the accepted formats.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Input<'r> {
    /// JSON or YAML.
    Text(Body<'r>),
    /// Protobuf.
    Protobuf(&'r [u8]),
}

impl<'r> Input<'r> {
    /// Finds the format of a request's body.
    pub(crate) fn read(request: &Request<'r>) -> Result<Self, Status> {
        let header = request.header("content-type").unwrap_or_default();
        let media = header.split(';').next().unwrap_or_default().trim();
        let text = |media| {
            Ok(Input::Text(Body {
                bytes: request.body,
                media,
            }))
        };
        match media.to_ascii_lowercase().as_str() {
            "" if header.is_empty() => text(Media::Json),
            "application/json" => text(Media::Json),
            "application/yaml" => text(Media::Yaml),
            "application/vnd.kubernetes.protobuf" => Ok(Input::Protobuf(request.body)),
            _ => Err(unsupported(ACCEPTED)),
        }
    }

    /// The body as JSON or YAML; `open` converts protobuf.
    pub(crate) fn json<'a>(
        self,
        open: impl FnOnce(&'a [u8]) -> Result<Body<'a>, Status>,
    ) -> Result<Body<'a>, Status>
    where
        'r: 'a,
    {
        match self {
            Input::Text(body) => Ok(body),
            Input::Protobuf(bytes) => open(bytes),
        }
    }
}

/// Rejects a body that is too large (`limitedReadBody`).
pub(crate) fn check_size(request: &Request<'_>) -> Result<(), Status> {
    if request.body.len() > REQUEST_BYTES {
        Err(Status::too_large(&format!("limit is {REQUEST_BYTES}")))
    } else {
        Ok(())
    }
}

/// 415 with the accepted media types.
pub(crate) fn unsupported(accepted: &str) -> Status {
    Status {
        code: 415,
        reason: "UnsupportedMediaType".into(),
        message: format!(
            "the body of the request was in an unknown format - accepted media types include: {accepted}"
        ),
        details: None,
    }
}
