//! Controllers over a server in memory: what they make of a cluster, and when they leave it alone.

#![allow(
    clippy::disallowed_methods,
    reason = "a test reads its cases and starts what it needs"
)]

use std::sync::Arc;

use kindsmith_api::{Api, Options, Still, TokenSigner};
use kindsmith_json::{Arena, Value, parse_str};
use kindsmith_kube_controllers::{Manager, Selection, Settings};
use kindsmith_store::{Memory, Store};

const NOW: i64 = 1_790_000_000;

/// Signs with nothing.
#[derive(Debug)]
struct Unsigned;

impl TokenSigner for Unsigned {
    fn issuer(&self) -> &'static str {
        "here"
    }

    fn audiences(&self) -> &[String] {
        &[]
    }

    fn sign(&self, claims: &str) -> Option<String> {
        Some(claims.to_owned())
    }

    fn verify(&self, token: &str) -> Option<String> {
        Some(token.to_owned())
    }

    fn algorithm(&self) -> &'static str {
        "none"
    }

    fn key_set(&self) -> String {
        "{}".to_owned()
    }
}

struct Cluster {
    api: Arc<Api>,
    store: Arc<dyn Store>,
    manager: Manager,
    now: i64,
}

impl Cluster {
    fn new(controllers: &[&str]) -> Self {
        let store: Arc<dyn Store> = Arc::new(Memory::new());
        let mut options = Options::default();
        options.tokens.signer = Some(Arc::new(Unsigned));
        let api = Api::open(Arc::clone(&store), Box::new(Still::at(NOW)), options)
            .expect("a store in memory opens");
        let api = Arc::new(api);
        let selection = Selection::parse(controllers.iter().copied()).expect("known controllers");
        let settings = Settings {
            authority: "PEM".to_owned(),
        };
        let manager = Manager::start(Arc::clone(&api), Arc::clone(&store), selection, settings);
        let mut cluster = Cluster {
            api,
            store,
            manager: manager.expect("a store in memory can be read"),
            now: NOW,
        };
        cluster.settle();
        cluster
    }

    /// Lets controllers act; what is at rest then must stay so.
    #[track_caller]
    fn settle(&mut self) -> Option<i64> {
        let due = self.manager.settle(self.now).expect("a store in memory answers");
        let before = self.store.revision().expect("a store in memory answers");
        self.manager.settle(self.now).expect("a store in memory answers");
        let after = self.store.revision().expect("a store in memory answers");
        assert_eq!(before, after, "controllers do not come to rest");
        due
    }

    #[track_caller]
    fn post(&mut self, path: &str, body: &str) -> String {
        let answer = self.api.client("admin", "test").post(path, body);
        assert!(answer.is_done(), "{path}: {}", answer.body);
        self.settle();
        answer.body
    }

    #[track_caller]
    fn patch(&mut self, path: &str, body: &str) {
        let answer = self.api.client("admin", "test").patch(path, body);
        assert!(answer.is_done(), "{path}: {}", answer.body);
        self.settle();
    }

    #[track_caller]
    fn delete(&mut self, path: &str, options: &str) {
        let answer = self.api.client("admin", "test").delete(path, options);
        assert!(answer.is_done(), "{path}: {}", answer.body);
        self.settle();
    }

    #[track_caller]
    fn get(&self, path: &str) -> String {
        let answer = self.api.client("admin", "test").get(path);
        assert!(answer.is_done(), "{path}: {}", answer.body);
        answer.body
    }

    #[track_caller]
    fn is_gone(&self, path: &str) {
        let answer = self.api.client("admin", "test").get(path);
        assert_eq!(answer.status, 404, "{path}: {}", answer.body);
    }
}

#[track_caller]
fn says(answer: &str, expected: &str) {
    assert!(answer.contains(expected), "{expected}\n{answer}");
}

fn uid(object: &str) -> String {
    let arena = Arena::new();
    let object = parse_str(&arena, object).expect("JSON");
    let uid = object.lookup(&["metadata", "uid"]).and_then(Value::as_str);
    uid.expect("a uid").to_owned()
}

const MAPS: &str = "/api/v1/namespaces/default/configmaps";

