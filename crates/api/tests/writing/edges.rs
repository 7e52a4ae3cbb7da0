//! Answers at the edges of an API, as kube-apiserver 1.38 gives them: what is said about a request that cannot be done,
//! in which form, and what a deletion leaves behind.

use super::server::{Server, text};

const CONFIG_MAPS: &str = "/api/v1/namespaces/default/configmaps";
const AUTOSCALERS: &str = "/apis/autoscaling";
const CONTROLLERS: &str = "/api/v1/namespaces/default/replicationcontrollers";
const CRON_JOBS: &str = "/apis/batch/v1/namespaces/default/cronjobs";
const MIGRATIONS: &str = "/apis/storagemigration.k8s.io/v1/storageversionmigrations";
const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const JSON: &str = "application/json";
const TABLE: &str = "application/json;as=Table;v=v1;g=meta.k8s.io";

/// Sends a request and compares the answer: its status, and a part of it.
fn check(
    server: &Server,
    (method, path): (&str, &str),
    (accept, body): (&str, &str),
    status: u16,
    part: &str,
) {
    let (answered, answer) = server.ask(method, path, accept, body);
    assert_eq!(answered, status, "{method} {path}: {answer}");
    assert!(
        answer.contains(part),
        "{method} {path}: {part} is missing in {answer}"
    );
}

