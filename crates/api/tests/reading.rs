//! What recordings cannot show about lists, watches and documents: revisions, compaction, events over time, tags.

mod copies;
mod server;

use server::Server;

const GADGETS: &str = "/apis/example.com/v1/namespaces/default/gadgets";

#[test]
fn pages_are_of_one_revision() {
    let server = Server::with_gadgets(&["a", "b", "c"]);
    let first = server.get(&format!("{GADGETS}?limit=2"));
    server.create("d", "{}");
    let token = first.text(&["metadata", "continue"]);
    let rest = server.get(&format!("{GADGETS}?limit=2&continue={token}"));
    assert_eq!(first.names(), ["a", "b"]);
    assert_eq!(rest.names(), ["c"]);
    let version = ["metadata", "resourceVersion"];
    assert_eq!(first.text(&version), rest.text(&version));
    assert_eq!(rest.text(&["metadata", "continue"]), "");
}

#[test]
fn a_selector_does_not_end_a_page_early() {
    let server = Server::with_gadgets(&[]);
    for name in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        let labels = if name < "g" { "{}" } else { r#"{"late":"yes"}"# };
        server.create(name, labels);
    }
    let list = server.get(&format!("{GADGETS}?limit=1&labelSelector=late"));
    assert_eq!(list.names(), ["g"]);
    let token = list.text(&["metadata", "continue"]);
    let rest = server.get(&format!("{GADGETS}?limit=1&labelSelector=late&continue={token}"));
    assert_eq!(rest.names(), ["h"]);
}

#[test]
fn an_expired_list_can_continue() {
    let server = Server::with_gadgets(&["a", "b", "c"]);
    let first = server.get(&format!("{GADGETS}?limit=1"));
    let token = first.text(&["metadata", "continue"]);
    server.create("d", "{}");
    server.compact();
    let expired = server.get(&format!("{GADGETS}?limit=1&continue={token}"));
    assert_eq!(
        (expired.status, expired.text(&["reason"]).as_str()),
        (410, "Expired")
    );
    let token = expired.text(&["metadata", "continue"]);
    let rest = server.get(&format!("{GADGETS}?continue={token}"));
    assert_eq!(rest.names(), ["b", "c", "d"]);
    let exact = server.get(&format!("{GADGETS}?resourceVersion=2&resourceVersionMatch=Exact"));
    assert_eq!(
        exact.text(&["message"]),
        "The resourceVersion for the provided list is too old."
    );
}

#[test]
fn a_version_of_the_future_is_too_large() {
    let server = Server::with_gadgets(&["a"]);
    for path in [GADGETS.to_owned(), format!("{GADGETS}/a")] {
        let answer = server.get(&format!("{path}?resourceVersion=999"));
        assert_eq!(
            (answer.status, answer.text(&["reason"]).as_str()),
            (504, "Timeout"),
            "{path}"
        );
        assert!(
            answer
                .text(&["message"])
                .starts_with("Timeout: Too large resource version: 999, current: ")
        );
    }
}

#[test]
fn a_watch_sends_existing_objects_then_a_bookmark() {
    let server = Server::with_gadgets(&["a", "b"]);
    let mut watch = server.watch(
        &format!("{GADGETS}?watch=1&allowWatchBookmarks=1"),
        "application/json",
    );
    let events = watch.events();
    assert_eq!(events.types(), ["ADDED a", "ADDED b", "BOOKMARK "]);
    let annotation = ["object", "metadata", "annotations", "k8s.io/initial-events-end"];
    assert_eq!(events.text(2, &annotation), "true");
    assert_eq!(events.text(2, &["object", "kind"]), "Gadget");
    server.create("c", "{}");
    assert_eq!(watch.events().types(), ["ADDED c"]);
    let bookmark = watch.bookmark();
    assert_eq!(
        bookmark.text(0, &["object", "metadata", "resourceVersion"]),
        server.revision()
    );
}

