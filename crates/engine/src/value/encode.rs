//! Encodes values as Go's encoding/json does: members in declaration order, `omitempty`, HTML escapes.
//!
//! The encoded object is built as a value, which shares what does not change with the one it was made of; its text is written from it.

use kindsmith_checks::Profile;
use kindsmith_gostd::budget::Batch;
use kindsmith_gostd::float;
use kindsmith_json::write::{Escape, Format, Order};
use kindsmith_json::{Arena, Entry, Object, Value};
use kindsmith_schema::Scalar;

use super::{Val, content, entries, integer, items, text, well_known};
use crate::plan::{FieldPlan, MAX_DEPTH, NodeId, NodeShape, Plan, Slot};
use kindsmith_object::BadValue;

/// The bad value of an error that holds the value itself, not a pointer to it.
pub(crate) fn bad_value(plan: &Plan, node: NodeId, value: Value<'_>) -> BadValue {
    let node_plan = plan.node(node);
    match &node_plan.shape {
        NodeShape::Scalar(scalar) if node_plan.plain => plain(*scalar, value),
        _ => plan.bad_json(Slot { node, pointer: false }, Some(value)),
    }
}

/// Plain `int64`, `int32`, floats, booleans and strings are shown in their own form; `int` and the others
/// look like JSON.
fn plain(scalar: Scalar, value: Value<'_>) -> BadValue {
    match scalar {
        Scalar::String => BadValue::Text(text(value).into()),
        Scalar::Bool => BadValue::Bool(value.as_bool().unwrap_or(false)),
        Scalar::Float64 => BadValue::Float(value.as_f64().unwrap_or(0.0)),
        Scalar::Float32 => BadValue::Float32(value.as_f64().unwrap_or(0.0) as f32),
        _ => BadValue::Integer(integer(value)),
    }
}

impl Plan {
    /// The object as Go would encode it after decoding: members in declaration order, zero values of members
    /// without `omitempty`, no unknown members.
    ///
    /// ```
    /// # use kindsmith_engine::Plan;
    /// # use kindsmith_json::{Arena, parse_str};
    /// # use kindsmith_schema::*;
    /// # let mut builder = Builder::default();
    /// # let name = TypeName::new("example.org/api", "Thing");
    /// # let id = builder.declare(&name);
    /// # let field = |go: &str, json| Field::new(go, JsonTag::parse(json), TypeRef::Scalar(Scalar::String));
    /// # let fields = vec![field("Name", "name"), field("Note", "note,omitempty")];
    /// # builder.define(id, Type::new(name, Shape::Struct(Struct { fields })));
    /// # let (schema, renumbering) = builder.finish();
    /// # let plan = Plan::compile(&schema, renumbering.ty(id));
    /// // type Thing struct { Name string `json:"name"`; Note string `json:"note,omitempty"` }
    /// let arena = Arena::new();
    /// let object = parse_str(&arena, r#"{"other": 1}"#)?;
    /// assert_eq!(plan.encode(object), r#"{"name":""}"#);
    /// # Ok::<(), kindsmith_json::ReadError>(())
    /// ```
    #[must_use]
    pub fn encode(&self, object: Value<'_>) -> String {
        let arena = Arena::new();
        let root = self.root_slot();
        text_of(Encoder::new(self, &arena, Empty::LeftOut).slot(root, Some(object)))
    }

    /// Like `encode`, as a value.
    ///
    /// KEP-1929 keeps what is written, so under its profile only unknown members go.
    #[must_use]
    pub fn encoded<'a>(&'a self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        self.rewritten(arena, object, Empty::LeftOut)
    }

    /// The object as Go holds it after decoding: like [`encoded`](Self::encoded), but lists and maps that are written and
    /// empty stay, since Go tells them from absent ones until it encodes them.
    #[must_use]
    pub fn decoded<'a>(&'a self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        self.rewritten(arena, object, Empty::Kept)
    }

    fn root_slot(&self) -> Slot {
        Slot {
            node: self.root,
            pointer: false,
        }
    }

    fn rewritten<'a>(&'a self, arena: &'a Arena, object: Value<'a>, empty: Empty) -> Value<'a> {
        if self.profile == Profile::Kep {
            return self.prune(arena, object);
        }
        Encoder::new(self, arena, empty).slot(self.root_slot(), Some(object))
    }

    /// The bad value of an error that holds a pointer, list, map or struct.
    pub(crate) fn bad_json(&self, slot: Slot, value: Val<'_>) -> BadValue {
        let arena = Arena::new();
        BadValue::Json(text_of(Encoder::new(self, &arena, Empty::LeftOut).slot(slot, value)).into())
    }
}

