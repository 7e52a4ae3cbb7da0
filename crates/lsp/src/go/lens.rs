//! Lenses above fields and types: the CEL rules that they become in a CRD, with their estimated cost.

use std::collections::HashSet;

use kindsmith::cel::Scope;
use kindsmith_cel::cost::limit::STATIC_PER_EXPRESSION;
use kindsmith_schema::{JsonSchema, Owner, Schema, TypeId, TypeRef, ValidationRule};
use lsp_types::{CodeLens, Command};

use super::Package;
use super::resolve::{behind, fields};
use crate::documents::Document;

/// How deep types may contain each other.
const MAX_DEPTH: usize = 24;

/// The lenses of a file.
pub(crate) fn lenses(package: &Package, path: &str, document: &Document) -> Vec<CodeLens> {
    let Some(file) = package.file(path) else {
        return Vec::new();
    };
    let schema = &package.read.schema;
    let mut found = Found::default();
    for kind in schema.kinds() {
        let published = package.published(kind.ty);
        let walk = Walk {
            schema,
            root: &published,
        };
        walk.node(
            Owner::Type(kind.ty),
            &TypeRef::Named(kind.ty),
            &published,
            "",
            0,
            &mut found,
        );
    }
    let lenses = found.rules.into_iter().filter_map(|(owner, title)| {
        let span = package.name_span(owner).filter(|span| span.file == file)?;
        Some(CodeLens {
            range: document.text.range(span.start as usize..span.end as usize),
            command: Some(Command {
                title,
                // Shown, not run.
                command: String::new(),
                arguments: None,
            }),
            data: None,
        })
    });
    lenses.collect()
}

/// Rules in the order found; a type that is used twice shows the first place.
#[derive(Default)]
struct Found {
    rules: Vec<(Owner, String)>,
    seen: HashSet<(Owner, String)>,
    types: HashSet<(TypeId, usize)>,
}

struct Walk<'s> {
    schema: &'s Schema,
    root: &'s JsonSchema,
}

impl Walk<'_> {
    fn node(
        &self,
        owner: Owner,
        ty: &TypeRef,
        published: &JsonSchema,
        pointer: &str,
        depth: usize,
        found: &mut Found,
    ) {
        for rule in &published.validations {
            if found.seen.insert((owner, rule.rule.to_string())) {
                let title = self.title(rule, pointer);
                found.rules.push((owner, title));
            }
        }
        if depth > MAX_DEPTH {
            return;
        }
        if let Some(item) = published.item() {
            return self.node(owner, ty, item, &format!("{pointer}/items"), depth + 1, found);
        }
        if let Some(value) = published.additional() {
            return self.node(
                owner,
                ty,
                value,
                &format!("{pointer}/additionalProperties"),
                depth + 1,
                found,
            );
        }
        let Some(holder) = behind(self.schema, ty) else {
            return;
        };
        // A type that is reached again at the same depth has nothing new to show.
        if !found.types.insert((holder, depth)) {
            return;
        }
        for id in fields(self.schema, holder) {
            let field = self.schema.field(id);
            let Some(name) = field.json_name() else {
                continue;
            };
            if let Some(below) = published.property(name) {
                let name = name.replace('~', "~0").replace('/', "~1");
                let pointer = format!("{pointer}/properties/{name}");
                self.node(Owner::Field(id), &field.ty, below, &pointer, depth + 1, found);
            }
        }
    }

    fn title(&self, rule: &ValidationRule, pointer: &str) -> String {
        let cost = match self.cost(rule, pointer) {
            Some(cost) if cost > STATIC_PER_EXPRESSION => {
                format!("cost {cost}, over the limit of {STATIC_PER_EXPRESSION}")
            }
            Some(cost) => format!("cost {cost} of {STATIC_PER_EXPRESSION}"),
            None => "not valid".to_owned(),
        };
        format!("CEL: {} ({cost})", rule.rule)
    }

    /// The estimated cost of a rule for all values at its place.
    fn cost(&self, rule: &ValidationRule, pointer: &str) -> Option<u64> {
        let scope = Scope::new(self.root, pointer).ok()?;
        scope.cost(&rule.rule, rule.optional_old_self == Some(true)).ok()
    }
}
