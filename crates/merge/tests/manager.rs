//! Bookkeeping around writes: caps, kubectl's annotation, resets, times, the scale subresource.

use crate::rig::Server;
use kindsmith_json::{Arena, parse_str, to_string};
use kindsmith_merge::{ApplyError, ResetFields, ScaleMapping, keep_times};

const SCHEMA: &str = r"
type: object
properties:
  spec:
    type: object
    properties:
      title: {type: string}
      count: {type: integer}
      words: {type: object, additionalProperties: {type: string}}
  status:
    type: object
    properties:
      phase: {type: string}
";

#[test]
fn at_most_ten_updates_are_told_apart() {
    let mut server = Server::new(SCHEMA);
    let mut words = String::new();
    for number in 0..13 {
        words.push_str(&format!("w{number}: x,"));
        server.update(
            &format!("m{number:02}"),
            &format!("{{spec: {{words: {{{words}}}}}}}"),
        );
    }
    assert_eq!(
        server.owned("ancient-changes"),
        r#"{"f:spec":{".":{},"f:words":{".":{},"f:w0":{},"f:w1":{},"f:w2":{},"f:w3":{}}}}"#
    );
    assert_eq!(server.owned("m03"), "");
    assert_eq!(server.owned("m04"), r#"{"f:spec":{"f:words":{"f:w4":{}}}}"#);
    assert_eq!(
        server.time("ancient-changes").as_deref(),
        Some("2026-01-01T00:00:04Z")
    );
}

#[test]
fn times_change_only_with_what_is_owned() {
    let mut server = Server::new(SCHEMA);
    server.update("aa", "{spec: {title: one, count: 1}}");
    server.update("bb", "{spec: {title: one, count: 2}}");
    assert_eq!(
        server.time("aa").as_deref(),
        Some("2026-01-01T00:00:01Z"),
        "it lost a field"
    );
    server.update("aa", "{spec: {title: one, count: 2}}");
    assert_eq!(
        server.time("aa").as_deref(),
        Some("2026-01-01T00:00:01Z"),
        "it changed nothing"
    );
    server
        .apply("cc", "{spec: {count: 2}}", false)
        .expect("the value is shared");
    assert_eq!(server.time("cc"), None, "the object is as it was");
}

#[test]
fn an_object_is_not_tracked_after_its_entries_were_dropped() {
    let mut server = Server::new(SCHEMA);
    server.update("aa", "{spec: {title: one}}");
    server.update("aa", "{metadata: {managedFields: [{}]}, spec: {title: two}}");
    server.update("bb", "{spec: {title: two, count: 1}}");
    assert_eq!(server.get(&["metadata", "managedFields"]), "");
    server
        .apply("cc", "{spec: {words: {a: b}}}", false)
        .expect("nobody owns it");
    assert_eq!(
        server.owned("before-first-apply"),
        r#"{"f:spec":{".":{},"f:count":{},"f:title":{}}}"#
    );
}

#[test]
fn kubectl_takes_over_what_it_applied_on_the_clients_side() {
    let annotation = |last: &str| {
        let last = last.replace('"', "\\\"");
        format!("{{annotations: {{kubectl.kubernetes.io/last-applied-configuration: \"{last}\"}}}}")
    };
    let last =
        r#"{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a"},"spec":{"title":"one"}}"#;
    let path = [
        "metadata",
        "annotations",
        "kubectl.kubernetes.io/last-applied-configuration",
    ];

    let mut server = Server::new(SCHEMA);
    server.update(
        "kubectl-client-side-apply",
        &format!("{{metadata: {}, spec: {{title: one}}}}", annotation(last)),
    );
    server
        .apply("kubectl", "{spec: {title: two}}", false)
        .expect("the title is still what kubectl made it");
    let refreshed = r#"{\"apiVersion\":\"example.com/v1\",\"kind\":\"Thing\",\"metadata\":{\"name\":\"a\"},\"spec\":{\"title\":\"two\"}}\n"#;
    assert_eq!(server.get(&path), format!("\"{refreshed}\""));

    let mut server = Server::new(SCHEMA);
    server.update(
        "other",
        &format!("{{metadata: {}, spec: {{title: three}}}}", annotation(last)),
    );
    let refused = server.apply("kubectl", "{spec: {title: two}}", false);
    assert!(
        matches!(refused, Err(ApplyError::Conflicts(_))),
        "someone else changed it since"
    );

    let mut server = Server::new(SCHEMA);
    server.update(
        "other",
        &format!("{{metadata: {}, spec: {{title: one}}}}", annotation(last)),
    );
    let refused = server.apply("helm", "{spec: {title: two}}", false);
    assert!(
        matches!(refused, Err(ApplyError::Conflicts(_))),
        "only kubectl may"
    );
}

#[test]
fn fields_that_the_endpoint_resets_have_no_owner() {
    let mut server = Server::new(SCHEMA);
    server.versions.reset = Some(ResetFields::members(&["status"]));
    server
        .apply("aa", "{spec: {title: one}, status: {phase: p}}", false)
        .expect("created");
    assert_eq!(server.owned("aa"), r#"{"f:spec":{"f:title":{}}}"#);
    server.versions.reset = Some(ResetFields::Only(vec![vec!["spec".into(), "*".into()]]));
    server.update("bb", "{spec: {title: two, count: 1}, status: {phase: q}}");
    assert_eq!(server.owned("bb"), r#"{"f:spec":{"f:count":{},"f:title":{}}}"#);
}

#[test]
fn misuse_is_rejected() {
    let mut server = Server::new(SCHEMA);
    let refused = server.apply("aa", "{metadata: {managedFields: []}, spec: {}}", false);
    assert_eq!(
        refused,
        Err(ApplyError::BadRequest(
            "metadata.managedFields must be nil".into()
        ))
    );
    let refused = server
        .apply("aa", "{spec: {bogus: 1}}", false)
        .expect_err("there is no such field");
    assert_eq!(
        refused.to_string(),
        "failed to create typed patch object (/a; example.com/v1, Kind=Thing): .spec.bogus: field not declared in schema"
    );
}

/// Expects this stored object after a write of `new` over `old`.
fn check_noop(old: &str, new: &str, expected: &str) {
    let arena = Arena::new();
    let value = |text| parse_str(&arena, text).expect("the case is JSON");
    assert_eq!(to_string(keep_times(&arena, value(old), value(new))), expected);
}

#[test]
fn a_write_that_changes_only_times_changes_nothing() {
    let object = |time: &str, manager: &str, title: &str| {
        let entry = format!("{{\"manager\":\"{manager}\",\"time\":\"{time}\"}}");
        format!("{{\"metadata\":{{\"managedFields\":[{entry}]}},\"spec\":{{\"title\":\"{title}\"}}}}")
    };
    let old = object("t1", "aa", "one");
    check_noop(&old, &object("t2", "aa", "one"), &old);
    check_noop(&old, &object("t2", "aa", "two"), &object("t2", "aa", "two"));
    check_noop(&old, &object("t2", "bb", "one"), &object("t2", "bb", "one"));
    let bare = "{\"metadata\":{},\"spec\":{\"title\":\"one\"}}";
    check_noop(&old, bare, bare);
}

#[test]
fn the_scale_knows_its_replicas() {
    let mapping = ScaleMapping {
        api_version: "example.com/v1",
        paths: &[
            ("example.com/v1", Some(&["spec", "replicas"])),
            ("example.com/v2", None),
        ],
    };
    let arena = Arena::new();
    let entry = |manager: &str, operation: &str, version: &str, fields: &str| {
        format!(
            r#"{{"manager":"{manager}","operation":"{operation}","apiVersion":"{version}","fieldsType":"FieldsV1","fieldsV1":{fields}}}"#
        )
    };
    let list = |text: String| Some(parse_str(&arena, arena.alloc_str(&text)).expect("the case is JSON"));
    let both = r#"{"f:spec":{"f:replicas":{},"f:title":{}}}"#;
    let parent = list(format!("[{}]", entry("aa", "Apply", "example.com/v1", both)));
    let scale = mapping
        .to_scale(&arena, parent)
        .expect("it decodes")
        .map(to_string);
    let replicas = r#"{"f:spec":{"f:replicas":{}}}"#;
    assert_eq!(
        scale,
        Some(format!("[{}]", entry("aa", "Apply", "autoscaling/v1", replicas)))
    );

    let written = list(format!(
        "[{}]",
        entry("hpa", "Update", "autoscaling/v1", replicas)
    ));
    let after = mapping
        .to_parent(&arena, parent, written)
        .expect("it decodes")
        .map(to_string);
    let title = r#"{"f:spec":{"f:title":{}}}"#;
    let kept = entry("aa", "Apply", "example.com/v1", title);
    let gained = entry("hpa", "Update", "example.com/v1", replicas);
    assert_eq!(after, Some(format!("[{kept},{gained}]")));

    let unchanged = mapping.to_scale(&arena, parent).expect("it decodes");
    let after = mapping.to_parent(&arena, parent, unchanged).expect("it decodes");
    assert_eq!(after.map(to_string), parent.map(to_string));
}
