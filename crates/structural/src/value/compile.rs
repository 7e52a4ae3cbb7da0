//! Compiles published schemas into plans: filters formats, prepares types, shares equal nodes.
//!
//! Knows how upstream prepares schemas (`ConvertJSONSchemaPropsWithPostProcess` and
//! `StripUnsupportedFormatsPostProcessorForVersion` in apiextensions-apiserver), not values.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::Hash;

use kindsmith_formats::strfmt::{self, Applies};
use kindsmith_object::{Behavior, Release};
use kindsmith_schema::{Items, JsonSchema, SchemaOrBool, Str};

use super::Mode;
use super::enumeration::Enumeration;
use super::number::{Number, Range};
use super::plan::{
    Additional, FormatId, Junctors, List, Members, Node, NodeId, Property, Slot, ValuePlan, Word,
};
use super::text::{Pattern, Text};
use super::types::{Kinds, Types};
use crate::find::Print;

pub(super) fn compile(schema: &JsonSchema, mode: Mode, release: Release) -> ValuePlan {
    let mut compiler = Compiler {
        mode,
        release,
        nodes: Table::default(),
        types: Table::default(),
        texts: Table::default(),
        numbers: Table::default(),
        enumerations: Table::default(),
        lists: Table::default(),
        objects: Table::default(),
        junctors: Table::default(),
        words: Words::default(),
    };
    let root = compiler.node(schema, Place::SPINE);
    ValuePlan {
        root,
        nodes: compiler.nodes.rows.into(),
        types: compiler.types.rows.into(),
        texts: compiler.texts.rows.iter().map(TextSource::compile).collect(),
        numbers: compiler.numbers.rows.into(),
        enumerations: compiler.enumerations.rows.into(),
        lists: compiler.lists.rows.into(),
        objects: compiler.objects.rows.into(),
        junctors: compiler.junctors.rows.into(),
        words: compiler.words.text.into(),
    }
}

struct Compiler {
    mode: Mode,
    release: Release,
    nodes: Table<Node>,
    types: Table<Types>,
    texts: Table<TextSource>,
    numbers: Table<Number>,
    enumerations: Table<Enumeration>,
    lists: Table<List>,
    objects: Table<Members>,
    junctors: Table<Junctors>,
    words: Words,
}

/// Rows without duplicates.
struct Table<T> {
    rows: Vec<T>,
    known: HashMap<T, Slot>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            known: HashMap::new(),
        }
    }
}

impl<T: Clone + Eq + Hash> Table<T> {
    fn slot(&mut self, row: T) -> Slot {
        if let Some(&slot) = self.known.get(&row) {
            return slot;
        }
        let slot = Slot::new(self.rows.len());
        self.rows.push(row.clone());
        self.known.insert(row, slot);
        slot
    }
}

/// Names, each once.
#[derive(Default)]
struct Words {
    text: String,
    known: HashMap<Str, Word>,
}

impl Words {
    fn word(&mut self, text: &Str) -> Word {
        if let Some(&word) = self.known.get(text) {
            return word;
        }
        let word = Word {
            start: self.text.len() as u32,
            len: text.len() as u32,
        };
        self.text.push_str(text);
        self.known.insert(text.clone(), word);
        word
    }
}

/// String checks before their pattern is compiled.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct TextSource {
    max: Option<i64>,
    min: Option<i64>,
    pattern: Str,
}

impl TextSource {
    fn compile(&self) -> Text {
        Text {
            max: self.max,
            min: self.min,
            pattern: (!self.pattern.is_empty()).then(|| Pattern::new(&self.pattern)),
        }
    }
}

/// The position of a schema.
#[derive(Debug, Clone, Copy)]
struct Place {
    depth: usize,
    /// Whether it is inside a junctor.
    nested: bool,
}

impl Place {
    const SPINE: Place = Place {
        depth: 0,
        nested: false,
    };

    fn below(self) -> Place {
        let depth = self.depth + 1;
        Place { depth, ..self }
    }

