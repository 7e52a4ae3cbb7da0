//! Strategic merge patches on a small type: every directive, every strategy, and the errors of each.

use kindsmith_json::{Arena, parse_str, to_string};
use kindsmith_schema::{
    Builder, Field, JsonTag, Scalar, Schema, Shape, Struct, Type, TypeId, TypeName, TypeRef,
};

use super::*;

/// `type Root struct { list items by name, list of texts (merge), list of texts (replace), struct, map }`.
fn schema() -> (Schema, TypeId) {
    let mut builder = Builder::default();
    let text = TypeRef::Scalar(Scalar::String);
    let item = declare(
        &mut builder,
        "Item",
        vec![
            field("Name", "name", text.clone(), "", ""),
            field("Value", "value", text.clone(), "", ""),
        ],
    );
    let choice = declare(
        &mut builder,
        "Choice",
        vec![
            field("A", "a", text.clone(), "", ""),
            field("B", "b", text.clone(), "", ""),
        ],
    );
    let list = |of: TypeRef| TypeRef::List(Box::new(of));
    let root = declare(
        &mut builder,
        "Root",
        vec![
            field(
                "Items",
                "items",
                list(TypeRef::Named(item)),
                "merge,retainKeys",
                "name",
            ),
            field("Keyless", "keyless", list(TypeRef::Named(item)), "merge", ""),
            field("Set", "set", list(text.clone()), "merge", ""),
            field("Args", "args", list(text.clone()), "", ""),
            field("Choice", "choice", TypeRef::Named(choice), "retainKeys", ""),
            field("Whole", "whole", TypeRef::Named(choice), "replace", ""),
            field(
                "Labels",
                "labels",
                TypeRef::Map(Box::new(text.clone()), Box::new(text)),
                "",
                "",
            ),
        ],
    );
    let (schema, renumbering) = builder.finish();
    (schema, renumbering.ty(root))
}

fn declare(builder: &mut Builder, name: &str, fields: Vec<Field>) -> TypeId {
    let name = TypeName::new("example.org/api", name);
    let id = builder.declare(&name);
    builder.define(id, Type::new(name, Shape::Struct(Struct { fields })));
    id
}

fn field(name: &str, json: &str, ty: TypeRef, strategy: &str, key: &str) -> Field {
    let mut field = Field::new(name, JsonTag::parse(json), ty);
    field.patch.strategy = (!strategy.is_empty()).then(|| strategy.into());
    field.patch.merge_key = (!key.is_empty()).then(|| key.into());
    field
}

fn check(target: &str, patch: &str, expected: Result<&str, &str>) {
    let (schema, root) = schema();
    let arena = Arena::new();
    let target = parse_str(&arena, target).expect("JSON");
    let result = StrategicPatch::read(&arena, patch.as_bytes())
        .and_then(|patch| patch.apply(&arena, target, &schema, root))
        .map(to_string)
        .map_err(|error| error.to_string());
    assert_eq!(result.as_deref().map_err(String::as_str), expected, "{patch}");
}

const ITEMS: &str = r#"{"items":[{"name":"a","value":"1"},{"name":"b","value":"2"}]}"#;

