//! `NodeRestriction`: a kubelet only writes its own node and what belongs to the pods on it
//! (plugin/pkg/admission/noderestriction/admission.go). Says nothing to anybody else.

mod certificate;
mod node;
mod pod;
mod token;

use kindsmith_gostd::quote::quote;
use kindsmith_json::{Arena, Value};
use kindsmith_object::well_known::{group, user};
use kindsmith_request::{AdmissionOperation, Status};

use super::review::forbid;
use super::{Refusal, Review, Server};

/// A request of a node that changes something.
struct Attempt<'r, 'a> {
    server: &'r dyn Server<'a>,
    arena: &'a Arena,
    operation: AdmissionOperation,
    group: &'r str,
    resource: &'r str,
    subresource: &'r str,
    namespace: &'r str,
    name: &'r str,
    /// What was sent; null for a deletion.
    object: Value<'a>,
    /// What is stored; null on create.
    old: Value<'a>,
}

pub(crate) fn mutate<'a>(review: &Review<'_, 'a>, object: Value<'a>) -> Result<Value<'a>, Refusal> {
    let request = review.request;
    let attempt = Attempt {
        server: review.server,
        arena: review.arena,
        operation: request.operation,
        group: request.group,
        resource: request.resource,
        subresource: request.subresource,
        namespace: request.namespace,
        name: request.name,
        object,
        old: request.old.unwrap_or_default(),
    };
    attempt.judge().map(|()| object)
}

/// The node whose kubelet a user is; empty if it does not say which (`NodeIdentity` in pkg/auth/nodeidentifier).
fn node_of<'s>(server: &'s dyn Server<'_>) -> Option<&'s str> {
    let name = server.user().strip_prefix(user::NODE_PREFIX)?;
    let is_node = server.groups().iter().any(|group| group == group::NODES);
    is_node.then_some(name)
}

impl<'a> Attempt<'_, 'a> {
    fn judge(&self) -> Result<(), Refusal> {
        let Some(node) = node_of(self.server) else {
            return Ok(());
        };
        if node.is_empty() {
            let user = quote(self.server.user());
            return forbid(format!("could not determine node from user {user}"));
        }
        match (self.group, self.resource, self.subresource) {
            ("", "pods", "") => pod::object(self, node),
            ("", "pods", "status") => pod::status(self, node),
            ("", "pods", "eviction") => pod::eviction(self, node),
            ("", "pods", other) => forbid(format!(
                "unexpected pod subresource {}, only 'status' and 'eviction' are allowed",
                quote(other)
            )),
            ("", "nodes", _) => node::check(self, node),
            ("", "persistentvolumeclaims", "status") => self.claim(node),
            ("", "persistentvolumeclaims", _) => forbid("may only update PVC status"),
            ("", "serviceaccounts", "token") => token::check(self, node),
            ("certificates.k8s.io", "podcertificaterequests", _) => certificate::of_pod(self, node),
            ("certificates.k8s.io", "certificatesigningrequests", _) => certificate::of_node(self, node),
            ("coordination.k8s.io", "leases", _) => self.lease(node),
            ("storage.k8s.io", "csinodes", _) => self.csi_node(node),
            ("resource.k8s.io", "resourceslices", _) => self.slice(node),
            _ => Ok(()),
        }
    }

    /// Refuses an operation that nodes do not have.
    fn unexpected(&self) -> Result<(), Refusal> {
        forbid(format!("unexpected operation {}", quote(self.operation.name())))
    }

    fn is_create(&self) -> bool {
        self.operation == AdmissionOperation::Create
    }

    fn find(&self, group: &str, resource: &str, namespace: &str, name: &str) -> Option<Value<'a>> {
        self.server.find(group, resource, namespace, name)
    }

    /// A pod beside the request; listers name a missing one in the singular.
    fn pod(&self, name: &str) -> Result<Value<'a>, Refusal> {
        let found = self.find("", "pods", self.namespace, name);
        found.ok_or_else(|| missing("pod", name))
    }

    /// The name of the object, which a new one has itself.
    fn own_name(&self) -> &str {
        if self.is_create() {
            self.object.text(&["metadata", "name"])
        } else {
            self.name
        }
    }

    fn lease(&self, node: &str) -> Result<(), Refusal> {
        if self.namespace != "kube-node-lease" {
            return forbid("can only access leases in the \"kube-node-lease\" system namespace");
        }
        if self.own_name() == node {
            Ok(())
        } else {
            forbid("can only access node lease with the same name as the requesting node")
        }
    }

    fn csi_node(&self, node: &str) -> Result<(), Refusal> {
        if self.own_name() != node {
            return forbid("can only access CSINode with the same name as the requesting node");
        }
        match self.subresource {
            "status" => forbid("CSIVolumeHealth feature gate is disabled"),
            _ => Ok(()),
        }
    }

    fn slice(&self, node: &str) -> Result<(), Refusal> {
        let (slice, verb) = match self.operation {
            AdmissionOperation::Create => (self.object, "create"),
            AdmissionOperation::Delete => (self.old, "delete"),
            _ => return Ok(()),
        };
        if slice.text(&["spec", "nodeName"]) == node {
            Ok(())
        } else {
            forbid(format!(
                "can only {verb} ResourceSlice with the same NodeName as the requesting node"
            ))
        }
    }

    /// Nodes report the size of a volume that they resized, and nothing else.
    fn claim(&self, node: &str) -> Result<(), Refusal> {
        if self.operation != AdmissionOperation::Update {
            return self.unexpected();
        }
        let rest = |mut claim: Value<'a>| {
            for path in [
                ["metadata", "resourceVersion"],
                ["metadata", "managedFields"],
                ["status", "capacity"],
                ["status", "conditions"],
                ["status", "allocatedResourceStatuses"],
                ["status", "allocatedResources"],
            ] {
                claim.unset(self.arena, &path);
            }
            claim
        };
        let (old, new) = (rest(self.old), rest(self.object));
        let mut differing = ["metadata", "spec", "status"]
            .into_iter()
            .filter(|key| !is_same(old.get(key), new.get(key)))
            .peekable();
        if differing.peek().is_none() {
            return Ok(());
        }
        // Kubernetes goes on with a comparison of its Go values.
        let differing: Vec<&str> = differing.collect();
        forbid(format!(
            "node {} is not allowed to update fields other than status.quantity and status.conditions: {}",
            quote(node),
            differing.join(", ")
        ))
    }
}

/// 404 of an object that a request needs.
fn missing(resource: &str, name: &str) -> Refusal {
    Status::not_found("", resource, name).into()
}

/// Equality that does not tell empty values from absent ones (`equality.Semantic.DeepEqual`).
fn is_same(one: Option<Value<'_>>, other: Option<Value<'_>>) -> bool {
    let is_empty = |value: Value<'_>| match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    };
    let (one, other) = (
        one.filter(|value| !is_empty(*value)),
        other.filter(|value| !is_empty(*value)),
    );
    match (one, other) {
        (Some(Value::Object(one)), Some(Value::Object(other))) => {
            let all = |left: kindsmith_json::Object<'_>, right: kindsmith_json::Object<'_>| {
                left.into_iter()
                    .all(|(key, value)| is_same(Some(value), right.get(key)))
            };
            all(one, other) && all(other, one)
        }
        (Some(Value::Array(one)), Some(Value::Array(other))) => {
            let mut pairs = one.iter().zip(other);
            one.len() == other.len() && pairs.all(|(one, other)| is_same(Some(*one), Some(*other)))
        }
        (one, other) => one == other,
    }
}