    fn branch(self) -> Place {
        let nested = true;
        Place {
            nested,
            ..self.below()
        }
    }
}

/// The depth limit; no deeper schema is compiled. Everything below passes.
const MAX_DEPTH: usize = 512;

impl Compiler {
    fn node(&mut self, schema: &JsonSchema, place: Place) -> NodeId {
        if place.depth == MAX_DEPTH {
            return self.node(&JsonSchema::default(), place.below());
        }
        let types = prepared_types(schema, self.mode, self.release);
        let mut node = Node {
            kinds: types.kinds(),
            passes_all: false,
            format: FormatId::find(&types.format),
            number: self.number(schema, &types),
            types: self.types.slot(types),
            text: self.text(schema),
            enumeration: (!schema.enum_values.is_empty())
                .then(|| self.enumerations.slot(Enumeration::new(&schema.enum_values))),
            list: self.list(schema, place),
            object: self.object(schema, place),
            junctors: self.junctors(schema, place),
        };
        node.passes_all = self.passes_all(&node);
        let slot = self.nodes.slot(node);
        NodeId(u32::try_from(slot.position()).expect("slots are 32 bits wide"))
    }

    fn text(&mut self, schema: &JsonSchema) -> Option<Slot> {
        let source = TextSource {
            max: schema.max_length,
            min: schema.min_length,
            pattern: schema.pattern.clone(),
        };
        let checks = source.max.is_some() || source.min.is_some() || !source.pattern.is_empty();
        checks.then(|| self.texts.slot(source))
    }

    fn number(&mut self, schema: &JsonSchema, types: &Types) -> Option<Slot> {
        let number = Number::new(
            Range::of(types),
            schema.multiple_of,
            schema.minimum.map(|limit| (limit, schema.exclusive_minimum)),
            schema.maximum.map(|limit| (limit, schema.exclusive_maximum)),
        );
        (!number.is_empty()).then(|| self.numbers.slot(number))
    }

    fn list(&mut self, schema: &JsonSchema, place: Place) -> Option<Slot> {
        let list = List {
            item: match schema.items.as_deref() {
                Some(Items::Each(item)) => Some(self.node(item, place.below())),
                _ => None,
            },
            min: schema.min_items,
            max: schema.max_items,
            unique: schema.unique_items,
        };
        let checks = list.item.is_some() || list.min.is_some() || list.max.is_some() || list.unique;
        checks.then(|| self.lists.slot(list))
    }

    fn object(&mut self, schema: &JsonSchema, place: Place) -> Option<Slot> {
        let additional = match schema.additional_properties.as_deref() {
            None | Some(SchemaOrBool::Allowed(true)) => Additional::Free,
            // For defaults, the structural form loses this keyword inside junctors.
            Some(_) if place.nested && self.mode == Mode::Default => Additional::Free,
            Some(SchemaOrBool::Allowed(false)) => Additional::Refused,
            Some(SchemaOrBool::Schema(schema)) => Additional::Node(self.node(schema, place.below())),
        };
        let members = Members {
            required_names: self.words_of(&schema.required),
            min: schema.min_properties,
            max: schema.max_properties,
            additional,
            ..self.properties(schema, place)
        };
        let checks = !members.properties.is_empty()
            || !members.required_names.is_empty()
            || members.additional != Additional::Free
            || members.min.is_some()
            || members.max.is_some();
        checks.then(|| self.objects.slot(members))
    }

