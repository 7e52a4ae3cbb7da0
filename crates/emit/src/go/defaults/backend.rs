//! What the tree of defaults asks of generated Go: which functions exist, and which defaults do something.

use kindsmith_checks::{Calls, DefaultBackend, DefaultedPlace, Types};
use kindsmith_schema::{Default, TypeRef};

use super::super::Problem;
use super::functions::{Callee, Functions};
use super::value;

/// Generated Go, as the tree sees it.
pub(super) struct Go<'t, 's> {
    types: Types<'s>,
    functions: &'t Functions<'s>,
    pub(super) problems: Vec<Problem>,
}

impl<'t, 's> Go<'t, 's> {
    pub(super) fn new(types: Types<'s>, functions: &'t Functions<'s>) -> Self {
        Self {
            types,
            functions,
            problems: Vec::new(),
        }
    }

    /// A default that the generated code would never apply is left out, and reported.
    fn never_applies(&mut self, holder: &TypeRef, field: &str) {
        if let TypeRef::Named(id) = holder {
            self.problems.push(Problem {
                ty: self.types.schema.ty(*id).name.clone(),
                message: format!("the default of {field} never applies: a value of its type is always set"),
            });
        }
    }
}

impl DefaultBackend for Go<'_, '_> {
    type Call = Callee;

    fn calls(&self, ty: &TypeRef) -> Calls<Callee> {
        let calls = match ty {
            TypeRef::Named(id) => self
                .functions
                .object(*id)
                .map_or_else(|| self.functions.base(*id), |object| vec![object]),
            TypeRef::Scalar(scalar) => self.functions.builtin(*scalar),
            _ => Vec::new(),
        };
        let covers = calls.iter().any(|callee| callee.covers);
        Calls { calls, covers }
    }

    fn applies(&mut self, at: DefaultedPlace<'_>, default: &Default) -> bool {
        let ty = match at {
            // Code for all types at once cannot set a value of one of them.
            DefaultedPlace::Field { field, .. } if field.type_parameter => return false,
            DefaultedPlace::Field { field, .. } => &field.ty,
            DefaultedPlace::Element(ty) => ty,
        };
        if !value::applies(self.types, ty, default) {
            return false;
        }
        let can_be_unset = value::can_be_unset(self.types, ty);
        if let DefaultedPlace::Field { holder, field } = at
            && !can_be_unset
        {
            self.never_applies(holder, &field.name);
        }
        can_be_unset
    }
}
