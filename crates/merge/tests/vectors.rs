//! Small cases with results from structured-merge-diff itself.

use crate::rig::{self, Server};
use kindsmith_json::{Arena, to_string};
use kindsmith_merge::{Duplicates, FieldSet};

const SCHEMA: &str = r"
type: object
properties:
  spec:
    type: object
    properties:
      num: {type: integer}
      fin: {type: array, x-kubernetes-list-type: set, items: {type: string}}
      labels: {type: object, additionalProperties: {type: string}}
      sel: {type: object, x-kubernetes-map-type: atomic, additionalProperties: {type: string}}
      args: {type: array, items: {type: string}}
      opt: {type: object, properties: {a: {type: string}}}
      ports:
        type: array
        x-kubernetes-list-type: map
        x-kubernetes-list-map-keys: [port, protocol]
        items:
          type: object
          properties:
            port: {type: integer}
            protocol: {type: string, default: TCP}
            name: {type: string}
";

/// Expects these fields of a configuration's spec, or this error.
fn check(spec: &str, expected: &str) {
    let topology = rig::topology(SCHEMA);
    let arena = Arena::new();
    let body = rig::object(&arena, &format!("{{spec: {spec}}}"));
    let found = match topology.validate(body, Duplicates::Refused) {
        Err(errors) => errors.to_string(),
        Ok(()) => {
            let fields = topology.field_set(&arena, body);
            let spec = fields.nodes_below("spec", &arena);
            to_string(spec.encode(&arena))
        }
    };
    assert_eq!(found, expected, "{spec}");
}

/// Selects one member with its own membership, which the vectors test.
trait Below<'a> {
    fn nodes_below(self, name: &str, arena: &'a Arena) -> FieldSet<'a>;
}

impl<'a> Below<'a> for FieldSet<'a> {
    fn nodes_below(self, name: &str, arena: &'a Arena) -> FieldSet<'a> {
        let fields = self.encode(arena);
        let mut kept = kindsmith_json::Object::EMPTY;
        let key = arena.alloc_str(&format!("f:{name}"));
        if let Some(value) = fields.get(key) {
            kept.insert(arena, key, value);
        }
        FieldSet::decode(arena, kept.into()).expect("it was just written")
    }
}

