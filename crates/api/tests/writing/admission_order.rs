//! What an earlier plugin set, later plugins, policies and webhooks see.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use kindsmith_admission::{Answer, Call, Called, Caller};
use kindsmith_api::{Plugin, Plugins};
use kindsmith_gostd::base64;
use kindsmith_json::{Arena, Value, parse_str, to_string};

use super::server::Server;

const PODS: &str = "/api/v1/namespaces/default/pods";
const REGISTRATION: &str = "/apis/admissionregistration.k8s.io/v1";

/// A webhook that writes down the objects that it saw, and answers its first call with a patch.
#[derive(Debug, Default)]
struct Recorder {
    patch: &'static str,
    seen: Mutex<Vec<String>>,
}

impl Caller for Recorder {
    fn call(&self, calls: &[Call<'_>]) -> Vec<Called> {
        calls.iter().map(|call| self.answer(&call.body)).collect()
    }
}

impl Recorder {
    fn answer(&self, body: &str) -> Called {
        let arena = Arena::new();
        let review = parse_str(&arena, body).expect("a review is JSON");
        let request = review.get("request").unwrap_or_default();
        let uid = to_string(request.get("uid").unwrap_or_default());
        let mut seen = self.seen.lock().expect("no test panicked");
        let patch = if seen.is_empty() && !self.patch.is_empty() {
            format!(
                r#","patchType":"JSONPatch","patch":"{}""#,
                base64::encode(self.patch.as_bytes())
            )
        } else {
            String::new()
        };
        seen.push(to_string(request.get("object").unwrap_or_default()));
        let body = format!(
            r#"{{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{{"uid":{uid},"allowed":true{patch}}}}}"#
        );
        Called {
            result: Ok(Answer {
                status: 200,
                content_type: "application/json".to_owned(),
                body: body.into_bytes(),
            }),
            took: Duration::ZERO,
        }
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.seen.lock().expect("no test panicked"))
    }
}

/// A server with these plugins, a namespace, objects that they look at, and a webhook for everything.
fn server(plugins: Plugins, recorder: &Arc<Recorder>) -> Server {
    let server = Server::configured(|options| {
        options.admission.plugins = plugins;
        options.webhooks.caller = Some(Arc::clone(recorder) as Arc<dyn Caller>);
    });
    let namespace = r#"{"metadata":{"annotations":{"scheduler.alpha.kubernetes.io/node-selector":"zone=a","scheduler.alpha.kubernetes.io/defaultTolerations":"[{\"key\":\"own\",\"operator\":\"Exists\"}]"}}}"#;
    server.patch("/api/v1/namespaces/default", namespace, 200);
    for (path, body) in [
        (
            "/api/v1/namespaces/default/limitranges",
            r#"{"apiVersion":"v1","kind":"LimitRange","metadata":{"name":"r"},"spec":{"limits":[{"type":"Container","defaultRequest":{"cpu":"1m"}}]}}"#,
        ),
        (
            "/api/v1/namespaces/default/serviceaccounts",
            r#"{"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"default"}}"#,
        ),
        (
            "/api/v1/nodes",
            r#"{"apiVersion":"v1","kind":"Node","metadata":{"name":"n","labels":{"topology.kubernetes.io/zone":"z"}}}"#,
        ),
        (
            "/apis/node.k8s.io/v1/runtimeclasses",
            r#"{"apiVersion":"node.k8s.io/v1","kind":"RuntimeClass","metadata":{"name":"c"},"handler":"h","scheduling":{"nodeSelector":{"runtime":"c"}}}"#,
        ),
        (
            "/apis/storage.k8s.io/v1/storageclasses",
            r#"{"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","metadata":{"name":"s","annotations":{"storageclass.kubernetes.io/is-default-class":"true"}},"provisioner":"example.com/p"}"#,
        ),
        (
            &*format!("{REGISTRATION}/mutatingwebhookconfigurations"),
            r#"{"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingWebhookConfiguration","metadata":{"name":"m"},"webhooks":[{"name":"m.example.com","clientConfig":{"url":"https://localhost/"},"admissionReviewVersions":["v1"],"sideEffects":"None","reinvocationPolicy":"IfNeeded","rules":[{"apiGroups":["*"],"apiVersions":["*"],"resources":["*"],"operations":["CREATE"]}]}]}"#,
        ),
    ] {
        server.post(path, body, 201);
    }
    recorder.take();
    server
}

