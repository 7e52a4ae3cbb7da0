//! `+k8s:neq=<value>`: anything but this value.

use kindsmith_schema::{Facet, Level, Literal, Scalar};

use super::number;
use crate::go_type;
use crate::grammar::codetags::{Link, Scalar as Written, Value};
use crate::read::{Answer, At, Cx, Misuse};
use crate::tag::{Kind, Payload, Tag};

pub(super) const TAG: Tag = Tag {
    stability: Level::Alpha,
    types: "strings, booleans and integers",
    payload: Payload::Required(Kind::Raw),
    docs: include_str!("neq.md"),
    ..Tag::declarative("k8s:neq", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    let resolved = cx.resolved(at);
    if !go_type::is_comparable(cx.view, resolved.base) {
        let types = format!(
            "comparable types (e.g. string, int, bool), but got {}",
            cx.root_text(at)
        );
        return Misuse::only_on(types).into();
    }
    let link = &links[0];
    let field = match resolved.scalar() {
        Some(Scalar::String) => "a string",
        Some(Scalar::Bool) => "a bool",
        _ if resolved.integer().is_some() => "an integer",
        _ => {
            let text = format!(
                "unsupported type for 'neq' tag: {}",
                go_type::text(cx.view, resolved.base)
            );
            return Misuse::new(text).into();
        }
    };
    let literal = match (&link.value, resolved.scalar()) {
        (Value::Scalar(Written::Str(text)), Some(Scalar::String)) => Literal::Str(text.as_str().into()),
        (Value::Scalar(Written::Bool(value)), Some(Scalar::Bool)) => Literal::Bool(*value),
        (Value::Scalar(Written::Int(text)), _) if resolved.integer().is_some() => {
            Literal::Int(number::int(text).map_err(|reason| {
                Misuse::new(format!("invalid integer value for payload: {reason}")).in_value(link)
            })?)
        }
        (value, _) => {
            let text = format!(
                "type mismatch: field is {field}, but payload is of type {}",
                value.kind()
            );
            return Misuse::new(text).in_value(link).into();
        }
    };
    cx.add(at, Facet::Neq(literal))
}
