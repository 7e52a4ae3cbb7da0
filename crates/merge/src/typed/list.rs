//! Items of associative lists by the element that identifies them (structured-merge-diff `typed/helpers.go`).

use kindsmith_gostd::quote::quote;
use kindsmith_json::{Arena, Value};

use crate::element::{Element, KeyField};
use crate::topology::List;

/// The element that identifies an item; the error is upstream's text.
pub(super) fn item_element<'a>(
    arena: &'a Arena,
    list: &List,
    item: Value<'a>,
) -> Result<Element<'a>, String> {
    if list.keys.is_empty() {
        set_element(item)
    } else {
        key_element(arena, list, item)
    }
}

fn set_element(item: Value<'_>) -> Result<Element<'_>, String> {
    let wrong = match item {
        Value::Object(_) => "associative list without keys has an element that's a map type",
        Value::Array(_) => "not supported: associative list with lists as elements",
        Value::Null => "associative list without keys has an element that's an explicit null",
        scalar => return Ok(Element::Value(scalar)),
    };
    Err(wrong.to_owned())
}

fn key_element<'a>(arena: &'a Arena, list: &List, item: Value<'a>) -> Result<Element<'a>, String> {
    let object = match item {
        Value::Object(object) => object,
        Value::Null => return Err("associative list with keys may not have a null element".to_owned()),
        _ => return Err("associative list with keys may not have non-map elements".to_owned()),
    };
    // Key values are borrowed from the item if it has them; most items have all.
    let mut fields = Vec::with_capacity(list.keys.len());
    for key in &list.keys {
        if let Some(position) = object.position(&key.name) {
            let entry = object.entries()[position];
            fields.push(KeyField {
                name: entry.key,
                value: entry.value,
            });
        } else if let Some(default) = &key.default {
            fields.push(KeyField {
                name: arena.alloc_str(&key.name),
                value: default.value(arena),
            });
        }
    }
    if fields.is_empty() {
        let keys: Vec<String> = list.declared_keys.iter().map(|key| quote(key)).collect();
        return Err(format!(
            "associative list with keys has an element that omits all key fields [{}] (and doesn't have default values for any key fields)",
            keys.join(" ")
        ));
    }
    Ok(Element::Key(arena.alloc_slice_copy(&fields)))
}

/// The items of a list by their elements.
pub(super) struct Index<'a> {
    /// The element of each item; items without one are left out.
    pub(super) elements: Vec<(Element<'a>, Value<'a>)>,
    /// Positions in `elements`, sorted by element, then by position.
    order: Vec<u32>,
}

impl<'a> Index<'a> {
    pub(super) fn new(arena: &'a Arena, list: &List, items: &'a [Value<'a>]) -> Self {
        let named = |item: &Value<'a>| Some((item_element(arena, list, *item).ok()?, *item));
        Self::of(items.iter().filter_map(named).collect())
    }

    pub(super) fn of(elements: Vec<(Element<'a>, Value<'a>)>) -> Self {
        let mut order: Vec<u32> = (0..elements.len() as u32).collect();
        let at = |position: &u32| &elements[*position as usize].0;
        if !order.is_sorted_by(|left, right| at(left) <= at(right)) {
            order.sort_by(|left, right| at(left).cmp(at(right)));
        }
        Index { elements, order }
    }

    /// Groups of positions with the same element, sorted by element.
    pub(super) fn groups(&self) -> impl Iterator<Item = &[u32]> {
        self.order
            .chunk_by(|left, right| self.element(*left) == self.element(*right))
    }

    pub(super) fn element(&self, position: u32) -> Element<'a> {
        self.elements[position as usize].0
    }

    pub(super) fn item(&self, position: u32) -> Value<'a> {
        self.elements[position as usize].1
    }
}
