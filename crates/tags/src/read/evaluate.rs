//! Evaluates one line of `+k8s:` tags, from the outermost to the innermost.

use super::at::At;
use super::context::Cx;
use super::misuse::{Answer, Misuse, something};
use super::report::Phase;
use crate::grammar::codetags::Link;
use crate::tag::{Apply, Scope, Tag};
use crate::{catalogue, finding};

/// Longer chains have no use, and evaluation recurses.
const MAX_CHAIN: usize = 32;

impl<'a> Cx<'a> {
    /// Evaluates the first tag of a chain, which evaluates the rest. Reports errors.
    pub fn evaluate(&mut self, at: &At<'a>, links: &[Link]) -> Answer {
        let Some(link) = links.first() else {
            return Err(Misuse::reported());
        };
        let mut at = at.clone();
        at.name_span = link.name_span.clone();
        let Some((tag, apply)) = declarative(&link.name) else {
            self.report_unknown_link(&at, link);
            return Err(Misuse::reported());
        };
        if at.chain.len() >= MAX_CHAIN {
            self.report(&at, Misuse::ours("too many tags in one chain"));
            return Err(Misuse::reported());
        }
        if tag.kep_only {
            self.report_kep_tag(&at, tag);
        }
        self.check_scope(&at, tag)?;
        at.chain.push(tag.name);
        if let Err(misuse) = self.check_parts(&at, tag, link) {
            self.report(&at, misuse);
            return Err(Misuse::reported());
        }
        let answer = apply(self, &at, links);
        match answer {
            // Errors on an unknown type are not reported.
            Err(misuse) if !misuse.is_reported() && self.is_unknown(&at) && at.scope != Scope::Constant => {
                something()
            }
            Err(misuse) => {
                self.report(&at, misuse);
                Err(Misuse::reported())
            }
            answer => answer,
        }
    }

    /// Evaluates the tags that are chained to the first.
    pub fn inner(&mut self, at: &At<'a>, links: &[Link]) -> Answer {
        self.evaluate(at, links.get(1..).unwrap_or_default())
    }

    /// Upstream crashes on these.
    fn report_unknown_link(&mut self, at: &At<'a>, link: &Link) {
        let mut misuse = Misuse::crash(format!("unknown tag {:?}", link.name));
        misuse = match catalogue::nearest(&link.name) {
            Some(near) if declarative(near).is_some() => misuse.help(format!("did you mean +{near}?")),
            _ => misuse.help("validation-gen crashes on an unknown tag inside a chain"),
        };
        self.push(
            at,
            Phase::Reading,
            misuse.with_finding(&finding::UNKNOWN_NESTED_TAG),
        );
    }

    /// Outside a chain, upstream ignores the tag with everything chained to it; inside a chain it crashes.
    fn report_kep_tag(&mut self, at: &At<'a>, tag: &Tag) {
        if !at.chain.is_empty() && !at.ignored {
            self.kep_only(
                at,
                Misuse::crash(format!("validation-gen does not know {:?} and crashes", tag.name)),
            );
        }
    }
}

type DeclarativeFn = for<'a> fn(&mut Cx<'a>, &At<'a>, &[Link]) -> Answer;

fn declarative(name: &str) -> Option<(&'static Tag, DeclarativeFn)> {
    let tag = catalogue::find(name)?;
    match tag.apply {
        Apply::Declarative(apply) => Some((tag, apply)),
        Apply::Raw(_) | Apply::Line(_) | Apply::Marker(_) => None,
    }
}
