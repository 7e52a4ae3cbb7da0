//! `--admission-control-config-file`, and flags as `/flagz` shows them.

use std::collections::BTreeSet;

use serde_json::json;

use super::converting::ask;
use super::envtest::Scratch;
use super::running::{Running, TOKEN};
use crate::binary::kindsmith;

const EVENTS: &str = "apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
- name: EventRateLimit
  path: events.yaml
- name: PodSecurity
  configuration: {}
";

const LIMITS: &str = "apiVersion: eventratelimit.admission.k8s.io/v1alpha1
kind: Configuration
limits: [{type: Namespace, qps: 1, burst: 2}]
";

#[test]
fn plugins_are_configured_by_a_file() {
    let scratch = Scratch::new("configured");
    std::fs::write(scratch.path("admission.yaml"), EVENTS).expect("there is room");
    std::fs::write(scratch.path("events.yaml"), LIMITS).expect("there is room");
    let server = Running::start(&[
        "--enable-admission-plugins",
        "EventRateLimit",
        "--admission-control-config-file",
        &scratch.path("admission.yaml"),
    ]);
    let mut client = server.client();
    let codes = ["a", "b", "c"].map(|name| {
        let event = json!({"metadata": {"name": name}, "involvedObject": {"namespace": "default"}});
        ask(&mut client, "POST", "/api/v1/namespaces/default/events", &event).0
    });
    assert_eq!(codes, [201, 201, 429]);
}

#[test]
fn a_server_with_a_wrong_configuration_does_not_start() {
    let scratch = Scratch::new("misconfigured");
    let kubeconfig = scratch.path("kubeconfig");
    let images = |settings: &str| {
        format!(
            "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n- name: ImagePolicyWebhook\n  \
             configuration: {{imagePolicy: {{kubeConfigFile: \"{kubeconfig}\", {settings}}}}}\n"
        )
    };
    std::fs::write(
        &kubeconfig,
        "current-context: c\ncontexts: [{name: c, context: {cluster: k, user: u}}]\n\
         clusters: [{name: k, cluster: {server: \"https://x\"}}]\nusers: [{name: u, user: {token: t}}]\n",
    )
    .expect("there is room");
    for (plugin, configuration, expected) in [
        (
            "EventRateLimit",
            String::new(),
            r#"couldn't init admission plugin "EventRateLimit": limits: Invalid value: null: must not be empty"#,
        ),
        (
            "ImagePolicyWebhook",
            String::new(),
            r#"couldn't init admission plugin "ImagePolicyWebhook": no config specified"#,
        ),
        (
            "ImagePolicyWebhook",
            images("allowTTL: 1801"),
            "valid value is between 1s and 30m0s, got 30m1s",
        ),
        (
            "ImagePolicyWebhook",
            images("allowTTL: 5"),
            "token: the service is called without credentials",
        ),
        (
            "EventRateLimit",
            "a: b".to_owned(),
            r#"no kind "" is registered for version """#,
        ),
        (
            "EventRateLimit",
            EVENTS.replace("path:", "paths:"),
            r#"strict decoding error: unknown field "plugins[0].paths""#,
        ),
        (
            "EventRateLimit",
            EVENTS.replace("events.yaml", "none.yaml"),
            "none.yaml: No such file or directory",
        ),
    ] {
        let file = scratch.path("wrong.yaml");
        std::fs::write(&file, &configuration).expect("there is room");
        let flag = match &*configuration {
            "" => String::new(),
            _ => format!("--admission-control-config-file '{file}'"),
        };
        let run = kindsmith(&format!(
            "serve --store memory --listen 127.0.0.1:0 --enable-admission-plugins {plugin} {flag}"
        ));
        assert_eq!(run.code, Some(2), "{configuration}");
        assert!(run.stderr.contains(expected), "{expected}\n{}", run.stderr);
    }
}

/// Flags of all commands.
const COMMON: &[&str] = &["color", "quiet", "help", "version"];

#[test]
fn all_flags_are_shown_but_no_token() {
    let server = Running::start(&["--log", "nothing"]);
    let bearer = format!("Bearer {TOKEN}");
    let reply = server
        .client()
        .send("GET", "/flagz", &[("Authorization", &*bearer)], b"");
    let text = reply.text();
    let shown: BTreeSet<&str> = text
        .lines()
        .filter_map(|line| line.split_once('='))
        .map(|(name, _)| name)
        .collect();
    let help = kindsmith("serve --help").stdout;
    let lines = help.lines().map(str::trim_start);
    let own = lines.filter_map(|line| {
        let at = line.starts_with('-').then(|| line.find("--"))??;
        line[at + 2..].split([' ', '=', '[']).next()
    });
    let known: BTreeSet<&str> = own.filter(|name| !COMMON.contains(name)).collect();
    assert_eq!(shown, known);
    for line in ["log=nothing", "store=memory", "token=(not shown)", "crds="] {
        assert!(text.lines().any(|shown| shown == line), "{line}\n{text}");
    }
}

#[test]
fn services_get_addresses_and_ports_of_the_ranges_given() {
    let server = Running::start(&[
        "--service-cluster-ip-range",
        "10.7.0.0/24",
        "--service-node-port-range",
        "31000-31000",
    ]);
    let mut client = server.client();
    let service = json!({"metadata": {"name": "a"}, "spec": {"type": "NodePort", "ports": [{"port": 80}]}});
    let (code, created) = ask(
        &mut client,
        "POST",
        "/api/v1/namespaces/default/services",
        &service,
    );
    assert_eq!(code, 201, "{created}");
    let address = created["spec"]["clusterIP"].as_str().unwrap_or_default();
    assert!(address.starts_with("10.7.0."), "{created}");
    assert_eq!(created["spec"]["ports"][0]["nodePort"], 31000);
}
