//! Options of a connection, read from the URL (`getRequestOptions` in apiserver's pkg/endpoints/handlers/get.go).

use kindsmith_gostd::strconv::parse_uint;
use kindsmith_json::{Arena, Entry, Object, Value};

use crate::context::Call;

/// How a field is read.
#[derive(Debug, Clone, Copy)]
enum Form {
    Flag,
    Text,
    /// All values of the parameter; null if there is none.
    Texts,
    /// Numbers, in one parameter or in several.
    Ports,
    /// What follows the subresource in the path, whatever the query says.
    Rest,
}

/// The fields of each kind in Go's order.
const KINDS: &[(&str, &[(&str, Form)])] = &[
    ("NodeProxyOptions", &[("path", Form::Rest)]),
    (
        "PodAttachOptions",
        &[
            ("stdin", Form::Flag),
            ("stdout", Form::Flag),
            ("stderr", Form::Flag),
            ("tty", Form::Flag),
            ("container", Form::Text),
        ],
    ),
    (
        "PodExecOptions",
        &[
            ("stdin", Form::Flag),
            ("stdout", Form::Flag),
            ("stderr", Form::Flag),
            ("tty", Form::Flag),
            ("container", Form::Text),
            ("command", Form::Texts),
        ],
    ),
    ("PodPortForwardOptions", &[("ports", Form::Ports)]),
    ("PodProxyOptions", &[("path", Form::Rest)]),
    ("ServiceProxyOptions", &[("path", Form::Rest)]),
];

/// The options of a request as an object of a kind; the error is Kubernetes' text.
pub(super) fn read<'a>(call: &Call<'_>, arena: &'a Arena, kind: &str) -> Result<Value<'a>, String> {
    let known = KINDS.iter().find(|(name, _)| *name == kind);
    let (kind, fields) = known.ok_or_else(|| format!("no options for {kind}"))?;
    let mut entries = vec![
        Entry {
            key: "kind",
            value: Value::Str(kind),
        },
        Entry {
            key: "apiVersion",
            value: Value::Str("v1"),
        },
    ];
    for &(key, form) in *fields {
        if let Some(value) = field(call, arena, key, form)? {
            entries.push(Entry { key, value });
        }
    }
    let entries = arena.alloc_slice_copy(&entries);
    Ok(Value::Object(Object::from_entries(arena, entries)))
}

/// A field; `None` if Go leaves it out.
fn field<'a>(call: &Call<'_>, arena: &'a Arena, key: &str, form: Form) -> Result<Option<Value<'a>>, String> {
    let text = |text: &str| Value::Str(arena.alloc_str(text));
    let filled = |given: &str| (!given.is_empty()).then(|| text(given));
    let query = call.query;
    Ok(match form {
        Form::Flag => query.flag(key).then_some(Value::Bool(true)),
        Form::Text => filled(query.text(key)),
        Form::Rest => filled(&rest(&call.info.parts, &call.info.path)),
        Form::Texts => {
            let all: Vec<Value<'a>> = query.all(key).map(text).collect();
            Some(if all.is_empty() {
                Value::Null
            } else {
                Value::Array(arena.alloc_slice_copy(&all))
            })
        }
        Form::Ports => {
            let ports: Result<Vec<Value<'a>>, String> = query
                .all(key)
                .flat_map(|list| list.split(','))
                .map(port)
                .collect();
            let ports = ports?;
            (!ports.is_empty()).then(|| Value::Array(arena.alloc_slice_copy(&ports)))
        }
    })
}

fn port<'a>(text: &str) -> Result<Value<'a>, String> {
    let number = parse_uint(text, 10, 16).map_err(|error| format!("cannot convert to []int32: {error}"))?;
    Ok(Value::Int(i64::try_from(number).unwrap_or_default()))
}

/// The path behind the subresource, with the slashes of the request.
fn rest(parts: &[String], path: &str) -> String {
    let mut rest = parts.get(3..).unwrap_or_default().join("/");
    if !rest.is_empty() {
        rest.insert(0, '/');
    }
    if path.ends_with('/') && !rest.ends_with('/') {
        rest.push('/');
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_a_path_keeps_its_slashes() {
        let check = |path: &str, expected: &str| {
            let parts: Vec<String> = path.trim_matches('/').split('/').map(str::to_owned).collect();
            assert_eq!(rest(&parts, path), expected, "{path}");
        };
        check("/services/s/proxy", "");
        check("/services/s/proxy/", "/");
        check("/services/s/proxy/a/b", "/a/b");
        check("/services/s/proxy/a/", "/a/");
    }

    #[test]
    fn ports_are_numbers_of_16_bits() {
        assert_eq!(port("80"), Ok(Value::Int(80)));
        let check = |text, why: &str| {
            let expected = format!("cannot convert to []int32: strconv.ParseUint: parsing \"{text}\": {why}");
            assert_eq!(port(text), Err(expected));
        };
        check("http", "invalid syntax");
        check("70000", "value out of range");
    }
}
