//! The calls for one field of a struct.

use kindsmith_checks::{Body, Call, Leaf, LoweredField};
use kindsmith_schema::{Field, GoKind, Profile, TypeId, TypeRef};

use super::super::text::{Code, call, literal, quote};
use super::{At, ERRORS, Writer};

impl Writer<'_> {
    /// The statement that validates a field of `parent`, and the function that it calls if necessary. `None`
    /// if there is nothing to check.
    pub(super) fn field(
        &mut self,
        parent: &TypeRef,
        field: &Field,
        lowered: &LoweredField,
    ) -> Option<(String, Option<String>)> {
        let function = self.types().function_type(&field.ty).filter(|_| !lowered.opaque);
        let function = function.filter(|ty| self.has_validations(*ty));
        let calls = self.field_calls(field, lowered, function.is_some());
        let iterations: Vec<&Call> = [&lowered.keys, &lowered.values]
            .into_iter()
            .flatten()
            .filter(|call| super::each::iterated(call).is_some_and(|ty| self.has_validations(ty)))
            .collect();
        let (callee, declaration) = match function {
            Some(ty) if calls.is_empty() && iterations.is_empty() && !self.may_be_nil(field, &calls) => {
                (self.function_name(ty), None)
            }
            None if calls.is_empty() && iterations.is_empty() => return None,
            _ => {
                let (name, declaration) = self.field_function(field, &calls, lowered, function);
                (name, Some(declaration))
            }
        };
        Some((self.field_statement(parent, field, &callee), declaration))
    }

    /// The field's own calls. A list of pointers is first checked for nil if its field or its named type has
    /// checks (VG/validation.go, `emitValidationForChild`).
    fn field_calls(&self, field: &Field, lowered: &LoweredField, calls_type: bool) -> Vec<Call> {
        let is_named = self.types().kind(&field.ty) == GoKind::Alias;
        let element = self.types().list_element(&field.ty);
        let has_pointers = element.is_some_and(|element| self.types().is_pointer(&element));
        let mut calls = Vec::new();
        if has_pointers && (!lowered.calls.is_empty() || (is_named && calls_type)) {
            let mut no_nils = Call::new(Body::Leaf(Leaf::NoNils), None);
            no_nils.short_circuit = true;
            calls.push(no_nils);
        }
        calls.extend(lowered.calls.iter().cloned());
        calls
    }

    /// Whether the function of the field's type may get nil. Kubernetes wants a tag that says what a missing pointer means;
    /// by KEP-5073 a field may do without.
    fn may_be_nil(&self, field: &Field, calls: &[Call]) -> bool {
        let ends_nil = |call: &Call| {
            matches!(
                call.body,
                Body::Leaf(Leaf::Required | Leaf::Optional | Leaf::Forbidden)
            )
        };
        self.profile == Profile::Kep
            && self.types().is_pointer(&field.ty)
            && !calls.iter().any(|call| call.short_circuit && ends_nil(call))
    }

    fn field_function(
        &mut self,
        field: &Field,
        calls: &[Call],
        lowered: &LoweredField,
        function: Option<TypeId>,
    ) -> (String, String) {
        let subject = self.subject.clone();
        self.subject = format!("{subject}_{}", field.name);
        let name = self.unique(&format!("validate_{}", self.subject));
        let ty = self.types().unalias(&field.ty);
        let parameter = self.names.nilable(&ty);
        let errors = self.error_list();
        let head = self.head(&format!(" {name}"), &parameter, &format!("(errs {errors})"));
        let mut code = Code::default();
        code.line(&format!(
            "// {name} checks the field {} of a {subject}.",
            field.display_name()
        ));
        code.open(&format!("{head} {{"));
        let at = At::parameters(&ty);
        self.program(calls, &at, &mut code);
        if let Some(ty) = function {
            let callee = self.function_name(ty);
            let statement = format!("errs = append(errs, {callee}(ctx, op, fldPath, obj, oldObj)...)");
            if self.may_be_nil(field, calls) {
                code.open("if obj != nil {");
                code.line(&statement);
                code.close("}");
            } else {
                code.line(&statement);
            }
        }
        self.iteration(lowered.keys.as_ref(), &at, &mut code);
        self.iteration(lowered.values.as_ref(), &at, &mut code);
        code.line("return errs");
        code.close("}");
        self.subject = subject;
        (name, code.finish())
    }

    /// Calls `callee` unless the field is unchanged.
    fn field_statement(&mut self, parent: &TypeRef, field: &Field, callee: &str) -> String {
        let ty = self.types().unalias(&field.ty);
        let new = self.names.reference(&ty, &format!("obj.{}", field.name));
        let old = self.old_member(parent, field, &ty);
        let equal = self.equality(&ty);
        let path = self.field_path(field);
        let groups = ["ctx, op".to_owned(), path, new.clone(), "old".to_owned()];
        let checked = call(callee, &groups);
        let mut code = Code::default();
        code.line(&format!("// {}", field.name));
        code.open(&format!("if old := {old}; fresh || !{equal}({new}, old) {{"));
        code.line(&format!("errs = append(errs, {checked}...)"));
        code.close("}");
        code.finish()
    }

    /// The old value of the field, if there was one.
    fn old_member(&mut self, parent: &TypeRef, field: &Field, ty: &TypeRef) -> String {
        let getter = self.getter(parent, ty, &field.name);
        format!("{}(oldObj, {getter})", self.safe("Field"))
    }

    /// A function from a struct to one of its members, in the form of checks.
    pub(super) fn getter(&mut self, parent: &TypeRef, ty: &TypeRef, member: &str) -> String {
        let parent = self.types().non_pointer(parent);
        let (parent, result) = (self.names.text(&parent), self.names.nilable(ty));
        let value = self.names.reference(ty, &format!("o.{member}"));
        literal(&format!("func(o *{parent}) {result}"), &format!("return {value}"))
    }

    /// The field's path. A field without a name is reported at its parent or, at the root, under the name of
    /// its type.
    fn field_path(&mut self, field: &Field) -> String {
        if let Some(name) = field.json_name() {
            return format!("fldPath.Child({})", quote(name));
        }
        let ty = self.types().non_pointer(&field.ty);
        let (value, path) = (self.safe("Value"), self.names.imports.of(ERRORS, "Path"));
        let name = quote(&self.names.text(&ty));
        let fallback = literal(
            &format!("func() *{path}"),
            &format!("return fldPath.Child({name})"),
        );
        format!("{value}(fldPath, {fallback})")
    }
}
