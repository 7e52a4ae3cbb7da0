//! Validating policies: all that match a request are evaluated, and one denial rejects it (`dispatcher.Dispatch` in
//! apiserver's pkg/admission/plugin/policy/validating/dispatcher.go).

use std::sync::Arc;
use std::time::Duration;

use kindsmith_cel::policy::{Activation, Given, Reads, Scratch};
use kindsmith_json::{Arena, Entry, Object, Value};
use kindsmith_request::{Cause, Status};

use super::decide::{Activations, Verdict, decide};
use super::{Binding, Cluster, Param, Policies, ValidatingPolicy, params};
use crate::invocation::{Invocation, Versioned};
use crate::setting::FailurePolicy;
use crate::{Attributes, Host, PolicyCheck, review};

/// The maximum length of an audit annotation's value, in bytes.
const LONGEST_ANNOTATION: usize = 10 * 1024;
/// The maximum number of failures in an audit annotation.
const MOST_FAILURES: usize = 50;

/// Runs the validating policies on a request.
///
/// # Errors
///
/// If the request is rejected.
pub fn validate<'a>(
    policies: &[Arc<Policies>],
    attributes: &Attributes<'a>,
    cluster: &mut dyn Cluster<'a>,
) -> Result<(), Status> {
    let mut run = Run {
        attributes,
        shown: Versioned::of(attributes),
        denied: None,
        failures: Vec::new(),
    };
    for (policy, bindings) in policies.iter().flat_map(|policies| policies.validating()) {
        run.policy(policy, &bindings, cluster)?;
    }
    run.publish_failures(cluster);
    match run.denied {
        Some(denied) => Err(denied),
        None => Ok(()),
    }
}

struct Run<'r, 'a> {
    attributes: &'r Attributes<'a>,
    shown: Versioned<'a>,
    /// The response for the first denial.
    denied: Option<Status>,
    /// Failures that are only audited.
    failures: Vec<Value<'a>>,
}

