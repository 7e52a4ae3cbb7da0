//! `+k8s:validation-gen=<which>`: which types validation-gen writes functions for.

use kindsmith_gostd::quote::quote;
use kindsmith_schema::{Owner, RootSelector};

use crate::finding;
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Misuse, nothing};
use crate::tag::Tag;

pub(super) const TAG: Tag = Tag {
    docs: include_str!("validation_gen.md"),
    ..Tag::control(NAME, apply)
};

const NAME: &str = "k8s:validation-gen";

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, link: &Link) -> Answer {
    match at.owner {
        Owner::Package(index) => on_package(cx, at, index, link),
        Owner::Type(id) => {
            let on = match link.text() {
                "true" => true,
                "false" => false,
                _ => {
                    let help = "on a type the value is true or false";
                    cx.warn(
                        &finding::MISPLACED_TAG,
                        at.span,
                        format!("{NAME:?} is ignored here"),
                        help,
                    );
                    return nothing();
                }
            };
            cx.edit(move |builder| builder.ty_mut(id).options.validation = Some(on));
            nothing()
        }
        Owner::Field(_) | Owner::Constant(..) => nothing(),
    }
}

fn on_package<'a>(cx: &mut Cx<'a>, at: &At<'a>, index: u32, link: &Link) -> Answer {
    let value = link.text();
    let values = cx.package_values(at, NAME);
    if value == "false" {
        if values.len() > 1 {
            let text = format!(
                "+{NAME}: cannot mix \"false\" with other values; got [{}]",
                values.join(" ")
            );
            return Misuse::new(text).into();
        }
        return nothing();
    }
    let empty = || {
        Misuse::new(format!(
            "{}: found package tag \"{NAME}={value}\" with empty value",
            at.path
        ))
    };
    let selector = match value {
        "*" => RootSelector::All,
        "" if values.len() == 1 => {
            let text = format!("{}: found package tag {NAME:?} with no value", at.path);
            return Misuse::new(text).help(HELP).into();
        }
        _ => match value.split_once('=') {
            Some(("TypesWithField", "")) => return empty().in_value(link).into(),
            Some(("TypesWithField", field)) => RootSelector::WithField(field.into()),
            Some(("TypesWithSuffix", "")) => return empty().in_value(link).into(),
            Some(("TypesWithSuffix", suffix)) => RootSelector::WithSuffix(suffix.into()),
            _ => {
                let text = format!(
                    "{}: unknown value for package tag {NAME:?}: {}",
                    at.path,
                    quote(value)
                );
                return Misuse::new(text).in_value(link).help(HELP).into();
            }
        },
    };
    cx.edit(move |builder| builder.package_mut(index).options.validation.push(selector));
    nothing()
}

const HELP: &str = "use *, TypesWithField=<Go name>, TypesWithSuffix=<suffix> or false";
