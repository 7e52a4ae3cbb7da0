//! Access and token reviews, which are answered and not stored
//! (pkg/registry/{authorization,authentication}).

mod evaluation;

use std::fmt;

use kindsmith_builtin::{Kind, validate_access_review};
use kindsmith_json::{Arena, Object, Value, object_of};
use kindsmith_object::{FieldError, Release};
use kindsmith_request::{Admission, AdmissionRequest, Body, Status, Warning, Write, WriteSteps, body};

use super::role_rule::Rule;
use super::{Access, Attributes, Tokens};
use crate::User;

/// Finds the user of a token.
pub trait Authenticator: fmt::Debug + Send + Sync {
    /// The user of a bearer token; `None` if the token is unknown.
    fn authenticate(&self, token: &str) -> Option<User>;
}

/// The user who sent a review, and what answering it needs.
pub(crate) struct Asker<'r> {
    /// The release whose rules hold.
    pub(crate) release: Release,
    /// Authorizes.
    pub(crate) access: &'r Access,
    /// The user who sent it.
    pub(crate) user: &'r User,
    /// The namespace of the URL; empty for none.
    pub(crate) namespace: &'r str,
    /// The current time: RFC 3339 in UTC, to the second.
    pub(crate) now: &'r str,
    /// Authenticates tokens.
    pub(crate) authenticator: Option<&'r dyn Authenticator>,
    /// Reads tokens of service accounts.
    pub(crate) accounts: Option<Tokens<'r>>,
}

/// Answers the review in a request's body, together with warnings.
///
/// # Errors
///
/// If the body cannot be decoded or the review is invalid.
pub(crate) fn review<'a>(
    arena: &'a Arena,
    kind: &'a Kind,
    asker: &Asker<'_>,
    body: Body<'a>,
    write: &Write<'a>,
    admission: &mut dyn Admission<'a>,
) -> (Result<Value<'a>, Status>, Vec<Warning>) {
    let (object, strict) = match kind.read_body(arena, body, write.field_validation) {
        Ok(read) => read,
        Err(status) => return (Err(status), Vec::new()),
    };
    let request = AdmissionRequest::of_review(kind.target(), write);
    let answer = settle(arena, object, asker.namespace)
        .map(|object| admission.manage_fields(&request, object))
        .and_then(|object| admission.mutate(&request, object))
        .and_then(|object| asker.answer(arena, &kind.names.kind, object))
        .map(|answer| {
            kind.plan()
                .encoded(arena, kind.plan().without_empty(arena, answer))
        });
    (answer, body::warnings(strict))
}

/// Sets the namespace of the URL and drops the metadata that clients cannot set.
fn settle<'a>(arena: &'a Arena, object: Value<'a>, namespace: &str) -> Result<Value<'a>, Status> {
    let mut object = object;
    for key in [
        "creationTimestamp",
        "uid",
        "deletionTimestamp",
        "deletionGracePeriodSeconds",
        "selfLink",
    ] {
        object.unset(arena, &["metadata", key]);
    }
    let given = object.text(&["metadata", "namespace"]);
    if namespace.is_empty() {
        object.unset(arena, &["metadata", "namespace"]);
    } else if !given.is_empty() && given != namespace {
        return Err(Status::other_namespace());
    } else {
        let namespace = arena.alloc_str(namespace);
        object.set(arena, &["metadata", "namespace"], Value::Str(namespace));
    }
    Ok(object)
}

