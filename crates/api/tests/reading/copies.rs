//! Objects that are answered by copying their stored bytes are answered as if they were decoded. Debug builds check that
//! for every copy; these tests say which objects are copied.

use kindsmith_store::Store;

use super::GADGETS;
use super::server::Server;

const MAPS: &str = "/api/v1/namespaces/default/configmaps";

/// Whether the object under a key is known to be answered by a copy.
fn is_copied(server: &Server, key: &str) -> bool {
    let entry = server
        .store
        .get(key.as_bytes(), None)
        .expect("a store in memory works");
    entry.expect("the object is there").value.note() & 0xff_ffff != 0
}

/// All ways to read one gadget, with and without knowing it.
fn read(server: &Server, name: &str) -> [String; 4] {
    let mut watching = server.watch(&format!("{GADGETS}?watch=1"), "application/json");
    let [list, selected, one] = [
        format!("{GADGETS}?limit=500"),
        format!("{GADGETS}?labelSelector=a%3Db&fieldSelector=metadata.name%21%3Dq"),
        format!("{GADGETS}/{name}"),
    ]
    .map(|target| server.get(&target).body);
    [
        list,
        selected,
        one,
        String::from_utf8(watching.bytes()).expect("JSON is text"),
    ]
}

#[test]
fn what_was_written_is_copied() {
    let server = Server::with_gadgets(&["a"]);
    server.label("a", r#"{"x":"y"}"#);
    assert!(is_copied(&server, "/registry/example.com/gadgets/default/a"));
    let map = r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","labels":{"a":"b"}},"data":{"k":"<v>"}}"#;
    server.write("POST", MAPS, "application/json", map);
    assert!(is_copied(&server, "/registry/configmaps/default/a"));
    let pod = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[{"name":"c","image":"i"}]}}"#;
    server.write("POST", "/api/v1/namespaces/default/pods", "application/json", pod);
    assert!(is_copied(&server, "/registry/pods/default/a"));
}

#[test]
fn values_of_others_are_copied_only_if_decoding_changes_nothing() {
    let check = |stored: &str, expected: bool| {
        let server = Server::with_gadgets(&["other"]);
        let key = "/registry/example.com/gadgets/default/a";
        let bytes = stored.as_bytes().to_vec();
        server
            .store
            .create(key.as_bytes(), bytes.into())
            .expect("the key is new");
        let first = read(&server, "a");
        assert_eq!(is_copied(&server, key), expected, "{stored}");
        assert_eq!(read(&server, "a"), first, "{stored}");
        assert_eq!(read(&server.restarted(), "a"), first, "{stored}");
    };
    let meta = r#""metadata":{"creationTimestamp":"2026-01-01T00:00:00Z","generation":1,"labels":{"a":"b"},"name":"a","namespace":"default","uid":"u"}"#;
    let plain = format!(r#"{{"apiVersion":"example.com/v1","kind":"Gadget",{meta}}}"#);
    check(&plain, true);
    check(&format!("{plain}\n"), true);
    check(&plain.replace("\"kind\"", " \"kind\""), false);
    check(
        &plain.replace("\"kind\":\"Gadget\",", "\"kind\":\"Gadget\",\"pruned\":1,"),
        false,
    );
    check(&plain.replace("\"a\":\"b\"", "\"a\":\"b\",\"A\":\"c\""), false);
    check(&plain.replace("\"a\":\"b\"", "\"a\":\"<\""), false);
    check(&plain.replace(",\"uid\":\"u\"", ""), false);
    check(
        &plain.replace("\"uid\":\"u\"", "\"resourceVersion\":\"4\",\"uid\":\"u\""),
        false,
    );
}

#[test]
fn another_schema_reads_anew() {
    let server = Server::with_gadgets(&["a"]);
    assert!(!server.get(&format!("{GADGETS}/a")).body.contains("\"size\":3"));
    let path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gadgets.example.com";
    let patch = r#"[{"op":"add","path":"/spec/versions/0/schema/openAPIV3Schema/properties","value":{"size":{"type":"integer","default":3}}}]"#;
    server.write("PATCH", path, "application/json-patch+json", patch);
    for _ in 0..2 {
        assert!(server.get(GADGETS).body.contains("\"size\":3"));
        assert!(server.get(&format!("{GADGETS}/a")).body.contains("\"size\":3"));
    }
}

#[test]
fn watches_with_selectors_see_objects_come_and_go() {
    let server = Server::with_gadgets(&["a", "b"]);
    let mut watching = server.watch(
        &format!(
            "{GADGETS}?watch=1&labelSelector=on&resourceVersion={}",
            server.revision()
        ),
        "application/json",
    );
    server.label("a", r#"{"on":"1"}"#);
    server.label("a", r#"{"on":"2"}"#);
    server.label("a", r#"{"off":"2"}"#);
    server.label("b", r#"{"on":"2"}"#);
    server.delete("b");
    let text = String::from_utf8(watching.bytes()).expect("JSON is text");
    let types: Vec<&str> = text.lines().filter_map(|line| line.split('"').nth(3)).collect();
    assert_eq!(
        types,
        ["ADDED", "MODIFIED", "DELETED", "ADDED", "DELETED"],
        "{text}"
    );
}

#[test]
fn every_form_is_made_of_the_bytes() {
    let server = Server::with_gadgets(&["a", "b"]);
    server.label("a", r#"{"on":"1"}"#);
    let pod = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","labels":{"on":"1"},"finalizers":["example.com/f"]},"spec":{"containers":[{"name":"c","image":"i","resources":{"limits":{"cpu":"0.5"}}}]}}"#;
    let pods = "/api/v1/namespaces/default/pods";
    server.write("POST", pods, "application/json", pod);
    let forms = [
        "application/json;as=Table;g=meta.k8s.io;v=v1",
        "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
        "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
        "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
        "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
        "application/vnd.kubernetes.protobuf",
        "application/yaml",
    ];
    for (path, form) in [GADGETS, pods]
        .iter()
        .flat_map(|path| forms.map(|form| (path, form)))
    {
        let read = |server: &Server| {
            let targets = [
                format!("{path}/a"),
                (*path).to_owned(),
                format!("{path}?labelSelector=on"),
                format!("{path}?labelSelector=on&includeObject=Object"),
            ];
            let answers = targets.map(|target| server.bytes(&target, &[("accept", form)]).1);
            let is_watched = !form.contains("List") && !form.ends_with("yaml");
            let is_watched = is_watched && (*path == pods || !form.ends_with("protobuf"));
            let watched = format!("{path}?watch=1&labelSelector=on");
            (answers, is_watched.then(|| server.watch(&watched, form).bytes()))
        };
        // Nothing is known of what a server finds in its store.
        let decoded = read(&server.restarted());
        let known = server.restarted();
        known.get(path);
        assert!(is_copied(&known, "/registry/pods/default/a"));
        assert_eq!(read(&known), decoded, "{path} {form}");
    }
}
