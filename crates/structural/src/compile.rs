//! Compiles a published schema in one walk down the spine.
//!
//! Knows the spine. `value` compiles the checks of values, from the whole schema; `rules` is called once for
//! every node that differs from the earlier ones. Does not check the other rules for structural schemas.

mod unsupported;

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use kindsmith_cel::dialect::Dialect;
use kindsmith_json::{Arena, Value, parse_str};
use kindsmith_object::Release;
use kindsmith_schema::{Json, JsonSchema, SchemaOrBool, Str};

use super::default_count::defaults_fit;
use super::find::Print;
use super::frozen::Frozen;
use super::layout::{
    Additional, Below, DefaultId, Flags, List, Name, Node, NodeId, Property, Range, StructuralSchema, Type,
};
use super::rules::{self, RuleCache};
use super::value::{CheckId, Mode, ValuePlan};
pub use unsupported::NotStructural;

/// The depth limit of schemas. Each level takes two or more in the document, and nobody writes hundreds.
const MAX_DEPTH: usize = 256;

impl StructuralSchema {
    /// Compiles a schema.
    ///
    /// # Errors
    /// When the schema contains something without a structural form, such as `definitions`, or is too deep.
    /// The other rules for structural schemas are not checked.
    pub fn compile(schema: &JsonSchema) -> Result<StructuralSchema, NotStructural> {
        Self::compile_in(schema, Dialect::default())
    }

    /// Compiles a schema whose rules are in a dialect.
    ///
    /// # Errors
    /// As [`StructuralSchema::compile`].
    pub fn compile_in(schema: &JsonSchema, dialect: Dialect) -> Result<StructuralSchema, NotStructural> {
        Self::compile_at(schema, Flags::ROOT, dialect, Release::NEWEST)
    }

    /// Compiles the schema of a part of an object, which is a resource only if the schema says so.
    ///
    /// # Errors
    /// As [`StructuralSchema::compile`].
    pub fn compile_part(schema: &JsonSchema) -> Result<StructuralSchema, NotStructural> {
        Self::compile_part_in(schema, Dialect::default())
    }

    /// Compiles the schema of a part of an object, whose rules are in a dialect.
    ///
    /// # Errors
    /// As [`StructuralSchema::compile`].
    pub fn compile_part_in(schema: &JsonSchema, dialect: Dialect) -> Result<StructuralSchema, NotStructural> {
        Self::compile_at(schema, Flags::default(), dialect, Release::NEWEST)
    }

    /// Compiles a schema without its rules, for passes that run none.
    ///
    /// # Errors
    /// As [`StructuralSchema::compile`].
    pub fn shape(schema: &JsonSchema) -> Result<StructuralSchema, NotStructural> {
        Self::shape_at(schema, Flags::ROOT, Release::NEWEST)
    }

    /// Compiles the schema of a part of an object without its rules.
    ///
    /// # Errors
    /// As [`StructuralSchema::compile`].
    pub fn shape_of_part(schema: &JsonSchema) -> Result<StructuralSchema, NotStructural> {
        Self::shape_at(schema, Flags::default(), Release::NEWEST)
    }

    fn compile_at(
        schema: &JsonSchema,
        place: Flags,
        dialect: Dialect,
        release: Release,
    ) -> Result<StructuralSchema, NotStructural> {
        Ok(Self::shape_at(schema, place, release)?.with_rules(schema, dialect))
    }

    /// Compiles a schema with the formats of a release, and its rules in a dialect.
    pub(crate) fn compile_for(
        schema: &JsonSchema,
        dialect: Dialect,
        release: Release,
    ) -> Result<StructuralSchema, NotStructural> {
        Self::compile_at(schema, Flags::ROOT, dialect, release)
    }

    /// The same without rules.
    pub(crate) fn shape_for(
        schema: &JsonSchema,
        release: Release,
    ) -> Result<StructuralSchema, NotStructural> {
        Self::shape_at(schema, Flags::ROOT, release)
    }

    /// The same with the rules of the schema it was compiled from.
    pub(crate) fn with_rules(mut self, schema: &JsonSchema, dialect: Dialect) -> Self {
        rules::finish(&mut self, schema, &RuleCache::in_dialect(dialect), None);
        self
    }

    /// The same with those rules of the schema it was compiled from that apply to a value or its parts. No other value may be
    /// checked with them.
    #[must_use]
    pub fn with_rules_for(mut self, value: Value<'_>, schema: &JsonSchema, cache: &RuleCache) -> Self {
        rules::finish(&mut self, schema, cache, Some(value));
        self
    }