impl Asker<'_> {
    fn answer<'a>(&self, arena: &'a Arena, kind: &str, object: Value<'a>) -> Result<Value<'a>, Status> {
        match kind {
            "SelfSubjectReview" => Ok(self.who_am_i(arena, object)),
            "TokenReview" => self.whose_token(arena, object),
            "SelfSubjectRulesReview" => self.what_may_i(arena, object),
            kind => self.may(arena, kind, object),
        }
    }

    /// Answers an access review.
    fn may<'a>(&self, arena: &'a Arena, kind: &str, object: Value<'a>) -> Result<Value<'a>, Status> {
        let errors: Vec<FieldError> = validate_access_review(self.release, kind, object);
        if !errors.is_empty() {
            // Kubernetes has lost the kind at this point, so its error does not name it.
            return Err(Status::invalid("authorization.k8s.io", "", "", &errors));
        }
        let spec = object.get("spec").unwrap_or_default();
        let other = subject(spec);
        let user = if kind == "SelfSubjectAccessReview" {
            self.user
        } else {
            &other
        };
        let decision = self
            .access
            .authorize(&attributes(user, spec))
            .map_err(crate::stored::failure)?;
        let reason = Value::Str(arena.alloc_str(&decision.reason));
        let mut status = vec![("allowed", Value::Bool(decision.is_allowed)), ("reason", reason)];
        if let Some(error) = evaluation::error(self.release, spec) {
            status.push(("evaluationError", Value::Str(arena.alloc_str(&error))));
        }
        let status = object_of(arena, &status);
        let mut object = object;
        object.set(arena, &["status"], status);
        Ok(object)
    }

    fn who_am_i<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let mut answer = object;
        let now = Value::Str(arena.alloc_str(self.now));
        answer.set(
            arena,
            &["metadata"],
            object_of(arena, &[("creationTimestamp", now)]),
        );
        answer.set(
            arena,
            &["status"],
            object_of(arena, &[("userInfo", user_info(arena, self.user))]),
        );
        answer
    }

    fn whose_token<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Result<Value<'a>, Status> {
        let token = object.text(&["spec", "token"]);
        if token.is_empty() {
            return Err(Status::bad_request(
                "token is required for TokenReview in authentication",
            ));
        }
        let audiences = super::texts(object.lookup(&["spec", "audiences"]));
        let user = self
            .authenticator
            .and_then(|authenticator| authenticator.authenticate(token));
        let known = match (user, &self.accounts) {
            (Some(user), None) => Ok((user, Vec::new())),
            // Such a token is good for all audiences of the server.
            (Some(user), Some(accounts)) => {
                let own = accounts.signer.audiences().iter();
                let common: Vec<String> = own
                    .filter(|own| audiences.is_empty() || audiences.contains(own))
                    .cloned()
                    .collect();
                if common.is_empty() {
                    Err("invalid bearer token".to_owned())
                } else {
                    Ok((user, common))
                }
            }
            (None, Some(accounts)) => match accounts.check(token, &audiences) {
                Ok(Some(known)) => Ok((known.user, known.audiences)),
                Ok(None) => Err("invalid bearer token".to_owned()),
                Err(why) => Err(format!("[invalid bearer token, {why}]")),
            },
            (None, None) => Err("invalid bearer token".to_owned()),
        };
        let status = match &known {
            Ok((user, audiences)) => {
                let mut fields = vec![
                    ("authenticated", Value::Bool(true)),
                    ("user", user_info(arena, user)),
                ];
                if !audiences.is_empty() {
                    fields.push(("audiences", list(arena, audiences)));
                }
                object_of(arena, &fields)
            }
            Err(why) => object_of(
                arena,
                &[
                    ("error", Value::Str(arena.alloc_str(why))),
                    ("user", object_of(arena, &[])),
                ],
            ),
        };
        let mut object = object;
        object.set(arena, &["status"], status);
        Ok(object)
    }

    fn what_may_i<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Result<Value<'a>, Status> {
        let namespace = object.text(&["spec", "namespace"]);
        if namespace.is_empty() {
            return Err(Status::bad_request("no namespace on request"));
        }
        let policy = self.access.policy().map_err(crate::stored::failure)?;
        let (rules, problems) = policy.rules_for(self.user, namespace);
        let of = |is_wanted: fn(&Rule) -> bool, make: fn(&'a Arena, &Rule) -> Value<'a>| {
            let found: Vec<Value<'a>> = rules
                .iter()
                .filter(|rule| is_wanted(rule))
                .map(|rule| make(arena, rule))
                .collect();
            Value::Array(arena.alloc_slice_copy(&found))
        };
        let problems = kindsmith_request::aggregate(problems);
        let problem = if problems == "[]" { "" } else { problems.as_str() };
        let status = object_of(
            arena,
            &[
                (
                    "resourceRules",
                    of(|rule| !rule.resources.is_empty(), resource_rule),
                ),
                ("nonResourceRules", of(|rule| !rule.paths.is_empty(), path_rule)),
                ("incomplete", Value::Bool(false)),
                ("evaluationError", Value::Str(arena.alloc_str(problem))),
            ],
        );
        let mut object = object;
        object.set(arena, &["metadata"], object_of(arena, &[]));
        object.set(arena, &["spec"], object_of(arena, &[]));
        object.set(arena, &["status"], status);
        Ok(object)
    }
}

