//! The levels of tags.

use kindsmith_schema::Level;

#[test]
fn levels_are_those_of_kubernetes() {
    let level = |name: &str| kindsmith_tags::find(name).map(|tag| tag.stability);
    for name in [
        "format",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "minimum",
        "maximum",
        "optional",
        "required",
        "enum",
        "item",
        "unionMember",
        "zeroOrOneOfMember",
        "listType",
        "listMapKey",
        "eachKey",
        "eachVal",
        "subfield",
        "immutable",
        "update",
    ] {
        assert_eq!(level(&format!("k8s:{name}")), Some(Level::Stable), "{name}");
    }
    for name in ["unionDiscriminator", "forbidden"] {
        assert_eq!(level(&format!("k8s:{name}")), Some(Level::Beta), "{name}");
    }
    for name in [
        "neq",
        "ifOptionEnabled",
        "ifOptionDisabled",
        "exclusiveMinimum",
        "exclusiveMaximum",
    ] {
        assert_eq!(level(&format!("k8s:{name}")), Some(Level::Alpha), "{name}");
    }
}
