//! What the plugins `ServiceAccount`, `RuntimeClass` and `PodSecurity` refuse, when they change a pod and when they judge it.

use std::sync::Arc;
use std::time::Duration;

use kindsmith_admission::{Answer, Call, CallError, Called, Caller};
use kindsmith_api::Plugin;
use kindsmith_object::Release;

use super::server::Server;

const PODS: &str = "/api/v1/namespaces/default/pods";
const ACCOUNTS: &str = "/api/v1/namespaces/default/serviceaccounts";
const CLASSES: &str = "/apis/node.k8s.io/v1/runtimeclasses";
const WEBHOOKS: &str = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";

#[track_caller]
fn says(answer: &str, expected: &str) {
    assert!(answer.contains(expected), "{expected}\n{answer}");
}

fn pod(annotations: &str, spec: &str) -> String {
    format!(
        r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"generateName":"p-","name":"p","annotations":{{{annotations}}}}},"spec":{{"containers":[{{"name":"c","image":"i"}}]{spec}}}}}"#
    )
}

fn account(annotation: &str) -> String {
    format!(
        r#"{{"apiVersion":"v1","kind":"ServiceAccount","metadata":{{"name":"default","annotations":{{"kubernetes.io/enforce-mountable-secrets":"{annotation}"}}}},"secrets":[{{"name":"s"}}]}}"#
    )
}

