//! Answers requests one after the other, and keeps what the next one probably needs too.

use kindsmith_json::Arena;

use crate::api::Api;
use crate::cluster::{Cluster, Judged};
use crate::mutation;
use crate::outputs;
use crate::request::{Panel, Request};
use crate::response::{Response, Verdict};
use crate::review::{self, Subject};
use crate::rules;

/// Answers requests. The API is compiled again only when its text changes.
#[derive(Debug, Default)]
pub struct Session {
    api: Option<Api>,
}

impl Session {
    /// The answer to a request, both as JSON. A request that is not JSON gets an answer that says so.
    pub fn answer(&mut self, request: &str) -> String {
        let response = match serde_json::from_str::<Request>(request) {
            Ok(request) => self.respond(&request),
            Err(error) => Response {
                verdict: Verdict::Unknown,
                summary: format!("the request cannot be read: {error}"),
                ..Response::default()
            },
        };
        serde_json::to_string(&response).unwrap_or_default()
    }

    fn respond(&mut self, request: &Request) -> Response {
        let api = match self.api.take().filter(|api| api.is_of(&request.api)) {
            Some(api) => api,
            None => Api::new(&request.api),
        };
        let api = self.api.insert(api);
        let arena = Arena::new();
        let mut response = Response {
            findings: api.findings.clone(),
            ..Response::default()
        };
        let subject = Subject::read(&arena, request, &mut response);
        if let Some(subject) = &subject {
            review::review(api, request, subject, &mut response);
            if !request.api.policies.trim().is_empty() {
                judge(request, subject, &mut response);
            }
        }
        match (request.panel, &subject) {
            (Panel::Crd, _) => response.text = Some(outputs::crds(api, request)),
            (Panel::Openapi, _) => response.text = Some(outputs::openapi(api, request)),
            (Panel::Docs, _) => response.html = Some(outputs::docs(api, request)),
            (Panel::Rules, Some(subject)) => response.rules = rules::rules(api, subject),
            (Panel::Apply, Some(subject)) => {
                response.apply = Cluster::new(&request.api).map(|cluster| cluster.apply(request, subject));
            }
            _ => {}
        }
        response
    }
}

fn judge(request: &Request, subject: &Subject<'_>, response: &mut Response) {
    let Some(cluster) = Cluster::new(&request.api) else {
        return;
    };
    let Judged { found, mutation } = cluster.judge(request, subject);
    if response.verdict == Verdict::Allowed && found.iter().any(|found| found.severity == "error") {
        response.verdict = Verdict::Rejected;
        response.summary = "rejected by a policy".to_owned();
        response.stored = None;
    }
    response.findings.extend(found);
    if let (Some(mutation), Verdict::Allowed) = (mutation, response.verdict) {
        mutation::show(&mutation, subject, response);
    }
}
