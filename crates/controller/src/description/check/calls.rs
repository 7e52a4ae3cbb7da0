//! Calls that cannot work: paths with parameters that have no value, names that do not exist, an invalid address.

use kindsmith_schema::JsonSchema;

use super::super::reader::{Mistake, Node, Weight};
use super::find;
use crate::kind::{Create, Ids, Kind, Rest, Update, template};

pub(super) fn check(root: &Node<'_>, kind: &Kind, spec: &JsonSchema, mistakes: &mut Vec<Mistake>) {
    service(&root.member("service"), mistakes);
    let node = root.member("collection");
    match placeholders(kind.rest.collection) {
        Some(names) => parameters(root, kind.rest, &names, spec, mistakes),
        None => mistakes.push(node.mistake("`{` is never closed").cure("write `{NAME}`")),
    }
    collection(&node, kind.rest.collection, mistakes);
    names(root, kind.rest, mistakes);
    templates(root, kind.rest, mistakes);
    if let Update::Mask { member } = kind.rest.update
        && member.is_empty()
    {
        mistakes.push(
            root.member("update")
                .mistake("`maskInBody` names the member with the resource")
                .cure("write `update: {maskInBody: MEMBER}`"),
        );
    }
    let busy = root.member("busy");
    if busy.is_set() && busy.member("values").items().is_empty() {
        mistakes.push(
            busy.mistake("no state to wait in")
                .cure("list the states in `values`, or remove `busy`"),
        );
    }
}

fn service(node: &Node<'_>, mistakes: &mut Vec<Mistake>) {
    let host = node.member("host");
    if let Some(text) = host.json.as_str() {
        let bare = text.split_once("://").map_or(text, |(_, rest)| rest);
        let (bare, path) = bare.split_once('/').unwrap_or((bare, ""));
        if bare != text {
            let prefix = path.trim_end_matches('/');
            let prefix = if prefix.is_empty() {
                String::new()
            } else {
                format!(", prefix: /{prefix}")
            };
            let mistake = host.mistake(&format!("`{text}` is not a host"));
            mistakes.push(mistake.cure(format!("write `service: {{host: {bare}{prefix}}}`")));
        }
    }
    let prefix = node.member("prefix");
    if let Some(text) = prefix.json.as_str()
        && !text.is_empty()
        && (!text.starts_with('/') || text.ends_with('/'))
    {
        let mistake = prefix.mistake("a prefix begins with `/` and does not end with it");
        mistakes.push(mistake.cure(format!("write `/{}`", text.trim_matches('/'))));
    }
}

/// The names of `{…}` in a text; `None` if one is never closed.
fn placeholders(text: &str) -> Option<Vec<&str>> {
    let mut names = Vec::new();
    let mut left = text;
    while let Some((_, after)) = left.split_once('{') {
        let (name, after) = after.split_once('}')?;
        names.push(name);
        left = after;
    }
    Some(names)
}

fn collection(node: &Node<'_>, text: &str, mistakes: &mut Vec<Mistake>) {
    if text.starts_with('/') || text.ends_with('/') {
        let mistake = node.mistake("a collection neither begins nor ends with `/`");
        let cure = format!(
            "write `{}`; what all paths begin with is the prefix in `service`",
            text.trim_matches('/')
        );
        mistakes.push(mistake.cure(cure));
    }
    let is_odd = |sign: char| sign.is_whitespace() || sign == '?' || sign == '#';
    if text.is_empty() || text.contains(is_odd) || text.trim_matches('/').contains("//") {
        let mistake = node.mistake("a collection is a path, such as `projects/{project}/lamps`");
        mistakes.push(mistake.cure("write names and parameters with `/` between them"));
    }
}

