//! Hand-written validation read as rules, and tags for them.
//!
//! `walk` follows the functions of a package, `propose` finds the tag that reports the same error under the same
//! condition. What is not understood is listed with its line and the reason; nothing is guessed. Where only a condition is
//! not understood, the tag is a candidate: [`proof`](crate::proof) decides by running the function.

mod library;
mod propose;
mod syntax;
mod target;
#[cfg(test)]
mod tests;
mod token;
mod value;
mod walk;

use std::collections::BTreeSet;
use std::sync::Arc;

use kindsmith_go::package::{Loader, Package};
use kindsmith_schema::Schema;

pub use propose::{Companion, Tag};
pub use value::{Cond, Emit, ErrorType, FileId, PathStep, Place, Span, Step};
pub use walk::{Role, Unread, Validator};

pub(crate) use propose::flat;
pub(crate) use target::{Target, targets};

/// An error of a function, and what becomes of it.
#[derive(Debug, Clone)]
pub struct Rule {
    /// The error.
    pub emit: Emit,
    /// Tags that report it, or why there are none.
    pub tags: Result<Vec<Tag>, String>,
    /// Tags that fields need so that the others report nothing else: `+k8s:optional`.
    pub companions: Vec<Companion>,
    /// What was not understood, so that only running the function shows whether the tags are right.
    pub doubt: Option<String>,
    /// The origin of the tags' errors, once it is known; may be empty.
    pub origin: Option<String>,
}

/// What a package of validation functions says.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// In source order.
    pub rules: Vec<Rule>,
    /// What was not understood, in source order.
    pub unread: Vec<Unread>,
    /// The package, and those of helpers that it calls.
    pub packages: Vec<Arc<Package>>,
    /// The functions of the package that take objects.
    pub functions: Vec<Validator>,
}

/// Reads the validation functions of a package about types of a schema.
#[must_use]
pub fn read(loader: &mut Loader<'_>, package: &Arc<Package>, schema: &Schema) -> Reading {
    let structs: BTreeSet<&str> = schema
        .types()
        .map(|(_, ty)| &*ty.name.name)
        .filter(|name| target::is_struct(schema, name))
        .collect();
    let is_struct = |name: &str| structs.contains(name);
    let mut walker = walk::Walker::new(loader, package.clone(), &is_struct);
    let emits = walker.all();
    let functions = walker.validators();
    let packages = walker.packages.iter().map(|one| one.package.clone()).collect();
    let calls = std::mem::take(&mut walker.calls);
    let mut unread = std::mem::take(&mut walker.unread);
    let is_plain = |call: &walk::Called| {
        let mut all = propose::flat(&call.conditions).into_iter();
        all.all(|condition| matches!(condition, Cond::Set(_) | Cond::Length(_, "<=", _)))
    };
    let modes = emits.iter().filter_map(propose::required_mode).collect();
    let rules = emits.into_iter().map(|emit| {
        let own = calls.get(&emit.entry).map_or(&[][..], |calls| calls);
        let is_conditional = !own.is_empty() && !own.iter().any(is_plain);
        let found = proposed(schema, &emit, &modes);
        // A function may name fields beside its object: then the calls say where they are.
        let (emit, (tags, doubt)) = match found {
            (Err(why), _) => own
                .iter()
                .filter_map(|call| moved(&emit, call))
                .map(|emit| {
                    let found = proposed(schema, &emit, &modes);
                    (emit, found)
                })
                .find(|(_, (tags, _))| tags.is_ok())
                .unwrap_or((emit, (Err(why), None))),
            found => (emit, found),
        };
        let doubt = doubt.or_else(|| {
            let is_doubtful = is_conditional && tags.is_ok();
            is_doubtful.then(|| format!("`{}` is only called under conditions", emit.entry))
        });
        let emit = match &doubt {
            Some(_) => propose::assumed(schema, emit),
            None => emit,
        };
        let companions = match &tags {
            Ok(tags) => propose::companions(schema, &emit, tags),
            Err(_) => Vec::new(),
        };
        Rule {
            emit,
            tags,
            companions,
            doubt,
            origin: None,
        }
    });
    let mut rules: Vec<Rule> = rules.collect();
    rules.sort_by_key(|rule| (rule.emit.file, rule.emit.line));
    unread.sort_by_key(|one| (one.file, one.line));
    Reading {
        rules,
        unread,
        packages,
        functions,
    }
}

/// The tags for an error, and what was not understood.
fn proposed(
    schema: &Schema,
    emit: &Emit,
    modes: &propose::Modes,
) -> (Result<Vec<Tag>, String>, Option<String>) {
    match propose::propose(schema, emit, modes, propose::Strict::Yes) {
        Ok(tags) => (Ok(tags), None),
        Err(why) => {
            let assumed = propose::assumed(schema, emit.clone());
            match propose::propose(schema, &assumed, modes, propose::Strict::No) {
                Ok(tags) => (Ok(tags), Some(why)),
                Err(_) => (Err(why), None),
            }
        }
    }
}

/// The error as the function that makes a call reports it.
fn moved(emit: &Emit, call: &walk::Called) -> Option<Emit> {
    let base = call.base.as_ref()?;
    let path = call.path.clone().unwrap_or_default();
    let conditions = call.conditions.iter().cloned();
    Some(Emit {
        path: path.into_iter().chain(emit.path.iter().cloned()).collect(),
        value: emit.value.as_ref().map(|value| value.moved(base)),
        conditions: conditions
            .chain(emit.conditions.iter().map(|condition| condition.moved(base)))
            .collect(),
        root: base.root.clone(),
        entry: call.by.clone(),
        ..emit.clone()
    })
}
