//! Secrets, and the keys that each type of secret must have (`ValidateSecret` in
//! pkg/apis/core/validation/validation.go).

use kindsmith_gostd::pem;
use kindsmith_json::{Arena, Object, Path, ReadError, Value, parse};
use kindsmith_object::{BadValue, FieldError};

use super::config_map::{SIZE_LIMIT, store_nulls, validate_frozen};
use crate::field_check::{check_key, decoded, entries, immutable, invalid_text, required, text, too_long};
use crate::table::{Heading, Row, Table, column};
use crate::{Change, DecodedObject, Names, Preparation, Strategy};

const DATA: Path<'static> = Path::root("data");

#[derive(Debug)]
pub(crate) struct Secret;

impl Strategy for Secret {
    fn table(&self, _: &Names) -> Table {
        Table {
            headings: HEADINGS,
            cells,
        }
    }

    fn selectable_fields(&self, _: &Names) -> Option<&'static [&'static str]> {
        Some(&["metadata.name", "metadata.namespace", "type"])
    }

    /// Encodes `stringData` into `data`, which Kubernetes does in the conversion to the internal version.
    fn default<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let Some(strings) = object.get("stringData") else {
            return object;
        };
        let mut object = object.as_object().unwrap_or_default();
        let mut data = entries(object.get("data")).edit(arena);
        for (key, value) in entries(Some(strings)) {
            let encoded = kindsmith_gostd::base64::encode(value.as_str().unwrap_or_default().as_bytes());
            data.insert(key, Value::Str(arena.alloc_str(&encoded)));
        }
        object.remove(arena, "stringData");
        if !data.is_empty() {
            object.insert(arena, "data", Value::Object(data.finish()));
        }
        Value::Object(object)
    }

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, decoded: &mut DecodedObject<'a>) {
        if let Some(old) = preparation.old
            && text(decoded.get(&["type"])).is_empty()
        {
            decoded.restore(preparation.arena, "type", old);
        }
    }

    fn canonicalize<'a>(&self, arena: &'a Arena, decoded: &mut DecodedObject<'a>) {
        store_nulls(arena, decoded, "data");
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Vec<FieldError>) {
        if change.old.is_some() {
            change.validate_metadata(errors);
            if !change.is_same("type") {
                let bad = BadValue::Text(text(change.get(&["type"])).into());
                immutable(&Path::root("type"), bad, errors);
            }
            validate_frozen(change, &["data"], errors);
        }
        change.validate_new_metadata(errors);
        let data = entries(change.get(&["data"]));
        let mut size = 0;
        for (key, value) in data {
            check_key(&DATA, key, errors);
            size += decoded(value).len();
        }
        if size as i64 > SIZE_LIMIT {
            errors.push(too_long(&DATA, SIZE_LIMIT));
        }
        validate_type(change, data, errors);
    }

    fn warnings(&self, change: &Change<'_>) -> Vec<String> {
        let data = entries(change.get(&["data"]));
        let certificate = decoded(data.get("tls.crt").unwrap_or_default());
        let is_tls = text(change.get(&["type"])) == "kubernetes.io/tls";
        if is_tls && pem::blocks(&certificate).is_empty() {
            vec!["tls: failed to find any PEM data in certificate input".to_owned()]
        } else {
            Vec::new()
        }
    }
}

fn validate_type(change: &Change<'_>, data: Object<'_>, errors: &mut Vec<FieldError>) {
    let mut require = |key: &str| errors.push(required(&DATA.key(key), ""));
    match text(change.get(&["type"])) {
        "kubernetes.io/service-account-token" => {
            const NAME: &str = "kubernetes.io/service-account.name";
            if text(change.new.meta.annotations.get(NAME)).is_empty() {
                let metadata = Path::root("metadata");
                let annotations = metadata.child("annotations");
                errors.push(required(&annotations.key(NAME), ""));
            }
        }
        "kubernetes.io/dockercfg" => validate_json(data, ".dockercfg", errors),
        "kubernetes.io/dockerconfigjson" => validate_json(data, ".dockerconfigjson", errors),
        "kubernetes.io/basic-auth" if !data.contains_key("username") && !data.contains_key("password") => {
            require("username");
            require("password");
        }
        "kubernetes.io/ssh-auth" if text(data.get("ssh-privatekey")).is_empty() => require("ssh-privatekey"),
        "kubernetes.io/tls" => {
            for key in ["tls.crt", "tls.key"] {
                if !data.contains_key(key) {
                    require(key);
                }
            }
        }
        _ => {}
    }
}

/// The value of a key must be a JSON object; errors do not show it.
fn validate_json(data: Object<'_>, key: &str, errors: &mut Vec<FieldError>) {
    let path = DATA.key(key);
    let Some(value) = data.get(key) else {
        errors.push(required(&path, ""));
        return;
    };
    let bytes = decoded(value);
    let arena = Arena::new();
    let problem = match parse(&arena, &bytes) {
        Ok(Value::Object(_) | Value::Null) => return,
        Ok(other) => {
            let kind = other.go_json_name();
            format!("json: cannot unmarshal {kind} into Go value of type map[string]interface {{}}")
        }
        Err(error) => ReadError::to_string(&error),
    };
    errors.push(invalid_text(&path, "<secret contents redacted>", problem));
}

const HEADINGS: &[Heading] = &[
    column::NAME,
    column::text("Type", "core/v1.Secret.type"),
    column::text("Data", "core/v1.Secret.data"),
    column::AGE,
];

fn cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    vec![
        row.name(),
        Value::Str(row.text("type")),
        Value::Int(row.count("data")),
        row.age(),
    ]
}
