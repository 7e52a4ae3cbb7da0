//! Privilege escalation: users cannot grant rights they do not have (pkg/registry/rbac/{role,rolebinding}/policybased).

use kindsmith_gostd::quote::quote;
use kindsmith_json::Value;
use kindsmith_request::Status;

use super::role_rule::{Rule, go_list, missing};
use super::{Access, Attributes, GROUP, is_master};
use crate::{RequestInfo, User};

impl Access {
    /// Rejects a role with rights that its author lacks, and a binding to such a role; ignores other objects.
    ///
    /// # Errors
    ///
    /// 403 with the missing rights, 404 if the role does not exist, or 500 if the store cannot be read.
    pub(crate) fn check_grant(
        &self,
        user: &User,
        info: &RequestInfo,
        object: Value<'_>,
    ) -> Result<(), Status> {
        let resource = info.resource.as_str();
        if info.group != GROUP || is_master(user) {
            return Ok(());
        }
        let name = object.lookup(&["metadata", "name"]).and_then(Value::as_str);
        let name = name.unwrap_or_default();
        let wanted = match resource {
            "roles" | "clusterroles" => self.rules_of_role(user, info, object)?,
            "rolebindings" | "clusterrolebindings" => self.rules_of_binding(user, info, object)?,
            _ => return Ok(()),
        };
        let policy = self.policy().map_err(crate::stored::failure)?;
        let (own, problems) = policy.rules_for(user, &info.namespace);
        let lacking = missing(&own, &wanted);
        if lacking.is_empty() {
            return Ok(());
        }
        let mut why = format!(
            "user {} (groups={}) is attempting to grant RBAC permissions not currently held:\n{}",
            quote(&user.name),
            go_list(&user.groups),
            lacking.join("\n")
        );
        if !problems.is_empty() {
            why.push_str(&format!("; resolution errors: [{}]", problems.join(" ")));
        }
        Err(Status::forbidden(GROUP, resource, name, &why))
    }

    /// The rules a role grants; empty if its author has the verb `escalate`.
    fn rules_of_role(&self, user: &User, info: &RequestInfo, role: Value<'_>) -> Result<Vec<Rule>, Status> {
        let may_escalate = self.may(&Attributes {
            verb: "escalate",
            subresource: "",
            ..Attributes::of(user, info)
        })?;
        if may_escalate {
            return Ok(Vec::new());
        }
        let mut rules = Rule::all(role);
        if role.get("aggregationRule").is_some_and(|rule| !rule.is_null()) {
            // Roles aggregated later can contain anything.
            let everything = |rule: Rule| Rule {
                verbs: vec!["*".to_owned()],
                ..rule
            };
            rules.push(everything(Rule {
                groups: vec!["*".to_owned()],
                resources: vec!["*".to_owned()],
                ..Rule::default()
            }));
            rules.push(everything(Rule {
                paths: vec!["*".to_owned()],
                ..Rule::default()
            }));
        }
        Ok(rules)
    }

    /// The rules a binding grants; empty if its author has the verb `bind`.
    fn rules_of_binding(
        &self,
        user: &User,
        info: &RequestInfo,
        binding: Value<'_>,
    ) -> Result<Vec<Rule>, Status> {
        let text = |key| {
            let value = binding.lookup(&["roleRef", key]).and_then(Value::as_str);
            value.unwrap_or_default()
        };
        let (kind, name) = (text("kind"), text("name"));
        let resource = match kind {
            "ClusterRole" => "clusterroles",
            "Role" => "roles",
            _ => "",
        };
        let may_bind = !resource.is_empty()
            && self.may(&Attributes {
                verb: "bind",
                group: text("apiGroup"),
                resource,
                subresource: "",
                name,
                ..Attributes::of(user, info)
            })?;
        if may_bind {
            return Ok(Vec::new());
        }
        let policy = self.policy().map_err(crate::stored::failure)?;
        match policy.role(kind, name, &info.namespace) {
            Some(rules) => Ok(rules.into_owned()),
            // The answer names the role as if it were a binding.
            None => Err(Status::not_found(GROUP, &info.resource, name)),
        }
    }

    fn may(&self, wanted: &Attributes<'_>) -> Result<bool, Status> {
        let decision = self.authorize(wanted).map_err(crate::stored::failure)?;
        Ok(decision.is_allowed)
    }
}
