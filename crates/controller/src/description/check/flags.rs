//! Properties of a field that contradict each other, or that its type cannot have.

use kindsmith_schema::JsonSchema;

use super::super::reader::{Mistake, Node};

/// Properties that no field can have both of, and what to do.
const CONTRADICTIONS: &[(&str, &str, &str)] = &[
    (
        "outputOnly",
        "writeOnly",
        "a field is read, or written, or both (then neither is needed)",
    ),
    (
        "outputOnly",
        "immutable",
        "what only the service sets needs no `immutable`",
    ),
    ("outputOnly", "identity", "the object gives the identity"),
    ("outputOnly", "alone", "what only the service sets is never sent"),
    (
        "outputOnly",
        "growsOnly",
        "what only the service sets is never sent",
    ),
    (
        "immutable",
        "growsOnly",
        "what cannot change does not grow: keep one of them",
    ),
    (
        "immutable",
        "alone",
        "what cannot change is never sent alone: keep one of them",
    ),
    (
        "immutable",
        "writeOnly",
        "a change of what is never read back cannot be noticed: keep one of them",
    ),
    (
        "identity",
        "growsOnly",
        "the identity never changes: remove `growsOnly`",
    ),
    ("identity", "alone", "the identity never changes: remove `alone`"),
    ("duration", "time", "keep the one that the API has"),
    ("duration", "quantity", "keep the one that the API has"),
    ("time", "quantity", "keep the one that the API has"),
];

/// Properties and the types that can have them.
const TYPES: &[(&str, &[&str])] = &[
    ("unordered", &["array"]),
    ("sharedMap", &["object"]),
    ("growsOnly", &["integer", "number", "string"]),
    ("ignoreCase", &["string"]),
    ("duration", &["string"]),
    ("time", &["string"]),
    ("quantity", &["string", "integer", "number"]),
];

/// Conversions and the types that can have them.
const CONVERSIONS: &[(&str, &str)] = &[
    ("text", "integer"),
    ("listOfOne", "object"),
    ("firstItem", "array"),
    ("mapById", "array"),
    ("flag", "boolean"),
    ("secret", "object"),
];

pub(super) fn check(field: &Node<'_>, schema: &JsonSchema, mistakes: &mut Vec<Mistake>) {
    let is = field.member("is").items();
    let words: Vec<&str> = is.iter().filter_map(|word| word.json.as_str()).collect();
    for (index, word) in words.iter().enumerate() {
        if words[..index].contains(word) {
            let mistake = field.mistake(&format!("`{word}` is there twice"));
            mistakes.push(mistake.cure("remove one of them"));
        }
    }
    for (one, other, cure) in CONTRADICTIONS {
        if words.contains(one) && words.contains(other) {
            let mistake = field.mistake(&format!("`{one}` and `{other}` contradict each other"));
            mistakes.push(mistake.cure(*cure));
        }
    }
    let ty = &*schema.ty;
    for (word, types) in TYPES {
        if words.contains(word) && !ty.is_empty() && !types.contains(&ty) {
            let mistake = field.mistake(&format!("`{word}` is for {}, not for {ty}", types.join(" and ")));
            mistakes.push(mistake.cure(format!("remove `{word}`, or name another field")));
        }
    }
    converted(field, &words, schema, mistakes);
    referring(field, schema, mistakes);
}

fn converted(field: &Node<'_>, words: &[&str], schema: &JsonSchema, mistakes: &mut Vec<Mistake>) {
    let node = field.member("as");
    let Some(convert) = node.json.as_str() else {
        return;
    };
    let wanted = CONVERSIONS.iter().find(|(name, _)| *name == convert);
    if let Some((_, wanted)) = wanted
        && *wanted != &*schema.ty
        && !schema.ty.is_empty()
    {
        let mistake = field.mistake(&format!("`as: {convert}` is for {wanted}, not for {}", schema.ty));
        mistakes.push(mistake.cure("remove it, or change the type in the CRD"));
    } else if convert == "secret" && schema.property("value").is_none() {
        let mistake =
            field.mistake("a secret has the form {value} or {valueFrom: {secretKeyRef: {name, key}}}");
        mistakes.push(mistake.cure("give the field `value` and `valueFrom` in the CRD"));
    }
    if convert == "secret" && words.contains(&"outputOnly") {
        let mistake = field.mistake("`as: secret` and `outputOnly` contradict each other");
        mistakes.push(mistake.cure("services do not return secrets: remove `outputOnly`"));
    }
}

fn referring(field: &Node<'_>, schema: &JsonSchema, mistakes: &mut Vec<Mistake>) {
    if !field.member("refers").is_set() {
        return;
    }
    let convert = field.member("as");
    if convert.is_set() && convert.json != "none" {
        let mistake = field.mistake("`as` and `refers` contradict each other: a reference is sent as a name");
        mistakes.push(mistake.cure("remove `as`"));
    }
    let has = |name: &str| schema.property(name).is_some();
    if !has("external") && !schema.preserves_unknown_fields() {
        let mistake = field.mistake("a reference has the form {name, namespace} or {external}");
        let cure = "give the field `external`, `name` and `namespace` in the CRD, or remove `refers`";
        mistakes.push(mistake.cure(cure));
    }
}