fn with_config_map() -> Server {
    let server = Server::default();
    server.post(CONFIG_MAPS, r#"{"metadata":{"name":"a"}}"#, 201);
    server
}

#[test]
fn a_deletion_through_another_version_keeps_the_stored_form() {
    let server = Server::default();
    let v1 = format!("{AUTOSCALERS}/v1/namespaces/default/horizontalpodautoscalers");
    let v2 = format!("{AUTOSCALERS}/v2/namespaces/default/horizontalpodautoscalers");
    let body = r#"{"metadata":{"name":"a","finalizers":["example.com/hold"]},"spec":{"maxReplicas":3,
        "targetCPUUtilizationPercentage":50,"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"b"}}}"#;
    server.post(&v1, body, 201);
    let deleted = server.delete(&format!("{v1}/a"), 200);
    assert!(!deleted.contains(r#""metrics""#), "{deleted}");
    let read = server.get(&format!("{v1}/a"), 200);
    assert!(read.contains(r#""targetCPUUtilizationPercentage":50"#), "{read}");
    let read = server.get(&format!("{v2}/a"), 200);
    assert!(read.contains(r#""apiVersion":"autoscaling/v2""#), "{read}");
    assert!(read.contains(r#""averageUtilization":50"#), "{read}");
}

#[test]
fn a_name_that_is_taken_counts_as_generated_if_a_prefix_is_sent() {
    let server = with_config_map();
    let more = "already exists, the server was not able to generate a unique name for the object";
    let both = r#"{"metadata":{"name":"a","generateName":"b-"}}"#;
    check(&server, ("POST", CONFIG_MAPS), (JSON, both), 409, more);
}

#[test]
fn a_dry_run_names_keys_without_their_root() {
    let server = with_config_map();
    let uid = "11111111-2222-3333-4444-555555555555";
    let body = format!(r#"{{"metadata":{{"name":"a","uid":"{uid}"}}}}"#);
    for (query, key) in [
        ("", "/registry/configmaps/default/a"),
        ("?dryRun=All", "/configmaps/default/a"),
    ] {
        let path = format!("{CONFIG_MAPS}/a{query}");
        let part = format!("Code: 4, Key: {key}, ResourceVersion: 0");
        check(&server, ("PUT", &path), (JSON, &body), 409, &part);
    }
    let path = format!("{CONFIG_MAPS}/a?ignoreStoreReadErrorWithClusterBreakingPotential=true");
    check(
        &server,
        ("DELETE", &path),
        (JSON, ""),
        409,
        "Key: /registry/configmaps/default/a,",
    );
}

#[test]
fn options_of_another_kind_are_refused_with_their_scheme() {
    let server = with_config_map();
    let part = r#"no kind \"Zz\" is registered for version \"meta.k8s.io/v1\" in scheme \"pkg/apis/meta/internalversion/scheme/register.go:27\""#;
    check(
        &server,
        ("DELETE", &format!("{CONFIG_MAPS}/a")),
        (JSON, r#"{"kind":"Zz"}"#),
        400,
        part,
    );
}

#[test]
fn subresources_take_the_media_types_of_their_route() {
    let server = Server::default();
    let cron = r#"{"metadata":{"name":"a"},"spec":{"schedule":"* * * * *","jobTemplate":{"spec":{"template":{"spec":{
        "restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}}}"#;
    server.post(CRON_JOBS, cron, 201);
    let status = format!("{CRON_JOBS}/a/status");
    let part = r"406: Not Acceptable\n\nAvailable representations: application/json, application/yaml";
    for accept in ["text/html", "application/*"] {
        check(&server, ("GET", &status), (accept, ""), 406, part);
    }
    check(&server, ("GET", &status), (TABLE, ""), 200, r#""kind":"Table""#);
    // Nothing of a status is checked here, nor the metadata that comes with it.
    let held = server.patch(&status, r#"{"metadata":{"finalizers":["x"]}}"#, 200);
    assert!(held.contains(r#""finalizers":["x"]"#), "{held}");
    let pod = r#"{"metadata":{"name":"a"},"spec":{"containers":[{"name":"c","image":"i"}]}}"#;
    server.post("/api/v1/namespaces/default/pods", pod, 201);
    let part = "only the following media types are accepted";
    for name in ["ephemeralcontainers", "resize"] {
        let path = format!("/api/v1/namespaces/default/pods/a/{name}");
        check(&server, ("GET", &path), (TABLE, ""), 406, part);
    }
}

#[test]
fn a_scale_is_decoded_before_its_object_is_looked_for() {
    let server = Server::default();
    let other = r#"{"apiVersion":"v1","kind":"Secret","metadata":{"name":"none"}}"#;
    let part = r#"Secret in version \"v1\" cannot be handled as a Scale"#;
    check(
        &server,
        ("PUT", &format!("{CONTROLLERS}/none/scale")),
        (JSON, other),
        400,
        part,
    );
    let scale = r#"{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"none"}}"#;
    let part = r#"replicationcontrollers \"none\" not found"#;
    check(
        &server,
        ("PUT", &format!("{CONTROLLERS}/none/scale")),
        (JSON, scale),
        404,
        part,
    );
}

#[test]
fn a_patch_of_a_scale_sees_its_managed_fields() {
    let server = Server::default();
    let controller = r#"{"metadata":{"name":"a"},"spec":{"replicas":2,"selector":{"a":"b"},"template":{"metadata":{"labels":{"a":"b"}},
        "spec":{"containers":[{"name":"c","image":"i"}]}}}}"#;
    server.post(CONTROLLERS, controller, 201);
    let path = format!("{CONTROLLERS}/a/scale?fieldValidation=Strict");
    let refused = server.patch(&path, r#"{"nope":1}"#, 422);
    assert!(refused.contains(r#"\\\"f:replicas\\\":{}"#), "{refused}");
}

#[test]
fn namespaces_and_definitions_check_preconditions_themselves() {
    let server = Server::default();
    let body = r#"{"preconditions":{"uid":"zz"}}"#;
    server.post("/api/v1/namespaces", r#"{"metadata":{"name":"a"}}"#, 201);
    let part = r#"on namespaces \"a\": Precondition failed: UID in precondition: zz, UID in object meta: "#;
    check(
        &server,
        ("DELETE", "/api/v1/namespaces/a"),
        (JSON, body),
        409,
        part,
    );
    let definition = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gadgets.example.com";
    let part = ": precondition failed: UID in precondition: zz, UID in object meta: ";
    check(&server, ("DELETE", definition), (JSON, body), 409, part);
    let foreground = r#"{"propagationPolicy":"Foreground"}"#;
    let part = r#""finalizers":["foregroundDeletion"]"#;
    check(
        &server,
        ("DELETE", "/api/v1/namespaces/a"),
        (JSON, foreground),
        200,
        part,
    );
}

#[test]
fn a_migration_keeps_its_spec_and_ends_once() {
    let server = Server::default();
    let body = r#"{"metadata":{"name":"a"},"spec":{"resource":{"group":"apps","resource":"deployments"}}}"#;
    server.post(MIGRATIONS, body, 201);
    let path = format!("{MIGRATIONS}/a");
    let group = "A".repeat(254);
    let bad = format!(
        r#"{{"metadata":{{"name":"b"}},"spec":{{"resource":{{"group":"{group}","resource":"a"}}}}}}"#
    );
    let refused = server.post(MIGRATIONS, &bad, 422);
    let both = "must be no more than 253 characters,a lowercase RFC 1123 subdomain must consist of";
    assert!(refused.contains(both), "one error: {refused}");
    let refused = server.patch(&path, r#"{"spec":{"resource":{"group":"batch"}}}"#, 422);
    let part = r#"spec: Invalid value: {\"Resource\":{\"group\":\"batch\",\"resource\":\"deployments\"}}: field is immutable"#;
    assert!(refused.contains(part), "{refused}");
    let status = format!("{path}/status");
    let condition = |kind: &str, status: &str| {
        format!(
            r#"{{"type":"{kind}","status":"{status}","lastTransitionTime":"2026-01-01T00:00:00Z","reason":"R","message":""}}"#
        )
    };
    let (done, failed) = (condition("Succeeded", "True"), condition("Failed", "True"));
    let cases = [
        (
            r#""resourceVersion":"01""#.to_owned(),
            422,
            "status.resourceVersion: Invalid value: \\\"01\\\": resource version is not well formed: 01",
        ),
        (
            r#""resourceVersion":"7""#.to_owned(),
            200,
            r#""resourceVersion":"7""#,
        ),
        (
            r#""resourceVersion":"8""#.to_owned(),
            422,
            "status.resourceVersion: Invalid value: \\\"8\\\": field is immutable",
        ),
        (
            format!(r#""conditions":[{done},{failed}]"#),
            422,
            "Both success and failed conditions cannot be true at the same time",
        ),
        (format!(r#""conditions":[{done}]"#), 200, r#""type":"Succeeded""#),
        (
            r#""conditions":[]"#.to_owned(),
            422,
            "Success condition cannot be set to false once it is true",
        ),
    ];
    for (members, code, part) in cases {
        let answer = server.patch(&status, &format!(r#"{{"status":{{{members}}}}}"#), code);
        assert!(answer.contains(part), "{members}: {part} is missing in {answer}");
    }
}

#[test]
fn a_bookmark_is_encoded_as_its_type() {
    let server = Server::default();
    let query =
        "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    let events = server.watched(&format!("/apis/apps/v1/deployments?{query}"));
    let part = r#""spec":{"replicas":0,"selector":null,"template":{"metadata":{},"spec":{"containers":null}},"strategy":{}},"status":{}}"#;
    assert!(events.contains(part), "{events}");
    let events = server.watched(&format!("{DEFINITIONS}?{query}"));
    let part =
        r#""status":{"conditions":null,"acceptedNames":{"plural":"","kind":""},"storedVersions":null}"#;
    assert!(events.contains(part), "{events}");
}

#[test]
fn a_status_creates_what_an_update_or_an_apply_creates() {
    let server = Server::default();
    let services = "/api/v1/namespaces/default/services";
    let body = r#"{"metadata":{"name":"a"},"spec":{"type":"LoadBalancer","ports":[{"port":80}]},"status":{"loadBalancer":{"ingress":[{"ip":"10.1.2.3"}]}}}"#;
    let path = format!("{services}/a/status");
    check(&server, ("PUT", &path), (JSON, body), 201, r#""loadBalancer":{}"#);
    check(&server, ("PUT", &path), (JSON, body), 200, "10.1.2.3");
    let empty = |api_version: &str, kind: &str| {
        format!(r#"{{"apiVersion":"{api_version}","kind":"{kind}","metadata":{{"name":"b"}}}}"#)
    };
    let path = format!("{services}/b/status");
    let answer = server.apply(&path, "m", &empty("v1", "Service"), 422);
    assert!(answer.contains("spec.ports: Required value"), "{answer}");
    let policies = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/b/status";
    let body = empty("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy");
    let answer = server.apply(policies, "m", &body, 422);
    assert!(
        answer.contains("spec.matchConstraints: Required value"),
        "{answer}"
    );
    // Others are not created.
    server.apply("/api/v1/nodes/b/status", "m", &empty("v1", "Node"), 404);
}

#[test]
fn a_taken_name_of_an_event_is_one_of_the_core_group_if_a_prefix_is_sent() {
    let server = Server::default();
    let events = "/apis/events.k8s.io/v1/namespaces/default/events";
    let with = |metadata: &str| {
        format!(
            r#"{{"metadata":{{{metadata}}},"regarding":{{"kind":"Pod","name":"p","namespace":"default"}},"reason":"R","type":"Normal",
            "action":"a","eventTime":"2026-01-01T00:00:00.000000Z","reportingController":"example.com/c","reportingInstance":"i"}}"#
        )
    };
    server.post(events, &with(r#""name":"a""#), 201);
    for (metadata, name) in [
        (r#""name":"a""#, r#"events.events.k8s.io \"a\" already exists"#),
        (
            r#""name":"a","generateName":"b-""#,
            r#""events \"a\" already exists, the server"#,
        ),
    ] {
        check(&server, ("POST", events), (JSON, &with(metadata)), 409, name);
    }
}

#[test]
fn an_empty_list_of_managers_resets_those_of_a_definition() {
    let server = Server::default();
    let definition = |managers: &str| {
        format!(
            r#"{{"metadata":{{"name":"gates.park.example.org"{managers}}},"spec":{{"group":"park.example.org","scope":"Namespaced",
            "names":{{"plural":"gates","kind":"Gate"}},"versions":[{{"name":"v1","served":true,"storage":true,
            "schema":{{"openAPIV3Schema":{{"type":"object"}}}}}}]}}}}"#
        )
    };
    server.post(DEFINITIONS, &definition(""), 201);
    let path = format!("{DEFINITIONS}/gates.park.example.org");
    let read = server.get(&path, 200);
    assert!(read.contains(r#""managedFields":[{"#), "{read}");
    let version = text(&read, &["metadata", "resourceVersion"]);
    let path = format!("{path}?dryRun=All");
    let body = definition(&format!(r#","resourceVersion":"{version}","managedFields":[]"#));
    let (code, answer) = server.ask("PUT", &path, JSON, &body);
    assert_eq!(code, 200, "{answer}");
    assert!(!answer.contains("managedFields"), "{answer}");
}

#[test]
fn storages_that_are_not_generic_cannot_delete_unreadable_objects() {
    let server = Server::default();
    let part = "no unsafe deleter provided, can not honor ignoreStoreReadErrorWithClusterBreakingPotential";
    for resource in [
        "/api/v1/namespaces",
        "/apis/rbac.authorization.k8s.io/v1/clusterroles",
    ] {
        let path = format!("{resource}/none?ignoreStoreReadErrorWithClusterBreakingPotential=true");
        check(&server, ("DELETE", &path), (JSON, ""), 500, part);
    }
}

#[test]
fn unknown_fields_without_a_name_are_printed_as_nothing() {
    let server = Server::default();
    let path = format!("{CONFIG_MAPS}?fieldValidation=Strict");
    for (body, name) in [
        (r#"{"":1}"#, r#"unknown field \"\""#),
        (r#"{"metadata":{"":1}}"#, r#"unknown field \"metadata.\""#),
        (
            r#"{"metadata":{"ownerReferences":[{"":1}]}}"#,
            r#"unknown field \"metadata.ownerReferences[0].\""#,
        ),
    ] {
        check(&server, ("POST", &path), (JSON, body), 400, name);
    }
}

#[test]
fn a_log_without_lines_has_no_content() {
    let server = Server::default();
    let pods = "/api/v1/namespaces/default/pods";
    let pod = r#"{"metadata":{"name":"a"},"spec":{"containers":[{"name":"c","image":"i"}]}}"#;
    server.post(pods, pod, 201);
    let path = format!("{pods}/a/log");
    for (accept, status, part) in [
        (JSON, 204, ""),
        ("application/vnd.kubernetes.protobuf", 204, ""),
        ("text/plain", 406, "only the following media types are accepted"),
        (
            "text/html",
            406,
            "Available representations: text/plain, application/json",
        ),
        (TABLE, 406, "only the following media types are accepted"),
        (
            "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
            500,
            "object does not implement the Object interfaces",
        ),
        (
            "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
            406,
            "not a list (*rest.LocationStreamer)",
        ),
    ] {
        check(&server, ("GET", &path), (accept, ""), status, part);
    }
}
