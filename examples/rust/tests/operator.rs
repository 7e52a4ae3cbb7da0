//! The operator and its API, against an API server in this process.

use std::time::Duration;

use kindsmith::testing::TestServer;
use kindsmith_rust_examples::gate::{Day, Gate, GateSpec, Lock};
use kindsmith_rust_examples::operator;
use kube::Api;
use kube::api::PostParams;
use kube::runtime::wait::await_condition;

fn spec() -> GateSpec {
    GateSpec {
        width: None,
        keeper: Some("ada".to_owned()),
        days: vec![Day::Sunday],
        lock: Lock::Key { copies: 2 },
    }
}

async fn gates() -> (TestServer, Api<Gate>) {
    let server = TestServer::of::<Gate>().await.expect("a server");
    let gates = Api::default_namespaced(server.client().expect("a client"));
    (server, gates)
}

#[tokio::test]
async fn a_gate_with_a_keeper_is_opened() {
    let (server, gates) = gates().await;
    let running = tokio::spawn(operator::run(server.client().expect("a client")));
    let gate = gates
        .create(&PostParams::default(), &Gate::new("north", spec()))
        .await
        .expect("it is valid");
    assert_eq!(gate.spec.width, Some(120), "the default is set");
    let is_open = |gate: Option<&Gate>| {
        gate.and_then(|gate| gate.status.as_ref())
            .is_some_and(|status| status.open)
    };
    let opened = await_condition(gates, "north", is_open);
    tokio::time::timeout(Duration::from_secs(30), opened)
        .await
        .expect("in time")
        .expect("it is watched");
    running.abort();
}

#[tokio::test]
async fn the_rules_of_the_type_are_enforced() {
    let (_server, gates) = gates().await;
    let wide = GateSpec {
        width: Some(350),
        keeper: None,
        ..spec()
    };
    let error = gates
        .create(&PostParams::default(), &Gate::new("wide", wide))
        .await
        .expect_err("it needs a keeper");
    assert!(error.to_string().contains("a wide gate has a keeper"), "{error}");

    let mut gate = gates
        .create(&PostParams::default(), &Gate::new("north", spec()))
        .await
        .expect("it is valid");
    gate.spec.width = Some(200);
    let error = gates
        .replace("north", &PostParams::default(), &gate)
        .await
        .expect_err("it keeps its width");
    assert!(error.to_string().contains("field is immutable"), "{error}");
}
