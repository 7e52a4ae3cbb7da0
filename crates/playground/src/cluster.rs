//! An API in memory, for what needs one: admission policies and server-side apply.

use kindsmith::apply::{Apply, ApplyError, DryRun};
use kindsmith::local_api;
use kindsmith_api::{Content, Options, Request as ApiRequest, Still, User};
use kindsmith_builtin::Settings;
use kindsmith_json::path::{PathBuf, Step};
use kindsmith_json::write::{Order, to_yaml};
use kindsmith_json::{Arena, Value, to_string, yaml};

use crate::api::{error, read_go};
use crate::document::Document;
use crate::mutation::Mutation;
use crate::request::{Request, Texts};
use crate::response::{Applied, Cause, Conflict, Finding, Owner, Pane};
use crate::review::Subject;

/// Where failed validations are reported, beside the answer.
const FAILURES: &str = "validation.policy.admission.k8s.io/validation_failure";
/// The time of the server: 2026-01-01. Answers repeat.
const NOW: i64 = 1_767_225_600;

/// What policies make of an object.
pub(crate) struct Judged {
    pub(crate) found: Vec<Finding>,
    /// If they change it.
    pub(crate) mutation: Option<Mutation>,
}

/// What the server says to a write that it only tries.
struct Tried {
    /// The validations that fail, as the audit annotation lists them.
    failures: String,
    /// The object, if it would be stored.
    object: Option<String>,
}

/// A server with the kinds of the request.
pub(crate) struct Cluster(DryRun);

impl Cluster {
    /// `None` if the server cannot be made, which would be a bug.
    pub(crate) fn new(texts: &Texts) -> Option<Self> {
        let mut options = Options::default();
        options.serving.release = texts.release();
        options.serving.gates.release = texts.release();
        let mut crds: Vec<String> = Vec::new();
        if let Some(read) = read_go(texts) {
            let settings = Settings {
                profile: texts.profile.into(),
                ..Settings::default()
            };
            // Types without a kind are an API that is not finished.
            if let Ok(generated) = local_api::add_kinds(&mut options, read.schema, &settings) {
                crds.extend(generated.definitions.into_iter().map(|made| made.text));
            }
        }
        let server = DryRun::new(options, Box::new(Still::at(NOW))).ok()?;
        let typed = yaml::documents(&texts.crds).map(|document| document.text.to_owned());
        for crd in crds.into_iter().chain(typed) {
            // Its errors are findings of the API already.
            let _ = local_api::define(server.api(), &crd);
        }
        Some(Self(server))
    }

    /// What the policies say about the object.
    pub(crate) fn judge(&self, request: &Request, subject: &Subject<'_>) -> Judged {
        let arena = Arena::new();
        let (mut documents, unreadable) = Document::all(&arena, Pane::Policies, &request.api.policies);
        let mut found: Vec<Finding> = unreadable.into_iter().map(Finding::from).collect();
        // Namespaces and parameters come first, and a binding after its policy.
        documents.sort_by_key(|document| match document.identity().1 {
            "Namespace" => 0,
            kind if kind.ends_with("AdmissionPolicyBinding") => 3,
            kind if kind.ends_with("AdmissionPolicy") => 2,
            _ => 1,
        });
        let api = self.0.api();
        if let Some(old) = &subject.old
            && let Some(path) = local_api::collection(api, old.value)
        {
            // What is wrong with it is up to the review.
            let _ = local_api::ask(api, "POST", &path, &to_string(old.value));
        }
        let object = subject.object.value;
        let body = to_string(object);
        let target = local_api::collection(api, object).map(|path| match &subject.old {
            Some(_) => ("PUT", format!("{path}/{}", object.text(&["metadata", "name"]))),
            None => ("POST", path),
        });
        let attempt = || {
            target
                .as_ref()
                .map(|(method, path)| self.attempt(method, path, &body))
        };
        let before = attempt();
        for document in &documents {
            found.extend(self.enforce(&arena, document));
        }
        let after = attempt();
        let mutation = match (before, &after) {
            (
                Some(Tried {
                    object: Some(before), ..
                }),
                Some(Tried {
                    object: Some(after), ..
                }),
            ) => Some(Mutation {
                before,
                after: after.clone(),
            }),
            _ => None,
        };
        let failures = after.map(|tried| tried.failures).unwrap_or_default();
        let failures = kindsmith_json::parse(&arena, failures.as_bytes()).unwrap_or_default();
        let failures = failures.as_array().unwrap_or_default();
        found.extend(
            failures
                .iter()
                .map(|failure| failed(*failure, &documents, subject)),
        );
        Judged { found, mutation }
    }

