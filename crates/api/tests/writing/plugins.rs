//! Admission plugins: what they set and what they refuse, in Kubernetes' words.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use kindsmith_admission::{Answer, Call, CallError, Called, Caller};
use kindsmith_api::{EventLimits, ImagePolicySettings, Plugin, User};
use kindsmith_json::{Arena, parse_str};

use super::server::Server;

const PODS: &str = "/api/v1/namespaces/default/pods";
const CLAIMS: &str = "/api/v1/namespaces/default/persistentvolumeclaims";
const REQUESTS: &str = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

#[track_caller]
fn says(answer: &str, expected: &str) {
    assert!(answer.contains(expected), "{expected}\n{answer}");
}

fn pod(name: &str, resources: &str) -> String {
    format!(
        r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{name}"}},"spec":{{"containers":[{{"name":"c","image":"i","resources":{resources}}}]}}}}"#
    )
}

fn claim(name: &str, storage: &str) -> String {
    format!(
        r#"{{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{{"name":"{name}"}},"spec":{{"accessModes":["ReadWriteOnce"],"storageClassName":"grows","resources":{{"requests":{{"storage":"{storage}"}}}}}}}}"#
    )
}

fn limit_range(server: &Server, limit: &str) {
    let body = format!(
        r#"{{"apiVersion":"v1","kind":"LimitRange","metadata":{{"name":"r"}},"spec":{{"limits":[{limit}]}}}}"#
    );
    server.post("/api/v1/namespaces/default/limitranges", &body, 201);
}

