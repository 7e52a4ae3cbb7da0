//! Documents about paths without resources: lists of groups and versions, the version of the server, keys of tokens
//! (apiserver's pkg/endpoints/discovery and pkg/server/routes).

use kindsmith_json::{Arena, Value};

use super::operations::{TYPED, content, identifier, short_group};
use super::shared::{META, Schemas};
use crate::{Catalog, Served};
use kindsmith_json::object_of;

/// A path that can be read, and what it answers.
pub(super) struct Overview {
    /// The path without slashes around it, which is also the name of the document.
    pub(super) name: String,
    tag: String,
    description: &'static str,
    operation: String,
    media: &'static [&'static str],
    answer: Answer,
}

enum Answer {
    Text,
    Schema(String),
}

/// All such documents of a server.
pub(super) fn all(catalog: &Catalog, has_keys: bool) -> Vec<Overview> {
    let mut all = vec![api(), apis(), version()];
    if has_keys {
        all.extend([configuration(), keys()]);
    }
    // Groups of custom resources have documents of their versions only.
    let built_in = catalog
        .served
        .iter()
        .filter(|served| !served.resource.is_custom());
    let mut groups: Vec<&str> = built_in.map(|served| &*served.group).collect();
    groups.sort_unstable();
    groups.dedup();
    let named = groups.into_iter().filter(|group| !group.is_empty());
    all.extend(named.map(group));
    all
}

/// The same, and the lists of what versions serve, which are parts of other documents.
pub(super) fn everything(catalog: &Catalog, has_keys: bool) -> Vec<Overview> {
    let mut all = all(catalog, has_keys);
    let built_in = catalog
        .served
        .iter()
        .filter(|served| !served.resource.is_custom());
    for served in built_in {
        let listed = resources(served);
        if all.iter().all(|overview| overview.name != listed.name) {
            all.push(listed);
        }
    }
    all
}

fn api() -> Overview {
    Overview {
        name: "api".to_owned(),
        tag: "core".to_owned(),
        description: "Lists the versions of the core group.",
        operation: "getCoreAPIVersions".to_owned(),
        media: TYPED,
        answer: Answer::Schema(format!("{META}APIVersions")),
    }
}

fn apis() -> Overview {
    Overview {
        name: "apis".to_owned(),
        tag: "apis".to_owned(),
        description: "Lists all groups with their versions.",
        operation: "getAPIVersions".to_owned(),
        media: TYPED,
        answer: Answer::Schema(format!("{META}APIGroupList")),
    }
}

fn group(group: &str) -> Overview {
    let short = short_group(group);
    Overview {
        name: format!("apis/{group}"),
        tag: identifier(short, false),
        description: "Lists the versions of the group.",
        operation: format!("get{}APIGroup", identifier(short, true)),
        media: TYPED,
        answer: Answer::Schema(format!("{META}APIGroup")),
    }
}

/// The list of what a version serves, part of the document about that.
pub(super) fn resources(served: &Served) -> Overview {
    let group = match &*served.group {
        "" => "core",
        group => short_group(group),
    };
    let (version, name) = (&served.version, super::name_of(served));
    Overview {
        name,
        tag: format!("{}_{}", identifier(group, false), identifier(version, false)),
        description: "Lists the resources of the version.",
        operation: format!(
            "get{}{}APIResources",
            identifier(group, true),
            identifier(version, true)
        ),
        media: TYPED,
        answer: Answer::Schema(format!("{META}APIResourceList")),
    }
}

fn version() -> Overview {
    Overview {
        name: "version".to_owned(),
        tag: "version".to_owned(),
        description: "Reads the version of the server.",
        operation: "getCodeVersion".to_owned(),
        media: &["application/json"],
        answer: Answer::Schema("io.k8s.apimachinery.pkg.version.Info".to_owned()),
    }
}

fn configuration() -> Overview {
    Overview {
        name: ".well-known/openid-configuration".to_owned(),
        tag: "WellKnown".to_owned(),
        description: "Reads who issues the tokens of service accounts, and where its keys are.",
        operation: "getServiceAccountIssuerOpenIDConfiguration".to_owned(),
        media: &["application/json"],
        answer: Answer::Text,
    }
}

fn keys() -> Overview {
    Overview {
        name: "openid/v1/jwks".to_owned(),
        tag: "openid".to_owned(),
        description: "Reads the public keys that verify the tokens of service accounts.",
        operation: "getServiceAccountIssuerOpenIDKeyset".to_owned(),
        media: &["application/jwk-set+json"],
        answer: Answer::Text,
    }
}

impl Overview {
    /// The path with its operation.
    pub(super) fn path<'a>(&self, arena: &'a Arena, schemas: &mut Schemas<'a>) -> (&'a str, Value<'a>) {
        let text = |text: &str| Value::Str(arena.alloc_str(text));
        let schema = match &self.answer {
            Answer::Text => object_of(arena, &[("type", "string".into())]),
            Answer::Schema(name) => {
                schemas.describe();
                schemas.reference(name)
            }
        };
        let answer = object_of(
            arena,
            &[
                ("description", "OK".into()),
                ("content", content(arena, self.media, schema)),
            ],
        );
        let refused = object_of(arena, &[("description", "Unauthorized".into())]);
        let operation = object_of(
            arena,
            &[
                ("tags", Value::Array(arena.alloc_slice_copy(&[text(&self.tag)]))),
                ("description", self.description.into()),
                ("operationId", text(&self.operation)),
                (
                    "responses",
                    object_of(arena, &[("200", answer), ("401", refused)]),
                ),
            ],
        );
        let path = arena.alloc_str(&format!("/{}/", self.name));
        (path, object_of(arena, &[("get", operation)]))
    }
}
