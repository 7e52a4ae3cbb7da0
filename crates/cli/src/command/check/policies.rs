//! Admission policies from files, tried on manifests by an API server in this process.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use kindsmith::local_api::{self, ADMINISTRATOR, MASTERS};
use kindsmith_api::{Api, Options, Request, User};
use kindsmith_json::path::PathBuf;
use kindsmith_json::{Arena, Path as FieldPath, Value, to_string};
use kindsmith_server::System;
use kindsmith_source::{Diagnostic, SourceMap, Span};
use kindsmith_store::Memory;

use crate::error::Error;
use crate::finding;
use crate::manifest::{self, Findings, Manifest};
use crate::schemas::find_files;

/// Where failed validations are reported, beside the answer.
const FAILURES: &str = "validation.policy.admission.k8s.io/validation_failure";

/// Policies in force.
pub(super) struct Policies<'a> {
    api: Api,
    documents: Vec<Manifest<'a>>,
}

/// What a server said to a manifest.
struct Answer {
    status: u16,
    message: String,
    failures: String,
}

impl<'a> Policies<'a> {
    /// Reads policies, bindings, and the namespaces and parameters they need.
    pub(super) fn read(
        directory: &Path,
        arena: &'a Arena,
        sources: &mut SourceMap,
        findings: &mut Findings,
        options: Options,
    ) -> Result<Self, Error> {
        let mut documents = Vec::new();
        for file in find_files(directory)? {
            documents.extend(manifest::read(&file, arena, sources, findings));
        }
        // There is nobody to call. Files may be those of `serve --admission`.
        documents.retain(|document| !document.identity().1.ends_with("WebhookConfiguration"));
        // Namespaces and parameters come first, and a binding after its policy.
        documents.sort_by_key(|document| match document.kind() {
            Some("Namespace") => 0,
            Some(kind) if kind.ends_with("AdmissionPolicyBinding") => 3,
            Some(kind) if kind.ends_with("AdmissionPolicy") => 2,
            _ => 1,
        });
        let api = Api::open(Arc::new(Memory::new()), Box::new(System), options)
            .map_err(|error| Error::environment(format!("cannot open a store in memory: {error}")))?;
        Ok(Policies { api, documents })
    }

    /// The server.
    pub(super) fn api(&self) -> &Api {
        &self.api
    }

    /// Puts the policies in force; what the server refuses is a finding at its place.
    pub(super) fn enforce(&self, findings: &mut Findings) {
        for document in &self.documents {
            let arena = Arena::new();
            let mut value = document.value;
            if document.kind() == Some("ValidatingAdmissionPolicyBinding") {
                let path = ["spec", "validationActions"];
                let actions = value.lookup(&path).and_then(Value::as_array);
                let mut actions = actions.unwrap_or_default().to_vec();
                // The audit annotation names the expression that failed.
                if !actions.is_empty() && !actions.contains(&Value::Str("Audit")) {
                    actions.push(Value::Str("Audit"));
                    value.set(&arena, &path, Value::Array(arena.alloc_slice_copy(&actions)));
                }
            }
            let answer = match self.path(document.value) {
                Some(path) => self.ask("POST", &path, "", value),
                None => {
                    findings.no_schema(document, None, false);
                    continue;
                }
            };
            if answer.status >= 400 && answer.status != 409 {
                let at = document.span(&PathBuf::default());
                findings.fail(&finding::INVALID, at, answer.message);
            }
            if document.kind() == Some("ValidatingAdmissionPolicy") {
                self.check_types(document, findings);
            }
        }
    }

    /// Expressions that do not fit the kinds that a policy matches are warnings at their place.
    fn check_types(&self, document: &Manifest<'_>, findings: &mut Findings) {
        let name = document.value.text(&["metadata", "name"]);
        let path = format!("/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/{name}");
        let answer = local_api::ask(&self.api, "GET", &path, "");
        let arena = Arena::new();
        let policy = kindsmith_json::parse(&arena, answer.body.as_bytes()).unwrap_or_default();
        let warnings = policy.lookup(&["status", "typeChecking", "expressionWarnings"]);
        for &warning in warnings.and_then(Value::as_array).unwrap_or_default() {
            let at = document.span(&place(warning.text("fieldRef")));
            // The first line of each kind's problem; the rest shows the expression.
            let problems = warning.text("warning").lines();
            for problem in problems.filter(|line| line.contains(", Kind=")) {
                findings.warn(&finding::SERVER_WARNING, at, problem.to_owned());
            }
        }
    }

    /// Whether the kind of a document is known, so that policies can judge it.
    pub(super) fn knows(&self, manifest: &Manifest<'_>) -> bool {
        self.path(manifest.value).is_some()
    }