    /// The same for a structure that was compiled without the members that the value does not have; `None` if those matter.
    #[must_use]
    pub fn with_rules_of_whole(
        mut self,
        value: Value<'_>,
        schema: &JsonSchema,
        cache: &RuleCache,
    ) -> Option<Self> {
        rules::finish(&mut self, schema, cache, Some(value)).then_some(self)
    }

    fn shape_at(
        schema: &JsonSchema,
        place: Flags,
        release: Release,
    ) -> Result<StructuralSchema, NotStructural> {
        if !defaults_fit(schema) {
            return Err(NotStructural::TooManyDefaults);
        }
        let mut compiler = Compiler::default();
        let root = compiler.node(schema, place, 0)?;
        let mut structure = StructuralSchema {
            root,
            nodes: compiler.nodes.into(),
            properties: compiler.properties.into(),
            names: compiler.names.text.into(),
            keys: compiler.keys.into(),
            defaults: compiler.defaults,
            values: ValuePlan::compile_for(schema, Mode::Object, release),
            rules: compiler.rules,
        };
        structure.fill_defaults();
        structure.attach_checks();
        Ok(structure)
    }
}

#[derive(Default)]
struct Compiler<'s> {
    nodes: Vec<Node>,
    /// The schema of each node.
    sources: Vec<&'s JsonSchema>,
    /// Nodes by hash.
    known: HashMap<u64, Vec<NodeId>>,
    properties: Vec<Property>,
    names: Names,
    keys: Vec<Name>,
    defaults: Vec<Frozen>,
    default_ids: HashMap<&'s str, DefaultId>,
    rules: rules::Tables,
}

/// The spine below a node.
#[derive(Hash)]
struct Children {
    properties: Vec<Property>,
    additional: Additional,
    items: Option<NodeId>,
}

impl<'s> Compiler<'s> {
    fn node(&mut self, schema: &'s JsonSchema, place: Flags, depth: usize) -> Result<NodeId, NotStructural> {
        if depth == MAX_DEPTH {
            return Err(NotStructural::TooDeep);
        }
        unsupported::check(schema, depth)?;
        let children = self.children(schema, depth)?;
        let hash = hash(schema, &children);
        if let Some(known) = self.find(hash, schema, place, &children) {
            return Ok(known);
        }
        let id = NodeId::from_index(self.nodes.len());
        let node = self.build(schema, place, &children);
        self.nodes.push(node);
        self.sources.push(schema);
        self.known.entry(hash).or_default().push(id);
        Ok(id)
    }

    fn children(&mut self, schema: &'s JsonSchema, depth: usize) -> Result<Children, NotStructural> {
        let items = schema
            .item()
            .map(|items| self.node(items, Flags::default(), depth + 1))
            .transpose()?;
        // If a name occurs twice, the last one counts, as in the API server's maps.
        let named: BTreeMap<&str, &JsonSchema> = schema
            .properties
            .iter()
            .map(|(name, schema)| (&**name, schema))
            .collect();
        let mut properties = Vec::with_capacity(named.len());
        for (name, schema) in named {
            let node = self.node(schema, Flags::default(), depth + 1)?;
            let print = Print::of(name);
            let name = self.names.intern(name);
            let check = CheckId::UNKNOWN;
            properties.push(Property {
                print,
                name,
                node,
                check,
                below: self.nodes[node.index()].below,
            });
        }
        let additional = match schema.additional_properties.as_deref() {
            None => Additional::Absent,
            Some(SchemaOrBool::Allowed(allowed)) => Additional::Allowed(*allowed),
            Some(SchemaOrBool::Schema(schema)) => {
                Additional::Schema(self.node(schema, Flags::default(), depth + 1)?)
            }
        };
        Ok(Children {
            properties,
            additional,
            items,
        })
    }

    fn find(&self, hash: u64, schema: &JsonSchema, place: Flags, children: &Children) -> Option<NodeId> {
        let same = |id: &&NodeId| {
            let node = &self.nodes[id.index()];
            !place.has(Flags::ROOT)
                && node.properties.of(&self.properties) == children.properties
                && node.additional == children.additional
                && node.items == children.items
                && says_the_same(schema, self.sources[id.index()])
        };
        self.known.get(&hash)?.iter().find(same).copied()
    }

