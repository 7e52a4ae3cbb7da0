//! Maps field names between a kind and its service's API, in both directions, from a table. Fields without a row have
//! the same name. Fields that are not in the schema are dropped by whoever reads the result.

use kindsmith_json::{Arena, Object, Value};
use kindsmith_merge::effective::{Change, FieldPath, Step};

/// One row: a field, or an object with all its fields.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// The path below `spec`.
    pub spec: &'static [&'static str],
    /// The path in the API.
    pub api: &'static [&'static str],
    /// How the value is converted.
    pub convert: Convert,
}

/// How a value is converted between the spec and the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Convert {
    /// Not at all.
    Same,
    /// An integer that the API writes as text.
    IntText,
    /// An object that is a list with one item in the API.
    ListOfOne,
    /// A list of which the API has only the first item.
    FirstItem,
    /// `{external: NAME}`; only the name in the API.
    External,
    /// `{value: TEXT}`; only the text in the API.
    Secret,
    /// `true` is an empty object in the API. If another field has its members, that one shows it.
    Flag,
    /// A list that is a map in the API, by the `id` of its items.
    MapById,
    /// Not in the API: names, and fields used only on creation.
    Nothing,
}

impl Convert {
    fn to_api<'a>(self, arena: &'a Arena, value: Value<'a>) -> Option<Value<'a>> {
        match (self, value) {
            (Convert::Nothing, _) => None,
            (_, Value::Null) => Some(Value::Null),
            (Convert::Flag, value) => (value == Value::Bool(true)).then_some(Value::Object(Object::EMPTY)),
            (Convert::IntText, Value::Int(number)) => Some(Value::Str(arena.alloc_str(&number.to_string()))),
            (Convert::ListOfOne, value) => Some(Value::Array(arena.alloc_slice_copy(&[value]))),
            (Convert::FirstItem, Value::Array(items)) => items.first().copied(),
            (Convert::External, value) => value.get("external"),
            (Convert::Secret, value) => value.get("value"),
            (Convert::MapById, Value::Array(items)) => Some(by_id(arena, items)),
            (Convert::Same | Convert::IntText | Convert::FirstItem | Convert::MapById, value) => Some(value),
        }
    }

    fn to_spec<'a>(self, arena: &'a Arena, value: Value<'a>) -> Option<Value<'a>> {
        let wrap = |key| {
            let mut object = Value::Object(Object::EMPTY);
            object.set(arena, &[key], value);
            object
        };
        match (self, value) {
            // Services do not return secrets; if one does, it is ignored.
            (Convert::Nothing | Convert::Secret, _) => None,
            (Convert::Flag, value) => value.as_object().map(|_| Value::Bool(true)),
            (Convert::MapById, Value::Object(object)) => {
                let items: Vec<Value<'a>> = object.iter().map(|(_, item)| item).collect();
                Some(Value::Array(arena.alloc_slice_copy(&items)))
            }
            (Convert::IntText, Value::Str(text)) => Some(text.parse().map_or(value, Value::Int)),
            (Convert::ListOfOne, Value::Array(items)) => items.first().copied(),
            (Convert::FirstItem, value) => Some(Value::Array(arena.alloc_slice_copy(&[value]))),
            (Convert::External, value) => (value != Value::Str("")).then(|| wrap("external")),
            (Convert::Same | Convert::IntText | Convert::ListOfOne | Convert::MapById, value) => Some(value),
        }
    }
}

/// Items under their `id`; without one they are left out.
fn by_id<'a>(arena: &'a Arena, items: &[Value<'a>]) -> Value<'a> {
    let mut map = Object::EMPTY.edit(arena);
    for item in items {
        if let Some(id) = item.get("id").and_then(Value::as_str) {
            map.insert(id, *item);
        }
    }
    Value::Object(map.finish())
}

/// Converts a spec to the API.
pub(crate) fn to_api<'a>(arena: &'a Arena, fields: &'static [Field], spec: Value<'a>) -> Value<'a> {
    let from = |field: &Field| field.spec;
    let mut api = spec;
    for field in in_lists(fields, from) {
        api = convert_items(arena, api, (field.spec, field.api), &|value| {
            field.convert.to_api(arena, value)
        });
    }
    // First remove all renamed fields, then insert them: two names may be swapped.
    let moved: Vec<_> = outside_lists(fields, from)
        .map(|field| (field, api.unset(arena, field.spec)))
        .collect();
    for (field, value) in moved.into_iter().rev() {
        if let Some(value) = value.and_then(|value| field.convert.to_api(arena, value)) {
            insert(arena, &mut api, field.api, value);
        }
    }
    without_empty(arena, api, spec)
}

