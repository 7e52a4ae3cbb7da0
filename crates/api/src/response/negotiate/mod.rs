//! Content negotiation: encoding, conversion, indentation (`NegotiateOutputMediaType` in apiserver's
//! pkg/endpoints/handlers/negotiation). Knows requests and forms, not the objects.

mod accept;
mod encode;
mod protobuf;
mod router;

use kindsmith_gostd::strconv::parse_bool;
use kindsmith_request::Status;

use crate::Request;
use crate::request::query::Query;

pub(crate) use encode::{bytes, error, status_envelope, success, value};
pub(crate) use protobuf::meta_message;
pub(crate) use router::{refused_by_router, refused_unless};

/// The encoding of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Encoding {
    /// `application/json`.
    Json,
    /// `application/yaml`.
    Yaml,
    /// `application/vnd.kubernetes.protobuf`.
    Protobuf,
}

impl Encoding {
    /// All encodings, in the order in which a wildcard picks them.
    const ALL: [Encoding; 3] = [Encoding::Json, Encoding::Yaml, Encoding::Protobuf];

    /// The media type.
    pub(crate) fn media_type(self) -> &'static str {
        match self {
            Encoding::Json => "application/json",
            Encoding::Yaml => "application/yaml",
            Encoding::Protobuf => "application/vnd.kubernetes.protobuf",
        }
    }

    fn subtype(self) -> &'static str {
        &self.media_type()["application/".len()..]
    }

    /// Whether events can be streamed in it.
    pub(crate) fn can_stream(self) -> bool {
        self != Encoding::Yaml
    }
}

/// A version of `meta.k8s.io`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum MetaVersion {
    /// `v1`.
    V1,
    /// `v1beta1`.
    V1beta1,
}

impl MetaVersion {
    /// Group and version.
    pub(crate) fn api_version(self) -> &'static str {
        match self {
            MetaVersion::V1 => "meta.k8s.io/v1",
            MetaVersion::V1beta1 => "meta.k8s.io/v1beta1",
        }
    }
}

/// How objects are converted before they are encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Shape {
    /// Not at all.
    Plain,
    /// To a table.
    Table(MetaVersion),
    /// To the metadata of one object.
    Partial(MetaVersion),
    /// To the metadata of a list.
    PartialList(MetaVersion),
    /// Aggregated discovery; only on discovery paths.
    Discovery,
}

/// The sort of endpoint, which decides the available forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Endpoint {
    /// Objects of built-in kinds.
    BuiltIn,
    /// Objects of built-in kinds, at a subresource that has no tables.
    Untabled,
    /// Objects of custom resources, which have no protobuf form.
    Custom,
    /// Aggregated discovery.
    Discovery,
    /// All others, and errors.
    Plain,
}

/// The negotiated form of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Accepted {
    /// The encoding.
    pub(crate) encoding: Encoding,
    /// The conversion.
    pub(crate) shape: Shape,
    /// Whether JSON is indented.
    pub(crate) pretty: bool,
}

/// Negotiates the form of the response.
///
/// # Errors
///
/// 406 if the endpoint supports none of the accepted media types.
pub(crate) fn negotiate(
    request: &Request<'_>,
    query: &Query,
    endpoint: Endpoint,
) -> Result<Accepted, Status> {
    find(request.header("accept").unwrap_or_default(), endpoint)
        .map(|accepted| Accepted {
            pretty: accepted.pretty || is_pretty(request, query),
            ..accepted
        })
        .ok_or_else(|| not_acceptable(&Encoding::ALL.map(Encoding::media_type)))
}

/// Checks that the negotiated form can be streamed.
///
/// # Errors
///
/// 406 if it cannot.
pub(crate) fn check_stream(accepted: Accepted) -> Result<(), Status> {
    if accepted.encoding.can_stream() {
        return Ok(());
    }
    Err(not_acceptable(&[
        "application/json;stream=watch",
        "application/vnd.kubernetes.protobuf;stream=watch",
    ]))
}

fn not_acceptable(accepted: &[&str]) -> Status {
    let accepted = accepted.join(", ");
    not_acceptable_because(format!("only the following media types are accepted: {accepted}"))
}

/// 406 with this message (`errNotAcceptable`).
pub(crate) fn not_acceptable_because(message: String) -> Status {
    Status {
        code: 406,
        reason: "NotAcceptable".into(),
        message,
        details: None,
    }
}

fn find(header: &str, endpoint: Endpoint) -> Option<Accepted> {
    if header.is_empty() {
        return Some(Accepted {
            encoding: Encoding::Json,
            shape: Shape::Plain,
            pretty: false,
        });
    }
    accept::parse(header).iter().find_map(|clause| {
        Encoding::ALL
            .into_iter()
            .filter(|encoding| clause.matches("application", encoding.subtype()))
            .find_map(|encoding| accept_clause(clause, encoding, endpoint))
    })
}