    fn build(&mut self, schema: &'s JsonSchema, place: Flags, children: &Children) -> Node {
        let rules = rules::reserve(schema, &mut self.rules);
        let list = self.list(schema);
        let mut defaulted = 0;
        for (position, property) in children.properties.iter().enumerate().take(64) {
            let has_default = self.nodes[property.node.index()].default.is_some();
            defaulted |= u64::from(has_default) << position;
        }
        let here = Below::EMBEDDED.when(schema.embedded_resource)
            | Below::LIST_TYPES.when(list != List::Atomic)
            | Below::RULES.when(rules.len > 0);
        let below = self.nodes_of(children).fold(here, |below, child| {
            below | child.below | Below::DEFAULTS.when(child.default.is_some())
        });
        let first = self.properties.len() as u32;
        self.properties.extend_from_slice(&children.properties);
        Node {
            ty: ty(&schema.ty),
            flags: flags(schema) | place,
            below,
            properties: Range {
                first,
                len: children.properties.len() as u32,
            },
            defaulted,
            additional: children.additional,
            items: children.items,
            list,
            default: schema.default.as_ref().and_then(|json| self.default_id(json)),
            rules,
            check: CheckId::UNKNOWN,
        }
    }

    fn nodes_of(&self, children: &Children) -> impl Iterator<Item = &Node> {
        let additional = match children.additional {
            Additional::Schema(id) => Some(id),
            _ => None,
        };
        let named = children.properties.iter().map(|property| property.node);
        named
            .chain(additional)
            .chain(children.items)
            .map(|id| &self.nodes[id.index()])
    }

    fn list(&mut self, schema: &JsonSchema) -> List {
        match schema.list_type.as_deref() {
            Some("set") => List::Set,
            Some("map") => {
                let first = self.keys.len() as u32;
                for key in &schema.list_map_keys {
                    let key = self.names.intern(key);
                    self.keys.push(key);
                }
                List::Map(Range {
                    first,
                    len: schema.list_map_keys.len() as u32,
                })
            }
            _ => List::Atomic,
        }
    }

    fn default_id(&mut self, json: &'s Json) -> Option<DefaultId> {
        if let Some(&id) = self.default_ids.get(json.as_str()) {
            return Some(id);
        }
        // Integers beyond signed 64 bits are floats, as in all untyped data.
        let arena = Arena::new();
        let value = parse_str(&arena, json.as_str()).ok()?;
        if value.is_null() {
            return None;
        }
        let id = DefaultId::from_index(self.defaults.len());
        self.defaults.push(Frozen::new(value));
        self.default_ids.insert(json.as_str(), id);
        Some(id)
    }
}

#[derive(Default)]
struct Names {
    text: String,
    known: HashMap<Box<str>, Name>,
}

impl Names {
    fn intern(&mut self, text: &str) -> Name {
        if let Some(&name) = self.known.get(text) {
            return name;
        }
        let name = Name {
            start: self.text.len() as u32,
            len: text.len() as u32,
        };
        self.text.push_str(text);
        self.known.insert(text.into(), name);
        name
    }
}

fn ty(text: &str) -> Type {
    match text {
        "" => Type::Any,
        "object" => Type::Object,
        "array" => Type::Array,
        "string" => Type::String,
        "integer" => Type::Integer,
        "number" => Type::Number,
        "boolean" => Type::Boolean,
        _ => Type::Unknown,
    }
}

fn flags(schema: &JsonSchema) -> Flags {
    Flags::PRESERVE.when(schema.preserves_unknown_fields())
        | Flags::EMBEDDED.when(schema.embedded_resource)
        | Flags::INT_OR_STRING.when(schema.int_or_string)
        | Flags::NULLABLE.when(schema.nullable)
        | Flags::ATOMIC_MAP.when(schema.map_type.as_deref() == Some("atomic"))
}

/// Equal schemas have equal hashes; most others differ.
fn hash(schema: &JsonSchema, children: &Children) -> u64 {
    let mut hasher = DefaultHasher::new();
    let text = |text: &Str| text.len();
    (&schema.ty, &schema.format, &schema.pattern, &schema.required).hash(&mut hasher);
    (schema.max_length, schema.max_items, &schema.default).hash(&mut hasher);
    (&schema.enum_values, schema.validations.len()).hash(&mut hasher);
    schema
        .validations
        .first()
        .map(|rule| text(&rule.rule))
        .hash(&mut hasher);
    children.hash(&mut hasher);
    hasher.finish()
}

