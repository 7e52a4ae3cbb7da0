//! Starting, stopping and authentication.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::running::{Running, TOKEN};
use crate::binary;

const BEARER: &str = "Bearer test-token";

#[test]
fn only_its_owner_can_read_the_kubeconfig_and_it_goes_with_the_server() {
    let server = Running::start(&[]);
    let kubeconfig = server.kubeconfig.clone();
    let mode = std::fs::metadata(&kubeconfig)
        .expect("it is there")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    let text = std::fs::read_to_string(&kubeconfig).expect("it is text");
    assert!(text.contains(&format!("token: \"{TOKEN}\"")), "{text}");
    assert!(server.stop(), "it stops without complaint");
    assert!(
        !kubeconfig.exists(),
        "objects in memory are gone, and so is the way to them"
    );
}

#[test]
fn requests_are_authenticated() {
    let server = Running::start(&[]);
    let mut client = server.client();
    for (path, authorization, status) in [
        ("/healthz", None, 200),
        ("/version", None, 200),
        ("/api/v1/namespaces", None, 403),
        ("/metrics", None, 403),
        ("/healthz", Some("Bearer wrong"), 401),
        ("/api/v1/namespaces", Some(BEARER), 200),
        ("/metrics", Some(BEARER), 200),
    ] {
        let headers: Vec<(&str, &str)> = authorization
            .map(|value| ("Authorization", value))
            .into_iter()
            .collect();
        let reply = client.send("GET", path, &headers, b"");
        assert_eq!(reply.status, status, "{path} {authorization:?}: {}", reply.text());
    }
}

#[test]
fn bodies_have_a_limit() {
    let server = Running::start(&[]);
    let headers = [("Authorization", BEARER), ("Content-Type", "application/json")];
    let body = vec![b' '; 3 * 1024 * 1024 + 1];
    let reply = server
        .client()
        .send("POST", "/api/v1/namespaces/default/configmaps", &headers, &body);
    assert_eq!(reply.status, 413);
    assert!(
        reply
            .text()
            .contains("Request entity too large: limit is 3145728"),
        "{}",
        reply.text()
    );
}

#[test]
fn objects_on_disk_outlive_the_server() {
    let directory = std::env::temp_dir().join(format!("kindsmith-serve-{}", std::process::id()));
    let store = directory.to_str().expect("it is text").to_owned();
    let headers = [("Authorization", BEARER), ("Content-Type", "application/json")];
    let path = "/api/v1/namespaces/default/configmaps";
    let server = Running::start(&["--store", &store]);
    let body = br#"{"metadata":{"name":"kept"},"data":{"a":"b"}}"#;
    let reply = server.client().send("POST", path, &headers, body);
    assert_eq!(reply.status, 201, "{}", reply.text());
    let authority = std::fs::read(directory.join("ca.crt")).expect("it is there");
    assert!(server.stop());

    let server = Running::start(&["--store", &store]);
    let reply = server
        .client()
        .send("GET", &format!("{path}/kept"), &headers, b"");
    assert_eq!(reply.status, 200, "{}", reply.text());
    assert!(reply.text().contains(r#""data":{"a":"b"}"#), "{}", reply.text());
    assert_eq!(
        std::fs::read(directory.join("ca.crt")).expect("it is there"),
        authority
    );
    assert!(server.stop());
    let _ = std::fs::remove_dir_all(&directory);
}

#[test]
fn a_stop_ends_watches() {
    let server = Running::start(&[]);
    let mut client = server.client();
    let watching = std::thread::spawn(move || {
        let headers = [("Authorization", BEARER)];
        client.send(
            "GET",
            "/api/v1/namespaces?watch=true&resourceVersion=0",
            &headers,
            b"",
        )
    });
    // The first request of another connection may be answered before or after the watch is accepted; both are fine.
    let headers = [("Authorization", BEARER)];
    assert_eq!(server.client().send("GET", "/healthz", &headers, b"").status, 200);
    assert!(server.stop(), "a watch does not keep it from stopping");
    let _ = watching.join();
}

#[test]
fn kinds_of_packages_and_crds_are_served() {
    let server = Running::start(&[
        "--types",
        "fixtures/garden/v1",
        "--crds",
        "fixtures/gate/crd.yaml",
    ]);
    let headers = [("Authorization", BEARER)];
    let reply = server.client().send("GET", "/apis", &headers, b"");
    let groups = reply.text();
    for group in ["garden.example.org", "park.example.org"] {
        assert!(groups.contains(group), "{group} in {groups}");
    }
}

#[test]
fn start_errors_say_why() {
    for (words, expected) in [
        (
            "serve --feature-gates Frob=true",
            "error: --feature-gates: unrecognized feature gate: Frob\n\nFor more information, try '--help'.\n",
        ),
        (
            "serve --insecure-http --listen 0.0.0.0:0",
            "error: --insecure-http would let anybody who reaches 0.0.0.0:0 do everything\n",
        ),
    ] {
        let run = binary::kindsmith(words);
        assert_eq!(run.code, Some(2), "{words}");
        assert!(run.stderr.starts_with(expected), "{words}: {}", run.stderr);
    }
}

#[test]
fn only_the_owner_can_read_what_is_stored() {
    let folder = tempfile::tempdir().expect("a directory for the test");
    let (store, audit) = (folder.path().join("data"), folder.path().join("audit.log"));
    let words = [&store, &audit].map(|path| path.display().to_string());
    let server = Running::start(&["--store", &words[0], "--audit-log", &words[1]]);
    let mode = |path: &Path| {
        let about = std::fs::metadata(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        about.permissions().mode() & 0o777
    };
    assert_eq!(mode(&store), 0o700);
    assert_eq!(mode(&audit), 0o600);
    let ignored = std::fs::read_to_string(store.join(".gitignore"));
    assert_eq!(ignored.expect("it is kept out of git"), "*\n");
    let files = std::fs::read_dir(&store).expect("it is there");
    let open: Vec<_> = files
        .filter_map(Result::ok)
        .filter(|file| file.path().is_file() && mode(&file.path()) != 0o600)
        .collect();
    assert!(open.is_empty(), "{open:?}");
    assert!(server.stop());
    std::fs::remove_file(store.join("ca.key")).expect("it was there");
    let run = binary::kindsmith(&format!("serve --listen 127.0.0.1:0 --store {}", words[0]));
    assert_eq!(run.code, Some(2));
    let missing = format!("error: {} is missing\n", store.join("ca.key").display());
    assert!(run.stderr.starts_with(&missing), "{}", run.stderr);
}