/// The form of a clause, if the endpoint supports it (`acceptMediaTypeOptions`).
fn accept_clause(clause: &accept::Clause<'_>, encoding: Encoding, endpoint: Endpoint) -> Option<Accepted> {
    let stream = clause.parameter("stream").unwrap_or_default();
    if !stream.is_empty() && (stream != "watch" || !encoding.can_stream()) {
        return None;
    }
    let server_version = clause.parameter("sv").unwrap_or_default();
    if !server_version.is_empty() && (endpoint == Endpoint::Plain || server_version != "v1") {
        return None;
    }
    let target = ["g", "v", "as"].map(|name| clause.parameter(name));
    let shape = match target {
        [None, None, None] => Shape::Plain,
        target => shape(target.map(Option::unwrap_or_default))?,
    };
    is_allowed(shape, encoding, endpoint).then(|| Accepted {
        encoding,
        shape,
        pretty: clause.parameter("pretty") == Some("1"),
    })
}

fn shape([group, version, kind]: [&str; 3]) -> Option<Shape> {
    if [group, version, kind] == ["apidiscovery.k8s.io", "v2", "APIGroupDiscoveryList"] {
        return Some(Shape::Discovery);
    }
    let version = match (group, version) {
        ("meta.k8s.io", "v1") => MetaVersion::V1,
        ("meta.k8s.io", "v1beta1") => MetaVersion::V1beta1,
        _ => return None,
    };
    match kind {
        "Table" => Some(Shape::Table(version)),
        "PartialObjectMetadata" => Some(Shape::Partial(version)),
        "PartialObjectMetadataList" => Some(Shape::PartialList(version)),
        _ => None,
    }
}

fn is_allowed(shape: Shape, encoding: Encoding, endpoint: Endpoint) -> bool {
    match (endpoint, shape) {
        (Endpoint::Custom, Shape::Plain) => encoding != Encoding::Protobuf,
        (_, Shape::Plain) => true,
        (Endpoint::Discovery, Shape::Discovery) => true,
        (_, Shape::Discovery) | (Endpoint::Discovery | Endpoint::Plain, _) => false,
        (Endpoint::Untabled, Shape::Table(_)) => false,
        (_, Shape::Table(_)) => encoding != Encoding::Protobuf,
        (_, Shape::Partial(_) | Shape::PartialList(_)) => true,
    }
}

/// Whether JSON is indented (`isPrettyPrint`).
fn is_pretty(request: &Request<'_>, query: &Query) -> bool {
    match query.get("pretty") {
        None | Some("") => {}
        Some(text) => return parse_bool(text).unwrap_or_default(),
    }
    let agent = request.header("user-agent").unwrap_or_default();
    ["curl", "Wget", "Mozilla/5.0"]
        .iter()
        .any(|person| agent.starts_with(person))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(header: &str, endpoint: Endpoint, expected: Option<(Encoding, Shape)>) {
        let found = find(header, endpoint).map(|accepted| (accepted.encoding, accepted.shape));
        assert_eq!(found, expected, "{header}");
    }

    const TABLE: &str = "application/json;as=Table;v=v1;g=meta.k8s.io";

    #[test]
    fn the_first_supported_clause_wins() {
        use {Encoding::*, Shape::*};
        check("", Endpoint::Custom, Some((Json, Plain)));
        check("*/*", Endpoint::Custom, Some((Json, Plain)));
        check("application/*", Endpoint::BuiltIn, Some((Json, Plain)));
        check("application/yaml", Endpoint::Custom, Some((Yaml, Plain)));
        check("text/plain", Endpoint::Custom, None);
        check(TABLE, Endpoint::Custom, Some((Json, Table(MetaVersion::V1))));
        check(TABLE, Endpoint::Plain, None);
        check(
            &format!("{TABLE}, application/json"),
            Endpoint::Plain,
            Some((Json, Plain)),
        );
        check(
            "application/json;as=Frob;g=meta.k8s.io;v=v1",
            Endpoint::Custom,
            None,
        );
        check("application/json;as=Table", Endpoint::Custom, None);
        check("application/json;foo=bar", Endpoint::Custom, Some((Json, Plain)));
    }

    #[test]
    fn custom_resources_have_protobuf_only_of_metadata() {
        use {Encoding::*, Shape::*};
        let protobuf = "application/vnd.kubernetes.protobuf";
        check(protobuf, Endpoint::BuiltIn, Some((Protobuf, Plain)));
        check(protobuf, Endpoint::Custom, None);
        check(
            &format!("{protobuf},application/json"),
            Endpoint::Custom,
            Some((Json, Plain)),
        );
        let partial = format!("{protobuf};as=PartialObjectMetadata;g=meta.k8s.io;v=v1");
        check(
            &partial,
            Endpoint::Custom,
            Some((Protobuf, Partial(MetaVersion::V1))),
        );
        check(
            &partial.replace("PartialObjectMetadata", "Table"),
            Endpoint::BuiltIn,
            None,
        );
    }

    #[test]
    fn only_discovery_paths_serve_aggregated_discovery() {
        let aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
        check(
            aggregated,
            Endpoint::Discovery,
            Some((Encoding::Json, Shape::Discovery)),
        );
        check(aggregated, Endpoint::Plain, None);
        check(&aggregated.replace("v2", "v2beta1"), Endpoint::Discovery, None);
    }
}
