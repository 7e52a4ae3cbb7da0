//! The cost of admission for one create of a custom resource, in a dry run: the same rule as a policy and as
//! `x-kubernetes-validations`, and policies and webhooks that are there but about something else.
//!
//! `cargo bench -p kindsmith-api --bench admission`
//!
//! `-- --only NUMBER REQUESTS` makes requests to one of the servers, for a program that counts instructions.
//!
//! Times are those of this thread on a processor where the system counts them, so that other programs do not count.

#![allow(
    clippy::disallowed_methods,
    reason = "a benchmark reads its input and the clock"
)]
#![allow(clippy::print_stdout, reason = "a bench prints its figures")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use kindsmith_api::{Api, Options, Request, Still, User};
use kindsmith_store::Memory;

const RULE: &str = "SPEC.width <= 100 && SPEC.names.all(name, name.size() < 20 && !name.startsWith('x'))";
const ROUNDS: usize = 9;
const REQUESTS: u32 = 300;
const GROUP: &str = "/apis/park.example.org/v1";
const REGISTRATION: &str = "/apis/admissionregistration.k8s.io/v1";

/// A server with one custom resource.
struct Server {
    what: &'static str,
    api: Api,
    user: User,
}

impl Server {
    fn new(what: &'static str, rules: &str) -> Self {
        let api = Api::open(
            Arc::new(Memory::new()),
            Box::new(Still::at(1_790_000_000)),
            Options::default(),
        );
        let server = Server {
            what,
            api: api.expect("a store in memory opens"),
            user: User {
                name: "admin".to_owned(),
                groups: vec!["system:masters".to_owned()],
                ..User::default()
            },
        };
        let definition = r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
            "metadata":{"name":"gates.park.example.org"},"spec":{"group":"park.example.org","scope":"Namespaced",
            "names":{"plural":"gates","singular":"gate","kind":"Gate"},"versions":[{"name":"v1","served":true,"storage":true,
            "schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object",RULES"properties":{
            "width":{"type":"integer"},"names":{"type":"array","maxItems":100,"items":{"type":"string","maxLength":50}}}}}}}}]}}"#;
        let definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
        server.post(definitions, "", &definition.replace("RULES", rules));
        server
    }

    /// With a policy about a resource.
    fn with_policy(self, (group, version, resource): (&str, &str, &str)) -> Self {
        let rule = RULE.replace("SPEC", "object.spec");
        let policy = format!(
            r#"{{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicy","metadata":{{"name":"p"}},
            "spec":{{"matchConstraints":{{"resourceRules":[{{"apiGroups":["{group}"],"apiVersions":["{version}"],
            "resources":["{resource}"],"operations":["CREATE"]}}]}},"validations":[{{"expression":"{rule}"}}]}}}}"#
        );
        self.post(
            &format!("{REGISTRATION}/validatingadmissionpolicies"),
            "",
            &policy,
        );
        let binding = r#"{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicyBinding",
            "metadata":{"name":"b"},"spec":{"policyName":"p","validationActions":["Deny"]}}"#;
        self.post(
            &format!("{REGISTRATION}/validatingadmissionpolicybindings"),
            "",
            binding,
        );
        self
    }

    /// With webhooks about pods.
    fn with_webhooks(self) -> Self {
        for (kind, plural) in [
            ("MutatingWebhookConfiguration", "mutatingwebhookconfigurations"),
            (
                "ValidatingWebhookConfiguration",
                "validatingwebhookconfigurations",
            ),
        ] {
            let configuration = format!(
                r#"{{"apiVersion":"admissionregistration.k8s.io/v1","kind":"{kind}","metadata":{{"name":"w"}},
                "webhooks":[{{"name":"w.example.org","sideEffects":"None","admissionReviewVersions":["v1"],
                "clientConfig":{{"url":"https://127.0.0.1:1/"}},"rules":[{{"apiGroups":[""],"apiVersions":["v1"],
                "resources":["pods"],"operations":["*"]}}]}}]}}"#
            );
            self.post(&format!("{REGISTRATION}/{plural}"), "", &configuration);
        }
        self
    }

    fn post(&self, path: &str, query: &str, body: &str) {
        let request = Request {
            method: "POST",
            path,
            query,
            headers: &[("content-type", "application/json")],
            body: body.as_bytes(),
            user: &self.user,
        };
        let response = self.api.handle(&request, &self.api.info(&request));
        assert_eq!(response.status, 201, "{path}");
    }

    /// One request. Not inlined, so that its instructions can be counted by name.
    #[inline(never)]
    fn create(&self, gate: &str) {
        let path = format!("{GROUP}/namespaces/default/gates");
        self.post(&path, "dryRun=All", gate);
    }

    /// The mean time of a create.
    fn measure(&self, gate: &str) -> Duration {
        let (started, busy) = (Instant::now(), busy());
        for _ in 0..REQUESTS {
            self.create(gate);
        }
        let took = busy.and_then(|before| self::busy()?.checked_sub(before));
        took.unwrap_or_else(|| started.elapsed()) / REQUESTS
    }
}

/// The server and the number of requests that were asked for.
fn only() -> Option<(usize, usize)> {
    let mut arguments = std::env::args()
        .skip_while(|argument| argument != "--only")
        .skip(1);
    let mut number = || arguments.next()?.parse().ok();
    Some((number()?, number()?))
}

/// How long this thread had a processor; Linux alone says.
fn busy() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

fn main() {
    let names: Vec<String> = (0..20).map(|number| format!("\"name-{number}\"")).collect();
    let gate = format!(
        r#"{{"apiVersion":"park.example.org/v1","kind":"Gate","metadata":{{"name":"a"}},"spec":{{"width":3,"names":[{}]}}}}"#,
        names.join(",")
    );
    let rule = RULE.replace("SPEC", "self");
    let rules = format!(r#""x-kubernetes-validations":[{{"rule":"{rule}"}}],"#);
    let servers = [
        Server::new("nothing configured", ""),
        Server::new("webhooks about another resource", "").with_webhooks(),
        Server::new("a policy about another resource", "").with_policy(("", "v1", "pods")),
        Server::new("the rule in the CRD", &rules),
        Server::new("the rule in a policy", "").with_policy(("park.example.org", "v1", "gates")),
    ];
    if let Some((server, requests)) = only() {
        for _ in 0..requests {
            servers[server].create(&gate);
        }
        return;
    }
    // Servers take turns, so that a change in the machine's load hits all.
    let mut measured: Vec<Vec<Duration>> = vec![Vec::new(); servers.len()];
    for round in 0..=ROUNDS {
        for (server, times) in servers.iter().zip(&mut measured) {
            let time = server.measure(&gate);
            // The first round warms up.
            if round > 0 {
                times.push(time);
            }
        }
    }
    let medians: Vec<Duration> = measured
        .iter_mut()
        .map(|times| {
            times.sort();
            times[times.len() / 2]
        })
        .collect();
    let alone = medians[0];
    for (server, time) in servers.iter().zip(&medians) {
        let ratio = time.as_secs_f64() / alone.as_secs_f64();
        println!(
            "{:<34} {time:>10.2?}  {ratio:.2} of nothing configured",
            server.what
        );
    }
    let cost = |index: usize| medians[index].saturating_sub(alone).as_secs_f64() * 1e6;
    println!(
        "the rule itself: {:.1} µs in the CRD, {:.1} µs in a policy, {:.2} times as much",
        cost(3),
        cost(4),
        cost(4) / cost(3)
    );
}
