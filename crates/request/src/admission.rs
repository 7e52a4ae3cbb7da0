//! Admission: hooks that see a write between decoding and storing.
//!
//! [`write_decoded`](crate::write_decoded) calls the hooks in this order: managed fields, mutating admission,
//! validating admission. Knows no webhook and no policy; they implement [`Admission`].

use kindsmith_json::Value;

use crate::pools::{FreshPools, Pools};
use crate::{Declarative, Signature, Status, Target, Write};

/// Takes part in writes. Hooks that are not implemented do nothing.
pub trait Admission<'a> {
    /// The user of the write, as an `authentication.k8s.io/v1` `UserInfo`; `None` if users do not matter.
    fn user_info(&self) -> Option<Value<'a>> {
        None
    }

    /// Which errors of tags count, and who counts differences to hand-written rules; `None` for Kubernetes' defaults.
    fn declarative(&self) -> Option<&Declarative> {
        None
    }

    /// Whether the write came through `/scale`, which writes the object behind it.
    fn is_scale(&self) -> bool {
        false
    }

    /// Whether containers may be privileged.
    fn allows_privileged(&self) -> bool {
        true
    }

    /// Whether a namespace has a label with a value.
    fn has_namespace_label(&self, namespace: &str, label: &str, value: &str) -> bool {
        let _ = (namespace, label, value);
        false
    }

    /// Whether the user may sign certificates for a signer.
    fn may_sign(&self, signer: &str) -> bool {
        let _ = signer;
        true
    }

    /// Whether a signature is right; one that cannot be checked is.
    fn verifies(&self, signature: &Signature<'_>) -> bool {
        let _ = signature;
        true
    }

    /// Records in `metadata.managedFields` who sets which fields. Other changes are dropped.
    fn manage_fields(&mut self, request: &AdmissionRequest<'_, 'a>, object: Value<'a>) -> Value<'a> {
        let _ = request;
        object
    }

    /// Mutating admission: returns the object, changed or not. Defaults are set again in a changed object.
    ///
    /// An implementation that changes the object several times calls
    /// [`decode_mutated`](AdmissionRequest::decode_mutated) between the changes.
    ///
    /// # Errors
    ///
    /// If the write is rejected.
    fn mutate(&mut self, request: &AdmissionRequest<'_, 'a>, object: Value<'a>) -> Result<Value<'a>, Status> {
        let _ = request;
        Ok(object)
    }

    /// Validating admission: sees the final, valid object.
    ///
    /// # Errors
    ///
    /// If the write is rejected.
    fn validate(&mut self, request: &AdmissionRequest<'_, 'a>, object: Value<'a>) -> Result<(), Status> {
        let _ = (request, object);
        Ok(())
    }

    /// What can be handed out to new objects.
    fn pools(&self) -> &dyn Pools {
        &FreshPools
    }

    /// What the client is to be warned of since this was last asked, also if the write was rejected.
    fn take_warnings(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// The write that admission sees (`admission.Attributes` in apiserver's pkg/admission).
#[derive(Clone, Copy)]
pub struct AdmissionRequest<'r, 'a> {
    /// What is done to the object.
    pub operation: AdmissionOperation,
    /// The API group of the resource.
    pub group: &'r str,
    /// The version of the URL.
    pub version: &'r str,
    /// The resource: `deployments`.
    pub resource: &'r str,
    /// The subresource; empty for the object itself.
    pub subresource: &'r str,
    /// Group, version and kind of the object: those of a `Scale` for the subresource `scale`.
    pub kind: (&'r str, &'r str, &'r str),
    /// The name; empty on create if the server generates it.
    pub name: &'a str,
    /// The namespace; empty for cluster-scoped resources.
    pub namespace: &'a str,
    /// Whether nothing will be stored.
    pub is_dry_run: bool,
    /// The stored object, on update.
    pub old: Option<Value<'a>>,
    pub(crate) decode: &'r dyn Fn(Value<'a>) -> Result<Mutated<'a>, Undecoded>,
    pub(crate) show: &'r dyn Fn(Value<'a>) -> Value<'a>,
}

/// What a write does to an object, as admission sees it: an update that creates is a create.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdmissionOperation {
    /// A new object.
    Create,
    /// A change of a stored object.
    Update,
    /// The end of a stored object.
    Delete,
    /// A connection to what an object stands for, such as a command in a pod.
    Connect,
}

impl AdmissionOperation {
    /// The name in admission reviews.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            AdmissionOperation::Create => "CREATE",
            AdmissionOperation::Update => "UPDATE",
            AdmissionOperation::Delete => "DELETE",
            AdmissionOperation::Connect => "CONNECT",
        }
    }
}

