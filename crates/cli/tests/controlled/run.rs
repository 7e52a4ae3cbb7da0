//! `kindsmith controller run` as a process: replicas, signals, restarts of the API server, references.

use std::time::Duration;

use kindsmith_controller::fake::Fault;
use kindsmith_testkit::tool::{Tool, left_out};
use serde_json::{Value, json};

use super::controlling::{CRDS, Controlling, User, kubectl};
use super::processes::{Service, Serving};

fn instance(name: &str, spec: &Value) -> Value {
    let mut object = json!({
        "apiVersion": "sql.cnrm.cloud.google.com/v1beta1", "kind": "SQLInstance", "metadata": { "name": name },
        "spec": { "settings": { "tier": "db-f1-micro" } },
    });
    for (key, value) in spec.as_object().into_iter().flatten() {
        object["spec"][key] = value.clone();
    }
    object
}

/// A cluster, a service and a user; nothing without kubectl.
fn start(what: &str, arguments: &[&str]) -> Option<(Serving, Service, User)> {
    let Some(kubectl) = kubectl() else {
        left_out(Tool::Kubectl, what);
        return None;
    };
    let serving = Serving::start_with_tls(&[&["--crds", CRDS], arguments].concat());
    let kubeconfig = serving.kubeconfig.clone();
    let user = User { kubectl, kubeconfig };
    Some((serving, Service::start(), user))
}

#[test]
fn of_two_replicas_one_works_and_the_other_takes_over() {
    let Some((serving, service, user)) = start("leader election", &[]) else {
        return;
    };
    let replica = || {
        let lease = ["--lease", "default/controllers"];
        let replica = Controlling::start(&serving.kubeconfig, &service.address, &lease);
        replica.wait_for("Waiting for the lease default/controllers");
        replica
    };
    let holder = || user.run("get lease controllers -o jsonpath={.spec.holderIdentity}");
    let mut first = replica();
    first.wait_for("This process has the lease");
    let mut waiting = vec![replica(), replica()];
    let first_name = holder();
    user.apply(&instance("lion", &json!({})));
    user.wait_ready("lion");
    let has_it = |replica: &Controlling| !replica.is_silent("This process has the lease");
    assert!(!waiting.iter().any(has_it));

    // Stopped in good order: the lease is given up at once.
    first.terminate();
    assert!(first.ended().success());
    assert_ne!(holder(), first_name);
    let place = loop {
        match waiting.iter().position(has_it) {
            Some(place) => break place,
            None => std::thread::yield_now(),
        }
    };
    let mut leader = waiting.swap_remove(place);
    user.apply(&instance("tiger", &json!({})));
    user.wait_ready("tiger");

    // Killed: the lease expires.
    leader.kill();
    waiting[0].wait_for("This process has the lease");
    user.apply(&instance("zebra", &json!({})));
    user.wait_ready("zebra");
    assert_eq!(
        user.run("get lease controllers -o jsonpath={.spec.leaseTransitions}"),
        "2"
    );
    let created: Vec<u32> = service.fake.state().creations.values().copied().collect();
    assert_eq!(created, [1, 1, 1]);
}

#[test]
fn a_running_pass_is_finished_before_the_process_ends() {
    let Some((serving, service, user)) = start("a graceful stop", &[]) else {
        return;
    };
    let mut controlling = Controlling::start(&serving.kubeconfig, &service.address, &[]);
    controlling.wait_for("Controlling PubSubTopic");
    let late = Fault::Slow(Duration::from_secs(3));
    service.fake.state().script.push_for("POST", late);
    user.apply(&instance("lion", &json!({})));
    while service.fake.state().creations.is_empty() {
        std::thread::yield_now();
    }
    controlling.terminate();
    controlling.wait_for("Stopping: finishing running passes");
    assert!(controlling.ended().success());
    let status = user.run("get sqlinstance lion -o jsonpath={.status.externalRef}");
    assert_eq!(status, "projects/default/instances/lion", "the pass is recorded");
}

#[test]
fn a_controller_survives_a_restart_of_the_api_server() {
    let directory = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("controller_run_{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&directory);
    let store = directory.to_str().expect("it is text").to_owned();
    let Some((serving, service, user)) = start("a restart", &["--store", &store]) else {
        return;
    };
    let controlling = Controlling::start(&serving.kubeconfig, &service.address, &[]);
    controlling.wait_for("Controlling PubSubTopic");
    user.apply(&instance("lion", &json!({})));
    user.wait_ready("lion");
    let address = serving.address.replace("https://", "");
    serving.kill();
    controlling.wait_for("cannot watch sqlinstances.sql.cnrm.cloud.google.com:");
    let serving = Serving::start_with_tls(&["--store", &store, "--listen", &address]);
    user.apply(&instance("tiger", &json!({})));
    controlling.wait_for("watching sqlinstances.sql.cnrm.cloud.google.com again");
    user.wait_ready("tiger");
    drop(serving);
    let _ = std::fs::remove_dir_all(&directory);
}

#[test]
fn an_object_gets_a_pass_when_what_it_refers_to_is_ready() {
    let Some((serving, service, user)) = start("references", &[]) else {
        return;
    };
    let controlling = Controlling::start(&serving.kubeconfig, &service.address, &[]);
    controlling.wait_for("Controlling PubSubTopic");
    user.apply(&instance(
        "cub",
        &json!({ "masterInstanceRef": { "name": "lion" } }),
    ));
    let reason = |expected: &str| {
        user.run(&format!(
            "wait sqlinstance/cub --for=jsonpath={{.status.conditions[0].reason}}={expected} --timeout=60s"
        ))
    };
    reason("DependencyNotFound");
    let secret = json!({ "valueFrom": { "secretKeyRef": { "name": "pass", "key": "word" } } });
    user.apply(&instance("lion", &json!({ "rootPassword": secret })));
    reason("DependencyNotReady");
    user.run("create secret generic pass --from-literal=word=roar");
    user.wait_ready("lion");
    user.wait_ready("cub");
}
