//! Hand-written validation read as rules, and tags for them.
//!
//! `walk` follows the functions of a package, `propose` finds the tag that reports the same error under the same
//! condition. What is not understood is listed with its line and the reason; nothing is guessed.

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

pub use propose::Tag;
pub use value::{Cond, Emit, ErrorType, PathStep, Place, Step};
pub use walk::Unread;

/// An error of a function, and what becomes of it.
#[derive(Debug, Clone)]
pub struct Rule {
    /// The error.
    pub emit: Emit,
    /// Tags that report it, or why there are none.
    pub tags: Result<Vec<Tag>, String>,
}

/// What a package of validation functions says.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// In source order.
    pub rules: Vec<Rule>,
    /// What was not understood, in source order.
    pub unread: Vec<Unread>,
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
    let calls = std::mem::take(&mut walker.calls);
    let mut unread = std::mem::take(&mut walker.unread);
    let is_plain = |conditions: &Vec<Cond>| {
        let mut all = propose::flat(conditions).into_iter();
        all.all(|condition| matches!(condition, Cond::Set(_) | Cond::Length(_, "<=", _)))
    };
    let modes = emits.iter().filter_map(propose::required_mode).collect();
    let rules = emits.into_iter().map(|emit| {
        let own = calls.get(&emit.entry);
        let is_conditional = own.is_some_and(|calls| !calls.iter().any(is_plain));
        let tags = if is_conditional {
            Err(format!("`{}` is only called under conditions", emit.entry))
        } else {
            propose::propose(schema, &emit, &modes)
        };
        Rule { emit, tags }
    });
    let mut rules: Vec<Rule> = rules.collect();
    rules.sort_by_key(|rule| (rule.emit.file, rule.emit.line));
    unread.sort_by_key(|one| (one.file, one.line));
    Reading { rules, unread }
}
