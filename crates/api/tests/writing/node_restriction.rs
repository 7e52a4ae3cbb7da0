//! `NodeRestriction`: what a kubelet may write, in Kubernetes' words (messages of
//! plugin/pkg/admission/noderestriction/admission.go).

use kindsmith_api::User;

use super::server::{Server, text};

const PODS: &str = "/api/v1/namespaces/default/pods";
const JSON: &str = "application/json";
const PATCH: &str = "application/merge-patch+json";

fn kubelet(name: &str) -> User {
    User {
        name: format!("system:node:{name}"),
        groups: vec!["system:nodes".to_owned(), "system:masters".to_owned()],
        ..User::default()
    }
}

/// A server with the nodes `n` and `m`, each with a pod.
fn server() -> Server {
    let server = Server::with_plugins(&[("NodeRestriction", true)]);
    for node in ["n", "m"] {
        let body = format!(
            r#"{{"apiVersion":"v1","kind":"Node","metadata":{{"name":"{node}","labels":{{"a":"b","x.k8s.io/y":"z"}}}}}}"#
        );
        server.post("/api/v1/nodes", &body, 201);
        let pod = format!(
            r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"on-{node}"}},"spec":{{"nodeName":"{node}","terminationGracePeriodSeconds":0,"containers":[{{"name":"c","image":"i"}}]}}}}"#
        );
        server.post(PODS, &pod, 201);
    }
    server
}

#[track_caller]
fn check(server: &Server, method: &str, path: &str, body: (&str, &str), expected: Result<u16, &str>) {
    let (status, answer) = server.ask_as(&kubelet("n"), method, path, body);
    match expected {
        Ok(code) => assert_eq!(status, code, "{method} {path} {}: {answer}", body.1),
        Err(why) => {
            let message = text(&answer, &["message"]);
            assert!(
                status >= 400 && message.ends_with(why),
                "{method} {path} {}: {answer}\n{why}",
                body.1
            );
        }
    }
}

fn mirror(owners: &str, spec: &str) -> String {
    format!(
        r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"p","annotations":{{"kubernetes.io/config.mirror":"x"}},"ownerReferences":[{owners}]}},"spec":{{"containers":[{{"name":"c","image":"i"}}]{spec}}}}}"#
    )
}

