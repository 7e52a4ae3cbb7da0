//! What writes of built-in kinds are checked for beyond their own fields. Each answer was seen with kube-apiserver 1.38.

use super::server::Server;

/// Creates an object, changes a part of it and sends it again: the status, and all parts of the answer.
#[track_caller]
fn check(path: &str, object: &str, (part, instead): (&str, &str), status: u16, answer: &[&str]) {
    let server = Server::default();
    server.post(path, object, 201);
    let name = object
        .split(r#""name":""#)
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    let path = format!("{path}/{}", name.expect("the metadata comes first"));
    assert!(object.contains(part), "{part} in {object}");
    let said = server.put(&path, &object.replacen(part, instead, 1), status);
    for text in answer {
        assert!(said.contains(text), "{text}\n{said}");
    }
}

const STORAGE: &str = "/apis/storage.k8s.io/v1";
const ADDRESSES: &str = "/apis/networking.k8s.io/v1/ipaddresses";
const ADDRESS: &str = r#"{"metadata":{"name":"192.168.9.9"},"spec":{"parentRef":{"resource":"services","name":"s","namespace":"n"}}}"#;
const IMMUTABLE: &str = "spec.parentRef: Invalid value: null: field is immutable";

#[test]
fn an_update_of_some_kinds_must_be_a_valid_new_object() {
    let generated = (r#""metadata":{"#, r#""metadata":{"generateName":"-A","#);
    for (path, object) in [
        (ADDRESSES, ADDRESS),
        (
            &*format!("{STORAGE}/storageclasses"),
            r#"{"metadata":{"name":"c"},"provisioner":"p"}"#,
        ),
        (
            &*format!("{STORAGE}/namespaces/default/csistoragecapacities"),
            r#"{"metadata":{"name":"c"},"storageClassName":"c"}"#,
        ),
        (
            "/apis/node.k8s.io/v1/runtimeclasses",
            r#"{"metadata":{"name":"c","resourceVersion":""},"handler":"h"}"#,
        ),
        ("/api/v1/nodes", r#"{"metadata":{"name":"n"}}"#),
    ] {
        let answer = r#"metadata.generateName: Invalid value: \"-A\""#;
        // Two of the kinds want the version that is replaced, which is checked later.
        if path.contains("capacities") || path.contains("runtimeclasses") {
            let server = Server::default();
            server.post(path, object, 201);
            let patch = r#"{"metadata":{"generateName":"-A"}}"#;
            let said = server.patch(&format!("{path}/c"), patch, 422);
            assert!(said.contains(answer), "{path}: {said}");
        } else {
            check(path, object, generated, 422, &[answer]);
        }
    }
    let bad = r#"[spec.parentRef.name: Invalid value: \"a/b\": may not contain '/', "#;
    let slash = (r#""name":"s""#, r#""name":"a/b""#);
    check(ADDRESSES, ADDRESS, slash, 422, &[bad, IMMUTABLE]);
    let none = (r#""name":"s","#, "");
    let missing = format!("[spec.parentRef.name: Required value, {IMMUTABLE}]");
    check(ADDRESSES, ADDRESS, none, 422, &[&missing]);
}

#[test]
fn templates_have_labels_and_annotations_only() {
    let server = Server::default();
    let path = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaimtemplates";
    for (member, shown) in [
        (r#""uid":"u""#, "uID"),
        (r#""finalizers":[]"#, "finalizers"),
        (r#""deletionGracePeriodSeconds":0"#, "deletionGracePeriodSeconds"),
    ] {
        let body = format!(r#"{{"metadata":{{"name":"t"}},"spec":{{"metadata":{{{member}}},"spec":{{}}}}}}"#);
        let said = server.post(path, &body, 422);
        let expected = format!("spec.metadata.{shown}: Forbidden: cannot be set");
        assert!(said.contains(&expected), "{expected}: {said}");
    }
    let body = r#"{"metadata":{"name":"t"},"spec":{"metadata":{"generation":0,"name":""},"spec":{}}}"#;
    server.post(path, body, 201);
}

const SET: &str = r#"{"metadata":{"name":"d","annotations":{"deprecated.daemonset.template.generation":"1"}},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}"#;

#[test]
fn the_generation_of_a_template_is_a_number_that_counts_changes() {
    let sets = "/apis/apps/v1/namespaces/default/daemonsets";
    let counted = |number: u8| format!(r#""deprecated.daemonset.template.generation":"{number}""#);
    let containers = r#""containers":["#;
    let empty = (
        containers,
        r#""nodeSelector":{},"initContainers":[],"containers":["#,
    );
    check(sets, SET, empty, 200, &[&counted(1)]);
    let other = (containers, r#""nodeSelector":{"a":"b"},"containers":["#);
    check(sets, SET, other, 200, &[&counted(2)]);
    let word = (r#"generation":"1""#, r#"generation":"http""#);
    let refused = r#"cannot be handled as a DaemonSet: strconv.ParseInt: parsing \"http\": invalid syntax"#;
    check(sets, SET, word, 400, &[refused]);
    // Metadata alone is made of the internal form, where it is a field.
    let server = Server::default();
    server.post(sets, SET, 201);
    let target = format!("{sets}/d");
    for form in ["Table", "PartialObjectMetadata"] {
        let accept = format!("application/json;as={form};v=v1;g=meta.k8s.io");
        let (status, answer) = server.get_bytes(&target, &accept);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let has_any = answer.contains(r#""annotations":{"#);
        assert_eq!((status, has_any), (200, false), "{answer}");
    }
}

#[test]
fn selectors_are_shown_in_the_order_of_their_type() {
    let sets = "/apis/apps/v1/namespaces/default/daemonsets";
    let wider = (
        r#""selector":{"matchLabels":{"a":"b"}}"#,
        r#""selector":{"matchExpressions":[{"operator":"Exists","key":"a"}],"matchLabels":{"a":"b"}}"#,
    );
    let shown = r#"spec.selector: Invalid value: {\"matchLabels\":{\"a\":\"b\"},\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"Exists\"}]}: field is immutable"#;
    check(sets, SET, wider, 422, &[shown]);
}

#[test]
fn sources_of_claims_in_other_namespaces_stay_where_one_was() {
    let claims = "/api/v1/namespaces/default/persistentvolumeclaims";
    let claim = r#"{"metadata":{"name":"c"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}},"dataSourceRef":{"kind":"PersistentVolumeClaim","name":"o"}}}"#;
    let elsewhere = (r#""name":"o""#, r#""name":"o","namespace":"A_B""#);
    let bad = r#"spec.dataSourceRef.namespace: Invalid value: \"A_B\": a lowercase RFC 1123 label"#;
    check(claims, claim, elsewhere, 422, &[bad]);
    let both = (
        r#""dataSourceRef""#,
        r#""dataSource":{"kind":"PersistentVolumeClaim","name":"o"},"dataSourceRef""#,
    );
    let server = Server::default();
    server.post(claims, claim, 201);
    let sent = claim
        .replacen(elsewhere.0, elsewhere.1, 1)
        .replacen(both.0, both.1, 1);
    let said = server.put(&format!("{claims}/c"), &sent, 422);
    let twice = "spec: Invalid value: {}: may not be specified when dataSourceRef.namespace is specified";
    assert!(said.contains(twice), "{said}");
}

#[test]
fn an_empty_range_is_not_a_known_one() {
    let policies = "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies";
    let policy = r#"{"metadata":{"name":"p"},"spec":{"podSelector":{},"ingress":[{"from":[{"podSelector":{}},{"ipBlock":{"cidr":"10.0.0.0/8","except":["10.1.0.0/16"]}}]}]}}"#;
    let null = (r#"["10.1.0.0/16"]"#, "[null]");
    let bad = r#"spec.ingress[0].from[1].ipBlock.except[0]: Invalid value: \"\": must be a valid CIDR value"#;
    check(policies, policy, null, 422, &[bad]);
}

#[test]
fn selectors_of_jobs_must_select_what_is_generated() {
    let server = Server::default();
    let refused = "`selector` not auto-generated";
    for (selector, is_told) in [
        (r#"{"matchLabels":{"a":"b"}}"#, true),
        (r#"{"matchExpressions":[{"key":"a","operator":"Exists"}]}"#, true),
        (
            r#"{"matchExpressions":[{"key":"a","operator":"DoesNotExist"}]}"#,
            false,
        ),
        // What is wrong with it is told alone.
        (r#"{"matchLabels":{"a":"b c"}}"#, false),
    ] {
        let body = format!(
            r#"{{"metadata":{{"name":"j"}},"spec":{{"selector":{selector},"template":{{"spec":{{"restartPolicy":"Never","containers":[{{"name":"c","image":"i"}}]}}}}}}}}"#
        );
        let (_, said) = server.ask(
            "POST",
            "/apis/batch/v1/namespaces/default/jobs?dryRun=All",
            "application/json",
            &body,
        );
        assert_eq!(said.contains(refused), is_told, "{selector}: {said}");
    }
}
