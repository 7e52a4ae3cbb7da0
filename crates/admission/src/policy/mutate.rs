//! Mutating policies: run in order, each on the object that the previous one returned (`policyDispatcher.Dispatch`
//! and `dispatchInvocations` in apiserver's pkg/admission/plugin/policy/generic and mutating).

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use kindsmith_cel::policy::{Activation, Scratch};
use kindsmith_gostd::quote::quote;
use kindsmith_json::Value;
use kindsmith_request::{Cause, Status};

use super::patch::{self, Failure};
use super::policies::Hook;
use super::validate::{Subject, namespace_object};
use super::{Binding, Cluster, MutatingPolicy, Param, Policies, params};
use crate::invocation::{Invocation, Versioned};
use crate::match_condition::{self, Outcome};
use crate::round::Round;
use crate::setting::FailurePolicy;
use crate::{Attributes, Host, PolicyCheck};

/// A policy, a binding and the parameters of one run.
type Key = (String, String, String);

/// The mutating policies of one request, and which ones run again.
pub(crate) struct Mutations<'p, 'a> {
    hooks: Vec<Hook<'p, MutatingPolicy>>,
    asked: HashSet<Key>,
    wanted: HashSet<Key>,
    /// The object after the last round.
    last: Option<Value<'a>>,
}

/// One run of a policy.
struct Run<'p, 'a> {
    policy: &'p MutatingPolicy,
    binding: &'p Binding,
    invocation: Invocation,
    param: Option<Param<'a>>,
}

/// Why a policy failed.
struct Problem {
    failure_policy: FailurePolicy,
    message: String,
    /// Whether the policy failed, rather than its configuration.
    is_invalid: bool,
}

impl<'p, 'a> Mutations<'p, 'a> {
    pub(crate) fn new(policies: &'p [Arc<Policies>]) -> Self {
        Mutations {
            hooks: policies.iter().flat_map(|policies| policies.mutating()).collect(),
            asked: HashSet::new(),
            wanted: HashSet::new(),
            last: None,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.hooks.is_empty()
    }

    /// Runs the policies on the request's object; `None` if no policy changed it.
    pub(crate) fn round(
        &mut self,
        round: Round,
        attributes: &Attributes<'a>,
        cluster: &mut dyn Cluster<'a>,
    ) -> Result<Option<Value<'a>>, Status> {
        let shown = Versioned::of(attributes);
        let mut problems = Vec::new();
        let runs = self.runs(attributes, &shown, cluster, &mut problems)?;
        let mut changed = None;
        if !runs.is_empty() {
            if round == Round::Second && self.last != attributes.object {
                self.require();
            }
            let reads = runs.iter().map(|run| run.policy.definition.reads);
            let mut stage = Stage {
                attributes,
                namespace: namespace_object(cluster, attributes, reads.collect())?,
                versions: vec![shown],
                last: None,
            };
            for run in &runs {
                self.run(run, round, &mut stage, cluster, &mut problems)?;
            }
            changed = stage.settled(cluster)?;
            if changed.is_some() {
                self.require();
            }
            self.last = changed.or(attributes.object);
        }
        match rejection(attributes, problems) {
            Some(status) => Err(status),
            None => Ok(changed),
        }
    }

    /// Marks the policies that ran before the object changed to run again.
    fn require(&mut self) {
        self.wanted.extend(self.asked.drain());
    }

