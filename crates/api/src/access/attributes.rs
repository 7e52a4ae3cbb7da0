//! What a user wants to do, and the message that forbids it (`responsewriters.ForbiddenStatusError` in apiserver's
//! pkg/endpoints/handlers/responsewriters).

use kindsmith_gostd::quote::quote;
use kindsmith_request::{Details, Status};

use crate::{RequestInfo, User};

/// What a user wants to do.
#[derive(Debug, Clone, Copy)]
pub struct Attributes<'r> {
    /// The user.
    pub user: &'r User,
    /// The verb: `list`.
    pub verb: &'r str,
    /// Whether it is about a resource rather than some other path.
    pub is_resource: bool,
    /// The namespace; empty for cluster-scoped resources and for all namespaces.
    pub namespace: &'r str,
    /// The API group; empty for the core group.
    pub group: &'r str,
    /// The resource.
    pub resource: &'r str,
    /// The subresource; empty for the object itself.
    pub subresource: &'r str,
    /// The name of the object; empty if there is none.
    pub name: &'r str,
    /// The path, for requests that are not about a resource.
    pub path: &'r str,
}

impl<'r> Attributes<'r> {
    /// The attributes of a request.
    #[must_use]
    pub fn of(user: &'r User, info: &'r RequestInfo) -> Self {
        Attributes {
            user,
            verb: &info.verb,
            is_resource: info.is_resource,
            namespace: &info.namespace,
            group: &info.group,
            resource: &info.resource,
            subresource: &info.subresource,
            name: &info.name,
            path: &info.path,
        }
    }

    /// The resource with its subresource: `pods/log`.
    pub(super) fn combined(&self) -> String {
        match self.subresource {
            "" => self.resource.to_owned(),
            subresource => format!("{}/{subresource}", self.resource),
        }
    }

    /// The 403 that forbids it.
    #[must_use]
    pub fn forbidden(&self, reason: &str) -> Status {
        let mut why = sanitized(&self.refusal());
        if !reason.is_empty() {
            why = format!("{why}: {reason}");
        }
        if !self.is_resource {
            return Status {
                code: 403,
                reason: "Forbidden".into(),
                message: format!("forbidden: {why}"),
                details: Some(Box::default()),
            };
        }
        let resource = match self.group {
            "" => self.resource.to_owned(),
            group => format!("{}.{group}", self.resource),
        };
        let name = match self.name {
            "" => String::new(),
            name => format!(" {}", quote(name)),
        };
        Status {
            code: 403,
            reason: "Forbidden".into(),
            message: format!("{resource}{name} is forbidden: {why}"),
            details: Some(Box::new(Details {
                name: self.name.to_owned(),
                group: self.group.to_owned(),
                kind: self.resource.to_owned(),
                ..Details::default()
            })),
        }
    }

    fn refusal(&self) -> String {
        let (user, verb) = (quote(&self.user.name), self.verb);
        if !self.is_resource {
            return format!("User {user} cannot {verb} path {}", quote(self.path));
        }
        let place = match self.namespace {
            "" => "at the cluster scope".to_owned(),
            namespace => format!("in the namespace {}", quote(namespace)),
        };
        format!(
            "User {user} cannot {verb} resource {} in API group {} {place}",
            quote(&self.combined()),
            quote(self.group)
        )
    }
}

/// Escapes text for HTML pages.
fn sanitized(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
