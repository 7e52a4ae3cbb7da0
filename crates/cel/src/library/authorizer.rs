//! The authorizer's functions (`Authz` in apiserver's pkg/cel/library/authz.go). Only admission has an authorizer to call
//! them on; rules of custom resources may name them, but have none.

use kindsmith_formats::named;

use crate::access::{Decision, Question, Resource, Subject, Target};
use crate::eval::context::{Context, Eval};
use crate::eval::value::{Ext, Value};

use super::{Definition, Op, function, method};

pub(super) const FUNCTIONS: &[Definition] = &[
    function(
        "path",
        &[method(
            "authorizer_path",
            "(kubernetes.authorization.Authorizer, string) -> kubernetes.authorization.PathCheck",
            Op::Eager(path),
        )],
    ),
    function(
        "group",
        &[method(
            "authorizer_group",
            "(kubernetes.authorization.Authorizer, string) -> kubernetes.authorization.GroupCheck",
            Op::Eager(group),
        )],
    ),
    function(
        "serviceAccount",
        &[method(
            "authorizer_serviceaccount",
            "(kubernetes.authorization.Authorizer, string, string) -> kubernetes.authorization.Authorizer",
            Op::Sequential(service_account),
        )],
    ),
    function(
        "resource",
        &[method(
            "groupcheck_resource",
            "(kubernetes.authorization.GroupCheck, string) -> kubernetes.authorization.ResourceCheck",
            Op::Eager(resource),
        )],
    ),
    function(
        "subresource",
        &[method(
            "resourcecheck_subresource",
            "(kubernetes.authorization.ResourceCheck, string) -> kubernetes.authorization.ResourceCheck",
            Op::Eager(subresource),
        )],
    ),
    function(
        "namespace",
        &[method(
            "resourcecheck_namespace",
            "(kubernetes.authorization.ResourceCheck, string) -> kubernetes.authorization.ResourceCheck",
            Op::Eager(namespace),
        )],
    ),
    function(
        "name",
        &[method(
            "resourcecheck_name",
            "(kubernetes.authorization.ResourceCheck, string) -> kubernetes.authorization.ResourceCheck",
            Op::Eager(name),
        )],
    ),
    function(
        "fieldSelector",
        &[method(
            "authorizer_fieldselector",
            "(kubernetes.authorization.ResourceCheck, string) -> kubernetes.authorization.ResourceCheck",
            Op::Eager(selector),
        )],
    ),
    function(
        "labelSelector",
        &[method(
            "authorizer_labelselector",
            "(kubernetes.authorization.ResourceCheck, string) -> kubernetes.authorization.ResourceCheck",
            Op::Eager(selector),
        )],
    ),
    function(
        "check",
        &[
            method(
                "pathcheck_check",
                "(kubernetes.authorization.PathCheck, string) -> kubernetes.authorization.Decision",
                Op::Eager(check),
            ),
            method(
                "resourcecheck_check",
                "(kubernetes.authorization.ResourceCheck, string) -> kubernetes.authorization.Decision",
                Op::Eager(check),
            ),
        ],
    ),
    function(
        "allowed",
        &[method(
            "decision_allowed",
            "(kubernetes.authorization.Decision) -> bool",
            Op::Eager(allowed),
        )],
    ),
    function(
        "reason",
        &[method(
            "decision_reason",
            "(kubernetes.authorization.Decision) -> string",
            Op::Eager(reason),
        )],
    ),
    function(
        "error",
        &[method(
            "decision_error",
            "(kubernetes.authorization.Decision) -> string",
            Op::Eager(error),
        )],
    ),
    function(
        "errored",
        &[method(
            "decision_errored",
            "(kubernetes.authorization.Decision) -> bool",
            Op::Eager(errored),
        )],
    ),
];

/// A question and a text: what most of the functions take.
fn asked<'a>(args: &[Value<'a>]) -> Option<(&'a Question, &'a str)> {
    match args {
        [Value::Ext(Ext::Access(question)), Value::String(text), ..] => Some((question, text)),
        _ => None,
    }
}

