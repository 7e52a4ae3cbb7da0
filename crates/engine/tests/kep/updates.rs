//! KEP-5073's tables of immutability: lists, maps and list items, and what happens when a list is emptied.

use kindsmith_checks::Profile;

use super::{errors, plan};

/// A list of items by `k`, with tags.
fn list(tags: &str) -> kindsmith_engine::Plan {
    let tags: String = tags.lines().map(|tag| format!("// {}\n", tag.trim())).collect();
    let source = format!(
        "type T struct {{\n// +k8s:listType=map\n// +k8s:listMapKey=k\n{tags} F []I `json:\"f,omitempty\"`\n}}\n\
         type I struct {{\n K string `json:\"k\"`\n V string `json:\"v,omitempty\"`\n}}"
    );
    plan(&source, "T", Profile::Kep)
}

/// Steps from an old list to a new one, and whether they are allowed. `a` is the item that tags speak of.
fn steps(tags: &str, cases: &[(&str, &str, bool)]) {
    let plan = list(tags);
    for (old, new, allowed) in cases {
        let object = |items: &str| match items {
            "" => "{}".to_owned(),
            items => format!(r#"{{"f": [{items}]}}"#),
        };
        let found = errors(&plan, &object(new), Some(&object(old)));
        assert_eq!(found.is_empty(), *allowed, "{tags}: {old} -> {new}: {found:?}");
    }
}

const A: &str = r#"{"k": "a"}"#;
const A_CHANGED: &str = r#"{"k": "a", "v": "x"}"#;
const B: &str = r#"{"k": "b"}"#;
const B_CHANGED: &str = r#"{"k": "b", "v": "x"}"#;
const BOTH: &str = r#"{"k": "b"}, {"k": "a"}"#;

/// The rows "Immutable List/Map Item": the item comes with the list, and then it stays as it is.
const FROZEN: &[(&str, &str, bool)] = &[
    ("", A, true),
    (B, BOTH, false),
    (BOTH, B, false),
    (A, "", false),
    (A, A_CHANGED, false),
    (B, B_CHANGED, true),
    (B, "", true),
];

#[test]
fn immutable_items_come_with_their_list_and_stay() {
    for optional in ["", "+k8s:optional\n"] {
        steps(&format!("{optional}+k8s:item(k: \"a\")=+k8s:immutable"), FROZEN);
        steps(
            &format!("{optional}+k8s:item(k: \"a\")=+k8s:update=NoModify,NoRemoveItem"),
            FROZEN,
        );
    }
}

#[test]
fn items_of_the_certificate_example_are_permanent() {
    let tags = "+k8s:optional\n+k8s:item(k: \"a\")=+k8s:update=NoSet\n+k8s:item(k: \"a\")=+k8s:update=NoModify\n\
                +k8s:item(k: \"a\")=+k8s:update=NoClear";
    steps(
        tags,
        &[
            ("", A, false),
            (B, BOTH, false),
            (A, "", false),
            (A, A_CHANGED, false),
            (B, "", true),
        ],
    );
}

/// Whether an update may set the list, add, remove, modify an item, and empty the list.
fn row(tags: &str, allowed: [bool; 5]) {
    let steps_ = [("", A), (A, BOTH), (BOTH, A), (A, A_CHANGED), (A, "")];
    let cases: Vec<(&str, &str, bool)> = steps_
        .into_iter()
        .zip(allowed)
        .map(|((old, new), allowed)| (old, new, allowed))
        .collect();
    steps(tags, &cases);
}

#[test]
fn lists_follow_the_rows_of_the_table() {
    row("+k8s:optional", [true; 5]);
    row("+k8s:required", [true, true, true, true, false]);
    row("+k8s:forbidden", [false, false, false, false, true]);
    for optional in ["+k8s:optional", "+k8s:required"] {
        for frozen in [
            "+k8s:update=NoAddItem,NoRemoveItem\n+k8s:eachVal=+k8s:immutable",
            "+k8s:immutable",
        ] {
            row(
                &format!("{optional}\n{frozen}"),
                [true, false, false, false, false],
            );
        }
    }
    row(
        "+k8s:optional\n+k8s:update=NoRemoveItem",
        [true, true, false, true, false],
    );
    row(
        "+k8s:optional\n+k8s:eachVal=+k8s:neq=\"x\"",
        [true, true, true, true, true],
    );
}

#[test]
fn maps_follow_the_rows_of_the_table() {
    for frozen in [
        "+k8s:update=NoAddItem,NoRemoveItem\n// +k8s:eachVal=+k8s:immutable",
        "+k8s:immutable",
    ] {
        let source = format!(
            "type T struct {{\n// +k8s:optional\n// {frozen}\n F map[string]string `json:\"f,omitempty\"`\n}}"
        );
        let plan = plan(&source, "T", Profile::Kep);
        for (old, new, allowed) in [
            ("{}", r#"{"f": {"a": "1"}}"#, true),
            (r#"{"f": {"a": "1"}}"#, r#"{"f": {"a": "1", "b": "1"}}"#, false),
            (r#"{"f": {"a": "1", "b": "1"}}"#, r#"{"f": {"a": "1"}}"#, false),
            (r#"{"f": {"a": "1"}}"#, r#"{"f": {"a": "2"}}"#, false),
            (r#"{"f": {"a": "1"}}"#, "{}", false),
        ] {
            let found = errors(&plan, new, Some(old));
            assert_eq!(found.is_empty(), allowed, "{frozen}: {old} -> {new}: {found:?}");
        }
    }
}

#[test]
fn disallowed_items_are_refused_at_all_times() {
    let source =
        "type T struct {\n// +k8s:listType=set\n// +k8s:eachVal=+k8s:neq=\"no\"\n F []string `json:\"f\"`\n}";
    let plan = plan(source, "T", Profile::Kep);
    assert_eq!(errors(&plan, r#"{"f": ["no"]}"#, None).len(), 1);
    assert_eq!(
        errors(&plan, r#"{"f": ["a", "no"]}"#, Some(r#"{"f": ["a"]}"#)).len(),
        1
    );
    assert_eq!(errors(&plan, r#"{"f": ["a"]}"#, None), Vec::<String>::new());
}

#[test]
fn a_value_is_set_once_within_one_parent() {
    let source = "type T struct {\n// +k8s:optional\n S *S `json:\"s,omitempty\"`\n}\ntype S struct {\n\
                  // +k8s:update=NoSet\n// +k8s:update=NoModify\n// +k8s:update=NoClear\n F string `json:\"f,omitempty\"`\n}";
    let plan = plan(source, "T", Profile::Kep);
    let (none, one, two) = ("{}", r#"{"s": {"f": "a"}}"#, r#"{"s": {"f": "b"}}"#);
    assert_eq!(errors(&plan, one, None), Vec::<String>::new(), "a new object");
    assert_eq!(
        errors(&plan, one, Some(none)),
        Vec::<String>::new(),
        "a new parent"
    );
    assert_eq!(errors(&plan, two, Some(one)).len(), 1, "the same parent");
    assert_eq!(errors(&plan, none, Some(one)), Vec::<String>::new(), "no parent");
}

#[test]
fn forbidden_items_are_refused() {
    let plan = list("+k8s:item(k: \"a\")=+k8s:forbidden");
    for (items, valid) in [(A, false), (A_CHANGED, false), (B, true), (BOTH, false)] {
        let found = errors(&plan, &format!(r#"{{"f": [{items}]}}"#), None);
        assert_eq!(found.is_empty(), valid, "{items}: {found:?}");
    }
}
