//! The server's own kinds have the names, verbs and subresources of the recorded discovery.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use kindsmith_builtin::{Kind, own_kinds};
use kindsmith_json::{Arena, Value, parse_str};
use kindsmith_object::meta::Scope;

/// Resources that the reference serves and the server does not yet: they need a strategy of their own, or a
/// conversion.
const MISSING: &[&str] = &[];

/// One resource or subresource as one line.
fn line(api_version: &str, resource: Value<'_>) -> String {
    let text = |key| resource.get(key).and_then(Value::as_str).unwrap_or_default();
    let list = |key| {
        let items = resource.get(key).and_then(Value::as_array).unwrap_or_default();
        let items: Vec<&str> = items.iter().filter_map(|item| item.as_str()).collect();
        items.join(",")
    };
    let is_namespaced = resource.get("namespaced") == Some(Value::Bool(true));
    format!(
        "{api_version} {} {} {} {is_namespaced} verbs {} short {} categories {}",
        text("name"),
        text("kind"),
        text("singularName"),
        list("verbs"),
        list("shortNames"),
        list("categories"),
    )
}

/// The same lines for a kind.
fn lines(kind: &Kind) -> Vec<String> {
    let names = &kind.names;
    let api_version = names.api_version();
    let is_namespaced = kind.scope == Scope::Namespaced;
    let join = |items: &[kindsmith_schema::Str]| {
        let items: Vec<&str> = items.iter().map(|item| &**item).collect();
        items.join(",")
    };
    let mut lines = vec![format!(
        "{api_version} {} {} {} {is_namespaced} verbs {} short {} categories {}",
        names.plural,
        names.kind,
        names.singular,
        kind.strategy.verbs().join(","),
        join(&names.short_names),
        join(&names.categories),
    )];
    lines.extend(kind.strategy.subresources().iter().map(|part| {
        let of = part.kind.map_or(&*names.kind, |(_, _, kind)| kind);
        format!(
            "{api_version} {}/{} {of}  {is_namespaced} verbs {} short  categories ",
            names.plural,
            part.name,
            part.verbs.join(","),
        )
    }));
    lines
}

#[test]
fn kinds_match_the_recorded_discovery() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/builtin/discovery.json");
    let text = fs::read_to_string(file).expect("the recording is there");
    let arena = Arena::new();
    let recorded = parse_str(&arena, &text).expect("it is JSON");
    let ours: BTreeSet<String> = own_kinds(kindsmith_object::Release::NEWEST)
        .iter()
        .flat_map(|kind| lines(kind))
        .collect();
    let mut theirs = BTreeSet::new();
    for (_, document) in recorded.as_object().unwrap_or_default() {
        let api_version = document.get("groupVersion").and_then(Value::as_str);
        let resources = document.get("resources").and_then(Value::as_array);
        // CRDs are served elsewhere.
        let Some(api_version) = api_version.filter(|version| !version.starts_with("apiextensions.k8s.io"))
        else {
            continue;
        };
        for resource in resources.unwrap_or_default() {
            let name = resource.get("name").and_then(Value::as_str).unwrap_or_default();
            let whole = name.split('/').next().unwrap_or_default();
            if !MISSING.contains(&&*format!("{api_version} {whole}")) {
                theirs.insert(line(api_version, *resource));
            }
        }
    }
    let only_ours: Vec<&String> = ours.difference(&theirs).collect();
    let only_theirs: Vec<&String> = theirs.difference(&ours).collect();
    assert!(
        only_ours.is_empty() && only_theirs.is_empty(),
        "only ours {only_ours:#?}\nonly theirs {only_theirs:#?}"
    );
}
