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

#[test]
fn names_and_labels_of_whole_objects_are_checked() {
    use kindsmith::Validate;
    let told = |gate: &Gate, old: Option<&Gate>| -> Vec<String> {
        gate.validate(old).iter().map(ToString::to_string).collect()
    };
    let mut north = Gate::new("north", spec());
    north.metadata.namespace = Some("garden".to_owned());
    north.metadata.labels = Some([("color".to_owned(), "green".to_owned())].into());
    assert_eq!(told(&north, None), [""; 0]);
    assert_eq!(told(&north, Some(&north)), [""; 0]);

    let mut other = north.clone();
    other.metadata.labels = Some([("color".to_owned(), "sea green".to_owned())].into());
    let errors = told(&other, Some(&north));
    assert!(
        matches!(&*errors, [error] if error.starts_with("metadata.labels: Invalid value: \"sea green\"")),
        "{errors:?}"
    );
    other.metadata.labels = None;
    other.metadata.name = Some("Bad_Name".to_owned());
    let errors = told(&other, None);
    assert!(
        matches!(&*errors, [error] if error.starts_with("metadata.name: Invalid value: \"Bad_Name\"")),
        "{errors:?}"
    );
    let errors = told(&other, Some(&north));
    assert_eq!(
        errors,
        ["metadata.name: Invalid value: \"Bad_Name\": field is immutable"]
    );
}