/// Converts the API's resource to a spec.
pub(crate) fn to_spec<'a>(arena: &'a Arena, fields: &'static [Field], api: Value<'a>) -> Value<'a> {
    let from = |field: &Field| field.api;
    let mut spec = api;
    for field in in_lists(fields, from) {
        spec = convert_items(arena, spec, (field.api, field.spec), &|value| {
            field.convert.to_spec(arena, value)
        });
    }
    let moved: Vec<_> = outside_lists(fields, from)
        .filter(|field| field.convert != Convert::Flag || !is_shown_elsewhere(fields, field))
        .map(|field| (field, spec.unset(arena, field.api)))
        .collect();
    for (field, value) in moved.into_iter().rev() {
        if let Some(value) = value.and_then(|value| field.convert.to_spec(arena, value)) {
            insert(arena, &mut spec, field.spec, value);
        }
    }
    without_empty(arena, spec, api)
}

/// Whether another field shows what a flag turned on.
fn is_shown_elsewhere(fields: &[Field], flag: &Field) -> bool {
    fields
        .iter()
        .any(|other| other.api == flag.api && other.convert != Convert::Flag)
}

/// The part of a path.
type Names = &'static [&'static str];

/// The rows for fields of items, those of inner lists first, so that they are found under their old names.
fn in_lists(fields: &'static [Field], from: impl Fn(&Field) -> Names) -> Vec<&'static Field> {
    let mut rows: Vec<&Field> = fields
        .iter()
        .filter(|field| in_items(field.spec).is_some())
        .collect();
    rows.sort_by_key(|field| std::cmp::Reverse(from(field).len()));
    rows
}

/// The other rows, the deepest first: a field leaves an object that is renamed before the object does.
fn outside_lists(
    fields: &'static [Field],
    from: impl Fn(&Field) -> Names,
) -> impl Iterator<Item = &'static Field> {
    let mut rows: Vec<&Field> = fields
        .iter()
        .filter(|field| in_items(field.spec).is_none())
        .collect();
    rows.sort_by_key(|field| std::cmp::Reverse(from(field).len()));
    rows.into_iter()
}

/// Sets a field. An object that is there already keeps its members: two fields may have the same name on the other side.
fn insert<'a>(arena: &'a Arena, into: &mut Value<'a>, path: Names, value: Value<'a>) {
    let is_there = into.lookup(path).is_some_and(|there| there.as_object().is_some());
    let is_empty = value.as_object().is_some_and(Object::is_empty);
    if !(is_there && is_empty) {
        into.set(arena, path, value);
    }
}

/// The path of the list and the path in its items, if the field is in one.
fn in_items(path: Names) -> Option<(Names, Names)> {
    let at = path.iter().position(|name| *name == "[*]")?;
    Some((&path[..at], &path[at + 1..]))
}

/// Moves a field of the items of a list, which may be in lists themselves.
fn convert_items<'a>(
    arena: &'a Arena,
    value: Value<'a>,
    (from, to): (Names, Names),
    convert: &dyn Fn(Value<'a>) -> Option<Value<'a>>,
) -> Value<'a> {
    match (in_items(from), in_items(to)) {
        (Some((list, inner)), Some((_, name))) => each_item(arena, value, list, |item| {
            convert_items(arena, item, (inner, name), convert)
        }),
        _ => move_member(arena, value, from, to, convert),
    }
}