impl<'a> Run<'_, 'a> {
    fn policy(
        &mut self,
        policy: &ValidatingPolicy,
        bindings: &[&Binding],
        cluster: &mut dyn Cluster<'a>,
    ) -> Result<(), Status> {
        let definition = &policy.definition;
        let matched = definition
            .constraints
            .matched(cluster.view(), self.attributes, &self.shown);
        let invocation = match matched {
            Ok(Some(invocation)) => invocation,
            Ok(None) => return Ok(()),
            Err(status) => {
                self.misconfigured(policy, None, &status.message);
                return Ok(());
            }
        };
        let scope = definition
            .param_kind
            .as_ref()
            .map(|kind| cluster.param_scope(kind));
        if let (Some(None), Some(kind)) = (scope, &definition.param_kind) {
            let why = format!("failed to find resource referenced by paramKind: '{kind}'");
            self.misconfigured(policy, None, &why);
            return Ok(());
        }
        let mut annotations: Vec<(String, Vec<String>)> = Vec::new();
        for binding in bindings {
            let verdicts = match self.judged(policy, &invocation, binding, scope.flatten(), cluster) {
                Ok(verdicts) => verdicts,
                Err(Failed::Configuration(why)) => {
                    self.misconfigured(policy, Some(binding), &why);
                    continue;
                }
                Err(Failed::Request(status)) => return Err(status),
            };
            for (verdict, took) in verdicts {
                self.heed(policy, binding, &verdict, cluster);
                tell(cluster.view(), policy, binding, &verdict, took);
                for (key, value) in verdict.annotations {
                    collect(&mut annotations, key, value);
                }
            }
        }
        for (key, values) in annotations {
            cluster.annotate(format!("{}/{key}", definition.name), values.join(", "));
        }
        Ok(())
    }

    /// Evaluates a policy once for each parameter object of the binding.
    fn judged(
        &self,
        policy: &ValidatingPolicy,
        invocation: &Invocation,
        binding: &Binding,
        scope: Option<super::ParamScope>,
        cluster: &dyn Cluster<'a>,
    ) -> Result<Vec<(Verdict, Duration)>, Failed> {
        let told = |status: Status| Failed::Configuration(status.message);
        if let Some(resources) = &binding.resources
            && resources
                .matched(cluster.view(), self.attributes, &self.shown)
                .map_err(told)?
                .is_none()
        {
            return Ok(Vec::new());
        }
        let kind = policy.definition.param_kind.as_ref();
        let namespace = &self.attributes.namespace;
        let params =
            params::collect(cluster, kind, scope, binding, namespace).map_err(Failed::Configuration)?;
        if params.is_empty() {
            return Ok(Vec::new());
        }
        let shown = self.shown.shown_as(cluster.view(), &invocation.kind);
        let shown = shown.map_err(|status| {
            Failed::Configuration(format!("failed to convert object version: {}", status.message))
        })?;
        let reads = policy.definition.reads;
        let namespace = namespace_object(cluster, self.attributes, reads).map_err(Failed::Request)?;
        let subject = Subject {
            attributes: self.attributes,
            shown: &shown,
            invocation,
            namespace,
            reads,
        };
        Ok(params
            .into_iter()
            .map(|param| {
                let before = cluster.view().time_left();
                let verdict = subject.judged(policy, param, cluster);
                (verdict, before.saturating_sub(cluster.view().time_left()))
            })
            .collect())
    }

    /// Applies the binding's actions to a decision.
    fn heed(
        &mut self,
        policy: &ValidatingPolicy,
        binding: &Binding,
        verdict: &Verdict,
        cluster: &mut dyn Cluster<'a>,
    ) {
        let name = &policy.definition.name;
        for denial in &verdict.denials {
            let message = &denial.message;
            if binding.has("Deny") {
                self.deny(policy, Some(binding), message, denial.reason.as_deref());
            }
            if binding.has("Audit") {
                let failure = failure(cluster.arena(), binding, denial.index, message);
                self.failures.push(failure);
            }
            if binding.has("Warn") {
                cluster.warn(format!(
                    "Validation failed for ValidatingAdmissionPolicy '{name}' with binding '{}': {message}",
                    binding.name
                ));
            }
        }
        for why in &verdict.failed_annotations {
            self.deny(policy, Some(binding), why, None);
        }
    }

    fn misconfigured(&mut self, policy: &ValidatingPolicy, binding: Option<&Binding>, why: &str) {
        if policy.definition.failure_policy == FailurePolicy::Ignore {
            return;
        }
        let what = if binding.is_some() { "binding" } else { "policy" };
        self.deny(
            policy,
            binding,
            &format!("failed to configure {what}: {why}"),
            None,
        );
    }

    fn deny(
        &mut self,
        policy: &ValidatingPolicy,
        binding: Option<&Binding>,
        message: &str,
        reason: Option<&str>,
    ) {
        if self.denied.is_some() {
            return;
        }
        let name = &policy.definition.name;
        let message = match binding {
            Some(binding) => format!(
                "ValidatingAdmissionPolicy '{name}' with binding '{}' denied request: {message}",
                binding.name
            ),
            None => format!("ValidatingAdmissionPolicy '{name}' denied request: {message}"),
        };
        let resource = &self.attributes.resource;
        let shown = self.attributes.shown_name();
        let mut status = Status::forbidden(&resource.group, &resource.resource, shown, &message);
        let reason = reason.unwrap_or("Invalid");
        status.reason = reason.to_owned().into();
        status.code = code(reason);
        if let Some(details) = &mut status.details {
            details.causes.push(Cause {
                message,
                ..Cause::default()
            });
        }
        self.denied = Some(status);
    }

    fn publish_failures(&mut self, cluster: &mut dyn Cluster<'a>) {
        if self.failures.is_empty() {
            return;
        }
        self.failures.truncate(MOST_FAILURES);
        let list = Value::Array(cluster.arena().alloc_slice_copy(&self.failures));
        cluster.annotate(
            "validation.policy.admission.k8s.io/validation_failure".to_owned(),
            kindsmith_json::to_string(list),
        );
    }
}

/// Reports a decision to the observer, once for each action.
fn tell(
    host: &dyn Host<'_>,
    policy: &ValidatingPolicy,
    binding: &Binding,
    verdict: &Verdict,
    took: Duration,
) {
    let Some(observer) = host.observer() else { return };
    let tell = |action, message: &str| {
        observer.checked(&PolicyCheck {
            policy: &policy.definition.name,
            binding: &binding.name,
            error: PolicyCheck::error_type(message),
            action: Some(action),
            took,
        });
    };
    verdict.ignored.iter().for_each(|message| tell("allow", message));
    for denial in &verdict.denials {
        for (action, word) in [("Deny", "deny"), ("Audit", "audit"), ("Warn", "warn")] {
            if binding.has(action) {
                tell(word, &denial.message);
            }
        }
    }
    verdict
        .failed_annotations
        .iter()
        .for_each(|message| tell("deny", message));
}

/// Why a binding could not be evaluated.
enum Failed {
    /// It is misconfigured; the failure policy applies.
    Configuration(String),
    /// The request is rejected whatever the failure policy.
    Request(Status),
}

/// The HTTP status of a reason.
fn code(reason: &str) -> u16 {
    match reason {
        "Unauthorized" => 401,
        "Forbidden" => 403,
        "RequestEntityTooLarge" => 413,
        _ => 422,
    }
}

