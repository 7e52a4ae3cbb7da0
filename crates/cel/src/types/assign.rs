//! Assignability with type variables (cel-go `checker/types.go`): unification with a trail to undo failed attempts.

use super::{Kind, Type};

/// What type variables stand for.
#[derive(Clone, Debug, Default)]
pub struct Mapping {
    bound: Vec<(u32, Type)>,
    /// Overwritten bindings, to restore them when an attempt fails.
    trail: Vec<(usize, Type)>,
}

/// A point to go back to.
struct Mark {
    bound: usize,
    trail: usize,
}

impl Mapping {
    fn find(&self, ty: &Type) -> Option<&Type> {
        let Type::Var(id) = ty else { return None };
        self.bound.iter().find(|(bound, _)| bound == id).map(|(_, to)| to)
    }

    fn add(&mut self, var: &Type, to: Type) {
        let Type::Var(id) = var else { return };
        match self.bound.iter().position(|(bound, _)| bound == id) {
            Some(at) => {
                let old = std::mem::replace(&mut self.bound[at].1, to);
                self.trail.push((at, old));
            }
            None => self.bound.push((*id, to)),
        }
    }

    fn mark(&self) -> Mark {
        Mark {
            bound: self.bound.len(),
            trail: self.trail.len(),
        }
    }

    fn undo(&mut self, mark: &Mark) {
        while self.trail.len() > mark.trail {
            if let Some((at, old)) = self.trail.pop() {
                self.bound[at].1 = old;
            }
        }
        self.bound.truncate(mark.bound);
    }

    /// Whether the types fit each other; binds variables if so.
    pub fn assignable(&mut self, a: &Type, b: &Type) -> bool {
        let mark = self.mark();
        let fits = self.fits(a, b);
        if !fits {
            self.undo(&mark);
        }
        fits
    }

    /// Whether the types fit pairwise; binds variables if so.
    pub fn all_assignable(&mut self, a: &[Type], b: &[Type]) -> bool {
        let mark = self.mark();
        let fits = a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.fits(a, b));
        if !fits {
            self.undo(&mark);
        }
        fits
    }

    fn fits(&mut self, a: &Type, b: &Type) -> bool {
        if b.kind() == Kind::Var {
            let (valid, had) = self.valid_substitution(a, b);
            if valid || had {
                return valid;
            }
        }
        if a.kind() == Kind::Var {
            return self.valid_substitution(b, a).0;
        }
        if a.is_dyn_or_error() || b.is_dyn_or_error() {
            return true;
        }
        if a.kind() == Kind::Null {
            return takes_null(b);
        }
        if b.kind() == Kind::Null {
            return takes_null(a);
        }
        match a.kind() {
            Kind::Type => b.kind() == Kind::Type,
            Kind::Opaque | Kind::List | Kind::Map => {
                let (mine, theirs) = (a.parameters(), b.parameters());
                a.kind() == b.kind()
                    && a.name() == b.name()
                    && mine.len() == theirs.len()
                    && mine.iter().zip(theirs).all(|(a, b)| self.fits(a, b))
            }
            _ => b.accepts(a),
        }
    }

    /// Whether `ty` may stand for the variable, and whether the variable was bound before.
    fn valid_substitution(&mut self, ty: &Type, var: &Type) -> (bool, bool) {
        if ty.is_exact(var) {
            return (true, true);
        }
        if let Some(bound) = self.find(var).cloned() {
            if ty.is_exact(&bound) {
                return (true, true);
            }
            if self.fits(ty, &bound) {
                let general = most_general(ty, &bound);
                if self.not_within(var, &general) {
                    self.add(var, general);
                }
                return (true, true);
            }
            return (false, true);
        }
        if self.not_within(var, ty) {
            self.add(var, ty.clone());
            return (true, false);
        }
        (false, false)
    }

    /// Whether the variable does not occur in `within`.
    fn not_within(&self, var: &Type, within: &Type) -> bool {
        if var.is_exact(within) {
            return false;
        }
        match within.kind() {
            Kind::Var => self.find(within).is_none_or(|bound| self.not_within(var, bound)),
            Kind::Opaque | Kind::List | Kind::Map | Kind::Type => {
                within.parameters().iter().all(|p| self.not_within(var, p))
            }
            _ => true,
        }
    }

    /// The type with its variables replaced; free ones become `dyn` if `free_to_dyn`.
    pub fn substitute(&self, ty: &Type, free_to_dyn: bool) -> Type {
        if let Some(bound) = self.find(ty) {
            return self.substitute(bound, free_to_dyn);
        }
        match ty {
            Type::Var(_) if free_to_dyn => Type::Dyn,
            Type::List(element) => Type::list(self.substitute(element, free_to_dyn)),
            Type::Map(pair) => Type::map(
                self.substitute(&pair.0, free_to_dyn),
                self.substitute(&pair.1, free_to_dyn),
            ),
            Type::Opaque(name, parameters) => Type::Opaque(
                name.clone(),
                parameters
                    .iter()
                    .map(|p| self.substitute(p, free_to_dyn))
                    .collect(),
            ),
            Type::Type(Some(inner)) => Type::type_of(self.substitute(inner, free_to_dyn)),
            other => other.clone(),
        }
    }
}

fn takes_null(ty: &Type) -> bool {
    matches!(
        ty.kind(),
        Kind::Opaque | Kind::Object | Kind::Any | Kind::Duration | Kind::Timestamp
    ) || ty.accepts(&Type::Null)
}

/// The less specific of two types that fit each other.
pub fn most_general(a: &Type, b: &Type) -> Type {
    if equal_or_less_specific(a, b) {
        a.clone()
    } else {
        b.clone()
    }
}

fn equal_or_less_specific(a: &Type, b: &Type) -> bool {
    if a.is_dyn() || a.kind() == Kind::Var {
        return true;
    }
    if b.is_dyn() || b.kind() == Kind::Var || a.kind() != b.kind() {
        return false;
    }
    match a.kind() {
        Kind::Opaque | Kind::List | Kind::Map => {
            let (mine, theirs) = (a.parameters(), b.parameters());
            a.name() == b.name()
                && mine.len() == theirs.len()
                && mine.iter().zip(theirs).all(|(a, b)| equal_or_less_specific(a, b))
        }
        Kind::Type => true,
        _ => a.is_exact(b),
    }
}
