//! `/openapi/v3`: its index and the documents that are not about resources, compared with the recording of kube-apiserver.

use std::sync::Arc;

use crate::asking::ask;
use kindsmith_api::{Api, Options, Still, TokenSigner};
use kindsmith_json::{Arena, Object, Value, to_string};
use kindsmith_store::Memory;

#[derive(Debug)]
struct Signer;

impl TokenSigner for Signer {
    fn issuer(&self) -> &'static str {
        "https://k"
    }
    fn audiences(&self) -> &[String] {
        &[]
    }
    fn sign(&self, _: &str) -> Option<String> {
        None
    }
    fn verify(&self, _: &str) -> Option<String> {
        None
    }
    fn algorithm(&self) -> &'static str {
        "ES256"
    }
    fn key_set(&self) -> String {
        String::new()
    }
}

fn opened(options: Options) -> Api {
    Api::open(Arc::new(Memory::new()), Box::new(Still::default()), options).expect("memory")
}

fn get<'a>(arena: &'a Arena, api: &Api, path: &str) -> Option<Value<'a>> {
    let (status, text) = ask(api, "GET", path, "");
    let text = arena.alloc_str(&text);
    let document = kindsmith_json::parse_str(arena, text).ok()?;
    (status == 200).then_some(document)
}

fn names(api: &Api) -> Vec<String> {
    let arena = Arena::new();
    let index = get(&arena, api, "/openapi/v3").and_then(|index| index.get("paths"));
    let paths = index.and_then(Value::as_object).unwrap_or_default();
    paths.keys().map(str::to_owned).collect()
}

/// A document sorted and without descriptions; names of members that are not keywords may be `description`.
fn bare<'a>(arena: &'a Arena, value: Value<'a>, is_names: bool) -> Value<'a> {
    match value {
        Value::Object(object) => {
            let mut out = Object::EMPTY;
            for entry in object.sorted() {
                if is_names || entry.key != "description" {
                    let holds_names = matches!(entry.key, "properties" | "schemas" | "paths");
                    let value = bare(arena, entry.value, !is_names && holds_names);
                    out.insert(arena, entry.key, value);
                }
            }
            Value::Object(out)
        }
        Value::Array(items) => {
            let items: Vec<Value<'a>> = items.iter().map(|item| bare(arena, *item, false)).collect();
            Value::Array(arena.alloc_slice_copy(&items))
        }
        scalar => scalar,
    }
}

/// Method, path, ID and answer of each operation, and the kinds of the options of deletions, sorted.
fn operations(document: Value<'_>) -> Vec<String> {
    let paths = document
        .get("paths")
        .and_then(Value::as_object)
        .unwrap_or_default();
    let mut operations = Vec::new();
    for (path, item) in paths {
        let methods = item.as_object().unwrap_or_default();
        for (method, operation) in methods.iter().filter(|(key, _)| *key != "parameters") {
            let id = operation.get("operationId").and_then(Value::as_str);
            let content = operation.lookup(&["responses", "200", "content"]);
            let answers = content.and_then(Value::as_object).unwrap_or_default();
            let answer = answers.values().find_map(|answer| {
                let name = answer.lookup(&["schema", "$ref"])?.as_str()?;
                name.rsplit('/').next()
            });
            let line = format!(
                "{method} {path} {} {}",
                id.unwrap_or_default(),
                answer.unwrap_or_default()
            );
            operations.push(line);
        }
    }
    let options = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions";
    let kinds = document.lookup(&[
        "components",
        "schemas",
        options,
        "x-kubernetes-group-version-kind",
    ]);
    for kind in kinds.and_then(Value::as_array).unwrap_or_default() {
        operations.push(format!("DeleteOptions {}", to_string(*kind)));
    }
    operations.sort();
    operations
}

#[test]
fn index_and_overviews_are_those_of_kube_apiserver() {
    let arena = Arena::new();
    let recorded = include_str!("../../../conformance/builtin/openapi-v3.json");
    let recorded = kindsmith_json::parse_str(&arena, recorded).expect("it is JSON");
    let recorded = recorded.as_object().expect("documents by name");
    let mut options = Options::default();
    options.tokens.signer = Some(Arc::new(Signer));
    let api = opened(options);
    let expected: Vec<&str> = recorded.keys().collect();
    assert_eq!(names(&api), expected);
    for (name, expected) in recorded {
        let mut own = get(&arena, &api, &format!("/openapi/v3/{name}")).expect("it is listed");
        // Of documents of versions, operations are recorded.
        if let Some(expected) = expected.as_array() {
            let expected: Vec<&str> = expected.iter().filter_map(|line| line.as_str()).collect();
            assert_eq!(operations(own), expected, "{name}");
            continue;
        }
        own.unset(&arena, &["info", "version"]);
        assert_eq!(
            to_string(bare(&arena, own, false)),
            to_string(bare(&arena, expected, false)),
            "{name}"
        );
    }
}

#[test]
fn a_server_without_tokens_has_no_documents_about_them() {
    let api = opened(Options::default());
    assert!(names(&api).iter().all(|name| !name.contains("openid")));
    assert!(get(&Arena::new(), &api, "/openapi/v3/openid/v1/jwks").is_none());
}