#[test]
fn a_node_creates_only_mirror_pods_of_its_own() {
    let server = server();
    let uid = text(&server.get("/api/v1/nodes/n", 200), &["metadata", "uid"]);
    let owner = |rest: &str| format!(r#"{{"apiVersion":"v1","kind":"Node","name":"n","uid":"{uid}"{rest}}}"#);
    let (own, here) = (owner(r#","controller":true"#), r#","nodeName":"n""#);
    let plain = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"nodeName":"n","containers":[{"name":"c","image":"i"}]}}"#;
    for (body, expected) in [
        (
            plain.to_owned(),
            Err(
                r#"pod does not have "kubernetes.io/config.mirror" annotation, node "n" can only create mirror pods"#,
            ),
        ),
        (
            mirror(&own, r#","nodeName":"m""#),
            Err(r#"node "n" can only create pods with spec.nodeName set to itself"#),
        ),
        (
            mirror("", here),
            Err(r#"node "n" can only create pods with an owner reference set to itself"#),
        ),
        (
            mirror(&own.replace(r#""name":"n""#, r#""name":"m""#), here),
            Err(r#"node "n" can only create pods with an owner reference set to itself"#),
        ),
        (
            mirror(&[&*own, &*owner("").replace(&uid, "other")].join(","), here),
            Err(r#"node "n" can only create pods with a single owner reference set to itself"#),
        ),
        (
            mirror(&owner(""), here),
            Err(r#"node "n" can only create pods with a controller owner reference set to itself"#),
        ),
        (
            mirror(&owner(r#","controller":true,"blockOwnerDeletion":true"#), here),
            Err(r#"node "n" must not set blockOwnerDeletion on an owner reference"#),
        ),
        (
            mirror(&own.replace(&uid, "u"), here),
            Err(&*format!("node n UID mismatch: expected u got {uid}")),
        ),
        (
            mirror(&own, r#","nodeName":"n","serviceAccountName":"a""#),
            Err(r#"node "n" can not create pods that reference serviceaccounts"#),
        ),
        (
            mirror(
                &own,
                r#","nodeName":"n","volumes":[{"name":"v","configMap":{"name":"m"}}]"#,
            ),
            Err(r#"node "n" can not create pods that reference configmaps"#),
        ),
        (mirror(&own, here), Ok(201)),
    ] {
        check(&server, "POST", PODS, (JSON, &body), expected);
    }
}

#[test]
fn a_node_reports_and_ends_the_pods_on_it() {
    let eviction = |pod: &str| {
        format!(r#"{{"apiVersion":"policy/v1","kind":"Eviction","metadata":{{"name":"{pod}"}}}}"#)
    };
    let server = server();
    let label = r#"{"metadata":{"labels":{"a":"b"}}}"#;
    for (method, path, body, expected) in [
        (
            "PATCH",
            "on-n",
            (PATCH, label),
            Err(r#"unexpected operation "UPDATE", node "n" can only create and delete mirror pods"#),
        ),
        (
            "PATCH",
            "on-n/status",
            (PATCH, r#"{"status":{"message":"m"}}"#),
            Ok(200),
        ),
        (
            "PATCH",
            "on-m/status",
            (PATCH, r#"{"status":{"message":"m"}}"#),
            Err(r#"node "n" can only update pod status for pods with spec.nodeName set to itself"#),
        ),
        (
            "PATCH",
            "on-n/status",
            (PATCH, label),
            Err(r#"node "n" cannot update labels through pod status"#),
        ),
        (
            "PATCH",
            "on-n/status",
            (PATCH, r#"{"status":{"resourceClaimStatuses":[{"name":"a"}]}}"#),
            Err(r#"node "n" cannot update resource claim statues"#),
        ),
        (
            "PATCH",
            "on-n/resize",
            (PATCH, "{}"),
            Err(r#"unexpected pod subresource "resize", only 'status' and 'eviction' are allowed"#),
        ),
        (
            "POST",
            "on-n/binding",
            (
                JSON,
                r#"{"apiVersion":"v1","kind":"Binding","metadata":{"name":"on-n"},"target":{"name":"n"}}"#,
            ),
            Err(r#"unexpected pod subresource "binding", only 'status' and 'eviction' are allowed"#),
        ),
        (
            "POST",
            "on-m/eviction",
            (JSON, &*eviction("on-m")),
            Err("node n can only evict pods with spec.nodeName set to itself"),
        ),
        (
            "POST",
            "none/eviction",
            (JSON, &*eviction("none")),
            Err(r#"pod "none" not found"#),
        ),
        (
            "DELETE",
            "on-m",
            ("", ""),
            Err(r#"node "n" can only delete pods with spec.nodeName set to itself"#),
        ),
        ("DELETE", "on-n", ("", ""), Ok(200)),
    ] {
        check(&server, method, &format!("{PODS}/{path}"), body, expected);
    }
}

#[test]
fn a_node_writes_only_its_own_node() {
    let server = server();
    for (method, path, body, expected) in [
        (
            "PATCH",
            "/m",
            r#"{"metadata":{"labels":{"a":"c"}}}"#,
            Err(r#"node "n" is not allowed to modify node "m""#),
        ),
        (
            "DELETE",
            "/m",
            "",
            Err(r#"node "n" is not allowed to modify node "m""#),
        ),
        (
            "PATCH",
            "/n",
            r#"{"spec":{"taints":[{"key":"a","effect":"NoSchedule"}]}}"#,
            Err(r#"node "n" is not allowed to modify taints"#),
        ),
        (
            "PATCH",
            "/n",
            r#"{"metadata":{"ownerReferences":[{"apiVersion":"v1","kind":"Node","name":"m","uid":"u"}]}}"#,
            Err(r#"node "n" is not allowed to modify ownerReferences"#),
        ),
        (
            "PATCH",
            "/n",
            r#"{"metadata":{"labels":{"x.k8s.io/y":null,"a.node-restriction.kubernetes.io/b":"c","kubernetes.io/other":"d","kubernetes.io/os":"linux","a":"c"}}}"#,
            Err(
                "is not allowed to modify labels: a.node-restriction.kubernetes.io/b, kubernetes.io/other, x.k8s.io/y",
            ),
        ),
        (
            "PATCH",
            "/n",
            r#"{"metadata":{"labels":{"kubernetes.io/os":"linux","x.node.kubernetes.io/a":"b","example.com/a":"b"}}}"#,
            Ok(200),
        ),
        ("PATCH", "/n/status", r#"{"status":{"phase":"Running"}}"#, Ok(200)),
    ] {
        let path = format!("/api/v1/nodes{path}");
        check(&server, method, &path, (PATCH, body), expected);
    }
    server.delete("/api/v1/nodes/n", 200);
    for (labels, expected) in [
        (
            r#"{"node-restriction.kubernetes.io/a":"b"}"#,
            Err(r#"node "n" is not allowed to set the following labels: node-restriction.kubernetes.io/a"#),
        ),
        (r#"{"kubernetes.io/hostname":"n"}"#, Ok(201)),
    ] {
        let body =
            format!(r#"{{"apiVersion":"v1","kind":"Node","metadata":{{"name":"n","labels":{labels}}}}}"#);
        check(&server, "POST", "/api/v1/nodes", (JSON, &body), expected);
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "one case after the other")]
fn other_objects_of_a_node_carry_its_name() {
    let server = server();
    let namespace = r#"{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"kube-node-lease"}}"#;
    server.ask("POST", "/api/v1/namespaces", JSON, namespace);
    let lease = |name: &str| {
        format!(r#"{{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{{"name":"{name}"}}}}"#)
    };
    let leases = "/apis/coordination.k8s.io/v1/namespaces";
    let csi = |name: &str| {
        format!(
            r#"{{"apiVersion":"storage.k8s.io/v1","kind":"CSINode","metadata":{{"name":"{name}"}},"spec":{{"drivers":[]}}}}"#
        )
    };
    let slice = |node: &str| {
        format!(
            r#"{{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{{"name":"s-{node}"}},"spec":{{"driver":"d.example.com","nodeName":"{node}","pool":{{"name":"p","generation":1,"resourceSliceCount":1}}}}}}"#
        )
    };
    let slices = "/apis/resource.k8s.io/v1/resourceslices";
    server.post(slices, &slice("m"), 201);
    let certificate = |signer: &str| {
        format!(
            r#"{{"apiVersion":"certificates.k8s.io/v1","kind":"CertificateSigningRequest","metadata":{{"name":"c"}},"spec":{{"signerName":"{signer}","usages":["client auth"],"request":"eA=="}}}}"#
        )
    };
    for (method, path, body, expected) in [
        (
            "POST",
            format!("{leases}/default/leases"),
            lease("n"),
            Err(r#"can only access leases in the "kube-node-lease" system namespace"#),
        ),
        (
            "POST",
            format!("{leases}/kube-node-lease/leases"),
            lease("m"),
            Err("can only access node lease with the same name as the requesting node"),
        ),
        (
            "POST",
            format!("{leases}/kube-node-lease/leases"),
            lease("n"),
            Ok(201),
        ),
        (
            "POST",
            "/apis/storage.k8s.io/v1/csinodes".to_owned(),
            csi("m"),
            Err("can only access CSINode with the same name as the requesting node"),
        ),
        (
            "POST",
            "/apis/storage.k8s.io/v1/csinodes".to_owned(),
            csi("n"),
            Ok(201),
        ),
        (
            "POST",
            slices.to_owned(),
            slice("m").replace("s-m", "t"),
            Err("can only create ResourceSlice with the same NodeName as the requesting node"),
        ),
        (
            "DELETE",
            format!("{slices}/s-m"),
            String::new(),
            Err("can only delete ResourceSlice with the same NodeName as the requesting node"),
        ),
        (
            "POST",
            "/apis/certificates.k8s.io/v1/certificatesigningrequests".to_owned(),
            certificate("kubernetes.io/kubelet-serving"),
            Err("unable to parse csr: PEM block type must be CERTIFICATE REQUEST"),
        ),
        (
            "PATCH",
            "/api/v1/namespaces/default/persistentvolumeclaims/c".to_owned(),
            r#"{"metadata":{"labels":{"a":"b"}}}"#.to_owned(),
            Err("may only update PVC status"),
        ),
        (
            "PATCH",
            "/api/v1/namespaces/default/persistentvolumeclaims/c/status".to_owned(),
            r#"{"status":{"phase":"Lost"}}"#.to_owned(),
            Err(
                r#"node "n" is not allowed to update fields other than status.quantity and status.conditions: status"#,
            ),
        ),
        (
            "PATCH",
            "/api/v1/namespaces/default/persistentvolumeclaims/c/status".to_owned(),
            r#"{"status":{"capacity":{"storage":"1Gi"}}}"#.to_owned(),
            Ok(200),
        ),
    ] {
        if path.ends_with("claims/c") {
            let claim = r#"{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"c"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}"#;
            server.post("/api/v1/namespaces/default/persistentvolumeclaims", claim, 201);
        }
        let media = if method == "PATCH" { PATCH } else { JSON };
        check(&server, method, &path, (media, &body), expected);
    }
}

#[test]
fn a_node_gets_tokens_of_its_pods_only() {
    let server = server();
    let account = r#"{"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"a"}}"#;
    server.post("/api/v1/namespaces/default/serviceaccounts", account, 201);
    let uid = |pod: &str| text(&server.get(&format!("{PODS}/{pod}"), 200), &["metadata", "uid"]);
    let bound = |pod: &str, uid: &str, rest: &str| {
        format!(
            r#"{{"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","spec":{{"boundObjectRef":{{"apiVersion":"v1","kind":"Pod","name":"{pod}","uid":"{uid}"}}{rest}}}}}"#
        )
    };
    let path = "/api/v1/namespaces/default/serviceaccounts/a/token";
    for (body, expected) in [
        (
            r#"{"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","spec":{}}"#.to_owned(),
            Err("node requested token not bound to a pod"),
        ),
        (
            bound("on-n", "", ""),
            Err("node requested token with a pod binding without a uid"),
        ),
        (bound("none", "u", ""), Err(r#"pod "none" not found"#)),
        (
            bound("on-n", "u", ""),
            Err(
                "the UID in the bound object reference (u) does not match the UID in record. The object might have been deleted and then recreated",
            ),
        ),
        (
            bound("on-m", &uid("on-m"), ""),
            Err("node requested token bound to a pod scheduled on a different node"),
        ),
        (
            bound("on-n", &uid("on-n"), r#","audiences":["x","y"]"#),
            Err("node may only request 0 or 1 audiences"),
        ),
        // Masters may ask for every audience: the request gets as far as the check of the pod's account.
        (
            bound("on-n", &uid("on-n"), r#","audiences":["x"]"#),
            Err(
                r#"cannot bind token for serviceaccount "a" to pod running with different serviceaccount name."#,
            ),
        ),
    ] {
        check(&server, "POST", path, (JSON, &body), expected);
    }
}

#[test]
fn others_and_servers_without_the_plugin_are_left_alone() {
    let server = server();
    server.patch(
        "/api/v1/nodes/m",
        r#"{"metadata":{"labels":{"kubernetes.io/x":"y"}}}"#,
        200,
    );
    let nameless = User {
        name: "system:node:".to_owned(),
        ..kubelet("")
    };
    let patch = (PATCH, r#"{"metadata":{"labels":{"a":"b"}}}"#);
    let (status, answer) = server.ask_as(&nameless, "PATCH", "/api/v1/nodes/m", patch);
    assert_eq!(status, 403);
    assert!(
        answer.contains(r#"could not determine node from user \"system:node:\""#),
        "{answer}"
    );
    let off = Server::default();
    let node = r#"{"apiVersion":"v1","kind":"Node","metadata":{"name":"m"}}"#;
    off.post("/api/v1/nodes", node, 201);
    let (status, answer) = off.ask_as(&kubelet("n"), "PATCH", "/api/v1/nodes/m", patch);
    assert_eq!(status, 200, "{answer}");
}
