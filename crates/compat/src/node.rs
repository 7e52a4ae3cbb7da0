//! A node of two schemas at the same place, and when the server checks its values again on an update.

use kindsmith_schema::JsonSchema;

use crate::change::Class;
use crate::closed;

/// One place in two schemas.
#[derive(Debug, Clone)]
pub(crate) struct Node<'s> {
    /// The field; empty at the root.
    pub(crate) path: String,
    /// The old schema.
    pub(crate) old: &'s JsonSchema,
    /// The new schema.
    pub(crate) new: &'s JsonSchema,
    /// Whether the field was and is required.
    pub(crate) required: Both<bool>,
    recheck: Recheck,
}

/// A fact about the old and the new schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Both<T> {
    pub(crate) old: T,
    pub(crate) new: T,
}

/// When an update checks a value again.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Recheck {
    /// Always: the object as a whole never counts as unchanged.
    Always,
    /// When it changed itself.
    Itself,
    /// When anything in this list changed: its items have no keys to tell them apart.
    WithList(String),
}

impl<'s> Node<'s> {
    /// The schemas of whole objects.
    pub(crate) fn root(old: &'s JsonSchema, new: &'s JsonSchema) -> Self {
        Self {
            path: String::new(),
            old,
            new,
            required: Both {
                old: false,
                new: false,
            },
            recheck: Recheck::Always,
        }
    }

    /// Whether it is required as before.
    pub(crate) fn is_same_place(&self) -> bool {
        self.required.old == self.required.new
    }

    /// The path of a member.
    pub(crate) fn member(&self, name: &str) -> String {
        if self.path.is_empty() {
            name.to_owned()
        } else {
            format!("{}.{name}", self.path)
        }
    }

    /// The nodes below that both schemas have; none if the type changed.
    pub(crate) fn children(&self) -> Vec<Node<'s>> {
        if self.old.ty != self.new.ty {
            return Vec::new();
        }
        let mut children = Vec::new();
        for (name, old) in &self.old.properties {
            if let Some(new) = self.new.property(name) {
                let is_required = |schema: &JsonSchema| schema.required.iter().any(|member| member == name);
                children.push(Node {
                    path: self.member(name),
                    old,
                    new,
                    required: Both {
                        old: is_required(self.old),
                        new: is_required(self.new),
                    },
                    recheck: self.recheck_below(),
                });
            }
        }
        let item_recheck = match (&self.recheck, self.new.list_type.as_deref()) {
            (Recheck::WithList(_), _) | (_, Some("map")) => self.recheck_below(),
            _ => Recheck::WithList(self.path.clone()),
        };
        if let (Some(old), Some(new)) = (self.old.item(), self.new.item()) {
            children.push(self.element(old, new, item_recheck));
        }
        if let (Some(old), Some(new)) = (self.old.additional(), self.new.additional()) {
            children.push(self.element(old, new, self.recheck_below()));
        }
        children
    }

    fn element(&self, old: &'s JsonSchema, new: &'s JsonSchema, recheck: Recheck) -> Node<'s> {
        Node {
            path: format!("{}[*]", self.path),
            old,
            new,
            required: Both {
                old: false,
                new: false,
            },
            recheck,
        }
    }

    fn recheck_below(&self) -> Recheck {
        match &self.recheck {
            Recheck::WithList(list) => Recheck::WithList(list.clone()),
            Recheck::Always | Recheck::Itself => Recheck::Itself,
        }
    }

    /// Whether it has fields, items or map values, so that a change of one makes the whole count as changed: errors of a value are
    /// dropped only while all of it is equal (apiextensions-apiserver `schema/cel/validation.go`, `shouldRatchetError`).
    fn has_parts(&self) -> bool {
        let schema = self.new;
        !schema.properties.is_empty() || schema.item().is_some() || schema.additional().is_some()
    }

    /// The class of a new or stricter check of the value.
    pub(crate) fn tightened(&self) -> Class {
        match &self.recheck {
            Recheck::Itself if !self.has_parts() => Class::Ratchets,
            _ => Class::BreaksStored,
        }
    }

    /// Whether all old values are known and pass a check, so that a new check refuses nothing that was allowed.
    pub(crate) fn keeps_texts(&self, passes: impl Fn(&str) -> bool) -> bool {
        closed::texts(self.old).is_some_and(|texts| texts.iter().all(|text| passes(text)))
    }

    /// When a stored value that breaks a check is refused.
    pub(crate) fn stored(&self) -> String {
        match &self.recheck {
            Recheck::Always => "a stored object that breaks it is refused on every update".to_owned(),
            Recheck::WithList(list) => format!(
                "a stored value that breaks it is refused whenever `{list}` changes: its items have no keys to tell them apart"
            ),
            Recheck::Itself if self.has_parts() => format!(
                "a stored value that breaks it is refused whenever anything in `{}` changes",
                self.path
            ),
            Recheck::Itself => "a stored value that breaks it is kept while it does not change".to_owned(),
        }
    }

    /// The class of a new minimum of items or members, and when a stored value with fewer is refused. It has no parts that an
    /// update could change and leave the value too small, unless it gets more.
    pub(crate) fn must_grow(&self) -> (Class, String) {
        match &self.recheck {
            Recheck::Itself => (
                Class::Ratchets,
                "a stored value with fewer is kept while it does not change".to_owned(),
            ),
            _ => (self.tightened(), self.stored()),
        }
    }

    /// When a stored object without a required member is refused: the check belongs to the parent.
    pub(crate) fn stored_without_member(&self) -> String {
        match &self.recheck {
            Recheck::Always => "stored objects without it are refused on every update".to_owned(),
            Recheck::WithList(list) => {
                format!("stored objects without it are refused whenever `{list}` changes")
            }
            Recheck::Itself => format!(
                "stored objects without it are refused whenever anything in `{}` changes",
                self.path
            ),
        }
    }
}