#[test]
fn a_limit_range_sets_defaults_and_says_so() {
    let server = Server::default();
    limit_range(
        &server,
        r#"{"type":"Container","default":{"cpu":"2","memory":"1Gi"},"defaultRequest":{"cpu":"1"}}"#,
    );
    let answer = server.post(PODS, &pod("a", r#"{"limits":{"memory":"2Gi"}}"#), 201);
    says(
        &answer,
        r#""kubernetes.io/limit-ranger":"LimitRanger plugin set: cpu request for container c; cpu limit for container c""#,
    );
    says(
        &answer,
        r#""resources":{"limits":{"cpu":"2","memory":"2Gi"},"requests":{"cpu":"1","memory":"2Gi"}}"#,
    );
    let off = Server::with_plugins(&[("LimitRanger", false)]);
    limit_range(&off, r#"{"type":"Container","defaultRequest":{"cpu":"1"}}"#);
    let answer = off.post(PODS, &pod("a", "{}"), 201);
    assert!(!answer.contains("limit-ranger"), "{answer}");
}

#[test]
fn a_limit_range_bounds_containers_pods_and_claims() {
    for (limit, path, body, expected) in [
        (
            r#"{"type":"Container","min":{"memory":"2Gi"}}"#,
            PODS,
            pod("a", r#"{"requests":{"memory":"1Gi"}}"#),
            "pods \\\"a\\\" is forbidden: minimum memory usage per Container is 2Gi, but request is 1Gi",
        ),
        (
            r#"{"type":"Container","max":{"cpu":"1"}}"#,
            PODS,
            pod("a", r#"{"limits":{"cpu":"1001m"}}"#),
            "maximum cpu usage per Container is 1, but limit is 1001m",
        ),
        (
            r#"{"type":"Pod","max":{"cpu":"1"}}"#,
            PODS,
            pod("a", "{}"),
            "maximum cpu usage per Pod is 1.  No limit is specified",
        ),
        (
            r#"{"type":"Pod","maxLimitRequestRatio":{"cpu":"2"}}"#,
            PODS,
            pod("a", r#"{"limits":{"cpu":"3"},"requests":{"cpu":"1"}}"#),
            "cpu max limit to request ratio per Pod is 2, but provided ratio is 3.000000",
        ),
        (
            r#"{"type":"PersistentVolumeClaim","max":{"storage":"1Gi"},"min":{"storage":"2"}}"#,
            CLAIMS,
            claim("a", "2Gi"),
            "maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 2Gi",
        ),
    ] {
        let server = Server::default();
        limit_range(&server, limit);
        says(&server.post(path, &body, 403), expected);
    }
}

fn quota(server: &Server, spec: &str, status: &str) {
    const QUOTAS: &str = "/api/v1/namespaces/default/resourcequotas";
    let body = |status: &str| {
        format!(
            r#"{{"apiVersion":"v1","kind":"ResourceQuota","metadata":{{"name":"q"}},"spec":{spec},"status":{status}}}"#
        )
    };
    server.post(QUOTAS, &body("{}"), 201);
    server.put(&format!("{QUOTAS}/q/status"), &body(status), 200);
}

#[test]
fn a_quota_is_charged_until_it_is_used_up() {
    let server = Server::default();
    let hard = r#"{"hard":{"requests.cpu":"2","pods":"5","count/configmaps":"1"}}"#;
    let status = r#"{"hard":{"requests.cpu":"2","pods":"5","count/configmaps":"1"},"used":{"requests.cpu":"0","pods":"0","count/configmaps":"0"}}"#;
    quota(&server, hard, status);
    let one = |name: &str, cpu: &str| pod(name, &format!(r#"{{"requests":{{"cpu":"{cpu}"}}}}"#));
    server.post(&format!("{PODS}?dryRun=All"), &one("a", "1500m"), 201);
    server.post(PODS, &one("a", "1500m"), 201);
    let used = server.get("/api/v1/namespaces/default/resourcequotas/q", 200);
    says(
        &used,
        r#""used":{"count/configmaps":"0","pods":"1","requests.cpu":"1500m"}"#,
    );
    says(&used, r#""manager":"kube-apiserver","operation":"Update""#);
    says(
        &server.post(PODS, &one("b", "1"), 403),
        "pods \\\"b\\\" is forbidden: exceeded quota: q, requested: requests.cpu=1, used: requests.cpu=1500m, limited: requests.cpu=2",
    );
    says(
        &server.post(PODS, &pod("b", "{}"), 403),
        "failed quota: q: must specify requests.cpu for: c",
    );
    let map =
        |name: &str| format!(r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{name}"}}}}"#);
    let maps = "/api/v1/namespaces/default/configmaps";
    server.post(maps, &map("a"), 201);
    says(
        &server.post(maps, &map("b"), 403),
        "exceeded quota: q, requested: count/configmaps=1, used: count/configmaps=1, limited: count/configmaps=1",
    );
}

#[test]
fn a_quota_without_a_status_does_not_count_yet() {
    let server = Server::default();
    quota(&server, r#"{"hard":{"pods":"0"}}"#, "{}");
    server.post(PODS, &pod("a", "{}"), 201);
    let server = Server::default();
    quota(&server, r#"{"hard":{"pods":"1"}}"#, r#"{"hard":{"pods":"1"}}"#);
    says(
        &server.post(PODS, &pod("a", "{}"), 403),
        "status unknown for quota: q, resources: pods",
    );
}

#[test]
fn claims_grow_if_they_are_bound_and_their_class_allows_it() {
    let server = Server::default();
    server.post(CLAIMS, &claim("a", "1Gi"), 201);
    let path = format!("{CLAIMS}/a");
    let grow = r#"{"spec":{"resources":{"requests":{"storage":"2Gi"}}}}"#;
    says(
        &server.patch(&path, grow, 422),
        "spec is immutable after creation",
    );
    server.patch(&format!("{path}/status"), r#"{"status":{"phase":"Bound"}}"#, 200);
    says(
        &server.patch(&path, grow, 403),
        "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize",
    );
    let class = r#"{"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","metadata":{"name":"grows"},"provisioner":"example.com/p","allowVolumeExpansion":true}"#;
    server.post("/apis/storage.k8s.io/v1/storageclasses", class, 201);
    server.patch(&path, grow, 200);
}

/// A request for a certificate of the group `system:masters`.
const MASTERS_REQUEST: &str = include_str!("masters_request.txt");

fn signing(name: &str, signer: &str) -> String {
    format!(
        r#"{{"apiVersion":"certificates.k8s.io/v1","kind":"CertificateSigningRequest","metadata":{{"name":"{name}"}},"spec":{{"signerName":"{signer}","request":"{}","usages":["client auth"]}}}}"#,
        MASTERS_REQUEST.trim()
    )
}

#[test]
fn nobody_asks_for_a_certificate_of_administrators() {
    let server = Server::default();
    says(
        &server.post(
            REQUESTS,
            &signing("a", "kubernetes.io/kube-apiserver-client"),
            403,
        ),
        "certificatesigningrequests.certificates.k8s.io \\\"a\\\" is forbidden: use of kubernetes.io/kube-apiserver-client \
         signer with system:masters group is not allowed",
    );
    server.post(REQUESTS, &signing("a", "example.com/own"), 201);
}

#[test]
fn signers_are_approved_and_signed_by_permission() {
    let server = Server::default();
    server.post(REQUESTS, &signing("a", "example.com/own"), 201);
    let user = User {
        name: "carol".to_owned(),
        ..User::default()
    };
    let role = |rules: &str| {
        format!(
            r#"{{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{{"name":"r"}},"rules":[{{"apiGroups":["certificates.k8s.io"],"resources":["certificatesigningrequests/approval","certificatesigningrequests/status"],"verbs":["patch"]}}{rules}]}}"#
        )
    };
    let roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
    server.post(roles, &role(""), 201);
    let binding = r#"{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding","metadata":{"name":"b"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"r"},"subjects":[{"kind":"User","name":"carol","apiGroup":"rbac.authorization.k8s.io"}]}"#;
    server.post(
        "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
        binding,
        201,
    );
    let condition = |ty: &str| {
        format!(
            r#"{{"status":{{"conditions":[{{"type":"{ty}","status":"True","reason":"r","message":"m"}}]}}}}"#
        )
    };
    let media = "application/merge-patch+json";
    let ask = |part: &str, body: &str| {
        server.ask_as(&user, "PATCH", &format!("{REQUESTS}/a/{part}"), (media, body))
    };
    let (status, answer) = ask("approval", &condition("Approved"));
    assert_eq!(status, 403);
    says(
        &answer,
        "user not permitted to approve requests with signerName \\\"example.com/own\\\"",
    );
    let (status, answer) = ask("status", &condition("Failed"));
    assert_eq!(status, 403);
    says(
        &answer,
        "user not permitted to sign requests with signerName \\\"example.com/own\\\"",
    );
    let allow = r#",{"apiGroups":["certificates.k8s.io"],"resources":["signers"],"resourceNames":["example.com/*"],"verbs":["approve","sign"]}"#;
    server.put(&format!("{roles}/r"), &role(allow), 200);
    assert_eq!(ask("approval", &condition("Approved")).0, 200);
}

#[test]
fn plugins_that_are_part_of_a_kind_can_be_switched_off() {
    let on = Server::with_plugins(&[]);
    let names = [
        "DefaultTolerationSeconds",
        "TaintNodesByCondition",
        "StorageObjectInUseProtection",
    ];
    let off = Server::with_plugins(&names.map(|name| (name, false)));
    let node = r#"{"apiVersion":"v1","kind":"Node","metadata":{"name":"n"}}"#;
    for (path, body, mark) in [
        (PODS, pod("a", "{}"), "tolerations"),
        ("/api/v1/nodes", node.to_owned(), "node.kubernetes.io/not-ready"),
        (CLAIMS, claim("a", "1"), "kubernetes.io/pvc-protection"),
    ] {
        says(&on.post(path, &body, 201), mark);
        let answer = off.post(path, &body, 201);
        assert!(!answer.contains(mark), "{answer}");
    }
}

#[test]
fn plugins_that_are_off_by_default_can_be_switched_on() {
    let always = Server::with_plugins(&[("AlwaysPullImages", true), ("ExtendedResourceToleration", true)]);
    let answer = always.post(PODS, &pod("a", r#"{"limits":{"example.com/x":"1"}}"#), 201);
    says(&answer, r#""imagePullPolicy":"Always""#);
    says(
        &answer,
        r#"{"key":"example.com/x","operator":"Exists","effect":"NoSchedule"}"#,
    );
    let provision = Server::with_plugins(&[("NamespaceAutoProvision", true)]);
    provision.post("/api/v1/namespaces/new/pods", &pod("a", "{}"), 201);
    provision.get("/api/v1/namespaces/new", 200);
    let exists = Server::with_plugins(&[("NamespaceExists", true), ("NamespaceLifecycle", false)]);
    says(
        &exists.post("/api/v1/namespaces/new/pods", &pod("a", "{}"), 404),
        r#"namespaces \"new\" not found"#,
    );
    let deny = Server::with_plugins(&[("AlwaysDeny", true)]);
    says(
        &deny.post(PODS, &pod("a", "{}"), 403),
        "pods \\\"a\\\" is forbidden: admission control is denying all modifications",
    );
    let service = r#"{"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},"spec":{"externalIPs":["1.2.3.4"],"ports":[{"port":1}]}}"#;
    let addresses = Server::with_plugins(&[("DenyServiceExternalIPs", true)]);
    says(
        &addresses.post("/api/v1/namespaces/default/services", service, 403),
        "Use of external IPs is denied by admission control",
    );
    let alone = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"generateName":"g-"},"spec":{"containers":[{"name":"c","image":"i"}],"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"zone"}]}}}}"#;
    let topology = Server::with_plugins(&[("LimitPodHardAntiAffinityTopology", true)]);
    says(
        &topology.post(PODS, alone, 403),
        "affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey zone but only key kubernetes.io/hostname is allowed",
    );
}

#[test]
fn owners_are_changed_by_who_may_delete_and_finalize() {
    let server = Server::with_plugins(&[("OwnerReferencesPermissionEnforcement", true)]);
    let maps = "/api/v1/namespaces/default/configmaps";
    let map = |name: &str, owners: &str| {
        format!(
            r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{name}","ownerReferences":[{owners}]}}}}"#
        )
    };
    let role = r#"{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"r"},"rules":[{"apiGroups":[""],"resources":["configmaps"],"verbs":["create","update"]}]}"#;
    server.post("/apis/rbac.authorization.k8s.io/v1/clusterroles", role, 201);
    let binding = r#"{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding","metadata":{"name":"b"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"r"},"subjects":[{"kind":"User","name":"carol","apiGroup":"rbac.authorization.k8s.io"}]}"#;
    server.post(
        "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
        binding,
        201,
    );
    let user = User {
        name: "carol".to_owned(),
        ..User::default()
    };
    let owner = |blocks: bool| {
        format!(r#"{{"apiVersion":"v1","kind":"Pod","name":"p","uid":"u","blockOwnerDeletion":{blocks}}}"#)
    };
    let ask =
        |method: &str, path: &str, body: &str| server.ask_as(&user, method, path, ("application/json", body));
    let (status, answer) = ask("POST", maps, &map("a", &owner(true)));
    assert_eq!(status, 403);
    says(
        &answer,
        "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: , \\u003cnil\\u003e",
    );
    assert_eq!(ask("POST", maps, &map("a", &owner(false))).0, 201);
    let (status, answer) = ask("PUT", &format!("{maps}/a"), &map("a", ""));
    assert_eq!(status, 403);
    says(
        &answer,
        "cannot set an ownerRef on a resource you can't delete: , \\u003cnil\\u003e",
    );
}

#[test]
fn pods_get_the_topology_of_their_node_and_stay_within_it() {
    let server = Server::default();
    let node = r#"{"apiVersion":"v1","kind":"Node","metadata":{"name":"n","labels":{"topology.kubernetes.io/zone":"z","other":"o"}},"status":{"allocatable":{"cpu":"2","memory":"1Gi"}}}"#;
    server.post("/api/v1/nodes", node, 201);
    server.post(PODS, &pod("a", r#"{"requests":{"cpu":"1","memory":"1Gi"}}"#), 201);
    let binding =
        r#"{"apiVersion":"v1","kind":"Binding","metadata":{"name":"a"},"target":{"kind":"Node","name":"n"}}"#;
    server.post(&format!("{PODS}/a/binding"), binding, 201);
    let bound = server.get(&format!("{PODS}/a"), 200);
    says(&bound, r#""labels":{"topology.kubernetes.io/zone":"z"}"#);
    let resize = r#"{"spec":{"containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"3","memory":"1Gi"}}}]}}"#;
    let answer = server.patch(&format!("{PODS}/a/resize"), resize, 403);
    says(
        &answer,
        "pods \\\"a\\\" is forbidden: node didn't have enough allocatable resources: cpu, requested: 3000, allocatable: 2000",
    );
    says(&answer, r#""causes":[{"reason":"NodeCapacity"}]"#);
}

/// Annotations of the namespace `default`.
fn annotate(server: &Server, key: &str, value: &str) {
    let value = kindsmith_json::to_string(kindsmith_json::Value::Str(value));
    let patch =
        format!(r#"{{"metadata":{{"annotations":{{"scheduler.alpha.kubernetes.io/{key}":{value}}}}}}}"#);
    server.patch("/api/v1/namespaces/default", &patch, 200);
}

fn pod_with(name: &str, spec: &str) -> String {
    format!(
        r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{name}"}},"spec":{{"containers":[{{"name":"c","image":"i"}}],{spec}}}}}"#
    )
}

#[test]
fn pods_get_the_node_selector_of_their_namespace() {
    let server = Server::with_plugins(&[("PodNodeSelector", true)]);
    server.post(PODS, &pod("plain", "{}"), 201);
    annotate(&server, "node-selector", "zone=a, disk = fast");
    let answer = server.post(PODS, &pod_with("a", r#""nodeSelector":{"own":"x"}"#), 201);
    says(&answer, r#""nodeSelector":{"disk":"fast","own":"x","zone":"a"}"#);
    says(
        &server.post(PODS, &pod_with("b", r#""nodeSelector":{"zone":"b"}"#), 403),
        "pods \\\"b\\\" is forbidden: pod node label selector conflicts with its namespace node label selector",
    );
    annotate(&server, "node-selector", "zone");
    says(
        &server.post(PODS, &pod("c", "{}"), 500),
        r#""message":"invalid selector: [zone]""#,
    );
}

#[test]
fn pods_get_and_keep_the_tolerations_of_their_namespace() {
    let server = Server::with_plugins(&[
        ("PodTolerationRestriction", true),
        ("DefaultTolerationSeconds", false),
    ]);
    annotate(
        &server,
        "defaultTolerations",
        r#"[{"key":"a","operator":"Exists"}]"#,
    );
    let own = r#""tolerations":[{"key":"a","operator":"Equal","value":"v","effect":"NoSchedule"}]"#;
    says(
        &server.post(PODS, &pod_with("a", own), 201),
        r#""tolerations":[{"key":"a","operator":"Exists"}]"#,
    );
    let answer = server.post(PODS, &pod("b", r#"{"requests":{"cpu":"1"}}"#), 201);
    says(
        &answer,
        r#"{"key":"node.kubernetes.io/memory-pressure","operator":"Exists","effect":"NoSchedule"}"#,
    );
    annotate(
        &server,
        "tolerationsWhitelist",
        r#"[{"key":"b","operator":"Exists"}]"#,
    );
    says(
        &server.post(PODS, &pod("c", "{}"), 500),
        "pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist",
    );
}

#[test]
fn a_pod_is_resized_as_its_node_declares() {
    let server = Server::default();
    let node = |features: &str| {
        format!(
            r#"{{"apiVersion":"v1","kind":"Node","metadata":{{"name":"n"}},"status":{{"declaredFeatures":[{features}],"allocatable":{{"cpu":"9","memory":"9Gi"}}}}}}"#
        )
    };
    server.post("/api/v1/nodes", &node(""), 201);
    server.post(
        PODS,
        &pod_with("a", r#""nodeName":"n","resources":{"requests":{"cpu":"1"}}"#),
        201,
    );
    let resize = r#"{"spec":{"resources":{"requests":{"cpu":"2"}}}}"#;
    says(
        &server.patch(&format!("{PODS}/a/resize"), resize, 403),
        "pods \\\"a\\\" is forbidden: pod update requires features InPlacePodLevelResourcesVerticalScaling which are not \
         available on node \\\"n\\\"",
    );
    server.put(
        "/api/v1/nodes/n/status",
        &node(r#""InPlacePodLevelResourcesVerticalScaling""#),
        200,
    );
    server.patch(&format!("{PODS}/a/resize"), resize, 200);
}

fn event(name: &str, host: &str) -> String {
    format!(
        r#"{{"apiVersion":"v1","kind":"Event","metadata":{{"name":"{name}"}},"involvedObject":{{"kind":"Pod","name":"p","namespace":"default"}},"source":{{"component":"c","host":"{host}"}},"reason":"r"}}"#
    )
}

#[test]
fn events_are_limited_as_configured() {
    const EVENTS: &str = "/api/v1/namespaces/default/events";
    for (limits, expected) in [
        (
            r#"{"type":"Server","qps":1,"burst":2}"#,
            Some("Too many requests: limit reached on type Server for key \""),
        ),
        (
            r#"{"type":"Namespace","qps":1,"burst":2}"#,
            Some("Too many requests: limit reached on type Namespace for key default\""),
        ),
        (
            r#"{"type":"User","qps":1,"burst":2},{"type":"Server","qps":1,"burst":2}"#,
            Some(
                "Too many requests: [limit reached on type User for key admin, limit reached on type Server for key ]",
            ),
        ),
        // The third event has another source.
        (r#"{"type":"SourceAndObject","qps":1,"burst":2}"#, None),
    ] {
        let server = Server::configured(|options| {
            options.admission.plugins.switch(Plugin::EventRateLimit, true);
            let arena = Arena::new();
            let text = arena.alloc_str(&format!(r#"{{"limits":[{limits}]}}"#));
            let configuration = parse_str(&arena, text).expect("JSON");
            let limits = EventLimits::read(configuration).expect("valid limits");
            options.admission.plugins.settings.event_limits = Some(Arc::new(limits));
        });
        server.post(EVENTS, &event("a", "h"), 201);
        server.post(&format!("{EVENTS}?dryRun=All"), &event("b", "h"), 201);
        server.post(EVENTS, &event("b", "h"), 201);
        match expected {
            Some(expected) => says(&server.post(EVENTS, &event("c", "i"), 429), expected),
            None => drop(server.post(EVENTS, &event("c", "i"), 201)),
        }
    }
}

/// A service that decides about images, and remembers what it was asked.
#[derive(Debug, Default)]
struct Images {
    answer: &'static str,
    status: u16,
    asked: Mutex<Vec<String>>,
}

impl Caller for Images {
    fn call(&self, calls: &[Call<'_>]) -> Vec<Called> {
        let answered = calls.iter().map(|call| {
            self.asked
                .lock()
                .expect("no test panicked")
                .push(call.body.clone());
            let answer = Answer {
                status: self.status,
                body: self.answer.as_bytes().to_vec(),
                ..Answer::default()
            };
            Called {
                result: match self.status {
                    0 => Err(CallError::Transport(r#"Post "https://x": refused"#.to_owned())),
                    _ => Ok(answer),
                },
                took: Duration::ZERO,
            }
        });
        answered.collect()
    }
}

#[test]
fn a_service_decides_about_images() {
    for (status, answer, settings, expected) in [
        (200, r#"{"status":{"allowed":true}}"#, "{}", None),
        (
            200,
            r#"{"status":{"allowed":false}}"#,
            "{}",
            Some("pods \\\"a\\\" is forbidden: one or more images rejected by webhook backend"),
        ),
        (
            200,
            r#"{"status":{"allowed":false,"reason":"not signed"}}"#,
            "{}",
            Some("image policy webhook backend denied one or more images: not signed"),
        ),
        (
            404,
            "",
            "{}",
            Some("pods \\\"a\\\" is forbidden: Error contacting webhook: 404"),
        ),
        (
            0,
            "",
            "{}",
            Some("pods \\\"a\\\" is forbidden: Post \\\"https://x\\\": refused"),
        ),
        (0, "", r#"{"defaultAllow":true}"#, None),
    ] {
        let images = Arc::new(Images {
            answer,
            status,
            ..Images::default()
        });
        let server = Server::configured(|options| {
            options.admission.plugins.switch(Plugin::ImagePolicyWebhook, true);
            let arena = Arena::new();
            let text = arena.alloc_str(&format!(r#"{{"imagePolicy":{settings}}}"#));
            let settings = ImagePolicySettings::read(parse_str(&arena, text).expect("JSON"));
            let policy = settings.expect("valid").at("https://x".to_owned(), String::new());
            options.admission.plugins.settings.image_policy = Some(Arc::new(policy));
            options.webhooks.caller = Some(Arc::clone(&images) as Arc<dyn Caller>);
        });
        let pod = pod_with("a", r#""initContainers":[{"name":"d","image":"j"}]"#).replace(
            r#""name":"a""#,
            r#""name":"a","annotations":{"b":"c","x.image-policy.k8s.io/y":"z"}"#,
        );
        let dry = format!("{PODS}?dryRun=All");
        for _ in 0..2 {
            match expected {
                Some(expected) => says(&server.post(&dry, &pod, 403), expected),
                None => drop(server.post(&dry, &pod, 201)),
            }
        }
        let asked = images.asked.lock().expect("no test panicked");
        // What was answered is remembered.
        assert_eq!(asked.len(), if status == 200 { 1 } else { 2 }, "{answer}");
        assert_eq!(
            asked[0],
            r#"{"kind":"ImageReview","apiVersion":"imagepolicy.k8s.io/v1alpha1","metadata":{},"spec":{"containers":[{"image":"i"},{"image":"j"}],"annotations":{"x.image-policy.k8s.io/y":"z"},"namespace":"default"},"status":{"allowed":false}}"#
        );
    }
}
