//! The rules for every node of a schema, structural or not, and the walk that applies them
//! (`ValidateCustomResourceDefinitionOpenAPISchema`).
//!
//! Knows what a node inherits from its ancestors; [`super::expressions`] compiles the rules.

mod list_type;
mod map_type;
mod node;
mod validation_rules;

use kindsmith_json::Path;
use kindsmith_schema::{Dependency, Items, JsonSchema};
use kindsmith_structural::rules::RuleScope;

pub(super) use list_type::{has_bad_keys, has_non_atomic_items};
pub(super) use node::has_unknown_type;

use super::demands::{Demands, Refused};
use super::expressions::{self, Costs};
use super::faults::Faults;
use super::known::{Check, Known};

/// The errors in one schema; those of expressions come last.
pub(super) struct Findings {
    pub(super) schema: Faults,
    pub(super) expressions: Faults,
}

/// Validates a whole schema; expressions only if `costs` are given.
pub(super) fn check(
    schema: &JsonSchema,
    path: &Path<'_>,
    demands: &Demands,
    known: &Known,
    costs: Option<&mut Costs>,
) -> Findings {
    let scope = costs.is_some().then(|| RuleScope::root(schema, known.rules()));
    let mut unused = Costs::default();
    let mut walk = Walk {
        demands,
        known,
        rules: 0,
        costs: costs.unwrap_or(&mut unused),
        schema: Faults::default(),
        expressions: Faults::default(),
    };
    let inherited = Inherited {
        defaults: demands.defaults,
        resource_meta: false,
        uncorrelated: None,
        rules: scope.as_ref(),
        root: true,
    };
    walk.node(schema, path, &inherited);
    Findings {
        schema: walk.schema,
        expressions: walk.expressions,
    }
}

/// What a node inherits from its ancestors.
#[derive(Clone, Copy)]
struct Inherited<'p> {
    /// Why defaults are forbidden; `None` allows them.
    defaults: Option<Refused<'p>>,
    /// Inside `metadata`, `kind` or `apiVersion` of a resource.
    resource_meta: bool,
    /// The topmost ancestor whose old and new values cannot be correlated.
    uncorrelated: Option<&'p Path<'p>>,
    /// The scope for compiling rules; `None` below junctors.
    rules: Option<&'p RuleScope<'p>>,
    root: bool,
}

impl Inherited<'_> {
    /// Whether the ancestors affect only rules, so that other results can be cached.
    fn is_usual(&self) -> bool {
        !self.root && !self.resource_meta && self.defaults.is_none()
    }
}

struct Walk<'w> {
    demands: &'w Demands,
    known: &'w Known,
    /// How many nodes with rules were visited; such nodes are not cached, as the cost of rules depends on the path.
    rules: usize,
    costs: &'w mut Costs,
    schema: Faults,
    expressions: Faults,
}