/// A ConfigMap with owners, each as `(name, uid, blocks)`.
fn map(name: &str, owners: &[(&str, &str, bool)]) -> String {
    let owners: Vec<String> = owners
        .iter()
        .map(|(name, uid, blocks)| {
            format!(
                r#"{{"apiVersion":"v1","kind":"ConfigMap","name":"{name}","uid":"{uid}","blockOwnerDeletion":{blocks}}}"#
            )
        })
        .collect();
    format!(
        r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{name}","ownerReferences":[{}]}}}}"#,
        owners.join(",")
    )
}

/// An owner with a dependent, which has a dependent, too.
fn family(cluster: &mut Cluster) {
    let owner = uid(&cluster.post(MAPS, &map("a", &[])));
    let dependent = uid(&cluster.post(MAPS, &map("b", &[("a", &owner, true)])));
    cluster.post(MAPS, &map("c", &[("b", &dependent, true)]));
}

#[test]
fn dependents_go_after_their_owner_in_the_background() {
    let mut cluster = Cluster::new(&["garbage-collector"]);
    family(&mut cluster);
    cluster.delete(&format!("{MAPS}/a"), r#"{"propagationPolicy":"Background"}"#);
    for name in ["a", "b", "c"] {
        cluster.is_gone(&format!("{MAPS}/{name}"));
    }
}

#[test]
fn dependents_go_before_their_owner_in_the_foreground() {
    let mut cluster = Cluster::new(&["garbage-collector"]);
    family(&mut cluster);
    let hold = r#"{"metadata":{"finalizers":["example.com/hold"]}}"#;
    cluster.patch(&format!("{MAPS}/c"), hold);
    cluster.delete(&format!("{MAPS}/a"), r#"{"propagationPolicy":"Foreground"}"#);
    for name in ["a", "b", "c"] {
        says(&cluster.get(&format!("{MAPS}/{name}")), "deletionTimestamp");
    }
    cluster.patch(&format!("{MAPS}/c"), r#"{"metadata":{"finalizers":null}}"#);
    for name in ["a", "b", "c"] {
        cluster.is_gone(&format!("{MAPS}/{name}"));
    }
}

#[test]
fn orphans_stay_without_their_owner() {
    let mut cluster = Cluster::new(&["garbage-collector"]);
    family(&mut cluster);
    cluster.delete(&format!("{MAPS}/a"), r#"{"propagationPolicy":"Orphan"}"#);
    cluster.is_gone(&format!("{MAPS}/a"));
    let orphan = cluster.get(&format!("{MAPS}/b"));
    assert!(!orphan.contains(r#""ownerReferences""#), "{orphan}");
    says(&cluster.get(&format!("{MAPS}/c")), r#""ownerReferences""#);
}

#[test]
fn an_owner_that_never_was_counts_as_gone_if_its_kind_is_known() {
    let mut cluster = Cluster::new(&["garbage-collector"]);
    cluster.post(MAPS, &map("a", &[("nobody", "u", false)]));
    cluster.is_gone(&format!("{MAPS}/a"));
    let strange = map("b", &[("nobody", "u", false)]).replace(
        r#""kind":"ConfigMap","name":"nobody""#,
        r#""kind":"Strange","name":"nobody""#,
    );
    cluster.post(MAPS, &strange);
    cluster.get(&format!("{MAPS}/b"));
}

#[test]
fn of_several_owners_the_gone_ones_are_forgotten() {
    let mut cluster = Cluster::new(&["garbage-collector"]);
    let (one, two) = (
        uid(&cluster.post(MAPS, &map("a", &[]))),
        uid(&cluster.post(MAPS, &map("b", &[]))),
    );
    cluster.post(MAPS, &map("c", &[("a", &one, true), ("b", &two, true)]));
    cluster.delete(&format!("{MAPS}/a"), "");
    let kept = cluster.get(&format!("{MAPS}/c"));
    says(&kept, r#""name":"b""#);
    assert!(!kept.contains(r#""name":"a""#), "{kept}");
    cluster.delete(&format!("{MAPS}/b"), r#"{"propagationPolicy":"Foreground"}"#);
    cluster.is_gone(&format!("{MAPS}/c"));
    cluster.is_gone(&format!("{MAPS}/b"));
}

#[test]
fn a_namespace_goes_with_its_content() {
    let mut cluster = Cluster::new(&["namespace"]);
    let namespace = r#"{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"n"}}"#;
    cluster.post("/api/v1/namespaces", namespace);
    let inside = "/api/v1/namespaces/n/configmaps";
    cluster.post(inside, &map("a", &[]));
    let held =
        r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"b","finalizers":["example.com/hold"]}}"#;
    cluster.post(inside, held);
    cluster.delete("/api/v1/namespaces/n", "");
    cluster.is_gone(&format!("{inside}/a"));
    let going = cluster.get("/api/v1/namespaces/n");
    for expected in [
        r#""phase":"Terminating""#,
        r#""type":"NamespaceDeletionDiscoveryFailure","status":"False""#,
        r#""reason":"SomeResourcesRemain","message":"Some resources are remaining: configmaps. has 1 resource instances""#,
        "Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances",
    ] {
        says(&going, expected);
    }
    cluster.patch(&format!("{inside}/b"), r#"{"metadata":{"finalizers":null}}"#);
    cluster.is_gone("/api/v1/namespaces/n");
}

#[test]
fn finished_jobs_go_when_their_time_is_over() {
    let mut cluster = Cluster::new(&["ttl-after-finished", "garbage-collector"]);
    let jobs = "/apis/batch/v1/namespaces/default/jobs";
    let job = r#"{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"j"},"spec":{"ttlSecondsAfterFinished":60,"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}"#;
    cluster.post(jobs, job);
    let status = r#"{"status":{"startTime":"2026-09-21T14:00:00Z","conditions":[{"type":"FailureTarget","status":"True","lastTransitionTime":"2026-09-21T14:13:20Z"},{"type":"Failed","status":"True","lastTransitionTime":"2026-09-21T14:13:20Z"}]}}"#;
    cluster.patch(&format!("{jobs}/j/status"), status);
    cluster.now = NOW + 59;
    assert_eq!(cluster.settle(), Some(NOW + 60));
    cluster.get(&format!("{jobs}/j"));
    cluster.now = NOW + 60;
    cluster.settle();
    cluster.is_gone(&format!("{jobs}/j"));
}

#[test]
fn namespaces_have_an_account_and_the_certificate() {
    let mut cluster = Cluster::new(&["serviceaccount", "root-ca-certificate-publisher"]);
    let account = "/api/v1/namespaces/default/serviceaccounts/default";
    let published = "/api/v1/namespaces/kube-system/configmaps/kube-root-ca.crt";
    cluster.get(account);
    says(&cluster.get(published), r#""ca.crt":"PEM""#);
    cluster.delete(account, "");
    cluster.get(account);
    cluster.patch(published, r#"{"data":{"ca.crt":"other"}}"#);
    says(&cluster.get(published), r#""ca.crt":"PEM""#);
}

#[test]
fn secrets_get_a_token_that_is_good_while_they_are_there() {
    let mut cluster = Cluster::new(&["serviceaccount", "serviceaccount-token"]);
    let secrets = "/api/v1/namespaces/default/secrets";
    let secret = r#"{"apiVersion":"v1","kind":"Secret","type":"kubernetes.io/service-account-token","metadata":{"name":"s","annotations":{"kubernetes.io/service-account.name":"default"}}}"#;
    cluster.post(secrets, secret);
    let filled = cluster.get(&format!("{secrets}/s"));
    says(&filled, r#""ca.crt":"UEVN""#);
    let arena = Arena::new();
    let filled = parse_str(&arena, &filled).expect("JSON");
    let token = filled
        .lookup(&["data", "token"])
        .and_then(Value::as_str)
        .expect("a token");
    let token = kindsmith_gostd::base64::decode(token.as_bytes()).expect("base64");
    let token = String::from_utf8(token).expect("text");
    let user = cluster.api.service_account(&token).expect("the token is good");
    assert_eq!(user.name, "system:serviceaccount:default:default");
    cluster.delete(&format!("{secrets}/s"), "");
    assert_eq!(cluster.api.service_account(&token), None);
    let other = secret.replace(":\"default\"", ":\"nobody\"");
    cluster.post(secrets, &other);
    cluster.is_gone(&format!("{secrets}/s"));
}

#[test]
fn a_quota_counts_and_releases() {
    let mut cluster = Cluster::new(&["resourcequota"]);
    let quotas = "/api/v1/namespaces/default/resourcequotas";
    cluster.post(MAPS, &map("a", &[]));
    let quota = r#"{"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"q"},"spec":{"hard":{"configmaps":"2","count/deployments.apps":"1","requests.storage":"1Gi"}}}"#;
    cluster.post(quotas, quota);
    let used = |configmaps: u8| {
        format!(
            r#""status":{{"hard":{{"configmaps":"2","count/deployments.apps":"1","requests.storage":"1Gi"}},"used":{{"configmaps":"{configmaps}","count/deployments.apps":"0","requests.storage":"0"}}}}"#
        )
    };
    says(&cluster.get(&format!("{quotas}/q")), &used(1));
    cluster.post(MAPS, &map("b", &[]));
    says(&cluster.get(&format!("{quotas}/q")), &used(2));
    let refused = cluster.api.client("admin", "test").post(MAPS, &map("c", &[]));
    says(
        &refused.body,
        "exceeded quota: q, requested: configmaps=1, used: configmaps=2, limited: configmaps=2",
    );
    cluster.delete(&format!("{MAPS}/a"), "");
    says(&cluster.get(&format!("{quotas}/q")), &used(1));
    cluster.post(MAPS, &map("c", &[]));
}

#[test]
fn services_have_the_endpoints_of_their_pods() {
    let mut cluster = Cluster::new(&["endpoints", "endpointslice"]);
    let root = "/api/v1/namespaces/default";
    let service = r#"{"apiVersion":"v1","kind":"Service","metadata":{"name":"s","labels":{"l":"v"}},"spec":{"selector":{"app":"a"},"ports":[{"name":"web","port":80,"targetPort":"http"}]}}"#;
    cluster.post(&format!("{root}/services"), service);
    let endpoints = cluster.get(&format!("{root}/endpoints/s"));
    says(&endpoints, r#""l":"v""#);
    assert!(!endpoints.contains("subsets"), "{endpoints}");
    let pod = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","labels":{"app":"a"}},"spec":{"nodeName":"n","containers":[{"name":"c","image":"i","ports":[{"name":"http","containerPort":8080}]}]}}"#;
    cluster.post(&format!("{root}/pods"), pod);
    let status = |ready: &str| {
        format!(
            r#"{{"status":{{"podIP":"10.1.0.1","podIPs":[{{"ip":"10.1.0.1"}}],"phase":"Running","conditions":[{{"type":"Ready","status":"{ready}"}}]}}}}"#
        )
    };
    let path = format!("{root}/pods/p/status");
    cluster.patch(&path, &status("False"));
    says(
        &cluster.get(&format!("{root}/endpoints/s")),
        r#""notReadyAddresses":[{"ip":"10.1.0.1""#,
    );
    cluster.patch(&path, &status("True"));
    let endpoints = cluster.get(&format!("{root}/endpoints/s"));
    says(
        &endpoints,
        r#""subsets":[{"addresses":[{"ip":"10.1.0.1","nodeName":"n","targetRef":{"kind":"Pod""#,
    );
    says(
        &endpoints,
        r#""ports":[{"name":"web","port":8080,"protocol":"TCP"}]"#,
    );
    let slices = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
    let listed = cluster.get(slices);
    for expected in [
        r#""generateName":"s-""#,
        r#""kubernetes.io/service-name":"s""#,
        r#""endpoints":[{"addresses":["10.1.0.1"],"conditions":{"ready":true,"serving":true,"terminating":false}"#,
        r#""ports":[{"name":"web","protocol":"TCP","port":8080}]"#,
    ] {
        says(&listed, expected);
    }
    cluster.delete(&format!("{root}/services/s"), "");
    cluster.is_gone(&format!("{root}/endpoints/s"));
    assert!(!cluster.get(slices).contains(r#""generateName":"s-""#));
}

#[test]
fn claims_wait_for_their_pods() {
    let mut cluster = Cluster::new(&["persistentvolumeclaim-protection"]);
    let root = "/api/v1/namespaces/default";
    let claim = r#"{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"c"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1"}}}}"#;
    let pod = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}],"volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"c"}}]}}"#;
    cluster.post(&format!("{root}/persistentvolumeclaims"), claim);
    cluster.post(&format!("{root}/pods"), pod);
    let path = format!("{root}/persistentvolumeclaims/c");
    cluster.delete(&path, "");
    says(&cluster.get(&path), "deletionTimestamp");
    cluster.delete(&format!("{root}/pods/p"), "");
    cluster.is_gone(&path);
}
