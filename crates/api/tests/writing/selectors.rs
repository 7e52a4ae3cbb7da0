//! Field selectors of kinds that know fields of their own.

use super::server::Server;

const JOBS: &str = "/apis/batch/v1/namespaces/default/jobs";

#[test]
fn jobs_are_selected_by_how_many_pods_succeeded() {
    let server = Server::default();
    for name in ["a", "b"] {
        let job = format!(
            r#"{{"metadata":{{"name":"{name}"}},"spec":{{"template":{{"spec":{{"restartPolicy":"Never","containers":[{{"name":"c","image":"i"}}]}}}}}}}}"#
        );
        server.post(JOBS, &job, 201);
    }
    let status = r#"{"status":{"startTime":"2026-01-01T00:00:00Z","succeeded":2}}"#;
    let merge = "application/merge-patch+json";
    let (code, answer) = server.ask("PATCH", &format!("{JOBS}/b/status"), merge, status);
    assert_eq!(code, 200, "{answer}");
    for (selector, selected, other) in [
        ("status.successful=0", "a", "b"),
        ("status.successful=2", "b", "a"),
        ("status.successful!=0", "b", "a"),
    ] {
        let list = server.get(&format!("{JOBS}?fieldSelector={selector}"), 200);
        assert!(
            list.contains(&format!(r#""name":"{selected}","namespace""#)),
            "{selector}: {list}"
        );
        assert!(
            !list.contains(&format!(r#""name":"{other}","namespace""#)),
            "{selector}: {list}"
        );
    }
}

#[test]
fn unknown_fields_are_refused_in_the_words_of_the_kind() {
    let server = Server::default();
    for (path, expected) in [
        (JOBS, r#"field label \"spec.a\" not supported for Job"#),
        (
            "/apis/resource.k8s.io/v1/resourceslices",
            "field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: spec.a",
        ),
        ("/api/v1/pods", "field label not supported: spec.a"),
    ] {
        let answer = server.get(&format!("{path}?fieldSelector=spec.a=b"), 400);
        assert!(answer.contains(expected), "{path}: {answer}");
    }
}