impl Walk<'_> {
    fn node(&mut self, schema: &JsonSchema, path: &Path<'_>, inherited: &Inherited<'_>) {
        let before = self.schema.len();
        node::check(schema, path, inherited, self.demands, &mut self.schema);
        self.members(schema, path, inherited);
        self.junctors(schema, path, inherited);
        self.items(schema, path, inherited);
        self.dependencies(schema, path, inherited);
        node::preserve(schema, path, &mut self.schema);
        map_type::check(schema, path, &mut self.schema);
        list_type::check(schema, path, self.demands, &mut self.schema);
        validation_rules::check(schema, path, &mut self.schema);
        self.rules += usize::from(!schema.validations.is_empty());
        // A schema with errors may have no CEL type, so its rules are not compiled yet.
        if !schema.validations.is_empty()
            && self.schema.len() == before
            && let Some(scope) = inherited.rules
        {
            let place = expressions::Place {
                path,
                uncorrelated: inherited.uncorrelated,
                suppress_limit: self.demands.suppress_expression_cost,
            };
            expressions::check(schema, scope, &place, self.costs, &mut self.expressions);
        }
    }

    fn members(&mut self, schema: &JsonSchema, path: &Path<'_>, inherited: &Inherited<'_>) {
        if let Some(values) = schema.additional() {
            let scope = inherited.rules.map(|scope| scope.element(values));
            let below = Inherited {
                // Such a default could only be pruned together with the object it applies to.
                defaults: if inherited.resource_meta {
                    Some(Refused::MetadataMap)
                } else {
                    inherited.defaults
                },
                rules: scope.as_ref(),
                root: false,
                ..*inherited
            };
            self.node(values, &path.child("additionalProperties"), &below);
        }
        if !inherited.is_usual() || schema.embedded_resource {
            return self.properties(schema, path, inherited);
        }
        let known = self.known;
        known.once(Check::Keywords, &schema.properties, || {
            let before = (self.schema.len(), self.rules);
            self.properties(schema, path, inherited);
            (self.schema.len(), self.rules) == before
        });
    }

    fn properties(&mut self, schema: &JsonSchema, path: &Path<'_>, inherited: &Inherited<'_>) {
        let properties = path.child("properties");
        for (name, property) in &schema.properties {
            let scope = inherited.rules.map(|scope| scope.property(name, property));
            let below = Inherited {
                rules: scope.as_ref(),
                ..member(schema, path, inherited, name)
            };
            self.node(property, &properties.key(name), &below);
        }
    }

    fn junctors(&mut self, schema: &JsonSchema, path: &Path<'_>, inherited: &Inherited<'_>) {
        let below = Inherited {
            rules: None,
            root: false,
            ..*inherited
        };
        if let Some(not) = &schema.not {
            self.node(not, &path.child("not"), &below);
        }
        let lists = [
            ("allOf", &schema.all_of),
            ("oneOf", &schema.one_of),
            ("anyOf", &schema.any_of),
        ];
        for (keyword, schemas) in lists {
            let list = path.child(keyword);
            for (index, branch) in schemas.iter().enumerate() {
                self.node(branch, &list.index(index), &below);
            }
        }
        let definitions = path.child("definitions");
        for (name, definition) in &schema.definitions {
            self.node(definition, &definitions.key(name), &below);
        }
    }

    fn items(&mut self, schema: &JsonSchema, path: &Path<'_>, inherited: &Inherited<'_>) {
        let Some(items) = schema.items.as_deref() else {
            return;
        };
        let matched_by_key = schema.list_type.as_deref() == Some("map");
        let at = path.child("items");
        let mut item = |item: &JsonSchema, at: &Path<'_>| {
            let scope = inherited.rules.map(|scope| scope.element(item));
            let below = Inherited {
                uncorrelated: inherited.uncorrelated.or((!matched_by_key).then_some(path)),
                rules: scope.as_ref(),
                root: false,
                ..*inherited
            };
            self.node(item, at, &below);
        };
        match items {
            Items::Each(each) => item(each, &at),
            Items::Positional(schemas) => {
                for (index, schema) in schemas.iter().enumerate() {
                    item(schema, &at.index(index));
                }
            }
        }
    }

    fn dependencies(&mut self, schema: &JsonSchema, path: &Path<'_>, inherited: &Inherited<'_>) {
        let at = path.child("dependencies");
        let below = Inherited {
            rules: None,
            root: false,
            ..*inherited
        };
        for (name, dependency) in &schema.dependencies {
            if let Dependency::Schema(dependency) = dependency {
                self.node(dependency, &at.key(name), &below);
            }
        }
    }
}

/// What a property inherits.
fn member<'p>(
    schema: &JsonSchema,
    path: &'p Path<'p>,
    inherited: &Inherited<'p>,
    name: &'p str,
) -> Inherited<'p> {
    let mut below = Inherited {
        root: false,
        ..*inherited
    };
    if !map_type::is_correlated(schema) {
        below.uncorrelated = inherited.uncorrelated.or(Some(path));
    }
    if (inherited.root || schema.embedded_resource) && matches!(name, "metadata" | "kind" | "apiVersion") {
        below.resource_meta = true;
        if inherited.root {
            below.defaults = Some(Refused::TopLevel(name));
        }
    }
    below
}
