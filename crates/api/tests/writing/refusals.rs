//! What is refused, and in which words, as seen beside kube-apiserver 1.38.

use super::server::Server;

const JSON: &str = "application/json";
const CONFIG_MAP: &str = "/api/v1/namespaces/default/configmaps/a";
const GADGETS: &str = "/apis/example.com/v1/namespaces/default/gadgets";
const GADGET: &str =
    r#"{"apiVersion":"example.com/v1","kind":"Gadget","metadata":{"name":"a"},"spec":{"size":1}}"#;
const SCALE: &str =
    r#"{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"a"},"spec":{"replicas":5}}"#;

fn check(server: &Server, (method, path): (&str, &str), (media, body): (&str, &str), refusal: (u16, &str)) {
    let (status, answer) = server.ask(method, path, media, body);
    let (expected, text) = refusal;
    assert_eq!(status, expected, "{method} {path} {body}: {answer}");
    assert!(
        answer.contains(text),
        "{method} {path} {body}: {text} is missing in {answer}"
    );
}

#[test]
fn a_token_for_another_namespace_is_a_bad_request() {
    let server = Server::default();
    let path = "/api/v1/namespaces/default/serviceaccounts/a/token";
    for metadata in [r#"{"namespace":"other"}"#, r#"{"name":"x","namespace":"other"}"#] {
        let body = format!(r#"{{"metadata":{metadata},"spec":{{"expirationSeconds":5}}}}"#);
        let text = "the namespace of the provided object does not match the namespace sent on the request";
        check(&server, ("POST", path), (JSON, &body), (400, text));
    }
    let other_name = r#"{"metadata":{"name":"x","namespace":"default"},"spec":{}}"#;
    let text = "must match the service account name if specified";
    check(&server, ("POST", path), (JSON, other_name), (422, text));
}

#[test]
fn a_token_is_bound_to_a_kind_whatever_its_version() {
    let server = Server::default();
    let accounts = "/api/v1/namespaces/default/serviceaccounts";
    server.post(accounts, r#"{"metadata":{"name":"a"}}"#, 201);
    for (version, refusal) in [
        ("", (404, r#"pods \"x\" not found"#)),
        ("v9", (404, r#"pods \"x\" not found"#)),
        (
            "apps/v1",
            (400, "cannot bind token to object of type apps/v1, Kind=Pod"),
        ),
    ] {
        let body = format!(
            r#"{{"spec":{{"boundObjectRef":{{"kind":"Pod","apiVersion":"{version}","name":"x"}}}}}}"#
        );
        check(
            &server,
            ("POST", &format!("{accounts}/a/token")),
            (JSON, &body),
            refusal,
        );
    }
}

#[test]
fn options_of_a_deletion_are_of_their_kind() {
    let server = Server::default();
    let converted = |kind: &str, version: &str| {
        let text = format!("converting ({version}.{kind}) to (v1.DeleteOptions): unknown conversion");
        move |server: &Server, body: &str| check(server, ("DELETE", CONFIG_MAP), (JSON, body), (400, &text))
    };
    for kind in ["Status", "APIGroup", "ListOptions", "Table", "WatchEvent"] {
        converted(kind, "v1")(&server, &format!(r#"{{"kind":"{kind}"}}"#));
    }
    converted("Status", "v1")(&server, r#"{"kind":"Status","apiVersion":"apps/v1"}"#);
    let list = r#"{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1beta1"}"#;
    converted("PartialObjectMetadataList", "v1beta1")(&server, list);
    for (kind, version) in [("Table", "v1"), ("ListOptions", "apps/v1"), ("ConfigMap", "v1")] {
        let body = format!(r#"{{"kind":"{kind}","apiVersion":"{version}"}}"#);
        let text = format!(r#"no kind \"{kind}\" is registered for version \"{version}\""#);
        check(&server, ("DELETE", CONFIG_MAP), (JSON, &body), (400, &text));
    }
}

#[test]
fn a_grace_period_that_is_no_whole_number_is_quoted_as_written() {
    let server = Server::default();
    for number in ["1.5", "1e3", "1.0", "9223372036854775808", "-1.50e2"] {
        let body = format!(r#"{{"gracePeriodSeconds":{number}}}"#);
        let text = format!(
            "json: cannot unmarshal number {number} into Go struct field DeleteOptions.gracePeriodSeconds of type int64"
        );
        for path in [CONFIG_MAP.to_owned(), format!("{GADGETS}/a")] {
            check(&server, ("DELETE", &path), (JSON, &body), (400, &text));
        }
    }
    let text = "cannot unmarshal bool into Go struct field DeleteOptions.gracePeriodSeconds";
    check(
        &server,
        ("DELETE", CONFIG_MAP),
        (JSON, r#"{"gracePeriodSeconds":true}"#),
        (400, text),
    );
}

#[test]
fn a_patch_that_cannot_be_read_is_refused_before_its_object_is_missed() {
    let server = Server::default();
    let status = format!("{GADGETS}/a/status");
    for media in [
        "json-patch+json",
        "merge-patch+json",
        "strategic-merge-patch+json",
    ] {
        let media = format!("application/{media}");
        for body in ["a: b", "---\n", "", r#"{"a":1}{"b":2}"#] {
            check(
                &server,
                ("PATCH", CONFIG_MAP),
                (&media, body),
                (400, "invalid JSON patch"),
            );
        }
        check(&server, ("PATCH", CONFIG_MAP), (&media, "5"), (404, "not found"));
    }
    check(
        &server,
        ("PATCH", &status),
        ("application/merge-patch+json", "{}"),
        (404, ""),
    );
    // Without validation of fields, only the library that patches reads the patch.
    let ignoring = "/api/v1/namespaces/default/configmaps/kept?fieldValidation=Ignore";
    server.post(
        "/api/v1/namespaces/default/configmaps",
        r#"{"metadata":{"name":"kept"}}"#,
        201,
    );
    for (body, found) in [
        ("{}", "object into Go value of type jsonpatch.Patch"),
        ("[5]", "number into Go value of type jsonpatch.Operation"),
    ] {
        let text = format!("\"json: cannot unmarshal {found}");
        check(
            &server,
            ("PATCH", ignoring),
            ("application/json-patch+json", body),
            (400, &text),
        );
    }
    // What starts like JSON is read later.
    let (apply, pod) = (
        "application/apply-patch+yaml",
        "/api/v1/namespaces/default/pods/a/status?fieldManager=m",
    );
    check(
        &server,
        ("PATCH", pod),
        (apply, "a: ["),
        (400, "error encoding patch: yaml: "),
    );
    check(&server, ("PATCH", pod), (apply, " {"), (404, "not found"));
    let config_map = format!("{CONFIG_MAP}?fieldManager=m");
    let text = "error decoding patch: error converting YAML to JSON: yaml: line 1: did not find expected node content";
    check(&server, ("PATCH", &config_map), (apply, "{"), (400, text));
}

#[test]
fn a_scale_is_tracked_only_where_someone_owns_the_replicas() {
    let server = Server::default();
    let (path, scale) = (format!("{GADGETS}/a"), format!("{GADGETS}/a/scale"));
    server.post(&format!("{GADGETS}?fieldManager=m"), GADGET, 201);
    let (status, answer) = server.ask("PUT", &format!("{scale}?fieldManager=s"), JSON, SCALE);
    assert_eq!(status, 200, "{answer}");
    let read = server.get(&path, 200);
    assert!(
        read.contains(r#""replicas":5"#) && !read.contains(r#""manager":"s""#),
        "{read}"
    );
    // Now someone does.
    server.patch(
        &format!("{path}?fieldManager=t"),
        r#"{"spec":{"replicas":7}}"#,
        200,
    );
    let (status, answer) = server.ask("PUT", &format!("{scale}?fieldManager=s"), JSON, SCALE);
    assert_eq!(status, 200, "{answer}");
    let read = server.get(&path, 200);
    assert!(read.contains(r#""manager":"s""#), "{read}");
}

#[test]
fn selectable_fields_of_a_schema_that_is_not_structural_are_checked() {
    let server = Server::default();
    let definition = |field: &str| {
        format!(
            r##"{{"metadata":{{"name":"rs.example.org"}},"spec":{{"group":"example.org","scope":"Namespaced","preserveUnknownFields":true,
            "names":{{"plural":"rs","singular":"r","kind":"R"}},"versions":[{{"name":"v1","served":true,"storage":true,
            "schema":{{"openAPIV3Schema":{{"type":"object","$ref":"#/x"}}}},"selectableFields":[{{"jsonPath":"{field}"}}]}}]}}}}"##
        )
    };
    for (field, text) in [
        ("spec.a", "is an invalid path: expected [ or . but got: spec"),
        ("", "selectableFields[0].jsonPath: Required value"),
        ("['a']", "is an invalid path: array notation is not allowed"),
    ] {
        check(
            &server,
            ("POST", super::DEFINITIONS),
            (JSON, &definition(field)),
            (422, text),
        );
    }
}

#[test]
fn only_the_watch_cache_says_when_to_come_again() {
    let server = Server::default();
    let (config_maps, events) = (
        "/api/v1/namespaces/default/configmaps",
        "/api/v1/namespaces/default/events",
    );
    let future = "?resourceVersion=99999999";
    for (path, is_said) in [
        (format!("{config_maps}{future}"), true),
        (format!("{config_maps}/a{future}"), true),
        (format!("{events}/a{future}"), false),
        (format!("{events}{future}"), false),
    ] {
        let (status, answer) = server.ask("GET", &path, JSON, "");
        assert_eq!(status, 504, "{path}: {answer}");
        assert_eq!(
            answer.contains(r#""retryAfterSeconds":1"#),
            is_said,
            "{path}: {answer}"
        );
    }
}
