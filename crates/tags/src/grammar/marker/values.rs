//! Values given to a marker.

use std::collections::BTreeMap;

use kindsmith_json::{Value, to_string};
use kindsmith_schema::Json;

/// A value given to a marker.
#[derive(Debug, Clone, PartialEq)]
pub enum MarkerValue {
    /// An integer.
    Int(i64),
    /// A number.
    Number(f64),
    /// Text.
    Text(String),
    /// A boolean.
    Bool(bool),
    /// A list.
    List(Vec<MarkerValue>),
    /// An object; if keys are equal, the last one counts.
    Object(Vec<(String, MarkerValue)>),
}

/// Values of a marker by argument name; the unnamed one has the empty name.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MarkerValues(pub(super) Vec<(&'static str, MarkerValue)>);

impl MarkerValues {
    /// The value of an argument.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&MarkerValue> {
        // If given twice, the later one replaces the earlier.
        self.0
            .iter()
            .rev()
            .find(|(given, _)| *given == name)
            .map(|(_, value)| value)
    }

    /// The text of an argument.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            MarkerValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The integer of an argument.
    #[must_use]
    pub fn int(&self, name: &str) -> Option<i64> {
        match self.get(name)? {
            MarkerValue::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// The number of an argument.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<f64> {
        match self.get(name)? {
            MarkerValue::Number(value) => Some(*value),
            _ => None,
        }
    }

    /// The boolean of an argument.
    #[must_use]
    pub fn bool(&self, name: &str) -> Option<bool> {
        match self.get(name)? {
            MarkerValue::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The items of an argument.
    #[must_use]
    pub fn list(&self, name: &str) -> &[MarkerValue] {
        match self.get(name) {
            Some(MarkerValue::List(items)) => items,
            _ => &[],
        }
    }

    /// The text items of an argument.
    #[must_use]
    pub fn texts(&self, name: &str) -> Vec<&str> {
        self.list(name)
            .iter()
            .filter_map(|item| match item {
                MarkerValue::Text(text) => Some(text.as_str()),
                _ => None,
            })
            .collect()
    }
}

impl MarkerValue {
    /// The value as compact JSON, with members sorted by name like Go's maps.
    #[must_use]
    pub fn to_json(&self) -> String {
        match self {
            Self::Int(value) => value.to_string(),
            Self::Number(value) => to_string(Value::Float(*value)),
            Self::Bool(value) => value.to_string(),
            Self::Text(text) => to_string(Value::Str(text)),
            Self::List(items) => {
                let items: Vec<_> = items.iter().map(Self::to_json).collect();
                format!("[{}]", items.join(","))
            }
            Self::Object(members) => {
                let sorted: BTreeMap<_, _> = members.iter().map(|(key, value)| (key, value)).collect();
                let members: Vec<_> = sorted
                    .into_iter()
                    .map(|(key, value)| format!("{}:{}", to_string(Value::Str(key)), value.to_json()))
                    .collect();
                format!("{{{}}}", members.join(","))
            }
        }
    }

    /// The value for a schema.
    #[must_use]
    pub(crate) fn to_schema_json(&self) -> Json {
        Json::parse(&self.to_json()).unwrap_or_else(|_| Json::from(""))
    }

    /// The Go type that holds the value.
    #[must_use]
    pub fn go_type(&self) -> &'static str {
        match self {
            Self::Int(_) => "int",
            Self::Number(_) => "float64",
            Self::Text(_) => "string",
            Self::Bool(_) => "bool",
            Self::Object(_) => "map[string]interface {}",
            Self::List(items) => match items.first() {
                Some(Self::Int(_)) => "[]int",
                Some(Self::Number(_)) => "[]float64",
                Some(Self::Bool(_)) => "[]bool",
                Some(Self::Object(_)) => "[]map[string]interface {}",
                _ => "[]string",
            },
        }
    }
}
