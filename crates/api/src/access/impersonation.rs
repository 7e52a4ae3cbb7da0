//! Impersonation (apiserver's pkg/endpoints/filters/impersonation). Several modes can allow it; a refusal reports the
//! first mode that applied. Releases without constrained impersonation have one mode only.

use kindsmith_formats::named;
use kindsmith_gostd::quote::quote;
use kindsmith_object::well_known::{group, user};
use kindsmith_object::{Gate, Release};
use kindsmith_request::Status;

use super::{Access, Attributes};
use crate::{Request, User};

const AUTHENTICATION: &str = "authentication.k8s.io";

/// The user to impersonate; `None` if the request has no such headers.
///
/// # Errors
///
/// 400 if groups, a uid or extra values come without a user.
pub(crate) fn wanted(request: &Request<'_>, release: Release) -> Result<Option<User>, Status> {
    let mut user = User::default();
    let (mut has_groups, mut has_extra) = (false, false);
    for &(name, value) in request.headers {
        match name {
            "impersonate-user" if user.name.is_empty() => user.name = value.to_owned(),
            "impersonate-uid" if user.uid.is_empty() => user.uid = value.to_owned(),
            "impersonate-group" => {
                has_groups = true;
                user.groups.push(value.to_owned());
            }
            name => {
                if let Some(key) = name.strip_prefix("impersonate-extra-") {
                    has_extra = true;
                    user.add_extra(key, value);
                }
            }
        }
    }
    if !user.name.is_empty() {
        return Ok(Some(user));
    }
    if !has_groups && !has_extra && user.uid.is_empty() {
        return Ok(None);
    }
    if release.enables(Gate::ConstrainedImpersonation) {
        return Err(Status::bad_request(format!(
            "requested {} without impersonating a user name",
            as_go(&user)
        )));
    }
    Err(Status::bad_request(format!(
        "requested {} without impersonating a user",
        as_references(&user)
    )))
}

impl User {
    /// Adds one value of an extra field, whose key was part of a header's name.
    pub fn add_extra(&mut self, key: &str, value: &str) {
        let key = unescaped(key);
        match self.extra.iter_mut().find(|(known, _)| *known == key) {
            Some((_, values)) => values.push(value.to_owned()),
            None => self.extra.push((key, vec![value.to_owned()])),
        }
    }
}

/// Decodes percent escapes in a header key; returns a key with broken escapes unchanged.
fn unescaped(key: &str) -> String {
    let mut bytes = Vec::with_capacity(key.len());
    let mut rest = key.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        if byte != b'%' {
            bytes.push(byte);
            rest = tail;
            continue;
        }
        let digits = tail.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(value) => bytes.push(value),
            None => return key.to_owned(),
        }
        rest = &tail[2..];
    }
    String::from_utf8(bytes).unwrap_or_else(|_| key.to_owned())
}

/// A user as Go prints it with `%#v`.
fn as_go(user: &User) -> String {
    let list = |texts: &[String]| {
        let quoted: Vec<String> = texts.iter().map(|text| quote(text)).collect();
        format!("[]string{{{}}}", quoted.join(", "))
    };
    let groups = if user.groups.is_empty() {
        "[]string(nil)".to_owned()
    } else {
        list(&user.groups)
    };
    let extra = if user.extra.is_empty() {
        "map[string][]string(nil)".to_owned()
    } else {
        let mut entries: Vec<String> = user
            .extra
            .iter()
            .map(|(key, values)| format!("{}:{}", quote(key), list(values)))
            .collect();
        entries.sort_unstable();
        format!("map[string][]string{{{}}}", entries.join(", "))
    };
    format!(
        "&user.DefaultInfo{{Name:{}, UID:{}, Groups:{groups}, Extra:{extra}}}",
        quote(&user.name),
        quote(&user.uid)
    )
}

/// What a user consists of, as Go prints references to it (`buildImpersonationRequests` in impersonation.go).
fn as_references(user: &User) -> String {
    let groups = user.groups.iter().map(|group| format!("{{Group  {group}    }}"));
    let extra = user.extra.iter().flat_map(|(key, values)| {
        let values = values.iter();
        values.map(move |value| format!("{{UserExtra  {value}  {AUTHENTICATION}/v1  {key}}}"))
    });
    let uid = (!user.uid.is_empty()).then(|| format!("{{UID  {}  {AUTHENTICATION}/v1  }}", user.uid));
    let all: Vec<String> = groups.chain(extra).chain(uid).collect();
    format!("[{}]", all.join(" "))
}

/// A mode that can allow impersonation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Limited to this request's verb and resource; named after the sort of user.
    Constrained(&'static str),
    /// Unlimited: the verb `impersonate`.
    Legacy,
    /// The same where there is no other: the uid is checked last.
    Alone,
}

impl Mode {
    fn verb(self) -> String {
        match self {
            Mode::Constrained(mode) => format!("impersonate:{mode}"),
            Mode::Legacy | Mode::Alone => "impersonate".to_owned(),
        }
    }
}