/// Converts every item of a list.
fn each_item<'a>(
    arena: &'a Arena,
    value: Value<'a>,
    list: Names,
    convert: impl Fn(Value<'a>) -> Value<'a>,
) -> Value<'a> {
    let mut value = value;
    if let Some(items) = value.lookup(list).and_then(Value::as_array) {
        let items: Vec<Value<'a>> = items.iter().map(|item| convert(*item)).collect();
        value.set(arena, list, Value::Array(arena.alloc_slice_copy(&items)));
    }
    value
}

/// Moves a member of an item, or converts the item itself.
fn move_member<'a>(
    arena: &'a Arena,
    item: Value<'a>,
    from: Names,
    to: Names,
    convert: impl Fn(Value<'a>) -> Option<Value<'a>>,
) -> Value<'a> {
    let mut item = item;
    if from.is_empty() && to.is_empty() {
        return convert(item).unwrap_or(item);
    }
    if let Some(value) = item.unset(arena, from).and_then(convert) {
        item.set(arena, to, value);
    }
    item
}

/// Drops objects that became empty because all their members moved; keeps those that were empty before.
fn without_empty<'a>(arena: &'a Arena, value: Value<'a>, before: Value<'a>) -> Value<'a> {
    let Value::Object(object) = value else {
        return value;
    };
    let mut edit = object.edit(arena);
    for (key, child) in object {
        let old = before.get(key);
        let emptied = child.as_object().is_some_and(Object::is_empty)
            && old.and_then(Value::as_object).is_some_and(|old| !old.is_empty());
        if emptied {
            edit.remove(key);
        } else if let Some(old) = old {
            edit.insert(key, without_empty(arena, child, old));
        }
    }
    Value::Object(edit.finish())
}

/// Converts a change of the spec to one of the API's resource. `spec` is the spec after all changes.
pub(crate) fn change_to_api<'a>(
    arena: &'a Arena,
    fields: &'static [Field],
    change: &Change<'a>,
    spec: Value<'a>,
) -> Option<Change<'a>> {
    let names: Vec<&str> = change.path.steps()[1..]
        .iter()
        .map_while(|step| match step {
            Step::Field(name) => Some(&**name),
            Step::Item(_) | Step::Each => None,
        })
        .collect();
    let in_list = |field: &&Field| in_items(field.spec).is_some_and(|(list, _)| names == list);
    if change.path.steps().len() > names.len() + 1 && fields.iter().any(|field| in_list(&field)) {
        // Items have other names in the API: the list is sent as a whole.
        let names: Vec<&'a str> = names.iter().map(|name| &*arena.alloc_str(name)).collect();
        return Some(Change {
            path: FieldPath::new(change.path.steps()[1..=names.len()].to_vec()),
            value: spec.lookup(&names).map(|list| below(arena, fields, &names, list)),
        });
    }
    let row = fields
        .iter()
        .filter(|field| names.starts_with(field.spec))
        .max_by_key(|field| field.spec.len());
    let Some(row) = row else {
        return Some(Change {
            path: FieldPath::new(change.path.steps()[1..].to_vec()),
            value: change.value.map(|value| below(arena, fields, &names, value)),
        });
    };
    let mut steps: Vec<Step> = row.api.iter().map(|name| Step::Field((*name).into())).collect();
    if row.convert == Convert::Same {
        steps.extend_from_slice(&change.path.steps()[1 + row.spec.len()..]);
        return Some(Change {
            path: FieldPath::new(steps),
            value: change.value,
        });
    }
    // A converted field is sent as a whole.
    let value = match spec
        .lookup(row.spec)
        .map(|value| row.convert.to_api(arena, value))
    {
        // A reference without a name is none.
        Some(None) if row.convert == Convert::External => None,
        Some(converted) => Some(converted?),
        None => None,
    };
    (row.convert != Convert::Nothing).then(|| Change {
        path: FieldPath::new(steps),
        value,
    })
}