/// Are two schemas equal except for descriptions, members and elements?
fn says_the_same(left: &JsonSchema, right: &JsonSchema) -> bool {
    // Lists all fields, so that a new one is not forgotten.
    let JsonSchema {
        id: _,
        schema: _,
        reference: _,
        description: _,
        ty,
        format,
        title: _,
        default,
        maximum,
        exclusive_maximum,
        minimum,
        exclusive_minimum,
        max_length,
        min_length,
        pattern,
        max_items,
        min_items,
        unique_items,
        multiple_of,
        enum_values,
        max_properties,
        min_properties,
        required,
        items: _,
        all_of,
        one_of,
        any_of,
        not,
        properties: _,
        additional_properties: _,
        pattern_properties: _,
        dependencies: _,
        additional_items: _,
        definitions: _,
        external_docs: _,
        example: _,
        nullable,
        preserve_unknown_fields,
        embedded_resource,
        int_or_string,
        list_map_keys,
        list_type,
        map_type,
        validations,
    } = left;
    let texts = *ty == right.ty && *format == right.format && *pattern == right.pattern;
    let numbers = *maximum == right.maximum
        && *exclusive_maximum == right.exclusive_maximum
        && *minimum == right.minimum
        && *exclusive_minimum == right.exclusive_minimum
        && *multiple_of == right.multiple_of;
    let sizes = *max_length == right.max_length
        && *min_length == right.min_length
        && *max_items == right.max_items
        && *min_items == right.min_items
        && *max_properties == right.max_properties
        && *min_properties == right.min_properties;
    let values = *default == right.default
        && *enum_values == right.enum_values
        && *required == right.required
        && *unique_items == right.unique_items
        && *nullable == right.nullable;
    let extensions = *preserve_unknown_fields == right.preserve_unknown_fields
        && *embedded_resource == right.embedded_resource
        && *int_or_string == right.int_or_string
        && *list_map_keys == right.list_map_keys
        && *list_type == right.list_type
        && *map_type == right.map_type
        && *validations == right.validations;
    let junctors =
        *all_of == right.all_of && *one_of == right.one_of && *any_of == right.any_of && *not == right.not;
    texts && numbers && sizes && values && extensions && junctors
}

#[cfg(test)]
mod tests {
    use kindsmith_schema::{Dependency, Items, Shared};

    use super::*;

    fn typed(ty: &str) -> JsonSchema {
        JsonSchema {
            ty: ty.into(),
            ..JsonSchema::default()
        }
    }

    fn object(properties: Vec<(&str, JsonSchema)>) -> JsonSchema {
        let named = properties.into_iter().map(|(name, schema)| (name.into(), schema));
        JsonSchema {
            properties: named.collect(),
            ..typed("object")
        }
    }

    #[test]
    fn equal_parts_are_one_node() {
        let mut described = typed("string");
        described.description = "says nothing to machines".into();
        let mut defaulted = typed("string");
        defaulted.default = Some(Json::from("x"));
        let part = |inner| object(vec![("a", inner), ("b", defaulted.clone())]);
        let whole = object(vec![("x", part(typed("string"))), ("y", part(described))]);
        let structure = StructuralSchema::compile(&whole).expect("structural");
        let root = structure.root();
        assert_eq!(structure.property(root, "x"), structure.property(root, "y"));
        assert_eq!(structure.property(root, "z"), None);
        assert_eq!((structure.nodes.len(), structure.defaults.len()), (4, 1));
        assert!(root.below.has(Below::DEFAULTS));
    }

    #[test]
    fn keywords_without_a_structural_form_are_rejected() {
        let dependency = || vec![("a".into(), Dependency::Members(Vec::new()))];
        type Change = Box<dyn Fn(&mut JsonSchema)>;
        let cases: [(Change, &str); 6] = [
            (
                Box::new(|schema| schema.schema = "x".into()),
                "OpenAPIV3Schema 'schema' is not supported",
            ),
            (
                Box::new(|schema| schema.reference = Some("x".into())),
                "OpenAPIV3Schema '$ref' is not supported",
            ),
            (
                Box::new(move |schema| schema.dependencies = dependency().into()),
                "OpenAPIV3Schema 'dependencies' is not supported",
            ),
            (
                Box::new(|schema| schema.items = Some(Shared::new(Items::Positional(vec![typed("string")])))),
                "OpenAPIV3Schema 'items' must be a schema, but is an array",
            ),
            (
                Box::new(|schema| schema.preserve_unknown_fields = Some(false)),
                "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined",
            ),
            (
                Box::new(|schema| {
                    for _ in 0..MAX_DEPTH {
                        *schema = object(vec![("a", std::mem::take(schema))]);
                    }
                }),
                "schema is nested more than 256 levels deep",
            ),
        ];
        for (change, text) in cases {
            let mut wrong = typed("object");
            change(&mut wrong);
            let mut junctor = typed("object");
            junctor.any_of = [wrong.clone()].into();
            for schema in [&wrong, &junctor] {
                let error = StructuralSchema::compile(schema).expect_err("has no structural form");
                assert_eq!(error.to_string(), text);
            }
        }
    }
}
