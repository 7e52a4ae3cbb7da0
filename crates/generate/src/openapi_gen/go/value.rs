//! JSON values as Go literals: what `%#v` prints, as gofmt leaves it.

use kindsmith_gostd::float::format_f64;
use kindsmith_gostd::quote::quote;
use kindsmith_json::Value;

/// The literal of a value.
pub(super) fn literal(value: Value<'_>) -> String {
    match value {
        Value::Null => "interface{}(nil)".to_owned(),
        Value::Bool(truth) => truth.to_string(),
        Value::Str(text) => quote(text),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| literal(*item)).collect();
            format!("[]interface{{}}{{{}}}", items.join(", "))
        }
        Value::Object(object) => {
            let mut members: Vec<_> = object.iter().collect();
            members.sort_by_key(|(key, _)| *key);
            let members = members
                .iter()
                .map(|(key, value)| format!("{}: {}", quote(key), literal(*value)));
            format!(
                "map[string]interface{{}}{{{}}}",
                members.collect::<Vec<_>>().join(", ")
            )
        }
        number => number.as_f64().map_or_else(|| "0".to_owned(), format_f64),
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, parse_str};

    use super::literal;

    #[test]
    fn values_are_go_literals() {
        for (json, go) in [
            ("5", "5"),
            ("1.5", "1.5"),
            ("1000000000", "1e+09"),
            ("\"a\\\"b\"", "\"a\\\"b\""),
            ("true", "true"),
            ("{}", "map[string]interface{}{}"),
            (
                r#"{"b":[1,null],"a":{"c":"d"}}"#,
                r#"map[string]interface{}{"a": map[string]interface{}{"c": "d"}, "b": []interface{}{1, interface{}(nil)}}"#,
            ),
        ] {
            let arena = Arena::new();
            assert_eq!(literal(parse_str(&arena, json).expect("JSON")), go);
        }
    }
}
