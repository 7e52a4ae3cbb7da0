//! Which types fit together, by unification.
//!
//! Type variables form classes, kept as a union-find forest. A class is free or bound to a type, and its binding only
//! ever becomes more general. The rules follow the CEL language definition:
//!
//! - a free variable fits everything that does not contain it, and is bound to it;
//! - `dyn`, `any` and the error type fit everything;
//! - `null` fits wrappers, objects, durations, timestamps and opaque types;
//! - a wrapper fits what its inner type fits;
//! - all types of types fit each other;
//! - any other two types fit if their constructors are equal and their parameters fit pair by pair.
//!
//! Knows no expressions.

use super::Type;

/// The state of one variable.
#[derive(Clone, Debug)]
enum Slot {
    Free,
    /// In the class of another variable.
    Alias(u32),
    Bound(Type),
}

/// The type variables of one expression and what is known about them.
#[derive(Debug, Default)]
pub struct Unifier {
    slots: Vec<Slot>,
    /// Overwritten slots, restored when an attempt fails.
    undo: Vec<(u32, Slot)>,
}

impl Unifier {
    /// Makes free variables; returns the number of the first.
    pub fn fresh(&mut self, count: u32) -> u32 {
        let first = self.slots.len();
        self.slots.resize(first + count as usize, Slot::Free);
        first as u32
    }

    /// Whether two types fit; binds variables only if they do.
    pub fn fit(&mut self, a: &Type, b: &Type) -> bool {
        self.fit_all(std::slice::from_ref(a), std::slice::from_ref(b))
    }

    /// Whether the types fit pair by pair; binds variables only if all do.
    pub(crate) fn fit_all(&mut self, a: &[Type], b: &[Type]) -> bool {
        let fits = a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.unify(a, b));
        if fits {
            self.undo.clear();
        }
        while let Some((id, slot)) = self.undo.pop() {
            self.slots[id as usize] = slot;
        }
        fits
    }

    /// The type with bound variables replaced.
    pub fn resolve(&self, ty: &Type) -> Type {
        if !ty.has_variables() {
            return ty.clone();
        }
        ty.replace_variables(&|id| {
            let root = self.root(id);
            self.bound(root)
                .map_or(Type::Var(root), |bound| self.resolve(bound))
        })
    }

    /// The type with all variables replaced: free ones by `dyn`.
    pub fn settle(&self, ty: &Type) -> Type {
        if !ty.has_variables() {
            return ty.clone();
        }
        self.resolve(ty).replace_variables(&|_| Type::Dyn)
    }

    /// The representative of a variable's class.
    fn root(&self, mut id: u32) -> u32 {
        while let Some(Slot::Alias(next)) = self.slots.get(id as usize) {
            id = *next;
        }
        id
    }

    fn class(&self, ty: &Type) -> Option<u32> {
        match ty {
            Type::Var(id) => Some(self.root(*id)),
            _ => None,
        }
    }

    fn bound(&self, root: u32) -> Option<&Type> {
        match self.slots.get(root as usize) {
            Some(Slot::Bound(ty)) => Some(ty),
            _ => None,
        }
    }

    fn set(&mut self, root: u32, slot: Slot) {
        if let Some(old) = self.slots.get_mut(root as usize) {
            self.undo.push((root, std::mem::replace(old, slot)));
        }
    }

    fn unify(&mut self, a: &Type, b: &Type) -> bool {
        match (self.class(a), self.class(b)) {
            (Some(a), Some(b)) => self.merge(a, b),
            (Some(class), None) => self.bind(class, b),
            (None, Some(class)) => self.bind(class, a),
            (None, None) => self.unify_constructors(a, b),
        }
    }

    fn unify_constructors(&mut self, a: &Type, b: &Type) -> bool {
        if a.is_dyn_or_error() || b.is_dyn_or_error() {
            return true;
        }
        match (a, b) {
            (Type::Null, other) | (other, Type::Null) => takes_null(other),
            (Type::Type(_), Type::Type(_)) => true,
            _ => a.same_constructor(b) && a.all_parameters(b, |a, b| self.unify(a, b)),
        }
    }

    /// Merges two classes; the second joins the first and takes its name.
    fn merge(&mut self, first: u32, second: u32) -> bool {
        if first == second {
            return true;
        }
        let fits = match (self.bound(first).cloned(), self.bound(second).cloned()) {
            (None, None) => true,
            (Some(ty), None) => !self.occurs(second, &ty),
            (_, Some(ty)) => self.bind(first, &ty),
        };
        let (first, second) = (self.root(first), self.root(second));
        if fits && first != second {
            self.set(second, Slot::Alias(first));
        }
        fits
    }

    /// Binds a class to a type, or widens its binding.
    fn bind(&mut self, class: u32, ty: &Type) -> bool {
        let Some(bound) = self.bound(class).cloned() else {
            let finite = !self.occurs(class, ty);
            if finite {
                self.set(class, Slot::Bound(ty.clone()));
            }
            return finite;
        };
        if ty.is_exact(&bound) {
            return true;
        }
        let fits = self.unify(ty, &bound);
        if fits && ty.covers(&bound) && !self.occurs(class, ty) {
            self.set(class, Slot::Bound(ty.clone()));
        }
        fits
    }

    /// Whether a class occurs in a type, so that binding one to the other would make it infinite.
    fn occurs(&self, class: u32, ty: &Type) -> bool {
        let Some(inner) = self.class(ty) else {
            return ty.parameters().iter().any(|ty| self.occurs(class, ty));
        };
        inner == self.root(class) || self.bound(inner).is_some_and(|ty| self.occurs(class, ty))
    }
}

