//! Errors as older releases word them: what a tag finds now was found by code, in other words. One table, by kind and place.

mod repeated;

use kindsmith_formats::format::message;
use kindsmith_json::Value;
use kindsmith_json::path::{PathBuf, Step};
use kindsmith_object::{BadValue, Behavior, Detail, ErrorKind, FieldError, Release};

use crate::dual_run::twin::place::names;
use crate::field_check::{items, text};
use crate::go_value::internal;
use crate::{Change, Kind};

/// What an error was up to a release.
struct Older {
    until: Release,
    group: &'static str,
    kinds: &'static [&'static str],
    /// As in the tables of [`twin`](crate::dual_run::twin).
    at: &'static str,
    kind: ErrorKind,
    then: Then,
}

/// What was said.
enum Then {
    /// The same with other words.
    Words(&'static str),
    /// An invalid value, which is shown.
    Invalid(&'static str),
    /// An invalid union, which is shown.
    Union(&'static str),
    /// The same, or a value that is required if nothing is set.
    UnionOrMissing(&'static str),
    /// An invalid list of conditions, with the type of the last of two that exclude each other.
    Last(&'static str),
    /// A change that is forbidden.
    Forbidden(&'static str),
    /// A value that is not one of these.
    NotSupported(&'static [&'static str]),
    /// The same if a condition holds; or else it was not looked at.
    NotSupportedIf(fn(&Change<'_>) -> bool, &'static [&'static str]),
    /// The same with the value of another member, where a tag compares them.
    Sibling(&'static str),
    /// The same with a member of the value.
    Member(&'static str),
    /// Characters where bytes are counted now.
    Characters(usize),
    /// An error at a member, that it is required.
    MissingMember(&'static str),
    /// The same at a member, with its value.
    AtMember(&'static str),
    /// One of several such errors, with other words.
    Once(&'static str),
    /// What code says, if anything.
    Code(fn(&Change<'_>) -> Option<&'static str>),
    /// Text that is not a valid label value.
    Label,
    /// A name that must have a domain.
    Domain,
    /// The same, unless these words say it, which code says in others.
    Without(&'static str),
    /// Nothing.
    Nothing,
}

const fn older(
    until: u8,
    group: &'static str,
    kinds: &'static [&'static str],
    at: &'static str,
    kind: ErrorKind,
    then: Then,
) -> Older {
    Older {
        until: Release::minor(until),
        group,
        kinds,
        at,
        kind,
        then,
    }
}

use ErrorKind::{Duplicate, Forbidden, Invalid, NotSupported, Required};

const RBAC: &str = "rbac.authorization.k8s.io";
const FLOW: &str = "flowcontrol.apiserver.k8s.io";
const DEVICES: &str = "resource.k8s.io";
const LEVEL: &[&str] = &["PriorityLevelConfiguration"];
const CLAIM: &[&str] = &["ResourceClaim"];
const TEMPLATE: &[&str] = &["ResourceClaimTemplate"];
const STORAGE: &[&str] = &["StorageClass"];
/// The effects of taints of devices before `None` was there.
const EFFECTS: &[&str] = &["NoExecute", "NoSchedule"];

impl Older {
    fn fits(&self, error: &FieldError) -> bool {
        let is_meant = match self.then {
            Then::Forbidden(_) => error.origin == "immutable",
            Then::Union(_) | Then::UnionOrMissing(_) => matches!(error.detail, Detail::Union { .. }),
            _ => true,
        };
        is_meant && names(self.at, &error.path)
    }
}

/// The first line that fits counts, so older releases come first.
const TABLE: &[Older] = &[
    older(
        36,
        "certificates.k8s.io",
        &["CertificateSigningRequest"],
        "status.conditions",
        Invalid,
        Then::Last("Approved and Denied conditions are mutually exclusive"),
    ),
    older(
        36,
        "admissionregistration.k8s.io",
        &["ValidatingAdmissionPolicyBinding"],
        "spec.validationActions",
        Required,
        Then::Words("at least one validation action is required"),
    ),
    older(
        34,
        DEVICES,
        CLAIM,
        "spec.devices.requests[*]",
        Duplicate,
        Then::AtMember("name"),
    ),
    older(
        34,
        DEVICES,
        TEMPLATE,
        "spec.spec.devices.requests[*]",
        Duplicate,
        Then::AtMember("name"),
    ),
    older(
        34,
        DEVICES,
        &["ResourceSlice"],
        "spec.devices[*]",
        Duplicate,
        Then::AtMember("name"),
    ),
    older(
        34,
        DEVICES,
        &["ResourceSlice"],
        "spec.devices[*].attributes{*}",
        Invalid,
        Then::UnionOrMissing("exactly one value must be specified"),
    ),
    older(
        36,
        RBAC,
        &["Role", "ClusterRole"],
        "rules[*].verbs",
        Required,
        Then::Words("verbs must contain at least one value"),
    ),
    older(
        36,
        RBAC,
        &["RoleBinding", "ClusterRoleBinding"],
        "roleRef",
        Invalid,
        Then::Words("cannot change roleRef"),
    ),
    older(
        35,
        "autoscaling",
        &["HorizontalPodAutoscaler"],
        "spec.maxReplicas",
        Required,
        Then::Invalid("must be greater than 0"),
    ),
    older(
        36,
        "autoscaling",
        &["HorizontalPodAutoscaler"],
        "spec.maxReplicas",
        Required,
        Then::Words("must be set and greater than 0"),
    ),
    older(
        36,
        "discovery.k8s.io",
        &["EndpointSlice"],
        "endpoints[*].addresses",
        Required,
        Then::Words("must contain at least 1 address"),
    ),
    older(
        35,
        FLOW,
        LEVEL,
        "spec.type",
        Required,
        Then::NotSupported(&["Exempt", "Limited"]),
    ),
    older(
        36,
        FLOW,
        LEVEL,
        "spec.limited",
        Required,
        Then::Words("must not be empty when type is Limited"),
    ),
    older(
        36,
        FLOW,
        LEVEL,
        "spec.limited",
        Forbidden,
        Then::Code(limited_is_set),
    ),
    older(
        36,
        FLOW,
        LEVEL,
        "spec.exempt",
        Forbidden,
        Then::Words("must be nil if the type is Limited"),
    ),
    older(
        35,
        FLOW,
        LEVEL,
        "spec.limited.limitResponse.type",
        Required,
        Then::NotSupportedIf(is_limited, &["Queue", "Reject"]),
    ),
    older(
        36,
        FLOW,
        LEVEL,
        "spec.limited.limitResponse.type",
        Required,
        Then::Code(|change| is_limited(change).then_some("")),
    ),
    older(
        36,
        FLOW,
        LEVEL,
        "spec.limited.limitResponse.queuing",
        Required,
        Then::Words("must not be empty if limited.limitResponse.type is Limited"),
    ),
    older(
        36,
        FLOW,
        LEVEL,
        "spec.limited.limitResponse.queuing",
        Forbidden,
        Then::Code(queuing_is_set),
    ),
    older(
        36,
        "networking.k8s.io",
        &["NetworkPolicy"],
        "spec.ingress[*].ports[*].endPort",
        Invalid,
        Then::Sibling("port"),
    ),
    older(
        36,
        "networking.k8s.io",
        &["NetworkPolicy"],
        "spec.egress[*].ports[*].endPort",
        Invalid,
        Then::Sibling("port"),
    ),
    older(
        35,
        "node.k8s.io",
        &["RuntimeClass"],
        "handler",
        Required,
        Then::Label,
    ),
    older(
        36,
        "node.k8s.io",
        &["RuntimeClass"],
        "handler",
        Invalid,
        Then::Characters(63),
    ),
    older(
        34,
        DEVICES,
        CLAIM,
        "spec.devices.requests[*].exactly.tolerations[*].effect",
        NotSupported,
        Then::NotSupported(EFFECTS),
    ),
    older(
        34,
        DEVICES,
        CLAIM,
        "spec.devices.requests[*].firstAvailable[*].tolerations[*].effect",
        NotSupported,
        Then::NotSupported(EFFECTS),
    ),
    older(
        34,
        DEVICES,
        TEMPLATE,
        "spec.spec.devices.requests[*].exactly.tolerations[*].effect",
        NotSupported,
        Then::NotSupported(EFFECTS),
    ),
    older(
        34,
        DEVICES,
        TEMPLATE,
        "spec.spec.devices.requests[*].firstAvailable[*].tolerations[*].effect",
        NotSupported,
        Then::NotSupported(EFFECTS),
    ),
    older(
        34,
        DEVICES,
        &["ResourceSlice"],
        "spec.devices[*].taints[*].effect",
        NotSupported,
        Then::NotSupported(EFFECTS),
    ),
    older(
        34,
        DEVICES,
        &["DeviceClass"],
        "metadata.name",
        Invalid,
        Then::Without("must be no more than 253 bytes"),
    ),
    older(
        34,
        DEVICES,
        CLAIM,
        "spec.devices.constraints[*].matchAttribute",
        Invalid,
        Then::Domain,
    ),
    older(
        34,
        DEVICES,
        TEMPLATE,
        "spec.spec.devices.constraints[*].matchAttribute",
        Invalid,
        Then::Domain,
    ),
    older(
        36,
        DEVICES,
        CLAIM,
        "spec.devices.requests[*].firstAvailable[*].deviceClassName",
        Invalid,
        Then::Characters(253),
    ),
    older(
        36,
        DEVICES,
        CLAIM,
        "spec.devices.requests[*].exactly.deviceClassName",
        Invalid,
        Then::Characters(253),
    ),
    older(
        36,
        DEVICES,
        CLAIM,
        "spec.devices.requests[*]",
        Duplicate,
        Then::Member("name"),
    ),
    older(
        36,
        DEVICES,
        CLAIM,
        "spec.devices.constraints[*].distinctAttribute",
        Invalid,
        Then::Nothing,
    ),
    older(
        35,
        DEVICES,
        CLAIM,
        "spec.devices.constraints[*]",
        Required,
        Then::MissingMember("matchAttribute"),
    ),
    older(
        35,
        DEVICES,
        TEMPLATE,
        "spec.spec.devices.constraints[*]",
        Required,
        Then::MissingMember("matchAttribute"),
    ),
    older(
        36,
        DEVICES,
        &["DeviceClass"],
        "spec.extendedResourceName",
        Invalid,
        Then::Once("must be a valid extended resource name"),
    ),
    older(
        36,
        DEVICES,
        &["ResourceSlice"],
        "spec.devices[*].attributes{*}",
        Invalid,
        Then::Union("exactly one value must be specified"),
    ),
    older(
        35,
        "storage.k8s.io",
        STORAGE,
        "provisioner",
        Invalid,
        Then::Forbidden("updates to provisioner are forbidden."),
    ),
    older(
        35,
        "storage.k8s.io",
        STORAGE,
        "parameters",
        Invalid,
        Then::Forbidden("updates to parameters are forbidden."),
    ),
];

/// Only the type that limits has limits (`ValidatePriorityLevelConfigurationSpec` in pkg/apis/flowcontrol/validation).
fn limited_is_set(change: &Change<'_>) -> Option<&'static str> {
    let kind = text(change.get(&["spec", "type"]));
    (kind == "Exempt").then_some("must be nil if the type is not Limited")
}

fn is_limited(change: &Change<'_>) -> bool {
    text(change.get(&["spec", "type"])) == "Limited"
}

fn queuing_is_set(change: &Change<'_>) -> Option<&'static str> {
    let kind = text(change.get(&["spec", "limited", "limitResponse", "type"]));
    (kind == "Reject").then_some("must be nil if limited.limitResponse.type is not Limited")
}

/// Rewords errors as the release of a kind does.
pub(super) fn reword(kind: &Kind, change: &Change<'_>, errors: &mut Vec<FieldError>) {
    if kind.release.has(Behavior::ErrorsOnce) {
        return;
    }
    let lines: Vec<&Older> = TABLE
        .iter()
        .filter(|line| {
            kind.release <= line.until
                && *line.group == *kind.names.group
                && line.kinds.contains(&&*kind.names.kind)
        })
        .collect();
    let object = change.new.value();
    let mut once: Vec<PathBuf> = Vec::new();
    errors.retain_mut(|error| {
        if error.origin == "immutable" && error.bad == BadValue::Nil {
            error.bad = internal::shown_at(kind.release, kind.ty, object, error.path.steps());
        }
        if &*kind.names.group == DEVICES || &*kind.names.kind == "VolumeAttachment" {
            driver_name(kind.release, object, error);
        }
        let line = lines
            .iter()
            .find(|line| line.kind == error.kind && line.fits(error));
        line.is_none_or(|line| apply(line, kind, change, error, &mut once))
    });
    repeated::repeat(kind, change.old.is_some(), errors);
}

/// Whether an error compares two members.
fn is_comparison(error: &FieldError) -> bool {
    error.detail == said("must be greater than or equal to `port`")
}

/// Changes an error; whether it stays.
fn apply(
    line: &Older,
    kind: &Kind,
    change: &Change<'_>,
    error: &mut FieldError,
    once: &mut Vec<PathBuf>,
) -> bool {
    let object = change.new.value();
    let shown = |path: &PathBuf| internal::shown_at(kind.release, kind.ty, object, path.steps());
    match line.then {
        Then::Words(words) => error.detail = said(words),
        Then::Invalid(words) | Then::Union(words) | Then::UnionOrMissing(words) => {
            let members = at(object, error.path.steps()).and_then(Value::as_object);
            let is_empty = members.is_some_and(|members| members.is_empty());
            match line.then {
                Then::UnionOrMissing(_) if is_empty => {
                    *error = FieldError::required(error.path.clone(), words);
                    return true;
                }
                _ if is_empty => error.bad = BadValue::Text("".into()),
                _ => error.bad = shown(&error.path),
            }
            (error.kind, error.detail) = (Invalid, said(words));
        }
        Then::Forbidden(words) => {
            (error.kind, error.detail) = (Forbidden, said(words));
        }
        Then::NotSupportedIf(is_asked, _) if !is_asked(change) => return false,
        Then::NotSupported(known) | Then::NotSupportedIf(_, known) => {
            let value = text(at(object, error.path.steps()));
            let path = error.path.clone();
            *error = FieldError::not_supported(path, BadValue::json_text(value), known);
        }
        Then::Sibling(key) => {
            let above = error.path.steps().split_last().map(|(_, above)| above);
            let sibling = at(object, above.unwrap_or_default()).and_then(|above| above.get(key));
            if let Some(number) = sibling.and_then(Value::as_i64).filter(|_| is_comparison(error)) {
                error.bad = BadValue::Integer(number.into());
            }
        }
        Then::Member(key) => {
            let value = at(object, error.path.steps()).and_then(|value| value.get(key));
            error.bad = BadValue::Text(text(value).into());
        }
        Then::Characters(most) => {
            if error.detail == said(&format!("must be no more than {most} bytes")) {
                error.detail = said(&format!("must be no more than {most} characters"));
            }
        }
        Then::MissingMember(key) => {
            let steps = error.path.steps().iter().cloned();
            let path: PathBuf = steps.chain([Step::Field(key.into())]).collect();
            *error = FieldError::required(path, "");
        }
        Then::Last(words) => {
            let conditions = items(at(object, error.path.steps()));
            let types = conditions.iter().map(|condition| text(condition.get("type")));
            let last = types.rev().find(|ty| matches!(*ty, "Approved" | "Denied"));
            error.bad = BadValue::Text(last.unwrap_or_default().into());
            error.detail = said(words);
        }
        Then::AtMember(key) => {
            let value = at(object, error.path.steps()).and_then(|value| value.get(key));
            error.bad = BadValue::Text(text(value).into());
            let steps = error.path.steps().iter().cloned();
            error.path = steps.chain([Step::Field(key.into())]).collect();
        }
        Then::Once(words) => {
            if once.contains(&error.path) {
                return false;
            }
            once.push(error.path.clone());
            (error.bad, error.detail) = (shown(&error.path), said(words));
        }
        Then::Code(words) => match words(change) {
            Some(words) => error.detail = said(words),
            None => return false,
        },
        Then::Label => {
            (error.kind, error.bad) = (Invalid, BadValue::Text("".into()));
            error.detail = said(&message::label());
        }
        Then::Domain => return domain(object, error, once),
        Then::Without(words) => return error.detail != said(words),
        Then::Nothing => return false,
    }
    true
}

/// Domains had to be there, once, and were told apart by other words.
fn domain(object: Value<'_>, error: &mut FieldError, once: &mut Vec<PathBuf>) -> bool {
    if text(at(object, error.path.steps())).is_empty() {
        let is_first = !once.contains(&error.path);
        once.push(error.path.clone());
        *error = FieldError::required(error.path.clone(), "name required");
        return is_first;
    }
    if error.detail == said(message::FULLY_QUALIFIED) {
        error.detail = said("must include a domain");
    }
    true
}

/// Names of drivers were lowered before they were checked, and counted in bytes.
fn driver_name(release: Release, object: Value<'_>, error: &mut FieldError) {
    if release.has(Behavior::CaselessDriverNames) {
        return;
    }
    if error.origin == "format=k8s-long-name-caseless" && error.kind == Invalid {
        let value = text(at(object, error.path.steps()));
        let is_long = error.detail == said("must be no more than 253 bytes");
        let detail = if is_long {
            "must be no more than 253 characters".to_owned()
        } else {
            message::subdomain()
        };
        (error.bad, error.detail) = (BadValue::Text(value.into()), said(&detail));
    } else if let (Detail::AtMostCharacters(most), "maxLength") = (&error.detail, &*error.origin) {
        error.detail = Detail::AtMostBytes(*most);
    }
}

fn said(words: &str) -> Detail {
    if words.is_empty() {
        Detail::None
    } else {
        Detail::Text(words.into())
    }
}

/// The value at a path.
fn at<'a>(object: Value<'a>, path: &[Step]) -> Option<Value<'a>> {
    path.iter().try_fold(object, |value, step| match step {
        Step::Field(key) | Step::Key(key) => value.get(key),
        Step::Index(index) => value.as_array()?.get(*index).copied(),
    })
}
