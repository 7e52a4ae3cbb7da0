//! How each keyword is merged when two schemas that apply together both have it.

use kindsmith_schema::{Json, JsonSchema, SharedVec, Str, ValidationRule};

use super::Release;
use super::release::Change;

/// The differences of two schemas, earlier first; rarely present.
type Apart = Option<Box<[JsonSchema; 2]>>;

/// Applies a rule to each keyword in its row.
macro_rules! rules {
    ($into:ident, $from:ident, $apart:ident; $($rule:ident: $($keyword:ident)+;)+) => {
        $($(
            $rule(&mut $into.$keyword, std::mem::take(&mut $from.$keyword), |earlier, later| {
                let [one, other]: &mut [JsonSchema; 2] = $apart.get_or_insert_default();
                (one.$keyword, other.$keyword) = (earlier, later);
            });
        )+)+
    };
}

/// Moves the keywords of `from` into `into`, except those with schemas below that are merged too. Keywords that differ go
/// into a pair in `allOf`, earlier first.
pub(super) fn merge_keywords(into: &mut JsonSchema, mut from: JsonSchema, release: Release) {
    let mut pair = Apart::default();
    if release.has(Change::ReplacedListTypes) {
        rules!(into, from, pair; later: list_type list_map_keys;);
    }
    if release.has(Change::FirstEnum) {
        rules!(into, from, pair; earlier: enum_values;);
    }
    rules!(into, from, pair;
        // Go compares these by value.
        apart_unless_equal: id schema format pattern max_properties min_properties;
        // Go compares these by pointer, and no two pointers are equal.
        apart: reference maximum minimum max_length min_length max_items min_items multiple_of items not;
        apart: one_of any_of list_map_keys enum_values;
        // Clones of one schema share these, so a part that comes from one place appears once.
        apart_unless_shared: default list_type;
        either: exclusive_maximum exclusive_minimum unique_items nullable embedded_resource int_or_string;
        later: preserve_unknown_fields map_type;
        later_first: validations;
        all_sorted: required;
    );
    if let Some(pair) = pair {
        into.all_of.extend(*pair);
    }
}

/// A keyword that may be absent.
trait Keyword: Default {
    fn is_absent(&self) -> bool;
}

impl Keyword for Str {
    fn is_absent(&self) -> bool {
        self.is_empty()
    }
}

impl<T> Keyword for Option<T> {
    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

impl<T> Keyword for SharedVec<T> {
    fn is_absent(&self) -> bool {
        self.is_empty()
    }
}

fn apart<K: Keyword>(into: &mut K, from: K, pair: impl FnOnce(K, K)) {
    if from.is_absent() {
        return;
    }
    if into.is_absent() {
        *into = from;
        return;
    }
    pair(std::mem::take(into), from);
}

fn apart_unless_equal<K: Keyword + PartialEq>(into: &mut K, from: K, pair: impl FnOnce(K, K)) {
    if *into != from {
        apart(into, from, pair);
    }
}

fn apart_unless_shared<T: Text>(
    into: &mut Option<T>,
    from: Option<T>,
    pair: impl FnOnce(Option<T>, Option<T>),
) {
    let texts = into.as_ref().zip(from.as_ref());
    if !texts.is_some_and(|(one, other)| std::ptr::eq(one.text(), other.text())) {
        apart(into, from, pair);
    }
}

/// A value whose clones share their text.
trait Text {
    fn text(&self) -> &str;
}

impl Text for Str {
    fn text(&self) -> &str {
        self
    }
}

impl Text for Json {
    fn text(&self) -> &str {
        self.as_str()
    }
}

fn either(into: &mut bool, from: bool, _: impl FnOnce(bool, bool)) {
    *into |= from;
}

fn earlier<K: Keyword>(into: &mut K, from: K, _: impl FnOnce(K, K)) {
    if into.is_absent() {
        *into = from;
    }
}

fn later<K: Keyword>(into: &mut K, from: K, _: impl FnOnce(K, K)) {
    if !from.is_absent() {
        *into = from;
    }
}

type Rules = SharedVec<ValidationRule>;

fn later_first(into: &mut Rules, mut from: Rules, _: impl FnOnce(Rules, Rules)) {
    if !from.is_empty() {
        from.append(into);
        *into = from;
    }
}

type Names = SharedVec<Str>;

fn all_sorted(into: &mut Names, mut from: Names, _: impl FnOnce(Names, Names)) {
    if into.is_empty() {
        *into = from;
    } else {
        into.append(&mut from);
    }
    if !into.is_sorted_by(|one, other| one < other) {
        into.sort();
        into.dedup();
    }
}
