//! Checks scope, arguments and value of a tag against its descriptor (validation-gen `typeCheck`).

use kindsmith_gostd::quote::quote;

use super::at::At;
use super::context::Cx;
use super::misuse::Misuse;
use super::report::Phase;
use crate::finding;
use crate::grammar::codetags::{Link, Value};
use crate::tag::{Kind, Payload, Scope, Tag};

impl<'a> Cx<'a> {
    /// Whether the tag is allowed here. `at.chain` does not contain its name yet.
    pub(super) fn check_scope(&mut self, at: &At<'a>, tag: &'static Tag) -> Result<(), Misuse> {
        if tag.fits(at.scope) {
            return Ok(());
        }
        let text = format!("tag {:?} cannot be specified on {}", tag.name, at.scope.words());
        let misuse = Misuse::new(text).help(belongs(tag));
        if tag.kep_scopes.contains(&at.scope) {
            self.kep_only(at, misuse);
            return Ok(());
        }
        self.push(at, Phase::Reading, misuse.with_finding(&finding::TAG_SCOPE));
        Err(Misuse::reported())
    }

    /// Whether arguments and value have the declared kinds.
    pub(super) fn check_parts(&mut self, at: &At<'a>, tag: &'static Tag, link: &Link) -> Result<(), Misuse> {
        for arg in tag.args.iter().filter(|arg| !arg.kep_only) {
            let given = link.args.iter().find(|given| given.name == arg.name);
            match given {
                Some(given) if given.value.kind() != arg.kind.word() => {
                    let rendered = quote(&given.to_string());
                    let (got, want) = (given.value.kind(), arg.kind.word());
                    let text = format!("argument {rendered} has wrong type: got {got}, want {want}");
                    return Err(Misuse::new(text).in_arg(given));
                }
                None if arg.required => return Err(missing(arg.name, arg.kind)),
                _ => {}
            }
        }
        let mut kep = false;
        for given in &link.args {
            let known = tag.args.iter().find(|arg| arg.name == given.name);
            if tag.open_args || known.is_some_and(|arg| !arg.kep_only) {
                continue;
            }
            let text = format!("unrecognized named argument {}", quote(&given.to_string()));
            let misuse = Misuse::new(text).in_arg(given);
            if known.is_none() {
                return Err(misuse.help(arguments(tag)));
            }
            kep = true;
            self.kep_only(at, misuse);
        }
        if kep { Ok(()) } else { check_value(tag, link) }
    }
}

fn check_value(tag: &Tag, link: &Link) -> Result<(), Misuse> {
    let want = tag.payload.kind().map_or("", Kind::word);
    if link.value == Value::None {
        return match tag.payload {
            Payload::Required(_) => Err(Misuse::new(format!("missing required tag value of type {want}"))
                .help(format!("write +{}=<{want}>", tag.name))),
            Payload::None | Payload::Optional(_) => Ok(()),
        };
    }
    let got = link.value.kind();
    if want == Kind::Raw.word() || got == want {
        return Ok(());
    }
    let misuse = Misuse::new(format!("tag value has wrong type: got {got}, want {want}")).in_value(link);
    Err(match tag.payload {
        Payload::None => misuse.help(format!("+{} takes no value", tag.name)),
        _ => misuse.help(format!("write +{}=<{want}>", tag.name)),
    })
}

fn missing(name: &str, kind: Kind) -> Misuse {
    Misuse::new(if name.is_empty() {
        format!("missing required positional argument of type {}", kind.word())
    } else {
        format!("missing named argument {} of type {}", quote(name), kind.word())
    })
}

/// Where a tag belongs, in words.
pub(super) fn belongs(tag: &Tag) -> String {
    let words: Vec<&str> = tag.scopes.iter().map(|scope: &Scope| scope.words()).collect();
    format!("+{} belongs on {}", tag.name, join(&words))
}

fn arguments(tag: &Tag) -> String {
    let names: Vec<&str> = tag.args.iter().map(|arg| arg.name).collect();
    match names.as_slice() {
        [] => format!("+{} takes no arguments", tag.name),
        [""] => format!("+{} takes one argument without a name", tag.name),
        names => format!("+{} takes {}", tag.name, join(names)),
    }
}

fn join(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