fn takes_null(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Null | Type::Wrapper(_) | Type::Opaque(..) | Type::Object(_) | Type::Duration | Type::Timestamp
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(a: Type, b: Type) -> Type {
        Type::map(a, b)
    }

    #[test]
    fn bindings_only_become_more_general() {
        let mut unifier = Unifier::default();
        let var = Type::Var(unifier.fresh(1));
        for ty in [Type::Int, Type::Dyn, Type::String] {
            assert!(unifier.fit(&ty, &var));
        }
        assert_eq!(unifier.resolve(&var), Type::Dyn);
    }

    #[test]
    fn a_failed_attempt_leaves_no_trace() {
        let mut unifier = Unifier::default();
        let first = unifier.fresh(2);
        let (a, b) = (Type::Var(first), Type::Var(first + 1));
        assert!(!unifier.fit(
            &pair(a.clone(), Type::list(b.clone())),
            &pair(Type::Int, Type::String)
        ));
        assert_eq!(unifier.resolve(&a), a);
        assert!(unifier.fit(&a, &Type::Bool));
        assert_eq!(unifier.settle(&pair(a, b)), pair(Type::Bool, Type::Dyn));
    }

    #[test]
    fn no_type_contains_itself() {
        let mut unifier = Unifier::default();
        let first = unifier.fresh(2);
        let (a, b) = (Type::Var(first), Type::Var(first + 1));
        assert!(!unifier.fit(&a, &Type::list(a.clone())));
        assert!(unifier.fit(&a, &Type::list(b.clone())));
        assert!(!unifier.fit(&b, &a));
    }

    #[test]
    fn a_class_keeps_the_name_of_its_first_variable() {
        let mut unifier = Unifier::default();
        let first = unifier.fresh(2);
        let (a, b) = (Type::Var(first), Type::Var(first + 1));
        assert!(unifier.fit(&a, &b));
        assert_eq!(unifier.resolve(&b), a);
        assert!(unifier.fit(&b, &Type::Int));
        assert_eq!(unifier.resolve(&a), Type::Int);
    }

    #[test]
    fn null_fits_nullable_types() {
        let mut unifier = Unifier::default();
        let wrapper = Type::Wrapper(std::sync::Arc::new(Type::Int));
        assert!(unifier.fit(&wrapper, &Type::Null));
        assert!(unifier.fit(&Type::Null, &Type::Timestamp));
        assert!(!unifier.fit(&Type::Null, &Type::Int));
        assert!(unifier.fit(&wrapper, &Type::Int));
    }
}
