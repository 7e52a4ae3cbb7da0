//! The registration of a package's functions with a scheme.

use kindsmith_schema::{TypeId, TypeRef};

use super::super::text::{Code, quote};
use super::{CONTEXT, ERRORS, OPERATION, Writer};

/// The default registry.
const SCHEME: &str = "k8s.io/apimachinery/pkg/runtime.Scheme";

impl Writer<'_> {
    /// `init` and `RegisterValidations`, if there is anything to register.
    pub(super) fn registration(&mut self) -> Vec<String> {
        let registry = self.target.package.options.scheme_registry.as_deref();
        let registry = registry.unwrap_or(SCHEME);
        let roots = self.target.roots.iter().copied();
        let roots: Vec<TypeId> = roots.filter(|id| self.has_validations(*id)).collect();
        if registry == "nil" || roots.is_empty() {
            return Vec::new();
        }
        let scheme = match registry.rsplit_once('.') {
            Some((package, name)) if package != &*self.target.package.path => {
                self.names.imports.of(package, name)
            }
            Some((_, name)) => name.to_owned(),
            None => registry.to_owned(),
        };
        let mut code = Code::default();
        code.line("// RegisterValidations adds the validation functions of this package to a scheme.");
        code.open(&format!("func RegisterValidations(scheme *{scheme}) error {{"));
        for root in roots {
            self.register(root, &mut code);
        }
        code.line("return nil");
        code.close("}");
        vec![
            "func init() { localSchemeBuilder.Register(RegisterValidations) }".to_owned(),
            code.finish(),
        ]
    }

    fn register(&mut self, root: TypeId, code: &mut Code) {
        let ty = self.names.nilable(&TypeRef::Named(root));
        let context = self.names.imports.of(CONTEXT, "Context");
        let operation = self.names.imports.of(OPERATION, "Operation");
        let errors = self.error_list();
        code.open(&format!(
            "scheme.AddValidationFunc(({ty})(nil), func(ctx {context}, op {operation}, obj, oldObj any) {errors} {{"
        ));
        let paths = self.subresources(root);
        let others: Vec<String> = paths
            .iter()
            .map(|path| format!("path != {}", quote(path)))
            .collect();
        code.open(&format!(
            "if path := op.Request.SubresourcePath(); {} {{",
            others.join(" && ")
        ));
        let internal = self.names.imports.of(ERRORS, "InternalError");
        let errorf = self.names.imports.of("fmt", "Errorf");
        code.line(&format!(
            "return {errors}{{{internal}(nil, {errorf}(\"no validation found for %T, subresource: %v\", obj, path))}}"
        ));
        code.close("}");
        let (function, cast) = (self.function_name(root), self.safe("Cast"));
        code.line(&format!(
            "return {function}(ctx, op, nil, obj.({ty}), {cast}[{ty}](oldObj))"
        ));
        code.close("})");
    }

    /// The request paths for which a root is validated.
    fn subresources(&self, root: TypeId) -> Vec<String> {
        let options = &self.schema().ty(root).options;
        let own = options.is_subresource.as_deref().unwrap_or("/");
        let mut paths: Vec<String> = options
            .supports_subresources
            .iter()
            .map(ToString::to_string)
            .collect();
        paths.push(own.to_owned());
        paths.sort();
        paths.dedup();
        paths
    }
}