#[test]
fn lists_of_objects() {
    for (patch, expected) in [
        (
            r#"[{"name":"b","value":"9"}]"#,
            r#"[{"name":"a","value":"1"},{"name":"b","value":"9"}]"#,
        ),
        (
            r#"[{"name":"c"}]"#,
            r#"[{"name":"c"},{"name":"a","value":"1"},{"name":"b","value":"2"}]"#,
        ),
        (
            r#"[{"name":"a","value":null}]"#,
            r#"[{"name":"a"},{"name":"b","value":"2"}]"#,
        ),
        (
            r#"[{"name":"a","$patch":"delete"}]"#,
            r#"[{"name":"b","value":"2"}]"#,
        ),
        (
            r#"[{"name":"z","$patch":"delete"}]"#,
            r#"[{"name":"a","value":"1"},{"name":"b","value":"2"}]"#,
        ),
        (r#"[{"$patch":"replace"},{"name":"c"}]"#, r#"[{"name":"c"}]"#),
        (
            r#"[{"name":"a","$retainKeys":["name"]}]"#,
            r#"[{"name":"a"},{"name":"b","value":"2"}]"#,
        ),
    ] {
        check(
            ITEMS,
            &format!(r#"{{"items":{patch}}}"#),
            Ok(&format!(r#"{{"items":{expected}}}"#)),
        );
    }
}

#[test]
fn order_of_lists() {
    for (patch, expected) in [
        (
            r#"{"$setElementOrder/items":[{"name":"b"},{"name":"a"}]}"#,
            r#"{"items":[{"name":"b","value":"2"},{"name":"a","value":"1"}]}"#,
        ),
        (
            r#"{"$setElementOrder/items":[{"name":"a"},{"name":"c"},{"name":"b"}],"items":[{"name":"c"}]}"#,
            r#"{"items":[{"name":"a","value":"1"},{"name":"c"},{"name":"b","value":"2"}]}"#,
        ),
        (
            r#"{"$setElementOrder/items":[{"name":"b"}],"items":[{"name":"a","$patch":"delete"}]}"#,
            r#"{"items":[{"name":"b","value":"2"}]}"#,
        ),
    ] {
        check(ITEMS, patch, Ok(expected));
    }
    check(
        r#"{"set":["a","b","c"]}"#,
        r#"{"$setElementOrder/set":["c","a"]}"#,
        Ok(r#"{"set":["b","c","a"]}"#),
    );
    check("{}", r#"{"$setElementOrder/set":["c","a"]}"#, Ok("{}"));
}

#[test]
fn lists_of_scalars() {
    for (patch, expected) in [
        (r#"{"set":["c","a"]}"#, r#"{"set":["c","a","b"],"args":["x"]}"#),
        (r#"{"set":[]}"#, r#"{"set":["a","b"],"args":["x"]}"#),
        (
            r#"{"$deleteFromPrimitiveList/set":["b","none"]}"#,
            r#"{"set":["a"],"args":["x"]}"#,
        ),
        (
            r#"{"$deleteFromPrimitiveList/none":["b"]}"#,
            r#"{"set":["a","b"],"args":["x"]}"#,
        ),
        (r#"{"args":["y"]}"#, r#"{"set":["a","b"],"args":["y"]}"#),
        (r#"{"args":null}"#, r#"{"set":["a","b"]}"#),
    ] {
        check(r#"{"set":["a","b"],"args":["x"]}"#, patch, Ok(expected));
    }
}

#[test]
fn objects() {
    let target = r#"{"choice":{"a":"1"},"whole":{"a":"1"},"labels":{"x":"1"}}"#;
    for (patch, expected) in [
        (
            r#"{"choice":{"$retainKeys":["b"],"b":"2"}}"#,
            r#"{"choice":{"b":"2"},"whole":{"a":"1"},"labels":{"x":"1"}}"#,
        ),
        (
            r#"{"choice":{"b":"2"}}"#,
            r#"{"choice":{"a":"1","b":"2"},"whole":{"a":"1"},"labels":{"x":"1"}}"#,
        ),
        (
            r#"{"choice":{"$patch":"delete"}}"#,
            r#"{"choice":{},"whole":{"a":"1"},"labels":{"x":"1"}}"#,
        ),
        (
            r#"{"choice":{"$patch":"replace","b":"2"}}"#,
            r#"{"choice":{"b":"2"},"whole":{"a":"1"},"labels":{"x":"1"}}"#,
        ),
        (
            r#"{"whole":{"b":"2"}}"#,
            r#"{"choice":{"a":"1"},"whole":{"b":"2"},"labels":{"x":"1"}}"#,
        ),
        (
            r#"{"labels":{"x":null,"y":"2"}}"#,
            r#"{"choice":{"a":"1"},"whole":{"a":"1"},"labels":{"y":"2"}}"#,
        ),
        (r#"{"none":{"$patch":"delete"}}"#, target),
    ] {
        check(target, patch, Ok(expected));
    }
    check(
        "{}",
        r#"{"labels":{"x":null,"y":"2"}}"#,
        Ok(r#"{"labels":{"y":"2"}}"#),
    );
    check(
        r#"{"choice":"text"}"#,
        r#"{"choice":{"a":"1"}}"#,
        Ok(r#"{"choice":{"a":"1"}}"#),
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn errors() {
    for (target, patch, expected) in [
        (
            ITEMS,
            r#"{"items":[{"$patch":"delete"}]}"#,
            "map: map[$patch:delete] does not contain declared merge key: name",
        ),
        (
            ITEMS,
            r#"{"items":[{"value":"x"}]}"#,
            "map: map[value:x] does not contain declared merge key: name",
        ),
        (
            ITEMS,
            r#"{"items":[{"name":"a","$patch":"merge"}]}"#,
            "merging lists cannot yet be specified in the patch",
        ),
        (
            ITEMS,
            r#"{"items":[{"name":"a","$patch":"x"}]}"#,
            "unknown patch type: x in map: map[$patch:x name:a]",
        ),
        (
            ITEMS,
            r#"{"$patch":"merge"}"#,
            "unknown patch type: merge in map: map[$patch:merge]",
        ),
        (
            ITEMS,
            r#"{"$patch":null}"#,
            "unknown patch type: %!s(<nil>) in map: map[$patch:<nil>]",
        ),
        (
            ITEMS,
            r#"{"$setElementOrder/items":[{"name":"a"}],"items":[{"name":"e","value":"5"}]}"#,
            "The order in patch list:\n[map[name:e value:5]]\n doesn't match $setElementOrder list:\n[map[name:a]]\n",
        ),
        (
            ITEMS,
            r#"{"$setElementOrder/items":"x"}"#,
            "expected a []interface {}, but received a string",
        ),
        (
            ITEMS,
            r#"{"$setElementOrder":[]}"#,
            "invalid patch format of setElementOrder list",
        ),
        (
            ITEMS,
            r#"{"$deleteFromPrimitiveList":[]}"#,
            "invalid patch format of primitive list",
        ),
        (
            r#"{"choice":{}}"#,
            r#"{"choice":{"$retainKeys":["a"],"b":"1"}}"#,
            "invalid patch format of retainKeys",
        ),
        (
            r#"{"choice":{}}"#,
            r#"{"choice":{"$retainKeys":"a"}}"#,
            "invalid patch format of retainKeys",
        ),
        (
            r#"{"keyless":[{"name":"a"}]}"#,
            r#"{"keyless":[{"name":"a"}]}"#,
            "cannot merge lists without merge key for struct",
        ),
        (
            r#"{"set":["a"]}"#,
            r#"{"set":[1]}"#,
            "list element types are not identical: [[a] [1]]",
        ),
        (
            r#"{"none":{}}"#,
            r#"{"none":{}}"#,
            r#"unable to find api field in struct Root for the json field "none""#,
        ),
        (
            r#"{"labels":{"x":{}}}"#,
            r#"{"labels":{"x":{}}}"#,
            "merging an object in json but data type is not struct, instead is: map",
        ),
        (
            r#"{"set":[["a"]]}"#,
            r#"{"set":[["a"]]}"#,
            "the server rejected our request due to an error in our request",
        ),
    ] {
        check(target, patch, Err(expected));
    }
}