    fn properties(&mut self, schema: &JsonSchema, place: Place) -> Members {
        // If a name occurs twice, the last one counts, as in the API server's maps.
        let named: BTreeMap<&Str, (usize, &JsonSchema)> = schema
            .properties
            .iter()
            .enumerate()
            .map(|(position, (name, property))| (name, (position, property)))
            .collect();
        let required: HashSet<&Str> = schema.required.iter().collect();
        let (mut properties, mut positions) = (Vec::new(), Vec::new());
        for (&name, &(position, property)) in &named {
            positions.push(position);
            properties.push(Property {
                print: Print::of(name),
                node: self.node(property, place.below()),
                name: self.words.word(name),
                required: required.contains(name),
            });
        }
        let mut order: Vec<u32> = (0..positions.len() as u32).collect();
        order.sort_by_key(|&now| positions[now as usize]);
        let others = required.iter().filter(|name| !named.contains_key(**name));
        let mut others: Vec<Str> = others.map(|&name| name.clone()).collect();
        others.sort();
        Members {
            required: properties
                .iter()
                .map(|property| u32::from(property.required))
                .sum(),
            required_bits: properties
                .iter()
                .take(u64::BITS as usize)
                .enumerate()
                .fold(0, |bits, (position, property)| {
                    bits | u64::from(property.required) << position
                }),
            required_others: self.words_of(&others),
            properties: properties.into(),
            order: order.into(),
            required_names: [].into(),
            additional: Additional::Free,
            min: None,
            max: None,
        }
    }

    fn words_of(&mut self, names: &[Str]) -> Box<[Word]> {
        names.iter().map(|name| self.words.word(name)).collect()
    }

    fn junctors(&mut self, schema: &JsonSchema, place: Place) -> Option<Slot> {
        let junctors = Junctors {
            any: schema
                .any_of
                .iter()
                .map(|branch| self.node(branch, place.branch()))
                .collect(),
            one: schema
                .one_of
                .iter()
                .map(|branch| self.node(branch, place.branch()))
                .collect(),
            all: schema
                .all_of
                .iter()
                .map(|branch| self.node(branch, place.branch()))
                .collect(),
            not: schema
                .not
                .as_deref()
                .map(|branch| self.node(branch, place.branch())),
        };
        let checks = !junctors.any.is_empty()
            || !junctors.one.is_empty()
            || !junctors.all.is_empty()
            || junctors.not.is_some();
        checks.then(|| self.junctors.slot(junctors))
    }

    fn passes_all(&self, node: &Node) -> bool {
        let passes = |id: NodeId| self.nodes.rows[id.0 as usize].passes_all;
        let plain = node.kinds == Kinds::ALL
            && node.format.is_none()
            && node.text.is_none()
            && node.number.is_none()
            && node.enumeration.is_none()
            && node.junctors.is_none();
        let list = node.list.is_none_or(|slot| {
            let list = &self.lists.rows[slot.position()];
            list.item.is_none_or(passes) && list.min.is_none() && list.max.is_none() && !list.unique
        });
        let object = node.object.is_none_or(|slot| {
            let members = &self.objects.rows[slot.position()];
            members.properties.iter().all(|property| passes(property.node))
                && members.required_names.is_empty()
                && match members.additional {
                    Additional::Free => true,
                    Additional::Refused => false,
                    Additional::Node(node) => passes(node),
                }
                && members.min.is_none()
                && members.max.is_none()
        });
        plain && list && object
    }
}

/// `type`, `format` and `nullable` as value validation sees them.
fn prepared_types(schema: &JsonSchema, mode: Mode, release: Release) -> Types {
    let names = match mode {
        Mode::Object if schema.int_or_string => "integer,string".into(),
        _ => schema.ty.clone(),
    };
    let mut types = Types {
        names,
        format: schema.format.clone(),
        nullable: schema.nullable,
    };
    if mode == Mode::Object && !is_kept(&types, release) {
        types.format = "".into();
    }
    types
}

/// Whether a release checks a format.
fn is_kept(types: &Types, release: Release) -> bool {
    let applies = match types.single() {
        _ if !release.has(Behavior::FormatsByType) => Applies::String,
        None | Some("string") => Applies::String,
        Some("integer") => Applies::Integer,
        Some("number") => Applies::Number,
        Some(_) => return false,
    };
    let known = strfmt::find(applies, &types.format);
    known.is_some_and(|format| release.has(Behavior::NameFormats) || !format.name.starts_with("k8s-"))
}
