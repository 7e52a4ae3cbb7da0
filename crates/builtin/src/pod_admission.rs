//! kube-apiserver's default admission plugins that act on pods: ServiceAccount, PodSecurity, Priority, RuntimeClass. They
//! look at other objects, which whoever stores them finds. What a plugin does to a pod without such objects is done
//! without it.

mod pod_security;
mod priority;
mod runtime_class;
mod service_account;

use kindsmith_json::{Arena, Value};
use kindsmith_request::{AdmissionOperation, AdmissionRequest, Status};

pub use pod_security::Verdict;

/// Finds stored objects.
pub trait Lookup<'a> {
    /// An object by its place; the namespace is empty for those that live in none.
    fn find(&self, group: &str, resource: &str, namespace: &str, name: &str) -> Option<Value<'a>>;

    /// All objects of a resource in a namespace; the namespace is empty for those that live in none.
    fn all(&self, group: &str, resource: &str, namespace: &str) -> Vec<Value<'a>>;
}

/// The plugins, with what they need.
#[derive(Clone, Copy)]
pub struct PodAdmission<'p, 'a> {
    /// Where values live.
    pub arena: &'a Arena,
    /// Finds other objects.
    pub lookup: &'p dyn Lookup<'a>,
    /// Whether a plugin is on, by kube-apiserver's name.
    pub is_on: &'p dyn Fn(&str) -> bool,
    /// Five random letters, for names.
    pub suffix: &'a str,
}

impl std::fmt::Debug for PodAdmission<'_, '_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("PodAdmission").finish_non_exhaustive()
    }
}

/// Why a plugin refuses a pod.
enum Refusal {
    /// The pod may not be as it is.
    Forbidden(String),
    /// Another object cannot be looked up.
    Unforeseen(String),
}

type Mutate =
    for<'p, 'a> fn(&PodAdmission<'p, 'a>, &AdmissionRequest<'_, 'a>, Value<'a>) -> Result<Value<'a>, Refusal>;

/// The plugins that change new pods, in kube-apiserver's order.
const MUTATING: [(&str, Mutate); 3] = [
    ("ServiceAccount", service_account::mutate),
    ("Priority", priority::mutate),
    ("RuntimeClass", runtime_class::mutate),
];

fn is_new_pod(request: &AdmissionRequest<'_, '_>) -> bool {
    let is_pod = request.group.is_empty() && request.resource == "pods" && request.subresource.is_empty();
    is_pod && request.operation == AdmissionOperation::Create
}

impl<'a> PodAdmission<'_, 'a> {
    /// Changes a new pod; other objects stay as they are.
    ///
    /// # Errors
    ///
    /// If a plugin refuses the pod.
    pub fn mutate(&self, request: &AdmissionRequest<'_, 'a>, object: Value<'a>) -> Result<Value<'a>, Status> {
        if !is_new_pod(request) {
            return Ok(object);
        }
        let mut object = object;
        for (name, mutate) in MUTATING {
            if (self.is_on)(name) {
                object = mutate(self, request, object).map_err(|refusal| match refusal {
                    Refusal::Forbidden(why) => request.forbidden(object, &why),
                    Refusal::Unforeseen(why) => Status::unforeseen(why),
                })?;
            }
        }
        Ok(object)
    }

    /// Judges a valid pod, or the template of a workload, by the labels of its namespace.
    #[must_use]
    pub fn judge(&self, request: &AdmissionRequest<'_, 'a>, object: Value<'a>) -> Verdict {
        let mut verdict = match (self.is_on)("PodSecurity") {
            true => pod_security::judge(self, request, object),
            false => Verdict::default(),
        };
        if verdict.refusal.is_none() && (self.is_on)("RuntimeClass") && is_new_pod(request) {
            verdict.refusal = runtime_class::check_overhead(self, request, object).map(Box::new);
        }
        verdict
    }
}
