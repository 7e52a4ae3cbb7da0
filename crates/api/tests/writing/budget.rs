//! A write ends with its budget, and its answer does not grow with every wrong item.

use kindsmith_gostd::budget::{Budget, Stopped};

use super::server::Server;

const PODS: &str = "/api/v1/namespaces/default/pods";

fn create(server: &Server, containers: usize) -> (u16, String) {
    let items = vec!["{}"; containers].join(",");
    let pod = format!(
        r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"a"}},"spec":{{"containers":[{items}]}}}}"#
    );
    server.ask("POST", PODS, "application/json", &pod)
}

#[test]
fn work_that_nobody_waits_for_ends() {
    let server = Server::with_plugins(&[("ServiceAccount", false)]);
    for budget in [Budget::new(5_000), Budget::default()] {
        let work = || budget.enter(|| create(&server, 6_000).0);
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        if budget.is_stopped() {
            assert!(ended.is_err_and(|why| why.is::<Stopped>()));
        } else {
            assert_eq!(ended.ok(), Some(422));
        }
    }
}

#[test]
fn errors_that_are_told_are_bounded() {
    let server = Server::with_plugins(&[("ServiceAccount", false)]);
    let (status, answer) = create(&server, 6_000);
    assert_eq!(status, 422);
    assert_eq!(answer.matches(r#""reason":"FieldValue"#).count(), 10_000);
}
