//! Everything that is made of a Go package: lint rules, code, CRDs, OpenAPI documents, docs, plans.

use kindsmith_emit::{docs, go};
use kindsmith_engine::Plan;
use kindsmith_generate::controller_gen::{self, Tags};
use kindsmith_generate::openapi_gen::{self, Defaults, Names, Version};
use kindsmith_generate::{applyconfiguration, deepcopy};
use kindsmith_go::Profile;
use kindsmith_go::package::{Loader, MemoryFiles, Options};
use kindsmith_json::{Arena, parse_str, yaml};
use kindsmith_merge::Topology;
use kindsmith_openapi::crd::{self, Source};
use kindsmith_schema::Schema;
use kindsmith_testkit::GoPackages;

const META: &str = "package v1\n// +k8s:validation-gen=true\ntype TypeMeta struct {\n\tKind string `json:\"kind,omitempty\"`\n}\n\
    type ObjectMeta struct {\n\tName string `json:\"name,omitempty\"`\n}\ntype ListMeta struct{}\ntype Time struct{}\n";

/// No lint rule and no generator panics, findings point into the text, CRDs read back the same, and generated Go parses.
pub fn check(text: &str) {
    let profile = match text.len() % 2 {
        0 => Profile::Upstream,
        _ => Profile::Kep,
    };
    let packages = GoPackages::default()
        .profile(profile)
        .module("k8s.io/apimachinery/pkg/apis/meta", "meta")
        .file("api/v1/types.go", text)
        .file("go.mod", "module example.org\n")
        .file("meta/v1/meta.go", META);
    let read = packages.read("api/v1");
    let findings = kindsmith_lint::check(kindsmith_lint::Input::new(&read.schema, &read.origins));
    for finding in read.diagnostics.iter().chain(&findings) {
        let _ = read.sources.text(finding.span);
    }
    let has_errors = !read.diagnostics.is_empty() || !findings.is_empty();
    code(&read.schema, has_errors);
    copies(&packages, &read.schema);
    resources(&read.schema);
    documents(&read.schema);
    plans(&read.schema);
}

fn copies(packages: &GoPackages, schema: &Schema) {
    packages.load("api/v1", |loader, loaded| {
        drop(deepcopy::methods(loader, loaded, &deepcopy::Options::default()));
        drop(applyconfiguration::configurations(
            loaded,
            schema,
            &applyconfiguration::Options::default(),
        ));
    });
}

/// What a server makes of its kinds.
fn plans(schema: &Schema) {
    for kind in schema.kinds() {
        drop(Plan::compile(schema, kind.ty));
        drop(Topology::of_type(schema, kind.ty));
    }
}

/// Without errors, the generated code parses as Go.
fn code(schema: &Schema, has_errors: bool) {
    let options = go::Options::default();
    for generated in [
        go::defaults(schema, &options),
        go::validations(schema, &options),
        go::fixtures(schema, &options),
    ] {
        if has_errors || !generated.problems.is_empty() {
            continue;
        }
        for file in generated.files {
            let text = file.text.replacen("//go:build", "//", 1);
            let files: MemoryFiles = [("p/a.go", &*text)].into_iter().collect();
            let mut loader = Loader::new(&files, Options::default());
            loader.load_directory("p");
            let wrong = loader.diagnostics().first().map(|wrong| &wrong.message);
            assert_eq!(wrong, None, "{}", file.text);
        }
    }
}

/// CRDs are valid documents and match their model.
fn resources(schema: &Schema) {
    for tags in [Tags::Ignore, Tags::All] {
        let options = controller_gen::Options {
            tags,
            ..controller_gen::Options::default()
        };
        for definition in controller_gen::definitions(schema, &options).definitions {
            let arena = Arena::new();
            let text = arena.alloc_str(&definition.text);
            let value = yaml::parse(&arena, text.as_bytes()).expect("a definition is YAML");
            let read = crd::read(value, Source::Yaml).expect("a definition can be read");
            assert_eq!(read.reports, [], "{text}");
        }
    }
}

fn documents(schema: &Schema) {
    for (version, names) in [(Version::V2, Names::Go), (Version::V3, Names::Friendly)] {
        let options = openapi_gen::Options {
            version,
            defaults: Defaults::All,
            validation: true,
            names,
        };
        let document = openapi_gen::document(schema, options);
        let arena = Arena::new();
        assert!(parse_str(&arena, &document.text).is_ok(), "{}", document.text);
    }
    drop(openapi_gen::file(schema, "example.org/openapi", ""));
    drop(openapi_gen::violations(schema));
    drop(openapi_gen::model_names(schema, &[], ""));
    let pages = docs::of_types(schema);
    drop(docs::write(&pages, docs::Format::Markdown));
    drop(docs::write(&pages, docs::Format::Html));
}