/// Adds a value to an annotation unless it already has it.
fn collect(annotations: &mut Vec<(String, Vec<String>)>, key: String, mut value: String) {
    if value.len() > LONGEST_ANNOTATION {
        let end = (0..=LONGEST_ANNOTATION).rfind(|&end| value.is_char_boundary(end));
        value.truncate(end.unwrap_or_default());
    }
    match annotations.iter_mut().find(|(known, _)| *known == key) {
        Some((_, values)) if values.contains(&value) => {}
        Some((_, values)) => values.push(value),
        None => annotations.push((key, vec![value])),
    }
}

fn failure<'a>(arena: &'a Arena, binding: &Binding, index: usize, message: &str) -> Value<'a> {
    let text = |text: &str| Value::Str(arena.alloc_str(text));
    let actions: Vec<Value<'a>> = binding.actions.iter().map(|action| text(action)).collect();
    let entry = |key, value| Entry { key, value };
    let entries = [
        entry("message", text(message)),
        entry("policy", text(&binding.policy)),
        entry("binding", text(&binding.name)),
        entry("expressionIndex", Value::Int(index as i64)),
        entry(
            "validationActions",
            Value::Array(arena.alloc_slice_copy(&actions)),
        ),
    ];
    Value::Object(Object::from_entries(arena, arena.alloc_slice_copy(&entries)))
}

/// The namespace of a request as policies see it; null for cluster-scoped objects and for namespaces themselves, and if no
/// expression reads it. It must exist even then.
pub(super) fn namespace_object<'a>(
    cluster: &dyn Cluster<'a>,
    attributes: &Attributes<'a>,
    reads: Reads,
) -> Result<Value<'a>, Status> {
    const METADATA: [&str; 11] = [
        "name",
        "generateName",
        "uid",
        "resourceVersion",
        "generation",
        "creationTimestamp",
        "deletionTimestamp",
        "deletionGracePeriodSeconds",
        "labels",
        "annotations",
        "finalizers",
    ];
    if attributes.namespace.is_empty() || attributes.is_namespace() {
        return Ok(Value::Null);
    }
    if !reads.namespace() {
        return cluster
            .check_namespace(&attributes.namespace)
            .map(|()| Value::Null);
    }
    let arena = cluster.arena();
    let namespace = cluster.namespace(&attributes.namespace)?;
    let part = |value: Value<'a>, keys: &[&'static str]| {
        let present = keys.iter().filter_map(|&key| {
            let value = value.get(key).filter(|value| !value.is_null())?;
            Some(Entry { key, value })
        });
        let present: Vec<Entry<'a>> = present.collect();
        Value::Object(Object::from_entries(arena, arena.alloc_slice_copy(&present)))
    };
    let mut shown = part(namespace, &["metadata", "spec", "status"]);
    let metadata = part(namespace.get("metadata").unwrap_or_default(), &METADATA);
    shown.set(arena, &["metadata"], metadata);
    Ok(shown)
}

/// A request in the version that a policy sees.
pub(super) struct Subject<'s, 'a> {
    pub(super) attributes: &'s Attributes<'a>,
    pub(super) shown: &'s Versioned<'a>,
    pub(super) invocation: &'s Invocation,
    pub(super) namespace: Value<'a>,
    /// What the policy reads.
    pub(super) reads: Reads,
}

impl<'a> Subject<'_, 'a> {
    fn judged(
        &self,
        policy: &ValidatingPolicy,
        param: Option<Param<'a>>,
        cluster: &dyn Cluster<'a>,
    ) -> Verdict {
        let scratch = Scratch::new();
        let given = self.given(cluster.arena(), param.map(|param| param.object));
        let variables = &policy.definition.variables;
        let base = Activation::new(&scratch, &given, variables);
        let (authorizer, resource) = (cluster.authorizer(), || self.attributes.access());
        let conditions = if policy.definition.conditions.is_empty() {
            base.again()
        } else {
            Activation::new(&scratch, &self.condition_given(cluster.arena(), &given), &[])
        };
        let activations = Activations {
            conditions: conditions.with_authorizer(authorizer, &resource),
            validations: base.again().with_authorizer(authorizer, &resource),
            rest: base,
        };
        decide(policy, &activations)
    }

    /// The variables of expressions.
    pub(super) fn given(&self, arena: &'a Arena, params: Option<Value<'a>>) -> Given<'a> {
        Given {
            object: self.shown.object.unwrap_or_default(),
            old: self.shown.old.unwrap_or_default(),
            request: review::read_facts(self.reads, arena, self.attributes, self.invocation),
            namespace: self.namespace,
            params: params.unwrap_or_default(),
        }
    }

    /// The variables of match conditions: no namespace, and always the resource of the request.
    pub(super) fn condition_given(&self, arena: &'a Arena, given: &Given<'a>) -> Given<'a> {
        let invocation = Invocation {
            resource: self.attributes.resource.clone(),
            kind: self.invocation.kind.clone(),
        };
        Given {
            namespace: Value::Null,
            request: review::read_facts(self.reads, arena, self.attributes, &invocation),
            ..*given
        }
    }
}
