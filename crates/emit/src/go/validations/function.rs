//! The function of a named type.

use kindsmith_checks::{Call, LoweredType};
use kindsmith_schema::{GoKind, TypeId, TypeRef};

use super::super::text::Code;
use super::{At, OPERATION, Writer};

impl Writer<'_> {
    /// `Validate_T`, and the functions of its fields after it.
    pub(super) fn function(&mut self, id: TypeId) -> Vec<String> {
        let Some(lowered) = self.lowered.get(&id) else {
            return Vec::new();
        };
        let ty = TypeRef::Named(id);
        let name = self.schema().ty(id).name.name.clone();
        self.subject = name.to_string();
        let function = self.function_name(id);
        let parameter = self.names.nilable(&ty);
        let errors = self.error_list();
        let head = self.head(&format!(" {function}"), &parameter, &format!("(errs {errors})"));
        let mut code = Code::default();
        code.line(&format!(
            "// {function} checks a {name} against the rules of its declaration."
        ));
        code.open(&format!("{head} {{"));
        let at = At::parameters(&ty);
        self.program(&lowered.calls, &at, &mut code);
        self.iteration(lowered.keys.as_ref(), &at, &mut code);
        self.iteration(lowered.values.as_ref(), &at, &mut code);
        let fields = if lowered.opaque {
            Vec::new()
        } else {
            self.fields(&ty, lowered, &mut code)
        };
        code.line("return errs");
        code.close("}");
        let mut declarations = vec![code.finish()];
        declarations.extend(fields);
        declarations
    }

    /// Calls for every field with checks, and the functions that they call.
    fn fields(&mut self, ty: &TypeRef, lowered: &LoweredType, code: &mut Code) -> Vec<String> {
        if self.types().kind(ty) != GoKind::Struct {
            return Vec::new();
        }
        let Some((_, fields)) = self.types().members(ty) else {
            return Vec::new();
        };
        let mut declarations = Vec::new();
        let mut calls = Vec::new();
        for (field, lowered) in fields.iter().zip(&lowered.fields) {
            if let Some((call, declaration)) = self.field(ty, field, lowered) {
                calls.push(call);
                declarations.extend(declaration);
            }
        }
        if calls.is_empty() {
            return declarations;
        }
        code.blank();
        code.line("// Fields that an update does not change are skipped.");
        let update = self.names.imports.of(OPERATION, "Update");
        code.line(&format!("fresh := op.Type != {update} || oldObj == nil"));
        for call in calls {
            code.blank();
            code.line(&call);
        }
        declarations
    }

    /// Calls another type's function for every key or element, if it does anything.
    pub(super) fn iteration(&mut self, call: Option<&Call>, at: &At, code: &mut Code) {
        let Some(call) = call else { return };
        if !super::each::iterated(call).is_some_and(|ty| self.has_validations(ty)) {
            return;
        }
        if let Some(expression) = self.call(call, at) {
            code.line(&format!("errs = append(errs, {expression}...)"));
        }
    }
}