/// Every parameter of the path has a value, and every value a parameter.
fn parameters(root: &Node<'_>, rest: &Rest, names: &[&str], spec: &JsonSchema, mistakes: &mut Vec<Mistake>) {
    let node = root.member("collection");
    for (index, name) in names.iter().enumerate() {
        if names[..index].contains(name) {
            let mistake = node.mistake(&format!("`{{{name}}}` is there twice"));
            mistakes.push(mistake.cure("give both places a name of their own"));
        }
        if *name != "project" && !rest.parameters.iter().any(|(known, _)| known == name) {
            let cure = match spec.property(name) {
                Some(_) => format!("add `parameters: {{{name}: {name}}}`"),
                None => format!("add it to `parameters`, with the field of the spec: `{name}: FIELD`"),
            };
            mistakes.push(
                node.mistake(&format!("nothing says what `{{{name}}}` is"))
                    .cure(cure),
            );
        }
    }
    for (name, path) in rest.parameters {
        let node = root.member("parameters").member(name);
        if template(path).is_some() {
            continue;
        }
        if !names.contains(name) {
            let mistake = node.mistake(&format!("`collection` has no `{{{name}}}`"));
            mistakes.push(mistake.cure("add it there, or remove it here"));
        }
        match find(spec, "spec", path) {
            Err(missing) => mistakes.push(missing.at(&node)),
            Ok(schema) => {
                let is_reference = schema.property("external").is_some() || schema.property("name").is_some();
                if !matches!(&*schema.ty, "string" | "") && !is_reference {
                    let text = format!(
                        "`spec.{}` is not a text, so it cannot be in a path",
                        path.join(".")
                    );
                    mistakes.push(
                        node.mistake(&text)
                            .cure("use a field that is a text or a reference"),
                    );
                }
            }
        }
        if !is_fixed(root, path) {
            let field = path.join(".");
            let mistake = root
                .member("parameters")
                .member(name)
                .mistake(&format!("`{field}` is part of the path but not an `identity`"));
            let cure = format!("add `{field}: {{as: none, is: [identity]}}` to `fields`");
            mistakes.push(mistake.cure(cure).weight(Weight::Warning));
        }
    }
}

/// Whether `fields` says that a field cannot change.
fn is_fixed(root: &Node<'_>, path: &[&str]) -> bool {
    let words = root.member("fields").member(&path.join(".")).member("is").items();
    words
        .iter()
        .any(|word| word.json == "identity" || word.json == "immutable")
}

/// The name of a new resource is in the path, the body or the query, or the service makes it.
fn names(root: &Node<'_>, rest: &Rest, mistakes: &mut Vec<Mistake>) {
    let node = root.member("id");
    match (rest.create, rest.ids) {
        (Create::Put, Ids::Query(_)) => mistakes.push(
            node.mistake("with PUT the name is in the path, not in the query")
                .cure("remove `id`, or write `create: POST`"),
        ),
        (Create::Put, Ids::Generated { .. }) => mistakes.push(
            node.mistake("with PUT the object gives the name, not the service")
                .cure("write `create: POST`"),
        ),
        (Create::Post, Ids::Given) if rest.name.is_empty() => mistakes.push(
            root.mistake("nothing says where the name of a new resource is")
                .cure("add `id: {body: FIELD}`, `id: {query: PARAMETER}` or `id: {generated: …}`, or write `create: PUT`"),
        ),
        _ => {}
    }
    let given = ["body", "query", "generated"].map(|key| node.member(key).is_set());
    if given[2] && (given[0] || given[1]) {
        mistakes.push(
            node.mistake(
                "`generated` contradicts `body` and `query`: either the service makes the name or the object",
            )
            .cure("keep one of them"),
        );
    }
}

/// What is filled in elsewhere has fewer names.
fn templates(root: &Node<'_>, rest: &Rest, mistakes: &mut Vec<Mistake>) {
    let only = |node: Node<'_>, known: &[&str], mistakes: &mut Vec<Mistake>| {
        let names = node.json.as_str().map(placeholders);
        let shown: Vec<String> = known.iter().map(|name| format!("`{{{name}}}`")).collect();
        let shown = shown.join(" and ");
        match names {
            None => {}
            Some(None) => mistakes.push(
                node.mistake("`{` is never closed")
                    .cure(format!("available: {shown}")),
            ),
            Some(Some(names)) => {
                for name in names.iter().filter(|name| !known.contains(name)) {
                    let mistake = node.mistake(&format!("`{{{name}}}` is not filled in here"));
                    mistakes.push(mistake.cure(format!("available: {shown}")));
                }
            }
        }
    };
    let places = placeholders(rest.collection).unwrap_or_default();
    only(root.member("operations").member("path"), &places, mistakes);
    for (name, path) in rest.parameters {
        if template(path).is_some() {
            for item in root.member("parameters").member(name).items() {
                only(item, &["project"], mistakes);
            }
        }
    }
    for (_, field) in root.member("fields").entries() {
        only(
            field.member("refers").member("external"),
            &["project", "name"],
            mistakes,
        );
    }
}