const POD: &str = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"nodeName":"n","runtimeClassName":"c","containers":[{"name":"c","image":"i:1","resources":{"limits":{"example.com/x":"1"}}}]}}"#;

/// Plugins that change pods, each with a mark of it.
const MARKS: &[(Plugin, &str)] = &[
    (Plugin::LimitRanger, "kubernetes.io/limit-ranger"),
    (
        Plugin::ServiceAccount,
        r#""mountPath":"/var/run/secrets/kubernetes.io/serviceaccount""#,
    ),
    (Plugin::AlwaysPullImages, r#""imagePullPolicy":"Always""#),
    (Plugin::PodNodeSelector, r#""zone":"a""#),
    (Plugin::Priority, r#""priority":0"#),
    (Plugin::DefaultTolerationSeconds, r#""tolerationSeconds":300"#),
    (Plugin::PodTolerationRestriction, r#""key":"own""#),
    (Plugin::ExtendedResourceToleration, r#""key":"example.com/x""#),
    (Plugin::RuntimeClass, r#""runtime":"c""#),
    (Plugin::PodTopologyLabels, r#""topology.kubernetes.io/zone":"z""#),
];

#[test]
fn a_webhook_sees_what_any_two_plugins_set_and_only_that() {
    for (at, (first, _)) in MARKS.iter().enumerate() {
        for (second, _) in &MARKS[at + 1..] {
            let recorder = Arc::new(Recorder::default());
            let on = [*first, *second, Plugin::MutatingAdmissionWebhook];
            let server = server(Plugins::only(&on), &recorder);
            server.post(PODS, POD, 201);
            let seen = recorder.take().join("");
            for (plugin, mark) in MARKS {
                assert_eq!(
                    seen.contains(mark),
                    on.contains(plugin),
                    "{first:?}, {second:?}: {plugin:?} in {seen}"
                );
            }
        }
    }
}

#[test]
fn a_later_plugin_sees_what_an_earlier_one_set() {
    let allowed = r#"{"metadata":{"annotations":{"scheduler.alpha.kubernetes.io/tolerationsWhitelist":"[{\"key\":\"own\",\"operator\":\"Exists\"}]"}}}"#;
    // The tolerations for lost nodes are not on the namespace's list; those for extended resources come after it is asked.
    for (earlier, status) in [(Plugin::DefaultTolerationSeconds, 500), (Plugin::Priority, 201)] {
        let recorder = Arc::new(Recorder::default());
        let server = server(
            Plugins::only(&[earlier, Plugin::PodTolerationRestriction]),
            &recorder,
        );
        server.patch("/api/v1/namespaces/default", allowed, 200);
        let plain = POD.replace(r#","resources":{"limits":{"example.com/x":"1"}}"#, "");
        server.post(PODS, &plain, status);
    }
}

/// Objects that plugins change without looking at others: where they are created, and a mark.
const OTHERS: &[(&str, &str, &str)] = &[
    (
        "/api/v1/nodes",
        r#"{"apiVersion":"v1","kind":"Node","metadata":{"name":"m"}}"#,
        r#""taints":[{"key":"node.kubernetes.io/not-ready","effect":"NoSchedule"}]"#,
    ),
    (
        "/api/v1/persistentvolumes",
        r#"{"apiVersion":"v1","kind":"PersistentVolume","metadata":{"name":"v"},"spec":{"capacity":{"storage":"1"},"accessModes":["ReadWriteOnce"],"hostPath":{"path":"/p"}}}"#,
        r#""finalizers":["kubernetes.io/pv-protection"]"#,
    ),
    (
        "/api/v1/namespaces/default/persistentvolumeclaims",
        r#"{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"v"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1"}}}}"#,
        r#""finalizers":["kubernetes.io/pvc-protection"]"#,
    ),
    (
        "/api/v1/namespaces/default/persistentvolumeclaims",
        r#"{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"w"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1"}}}}"#,
        r#""storageClassName":"s""#,
    ),
    (PODS, POD, r#""tolerationSeconds":300"#),
];

#[test]
fn a_webhook_sees_taints_finalizers_classes_and_tolerations() {
    let recorder = Arc::new(Recorder::default());
    let server = server(Plugins::default(), &recorder);
    for (path, body, mark) in OTHERS {
        let answer = server.post(path, body, 201);
        let seen = recorder.take().join("");
        assert!(seen.contains(mark), "{mark} in {seen}");
        assert!(answer.contains(mark), "{mark} in {answer}");
    }
}

#[test]
fn a_policy_sees_taints_finalizers_and_tolerations() {
    let server = server(Plugins::default(), &Arc::default());
    let policy = r#"{"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingAdmissionPolicy","metadata":{"name":"p"},"spec":{"reinvocationPolicy":"Never","failurePolicy":"Fail","matchConstraints":{"resourceRules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE"],"resources":["nodes","persistentvolumes","persistentvolumeclaims","pods"]}]},"mutations":[{"patchType":"JSONPatch","jsonPatch":{"expression":"[JSONPatch{op: 'add', path: '/metadata/labels', value: {'taints': string(has(object.spec.taints) ? object.spec.taints.size() : 0), 'tolerations': string(has(object.spec.tolerations) ? object.spec.tolerations.size() : 0), 'finalizers': string(has(object.metadata.finalizers) ? object.metadata.finalizers.size() : 0)}}]"}}]}}"#;
    server.post(&format!("{REGISTRATION}/mutatingadmissionpolicies"), policy, 201);
    let binding = r#"{"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingAdmissionPolicyBinding","metadata":{"name":"b"},"spec":{"policyName":"p"}}"#;
    server.post(
        &format!("{REGISTRATION}/mutatingadmissionpolicybindings"),
        binding,
        201,
    );
    for ((path, body, _), label) in OTHERS.iter().zip([
        r#""taints":"1""#,
        r#""finalizers":"1""#,
        r#""finalizers":"1""#,
        r#""finalizers":"1""#,
        r#""tolerations":"2""#,
    ]) {
        let answer = server.post(path, body, 201);
        assert!(answer.contains(label), "{label} in {answer}");
    }
}

#[test]
fn plugins_act_again_on_what_a_webhook_added() {
    let recorder = Arc::new(Recorder {
        patch: r#"[{"op":"add","path":"/spec/containers/-","value":{"name":"added","image":"j:1"}}]"#,
        ..Recorder::default()
    });
    let mut plugins = Plugins::default();
    plugins.switch(Plugin::AlwaysPullImages, true);
    let server = server(plugins, &recorder);
    let answer = server.post(PODS, POD, 201);
    let arena = Arena::new();
    let pod = parse_str(&arena, arena.alloc_str(&answer)).expect("a pod is JSON");
    let containers = pod.lookup(&["spec", "containers"]).and_then(Value::as_array);
    let added = containers.and_then(|containers| containers.get(1)).copied();
    let added = to_string(added.unwrap_or_default());
    for mark in [
        r#""name":"added""#,
        r#""imagePullPolicy":"Always""#,
        r#""cpu":"1m""#,
        r#""mountPath":"/var/run/secrets/kubernetes.io/serviceaccount""#,
    ] {
        assert!(added.contains(mark), "{mark} in {added}");
    }
    // What the plugins did to it is new to the webhook.
    assert_eq!(recorder.take().len(), 2);
}
