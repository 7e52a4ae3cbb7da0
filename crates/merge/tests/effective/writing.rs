//! Bodies of requests: as small as possible, and safe against concurrent writes.

use kindsmith_merge::effective::{Attribute, Attributes, Method};

use super::rig::bodies;

fn grouped(groups: &[(&str, Attribute)]) -> Attributes {
    let mut attributes = Attributes::new();
    for (path, attribute) in groups {
        attributes.add(path, attribute.clone()).expect("the path reads");
    }
    attributes
}

#[test]
fn a_patch_has_what_differs_and_the_token() {
    let patch = |spec, live| bodies(spec, live, Method::Patch, &Attributes::new());
    assert_eq!(patch("{zone: a}", "{zone: a, size: 3}"), [""; 0]);
    assert_eq!(
        patch(
            "{zone: b, backup: {start: x, enabled: true}}",
            "{zone: a, size: 3, backup: {enabled: true}}"
        ),
        [r#"{"spec":{"backup":{"start":"x"},"zone":"b"},"etag":"x1"}"#]
    );
    // Removed members are null, not omitted.
    assert_eq!(
        patch(
            "{whole: {a: x}, labels: {}}",
            "{whole: {a: x, b: v}, labels: {c: z}}"
        ),
        [r#"{"spec":{"labels":{"c":null},"whole":{"b":null}},"etag":"x1"}"#]
    );
    // A merge patch replaces lists, so unchanged fields of an item must be included.
    assert_eq!(
        patch(
            "{flags: [{name: a, value: '9'}, {name: c}]}",
            "{flags: [{name: b}, {name: a, value: '1', note: k}]}"
        ),
        [r#"{"spec":{"flags":[{"name":"a","value":"9","note":"k"},{"name":"c"}]},"etag":"x1"}"#]
    );
}

#[test]
fn a_replacement_is_the_live_object_with_what_differs() {
    let attributes = grouped(&[("spec.every", Attribute::OutputOnly)]);
    assert_eq!(
        bodies(
            "{zone: b}",
            "{zone: a, size: 3, every: 1s, unknown: {x: 1}}",
            Method::Replace,
            &attributes
        ),
        [r#"{"etag":"x1","spec":{"zone":"b","size":3,"unknown":{"x":1}}}"#]
    );
}

#[test]
fn some_fields_go_alone_and_some_together() {
    let attributes = grouped(&[
        ("spec.level", Attribute::Alone),
        ("spec.size", Attribute::Alone),
        ("spec.zone", Attribute::Together("place".into())),
        ("spec.region", Attribute::Together("place".into())),
    ]);
    assert_eq!(
        bodies(
            "{level: 4, size: 2, zone: b, region: r, network: w}",
            "{level: 3, size: 1, zone: a, region: r, network: m}",
            Method::Replace,
            &attributes
        ),
        [
            r#"{"spec":{"level":4},"etag":"x1"}"#,
            r#"{"spec":{"size":2},"etag":"x1"}"#,
            r#"{"spec":{"zone":"b","region":"r"},"etag":"x1"}"#,
            r#"{"etag":"x1","spec":{"level":3,"size":1,"zone":"a","region":"r","network":"w"}}"#,
        ]
    );
    assert_eq!(
        bodies(
            "{region: r, network: w}",
            "{region: r, network: m}",
            Method::Patch,
            &attributes
        ),
        [r#"{"spec":{"network":"w"},"etag":"x1"}"#]
    );
}
