//! Checks the facts about a list when all its tags are read.

use super::at::At;
use super::context::Cx;
use super::lists::ListMeta;
use super::misuse::Misuse;
use crate::go_type;
use crate::tag::Scope;

impl<'a> Cx<'a> {
    /// The facts about the list here: from the field, otherwise from its type.
    pub(crate) fn list_meta(&self, at: &At<'a>) -> Option<&ListMeta<'a>> {
        let of_type = || self.lists.get(&go_type::text(self.view, at.ty?));
        self.lists
            .get(&at.path)
            .or_else(|| (at.scope == Scope::Field).then(of_type)?)
    }

    /// Checks the facts about a list when all its tags are read.
    pub(crate) fn check_list(&mut self, at: &At<'a>) {
        if !self.lists.is_first_check(&at.path) {
            return;
        }
        let on_type = match at.ty {
            Some(ty) if at.scope == Scope::Field => self.lists.get(&go_type::text(self.view, ty)).is_some(),
            _ => false,
        };
        let Some(meta) = self.lists.get(&at.path) else {
            return;
        };
        let misuse = if on_type {
            let text = format!("found list metadata for both a field and its type: {}", at.path);
            Some(Misuse::new(text).help("say it on the type or on the field, not on both"))
        } else {
            meta.check()
        };
        if let Some(misuse) = misuse {
            self.report_deferred(at, misuse);
        }
    }
}