    /// Stores the object that an update changes, before policies are in force.
    pub(super) fn store(&self, old: &Manifest<'_>) -> Result<(), Error> {
        let Some(path) = self.path(old.value) else {
            return Ok(());
        };
        let answer = self.ask("POST", &path, "", old.value);
        match answer.status {
            ..400 | 409 => Ok(()),
            _ => Err(Error::input(format!("--old: {}", answer.message))),
        }
    }

    /// Judges a manifest. `is_reviewed` tells that its own errors are findings already.
    pub(super) fn judge(
        &self,
        manifest: &Manifest<'_>,
        is_update: bool,
        is_reviewed: bool,
        findings: &mut Findings,
    ) {
        let Some(path) = self.path(manifest.value) else {
            return;
        };
        let name = manifest.value.text(&["metadata", "name"]);
        let (method, path) = if is_update {
            ("PUT", format!("{path}/{name}"))
        } else {
            ("POST", path)
        };
        let answer = self.ask(method, &path, "dryRun=All", manifest.value);
        let at = manifest.span(&PathBuf::default());
        let arena = Arena::new();
        let failures = kindsmith_json::parse(&arena, answer.failures.as_bytes()).unwrap_or_default();
        let mut is_told = false;
        for &failure in failures.as_array().unwrap_or_default() {
            let (diagnostic, is_denial) = self.failure(failure, at);
            is_told |= is_denial;
            findings.add(diagnostic);
        }
        let is_policy = answer.message.contains("denied request: ");
        if answer.status >= 400 && !is_told && (is_policy || !is_reviewed) {
            findings.fail(&finding::INVALID, at, answer.message);
        }
    }

    /// A validation that failed, with the place of its expression; and whether it rejects the object.
    fn failure(&self, failure: Value<'_>, at: Span) -> (Diagnostic, bool) {
        let (policy, binding) = (failure.text("policy"), failure.text("binding"));
        let actions = self.find("ValidatingAdmissionPolicyBinding", binding);
        let actions = actions.and_then(|binding| binding.value.lookup(&["spec", "validationActions"]));
        let actions = actions.and_then(Value::as_array).unwrap_or_default();
        let is_denial = actions.contains(&Value::Str("Deny"));
        let message = format!("{}, says the policy {policy}", failure.text("message"));
        let mut diagnostic = if is_denial {
            Diagnostic::error(&finding::INVALID, at, message)
        } else {
            Diagnostic::warning(&finding::SERVER_WARNING, at, message)
        };
        if let Some(document) = self.find("ValidatingAdmissionPolicy", policy) {
            let index = failure.get("expressionIndex").and_then(Value::as_u64);
            let spec = FieldPath::root("spec");
            let validations = spec.child("validations");
            let item = validations.index(index.unwrap_or_default() as usize);
            let place = document.span(&item.child("expression").to_owned());
            diagnostic = diagnostic.related(place, "this expression does not hold");
        }
        (diagnostic, is_denial)
    }

    fn find(&self, kind: &str, name: &str) -> Option<&Manifest<'a>> {
        let is_wanted = |document: &&Manifest<'a>| {
            document.kind() == Some(kind) && document.value.text(&["metadata", "name"]) == name
        };
        self.documents.iter().find(is_wanted)
    }

    /// The path of an object's collection; its namespace is created if it is not there.
    fn path(&self, object: Value<'_>) -> Option<String> {
        local_api::collection(&self.api, object)
    }

    fn ask(&self, method: &str, path: &str, query: &str, object: Value<'_>) -> Answer {
        let user = User {
            name: ADMINISTRATOR.to_owned(),
            groups: vec![MASTERS.to_owned()],
            ..User::default()
        };
        let body = to_string(object);
        let request = Request {
            method,
            path,
            query,
            headers: &[("content-type", "application/json"), ("user-agent", "kindsmith")],
            body: body.as_bytes(),
            user: &user,
        };
        let info = self.api.info(&request);
        let (response, mut annotations) = match self.api.authorize(&request, &info) {
            Ok(authorized) => self.api.answer(&request, &info, &authorized),
            Err(refusal) => (refusal, BTreeMap::new()),
        };
        let failures = annotations.remove(FAILURES);
        let arena = Arena::new();
        let status = response.status;
        let body = response.content.into_bytes();
        let body = kindsmith_json::parse(&arena, &body).unwrap_or_default();
        Answer {
            status,
            message: body.text("message").to_owned(),
            failures: failures.unwrap_or_default(),
        }
    }
}

/// The place of `spec.validations[0].expression` and its neighbors.
fn place(field: &str) -> PathBuf {
    let inside = field.strip_prefix("spec.validations[").unwrap_or_default();
    let (index, member) = inside.split_once("].").unwrap_or_default();
    let spec = FieldPath::root("spec");
    let validations = spec.child("validations");
    let item = validations.index(index.parse().unwrap_or_default());
    item.child(member).to_owned()
}
