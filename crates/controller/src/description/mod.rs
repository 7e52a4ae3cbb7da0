//! A kind from its description: one YAML file that says what a CRD does not about fields, and the shape of the API. Errors
//! name the line. `check` finds what cannot be right.

mod check;
mod fields;
mod reader;

use std::sync::Arc;

use kindsmith_json::yaml;

pub(crate) use check::fits;
pub use reader::Mistake;
use reader::{Node, leak, path_of};

use crate::Json;
use crate::kind::{CopyOf, Create, Ids, Kind, OperationStyle, Operations, Rest, Update};

/// The largest description that is read, in bytes.
const MAX_BYTES: usize = 1 << 20;
/// The form that this version reads.
const VERSION: u64 = 1;

/// A kind with the address of its service, and what a fake of the service needs to know.
#[derive(Debug)]
pub struct Described {
    /// The kind.
    pub kind: Arc<Kind>,
    /// The host of the service.
    pub host: String,
    /// The prefix of paths.
    pub prefix: String,
    /// Values that the service sets where a request does not: path in the API, value.
    pub fills: Vec<(Vec<String>, Json)>,
    /// A spec that the service accepts.
    pub example: Json,
}

impl Described {
    /// Reads a description. Its CRD is the second document of the text, or `definition`.
    ///
    /// # Errors
    /// All mistakes, in the order of lines.
    pub fn read(text: &str, definition: Option<&'static str>) -> Result<Self, Vec<Mistake>> {
        if text.len() > MAX_BYTES {
            return Err(vec![Mistake::new(
                1,
                format!("a description has at most {MAX_BYTES} bytes"),
            )]);
        }
        let mut documents = yaml::documents(text);
        let first = documents.next().map(|document| document.text).unwrap_or_default();
        let second = documents.next().map(|document| document.text);
        let (root, mut mistakes) = Node::read(first)?;
        let described = read(&root, definition.or_else(|| second.map(leak)), &mut mistakes);
        mistakes.sort_by_key(|mistake| mistake.line);
        match described {
            Some(described) if mistakes.is_empty() => Ok(described),
            _ => Err(mistakes),
        }
    }
}

const MEMBERS: &[&str] = &[
    "version",
    "service",
    "collection",
    "parameters",
    "id",
    "create",
    "update",
    "operations",
    "token",
    "labels",
    "busy",
    "outputs",
    "presence",
    "zero",
    "copy",
    "notOnCreate",
    "fields",
    "defaults",
    "fills",
    "example",
    "crd",
];

fn read(root: &Node<'_>, definition: Option<&'static str>, mistakes: &mut Vec<Mistake>) -> Option<Described> {
    root.only(MEMBERS, mistakes);
    if root.member("version").json.as_u64() != Some(VERSION) {
        mistakes.push(
            root.member("version")
                .mistake(&format!("write `version: {VERSION}`")),
        );
    }
    let Some(definition) = definition else {
        mistakes.push(root.mistake("no CRD: add it as a second document, or name its file with `crd`"));
        return None;
    };
    let rest: &'static Rest = Box::leak(Box::new(rest(root, mistakes)?));
    let tables = fields::read(root, rest, mistakes);
    let rest: &'static Rest = Box::leak(Box::new(Rest {
        references: tables.references,
        secrets: tables.secrets,
        ..*rest
    }));
    let kind = match Kind::new(definition, tables.fields, &tables.attributes, rest) {
        Ok(kind) => kind,
        Err(error) => {
            mistakes.push(root.mistake(&format!("the CRD: {error}")));
            return None;
        }
    };
    let kind = fields::with_zeros(kind, root, &tables.declared, mistakes);
    check::check(root, &kind, mistakes);
    let service = root.member("service");
    service.only(&["host", "prefix"], mistakes);
    let fills = root.member("fills");
    let fills = fills
        .entries()
        .into_iter()
        .map(|(path, value)| (path.split('.').map(str::to_owned).collect(), value.json));
    Some(Described {
        host: service
            .member("host")
            .text(mistakes)
            .unwrap_or_default()
            .to_owned(),
        prefix: service.member("prefix").text_or("", mistakes).to_owned(),
        fills: fills.collect(),
        example: root.member("example").json,
        kind: Arc::new(kind),
    })
}