impl Access {
    /// Impersonates a user for one request, as a release does, and returns the resulting user.
    ///
    /// # Errors
    ///
    /// 403 if the real user may not.
    pub fn impersonate(
        &self,
        attributes: &Attributes<'_>,
        wanted: &User,
        release: Release,
    ) -> Result<User, Status> {
        let mut refusal = None;
        for mode in modes(wanted, release) {
            match self.impersonate_by(mode, attributes, wanted) {
                Ok(user) => return Ok(user),
                Err(status) => refusal = refusal.or(Some(status)),
            }
        }
        Err(refusal.unwrap_or_else(|| Status::internal("all impersonation modes failed")))
    }

    fn impersonate_by(&self, mode: Mode, attributes: &Attributes<'_>, wanted: &User) -> Result<User, Status> {
        if let Mode::Constrained(name) = mode {
            let verb = format!("impersonate-on:{name}:{}", attributes.verb);
            self.check(&Attributes {
                verb: &verb,
                ..*attributes
            })?;
        }
        let verb = mode.verb();
        let own_group = match mode {
            Mode::Constrained(_) => AUTHENTICATION,
            Mode::Legacy | Mode::Alone => "",
        };
        let of = |group, resource, subresource, name| Attributes {
            user: attributes.user,
            verb: &verb,
            is_resource: true,
            namespace: "",
            group,
            resource,
            subresource,
            name,
            path: "",
        };
        let mut actual = wanted.clone();
        self.check_name(mode, of(own_group, "users", "", &wanted.name), &mut actual)?;
        let check_uid = |is_due: bool| {
            if is_due && !wanted.uid.is_empty() {
                self.check(&of(AUTHENTICATION, "uids", "", &wanted.uid))
            } else {
                Ok(())
            }
        };
        check_uid(mode != Mode::Alone)?;
        for group in &wanted.groups {
            let asked = of(own_group, "groups", "", group);
            match (mode, group.as_str()) {
                (Mode::Constrained(_), "") => {
                    return Err(asked.forbidden("impersonating the empty string group is not allowed"));
                }
                (Mode::Constrained(_), group::MASTERS) => {
                    return Err(asked.forbidden("impersonating the system:masters group is not allowed"));
                }
                _ => self.check(&asked)?,
            }
        }
        for (key, values) in &wanted.extra {
            for value in values {
                self.check(&of(AUTHENTICATION, "userextras", key, value))?;
            }
        }
        check_uid(mode == Mode::Alone)?;
        settle_groups(&mut actual);
        Ok(actual)
    }

    /// Authorizes the user name. Service accounts and nodes get their own groups.
    fn check_name(&self, mode: Mode, asked: Attributes<'_>, actual: &mut User) -> Result<(), Status> {
        let wanted = actual.name.clone();
        if let Some((namespace, name)) = user::service_account_of(&wanted) {
            if actual.groups.is_empty() {
                actual.groups = group::of_service_accounts(namespace).to_vec();
            }
            return self.check(&Attributes {
                resource: "serviceaccounts",
                namespace,
                name,
                ..asked
            });
        }
        if let (Some(name), Mode::Constrained(_)) = (node(&wanted), mode) {
            actual.groups = vec![group::NODES.to_owned()];
            return self.check(&Attributes {
                resource: "nodes",
                name,
                ..asked
            });
        }
        self.check(&asked)
    }
}

/// The name of the node that a user is, if it is the name of a node (`isNodeUsername` in apiserver's
/// pkg/endpoints/filters/impersonation/mode.go).
fn node(name: &str) -> Option<&str> {
    let name = name.strip_prefix(user::NODE_PREFIX)?;
    let mut is_name = true;
    (named::find("dns1123Subdomain")?.check)(name, &mut |_| is_name = false);
    is_name.then_some(name)
}

/// The modes that apply to this user, in the order they are tried.
fn modes(wanted: &User, release: Release) -> Vec<Mode> {
    if !release.enables(Gate::ConstrainedImpersonation) {
        return vec![Mode::Alone];
    }
    let is_plain = wanted.uid.is_empty() && wanted.groups.is_empty() && wanted.extra.is_empty();
    let is_node = node(&wanted.name).is_some();
    let is_account = user::service_account_of(&wanted.name).is_some();
    let mut modes = Vec::new();
    if is_plain && is_node {
        modes.push(Mode::Constrained("arbitrary-node"));
    }
    if is_plain && is_account {
        modes.push(Mode::Constrained("serviceaccount"));
    }
    if !is_node && !is_account {
        modes.push(Mode::Constrained("user-info"));
    }
    modes.push(Mode::Legacy);
    modes
}

/// Adds `system:authenticated`, or `system:unauthenticated` for the anonymous user.
fn settle_groups(user: &mut User) {
    let group = match user.name.as_str() {
        user::ANONYMOUS => group::UNAUTHENTICATED,
        _ if user.groups.iter().any(|group| group == group::UNAUTHENTICATED) => return,
        _ => group::AUTHENTICATED,
    };
    if !user.groups.iter().any(|known| known == group) {
        user.groups.push(group.to_owned());
    }
}