/// A value that contains renamed fields.
fn below<'a>(arena: &'a Arena, fields: &'static [Field], names: &[&str], value: Value<'a>) -> Value<'a> {
    let mut whole = Value::Object(Object::EMPTY);
    let names: Vec<&'a str> = names.iter().map(|name| &*arena.alloc_str(name)).collect();
    whole.set(arena, &names, value);
    to_api(arena, fields, whole).lookup(&names).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: &[Field] = &[
        row(&["auto"], &["automatic"], Convert::Same),
        row(&["automatic"], &["automatic"], Convert::Flag),
        row(
            &["auto", "key", "ref"],
            &["automatic", "key", "name"],
            Convert::External,
        ),
        row(
            &["lists", "[*]", "inner"],
            &["lists", "[*]", "within"],
            Convert::Same,
        ),
        row(
            &["lists", "[*]", "inner", "[*]", "ref"],
            &["lists", "[*]", "within", "[*]", "name"],
            Convert::External,
        ),
        row(&["one"], &["other"], Convert::Same),
        row(&["other"], &["one"], Convert::Same),
    ];

    const fn row(spec: Names, api: Names, convert: Convert) -> Field {
        Field { spec, api, convert }
    }

    fn read<'a>(arena: &'a Arena, text: &'a str) -> Value<'a> {
        kindsmith_json::parse_str(arena, text).expect("it is JSON")
    }

    /// Both directions; the way back may give another spelling.
    fn check(spec: &str, api: &str, back: &str) {
        let arena = Arena::new();
        let sent = to_api(&arena, ROWS, read(&arena, spec));
        assert_eq!(kindsmith_json::to_string(sent), api, "{spec}");
        let shown = to_spec(&arena, ROWS, read(&arena, api));
        assert_eq!(kindsmith_json::to_string(shown), back, "{api}");
    }

    #[test]
    fn fields_move_inside_objects_that_are_renamed() {
        let spec = r#"{"auto":{"key":{"ref":{"external":"k"}}}}"#;
        check(spec, r#"{"automatic":{"key":{"name":"k"}}}"#, spec);
        check(r#"{"auto":{}}"#, r#"{"automatic":{}}"#, r#"{"auto":{}}"#);
        check(
            r#"{"one":1,"other":2}"#,
            r#"{"one":2,"other":1}"#,
            r#"{"other":2,"one":1}"#,
        );
    }

    #[test]
    fn a_flag_is_an_empty_object_and_loses_to_its_members() {
        check(r#"{"automatic":true}"#, r#"{"automatic":{}}"#, r#"{"auto":{}}"#);
        check(r#"{"automatic":false}"#, "{}", "{}");
        let arena = Arena::new();
        let both = read(
            &arena,
            r#"{"automatic":true,"auto":{"key":{"ref":{"external":"k"}}}}"#,
        );
        let sent = to_api(&arena, ROWS, both);
        assert_eq!(
            kindsmith_json::to_string(sent),
            r#"{"automatic":{"key":{"name":"k"}}}"#
        );
    }

    #[test]
    fn a_flag_alone_is_shown_and_a_list_may_be_a_map() {
        const ROWS: &[Field] = &[
            row(&["reverse"], &["reverseConfig"], Convert::Flag),
            row(&["policies"], &["policies"], Convert::MapById),
        ];
        let arena = Arena::new();
        let spec = r#"{"reverse":true,"policies":[{"id":"a","x":1},{"id":"b"}]}"#;
        let api = to_api(&arena, ROWS, read(&arena, spec));
        assert_eq!(
            kindsmith_json::to_string(api),
            r#"{"policies":{"a":{"id":"a","x":1},"b":{"id":"b"}},"reverseConfig":{}}"#
        );
        let back = to_spec(&arena, ROWS, api);
        assert_eq!(back.get("reverse"), Some(Value::Bool(true)));
        assert_eq!(back.get("policies"), read(&arena, spec).get("policies"));
    }

    #[test]
    fn fields_move_in_lists_of_lists() {
        let spec = r#"{"lists":[{"inner":[{"ref":{"external":"a"}},{}]},{}]}"#;
        check(spec, r#"{"lists":[{"within":[{"name":"a"},{}]},{}]}"#, spec);
    }
}
