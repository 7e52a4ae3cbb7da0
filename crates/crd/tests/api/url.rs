//! Parses API paths.

use kindsmith_crd::{FieldValidation, Status};

/// An API path that the crate handles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// CRDs, one of them, or a subresource of one.
    Definitions { name: String, subresource: String },
    /// Custom resources of a kind, one of them, or a subresource of one.
    Objects {
        group: String,
        version: String,
        namespace: String,
        plural: String,
        name: String,
        subresource: String,
    },
    /// Anything else.
    Other,
}

/// A path and its query parameters.
#[derive(Debug, Clone)]
pub(crate) struct Url {
    pub(crate) place: Place,
    query: Vec<(String, String)>,
}

impl Url {
    pub(crate) fn parse(path: &str) -> Url {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let parameter = |part: &str| {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            (key.to_owned(), value.to_owned())
        };
        Url {
            place: place(path),
            query: query
                .split('&')
                .filter(|part| !part.is_empty())
                .map(parameter)
                .collect(),
        }
    }

    /// The `fieldValidation` parameter, or the response to an invalid value.
    pub(crate) fn field_validation(&self, method: &str) -> Result<FieldValidation, Status> {
        let options = match method {
            "POST" => "CreateOptions",
            "PUT" => "UpdateOptions",
            _ => "PatchOptions",
        };
        FieldValidation::parse(self.parameter("fieldValidation"), options)
    }

    pub(crate) fn parameter(&self, key: &str) -> &str {
        let found = self.query.iter().find(|(known, _)| known == key);
        found.map_or("", |(_, value)| value)
    }
}

fn place(path: &str) -> Place {
    let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
    let ["apis", group, version, rest @ ..] = parts.as_slice() else {
        return Place::Other;
    };
    let (namespace, rest) = match rest {
        ["namespaces", namespace, plural, rest @ ..] => (*namespace, [&[*plural], rest].concat()),
        rest => ("", rest.to_vec()),
    };
    let part = |index: usize| rest.get(index).copied().unwrap_or_default().to_owned();
    match (*group, *version, rest.first().copied()) {
        (_, _, None) => Place::Other,
        ("apiextensions.k8s.io", "v1", Some("customresourcedefinitions")) => Place::Definitions {
            name: part(1),
            subresource: part(2),
        },
        _ => Place::Objects {
            group: (*group).to_owned(),
            version: (*version).to_owned(),
            namespace: namespace.to_owned(),
            plural: part(0),
            name: part(1),
            subresource: part(2),
        },
    }
}
