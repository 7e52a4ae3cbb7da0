//! Checks of a member that depend on a discriminator.

use kindsmith_checks::{Body, Call, Leaf, Mode};
use kindsmith_schema::{Scalar, TypeRef};

use super::super::text::{Code, deeper, literal, quote};
use super::call::mark;
use super::{At, Writer};

impl Writer<'_> {
    pub(super) fn mode(&mut self, mode: &Mode, at: &At) -> Option<String> {
        let (member, chooser) = (
            self.schema().field(mode.field),
            self.schema().field(mode.discriminator),
        );
        let ty = self.types().unalias(&member.ty);
        let holder = self.types().non_pointer(&at.ty);
        let holder = self.names.text(&holder);
        let chosen = self.names.text(&chooser.ty);
        let value = self.names.nilable(&ty);
        let getter = self.getter(&at.ty, &ty, &member.name);
        let choice = literal(
            &format!("func(o *{holder}) {chosen}"),
            &format!("return o.{}", chooser.name),
        );
        let forbidden = self.forbidden(mode, &ty, &value)?;
        let rule = self.validate("DiscriminatedRule");
        let is_bool = self.types().scalar(&chooser.ty) == Some(Scalar::Bool);
        let mut rules = Vec::new();
        for (text, calls) in &mode.rules {
            let text = if is_bool { text.to_string() } else { quote(text) };
            rules.push(deeper(&match self.mode_checks(calls, &ty, &value) {
                Some(checks) => format!("{{Value: {text}, Validation: {checks}}},"),
                None => format!("{{Value: {text}}},"),
            }));
        }
        let rules = format!("[]{rule}[{value}, {chosen}]{{\n{}\n}}", rules.join("\n"));
        let same = self.equality(&ty);
        let getter = format!("{}, {getter}", quote(&mode.name));
        Some(self.library("Discriminated", at, &[getter, choice, same, forbidden, rules]))
    }

    /// The check for modes without rules.
    fn forbidden(&mut self, mode: &Mode, ty: &TypeRef, value: &str) -> Option<String> {
        let call = Call::new(Body::Leaf(Leaf::Forbidden), None);
        let body = self.call(&call, &At::parameters(ty))? + mark(mode.forbidden_level);
        let errors = self.error_list();
        Some(literal(&self.head("", value, &errors), &format!("return {body}")))
    }

    fn mode_checks(&mut self, calls: &[Call], ty: &TypeRef, value: &str) -> Option<String> {
        let mut code = Code::default();
        self.in_order(calls, &At::parameters(ty), &mut code);
        let statements = code.finish();
        if statements.is_empty() {
            return None;
        }
        let errors = self.error_list();
        let head = self.head("", value, &format!("(errs {errors})"));
        Some(literal(&head, &format!("{statements}\nreturn errs")))
    }
}
