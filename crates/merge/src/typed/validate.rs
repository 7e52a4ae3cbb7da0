//! Checks that a value fits its topology (structured-merge-diff `typed/validate.go`).

use kindsmith_gostd::budget;
use kindsmith_json::{Arena, Value};

use super::error::{SchemaError, SchemaErrors};
use super::list::{Index, item_element};
use super::{Handler, go_text, handler};
use crate::MAX_DEPTH;
use crate::element::Element;
use crate::topology::{Atom, AtomId, List, Map, Scalar, Topology};

/// Whether an associative list may contain an item twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duplicates {
    /// For stored objects, where only validation checks this.
    Allowed,
    /// For applied configurations.
    Refused,
}

/// A Go value that JSON does not have, in a configuration that was built and not read.
#[derive(Debug, Clone)]
pub struct Foreign<'f> {
    /// The text in its place, known by where it is in memory.
    pub stand_in: &'f str,
    /// Its Go type.
    pub go_type: &'f str,
    /// As `%v` prints it.
    pub plain: &'f str,
    /// As `%#v` prints it.
    pub syntax: &'f str,
}

impl Topology {
    /// Checks a value.
    ///
    /// # Errors
    /// All errors, in the order of the value.
    pub fn validate(&self, value: Value<'_>, duplicates: Duplicates) -> Result<(), SchemaErrors> {
        self.walk(value, duplicates, &[])
    }

    /// Checks a configuration that was made and not read; no schema takes foreign values.
    ///
    /// # Errors
    /// All errors, in the order of the value.
    pub fn validate_made(&self, value: Value<'_>, foreign: &[Foreign<'_>]) -> Result<(), SchemaErrors> {
        self.walk(value, Duplicates::Refused, foreign)
    }

    fn walk(
        &self,
        value: Value<'_>,
        duplicates: Duplicates,
        foreign: &[Foreign<'_>],
    ) -> Result<(), SchemaErrors> {
        let arena = Arena::new();
        let mut walk = Walk {
            topology: self,
            arena: &arena,
            duplicates,
            foreign,
            path: Vec::new(),
            errors: Vec::new(),
        };
        walk.value(self.root(), value);
        if walk.errors.is_empty() {
            Ok(())
        } else {
            Err(SchemaErrors(walk.errors))
        }
    }
}

struct Walk<'w> {
    topology: &'w Topology,
    arena: &'w Arena,
    duplicates: Duplicates,
    foreign: &'w [Foreign<'w>],
    path: Vec<Element<'w>>,
    errors: Vec<SchemaError>,
}

impl<'w> Walk<'w> {
    fn error(&mut self, message: String) {
        let path = crate::set::PathText(&self.path).to_string();
        self.errors.push(SchemaError { path, message });
    }

    fn value(&mut self, id: AtomId, value: Value<'w>) {
        budget::spend(1);
        if let Some(foreign) = self.foreign(value) {
            let wrong = refusal(self.topology.atom(id), foreign);
            return self.error(wrong);
        }
        let is_any = id == Topology::DEDUCED && self.foreign.is_empty();
        if is_any || self.path.len() == MAX_DEPTH {
            return;
        }
        let topology = self.topology;
        match (handler(topology.atom(id), value), value) {
            (_, Value::Null) => {}
            (Handler::Scalar(scalar), _) => self.scalar(scalar, value),
            (Handler::List(list), Value::Array(items)) => self.list(list, items),
            (Handler::List(_), _) => self.error(format!("expected list, got {}", go_text::plain(value))),
            (Handler::Map(map), Value::Object(object)) => {
                for (name, child) in object {
                    self.member(map, name, child);
                }
            }
            (Handler::Map(_), _) => self.error(format!("expected map, got {}", go_text::plain(value))),
            (Handler::Nothing, _) => self.error("schema error: invalid atom: inlined".to_owned()),
        }
    }

    fn foreign(&self, value: Value<'w>) -> Option<&'w Foreign<'w>> {
        let Value::Str(text) = value else { return None };
        let mut foreign = self.foreign.iter();
        foreign.find(|foreign| std::ptr::eq(foreign.stand_in, text))
    }

    fn scalar(&mut self, scalar: Scalar, value: Value<'w>) {
        let number = matches!(value, Value::Int(_) | Value::Uint(_) | Value::Float(_));
        let (text, truth) = (matches!(value, Value::Str(_)), matches!(value, Value::Bool(_)));
        let wrong = match scalar {
            Scalar::Numeric if !number => {
                format!("expected numeric (int or float), got {}", value.go_type())
            }
            Scalar::String if !text => format!("expected string, got {}", go_text::syntax(value)),
            Scalar::Boolean if !truth => format!("expected boolean, got {}", go_text::plain(value)),
            Scalar::Untyped if !(number || text || truth) => {
                format!("expected any scalar, got {}", go_text::plain(value))
            }
            _ => return,
        };
        self.error(wrong);
    }

    fn member(&mut self, map: &Map, name: &'w str, child: Value<'w>) {
        self.path.push(Element::Field(name));
        match map.child(name) {
            Some(id) => self.value(id, child),
            None => self.error("field not declared in schema".to_owned()),
        }
        self.path.pop();
    }

    fn list(&mut self, list: &List, items: &'w [Value<'w>]) {
        if !list.associative {
            for (position, item) in (0..).zip(items) {
                self.item(list, Element::Index(position), *item);
            }
            return;
        }
        let mut named = Vec::with_capacity(items.len());
        let mut broken = None;
        for (position, item) in items.iter().enumerate() {
            match item_element(self.arena, list, *item) {
                Ok(element) => named.push((element, *item)),
                Err(why) => {
                    broken = Some(format!("element {position}: {why}"));
                    break;
                }
            }
        }
        let index = Index::of(named);
        let mut repeated = vec![false; index.elements.len()];
        if self.duplicates == Duplicates::Refused {
            let later = index.groups().flat_map(|group| &group[1..]);
            later.for_each(|position| repeated[*position as usize] = true);
        }
        for ((element, item), repeated) in index.elements.iter().zip(repeated) {
            if repeated {
                self.error(format!("duplicate entries for key {element}"));
            }
            self.item(list, *element, *item);
        }
        if let Some(message) = broken {
            self.error(message);
        }
    }

    fn item(&mut self, list: &List, element: Element<'w>, item: Value<'w>) {
        self.path.push(element);
        self.value(list.element, item);
        self.path.pop();
    }
}

/// Why a type does not take a foreign value: no scalar, list or map is one.
fn refusal(atom: &Atom, foreign: &Foreign<'_>) -> String {
    let plain = format!("&{{{}}}", foreign.plain);
    match (&atom.map, atom.scalar) {
        (Some(_), _) => format!("expected map, got {plain}"),
        (None, Some(Scalar::Numeric)) => {
            format!("expected numeric (int or float), got {}", foreign.go_type)
        }
        (None, Some(Scalar::String)) => {
            let syntax = foreign.syntax;
            format!("expected string, got &value.valueUnstructured{{Value:{syntax}}}")
        }
        (None, Some(Scalar::Boolean)) => format!("expected boolean, got {plain}"),
        (None, Some(Scalar::Untyped)) => format!("expected any scalar, got {plain}"),
        (None, None) => format!("expected list, got {plain}"),
    }
}
