//! Answers at the edges of an API, as kube-apiserver 1.38 gives them: what is said about a request that cannot be done,
//! in which form, and what a deletion leaves behind.

use super::server::{Server, text};

const CONFIG_MAPS: &str = "/api/v1/namespaces/default/configmaps";
const AUTOSCALERS: &str = "/apis/autoscaling";
const CONTROLLER: &str = r#"{"metadata":{"name":"a"},"spec":{"selector":{"a":"b"},"template":{"metadata":{"labels":{"a":"b"}},
    "spec":{"containers":[{"name":"c","image":"i"}]}}}}"#;
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
fn preconditions_of_a_deletion_may_stand_in_the_query() {
    let server = with_config_map();
    let path = "/api/v1/namespaces/default/configmaps";
    let refused = |target: &str, part: &str| check(&server, ("DELETE", target), (JSON, ""), 409, part);
    let uid = "the UID in the precondition (x) does not match the UID in record";
    refused(&format!("{path}/a?uid=x"), uid);
    refused(&format!("{path}?uid=x"), uid);
    refused(
        &format!("{path}/a?resourceVersion=x"),
        "the ResourceVersion in the precondition (x) does not match the ResourceVersion in record",
    );
    let target = format!("{path}/a?uid=x&resourceVersion=x");
    check(&server, ("DELETE", &target), (JSON, "{}"), 200, "Success");
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

/// Strategic merge patches and applies are converted, not decoded from text (`fromUnstructured` in apimachinery's pkg/runtime/converter.go).
#[test]
fn numbers_that_are_converted_keep_what_go_keeps() {
    let server = Server::default();
    server.post(CONTROLLERS, CONTROLLER, 201);
    let path = format!("{CONTROLLERS}/a");
    let strategic = "application/strategic-merge-patch+json";
    let replicas = |number: &str| format!(r#"{{"spec":{{"replicas":{number}}}}}"#);
    check(
        &server,
        ("PATCH", &path),
        (strategic, &replicas("5.0")),
        200,
        r#""replicas":5"#,
    );
    let applied = r#"{"apiVersion":"v1","kind":"ReplicationController","metadata":{"name":"a"},"spec":{"replicas":2147483648}}"#;
    let wrapped = "spec.replicas: Invalid value: -2147483648";
    let forced = format!("{path}?fieldManager=m&force=true");
    check(
        &server,
        ("PATCH", &forced),
        ("application/apply-patch+yaml", applied),
        422,
        wrapped,
    );
    check(
        &server,
        ("PATCH", &path),
        ("application/merge-patch+json", &replicas("5.0")),
        422,
        "cannot unmarshal number 5.0 into Go struct field",
    );
}

/// `WarningsOnUpdate` in pkg/registry/core/replicationcontroller/strategy.go passes the templates in the wrong order.
#[test]
fn updates_of_replication_controllers_warn_about_the_template_there_was() {
    let server = Server::default();
    server.post(CONTROLLERS, CONTROLLER, 201);
    let path = format!("{CONTROLLERS}/a");
    for (secrets, expected) in [(r#"[{"name":""}]"#, 0), ("[]", 1), (r#"[{"name":"s"}]"#, 0)] {
        let patch = format!(r#"{{"spec":{{"template":{{"spec":{{"imagePullSecrets":{secrets}}}}}}}}}"#);
        let found = server.warned(&path, "application/merge-patch+json", &patch);
        assert_eq!(found, expected, "{secrets}");
    }
}

/// What has no watch cache does not say when to come again: events (`NewTooLargeResourceVersionError`).
#[test]
fn a_list_of_the_future_says_when_to_come_again() {
    let server = Server::default();
    let events = CONFIG_MAPS.replace("configmaps", "events");
    for (path, end) in [
        (
            CONFIG_MAPS,
            r#""message":"Too large resource version"}],"retryAfterSeconds":1}"#,
        ),
        (&events, r#""message":"Too large resource version"}]}"#),
    ] {
        for query in ["", "&resourceVersionMatch=Exact", "&limit=1"] {
            let path = format!("{path}?resourceVersion=99999{query}");
            check(&server, ("GET", &path), ("", ""), 504, end);
        }
    }
}

#[test]
fn terms_of_field_selectors_that_say_nothing_select_everything() {
    let server = with_config_map();
    for (selector, status, part) in [
        ("%3D", 200, r#""name":"a""#),
        ("%21%3D,%3D%3D", 200, r#""name":"a""#),
        ("metadata.name%3Da%5C%2Cb", 200, r#""items":[]"#),
        ("%3Dx", 400, r#"\"\" is not a known field selector"#),
    ] {
        let path = format!("{CONFIG_MAPS}?fieldSelector={selector}");
        check(&server, ("GET", &path), ("", ""), status, part);
    }
}

#[test]
fn what_cannot_be_watched_says_so() {
    let path = "/api/v1/componentstatuses?watch=true";
    let told = r#"watch is not supported on resources of kind \"componentstatuses\""#;
    check(&Server::default(), ("GET", path), ("", ""), 405, told);
}

/// `validateResources` in pkg/apis/admissionregistration/validation: the last resource without a subresource decides.
#[test]
fn a_star_beside_resources_is_told_where_it_is_not_last() {
    let server = Server::default();
    let path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations?dryRun=All";
    for (resources, status, part) in [
        (r#""pods","*""#, 201, ""),
        (
            r#""*","pods""#,
            422,
            "must not specify other resources without subresources",
        ),
    ] {
        let body = format!(
            r#"{{"metadata":{{"name":"a"}},"webhooks":[{{"name":"a.b.c","admissionReviewVersions":["v1"],"sideEffects":"None",
            "clientConfig":{{"url":"https://a"}},"rules":[{{"apiGroups":[""],"apiVersions":["v1"],"operations":["*"],"resources":[{resources}]}}]}}]}}"#
        );
        check(&server, ("POST", path), (JSON, &body), status, part);
    }
}

/// An apply that changes no value takes the stored object as it is (`managedFieldsUpdater.Apply`).
#[test]
fn an_apply_of_what_is_there_sets_no_defaults() {
    let server = Server::default();
    let version = |name: &str, stored: bool, more: &str| {
        format!(
            r#"{{"name":"{name}","served":true,"storage":{stored},"schema":{{"openAPIV3Schema":{{"type":"object","properties":{{"spec":{{"type":"object",
            "properties":{{"a":{{"type":"string"}}{more}}}}}}}}}}}}}"#
        )
    };
    let newer = version("v2", false, r#","b":{"type":"string","default":"x"}"#);
    let body = format!(
        r#"{{"metadata":{{"name":"doors.other.org"}},"spec":{{"group":"other.org","scope":"Cluster","names":{{"plural":"doors","kind":"Door"}},
        "versions":[{},{newer}]}}}}"#,
        version("v1", true, "")
    );
    server.post(DEFINITIONS, &body, 201);
    let apply = |version: &str, labels: &str, status| {
        let body = format!(
            r#"{{"apiVersion":"other.org/{version}","kind":"Door","metadata":{{"name":"a"{labels}}},"spec":{{"a":"x"}}}}"#
        );
        let answer = server.apply(&format!("/apis/other.org/{version}/doors/a"), "m", &body, status);
        answer[answer.find(r#""generation""#).unwrap_or_default()..][..14].to_owned()
    };
    assert_eq!(apply("v1", "", 201), r#""generation":1"#);
    assert_eq!(apply("v2", "", 200), r#""generation":1"#);
    assert_eq!(
        apply("v2", r#","labels":{"a":"b"}"#, 200),
        r#""generation":2"#,
        "the default of v2 is a change"
    );
}

#[test]
fn faults_of_a_patch_itself_are_ignored_if_asked() {
    let server = with_config_map();
    for (validation, expected) in [("Warn", 1), ("Ignore", 0)] {
        let path = format!("{CONFIG_MAPS}/a?fieldValidation={validation}");
        for (media, patch) in [
            ("merge-patch", r#"{"data":{"a":"1","a":"2"}}"#),
            ("strategic-merge-patch", r#"{"data":{"a":"1","a":"2"}}"#),
            (
                "json-patch",
                r#"[{"op":"add","path":"/data","value":{"a":"1"},"x":1}]"#,
            ),
        ] {
            let found = server.warned(&path, &format!("application/{media}+json"), patch);
            assert_eq!(found, expected, "{validation} {media}");
        }
    }
}

#[test]
fn long_names_of_counters_are_told_once() {
    let server = Server::default();
    let name = "x".repeat(64);
    let body = format!(
        r#"{{"metadata":{{"name":"a"}},"spec":{{"driver":"d.example.com","nodeName":"n","pool":{{"name":"p","generation":1,"resourceSliceCount":1}},
        "sharedCounters":[{{"name":"{name}","counters":{{"{name}":{{"value":"1"}}}}}}]}}}}"#
    );
    let told = server.post("/apis/resource.k8s.io/v1/resourceslices", &body, 422);
    assert_eq!(
        told.matches(r#""field":"spec.sharedCounters[0]."#).count(),
        2,
        "{told}"
    );
    assert!(!told.contains("63 characters"), "{told}");
}
