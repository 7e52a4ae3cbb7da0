//! The forms of a `Scale`: as a table, as protobuf, in the order of its type.

use super::server::Server;

const TABLE: &str = "application/json;as=Table;v=v1;g=meta.k8s.io";
const PROTOBUF: &str = "application/vnd.kubernetes.protobuf";
const LIST: &str = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
const GADGETS: &str = "/apis/example.com/v1/namespaces/default/gadgets";
const CONTROLLERS: &str = "/api/v1/namespaces/default/replicationcontrollers";

/// A server with an object of each: a controller with two replicas, a gadget with three, and one with none.
fn server() -> Server {
    let server = Server::default();
    let controller = r#"{"metadata":{"name":"a"},"spec":{"replicas":2,"selector":{"a":"b"},"template":{"metadata":{"labels":{"a":"b"}},
        "spec":{"containers":[{"name":"c","image":"i"}]}}}}"#;
    server.post(CONTROLLERS, controller, 201);
    for (name, replicas) in [("a", 3), ("b", 0)] {
        let gadget = format!(
            r#"{{"apiVersion":"example.com/v1","kind":"Gadget","metadata":{{"name":"{name}"}},"spec":{{"replicas":{replicas}}}}}"#
        );
        server.post(GADGETS, &gadget, 201);
    }
    server
}

fn check(server: &Server, path: &str, accept: &str, parts: &[&str]) {
    let (status, answer) = server.ask("GET", path, accept, "");
    assert_eq!(status, 200, "{path}: {answer}");
    for part in parts {
        assert!(answer.contains(part), "{path}: {part} is missing in {answer}");
    }
}

#[test]
fn a_table_of_a_scale_has_its_numbers() {
    let server = server();
    let [desired, available] =
        ["Desired", "Available"].map(|name| format!(r#""name":"{name}","type":"integer","format":"""#));
    let built_in = [
        r#""columnDefinitions":[{"name":"Name","type":"string","format":"","#,
        &desired,
        &available,
        r#""name":"Age","type":"string""#,
        r#""cells":["a",2,0,"#,
        r#""object":{"kind":"PartialObjectMetadata""#,
    ];
    check(&server, &format!("{CONTROLLERS}/a/scale"), TABLE, &built_in);
    let custom = [
        r#""columnDefinitions":[{"name":"Name","type":"string","format":"name","#,
        &desired,
        &available,
        r#""name":"Age","type":"date""#,
        r#""cells":["a",3,0,"#,
    ];
    check(&server, &format!("{GADGETS}/a/scale"), TABLE, &custom);
    // Zero replicas are left out of a `Scale`, and a JSON path does not find them.
    check(
        &server,
        &format!("{GADGETS}/b/scale"),
        TABLE,
        &[r#""cells":["b",null,0,"#],
    );
}

#[test]
fn a_scale_is_served_as_protobuf_and_taken_back() {
    let server = server();
    for path in [format!("{CONTROLLERS}/a/scale"), format!("{GADGETS}/a/scale")] {
        let (status, sent) = server.get_bytes(&path, PROTOBUF);
        assert_eq!(status, 200, "{path}");
        let start = b"k8s\0\n\x17\n\x0eautoscaling/v1\x12\x05Scale";
        assert!(sent.starts_with(start), "{path}: {sent:?}");
        let (status, answer) = server.ask_bytes("PUT", &path, PROTOBUF, &sent);
        assert_eq!(status, 200, "{path}: {answer}");
    }
}

#[test]
fn a_scale_is_no_list_and_written_in_the_order_of_its_type() {
    let server = server();
    for (path, ty) in [
        (format!("{CONTROLLERS}/a/scale"), "*autoscaling.Scale"),
        (format!("{GADGETS}/a/scale"), "*v1.Scale"),
    ] {
        let start = r#"{"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{"name":"a","namespace":"default","uid":"#;
        check(&server, &path, "application/json", &[start]);
        let (status, answer) = server.ask("GET", &path, LIST, "");
        assert_eq!(status, 406, "{path}: {answer}");
        assert!(
            answer.contains(&format!("the requested object is not a list ({ty})")),
            "{answer}"
        );
    }
}

#[test]
fn a_patched_scale_is_decoded_as_a_scale() {
    let server = server();
    let merge = "application/merge-patch+json";
    let uid = "00000000-0000-0000-0000-000000000000";
    for path in [format!("{CONTROLLERS}/a/scale"), format!("{GADGETS}/a/scale")] {
        let strict = format!("{path}?fieldValidation=Strict");
        let (status, answer) = server.ask("PATCH", &strict, merge, r#"{"spec":{"replica":1}}"#);
        assert_eq!(status, 422, "{path}: {answer}");
        assert!(
            answer.contains(r#"strict decoding error: unknown field \"spec.replica\""#),
            "{answer}"
        );
        let (status, answer) = server.ask("PATCH", &path, merge, r#"{"kind":"Pod"}"#);
        assert_eq!(status, 422, "{path}: {answer}");
        let (status, answer) = server.ask(
            "GET",
            &format!("{path}?resourceVersion=x"),
            "application/json",
            "",
        );
        assert_eq!(status, 500, "{path}: {answer}");
    }
    let body = format!(r#"{{"metadata":{{"uid":"{uid}"}}}}"#);
    let (status, answer) = server.ask("PATCH", &format!("{CONTROLLERS}/a/scale"), merge, &body);
    assert_eq!(status, 409, "{answer}");
    let expected = format!(
        r#"Operation cannot be fulfilled on replicationcontrollers/scale \"a\": Precondition failed: UID in precondition: {uid}"#
    );
    assert!(answer.contains(&expected), "{answer}");
    // The scale of a custom resource has no such condition in a patch.
    let (status, answer) = server.ask("PATCH", &format!("{GADGETS}/a/scale"), merge, &body);
    assert_eq!(status, 200, "{answer}");
}