fn volume(secret: &str) -> String {
    format!(r#","volumes":[{{"name":"v","secret":{{"secretName":"{secret}"}}}}]"#)
}

#[test]
fn mirror_pods_need_no_account_and_no_secrets() {
    let server = Server::with_plugins(&[("ServiceAccount", true)]);
    let mirror = r#""kubernetes.io/config.mirror":"x""#;
    let token = r#","volumes":[{"name":"v","projected":{"sources":[{"serviceAccountToken":{"path":"t"}}]}}]"#;
    for (spec, expected) in [
        (
            r#","serviceAccountName":"a""#,
            "a mirror pod may not reference service accounts",
        ),
        (&*volume("s"), "a mirror pod may not reference secrets"),
        (
            token,
            "a mirror pod may not use ServiceAccountToken volume projections",
        ),
    ] {
        let answer = server.post(PODS, &pod(mirror, spec), 403);
        says(&answer, &format!("pods \\\"p\\\" is forbidden: {expected}"));
    }
    server.post(PODS, &pod(mirror, r#","nodeName":"n""#), 201);
}

#[test]
fn an_account_can_limit_the_secrets_of_its_pods() {
    let server = Server::with_plugins(&[("ServiceAccount", true)]);
    says(
        &server.post(PODS, &pod("", ""), 403),
        "error looking up service account default/default: serviceaccount \\\"default\\\" not found",
    );
    server.post(ACCOUNTS, &account("true"), 201);
    says(
        &server.post(PODS, &pod("", &volume("t")), 403),
        "volume with secret.secretName=\\\"t\\\" is not allowed because service account default does not reference that secret",
    );
    server.post(PODS, &pod("", &volume("s")), 201);
    let debug = r#"{"spec":{"ephemeralContainers":[{"name":"e","image":"i","envFrom":[{"secretRef":{"name":"t"}}]}]}}"#;
    says(
        &server.patch(&format!("{PODS}/p/ephemeralcontainers"), debug, 500),
        "ephemeral container e with envFrom referencing secret.secretName=\\\"t\\\" is not allowed because service account default does not reference that secret",
    );
    server.put(&format!("{ACCOUNTS}/default"), &account("no"), 200);
    server.patch(&format!("{PODS}/p/ephemeralcontainers"), debug, 200);
}

/// Answers every review with the same patch.
#[derive(Debug)]
struct Patches(&'static str);

impl Caller for Patches {
    fn call(&self, calls: &[Call<'_>]) -> Vec<Called> {
        let patch = kindsmith_gostd::base64::encode(self.0.as_bytes());
        let answer = |call: &Call<'_>| -> Result<Answer, CallError> {
            let (_, rest) = call.body.split_once(r#""uid":""#).expect("a review has a uid");
            let uid = rest.split('"').next().unwrap_or_default();
            let body = format!(
                r#"{{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{{"uid":"{uid}","allowed":true,"patchType":"JSONPatch","patch":"{patch}"}}}}"#
            );
            Ok(Answer {
                status: 200,
                content_type: "application/json".to_owned(),
                body: body.into_bytes(),
            })
        };
        let called = |call| Called {
            result: answer(call),
            took: Duration::ZERO,
        };
        calls.iter().map(called).collect()
    }
}

/// A server with a webhook that patches pods.
fn patched(patch: &'static str) -> Server {
    let server = Server::configured(|options| {
        options.admission.plugins.switch(Plugin::ServiceAccount, true);
        options.webhooks.caller = Some(Arc::new(Patches(patch)));
    });
    server.post(ACCOUNTS, &account("true"), 201);
    let class = r#"{"apiVersion":"node.k8s.io/v1","kind":"RuntimeClass","metadata":{"name":"c"},"handler":"h","overhead":{"podFixed":{"cpu":"1"}}}"#;
    server.post(CLASSES, class, 201);
    let webhook = r#"{"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingWebhookConfiguration","metadata":{"name":"w"},"webhooks":[{"name":"w.example.org","clientConfig":{"url":"https://w.example.org"},"rules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE"],"resources":["pods"]}],"sideEffects":"None","admissionReviewVersions":["v1"]}]}"#;
    server.post(WEBHOOKS, webhook, 201);
    server
}

#[test]
fn what_a_webhook_changes_is_judged_too() {
    let of_class = r#","runtimeClassName":"c""#;
    for (patch, spec, expected) in [
        (
            r#"[{"op":"replace","path":"/spec/serviceAccountName","value":"other"}]"#,
            "",
            "error looking up service account default/other: serviceaccount \\\"other\\\" not found",
        ),
        (
            r#"[{"op":"add","path":"/spec/imagePullSecrets","value":[{"name":"q"}]}]"#,
            "",
            "imagePullSecrets[0].name=\\\"q\\\" is not allowed because service account default does not reference that imagePullSecret",
        ),
        (
            r#"[{"op":"replace","path":"/spec/overhead/cpu","value":"2"}]"#,
            of_class,
            "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
        ),
        (
            r#"[{"op":"add","path":"/spec/runtimeClassName","value":"none"}]"#,
            "",
            "pod rejected: RuntimeClass \\\"none\\\" not found",
        ),
    ] {
        let answer = patched(patch).post(PODS, &pod("", spec), 403);
        says(&answer, &format!("pods \\\"p\\\" is forbidden: {expected}"));
    }
}

#[test]
fn a_pod_may_repeat_the_overhead_of_its_class() {
    let server = Server::default();
    let class = r#"{"apiVersion":"node.k8s.io/v1","kind":"RuntimeClass","metadata":{"name":"c"},"handler":"h","overhead":{"podFixed":{"cpu":"1"}}}"#;
    server.post(CLASSES, class, 201);
    let spec = r#","runtimeClassName":"c","overhead":{"cpu":"1000m"}"#;
    says(
        &server.post(PODS, &pod("", spec), 201),
        r#""overhead":{"cpu":"1"}"#,
    );
}

/// The status of a pod with this spec in a namespace whose labels enforce a level, as a release judges it.
fn judged(release: Release, (level, version): (&str, &str), spec: &str) -> (u16, String) {
    let server = Server::configured(|options| {
        options.admission.plugins.switch(Plugin::ServiceAccount, false);
        options.admission.plugins.keep_to(release);
    });
    let prefix = "pod-security.kubernetes.io/enforce";
    let labels = format!(r#""{prefix}":"{level}","{prefix}-version":"{version}""#);
    let namespace = format!(r#"{{"metadata":{{"name":"n","labels":{{{labels}}}}}}}"#);
    server.post("/api/v1/namespaces", &namespace, 201);
    let path = "/api/v1/namespaces/n/pods";
    server.ask("POST", path, "application/json", &pod("", spec))
}

#[test]
fn pods_are_judged_by_the_version_that_a_label_names() {
    let sysctl =
        |name: &str| format!(r#","securityContext":{{"sysctls":[{{"name":"{name}","value":"1"}}]}}"#);
    let (rmem, idle) = (
        sysctl("net.ipv4.tcp_rmem"),
        sysctl("net.ipv4.tcp_slow_start_after_idle"),
    );
    let engine = r#","securityContext":{"seLinuxOptions":{"type":"container_engine_t"}}"#;
    for (minor, version, spec, is_allowed) in [
        (38, "latest", &*rmem, true),
        (38, "v1.32", &*rmem, true),
        (38, "v1.31", &*rmem, false),
        (38, "latest", &*idle, true),
        (38, "v1.99", &*idle, true),
        (37, "latest", &*idle, true),
        (36, "latest", &*idle, false),
        (36, "v1.37", &*idle, false),
        (38, "v1.31", engine, true),
        (38, "v1.30", engine, false),
    ] {
        let (status, answer) = judged(Release::minor(minor), ("baseline", version), spec);
        let expected = if is_allowed { 201 } else { 403 };
        assert_eq!(status, expected, "1.{minor} {version} {spec}: {answer}");
        if !is_allowed {
            says(
                &answer,
                &format!(r#"violates PodSecurity \"baseline:{version}\": "#),
            );
        }
    }
}

#[test]
fn restricted_rules_came_one_by_one() {
    for (version, expected) in [
        ("v1.0", "runAsNonRoot != true"),
        ("v1.8", "allowPrivilegeEscalation != false"),
        ("v1.19", "must set securityContext.seccompProfile.type"),
        ("v1.22", "unrestricted capabilities"),
    ] {
        let newest = Release::NEWEST;
        let (status, answer) = judged(newest, ("restricted", version), "");
        assert_eq!(status, 403, "{version}: {answer}");
        says(&answer, expected);
        let before = match version {
            "v1.8" => "v1.7",
            "v1.19" => "v1.18",
            "v1.22" => "v1.21",
            _ => continue,
        };
        let (_, answer) = judged(newest, ("restricted", before), "");
        assert!(!answer.contains(expected), "{before}: {answer}");
    }
    let own_users = r#","hostUsers":false,"securityContext":{"runAsUser":0}"#;
    let (_, answer) = judged(Release::NEWEST, ("restricted", "v1.34"), own_users);
    says(&answer, "runAsUser=0");
    let (_, answer) = judged(Release::NEWEST, ("restricted", "v1.35"), own_users);
    assert!(!answer.contains("runAsUser"), "{answer}");
}
