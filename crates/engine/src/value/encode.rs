//! Encodes values as Go's encoding/json does: members in declaration order, `omitempty`, HTML escapes.

use kindsmith_checks::Profile;
use kindsmith_gostd::budget::Batch;
use kindsmith_gostd::float;
use kindsmith_json::write::{Escape, Format, Order, append_string};
use kindsmith_json::{Arena, Value};
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
    /// # use kindsmith_engine::{Dialect, Plan};
    /// # use kindsmith_json::{Arena, parse_str};
    /// # use kindsmith_schema::*;
    /// # let mut builder = Builder::default();
    /// # let name = TypeName::new("example.org/api", "Thing");
    /// # let id = builder.declare(&name);
    /// # let field = |go: &str, json| Field::new(go, JsonTag::parse(json), TypeRef::Scalar(Scalar::String));
    /// # let fields = vec![field("Name", "name"), field("Note", "note,omitempty")];
    /// # builder.define(id, Type::new(name, Shape::Struct(Struct { fields })));
    /// # let (schema, renumbering) = builder.finish();
    /// # let plan = Plan::compile(&schema, renumbering.ty(id), Dialect::Native);
    /// // type Thing struct { Name string `json:"name"`; Note string `json:"note,omitempty"` }
    /// let arena = Arena::new();
    /// let object = parse_str(&arena, r#"{"other": 1}"#)?;
    /// assert_eq!(plan.encode(object), r#"{"name":""}"#);
    /// # Ok::<(), kindsmith_json::ReadError>(())
    /// ```
    #[must_use]
    pub fn encode(&self, object: Value<'_>) -> String {
        let mut out = String::new();
        self.write_root(object, Empty::LeftOut, &mut out);
        out
    }

    /// Like `encode`, as a value.
    ///
    /// KEP-1929 keeps what is written, so under its profile only unknown members go.
    #[must_use]
    pub fn encoded<'a>(&self, arena: &'a Arena, object: Value<'_>) -> Value<'a> {
        self.rewritten(arena, object, Empty::LeftOut)
    }

    /// The object as Go holds it after decoding: like [`encoded`](Self::encoded), but lists and maps that are written and
    /// empty stay, since Go tells them from absent ones until it encodes them.
    #[must_use]
    pub fn decoded<'a>(&self, arena: &'a Arena, object: Value<'_>) -> Value<'a> {
        self.rewritten(arena, object, Empty::Kept)
    }

    fn write_root(&self, object: Value<'_>, empty: Empty, out: &mut String) {
        let slot = Slot {
            node: self.root,
            pointer: false,
        };
        Encoder {
            plan: self,
            out,
            depth: 0,
            batch: Batch::default(),
            empty,
        }
        .slot(slot, Some(object));
    }

    fn rewritten<'a>(&self, arena: &'a Arena, object: Value<'_>, empty: Empty) -> Value<'a> {
        if self.profile == Profile::Kep {
            return self.prune(arena, object.copy_in(arena));
        }
        let mut text = String::new();
        self.write_root(object, empty, &mut text);
        let text = arena.alloc_str(&text);
        let options = kindsmith_json::Options::default()
            .big_integers(kindsmith_json::read::BigIntegers::Exact)
            .max_depth(usize::MAX);
        kindsmith_json::read::read(arena, text.as_bytes(), options).map_or(Value::Null, |read| read.value)
    }

    /// The bad value of an error that holds a pointer, list, map or struct.
    pub(crate) fn bad_json(&self, slot: Slot, value: Val<'_>) -> BadValue {
        let mut out = String::new();
        Encoder {
            plan: self,
            out: &mut out,
            depth: 0,
            batch: Batch::default(),
            empty: Empty::LeftOut,
        }
        .slot(slot, value);
        BadValue::Json(out.into())
    }
}

/// How empty lists and maps of members with `omitempty` are written.
#[derive(Clone, Copy, PartialEq)]
enum Empty {
    LeftOut,
    Kept,
}

struct Encoder<'p, 'o> {
    plan: &'p Plan,
    out: &'o mut String,
    depth: usize,
    batch: Batch,
    empty: Empty,
}

impl Encoder<'_, '_> {
    fn slot(&mut self, slot: Slot, value: Val<'_>) {
        match value {
            None => self.out.push_str("null"),
            Some(value) => self.value(slot.node, value),
        }
    }