fn rest(root: &Node<'_>, mistakes: &mut Vec<Mistake>) -> Option<Rest> {
    let collection = leak(root.member("collection").text(mistakes)?);
    let texts = |node: Node<'_>, mistakes: &mut Vec<Mistake>| -> &'static [&'static str] {
        let texts: Vec<&'static str> = node
            .items()
            .iter()
            .filter_map(|item| Some(leak(item.text(mistakes)?)))
            .collect();
        Box::leak(texts.into_boxed_slice())
    };
    let parameters = root.member("parameters").entries();
    let parameters: Vec<(&'static str, &'static [&'static str])> = parameters
        .iter()
        .filter_map(|(name, node)| Some((leak(name), path_of(node.text(mistakes)?))))
        .collect();
    let outputs = root.member("outputs").entries();
    let outputs: Vec<(&'static str, &'static str)> = outputs
        .iter()
        .filter_map(|(status, api)| Some((leak(api.text(mistakes)?), leak(status))))
        .collect();
    let busy = root.member("busy");
    let busy = (!busy.json.is_null()).then(|| {
        busy.only(&["field", "values"], mistakes);
        let field = leak(busy.member("field").text(mistakes).unwrap_or_default());
        (field, texts(busy.member("values"), mistakes))
    });
    let (name, ids) = id(&root.member("id"), mistakes);
    let optional_path = |key: &str, mistakes: &mut Vec<Mistake>| {
        let node = root.member(key);
        (!node.json.is_null()).then(|| path_of(node.text(mistakes).unwrap_or_default()))
    };
    Some(Rest {
        collection,
        parameters: Box::leak(parameters.into_boxed_slice()),
        create: match root.member("create").text_or("POST", mistakes) {
            "POST" => Create::Post,
            "PUT" => Create::Put,
            _ => {
                mistakes.push(root.member("create").mistake("write POST or PUT"));
                Create::Post
            }
        },
        update: update(&root.member("update"), mistakes),
        operations: operations(&root.member("operations"), mistakes),
        token: optional_path("token", mistakes),
        name,
        labels: optional_path("labels", mistakes),
        not_on_create: texts(root.member("notOnCreate"), mistakes),
        outputs: Box::leak(outputs.into_boxed_slice()),
        busy,
        ids,
        copy: copy(&root.member("copy"), mistakes),
        ..Rest::PLAIN
    })
}

/// Where the name of a resource is in the request that creates it.
fn id(node: &Node<'_>, mistakes: &mut Vec<Mistake>) -> (&'static str, Ids) {
    node.only(&["body", "query", "generated"], mistakes);
    let generated = node.member("generated");
    if !generated.json.is_null() {
        generated.only(&["field", "items", "mark"], mistakes);
        let text = |key: &str, mistakes: &mut Vec<Mistake>| {
            leak(generated.member(key).text(mistakes).unwrap_or_default())
        };
        let ids = Ids::Generated {
            field: text("field", mistakes),
            items: text("items", mistakes),
            mark: path_of(generated.member("mark").text(mistakes).unwrap_or_default()),
        };
        return ("", ids);
    }
    let body = leak(node.member("body").text_or("", mistakes));
    match node.member("query").text_or("", mistakes) {
        "" => (body, Ids::Given),
        parameter => (body, Ids::Query(leak(parameter))),
    }
}

fn update(node: &Node<'_>, mistakes: &mut Vec<Mistake>) -> Update {
    if node.json.is_object() {
        node.only(&["maskInBody"], mistakes);
        let member = leak(node.member("maskInBody").text(mistakes).unwrap_or_default());
        return Update::Mask { member };
    }
    match node.text_or("patch", mistakes) {
        "patch" => Update::Patch,
        "replace" => Update::Replace,
        "maskInQuery" => Update::MaskQuery,
        _ => {
            mistakes.push(node.mistake("write patch, replace, maskInQuery or {maskInBody: MEMBER}"));
            Update::Patch
        }
    }
}

fn operations(node: &Node<'_>, mistakes: &mut Vec<Mistake>) -> Option<Operations> {
    if node.json.is_null() {
        return None;
    }
    node.only(&["style", "path"], mistakes);
    let style = match node.member("style").text_or("done", mistakes) {
        "done" => OperationStyle::Done,
        "status" => OperationStyle::Status,
        _ => {
            mistakes.push(node.member("style").mistake("write done or status"));
            OperationStyle::Done
        }
    };
    let path = leak(node.member("path").text_or("", mistakes));
    if style == OperationStyle::Status && path.is_empty() {
        mistakes.push(node.mistake("operations of the style `status` need a `path`"));
    }
    Some(Operations { style, path })
}

fn copy(node: &Node<'_>, mistakes: &mut Vec<Mistake>) -> Option<CopyOf> {
    if node.json.is_null() {
        return None;
    }
    node.only(&["source", "action", "context", "name", "fields"], mistakes);
    let text =
        |key: &str, mistakes: &mut Vec<Mistake>| leak(node.member(key).text(mistakes).unwrap_or_default());
    let fields = node.member("fields").entries();
    let fields: Vec<(&'static [&'static str], &'static str)> = fields
        .iter()
        .filter_map(|(path, api)| Some((path_of(path), leak(api.text(mistakes)?))))
        .collect();
    Some(CopyOf {
        source: path_of(text("source", mistakes)),
        action: text("action", mistakes),
        context: text("context", mistakes),
        name: text("name", mistakes),
        fields: Box::leak(fields.into_boxed_slice()),
    })
}