    fn runs(
        &self,
        attributes: &Attributes<'a>,
        shown: &Versioned<'a>,
        cluster: &dyn Cluster<'a>,
        problems: &mut Vec<Problem>,
    ) -> Result<Vec<Run<'p, 'a>>, Status> {
        let mut runs = Vec::new();
        for (policy, bindings) in &self.hooks {
            let definition = &policy.definition;
            let matched = definition.constraints.matched(cluster.view(), attributes, shown);
            let invocation = match matched {
                Ok(Some(invocation)) => invocation,
                Ok(None) => continue,
                Err(status) => {
                    problems.push(misconfigured(policy, None, &status.message));
                    continue;
                }
            };
            let kind = definition.param_kind.as_ref();
            let scope = kind.map(|kind| cluster.param_scope(kind));
            if let (Some(None), Some(kind)) = (scope, kind) {
                let why = format!("failed to find resource referenced by paramKind: '{kind}'");
                problems.push(misconfigured(policy, None, &why));
                continue;
            }
            for &binding in bindings {
                if let Some(resources) = &binding.resources
                    && resources.matched(cluster.view(), attributes, shown)?.is_none()
                {
                    continue;
                }
                let namespace = &attributes.namespace;
                match params::collect(cluster, kind, scope.flatten(), binding, namespace) {
                    Ok(params) => runs.extend(params.into_iter().map(|param| Run {
                        policy,
                        binding,
                        invocation: invocation.clone(),
                        param,
                    })),
                    Err(why) => problems.push(misconfigured(policy, Some(binding), &why)),
                }
            }
        }
        Ok(runs)
    }

    fn run(
        &mut self,
        run: &Run<'p, 'a>,
        round: Round,
        stage: &mut Stage<'_, 'a>,
        cluster: &mut dyn Cluster<'a>,
        problems: &mut Vec<Problem>,
    ) -> Result<(), Status> {
        let at = stage.version(&run.invocation, cluster)?;
        match stage.conditions(run, at, cluster) {
            Outcome::Hold => {}
            Outcome::Fail => return Ok(()),
            Outcome::Error(why) => {
                problems.push(failed(run, &why));
                return Ok(());
            }
        }
        let key = run.key();
        if round == Round::Second && !self.wanted.contains(&key) {
            return Ok(());
        }
        let before = stage.versions[at].object;
        for index in 0..run.policy.mutations.len() {
            let started = cluster.view().time_left();
            let mutated = stage.mutate(run, index, at, cluster);
            let took = started.saturating_sub(cluster.view().time_left());
            tell(cluster.view(), run, mutated.as_ref().err(), took);
            match mutated {
                Ok(()) => {}
                Err(Failure::Policy(why)) => problems.push(failed(run, &why)),
                Err(Failure::Request(status)) => return Err(status),
            }
        }
        if stage.versions[at].object != before {
            self.require();
        }
        if run.policy.is_reinvoked {
            self.asked.insert(key);
        }
        Ok(())
    }
}

fn tell(host: &dyn Host<'_>, run: &Run<'_, '_>, failure: Option<&Failure>, took: Duration) {
    let Some(observer) = host.observer() else { return };
    observer.checked(&PolicyCheck {
        policy: &run.policy.definition.name,
        binding: &run.binding.name,
        error: match failure {
            None => "no_error",
            Some(Failure::Policy(why)) => PolicyCheck::error_type(why),
            Some(Failure::Request(_)) => "invalid_error",
        },
        action: None,
        took,
    });
}

impl Run<'_, '_> {
    fn key(&self) -> Key {
        let text = |key: &str| {
            let found = self
                .param
                .and_then(|param| param.object.lookup(&["metadata", key]));
            found.and_then(Value::as_str).unwrap_or_default()
        };
        (
            self.policy.definition.name.clone(),
            self.binding.name.clone(),
            format!("{}/{}", text("namespace"), text("name")),
        )
    }
}

/// The object of a request while policies change it, in every version that a policy uses. As in the reference, only
/// the version that was changed last counts in the end.
struct Stage<'s, 'a> {
    attributes: &'s Attributes<'a>,
    namespace: Value<'a>,
    versions: Vec<Versioned<'a>>,
    /// The version that was changed last.
    last: Option<usize>,
}