    fn value(&mut self, node: NodeId, value: Value<'_>) {
        if self.depth >= MAX_DEPTH {
            return append_any(value, self.out);
        }
        self.depth += 1;
        let plan = self.plan;
        match (&plan.node(node).shape, value) {
            (NodeShape::Scalar(scalar), value) => self.scalar(*scalar, value),
            (NodeShape::WellKnown(known), value) => well_known::append(*known, value, self.out),
            (NodeShape::Any, value) => append_any(value, self.out),
            (NodeShape::Unknown, Value::Null) => self.out.push_str("{}"),
            (NodeShape::Unknown, value) => append_any(value, self.out),
            (NodeShape::Struct(members), value) => {
                // All members are written, whether they are there or not.
                self.batch.spend(members.len.into());
                self.out.push('{');
                let mut first = true;
                self.members(node, value, &mut first);
                self.out.push('}');
            }
            (NodeShape::Array { len, element }, value) => self.array(*len, *element, value),
            (_, Value::Null) => self.out.push_str("null"),
            (NodeShape::Bytes, value) => {
                let encoded = kindsmith_gostd::base64::encode(&super::equal::bytes(value));
                append_string(self.out, &encoded, Escape::Html);
            }
            (NodeShape::List(element), value) => self.list(*element, value),
            (NodeShape::Map { value: entry, .. }, value) => self.map(*entry, value),
        }
        self.depth -= 1;
    }

    fn scalar(&mut self, scalar: Scalar, value: Value<'_>) {
        match scalar {
            Scalar::String => append_string(self.out, text(value), Escape::Html),
            Scalar::Bool => self.out.push_str(if value == Value::Bool(true) {
                "true"
            } else {
                "false"
            }),
            Scalar::Float64 => {
                let text = float::format_f64_json(value.as_f64().unwrap_or(0.0));
                self.out.push_str(text.as_deref().unwrap_or("null"));
            }
            Scalar::Float32 => {
                let text = float::format_f32_json(value.as_f64().unwrap_or(0.0) as f32);
                self.out.push_str(text.as_deref().unwrap_or("null"));
            }
            _ => self.out.push_str(&integer(value).to_string()),
        }
    }

    fn list(&mut self, element: Slot, value: Value<'_>) {
        self.batch.spend(content(value));
        self.out.push('[');
        for (index, &item) in items(Some(value)).iter().enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            self.slot(element, self.plan.element(element, item));
        }
        self.out.push(']');
    }

    /// Arrays are padded with zero values, up to this length. No API writes out a longer one.
    fn array(&mut self, len: u32, element: Slot, value: Value<'_>) {
        const LONGEST: usize = 4096;
        let given = items(Some(value));
        let len = (len as usize).min(given.len().max(LONGEST));
        self.batch.spend(len as u64);
        self.out.push('[');
        for index in 0..len {
            if index > 0 {
                self.out.push(',');
            }
            let item = given.get(index).copied().unwrap_or_default();
            self.slot(element, self.plan.element(element, item));
        }
        self.out.push(']');
    }

    fn map(&mut self, slot: Slot, value: Value<'_>) {
        self.batch.spend(content(value));
        self.out.push('{');
        let mut first = true;
        let mut sorted: Vec<_> = entries(Some(value)).iter().collect();
        sorted.sort_unstable_by_key(|(key, _)| *key);
        for (key, entry) in sorted {
            if !std::mem::take(&mut first) {
                self.out.push(',');
            }
            append_string(self.out, key, Escape::Html);
            self.out.push(':');
            self.slot(slot, self.plan.element(slot, entry));
        }
        self.out.push('}');
    }

    fn members(&mut self, node: NodeId, holder: Value<'_>, first: &mut bool) {
        let plan = self.plan;
        let NodeShape::Struct(members) = &plan.node(node).shape else {
            return;
        };
        for field in plan.struct_fields(members) {
            let value = plan.member(field, holder);
            if field.inline {
                if value.is_some() && self.depth < MAX_DEPTH {
                    self.depth += 1;
                    self.members(field.slot.node, holder, first);
                    self.depth -= 1;
                }
                continue;
            }
            let Some(key) = &field.key else { continue };
            if self.is_left_out(field, value) {
                continue;
            }
            if !std::mem::take(first) {
                self.out.push(',');
            }
            append_string(self.out, key, Escape::Html);
            self.out.push(':');
            self.member(field, value);
        }
    }

    fn member(&mut self, field: &FieldPlan, value: Val<'_>) {
        if !field.as_text || !matches!(self.plan.node(field.slot.node).shape, NodeShape::Scalar(_)) {
            return self.slot(field.slot, value);
        }
        let start = self.out.len();
        self.slot(field.slot, value);
        let text = self.out.split_off(start);
        append_string(self.out, &text, Escape::Html);
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

/// Appends a free-form value; Go sorts the keys of its maps.
fn append_any(value: Value<'_>, out: &mut String) {
    Format::default()
        .escape(Escape::Html)
        .order(Order::Sorted)
        .append(out, value);
}
