//! The fields of a description: names in the API, attributes, references, declared values.

use kindsmith_merge::effective::{Attribute, Declared, FieldPath, Within};
use kindsmith_schema::JsonSchema;

use super::reader::{Mistake, Node, leak, meant, path_of};
use crate::Json;
use crate::field_map::{Convert, Field};
use crate::kind::{Kind, Reference, Rest, template};

/// What a description says about fields.
pub(super) struct Tables {
    pub(super) fields: &'static [Field],
    pub(super) references: &'static [Reference],
    pub(super) secrets: &'static [&'static [&'static str]],
    pub(super) attributes: Vec<(&'static str, Attribute)>,
    /// Fields with a declared value other than zero: for them, zero is a value.
    pub(super) declared: Vec<String>,
}

const MEMBERS: &[&str] = &["api", "as", "is", "together", "refers", "same"];

pub(super) fn read(root: &Node<'_>, rest: &Rest, mistakes: &mut Vec<Mistake>) -> Tables {
    let (mut fields, mut references, mut secrets) = (Vec::new(), Vec::new(), Vec::new());
    let mut attributes: Vec<(&'static str, Attribute)> = Vec::new();
    for (path, node) in root.member("fields").entries() {
        node.only(MEMBERS, mistakes);
        let spec = path_of(&path);
        let full = leak(&format!("spec.{path}"));
        let refers = node.member("refers");
        let mut convert = convert(&node.member("as"), mistakes);
        if !refers.json.is_null() {
            if convert != Convert::Nothing {
                convert = Convert::External;
            }
            references.extend(reference(spec, &refers, mistakes));
            let external = leak(&format!("{full}.external"));
            attributes.push((external, Attribute::Reference));
            // What cannot change is the name that it refers to.
            if node
                .member("is")
                .items()
                .iter()
                .any(|word| word.json == "immutable")
            {
                attributes.push((external, Attribute::Immutable));
            }
        }
        match convert {
            Convert::Secret => {
                secrets.push(spec);
                attributes.push((full, Attribute::WriteOnly));
            }
            Convert::Nothing if node.member("api").json.is_string() => {
                let mistake = node.mistake("a field that is not in the API has no name in it");
                mistakes.push(mistake.cure("remove `api` or `as: none`"));
            }
            _ => {}
        }
        let name = node.member("api");
        let api = if name.json.is_null() {
            spec
        } else {
            path_of(name.text(mistakes).unwrap_or_default())
        };
        if api != spec || convert != Convert::Same {
            fields.push(Field { spec, api, convert });
        }
        attributes.extend(own(full, &node, mistakes));
    }
    // What is in paths is not in the body.
    for (_, path) in rest.parameters {
        if template(path).is_none() && !fields.iter().any(|field: &Field| field.spec == *path) {
            fields.push(Field {
                spec: path,
                api: path,
                convert: Convert::Nothing,
            });
        }
    }
    let (declared, nonzero) = declared(root, mistakes);
    attributes.extend(declared);
    Tables {
        fields: Box::leak(fields.into_boxed_slice()),
        references: Box::leak(references.into_boxed_slice()),
        secrets: Box::leak(secrets.into_boxed_slice()),
        attributes,
        declared: nonzero,
    }
}

fn convert(node: &Node<'_>, mistakes: &mut Vec<Mistake>) -> Convert {
    match node.text_or("same", mistakes) {
        "same" => Convert::Same,
        "text" => Convert::IntText,
        "listOfOne" => Convert::ListOfOne,
        "firstItem" => Convert::FirstItem,
        "secret" => Convert::Secret,
        "flag" => Convert::Flag,
        "mapById" => Convert::MapById,
        "none" => Convert::Nothing,
        _ => {
            let cure = "write same, text, listOfOne, firstItem, mapById, secret, flag or none";
            mistakes.push(node.mistake("no such conversion").cure(cure));
            Convert::Same
        }
    }
}

/// The words of `is`.
const WORDS: &[(&str, Attribute)] = &[
    ("immutable", Attribute::Immutable),
    ("writeOnly", Attribute::WriteOnly),
    ("outputOnly", Attribute::OutputOnly),
    ("identity", Attribute::Identity),
    ("zeroIsAbsent", Attribute::ZeroIsAbsent),
    ("unordered", Attribute::Unordered),
    ("growsOnly", Attribute::GrowsOnly),
    ("alone", Attribute::Alone),
    ("ignoreCase", Attribute::IgnoreCase),
    ("quantity", Attribute::Quantity),
    ("duration", Attribute::Duration),
    ("time", Attribute::Time),
    ("reference", Attribute::Reference),
    ("sharedMap", Attribute::SharedMap),
];

/// The attributes that a field names.
fn own(full: &'static str, node: &Node<'_>, mistakes: &mut Vec<Mistake>) -> Vec<(&'static str, Attribute)> {
    let mut found = Vec::new();
    for word in node.member("is").items() {
        let Some(text) = word.text(mistakes) else {
            continue;
        };
        match WORDS.iter().find(|(name, _)| *name == text) {
            Some((_, attribute)) => found.push((full, attribute.clone())),
            None => {
                let names = WORDS.iter().map(|(name, _)| *name);
                let mistake = word.mistake(&format!("no property `{text}`"));
                mistakes.push(mistake.cure(meant(text, names)));
            }
        }
    }
    let together = node.member("together");
    if let Some(group) = together.json.as_str() {
        found.push((full, Attribute::Together(group.into())));
    }
    for pair in node.member("same").items() {
        match pair.json.as_array().map(Vec::as_slice) {
            Some([one, other]) => found.push((full, Attribute::Same(schema_json(one), schema_json(other)))),
            _ => mistakes.push(
                pair.mistake("`same` is a list of pairs")
                    .cure("write `same: [[ONE, OTHER]]`"),
            ),
        }
    }
    found
}

fn reference(
    spec: &'static [&'static str],
    node: &Node<'_>,
    mistakes: &mut Vec<Mistake>,
) -> Option<Reference> {
    node.only(&["apiVersion", "kind", "plural", "status", "external"], mistakes);
    let status = node.member("status").items();
    let status: Vec<&'static str> = status
        .iter()
        .filter_map(|item| Some(leak(item.text(mistakes)?)))
        .collect();
    let kind = leak(node.member("kind").text(mistakes)?);
    let plural = node.member("plural");
    Some(Reference {
        path: spec,
        api_version: leak(node.member("apiVersion").text(mistakes)?),
        kind,
        plural: if plural.json.is_null() {
            leak(&format!("{}s", kind.to_lowercase()))
        } else {
            leak(plural.text(mistakes)?)
        },
        status: Box::leak(status.into_boxed_slice()),
        external: leak(node.member("external").text_or("{name}", mistakes)),
    })
}

/// Declared values, and the fields for which one is not zero.
fn declared(root: &Node<'_>, mistakes: &mut Vec<Mistake>) -> (Vec<(&'static str, Attribute)>, Vec<String>) {
    let (mut found, mut nonzero) = (Vec::new(), Vec::new());
    for node in root.member("defaults").items() {
        node.only(&["field", "value", "from", "within", "when"], mistakes);
        let field = node.member("field");
        let Some(field) = field.text(mistakes).map(|field| format!("spec.{field}")) else {
            continue;
        };
        let value = node.member("value").json;
        let mut when = Vec::new();
        for (path, wanted) in node.member("when").entries() {
            match FieldPath::parse(&format!("spec.{path}")) {
                Ok(path) => when.push((path, schema_json(&wanted.json))),
                Err(error) => mistakes.push(wanted.mistake(&error.to_string())),
            }
        }
        let from = place(&node.member("from"), "", mistakes);
        let is_zero = matches!(&value, Json::Null if from.is_none())
            || value == false
            || value == 0
            || value == ""
            || value.as_array().is_some_and(Vec::is_empty);
        if !is_zero {
            nonzero.push(field.clone());
        }
        let declared = Declared {
            value: schema_json(&value),
            from,
            within: within(&node.member("within"), mistakes),
            when,
        };
        found.push((leak(&field), Attribute::Default(declared)));
    }
    (found, nonzero)
}

/// The object that the spec must set: `true` is the one around the field.
fn within(node: &Node<'_>, mistakes: &mut Vec<Mistake>) -> Within {
    match &node.json {
        Json::Null | Json::Bool(false) => Within::Anywhere,
        Json::Bool(true) => Within::Parent,
        _ => place(node, "spec.", mistakes).map_or(Within::Anywhere, Within::Object),
    }
}

/// The path that a node names, if there is one.
fn place(node: &Node<'_>, prefix: &str, mistakes: &mut Vec<Mistake>) -> Option<FieldPath> {
    let text = if node.is_set() {
        node.text(mistakes)?
    } else {
        return None;
    };
    match FieldPath::parse(&format!("{prefix}{text}")) {
        Ok(path) => Some(path),
        Err(error) => {
            mistakes.push(node.mistake(&error.to_string()));
            None
        }
    }
}

fn schema_json(json: &Json) -> kindsmith_schema::Json {
    kindsmith_schema::Json::parse(&json.to_string()).unwrap_or_default()
}

/// Zero means no value, unless the service tells both apart (`presence`) or another value is declared.
pub(super) fn with_zeros(
    mut kind: Kind,
    root: &Node<'_>,
    declared: &[String],
    mistakes: &mut Vec<Mistake>,
) -> Kind {
    match root.member("zero").text_or("absent", mistakes) {
        "absent" => {}
        "value" => return kind,
        _ => mistakes.push(
            root.member("zero")
                .mistake("no such meaning of zero")
                .cure("write absent or value"),
        ),
    }
    let presence = root.member("presence").items();
    let presence: Vec<String> = presence
        .iter()
        .filter_map(|item| Some(format!("spec.{}", item.text(mistakes)?)))
        .collect();
    let mut scalars = Vec::new();
    if let Some(spec) = kind.schema.property("spec") {
        scalar_paths(spec, "spec", 0, &mut scalars);
    }
    for path in scalars {
        if !presence.contains(&path) && !declared.contains(&path) {
            // Paths of the schema read back.
            let _ = kind.attributes.add(&path, Attribute::ZeroIsAbsent);
        }
    }
    kind
}

fn scalar_paths(schema: &JsonSchema, path: &str, depth: usize, found: &mut Vec<String>) {
    if depth > kindsmith_merge::MAX_DEPTH {
        return;
    }
    match &*schema.ty {
        "object" => {
            for (name, member) in &schema.properties {
                scalar_paths(member, &format!("{path}.{name}"), depth + 1, found);
            }
        }
        "array" => {
            if let Some(item) = schema.item().filter(|item| &*item.ty == "object") {
                scalar_paths(item, &format!("{path}[*]"), depth + 1, found);
            }
        }
        _ => found.push(path.to_owned()),
    }
}