/// How empty lists and maps of members with `omitempty` are written.
#[derive(Clone, Copy, PartialEq)]
enum Empty {
    LeftOut,
    Kept,
}

struct Encoder<'a> {
    plan: &'a Plan,
    arena: &'a Arena,
    depth: usize,
    batch: Batch,
    empty: Empty,
    /// Entries of all open structs and maps, each one's after its parent's.
    entries: Vec<Entry<'a>>,
    /// Elements of all open lists, in the same order.
    items: Vec<Value<'a>>,
}

impl<'a> Encoder<'a> {
    fn new(plan: &'a Plan, arena: &'a Arena, empty: Empty) -> Self {
        Encoder {
            plan,
            arena,
            depth: 0,
            batch: Batch::default(),
            empty,
            entries: Vec::new(),
            items: Vec::new(),
        }
    }

    fn slot(&mut self, slot: Slot, value: Val<'a>) -> Value<'a> {
        value.map_or(Value::Null, |value| self.value(slot.node, value))
    }

    fn value(&mut self, node: NodeId, value: Value<'a>) -> Value<'a> {
        if self.depth >= MAX_DEPTH {
            return self.untyped(value, Order::Sorted);
        }
        self.depth += 1;
        let plan = self.plan;
        let encoded = match (&plan.node(node).shape, value) {
            (NodeShape::Scalar(scalar), value) => self.scalar(*scalar, value),
            (NodeShape::WellKnown(known), value) => match well_known::encoded(*known, value, self.arena) {
                Some(encoded) => encoded,
                // Raw JSON keeps its order.
                None => self.untyped(value, Order::Kept),
            },
            (NodeShape::Unknown, Value::Null) => Value::Object(Object::EMPTY),
            // Go sorts the keys of its maps.
            (NodeShape::Any | NodeShape::Unknown, value) => self.untyped(value, Order::Sorted),
            (NodeShape::Struct(members), value) => {
                // All members are written, whether they are there or not.
                self.spend(members.len.into());
                let start = self.entries.len();
                self.members(node, value);
                self.close_object(start)
            }
            (NodeShape::Array { len, element }, value) => self.array(*len, *element, value),
            (_, Value::Null) => Value::Null,
            (NodeShape::Bytes, value) => {
                let text = kindsmith_gostd::base64::encode(&super::equal::bytes(value));
                well_known::text(value, &text, self.arena)
            }
            (NodeShape::List(element), value) => self.list(*element, value),
            (NodeShape::Map { value: entry, .. }, value) => self.map(*entry, value),
        };
        self.depth -= 1;
        encoded
    }

    fn spend(&mut self, units: u64) {
        let arena = self.arena;
        self.batch.spend_in(units, || arena.allocated_bytes());
    }

    fn scalar(&self, scalar: Scalar, value: Value<'a>) -> Value<'a> {
        let float = |text: Option<String>| text.map_or(Value::Null, |text| self.read_again(&text));
        match scalar {
            Scalar::String => Value::Str(text(value)),
            Scalar::Bool => Value::Bool(value == Value::Bool(true)),
            Scalar::Float64 => float(float::format_f64_json(value.as_f64().unwrap_or(0.0))),
            Scalar::Float32 => float(float::format_f32_json(value.as_f64().unwrap_or(0.0) as f32)),
            _ => match value {
                Value::Int(_) | Value::Uint(_) => value,
                _ => Value::Int(0),
            },
        }
    }

    fn list(&mut self, element: Slot, value: Value<'a>) -> Value<'a> {
        self.spend(content(value));
        let start = self.items.len();
        for &item in items(Some(value)) {
            let encoded = self.slot(element, self.plan.element(element, item));
            self.items.push(encoded);
        }
        self.close_list(start)
    }

    /// Arrays are padded with zero values, up to this length. No API writes out a longer one.
    fn array(&mut self, len: u32, element: Slot, value: Value<'a>) -> Value<'a> {
        const LONGEST: usize = 4096;
        let given = items(Some(value));
        let len = (len as usize).min(given.len().max(LONGEST));
        self.spend(len as u64);
        let start = self.items.len();
        for index in 0..len {
            let item = given.get(index).copied().unwrap_or_default();
            let encoded = self.slot(element, self.plan.element(element, item));
            self.items.push(encoded);
        }
        self.close_list(start)
    }

    fn map(&mut self, slot: Slot, value: Value<'a>) -> Value<'a> {
        self.spend(content(value));
        let start = self.entries.len();
        let object = entries(Some(value));
        let given = object.entries();
        if given.is_sorted_by_key(|entry| entry.key) {
            given.iter().for_each(|entry| self.entry(slot, *entry));
        } else {
            object
                .sorted()
                .into_iter()
                .for_each(|entry| self.entry(slot, entry));
        }
        self.close_object(start)
    }

    fn entry(&mut self, slot: Slot, given: Entry<'a>) {
        let value = self.slot(slot, self.plan.element(slot, given.value));
        self.entries.push(Entry {
            key: given.key,
            value,
        });
    }

    fn members(&mut self, node: NodeId, holder: Value<'a>) {
        let plan = self.plan;
        let NodeShape::Struct(members) = &plan.node(node).shape else {
            return;
        };
        let mut near = 0;
        for field in plan.struct_fields(members) {
            let value = plan.member_near(field, holder, &mut near);
            if field.inline {
                if value.is_some() && self.depth < MAX_DEPTH {
                    self.depth += 1;
                    self.members(field.slot.node, holder);
                    self.depth -= 1;
                }
                continue;
            }
            let Some(key) = &field.key else { continue };
            if self.is_left_out(field, value) {
                continue;
            }
            let value = self.member(field, value);
            self.entries.push(Entry { key, value });
        }
    }

    fn member(&mut self, field: &FieldPlan, value: Val<'a>) -> Value<'a> {
        let encoded = self.slot(field.slot, value);
        if !field.as_text || !matches!(self.plan.node(field.slot.node).shape, NodeShape::Scalar(_)) {
            return encoded;
        }
        Value::Str(self.arena.alloc_str(&text_of(encoded)))
    }

    fn close_object(&mut self, start: usize) -> Value<'a> {
        let made = self.arena.alloc_slice_copy(&self.entries[start..]);
        self.entries.truncate(start);
        Value::Object(Object::from_entries(self.arena, made))
    }

    fn close_list(&mut self, start: usize) -> Value<'a> {
        let made = self.arena.alloc_slice_copy(&self.items[start..]);
        self.items.truncate(start);
        Value::Array(made)
    }

    /// A value without a type: floats become integers where Go writes them as such.
    fn untyped(&mut self, value: Value<'a>, order: Order) -> Value<'a> {
        if self.is_settled(value, order) {
            return value;
        }
        let format = Format::default().escape(Escape::Html).order(order);
        self.read_again(&format.to_string(value))
    }

    /// Whether a value without a type is read again as what it is.
    fn is_settled(&mut self, value: Value<'_>, order: Order) -> bool {
        let is_left =
            |value: &Value<'_>| matches!(value, Value::Float(_) | Value::Array(_) | Value::Object(_));
        let mut left: Vec<_> = Some(value).into_iter().filter(is_left).collect();
        while let Some(value) = left.pop() {
            self.spend(content(value));
            match value {
                Value::Object(object) if order == Order::Kept || object.keys().is_sorted() => {
                    left.extend(object.values().filter(is_left));
                }
                Value::Array(items) => left.extend(items.iter().copied().filter(is_left)),
                _ => return false,
            }
        }
        true
    }

    fn read_again(&self, text: &str) -> Value<'a> {
        let text = self.arena.alloc_str(text);
        let options = kindsmith_json::Options::default()
            .big_integers(kindsmith_json::read::BigIntegers::Exact)
            .max_depth(usize::MAX);
        kindsmith_json::read::read(self.arena, text.as_bytes(), options)
            .map_or(Value::Null, |read| read.value)
    }

    fn is_left_out(&self, field: &FieldPlan, value: Val<'_>) -> bool {
        let plan = self.plan;
        let is_zero =
            || value.is_none_or(|value| !field.slot.pointer && plan.is_zero(field.slot.node, value));
        if field.omit_zero && is_zero() {
            return true;
        }
        field.omit_empty
            && match &plan.node(field.slot.node).shape {
                NodeShape::Struct(_) | NodeShape::WellKnown(_) | NodeShape::Unknown => value.is_none(),
                NodeShape::List(_) | NodeShape::Map { .. } if self.empty == Empty::Kept => {
                    value.is_none_or(Value::is_null)
                }
                _ => !plan.is_set(field.slot, value),
            }
    }
}

fn text_of(value: Value<'_>) -> String {
    Format::default().escape(Escape::Html).to_string(value)
}