#[test]
fn fields_of_configurations() {
    check(
        "{fin: [b, a]}",
        r#"{"f:spec":{"f:fin":{"v:\"a\"":{},"v:\"b\"":{}}}}"#,
    );
    check("{args: [b, a]}", r#"{"f:spec":{"f:args":{}}}"#);
    check(
        "{labels: {a: b, x/y: c}}",
        r#"{"f:spec":{"f:labels":{"f:a":{},"f:x/y":{}}}}"#,
    );
    check("{sel: {a: b}}", r#"{"f:spec":{"f:sel":{}}}"#);
    check("{opt: {}}", r#"{"f:spec":{"f:opt":{}}}"#);
    check("{opt: null}", r#"{"f:spec":{"f:opt":{}}}"#);
    check("{fin: []}", "{}");
    check("{ports: []}", "{}");
    check(
        "{ports: [{port: 80}]}",
        r#"{"f:spec":{"f:ports":{"k:{\"port\":80,\"protocol\":\"TCP\"}":{".":{},"f:port":{}}}}}"#,
    );
    check(
        "{ports: [{protocol: UDP}]}",
        r#"{"f:spec":{"f:ports":{"k:{\"protocol\":\"UDP\"}":{".":{},"f:protocol":{}}}}}"#,
    );
    check(
        "{ports: [{name: q}]}",
        r#"{"f:spec":{"f:ports":{"k:{\"protocol\":\"TCP\"}":{".":{},"f:name":{}}}}}"#,
    );
}

#[test]
fn configurations_that_do_not_fit() {
    check(
        "{ports: [{port: 80}, {port: 80, protocol: TCP}]}",
        r#".spec.ports: duplicate entries for key [port=80,protocol="TCP"]"#,
    );
    check("{fin: [a, a]}", r#".spec.fin: duplicate entries for key [="a"]"#);
    check("{bogus: 1}", ".spec.bogus: field not declared in schema");
    check(
        "{num: foo}",
        ".spec.num: expected numeric (int or float), got string",
    );
    check(
        "{fin: [{}]}",
        ".spec.fin: element 0: associative list without keys has an element that's a map type",
    );
    check(
        "{ports: [x]}",
        ".spec.ports: element 0: associative list with keys may not have non-map elements",
    );
    check(
        "{num: a, labels: [1]}",
        "errors:\n  .spec.num: expected numeric (int or float), got string\n  .spec.labels: expected map, got &{[1]}",
    );
}

#[test]
fn ten_writes_by_three_managers() {
    let mut server = Server::new(SCHEMA);
    let one = "{spec: {num: 1, fin: [x], labels: {l1: v}, ports: [{port: 80, name: w}]}}";
    server.apply("a", one, false).expect("1: created");

    let conflict = server
        .apply("b", "{spec: {num: 2, fin: [q]}}", false)
        .expect_err("2: a owns num");
    assert_eq!(
        conflict.to_string(),
        "Apply failed with 1 conflict: conflict with \"a\": .spec.num"
    );

    server
        .apply("b", "{spec: {num: 1, fin: [q]}}", false)
        .expect("3: the same value is shared");
    assert_eq!(server.get(&["spec", "fin"]), r#"["x","q"]"#);

    let without_num = "{spec: {fin: [x], labels: {l1: v}, ports: [{port: 80, name: w}]}}";
    server
        .apply("a", without_num, false)
        .expect("4: b still owns num");
    assert_eq!(server.get(&["spec", "num"]), "1");
    assert!(!server.owned("a").contains("f:num"));

    server
        .apply("b", "{spec: {fin: [q]}}", false)
        .expect("5: nobody owns num");
    assert_eq!(server.get(&["spec", "num"]), "");

    let renamed = "{spec: {fin: [q], ports: [{port: 80, protocol: TCP, name: zz}]}}";
    let conflict = server
        .apply("b", renamed, false)
        .expect_err("6: the default makes it a's item");
    assert_eq!(
        conflict.to_string(),
        "Apply failed with 1 conflict: conflict with \"a\": .spec.ports[port=80,protocol=\"TCP\"].name"
    );

    server.apply("b", renamed, true).expect("7: forced");
    assert_eq!(
        server.get(&["spec", "ports"]),
        r#"[{"port":80,"name":"zz","protocol":"TCP"}]"#
    );
    assert_eq!(
        server.owned("a"),
        r#"{"f:spec":{"f:fin":{"v:\"x\"":{}},"f:labels":{"f:l1":{}},"f:ports":{"k:{\"port\":80,\"protocol\":\"TCP\"}":{".":{},"f:port":{}}}}}"#
    );

    server.update(
        "c",
        "{spec: {fin: [q, x], labels: {l1: changed}, ports: [{port: 80, name: zz}]}}",
    );
    assert_eq!(
        server.owned("c"),
        r#"{"f:spec":{"f:labels":{"f:l1":{}}}}"#,
        "8: c gains the label only"
    );
    assert!(!server.owned("a").contains("f:labels"));
    assert!(!server.owned("b").contains("f:protocol"));

    server
        .apply("a", "{spec: {fin: [x]}}", false)
        .expect("9: what others own stays");
    assert_eq!(server.owned("a"), r#"{"f:spec":{"f:fin":{"v:\"x\"":{}}}}"#);
    assert_eq!(server.get(&["spec", "labels"]), r#"{"l1":"changed"}"#);
    assert_eq!(server.get(&["spec", "ports"]), r#"[{"port":80,"name":"zz"}]"#);

    let before = server.stored.clone();
    server
        .apply("a", "{spec: {fin: [x]}}", false)
        .expect("10: nothing changes");
    assert_eq!(server.stored, before);
}