/// Why an object that a mutation changed does not fit its kind any more.
#[derive(Debug, Clone, PartialEq)]
pub enum Undecoded {
    /// The decoder's text, and whether it is about bytes in base64.
    Decoder {
        /// The text.
        why: String,
        /// Whether bytes could not be read.
        is_base64: bool,
    },
    /// Another answer.
    Status(Status),
}

impl Undecoded {
    /// A decoder's text about anything but bytes.
    #[must_use]
    pub fn because(why: String) -> Self {
        Undecoded::Decoder {
            why,
            is_base64: false,
        }
    }

    /// The answer to the client.
    #[must_use]
    pub fn into_status(self) -> Status {
        match self {
            Undecoded::Decoder { why, .. } => Status::internal(&why),
            Undecoded::Status(status) => status,
        }
    }
}

/// An object that a mutation changed, as the next mutation sees it.
#[derive(Debug, Clone, Copy)]
pub struct Mutated<'a> {
    /// As it was decoded; what a typed kind does not know is gone.
    pub decoded: Value<'a>,
    /// With defaults.
    pub object: Value<'a>,
}

impl<'a> Mutated<'a> {
    pub(crate) fn same(object: Value<'a>) -> Result<Self, Undecoded> {
        Ok(Mutated {
            decoded: object,
            object,
        })
    }
}

impl<'r, 'a: 'r> AdmissionRequest<'r, 'a> {
    /// A request for an object that is not written: a deletion, a binding, a connection.
    #[must_use]
    pub fn new(operation: AdmissionOperation, version: &'r str, target: Target<'r>) -> Self {
        AdmissionRequest {
            operation,
            group: target.group,
            version,
            resource: target.resource,
            subresource: "",
            kind: (target.group, version, target.kind),
            name: "",
            namespace: "",
            is_dry_run: false,
            old: None,
            decode: &Mutated::same,
            show: &std::convert::identity,
        }
    }

    /// The creation of an object that is answered but never stored, such as a SubjectAccessReview.
    #[must_use]
    pub fn of_review(target: Target<'r>, write: &Write<'a>) -> Self {
        AdmissionRequest {
            subresource: write.operation.subresource(),
            namespace: write.namespace,
            is_dry_run: write.is_dry_run,
            ..AdmissionRequest::new(AdmissionOperation::Create, write.version, target)
        }
    }

    /// 403 by an admission plugin (`admission.NewForbidden`): an object whose name is not generated yet is named by the
    /// prefix.
    #[must_use]
    pub fn forbidden(&self, object: Value<'a>, why: &str) -> Status {
        let text = |key: &str| object.lookup(&["metadata", key]).and_then(Value::as_str);
        let names = [Some(self.name), text("name"), text("generateName")];
        let name = names.into_iter().flatten().find(|name| !name.is_empty());
        Status::forbidden(self.group, self.resource, name.unwrap_or("Unknown"), why)
    }

    /// The valid object as its kind writes it. What preparation dropped may show again as an empty value.
    #[must_use]
    pub fn shown(&self, object: Value<'a>) -> Value<'a> {
        (self.show)(object)
    }

    /// Reads an object that one of several mutations changed. Custom resources are not pruned before they are stored.
    ///
    /// # Errors
    ///
    /// If the object no longer fits its type.
    pub fn decode_mutated(&self, object: Value<'a>) -> Result<Mutated<'a>, Undecoded> {
        (self.decode)(object)
    }
}

/// No admission.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoAdmission;

impl Admission<'_> for NoAdmission {}