fn resource_rule<'a>(arena: &'a Arena, rule: &Rule) -> Value<'a> {
    object_of(
        arena,
        &[
            ("verbs", list(arena, &rule.verbs)),
            ("apiGroups", list(arena, &rule.groups)),
            ("resources", list(arena, &rule.resources)),
            ("resourceNames", list(arena, &rule.names)),
        ],
    )
}

fn path_rule<'a>(arena: &'a Arena, rule: &Rule) -> Value<'a> {
    object_of(
        arena,
        &[
            ("verbs", list(arena, &rule.verbs)),
            ("nonResourceURLs", list(arena, &rule.paths)),
        ],
    )
}

/// The user that a `SubjectAccessReview` names.
fn subject(spec: Value<'_>) -> User {
    let texts = |value: Option<Value<'_>>| -> Vec<String> {
        let list = value.and_then(Value::as_array).unwrap_or_default();
        list.iter()
            .filter_map(|text| text.as_str())
            .map(str::to_owned)
            .collect()
    };
    let extra = spec.get("extra").and_then(Value::as_object).unwrap_or_default();
    User {
        name: spec.text("user").to_owned(),
        uid: spec.text("uid").to_owned(),
        groups: texts(spec.get("groups")),
        extra: extra
            .iter()
            .map(|(key, values)| (key.to_owned(), texts(Some(values))))
            .collect(),
    }
}

/// The attributes that a review asks about.
fn attributes<'r>(user: &'r User, spec: Value<'r>) -> Attributes<'r> {
    let path = spec.get("nonResourceAttributes").filter(|value| !value.is_null());
    let asked = path
        .or_else(|| spec.get("resourceAttributes"))
        .unwrap_or_default();
    let part = |key| asked.text(key);
    Attributes {
        user,
        verb: part("verb"),
        is_resource: path.is_none(),
        namespace: part("namespace"),
        group: part("group"),
        resource: part("resource"),
        subresource: part("subresource"),
        name: part("name"),
        path: part("path"),
    }
}

/// A user as `authentication.k8s.io/v1` `UserInfo`.
pub(crate) fn user_info<'a>(arena: &'a Arena, user: &User) -> Value<'a> {
    let owned = |text: &str| Value::Str(arena.alloc_str(text));
    let mut extra = Object::EMPTY;
    for (key, values) in &user.extra {
        extra.insert(arena, arena.alloc_str(key), list(arena, values));
    }
    let mut fields = vec![("username", owned(&user.name))];
    if !user.uid.is_empty() {
        fields.push(("uid", owned(&user.uid)));
    }
    if !user.groups.is_empty() {
        fields.push(("groups", list(arena, &user.groups)));
    }
    if !extra.is_empty() {
        fields.push(("extra", Value::Object(extra)));
    }
    object_of(arena, &fields)
}

fn list<'a>(arena: &'a Arena, texts: &[String]) -> Value<'a> {
    let texts: Vec<Value<'a>> = texts
        .iter()
        .map(|text| Value::Str(arena.alloc_str(text)))
        .collect();
    Value::Array(arena.alloc_slice_copy(&texts))
}