#[test]
fn objects_enter_and_leave_a_selection() {
    let server = Server::with_gadgets(&[]);
    server.create("a", r#"{"in":"no"}"#);
    let path = format!("{GADGETS}?watch=1&labelSelector=in%3Dyes");
    let mut watch = server.watch(&path, "application/json");
    assert_eq!(watch.events().types(), Vec::<String>::new());
    server.label("a", r#"{"in":"yes"}"#);
    server.label("a", r#"{"in":"yes","x":"1"}"#);
    server.label("a", r#"{"in":"no"}"#);
    let left = server.revision();
    server.delete("a");
    let events = watch.events();
    assert_eq!(events.types(), ["ADDED a", "MODIFIED a", "DELETED a"]);
    // An object that leaves the selection is sent in its old state, with the version of the change.
    assert_eq!(events.text(2, &["object", "metadata", "labels", "in"]), "yes");
    assert_eq!(events.text(2, &["object", "metadata", "resourceVersion"]), left);
}

#[test]
fn a_deleted_object_has_the_version_of_its_deletion() {
    let server = Server::with_gadgets(&["a"]);
    let path = format!("{GADGETS}?watch=1&resourceVersion={}", server.revision());
    let mut watch = server.watch(&path, "application/json");
    server.delete("a");
    let events = watch.events();
    assert_eq!(events.types(), ["DELETED a"]);
    assert_eq!(
        events.text(0, &["object", "metadata", "resourceVersion"]),
        server.revision()
    );
}

#[test]
fn a_watch_that_is_too_old_gets_an_error_event() {
    let server = Server::with_gadgets(&["a"]);
    server.compact();
    let mut watch = server.watch(
        &format!("{GADGETS}?watch=1&resourceVersion=2"),
        "application/json",
    );
    let events = watch.events();
    assert_eq!(events.types(), ["ERROR "]);
    assert_eq!(events.text(0, &["object", "reason"]), "Expired");
    assert!(
        events
            .text(0, &["object", "message"])
            .starts_with("too old resource version: 2 (")
    );
    assert!(watch.is_over());
}

#[test]
fn a_watch_from_the_future_sends_only_later_events() {
    let server = Server::with_gadgets(&["a"]);
    let next: u64 = server.revision().parse().expect("a revision is a number");
    let path = format!("{GADGETS}?watch=1&resourceVersion={}", next + 1);
    let mut watch = server.watch(&path, "application/json");
    server.create("b", "{}");
    server.create("c", "{}");
    assert_eq!(watch.events().types(), ["ADDED c"]);
}

#[test]
fn watchers_of_the_same_form_share_bytes() {
    let server = Server::with_gadgets(&[]);
    let path = format!("{GADGETS}?watch=1&resourceVersion={}", server.revision());
    let partial = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
    let mut watches = [
        server.watch(&path, "application/json"),
        server.watch(&path, partial),
        server.watch(&path, "application/json"),
        server.watch(&path, partial),
    ];
    server.create("a", "{}");
    let sent = watches.each_mut().map(|watch| watch.bytes());
    assert_eq!(sent[0], sent[2]);
    assert_eq!(sent[1], sent[3]);
    assert!(String::from_utf8_lossy(&sent[1]).contains("PartialObjectMetadata"));
    assert!(!String::from_utf8_lossy(&sent[0]).contains("PartialObjectMetadata"));
}

#[test]
fn a_table_has_its_headings_once() {
    let server = Server::with_gadgets(&["a", "b"]);
    let table = "application/json;as=Table;g=meta.k8s.io;v=v1";
    let mut watch = server.watch(&format!("{GADGETS}?watch=1"), table);
    let text = String::from_utf8(watch.bytes()).expect("tables are text");
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[0].contains(r#""columnDefinitions":[{"name":"Name""#),
        "{}",
        lines[0]
    );
    assert!(
        lines[1].contains(r#""columnDefinitions":null,"rows":[{"cells":["b""#),
        "{}",
        lines[1]
    );
}

#[test]
fn metadata_comes_in_protobuf_too() {
    let server = Server::with_gadgets(&["a"]);
    let accept = "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
    let bytes = server.bytes(GADGETS, &[("accept", accept)]).1;
    assert!(bytes.starts_with(b"k8s\0\n+\n\x0emeta.k8s.io/v1\x12\x19PartialObjectMetadataList"));
    let accept = accept.replace("List", "");
    let path = format!("{GADGETS}?watch=1");
    let bytes = server.watch(&path, &accept).bytes();
    let length = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    assert_eq!(
        length as usize,
        bytes.len() - 4,
        "one frame, with its length in front"
    );
    assert_eq!(&bytes[4..11], b"\n\x05ADDED");
}

#[test]
fn documents_with_a_matching_etag_are_not_sent_again() {
    let server = Server::with_gadgets(&[]);
    let aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    for (path, accept) in [
        ("/apis", aggregated),
        ("/openapi/v3", ""),
        ("/openapi/v3/apis/example.com/v1", ""),
    ] {
        let (headers, body) = server.bytes(path, &[("accept", accept)]);
        let tag = headers
            .iter()
            .find(|(name, _)| name == "etag")
            .expect("there is a tag");
        assert!(!body.is_empty(), "{path}");
        let (_, body) = server.bytes(path, &[("accept", accept), ("if-none-match", &tag.1)]);
        assert!(body.is_empty(), "{path}");
    }
}

#[test]
fn the_index_has_content_hashes() {
    let server = Server::with_gadgets(&[]);
    let index = server.get("/openapi/v3");
    let address = index.text(&["paths", "apis/example.com/v1", "serverRelativeURL"]);
    let (headers, _) = server.bytes(&address, &[]);
    let cache = headers.iter().find(|(name, _)| name == "cache-control");
    assert_eq!(cache.map(|(_, value)| value.as_str()), Some("public, immutable"));
    let (headers, _) = server.bytes("/openapi/v3/apis/example.com/v1?hash=OLD", &[]);
    let location = headers.iter().find(|(name, _)| name == "location");
    assert_eq!(location.map(|(_, value)| value.as_str()), Some(address.as_str()));
}

#[test]
fn built_in_kinds_are_described() {
    let server = Server::with_gadgets(&[]);
    let document = server.get("/openapi/v3/api/v1");
    let schema = ["components", "schemas", "io.k8s.api.core.v1.ConfigMap", "type"];
    assert_eq!(document.text(&schema), "object");
    let operation = [
        "paths",
        "/api/v1/namespaces/{namespace}/configmaps/{name}",
        "patch",
        "operationId",
    ];
    assert_eq!(document.text(&operation), "patchCoreV1NamespacedConfigMap");
}

#[test]
fn every_reference_in_a_document_resolves() {
    let server = Server::with_gadgets(&[]);
    let index = server.get("/openapi/v3");
    let names = index.keys(&["paths"]);
    assert!(names.len() > 5, "{names:?}");
    for name in names {
        let document = server.get(&format!("/openapi/v3/{name}"));
        let schemas = document.keys(&["components", "schemas"]);
        let references = document.references();
        let lost: Vec<&String> = references.iter().filter(|name| !schemas.contains(name)).collect();
        assert_eq!(lost, Vec::<&String>::new(), "{name}");
        assert!(!document.keys(&["paths"]).is_empty(), "{name}");
    }
}

#[test]
fn metadata_of_custom_resources_is_explained() {
    let server = Server::with_gadgets(&[]);
    let document = server.get("/openapi/v3/apis/example.com/v1");
    let meta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
    let name = ["components", "schemas", meta, "properties", "name", "description"];
    assert_ne!(document.text(&name), "");
}

#[test]
fn built_in_kinds_have_the_columns_of_kubectl() {
    let server = Server::with_gadgets(&[]);
    let table = "application/json;as=Table;g=meta.k8s.io;v=v1";
    let check = |path: &str, cells: &str| {
        let bytes = server.bytes(path, &[("accept", table)]).1;
        let text = String::from_utf8(bytes).expect("tables are text");
        assert!(text.contains(cells), "{path}: {text}");
    };
    check(
        "/api/v1/namespaces/default",
        r#""rows":[{"cells":["default","Active","0s"]"#,
    );
    check(
        "/api/v1/namespaces/default/configmaps",
        r#""name":"Data","type":"string","format":"""#,
    );
    check(
        "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles",
        r#""rows":null"#,
    );
    check("/api/v1/namespaces/default/services", r#""name":"Port(s)""#);
    let crd = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    check(
        crd,
        r#""rows":[{"cells":["gadgets.example.com","Namespaced","v1(storage)","2026-"#,
    );
}
