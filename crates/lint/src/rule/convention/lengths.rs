//! Limits of text, lists, maps and structs: which of them a field and the types it names lack.

use kindsmith_schema::{Scalar, Shape, TypeRef};

use crate::declared::{Declared, Marker, Member, Named};

/// Which end of the limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Max,
    Min,
}

/// A limit that is missing: the way to the value, and the marker that would set it.
pub(super) struct Missing {
    pub(super) way: String,
    pub(super) marker: String,
}

/// The limits that a field lacks.
pub(super) fn missing(declared: &Declared<'_>, member: &Member<'_>, end: End) -> Vec<Missing> {
    let mut search = Search {
        declared,
        package: member.package,
        end,
        markers: member.markers.iter().collect(),
        found: Vec::new(),
    };
    search.value(&member.field.ty, String::new(), Item::No, 0);
    search.found
}

/// Whether the value is an item of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Item {
    No,
    /// Of a Go type without a name: its markers stand on the list.
    Unnamed,
    /// Of a named type, whose markers count too.
    Named,
}

struct Search<'d, 'a> {
    declared: &'d Declared<'a>,
    package: &'d str,
    end: End,
    markers: Vec<&'d Marker<'a>>,
    found: Vec<Missing>,
}

impl<'d> Search<'d, '_> {
    fn value(&mut self, of: &'d TypeRef, way: String, item: Item, depth: usize) {
        match of {
            TypeRef::Scalar(Scalar::String) => self.text(way, item),
            TypeRef::Pointer(inner) if depth < 8 => self.value(inner, way, item, depth + 1),
            TypeRef::List(inner) | TypeRef::Array(_, inner) => self.list(inner, way, depth),
            TypeRef::Map(..) if self.end == End::Min => self.limit(way, "MinProperties"),
            TypeRef::Named(id) if depth < 8 => self.named(*id, way, item, depth),
            _ => {}
        }
    }

    fn named(&mut self, id: kindsmith_schema::TypeId, way: String, item: Item, depth: usize) {
        let Some(named) = self.declared.named(id) else {
            return;
        };
        if *named.ty.name.package != *self.package {
            return;
        }
        self.markers.extend(&named.markers);
        let item = if item == Item::Unnamed { Item::Named } else { item };
        let way = if named.ty.anonymous {
            way
        } else {
            format!("{way} type {}", named.ty.name.name)
        };
        match &named.ty.shape {
            Shape::Def(target) | Shape::Alias(target) => self.value(target, way, item, depth + 1),
            Shape::Struct(_) => self.structure(named, way),
            Shape::Hole => {}
        }
    }

    fn structure(&mut self, named: &Named<'_>, way: String) {
        let is_limited = ["MinProperties", "ExactlyOneOf", "AtLeastOneOf"]
            .iter()
            .any(|name| self.has(&format!("kubebuilder:validation:{name}")));
        if self.end == End::Min && !is_limited && !named.has_required_field() {
            self.push(way, "MinProperties");
        }
    }

    fn list(&mut self, item: &'d TypeRef, way: String, depth: usize) {
        if *item == TypeRef::Scalar(Scalar::Byte) {
            return self.text(way, Item::No);
        }
        // Markers of the items' type do not limit the list.
        let own = self.markers.len();
        if matches!(item, TypeRef::Scalar(_) | TypeRef::Named(_)) {
            self.value(item, format!("{way} array element"), Item::Unnamed, depth + 1);
        }
        self.markers.truncate(own);
        self.limit(
            way,
            if self.end == End::Max {
                "MaxItems"
            } else {
                "MinItems"
            },
        );
    }

    fn text(&mut self, way: String, item: Item) {
        let length = if self.end == End::Max {
            "MaxLength"
        } else {
            "MinLength"
        };
        let is_limited = |scope: &str| {
            let name = |rest: &str| format!("kubebuilder:validation:{scope}{rest}");
            let has_format = self.markers.iter().any(|marker| {
                marker.name == name("Format")
                    && matches!(marker.plain_value(), "date" | "date-time" | "duration")
            });
            has_format || self.has(&name(length)) || self.has(&name("Enum"))
        };
        let is_limited = match item {
            Item::No => is_limited(""),
            Item::Unnamed => is_limited("items:"),
            Item::Named => is_limited("") || is_limited("items:"),
        };
        if !is_limited {
            let scope = if item == Item::Unnamed { "items:" } else { "" };
            self.push(way, &format!("{scope}{length}"));
        }
    }

    fn limit(&mut self, way: String, name: &str) {
        if !self.has(&format!("kubebuilder:validation:{name}")) {
            self.push(way, name);
        }
    }

    fn has(&self, name: &str) -> bool {
        self.markers.iter().any(|marker| marker.name == name)
    }

    fn push(&mut self, way: String, name: &str) {
        let marker = format!("kubebuilder:validation:{name}");
        self.found.push(Missing { way, marker });
    }
}
