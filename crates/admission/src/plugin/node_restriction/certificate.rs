//! Certificates: a kubelet asks for its own, and for those of pods on its node.

use kindsmith_cel::access::Resource;
use kindsmith_gostd::base64;
use kindsmith_gostd::quote::quote;
use kindsmith_gostd::x509::request_common_name;
use kindsmith_json::Value;
use kindsmith_object::well_known::user;
use kindsmith_request::Status;

use super::{Attempt, forbid, pod};
use crate::plugin::Refusal;
use crate::plugin::server::ask;

const SIGNERS: &[&str] = &[
    "kubernetes.io/kubelet-serving",
    "kubernetes.io/kube-apiserver-client-kubelet",
];

pub(super) fn of_node(attempt: &Attempt<'_, '_>, node: &str) -> Result<(), Refusal> {
    let request = attempt.object;
    if !attempt.is_create() || !SIGNERS.contains(&request.text(&["spec", "signerName"])) {
        return Ok(());
    }
    let own = format!("{}{node}", user::NODE_PREFIX);
    let pem = base64::decode(request.text(&["spec", "request"]).as_bytes()).unwrap_or_default();
    match request_common_name(&pem) {
        Err(why) => forbid(format!("unable to parse csr: {why}")),
        Ok(name) if name == own => Ok(()),
        Ok(_) => forbid(format!("can only create a node CSR with CN={own}")),
    }
}

/// The answer when the server's view may only be late: the kubelet tries again.
fn later<T>(why: String) -> Result<T, Refusal> {
    Err(Status::unforeseen(why).into())
}

pub(super) fn of_pod(attempt: &Attempt<'_, '_>, node: &str) -> Result<(), Refusal> {
    if !attempt.is_create() {
        return forbid(format!("unexpected operation {}", attempt.operation.name()));
    }
    if !attempt.subresource.is_empty() {
        return forbid(format!("unexpected subresource {}", attempt.subresource));
    }
    let namespace = attempt.namespace;
    let given = |key: &str| attempt.object.text(&["spec", key]);
    let (named, pod_name) = (given("nodeName"), given("podName"));
    if named != node {
        return forbid(format!(
            "PodCertificateRequest.Spec.NodeName={}, which is not the requesting node {}",
            quote(named),
            quote(node)
        ));
    }
    let full = quote(&format!("{namespace}/{pod_name}"));
    let retrieving = |what: &str, full: &str, resource: &str, name: &str| {
        let name = quote(name);
        later(format!(
            "while retrieving {what} {full} named in the PodCertificateRequest: {resource} {name} not found"
        ))
    };
    let Some(stored_node) = attempt.find("", "nodes", "", node) else {
        return retrieving("node", &quote(node), "node", node);
    };
    let uid = |object: Value<'_>| quote(object.text(&["metadata", "uid"]));
    if quote(given("nodeUID")) != uid(stored_node) {
        return later(format!(
            "PodCertificateRequest for pod {full} names node UID {}, inconsistent with the running node ({})",
            quote(given("nodeUID")),
            uid(stored_node)
        ));
    }
    let Some(pod) = attempt.find("", "pods", namespace, pod_name) else {
        return retrieving("pod", &full, "pod", pod_name);
    };
    if quote(given("podUID")) != uid(pod) {
        return later(format!(
            "PodCertificateRequest for pod {full} contains pod UID ({}) which differs from running pod {}",
            quote(given("podUID")),
            uid(pod)
        ));
    }
    if pod.text(&["spec", "nodeName"]) != node {
        return forbid(format!(
            "pod {full} is not running on node {} named in the PodCertificateRequest",
            quote(node)
        ));
    }
    if pod::is_mirror(pod) {
        return forbid(format!("pod {full} is a mirror pod"));
    }
    let account = given("serviceAccountName");
    let running = pod.text(&["spec", "serviceAccountName"]);
    if account != running {
        return forbid(format!(
            "PodCertificateRequest for pod {full} contains serviceAccountName ({}) that differs from running pod ({})",
            quote(account),
            quote(running)
        ));
    }
    let Some(stored) = attempt.find("", "serviceaccounts", namespace, account) else {
        let full = quote(&format!("{namespace}/{account}"));
        return retrieving("service account", &full, "serviceaccount", account);
    };
    if quote(given("serviceAccountUID")) != uid(stored) {
        return later(format!(
            "PodCertificateRequest for pod {full} names service account UID {}, which differs from the running service account \
             ({})",
            quote(given("serviceAccountUID")),
            uid(stored)
        ));
    }
    check_signer(attempt, pod, (given("signerName"), account), &full)
}

/// A pod mounts a certificate of the signer, or the kubelet may ask for any of its account.
fn check_signer(
    attempt: &Attempt<'_, '_>,
    pod: Value<'_>,
    (signer, account): (&str, &str),
    full: &str,
) -> Result<(), Refusal> {
    let volumes = pod.list(&["spec", "volumes"]).iter();
    let mut sources = volumes.flat_map(|volume| volume.list(&["projected", "sources"]));
    if sources.any(|source| source.text(&["podCertificate", "signerName"]) == signer) {
        return Ok(());
    }
    let resource = Resource {
        namespace: attempt.namespace.to_owned(),
        group: attempt.group.to_owned(),
        // Roles cannot name resources with slashes.
        resource: signer.replace('/', ":"),
        subresource: String::new(),
        name: account.to_owned(),
    };
    let verb = "request-serviceaccounts-podcertificate-signer";
    let decision = ask(attempt.server.authorizer(), verb, resource);
    match &*decision.error {
        "" if decision.is_allowed => Ok(()),
        "" => forbid(format!(
            "pod {full} does not mount a podCertificate projected volume for signer {}",
            quote(signer)
        )),
        error => forbid(format!(
            "error authorizing {} to request podcertificaterequests for signer {}: {error}",
            attempt.server.user(),
            quote(signer)
        )),
    }
}
