//! Rules on the item of a list that a selector picks.

use kindsmith_cel::escape::escape;
use kindsmith_schema::{Facet, Literal, Rule, Selector, ValidationRule, Wrap};

use super::presence::{Member, Zero};
use super::{rule_of, value};
use crate::generate::lower::Lower;

/// The rule, if CEL can say it: a limit of the item's members.
pub(super) fn rule(
    lower: &Lower<'_>,
    rule: &Rule,
    wraps: &[Wrap],
    selector: &Selector,
    list: &Member,
) -> Option<ValidationRule> {
    let item = list.inner(lower.view)?;
    let picked: Option<Vec<String>> = selector
        .0
        .iter()
        .map(|(key, wanted)| {
            let key = escape(key)?;
            let wanted = match wanted {
                Literal::Str(text) => value::quoted(text),
                Literal::Int(number) => number.to_string(),
                Literal::Bool(truth) => truth.to_string(),
            };
            Some(format!("has(item.{key}) && item.{key} == {wanted}"))
        })
        .collect();
    let picked = picked?.join(" && ");
    let (holds, message) = match wraps {
        [Wrap::Subfield(name)] => on_member(lower, &rule.facet, &item.sub(lower.view, name)?)?,
        _ => return None,
    };
    Some(rule_of(
        &format!("self.all(item, !({picked}) || ({holds}))"),
        &message,
    ))
}

fn on_member(lower: &Lower<'_>, facet: &Facet, member: &Member) -> Option<(String, String)> {
    let name = member.cel.as_deref()?;
    let set = member.is_set("item")?;
    match facet {
        Facet::Required => return Some((set, format!("{} must be set", member.name))),
        Facet::Forbidden => return Some((format!("!{set}"), format!("{} must not be set", member.name))),
        _ => {}
    }
    let of = match (member.zero, member.value("item")) {
        (Zero::Absent, _) => format!("item.{name}"),
        (_, Some(of)) => of,
        _ => return None,
    };
    let (holds, message) = value::expression(lower, facet, &of, member)?;
    let skipped = match member.zero == Zero::Absent || member.optional {
        true => format!("!{set} || "),
        false => String::new(),
    };
    Some((format!("{skipped}{holds}"), message))
}
