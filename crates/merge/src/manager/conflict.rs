//! Conflicts: fields that others own and an applied configuration would change, as the API server reports them
//! (apimachinery `conflict.go`).

use std::fmt;

use kindsmith_gostd::quote::quote;
use kindsmith_json::Arena;

use crate::managed::{ManagedEntry, Operation};
use crate::set::FieldSet;

/// A field that another manager owns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// Who owns it, as in messages: `"name" with subresource "status" using v1`.
    pub manager: String,
    /// The field, as `.spec.replicas`.
    pub path: String,
}

/// All conflicts of an apply, by manager; never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflicts(pub Vec<Conflict>);

impl Conflict {
    /// The message of the status cause, whose reason is `FieldManagerConflict` and whose field is the path.
    #[must_use]
    pub fn cause(&self) -> String {
        format!("conflict with {}", self.manager)
    }
}

/// The message of the status.
impl fmt::Display for Conflicts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [only] = &self.0[..] {
            return write!(
                out,
                "Apply failed with 1 conflict: {}: {}",
                only.cause(),
                only.path
            );
        }
        write!(out, "Apply failed with {} conflicts: ", self.0.len())?;
        for (position, group) in self
            .0
            .chunk_by(|one, other| one.manager == other.manager)
            .enumerate()
        {
            let line = if position > 0 { "\n" } else { "" };
            write!(out, "{line}conflicts with {}:", group[0].manager)?;
            group
                .iter()
                .try_for_each(|conflict| write!(out, "\n- {}", conflict.path))?;
        }
        Ok(())
    }
}

/// Conflicts as entries: the manager, and the fields in conflict.
#[derive(Debug, Clone)]
pub(super) struct ConflictSets<'a>(pub(super) Vec<ManagedEntry<'a>>);

impl<'a> ConflictSets<'a> {
    /// The conflicts without the fields that may be taken; `None` if all may.
    pub(super) fn without(self, arena: &'a Arena, allowed: FieldSet<'a>) -> Option<Self> {
        let mut left = self.0;
        left.retain_mut(|entry| {
            entry.fields = entry.fields.difference(arena, allowed);
            !entry.fields.is_empty()
        });
        (!left.is_empty()).then_some(ConflictSets(left))
    }

    pub(super) fn report(mut self) -> Conflicts {
        self.0.sort_by_cached_key(ManagedEntry::identity);
        let mut conflicts = Vec::new();
        for entry in &self.0 {
            let manager = printed(entry);
            let paths = entry.fields.path_texts().into_iter();
            conflicts.extend(paths.map(|path| Conflict {
                manager: manager.clone(),
                path,
            }));
        }
        Conflicts(conflicts)
    }
}

fn printed(entry: &ManagedEntry<'_>) -> String {
    let mut text = quote(entry.manager);
    if !entry.subresource.is_empty() {
        text.push_str(&format!(" with subresource {}", quote(entry.subresource)));
    }
    if entry.operation == Operation::Update {
        text.push_str(&format!(" using {}", entry.api_version));
    }
    text
}