fn question<'a>(cx: &mut Context<'a>, subject: &Subject, target: Target) -> Eval<'a> {
    Ok(cx.ext(Ext::Access(Box::new(Question {
        subject: subject.clone(),
        target,
    }))))
}

fn path<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    match asked(args) {
        Some((_, path)) if path.trim().is_empty() => Ok(cx.error("path must not be empty")),
        Some((asked, path)) => question(cx, &asked.subject, Target::Path(path.to_owned())),
        None => Ok(cx.no_overload_for(args[0])),
    }
}

fn group<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    match asked(args) {
        Some((asked, group)) => question(cx, &asked.subject, Target::Group(group.to_owned())),
        None => Ok(cx.no_overload_for(args[0])),
    }
}

fn service_account<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let (Some((_, namespace)), Some(&Value::String(name))) = (asked(args), args.get(2)) else {
        return Ok(cx.no_overload_for(args[0]));
    };
    if !is_name("dns1123Subdomain", name) {
        return Ok(cx.error("Invalid service account name"));
    }
    if !is_name("dns1123Label", namespace) {
        return Ok(cx.error("Invalid service account namespace"));
    }
    let subject = Subject::ServiceAccount {
        namespace: namespace.to_owned(),
        name: name.to_owned(),
    };
    question(cx, &subject, Target::Anything)
}

fn is_name(format: &str, name: &str) -> bool {
    let mut is_valid = true;
    if let Some(format) = named::find(format) {
        (format.check)(name, &mut |_| is_valid = false);
    }
    is_valid
}

fn resource<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let Some((asked, resource)) = asked(args) else {
        return Ok(cx.no_overload_for(args[0]));
    };
    let Target::Group(group) = &asked.target else {
        return Ok(cx.no_overload());
    };
    if resource.trim().is_empty() {
        return Ok(cx.error("resource must not be empty"));
    }
    let target = Target::Resource(Resource {
        group: group.clone(),
        resource: resource.to_owned(),
        ..Resource::default()
    });
    question(cx, &asked.subject, target)
}

/// The question about a resource, changed a little.
fn narrowed<'a>(
    cx: &mut Context<'a>,
    args: &[Value<'a>],
    change: impl FnOnce(&mut Resource, String),
) -> Eval<'a> {
    let Some((asked, text)) = asked(args) else {
        return Ok(cx.no_overload_for(args[0]));
    };
    let Target::Resource(resource) = &asked.target else {
        return Ok(cx.no_overload());
    };
    let mut resource = resource.clone();
    change(&mut resource, text.to_owned());
    question(cx, &asked.subject, Target::Resource(resource))
}

fn subresource<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    narrowed(cx, args, |resource, text| resource.subresource = text)
}

fn namespace<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    narrowed(cx, args, |resource, text| resource.namespace = text)
}

fn name<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    narrowed(cx, args, |resource, text| resource.name = text)
}

/// Selectors change nothing: roles know none.
fn selector<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    narrowed(cx, args, |_, _| {})
}

fn check<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let Some((asked, verb)) = asked(args) else {
        return Ok(cx.no_overload_for(args[0]));
    };
    let authorizer = cx.policy.and_then(|policy| policy.authorizer());
    match authorizer {
        Some(authorizer) => {
            let decision = authorizer.authorize(asked, verb);
            Ok(cx.ext(Ext::Decision(decision)))
        }
        None => Ok(cx.no_overload()),
    }
}

fn decision<'a>(
    cx: &mut Context<'a>,
    args: &[Value<'a>],
    part: impl FnOnce(&mut Context<'a>, &'a Decision) -> Value<'a>,
) -> Eval<'a> {
    match args[0] {
        Value::Ext(Ext::Decision(decision)) => Ok(part(cx, decision)),
        other => Ok(cx.no_overload_for(other)),
    }
}

fn allowed<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    decision(cx, args, |_, decision| Value::Bool(decision.is_allowed))
}

fn reason<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    decision(cx, args, |_, decision| Value::String(&decision.reason))
}

fn error<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    decision(cx, args, |_, decision| Value::String(&decision.error))
}

fn errored<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    decision(cx, args, |_, decision| Value::Bool(!decision.error.is_empty()))
}
