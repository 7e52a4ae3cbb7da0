//! Tags about a list as a whole: `listType`, `listMapKey`, `unique`, `customUnique`.

use kindsmith_schema::{ListType, Str, TypeRef, UniqueKind};

use super::collected::{Metadata, Semantic};
use super::context::{Context, On};
use super::deferred::{Scope, Validations};
use super::{Body, Call, Lowerer, Matching};
use crate::Profile;

impl<'s> Lowerer<'s> {
    pub(super) fn list_type(&mut self, context: &Context, list_type: ListType) -> Validations<'s> {
        let list = self.list(context);
        list.level = context.level;
        list.owned = true;
        list.semantic = Some(match list_type {
            ListType::Atomic => list.semantic.unwrap_or(Semantic::Atomic),
            ListType::Set => Semantic::Set,
            ListType::Map => Semantic::Map,
        });
        self.uniqueness_later(context)
    }

    pub(super) fn unique(&mut self, context: &Context, kind: UniqueKind) -> Validations<'s> {
        let list = self.list(context);
        list.level = context.level;
        list.semantic = Some(match kind {
            UniqueKind::Set => Semantic::Set,
            UniqueKind::Map => Semantic::Map,
        });
        self.uniqueness_later(context)
    }

    pub(super) fn list_map_key(&mut self, context: &Context, name: &Str) -> Validations<'s> {
        let element = self.types.list_element(&context.ty);
        let key = element.and_then(|element| self.types.member(&element, name));
        if let Some((member, _)) = key {
            self.list(context).keys.push(member);
        }
        Validations::default()
    }

    pub(super) fn custom_unique(&mut self, context: &Context) -> Validations<'s> {
        self.list(context).custom_unique = true;
        Validations::default()
    }

    fn list(&mut self, context: &Context) -> &mut Metadata {
        self.lists.entry(context.path.clone()).or_default()
    }

    fn uniqueness_later(&self, context: &Context) -> Validations<'s> {
        let context = context.clone();
        Validations::later(Scope::This, move |lowerer| lowerer.uniqueness(&context))
    }

    fn uniqueness(&mut self, context: &Context) -> Validations<'s> {
        if self.types.list_element(&context.ty).is_none() {
            return Validations::default();
        }
        let of_type = (context.on == On::Field)
            .then(|| self.lists.get(&self.types.text(&context.ty)))
            .flatten();
        let Some(list) = of_type.or_else(|| self.lists.get(&context.path)).cloned() else {
            return Validations::default();
        };
        if !self.lists_done.insert(context.path.clone()) {
            return Validations::default();
        }
        if list.custom_unique {
            return Validations {
                comment: true,
                ..Validations::default()
            };
        }
        let matching = match list.matching(Profile::Upstream) {
            Matching::None => return Validations::default(),
            matching => matching,
        };
        let mut call = Call::new(Body::Unique(matching), context.rule);
        call.level = list.level;
        Validations::one(call)
    }

    /// How elements of the list at `path`, of type `ty`, find their old values.
    pub(super) fn matching(&self, path: &str, ty: &TypeRef) -> Matching {
        let list = self
            .lists
            .get(path)
            .or_else(|| self.lists.get(&self.types.text(ty)));
        match list {
            Some(list) => list.matching(self.profile),
            None => Metadata::default().matching(self.profile),
        }
    }
}
