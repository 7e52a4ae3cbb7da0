//! Generated texts: CRDs, OpenAPI, documentation.

use kindsmith_checks::{Profile, kep_defaults, kep_immutability};
use kindsmith_emit::docs::{self, Page, Resource};
use kindsmith_generate::controller_gen::{self, Tags};
use kindsmith_generate::openapi_gen;

use crate::api::Api;
use crate::request::Request;

/// The CRDs that the Go types become, or those that are typed.
pub(crate) fn crds(api: &Api, request: &Request) -> String {
    let Some(read) = api.read() else {
        return request.api.crds.clone();
    };
    let options = controller_gen::Options {
        tags: Tags::All,
        allow_dangerous_types: true,
        profile: request.api.profile.into(),
        ..controller_gen::Options::default()
    };
    let generated = controller_gen::definitions(&read.schema, &options);
    if generated.definitions.is_empty() {
        return NO_KIND.to_owned();
    }
    generated
        .definitions
        .iter()
        .map(|made| made.text.as_str())
        .collect()
}

const NO_KIND: &str = "# There is no kind: a struct with metav1.TypeMeta and metav1.ObjectMeta,\n\
     # in a package with `// +groupName=GROUP` above its package clause.\n";

/// OpenAPI definitions of the Go types, or the schemas of the CRDs.
pub(crate) fn openapi(api: &Api, request: &Request) -> String {
    let Some(read) = api.read() else {
        return schemas(api);
    };
    let options = openapi_gen::Options {
        version: openapi_gen::Version::V3,
        defaults: openapi_gen::Defaults::All,
        validation: true,
        names: openapi_gen::Names::Friendly,
    };
    let document = openapi_gen::document_as(&read.schema, options, request.api.profile.into());
    if document.own.is_empty() {
        return "# No type asks for a definition: write `// +k8s:openapi-gen=true` above the package clause.\n"
            .to_owned();
    }
    document.text
}

/// The schemas of CRDs, as one document.
fn schemas(api: &Api) -> String {
    let mut text = String::new();
    for definition in api.kinds.crds().definitions() {
        let spec = &definition.spec;
        for (version, schema) in spec.schemas() {
            let arena = kindsmith_json::Arena::new();
            let value = kindsmith_openapi::schema::write(schema, &arena);
            let name = format!("{}/{} {}", spec.group, version.name, spec.names.kind);
            text.push_str(&format!("# {name}\n---\n"));
            text.push_str(&kindsmith_json::write::to_yaml(
                value,
                kindsmith_json::write::Order::Kept,
            ));
        }
    }
    text
}

/// Reference documentation as one HTML document.
pub(crate) fn docs(api: &Api, request: &Request) -> String {
    let pages = match api.read() {
        Some(read) => match request.api.profile.into() {
            Profile::Upstream => docs::of_types(&read.schema),
            Profile::Kep => docs::of_types(&kep_immutability(&kep_defaults(&read.schema))),
        },
        None => of_definitions(api),
    };
    let arranged = docs::Arrangement {
        single: true,
        ..docs::Arrangement::default()
    };
    let files = docs::write(&arranged.apply(pages), docs::Format::Html);
    files
        .into_iter()
        .next()
        .map_or_else(String::new, |file| file.text)
}

fn of_definitions(api: &Api) -> Vec<Page> {
    let definitions: Vec<_> = api.kinds.crds().definitions().collect();
    let resources = definitions.iter().flat_map(|definition| {
        let spec = &definition.spec;
        spec.schemas().map(|(version, schema)| Resource {
            group: &spec.group,
            version: &version.name,
            kind: &spec.names.kind,
            facts: vec![("scope".to_owned(), spec.scope.to_lowercase())],
            schema,
        })
    });
    docs::of_resources(&resources.collect::<Vec<_>>())
}
