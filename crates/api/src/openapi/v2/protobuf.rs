//! The document as the messages of gnostic's `OpenAPIv2.proto`: a table of messages, and one function that writes by it.
//! Members that the table does not name are vendor extensions, in YAML.

use kindsmith_json::write::{Order, to_yaml};
use kindsmith_json::{Arena, Value};

/// How a member is written.
#[derive(Debug, Clone, Copy)]
enum Form {
    Text,
    Texts,
    Bool,
    Integer,
    Double,
    /// A message.
    One(&'static Message),
    /// A message for each item.
    Each(&'static Message),
    /// Messages of a name and a value, for each member of an object.
    Named(&'static Message),
    /// Any value, as YAML.
    Any,
    Anys,
    /// A list of texts within a message: the type of a schema.
    Type,
    /// A message within a message, in the one field of the outer one.
    Within(&'static Message),
    /// A schema, or whether there may be any members.
    More,
    Parameters,
    Responses,
}

/// A message: its members with their numbers, and the number of vendor extensions.
#[derive(Debug)]
struct Message {
    members: &'static [(&'static str, u32, Form)],
    extensions: u32,
}

use Form::{
    Any, Anys, Bool, Double, Each, Integer, More, Named, One, Parameters, Responses, Text, Texts, Type,
    Within,
};

static DOCUMENT: Message = Message {
    members: &[
        ("swagger", 1, Text),
        ("info", 2, One(&INFO)),
        ("paths", 8, One(&PATHS)),
        ("definitions", 9, One(&DEFINITIONS)),
        ("security", 12, Each(&REQUIREMENT)),
        ("securityDefinitions", 13, One(&SECURITY_DEFINITIONS)),
    ],
    extensions: 16,
};

static INFO: Message = Message {
    members: &[("title", 1, Text), ("version", 2, Text), ("description", 3, Text)],
    extensions: 7,
};

/// Objects whose members are named messages have one repeated field for them; the key `*` stands for all.
static PATHS: Message = Message {
    members: &[("*", 2, Named(&PATH_ITEM))],
    extensions: 1,
};

static DEFINITIONS: Message = Message {
    members: &[("*", 1, Named(&SCHEMA))],
    extensions: 0,
};

static REQUIREMENT: Message = Message {
    members: &[("*", 1, Named(&STRINGS))],
    extensions: 0,
};

static STRINGS: Message = Message {
    members: &[],
    extensions: 0,
};

static SECURITY_DEFINITIONS: Message = Message {
    members: &[("*", 1, Named(&SECURITY))],
    extensions: 0,
};

/// One of several kinds; ours are keys.
static SECURITY: Message = Message {
    members: &[("*", 2, One(&KEY))],
    extensions: 0,
};

static KEY: Message = Message {
    members: &[
        ("type", 1, Text),
        ("name", 2, Text),
        ("in", 3, Text),
        ("description", 4, Text),
    ],
    extensions: 5,
};

static PATH_ITEM: Message = Message {
    members: &[
        ("get", 2, One(&OPERATION)),
        ("put", 3, One(&OPERATION)),
        ("post", 4, One(&OPERATION)),
        ("delete", 5, One(&OPERATION)),
        ("options", 6, One(&OPERATION)),
        ("head", 7, One(&OPERATION)),
        ("patch", 8, One(&OPERATION)),
        ("parameters", 9, Parameters),
    ],
    extensions: 10,
};

static OPERATION: Message = Message {
    members: &[
        ("tags", 1, Texts),
        ("summary", 2, Text),
        ("description", 3, Text),
        ("operationId", 5, Text),
        ("produces", 6, Texts),
        ("consumes", 7, Texts),
        ("parameters", 8, Parameters),
        ("responses", 9, Responses),
        ("schemes", 10, Texts),
        ("deprecated", 11, Bool),
    ],
    extensions: 13,
};

static BODY: Message = Message {
    members: &[
        ("description", 1, Text),
        ("name", 2, Text),
        ("in", 3, Text),
        ("required", 4, Bool),
        ("schema", 5, One(&SCHEMA)),
    ],
    extensions: 6,
};

static QUERY: Message = Message {
    members: &[
        ("required", 1, Bool),
        ("in", 2, Text),
        ("description", 3, Text),
        ("name", 4, Text),
        ("type", 6, Text),
        ("format", 7, Text),
        ("uniqueItems", 20, Bool),
    ],
    extensions: 23,
};

static PATH: Message = Message {
    members: &[
        ("required", 1, Bool),
        ("in", 2, Text),
        ("description", 3, Text),
        ("name", 4, Text),
        ("type", 5, Text),
        ("format", 6, Text),
        ("uniqueItems", 19, Bool),
    ],
    extensions: 22,
};

static RESPONSE: Message = Message {
    members: &[("description", 1, Text), ("schema", 2, Within(&SCHEMA))],
    extensions: 5,
};

static SCHEMA: Message = Message {
    members: &[
        ("$ref", 1, Text),
        ("format", 2, Text),
        ("title", 3, Text),
        ("description", 4, Text),
        ("default", 5, Any),
        ("multipleOf", 6, Double),
        ("maximum", 7, Double),
        ("exclusiveMaximum", 8, Bool),
        ("minimum", 9, Double),
        ("exclusiveMinimum", 10, Bool),
        ("maxLength", 11, Integer),
        ("minLength", 12, Integer),
        ("pattern", 13, Text),
        ("maxItems", 14, Integer),
        ("minItems", 15, Integer),
        ("uniqueItems", 16, Bool),
        ("maxProperties", 17, Integer),
        ("minProperties", 18, Integer),
        ("required", 19, Texts),
        ("enum", 20, Anys),
        ("additionalProperties", 21, More),
        ("type", 22, Type),
        ("items", 23, Within(&SCHEMA)),
        ("properties", 25, One(&DEFINITIONS)),
        ("example", 30, Any),
    ],
    extensions: 31,
};

/// The document in protobuf.
pub(super) fn encode(document: &str) -> Vec<u8> {
    let arena = Arena::new();
    let value = kindsmith_json::parse_str(&arena, document).unwrap_or_default();
    message(&DOCUMENT, value)
}

fn message(of: &Message, value: Value<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    let whole = of.members.first().filter(|(key, ..)| *key == "*");
    if let Some((_, number, form)) = whole {
        write(&mut out, *number, *form, value);
        return out;
    }
    for (key, number, form) in of.members {
        if let Some(value) = value.get(key) {
            write(&mut out, *number, *form, value);
        }
    }
    for (key, value) in value.as_object().unwrap_or_default() {
        let is_known = of.members.iter().any(|(known, ..)| *known == key);
        if !is_known && of.extensions > 0 {
            bytes(&mut out, of.extensions, &named(key, &any(value)));
        }
    }
    out
}

fn write(out: &mut Vec<u8>, number: u32, form: Form, value: Value<'_>) {
    let items = value.as_array().unwrap_or_default();
    match form {
        Text => bytes(out, number, value.as_str().unwrap_or_default().as_bytes()),
        Texts => texts(out, number, value),
        Bool => {
            if value == Value::Bool(true) {
                varint(out, u64::from(number) << 3);
                out.push(1);
            }
        }
        Integer => {
            varint(out, u64::from(number) << 3);
            varint(out, value.as_i64().unwrap_or_default() as u64);
        }
        Double => {
            varint(out, u64::from(number) << 3 | 1);
            let text = kindsmith_json::to_string(value);
            out.extend(text.parse::<f64>().unwrap_or_default().to_le_bytes());
        }
        One(of) => bytes(out, number, &message(of, value)),
        Each(of) => items
            .iter()
            .for_each(|item| bytes(out, number, &message(of, *item))),
        Named(of) => {
            for (name, value) in value.as_object().unwrap_or_default() {
                let mut inner = message(of, value);
                texts(&mut inner, 1, value);
                bytes(out, number, &named(name, &inner));
            }
        }
        Any => bytes(out, number, &any(value)),
        Anys => items.iter().for_each(|item| bytes(out, number, &any(*item))),
        Type => {
            let mut inner = Vec::new();
            bytes(&mut inner, 1, value.as_str().unwrap_or_default().as_bytes());
            bytes(out, number, &inner);
        }
        Within(of) => {
            let mut inner = Vec::new();
            bytes(&mut inner, 1, &message(of, value));
            bytes(out, number, &inner);
        }
        More => {
            let mut inner = Vec::new();
            match value {
                Value::Bool(may) => inner.extend([2 << 3, u8::from(may)]),
                schema => bytes(&mut inner, 1, &message(&SCHEMA, schema)),
            }
            bytes(out, number, &inner);
        }
        Parameters => items
            .iter()
            .for_each(|item| bytes(out, number, &parameter(*item))),
        Responses => {
            let mut inner = Vec::new();
            for (code, response) in value.as_object().unwrap_or_default() {
                let mut one = Vec::new();
                bytes(&mut one, 1, &message(&RESPONSE, response));
                bytes(&mut inner, 1, &named(code, &one));
            }
            bytes(out, number, &inner);
        }
    }
}

/// A parameter is one of a body, and of several places that are not the body.
fn parameter(value: Value<'_>) -> Vec<u8> {
    let (mut inner, mut outer, mut item) = (Vec::new(), Vec::new(), Vec::new());
    match value.get("in").and_then(Value::as_str) {
        Some("body") => bytes(&mut outer, 1, &message(&BODY, value)),
        Some("path") => {
            bytes(&mut inner, 4, &message(&PATH, value));
            bytes(&mut outer, 2, &inner);
        }
        _ => {
            bytes(&mut inner, 3, &message(&QUERY, value));
            bytes(&mut outer, 2, &inner);
        }
    }
    bytes(&mut item, 1, &outer);
    item
}

fn texts(out: &mut Vec<u8>, number: u32, value: Value<'_>) {
    for item in value.as_array().unwrap_or_default() {
        bytes(out, number, item.as_str().unwrap_or_default().as_bytes());
    }
}

fn any(value: Value<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    bytes(&mut out, 2, to_yaml(value, Order::Kept).as_bytes());
    out
}

fn named(name: &str, value: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    bytes(&mut out, 1, name.as_bytes());
    bytes(&mut out, 2, value);
    out
}

fn bytes(out: &mut Vec<u8>, number: u32, content: &[u8]) {
    varint(out, u64::from(number) << 3 | 2);
    varint(out, content.len() as u64);
    out.extend(content);
}

fn varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(document: &str, expected: &[u8]) {
        assert_eq!(encode(document), expected, "{document}");
    }

    #[test]
    fn messages_are_those_of_gnostic() {
        check(r#"{"swagger":"2.0"}"#, b"\x0a\x032.0");
        check(r#"{"info":{"title":"T"}}"#, b"\x12\x03\x0a\x01T");
        // definitions: a named schema with its type.
        check(
            r#"{"definitions":{"a":{"type":"object"}}}"#,
            b"\x4a\x12\x0a\x10\x0a\x01a\x12\x0b\xb2\x01\x08\x0a\x06object",
        );
        // Extensions are YAML.
        check(
            r#"{"x-y":true}"#,
            b"\x82\x01\x0e\x0a\x03x-y\x12\x07\x12\x05true\n",
        );
    }
}