impl<'a> Stage<'_, 'a> {
    fn version(&mut self, invocation: &Invocation, cluster: &dyn Cluster<'a>) -> Result<usize, Status> {
        let known = self
            .versions
            .iter()
            .position(|version| version.kind == invocation.kind);
        if let Some(known) = known {
            return Ok(known);
        }
        let shown = Versioned::of(self.attributes).shown_as(cluster.view(), &invocation.kind)?;
        self.versions.push(shown);
        Ok(self.versions.len() - 1)
    }

    fn conditions(&self, run: &Run<'_, 'a>, at: usize, cluster: &dyn Cluster<'a>) -> Outcome {
        let conditions = &run.policy.definition.conditions;
        if conditions.is_empty() {
            return Outcome::Hold;
        }
        let subject = self.subject(run, at);
        let given = subject.given(cluster.arena(), params_of(run, cluster));
        let given = subject.condition_given(cluster.arena(), &given);
        let (scratch, resource) = (Scratch::new(), || self.attributes.access());
        let activation =
            Activation::new(&scratch, &given, &[]).with_authorizer(cluster.authorizer(), &resource);
        match_condition::ask(conditions, &activation)
    }

    fn subject<'v>(&'v self, run: &'v Run<'_, 'a>, at: usize) -> Subject<'v, 'a> {
        Subject {
            attributes: self.attributes,
            shown: &self.versions[at],
            invocation: &run.invocation,
            namespace: self.namespace,
            reads: run.policy.definition.reads,
        }
    }

    fn mutate(
        &mut self,
        run: &Run<'_, 'a>,
        index: usize,
        at: usize,
        cluster: &dyn Cluster<'a>,
    ) -> Result<(), Failure> {
        let Some(object) = self.versions[at].object else {
            return Ok(());
        };
        let given = self
            .subject(run, at)
            .given(cluster.arena(), params_of(run, cluster));
        let (scratch, attributes) = (Scratch::new(), self.attributes);
        let resource = || attributes.access();
        let activation = Activation::new(&scratch, &given, &run.policy.definition.variables)
            .with_authorizer(cluster.authorizer(), &resource);
        let kind = &self.versions[at].kind;
        let mutation = &run.policy.mutations[index];
        let object = patch::mutated(mutation, &activation, &scratch, (object, kind), cluster)?;
        self.versions[at].object = Some(object);
        self.last = Some(at);
        Ok(())
    }

    /// The object in the version of the request, if it was changed.
    fn settled(&self, cluster: &dyn Cluster<'a>) -> Result<Option<Value<'a>>, Status> {
        let Some(last) = self.last else { return Ok(None) };
        let version = &self.versions[last];
        match version.object {
            Some(object) if version.kind != self.attributes.kind => {
                cluster.convert(object, &self.attributes.kind).map(Some)
            }
            object => Ok(object),
        }
    }
}

/// Parameters of built-in kinds have no type here.
fn params_of<'a>(run: &Run<'_, 'a>, cluster: &dyn Cluster<'a>) -> Option<Value<'a>> {
    let param = run.param?;
    let mut object = param.object;
    if param.is_built_in {
        for key in ["kind", "apiVersion"] {
            object.unset(cluster.arena(), &[key]);
        }
    }
    Some(object)
}

fn misconfigured(policy: &MutatingPolicy, binding: Option<&Binding>, why: &str) -> Problem {
    let name = &policy.definition.name;
    let message = match binding {
        Some(binding) => format!(
            "policy '{name}' with binding '{}' denied request: failed to configure binding: {why}",
            binding.name
        ),
        None => format!(
            "policy {} denied request: failed to configure policy: {why}",
            quote(name)
        ),
    };
    Problem {
        failure_policy: policy.definition.failure_policy,
        message,
        is_invalid: false,
    }
}

fn failed(run: &Run<'_, '_>, why: &str) -> Problem {
    Problem {
        failure_policy: run.policy.definition.failure_policy,
        message: format!(
            "policy '{}' with binding '{}' denied request: {why}",
            run.policy.definition.name, run.binding.name
        ),
        is_invalid: true,
    }
}

/// The response for failures that reject the request.
fn rejection(attributes: &Attributes<'_>, mut problems: Vec<Problem>) -> Option<Status> {
    problems.retain(|problem| problem.failure_policy == FailurePolicy::Fail);
    let first = problems.first()?;
    let resource = &attributes.resource;
    let mut status = Status::forbidden(
        &resource.group,
        &resource.resource,
        attributes.shown_name(),
        &first.message,
    );
    status.message.clone_from(&first.message);
    if first.is_invalid {
        status.reason = "Invalid".into();
    }
    if let Some(details) = &mut status.details {
        details.causes.extend(problems.into_iter().map(|problem| Cause {
            message: problem.message,
            ..Cause::default()
        }));
    }
    Some(status)
}