    /// Stores a policy or what it needs.
    fn enforce(&self, arena: &Arena, document: &Document<'_>) -> Option<Finding> {
        let api = self.0.api();
        let mut value = document.value;
        if document.identity().1 == "ValidatingAdmissionPolicyBinding" {
            let path = ["spec", "validationActions"];
            let mut actions = value.list(&path).to_vec();
            // The audit annotation names the expression that failed.
            if !actions.is_empty() && !actions.contains(&Value::Str("Audit")) {
                actions.push(Value::Str("Audit"));
                value.set(arena, &path, Value::Array(arena.alloc_slice_copy(&actions)));
            }
        }
        let whole = || document.place(&PathBuf::default());
        let Some(path) = local_api::collection(api, value) else {
            let (api_version, kind) = document.identity();
            return Some(error(whole(), format!("no schema for {api_version} {kind}")));
        };
        let answer = local_api::ask(api, "POST", &path, &to_string(value));
        let refused = answer.status >= 400 && answer.status != 409;
        refused.then(|| {
            let message = kindsmith_json::parse(arena, arena.alloc_str(&answer.body).as_bytes());
            error(whole(), message.unwrap_or_default().text("message").to_owned())
        })
    }

    /// Tries a write.
    fn attempt(&self, method: &str, path: &str, body: &str) -> Tried {
        let user = User {
            name: local_api::ADMINISTRATOR.to_owned(),
            groups: vec![local_api::MASTERS.to_owned()],
            ..User::default()
        };
        let request = ApiRequest {
            method,
            path,
            query: "dryRun=All",
            headers: &[("content-type", "application/json"), ("user-agent", "kindsmith")],
            body: body.as_bytes(),
            user: &user,
        };
        let api = self.0.api();
        let info = api.info(&request);
        let Ok(authorized) = api.authorize(&request, &info) else {
            return Tried {
                failures: String::new(),
                object: None,
            };
        };
        let (response, mut annotations) = api.answer(&request, &info, &authorized);
        let object = match response.content {
            Content::Bytes(bytes) if response.status < 400 => String::from_utf8(bytes).ok(),
            _ => None,
        };
        Tried {
            failures: annotations.remove(FAILURES).unwrap_or_default(),
            object,
        }
    }

    /// Tries a server-side apply of the object onto the old one.
    pub(crate) fn apply(&self, request: &Request, subject: &Subject<'_>) -> Applied {
        let arena = Arena::new();
        let api = self.0.api();
        // Its namespace must be there.
        let _ = local_api::collection(api, subject.object.value);
        let apply = Apply {
            live: subject.old.as_ref().map(|old| old.value),
            applied: subject.object.value,
            field_manager: match &*request.manager {
                "" => "playground",
                manager => manager,
            },
            is_forced: request.force,
        };
        let applied = match self.0.apply(&arena, &apply) {
            Ok(applied) => applied,
            Err(ApplyError::Applied(text)) => return refused(format!("the object: {text}")),
            Err(ApplyError::Live(text)) => return refused(format!("the old object: {text}")),
        };
        let owners = applied.owners.into_iter().map(|owner| Owner {
            name: owner.name,
            fields: owner.fields,
        });
        let conflicts = applied.conflicts.iter().map(|conflict| Conflict {
            field: conflict.field.to_owned(),
            message: conflict.message.to_owned(),
            place: Some(subject.object.place(&path_of(conflict.field))),
        });
        let mut shown = Applied {
            owners: owners.collect(),
            conflicts: conflicts.collect(),
            ..Applied::default()
        };
        match applied.result {
            Ok(mut object) => {
                object.unset(&arena, &["metadata", "managedFields"]);
                shown.text = Some(to_yaml(object, Order::Kept));
            }
            Err(status) => shown.error = Some(status.text("message").to_owned()),
        }
        shown
    }
}

fn refused(text: String) -> Applied {
    Applied {
        error: Some(text),
        ..Applied::default()
    }
}

/// A validation that failed, with the place of its expression.
fn failed(failure: Value<'_>, documents: &[Document<'_>], subject: &Subject<'_>) -> Finding {
    let find = |kind: &str, name: &str| {
        let mut documents = documents.iter();
        documents.find(|document| {
            document.identity().1 == kind && document.value.text(&["metadata", "name"]) == name
        })
    };
    let (policy, binding) = (failure.text("policy"), failure.text("binding"));
    let actions = find("ValidatingAdmissionPolicyBinding", binding);
    let actions = actions.map(|binding| binding.value.list(&["spec", "validationActions"]));
    let is_denial = actions.unwrap_or_default().contains(&Value::Str("Deny"));
    let field = |name: &str| Step::Field(name.into());
    let mut finding = error(
        subject.object.place(&PathBuf::default()),
        format!("{}, says the policy {policy}", failure.text("message")),
    );
    if !is_denial {
        finding.severity = kindsmith_source::Severity::Warning.as_str();
    }
    finding.cause = find("ValidatingAdmissionPolicy", policy).map(|document| {
        let index = failure
            .get("expressionIndex")
            .and_then(Value::as_u64)
            .unwrap_or(0);
        let path = [
            field("spec"),
            field("validations"),
            Step::Index(index as usize),
            field("expression"),
        ];
        Cause {
            label: "this expression does not hold".to_owned(),
            place: document.place(&path.into_iter().collect()),
        }
    });
    finding
}

/// `.spec.hours[day="Mon"].from` as far as there are only names.
fn path_of(field: &str) -> PathBuf {
    let plain = field.split('[').next().unwrap_or_default();
    let names = plain.split('.').filter(|name| !name.is_empty());
    names.map(|name| Step::Field(name.into())).collect()
}
