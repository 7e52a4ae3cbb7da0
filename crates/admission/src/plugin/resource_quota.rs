//! `ResourceQuota`: what an object uses is charged to the quotas of its namespace, and refused beyond them (apiserver's
//! pkg/admission/plugin/resourcequota/controller.go).
//!
//! A quota counts from when its status has limits, which a controller copies from its spec. What is released is found by
//! that controller, too.

use kindsmith_builtin::amounts::Amounts;
use kindsmith_builtin::quota::{Evaluator, Written};
use kindsmith_json::Value;
use kindsmith_request::Status;

use super::{Failed, Refusal, Review};

/// How often a quota is read again that others charge at the same time.
const ATTEMPTS: usize = 4;

/// A quota and what it would be charged.
struct Charge<'a> {
    quota: Value<'a>,
    used: Amounts,
}

pub(crate) fn validate<'a>(review: &Review<'_, 'a>, object: Value<'a>) -> Result<(), Refusal> {
    let request = review.request;
    if request.namespace.is_empty() || review.is_of("", "namespaces", "") {
        return Ok(());
    }
    let written = Written {
        subresource: request.subresource,
        object,
        old: request.old,
    };
    let evaluator = Evaluator::of(request.group, request.resource);
    let Some(evaluator) = evaluator.filter(|evaluator| evaluator.handles(&written)) else {
        return Ok(());
    };
    let quotas = review.all("", "resourcequotas");
    let mut open: Vec<&'a str> = quotas.iter().map(|quota| name(*quota)).collect();
    let mut failure = None;
    for _ in 0..ATTEMPTS {
        if open.is_empty() {
            return Ok(());
        }
        let quotas = review.all("", "resourcequotas").into_iter();
        let quotas: Vec<Value<'a>> = quotas.filter(|quota| open.contains(&name(*quota))).collect();
        let charges = charges(review, &evaluator, &written, &quotas)?;
        if request.is_dry_run {
            return Ok(());
        }
        open = Vec::new();
        for charge in charges {
            if let Err(failed) = store(review, &charge) {
                open.push(name(charge.quota));
                failure = Some(failed);
            }
        }
    }
    let why = failure.map(|failed| failed.message).unwrap_or_default();
    Err(Status::internal(&why).into())
}

fn name(quota: Value<'_>) -> &str {
    quota.text(&["metadata", "name"])
}

/// What each quota is charged; those that a write does not touch are left out.
fn charges<'a>(
    review: &Review<'_, 'a>,
    evaluator: &Evaluator,
    written: &Written<'_>,
    quotas: &[Value<'a>],
) -> Result<Vec<Charge<'a>>, Refusal> {
    let now = review.server.now();
    let usage = evaluator.usage(written.object, now);
    let mut concerned = Vec::new();
    for quota in quotas {
        let [hard, used] = ["hard", "used"].map(|key| Amounts::of(quota.lookup(&["status", key])));
        let counted = hard.only(|name| evaluator.counts(name));
        let is_about = |object| evaluator.matches(*quota, hard.0.keys().map(String::as_str), object);
        if !is_about(written.object) {
            continue;
        }
        check_known(evaluator, written, *quota, &counted, &used)?;
        let mut change = usage.clone();
        if let Some(old) = written.old.filter(|old| is_about(*old)) {
            change.subtract(&evaluator.usage(old, now));
        }
        concerned.push((*quota, hard, used, change));
    }
    let negative = usage.only(|name| usage.get(name).is_some_and(|amount| amount.sign() < 0));
    if !negative.0.is_empty() && !quotas.is_empty() {
        let names: Vec<String> = negative.0.into_keys().collect();
        let why = format!("quota usage is negative for resource(s): {}", names.join(","));
        return Err(Refusal::Forbidden(why));
    }
    let mut charges = Vec::new();
    for (quota, hard, used, change) in concerned {
        let charged = change.only(|name| {
            hard.get(name).is_some() && change.get(name).is_some_and(|amount| amount.sign() != 0)
        });
        if charged.0.is_empty() {
            continue;
        }
        let mut total = used.clone();
        total.add(&charged);
        if written.subresource != "status" {
            check_fits(quota, &charged, (&used, &total, &hard))?;
        }
        charges.push(Charge { quota, used: total });
    }
    Ok(charges)
}

/// A quota can only be charged if it says what is used, and if the object says what it uses.
fn check_known(
    evaluator: &Evaluator,
    written: &Written<'_>,
    quota: Value<'_>,
    counted: &Amounts,
    used: &Amounts,
) -> Result<(), Refusal> {
    let names = || counted.0.keys().map(String::as_str);
    if let Some(missing) = evaluator.missing(names(), written.object) {
        let why = format!("failed quota: {}: {missing}", name(quota));
        return Err(Refusal::Forbidden(why));
    }
    if names().all(|name| used.get(name).is_some()) {
        return Ok(());
    }
    let resources: Vec<&str> = names().collect();
    Err(Refusal::Forbidden(format!(
        "status unknown for quota: {}, resources: {}",
        name(quota),
        resources.join(",")
    )))
}

fn check_fits(
    quota: Value<'_>,
    charged: &Amounts,
    (used, total, hard): (&Amounts, &Amounts, &Amounts),
) -> Result<(), Refusal> {
    let is_over = |name: &str| match (charged.get(name), total.get(name), hard.get(name)) {
        (Some(_), Some(total), Some(hard)) => total > hard,
        _ => false,
    };
    let requested = charged.only(is_over);
    if requested.0.is_empty() {
        return Ok(());
    }
    Err(Refusal::Forbidden(format!(
        "exceeded quota: {}, requested: {}, used: {}, limited: {}",
        name(quota),
        requested.shown(),
        used.only(is_over).shown(),
        hard.only(is_over).shown()
    )))
}

fn store(review: &Review<'_, '_>, charge: &Charge<'_>) -> Result<(), Failed> {
    let (arena, quota) = (kindsmith_json::Arena::new(), charge.quota);
    let mut status = quota.copy_in(&arena);
    status.set(&arena, &["status", "used"], charge.used.to_value(&arena));
    let path = format!(
        "/api/v1/namespaces/{}/resourcequotas/{}/status",
        review.request.namespace,
        name(quota)
    );
    review.server.replace(&path, status)
}
