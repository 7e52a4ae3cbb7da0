//! Collects the types that an API is made of.

use std::collections::BTreeMap;

use crate::{Declaration, GoType};

/// The types of one version of an API: those that its kinds lead to.
#[derive(Debug, Clone, Default)]
pub struct Types {
    /// Names here by full names in Rust, which no two types share.
    names: BTreeMap<String, String>,
    declarations: BTreeMap<String, Option<Declaration>>,
}

impl Types {
    /// The use of a type that is declared once. `rust_name` is its full name; two types with the same short `name` are
    /// numbered.
    pub fn declare(
        &mut self,
        rust_name: &str,
        name: &str,
        describe: impl FnOnce(&mut Self) -> Declaration,
    ) -> GoType {
        if let Some(known) = self.names.get(rust_name) {
            return GoType::Named(known.clone().into());
        }
        let name = self.free_name(name);
        self.names.insert(rust_name.to_owned(), name.clone());
        // The name is taken before the members are described: they may lead back here.
        self.declarations.insert(name.clone(), None);
        let declaration = describe(self);
        self.declarations.insert(name.clone(), Some(declaration));
        GoType::Named(name.into())
    }

    /// The declared types, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Declaration)> {
        self.declarations
            .iter()
            .filter_map(|(name, declaration)| Some((name.as_str(), declaration.as_ref()?)))
    }

    /// The type with this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Declaration> {
        self.declarations.get(name)?.as_ref()
    }

    fn free_name(&self, name: &str) -> String {
        let mut candidates =
            std::iter::once(name.to_owned()).chain((2..).map(|count| format!("{name}{count}")));
        candidates
            .find(|candidate| !self.declarations.contains_key(candidate))
            .expect("there are more numbers than types")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Body;

    fn named(name: &'static str) -> GoType {
        GoType::Named(name.into())
    }

    #[test]
    fn a_type_is_declared_once_and_may_lead_back_to_itself() {
        let mut types = Types::default();
        let tree = types.declare("a::Tree", "Tree", |types| {
            let again = types.declare("a::Tree", "Tree", |_| unreachable!("it is known"));
            Declaration::new(Body::Wrapper(again.list()))
        });
        assert_eq!(tree, named("Tree"));
        assert_eq!(types.iter().count(), 1);
    }

    #[test]
    fn types_of_the_same_name_are_numbered() {
        let mut types = Types::default();
        let scalar = |_: &mut Types| Declaration::new(Body::Wrapper(GoType::Scalar("string")));
        assert_eq!(types.declare("a::Name", "Name", scalar), named("Name"));
        assert_eq!(types.declare("b::Name", "Name", scalar), named("Name2"));
        assert_eq!(types.declare("a::Name", "Name", scalar), named("Name"));
    }
}
