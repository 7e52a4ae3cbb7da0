//! What webhooks answer, as it grows along one axis.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use kindsmith_admission::{Answer, Call, Called, Caller};
use kindsmith_gostd::base64;
use stats_alloc::Region;

use crate::ALLOCATOR;
use crate::cases::{DEFINITIONS, JSON, MAPS, map, members, pair};
use crate::server::Server;

/// Makes the answer of some size to a review.
type Made = fn(review: &str, n: usize) -> String;

/// A webhook that answers every review.
#[derive(Debug)]
struct Webhook {
    made: Made,
    n: usize,
    answered: Arc<AtomicUsize>,
}

impl Caller for Webhook {
    fn call(&self, calls: &[Call<'_>]) -> Vec<Called> {
        let answer = |call: &Call<'_>| {
            let body = (self.made)(&call.body, self.n).into_bytes();
            self.answered.fetch_add(body.len(), Ordering::Relaxed);
            Called {
                result: Ok(Answer {
                    status: 200,
                    content_type: JSON.to_owned(),
                    body,
                }),
                took: Duration::ZERO,
            }
        };
        calls.iter().map(answer).collect()
    }
}

fn uid(review: &str) -> &str {
    let (_, rest) = review.split_once(r#""uid":""#).expect("a review has a uid");
    rest.split('"').next().unwrap_or_default()
}

/// An answer of an admission webhook with more members.
fn admitted(review: &str, members: &str) -> String {
    format!(
        r#"{{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{{"uid":"{}",{members}}}}}"#,
        uid(review)
    )
}

fn patched(review: &str, patch: &str) -> String {
    let patch = base64::encode(patch.as_bytes());
    admitted(
        review,
        &format!(r#""allowed":true,"patchType":"JSONPatch","patch":"{patch}""#),
    )
}

/// The objects of a review in the other version, with more in each.
fn converted(review: &str, more: &str) -> String {
    let (_, rest) = review.split_once(r#""objects":"#).expect("a review has objects");
    let (objects, _) = rest
        .rsplit_once(r#"},"response""#)
        .expect("a review has a response");
    let objects = objects
        .replace("turns.org/v1", "turns.org/v2")
        .replace(r#""spec":{"#, &format!(r#""spec":{{{more}"#));
    format!(
        r#"{{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","response":{{"uid":"{}",
        "result":{{"status":"Success"}},"convertedObjects":{objects}}}}}"#,
        uid(review)
    )
}

/// Answers to the creation of a map.
const ADMISSION: [(&str, Made); 7] = [
    ("operations of a patch", |review, n| {
        let operations = members(n, |number| {
            format!(r#"{{"op":"add","path":"/data/k{number}","value":"v"}}"#)
        });
        patched(review, &format!("[{operations}]"))
    }),
    ("keys that a patch adds", |review, n| {
        let data = members(n, pair);
        patched(
            review,
            &format!(r#"[{{"op":"add","path":"/data","value":{{{data}}}}}]"#),
        )
    }),
    ("unknown fields that a patch adds", |review, n| {
        let operations = members(n, |number| {
            format!(r#"{{"op":"add","path":"/u{number}","value":"v"}}"#)
        });
        patched(review, &format!("[{operations}]"))
    }),
    ("warnings", |review, n| {
        let warnings = members(n, |number| format!(r#""warning {number}""#));
        admitted(review, &format!(r#""allowed":true,"warnings":[{warnings}]"#))
    }),
    ("audit annotations", |review, n| {
        let annotations = members(n, pair);
        admitted(
            review,
            &format!(r#""allowed":true,"auditAnnotations":{{{annotations}}}"#),
        )
    }),
    ("a long denial", |review, n| {
        let message = "no ".repeat(n);
        admitted(
            review,
            &format!(r#""allowed":false,"status":{{"message":"{message}"}}"#),
        )
    }),
    ("members that nobody knows", |review, n| {
        admitted(review, &format!(r#""allowed":true,{}"#, members(n, pair)))
    }),
];

const CONFIGURATION: &str = r#"{"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingWebhookConfiguration",
    "metadata":{"name":"w"},"webhooks":[{"name":"w.example.org","clientConfig":{"url":"https://w.example.org"},"rules":[
    {"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE"],"resources":["configmaps"]}],"sideEffects":"None",
    "admissionReviewVersions":["v1"]}]}"#;

const TURNS: &str = r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
    "metadata":{"name":"turns.turns.org"},"spec":{"group":"turns.org","scope":"Namespaced",
    "names":{"plural":"turns","singular":"turn","kind":"Turn"},"versions":[
    {"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}},
    {"name":"v2","served":true,"storage":false,"schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}],
    "conversion":{"strategy":"Webhook","webhook":{"conversionReviewVersions":["v1"],"clientConfig":{"url":"https://c.example.org"}}}}}"#;

/// What a webhook's answers took: bytes that were allocated, freed ones included, and bytes that were answered.
type Taken = (usize, usize);

/// A server with a webhook; answers are counted from the last request on.
struct Asked {
    server: Server,
    answered: Arc<AtomicUsize>,
}

impl Asked {
    fn new(made: Made, n: usize) -> Self {
        let answered = Arc::new(AtomicUsize::new(0));
        let webhook = Webhook {
            made,
            n,
            answered: Arc::clone(&answered),
        };
        let server = Server::configured(|options| options.webhooks.caller = Some(Arc::new(webhook)));
        Asked { server, answered }
    }

    fn post(&self, target: &str, body: &str) {
        let (status, answer) = self.server.ask_bytes("POST", target, JSON, body.as_bytes());
        assert_eq!(status, 201, "{target}: {answer:.300}");
    }

    fn last(&self, method: &str, target: &str, body: &str) -> Taken {
        self.answered.store(0, Ordering::Relaxed);
        let region = Region::new(ALLOCATOR);
        let (status, answer) = self.server.ask_bytes(method, target, JSON, body.as_bytes());
        let allocated = region.change().bytes_allocated;
        assert!(status < 500, "{target}: {status} {answer:.300}");
        (allocated, self.answered.load(Ordering::Relaxed))
    }
}

/// A request whose webhook answers with some size.
type Case = (String, Box<dyn Fn(usize) -> Taken>);

pub(crate) fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for (name, made) in ADMISSION {
        let asked = move |n| {
            let asked = Asked::new(made, n);
            let configurations = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
            asked.post(configurations, CONFIGURATION);
            asked.last("POST", MAPS, &map(r#""data":{"a":"b"}"#))
        };
        cases.push((name.to_owned(), Box::new(asked)));
    }
    let turns = |version: &str| format!("/apis/turns.org/{version}/namespaces/default/turns");
    let turn = |name: usize| {
        format!(
            r#"{{"apiVersion":"turns.org/v1","kind":"Turn","metadata":{{"name":"a{name}"}},"spec":{{"a":"b"}}}}"#
        )
    };
    let grown = move |n| {
        let asked = Asked::new(|review, n| converted(review, &(members(n, pair) + ",")), n);
        asked.post(DEFINITIONS, TURNS);
        asked.post(&turns("v1"), &turn(0));
        asked.last("GET", &format!("{}/a0", turns("v2")), "")
    };
    cases.push(("keys that a conversion adds".to_owned(), Box::new(grown)));
    let list = move |n| {
        let asked = Asked::new(|review, _| converted(review, ""), n);
        asked.post(DEFINITIONS, TURNS);
        (0..n / 4).for_each(|name| asked.post(&turns("v1"), &turn(name)));
        asked.last("GET", &turns("v2"), "")
    };
    cases.push(("objects of a list that is converted".to_owned(), Box::new(list)));
    cases
}
