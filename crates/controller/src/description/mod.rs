//! A kind from its description: one YAML file that says what a CRD does not about fields, and the shape of the API. Errors
//! name the line. `check` finds what cannot be right.

mod check;
mod fields;
mod reader;

use std::sync::Arc;

use kindsmith_json::yaml;

pub(crate) use check::fits;
pub use check::{Other, Others};
pub use reader::{Mistake, Weight};
use reader::{Node, leak, path_of};

use crate::Json;
use crate::kind::{CopyOf, Create, Ids, Kind, KindError, OperationStyle, Operations, Rest, Update};

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
    /// All mistakes that make it unusable, in the order of lines.
    pub fn read(text: &str, definition: Option<&'static str>) -> Result<Self, Vec<Mistake>> {
        let (described, mut mistakes) = check(text, definition, &Others::default());
        mistakes.retain(|mistake| mistake.weight == Weight::Error);
        match described {
            Some(described) if mistakes.is_empty() => Ok(described),
            _ => Err(mistakes),
        }
    }
}

/// Reads a description as far as it can be read, and finds all that is wrong with it, in the order of lines. Its CRD is
/// the second document of the text, or `definition`.
#[must_use]
pub fn check(
    text: &str,
    definition: Option<&'static str>,
    others: &Others,
) -> (Option<Described>, Vec<Mistake>) {
    if text.len() > MAX_BYTES {
        let message = format!("a description has at most {MAX_BYTES} bytes");
        return (None, vec![Mistake::new(1, message)]);
    }
    let mut documents = yaml::documents(text);
    let first = documents.next();
    let second = documents.next();
    let (root, mut mistakes) = match Node::read(first.map(|first| first.text).unwrap_or_default()) {
        Ok(read) => read,
        Err(mistakes) => return (None, mistakes),
    };
    let definition = definition.or_else(|| second.as_ref().map(|document| leak(document.text)));
    let described = match read(&root, definition, others, &mut mistakes) {
        Ok(described) => described,
        Err(error) => {
            let found = second.filter(|_| !root.member("crd").is_set());
            let place = found.map_or(0, |document| document.offset);
            let line = text[..place].matches('\n').count() + 1;
            mistakes.push(Mistake {
                span: place..place,
                ..Mistake::new(line, format!("the CRD: {error}"))
            });
            None
        }
    };
    mistakes.sort_by_key(|mistake| mistake.line);
    (described, mistakes)
}

/// The file with the CRD, if a description names one.
#[must_use]
pub fn definition_file(text: &str) -> Option<String> {
    let first = yaml::documents(text).next()?;
    let (root, _) = Node::read(first.text).ok()?;
    root.member("crd").json.as_str().map(str::to_owned)
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
    "todo",
];

/// The error is that of the CRD.
fn read(
    root: &Node<'_>,
    definition: Option<&'static str>,
    others: &Others,
    mistakes: &mut Vec<Mistake>,
) -> Result<Option<Described>, KindError> {
    root.only(MEMBERS, mistakes);
    let version = root.member("version");
    if version.json.as_u64() != Some(VERSION) {
        let mistake = version.mistake("this version of the form is not supported");
        mistakes.push(mistake.cure(format!("write `version: {VERSION}`")));
    }
    let Some(definition) = definition else {
        let mistake = root.mistake("no CRD");
        mistakes.push(mistake.cure("add it as a second document, or name its file with `crd`"));
        return Ok(None);
    };
    let Some(rest) = rest(root, mistakes) else {
        return Ok(None);
    };
    let rest: &'static Rest = Box::leak(Box::new(rest));
    let tables = fields::read(root, rest, mistakes);
    let rest: &'static Rest = Box::leak(Box::new(Rest {
        references: tables.references,
        secrets: tables.secrets,
        ..*rest
    }));
    let kind = Kind::new(definition, tables.fields, &tables.attributes, rest)?;
    let kind = fields::with_zeros(kind, root, &tables.declared, mistakes);
    check::check(root, &kind, others, mistakes);
    let service = root.member("service");
    service.only(&["host", "prefix"], mistakes);
    let fills = root.member("fills");
    let fills = fills
        .entries()
        .into_iter()
        .map(|(path, value)| (path.split('.').map(str::to_owned).collect(), value.json));
    Ok(Some(Described {
        host: service
            .member("host")
            .text(mistakes)
            .unwrap_or_default()
            .to_owned(),
        prefix: service.member("prefix").text_or("", mistakes).to_owned(),
        fills: fills.collect(),
        example: root.member("example").json,
        kind: Arc::new(kind),
    }))
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
        .flat_map(|(name, node)| places(name, node, mistakes))
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
                mistakes.push(
                    root.member("create")
                        .mistake("no such method")
                        .cure("write POST or PUT"),
                );
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

/// Where the value of a parameter is: in a field, or in the first of several that is set.
fn places(
    name: &str,
    node: &Node<'_>,
    mistakes: &mut Vec<Mistake>,
) -> Vec<(&'static str, &'static [&'static str])> {
    let place = |text: &str| -> (&'static str, &'static [&'static str]) {
        let path: &'static [&'static str] = if text.contains('{') {
            Box::leak(Box::new([leak(text)]))
        } else {
            path_of(text)
        };
        (leak(name), path)
    };
    if !node.json.is_array() {
        return node.text(mistakes).map(place).into_iter().collect();
    }
    let items = node.items();
    items
        .iter()
        .filter_map(|item| item.text(mistakes).map(place))
        .collect()
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
            let cure = "write patch, replace, maskInQuery or {maskInBody: MEMBER}";
            mistakes.push(node.mistake("no such way to change a resource").cure(cure));
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
            let style = node.member("style").mistake("no such style of operations");
            mistakes.push(style.cure("write done or status"));
            OperationStyle::Done
        }
    };
    let path = leak(node.member("path").text_or("", mistakes));
    if style == OperationStyle::Status && path.is_empty() {
        let mistake = node.mistake("operations of the style `status` need a `path`");
        mistakes.push(mistake.cure("add it, such as `path: projects/{project}/operations`"));
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
