//! CEL rules of objects that fail on their own defaults: the server checks each default alone, and accepts the CRD.

use kindsmith_cel::syntax::ast::{Expr, ExprId};
use kindsmith_cel::syntax::parse;
use kindsmith_cel::syntax::source::Source;
use kindsmith_cel::validation_rule::OLD_SELF;
use kindsmith_json::{Arena, Object, Value, to_string};
use kindsmith_object::About;
use kindsmith_openapi::crd;
use kindsmith_schema::{JsonSchema, ValidationRule};
use kindsmith_structural::{StructuralChange, StructuralSchema};

/// A rule that refuses an object of defaults.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Broken {
    /// The place of the rule, as in errors of the server.
    pub(super) path: String,
    /// The expression.
    pub(super) rule: String,
    /// The defaults that it sees.
    pub(super) defaults: String,
}

/// The broken rules of all versions.
pub(super) fn find(definition: &crd::Definition) -> Vec<Broken> {
    let mut found = Vec::new();
    for (index, version) in definition.spec.versions.iter().enumerate() {
        if let Some(schema) = version.open_api_v3_schema() {
            let path = format!("spec.versions[{index}].schema.openAPIV3Schema");
            visit(schema, &path, &mut found);
        }
    }
    found
}

fn visit(node: &JsonSchema, path: &str, found: &mut Vec<Broken>) {
    for (index, rule) in node.validations.iter().enumerate() {
        if let Some(defaults) = refused_defaults(node, rule) {
            found.push(Broken {
                path: format!("{path}.x-kubernetes-validations[{index}].rule"),
                rule: rule.rule.to_string(),
                defaults,
            });
        }
    }
    for (name, inner) in &node.properties {
        visit(inner, &format!("{path}.properties[{name}]"), found);
    }
    if let Some(inner) = node.item() {
        visit(inner, &format!("{path}.items"), found);
    }
    if let Some(inner) = node.additional() {
        visit(inner, &format!("{path}.additionalProperties"), found);
    }
}

/// The defaults of all fields that a rule names, if it refuses them.
fn refused_defaults(node: &JsonSchema, rule: &ValidationRule) -> Option<String> {
    let names = named_fields(&rule.rule)?;
    let has_default = |name: &String| node.property(name).is_some_and(|field| field.default.is_some());
    if names.is_empty() || !names.iter().all(has_default) {
        return None;
    }
    let alone = JsonSchema {
        required: Vec::new().into(),
        validations: vec![rule.clone()].into(),
        properties: node
            .properties
            .iter()
            .filter(|(name, _)| names.iter().any(|named| **named == **name))
            .cloned()
            .collect(),
        ..JsonSchema::clone(node)
    };
    let compiled = StructuralSchema::compile_part(&alone).ok()?;
    let arena = Arena::new();
    let object = compiled.default(&arena, Value::Object(Object::EMPTY));
    let verdict = compiled.validate(&StructuralChange::create(object));
    // A rule that cannot be evaluated, such as on a type that was not found, is another mistake.
    let broken = About::Rule { index: 0, depth: 0 };
    let is_refused = verdict.errors.iter().any(|error| error.about == Some(broken));
    is_refused.then(|| to_string(object))
}

/// The fields of `self` that an expression names; `None` if it uses `self` as a whole, or the old object.
fn named_fields(text: &str) -> Option<Vec<String>> {
    let ast = parse(&Source::new(text)).ok()?;
    let ids = || (0..ast.len() as u32).map(ExprId);
    let is_ident = |id: ExprId, wanted: &str| matches!(ast.get(id), Expr::Ident(name) if **name == *wanted);
    if ids().any(|id| is_ident(id, OLD_SELF)) {
        return None;
    }
    let mut names: Vec<String> = Vec::new();
    let mut selected = 0;
    for id in ids() {
        if let Expr::Select { operand, field, .. } = ast.get(id)
            && is_ident(*operand, "self")
        {
            selected += 1;
            names.push(field.to_string());
        }
    }
    let is_whole = ids().filter(|id| is_ident(*id, "self")).count() > selected;
    names.sort_unstable();
    names.dedup();
    (!is_whole).then_some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_named_one_by_one() {
        let named = |text: &str| named_fields(text).map(|names| names.join(" "));
        assert_eq!(named("self.a < self.b"), Some("a b".to_owned()));
        assert_eq!(named("has(self.a) && self.a.b > 1"), Some("a".to_owned()));
        assert_eq!(named("size(self) > 1"), None);
        assert_eq!(named("self.a == oldSelf.a"), None);
        assert_eq!(named("self.a +"), None);
    }
}
