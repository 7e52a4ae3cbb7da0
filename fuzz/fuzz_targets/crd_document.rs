//! Any bytes as a CRD: reading never panics, what is written reads back the same, and the index of a file agrees with
//! the parser about each document.

#![no_main]

#[macro_use]
#[path = "shared/score.rs"]
mod score;

use kindsmith_json::read::{self, Options};
use kindsmith_json::{Arena, Value, to_string, yaml};
use kindsmith_openapi::bundle::{self, Head};
use kindsmith_openapi::crd::{self, Definition, Source};
use kindsmith_openapi::published::Published;

fuzz_target!(score::Most::each(6_000, 30_000), |data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let arena = Arena::new();
    if let Ok(read) = read::read(&arena, data, Options::default()) {
        let duplicates = &read.duplicates;
        definition(read.value, Source::Json { text, duplicates });
        published(read.value);
    }
    if let Ok(value) = yaml::parse(&arena, data) {
        definition(value, Source::Yaml);
    }
    index(text);
});

fn definition(value: Value<'_>, source: Source<'_>) {
    if let Ok(read) = crd::read_v1beta1(value, source) {
        let mut definition = read.definition;
        definition.default_v1beta1_fields();
        drop(definition.to_v1());
    }
    let Ok(read) = crd::read(value, source) else {
        return;
    };
    let mut definition = read.definition;
    definition.default_fields();
    let arena = Arena::new();
    let back = definition.to_internal().to_v1();
    // Items that are neither schema nor list are written as null and then lost, so the comparison starts after that.
    let settled = reread(back.to_value(&arena));
    let written = settled.to_value(&arena);
    assert_eq!(
        to_string(reread(written).to_value(&Arena::new())),
        to_string(written)
    );
    for version in &definition.spec.versions {
        if let Some(schema) = version.open_api_v3_schema() {
            drop(crd::print_schema(schema));
        }
    }
    drop(crd::print_versions(&definition.spec.versions));
}

fn reread(written: Value<'_>) -> Definition {
    let read = crd::read(written, Source::Unknown).expect("what is written can be read");
    assert_eq!(read.reports, []);
    read.definition
}

fn published(value: Value<'_>) {
    if let Some(published) = Published::open(value) {
        for kind in published.kinds() {
            drop(published.definition(kind.group, kind.kind));
        }
    }
}

/// If the index names a document and it parses, both must agree.
fn index(text: &str) {
    for entry in bundle::scan(text) {
        let arena = Arena::new();
        let (Ok(value), Head::Definition(head)) = (entry.value(&arena), &entry.head) else {
            continue;
        };
        let group = value.lookup(&["spec", "group"]).and_then(Value::as_str);
        assert_eq!(
            group.unwrap_or_default(),
            &*head.group,
            "the group is the parser's"
        );
        let versions = value.lookup(&["spec", "versions"]).and_then(Value::as_array);
        let names = versions
            .unwrap_or_default()
            .iter()
            .map(|version| version.get("name"));
        for (name, version) in names.zip(&head.versions) {
            let name = name.and_then(Value::as_str).unwrap_or_default();
            assert_eq!(name, &*version.name, "versions are the parser's");
        }
    }
}
