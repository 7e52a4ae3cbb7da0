//! Whether values fit their Go types, with encoding/json's messages.

mod scalar;

use std::fmt;

use kindsmith_formats::quantity::Quantity;
use kindsmith_gostd::budget::Batch;
use kindsmith_gostd::duration::Duration;
use kindsmith_gostd::time::{Layout, Time};
use kindsmith_json::Value;
use kindsmith_json::path::{PathBuf, Step};
use kindsmith_schema::WellKnown;

use super::content;
use crate::plan::{FieldPlan, MAX_DEPTH, NodeId, NodeShape, Plan, StructPlan};

/// A value that does not fit its Go type. `Display` is Go's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodeError {
    message: Message,
    path: PathBuf,
    wanted: Wanted,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Message {
    /// Go's `UnmarshalTypeError`.
    Mismatch {
        found: Found,
        /// The Go value or struct field.
        target: String,
    },
    Other(String),
}

/// The JSON value of a mismatch.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Found {
    /// A number, as far as it is known how it was written.
    Number(String),
    /// Go's name for another type of JSON value.
    Type(&'static str),
}

/// What a decoder wanted to read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wanted {
    /// A value of this Go type, as Go writes it.
    GoType(String),
    /// A quantity.
    Quantity,
    /// A point in time.
    Time,
    /// A duration.
    Duration,
    /// Bytes in base64.
    Base64,
    /// Something else, which only the text tells.
    Other,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.message {
            Message::Mismatch { found, target } => {
                write!(out, "json: cannot unmarshal {found} into Go {target}")
            }
            Message::Other(text) => out.write_str(text),
        }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Found::Number(number) => write!(out, "number {number}"),
            Found::Type(name) => out.write_str(name),
        }
    }
}

impl std::error::Error for DecodeError {}

impl DecodeError {
    fn new(message: impl Into<String>, wanted: Wanted) -> Self {
        Self {
            message: Message::Other(message.into()),
            path: PathBuf::default(),
            wanted,
        }
    }

    /// The number that does not fit, if it is one.
    #[must_use]
    pub fn number(&self) -> Option<&str> {
        match &self.message {
            Message::Mismatch {
                found: Found::Number(number),
                ..
            } => Some(number),
            _ => None,
        }
    }

    /// The same error with the number as it was written.
    #[must_use]
    pub fn with_number(mut self, literal: &str) -> Self {
        if let Message::Mismatch {
            found: Found::Number(number),
            ..
        } = &mut self.message
        {
            literal.clone_into(number);
        }
        self
    }

    /// What would have fitted.
    #[must_use]
    pub fn wanted(&self) -> &Wanted {
        &self.wanted
    }

    /// The value that does not fit. Go's text leaves out list indices and map keys; this has them.
    #[must_use]
    pub fn path(&self) -> &PathBuf {
        &self.path
    }
}

impl Plan {
    /// Checks that an object fits the type. Unknown members are ignored;
    /// [`unknown_fields`](Self::unknown_fields) finds them.
    ///
    /// # Errors
    /// The first member that does not fit, as the API server's decoder words it.
    ///
    /// ```
    /// # use kindsmith_engine::Plan;
    /// # use kindsmith_json::{Arena, parse_str};
    /// # use kindsmith_schema::*;
    /// # let mut builder = Builder::default();
    /// # let name = TypeName::new("example.org/api", "Thing");
    /// # let id = builder.declare(&name);
    /// # let fields = vec![Field::new("Size", JsonTag::parse("size"), TypeRef::Scalar(Scalar::Int32))];
    /// # builder.define(id, Type::new(name, Shape::Struct(Struct { fields })));
    /// # let (schema, renumbering) = builder.finish();
    /// # let plan = Plan::compile(&schema, renumbering.ty(id));
    /// let arena = Arena::new();
    /// let object = parse_str(&arena, r#"{"size": "big"}"#)?;
    /// assert_eq!(
    ///     plan.decode(object).unwrap_err().to_string(),
    ///     "json: cannot unmarshal string into Go struct field Thing.size of type int32"
    /// );
    /// # Ok::<(), kindsmith_json::ReadError>(())
    /// ```
    pub fn decode(&self, object: Value<'_>) -> Result<(), DecodeError> {
        let mut decoder = Decoder {
            plan: self,
            holder: None,
            path: Vec::new(),
            saved: None,
            depth: 0,
            batch: Batch::default(),
        };
        match decoder.value(self.root, object) {
            Ok(()) => decoder.saved.map_or(Ok(()), Err),
            Err(error) => Err(decoder.placed(error)),
        }
    }
}

/// Walks values in written order. Go remembers the first value of a wrong kind and continues, but stops at
/// once where a type's own decoder fails.
struct Decoder<'p, 'v> {
    plan: &'p Plan,
    /// The struct whose field is being read.
    holder: Option<NodeId>,
    path: Vec<Crumb<'p, 'v>>,
    saved: Option<DecodeError>,
    depth: usize,
    batch: Batch,
}

/// A step of the path.
enum Crumb<'p, 'v> {
    /// A JSON name, and the embedded structs that it comes from, if any.
    Field {
        embedded: Option<&'p str>,
        name: &'p str,
    },
    Index(usize),
    Key(&'v str),
}

impl<'p, 'v> Decoder<'p, 'v> {
    fn value(&mut self, node: NodeId, value: Value<'v>) -> Result<(), DecodeError> {
        if value.is_null() {
            return self.null(node);
        }
        if self.depth >= MAX_DEPTH {
            return Err(DecodeError::new("nested too deeply", Wanted::Other));
        }
        self.depth += 1;
        self.batch.spend(content(value));
        let plan = self.plan;
        let result = match (&plan.node(node).shape, value) {
            (NodeShape::Scalar(scalar), value) => {
                self.scalar(*scalar, node, value);
                Ok(())
            }
            (NodeShape::Struct(members), Value::Object(_)) => self.members(node, members, value),
            (NodeShape::Map { value: entry, .. }, Value::Object(object)) => object
                .into_iter()
                .try_for_each(|(key, value)| self.below(Crumb::Key(key), entry.node, value)),
            (NodeShape::List(element) | NodeShape::Array { element, .. }, Value::Array(items)) => {
                let mut items = items.iter().enumerate();
                items.try_for_each(|(index, item)| self.below(Crumb::Index(index), element.node, *item))
            }
            (NodeShape::Bytes, value) => {
                self.bytes(node, value);
                Ok(())
            }
            (NodeShape::WellKnown(known), value) => self.well_known(*known, value),
            (NodeShape::Any | NodeShape::Unknown, _) => Ok(()),
            (
                NodeShape::Struct(_) | NodeShape::Map { .. } | NodeShape::List(_) | NodeShape::Array { .. },
                value,
            ) => {
                self.mismatch(Found::Type(value.go_json_name()), node);
                Ok(())
            }
        };
        self.depth -= 1;
        result
    }

    /// An element of a list or a map. The path keeps the step of one that stops the decoding.
    fn below(&mut self, step: Crumb<'p, 'v>, node: NodeId, value: Value<'v>) -> Result<(), DecodeError> {
        self.path.push(step);
        self.value(node, value)?;
        self.path.pop();
        Ok(())
    }

    /// Null changes nothing, unless a type's own decoder rejects it.
    fn null(&self, node: NodeId) -> Result<(), DecodeError> {
        match self.plan.node(node).shape {
            NodeShape::WellKnown(WellKnown::Duration) => {
                Err(DecodeError::new("time: invalid duration \"\"", Wanted::Duration))
            }
            _ => Ok(()),
        }
    }

    fn members(
        &mut self,
        node: NodeId,
        members: &'p StructPlan,
        value: Value<'v>,
    ) -> Result<(), DecodeError> {
        let plan = self.plan;
        let outer = self.holder;
        for (key, value) in value.as_object().unwrap_or_default() {
            let Ok(found) = members.keys.binary_search_by(|(known, _)| (**known).cmp(key)) else {
                continue;
            };
            let field = plan.field(members.keys[found].1);
            self.holder = Some(node);
            let through = members.embedded.iter().find(|(known, _)| **known == *key);
            self.path.push(Crumb::Field {
                embedded: through.map(|(_, names)| &**names),
                name: field.key.as_deref().unwrap_or_default(),
            });
            self.member(field, value)?;
            self.path.pop();
            self.holder = outer;
        }
        Ok(())
    }

    fn member(&mut self, field: &'p FieldPlan, value: Value<'v>) -> Result<(), DecodeError> {
        let node = field.slot.node;
        // A nil pointer stays nil; the type's decoder runs only for a value.
        if field.slot.pointer && value.is_null() {
            return Ok(());
        }
        if field.as_text && matches!(self.plan.node(node).shape, NodeShape::Scalar(_)) {
            return self.texted(node, value);
        }
        self.value(node, value)
    }

    fn bytes(&mut self, node: NodeId, value: Value<'_>) {
        match value {
            Value::Str(text) => {
                if let Err(error) = kindsmith_gostd::base64::check(text.as_bytes()) {
                    self.save(DecodeError::new(error.to_string(), Wanted::Base64));
                }
            }
            Value::Array(_) => {}
            other => self.mismatch(Found::Type(other.go_json_name()), node),
        }
    }

    fn well_known(&mut self, known: WellKnown, value: Value<'_>) -> Result<(), DecodeError> {
        match (known, value) {
            (WellKnown::Time, Value::Str(text)) => time(Layout::Rfc3339, text),
            (WellKnown::MicroTime, Value::Str(text)) => time(Layout::Rfc3339Micro, text),
            (WellKnown::Duration, Value::Str(text)) => match Duration::parse(text) {
                Ok(_) => Ok(()),
                Err(error) => Err(DecodeError::new(error.to_string(), Wanted::Duration)),
            },
            (WellKnown::Time | WellKnown::MicroTime | WellKnown::Duration, other) => {
                Err(self.mismatch_error(Found::Type(other.go_json_name()), "string"))
            }
            (WellKnown::Quantity, value) => {
                let parsed = match value {
                    Value::Str(text) => Quantity::parse(text.trim()),
                    other => Quantity::parse(&kindsmith_json::to_string(other)),
                };
                parsed
                    .map(drop)
                    .map_err(|error| DecodeError::new(error.to_string(), Wanted::Quantity))
            }
            (WellKnown::IntOrString, Value::Str(_)) => Ok(()),
            (WellKnown::IntOrString, Value::Int(number)) if i32::try_from(number).is_ok() => Ok(()),
            (WellKnown::IntOrString, other) => Err(self.mismatch_error(scalar::found(other), "int32")),
            _ => Ok(()),
        }
    }

    fn mismatch(&mut self, found: Found, node: NodeId) {
        let error = self.mismatch_error(found, &self.plan.node(node).go_name);
        self.save(error);
    }

    fn save(&mut self, error: DecodeError) {
        if self.saved.is_none() {
            self.saved = Some(self.placed(error));
        }
    }

    fn placed(&self, mut error: DecodeError) -> DecodeError {
        error.path = self
            .path
            .iter()
            .map(|crumb| match crumb {
                Crumb::Field { name, .. } => Step::Field((*name).into()),
                Crumb::Index(index) => Step::Index(*index),
                Crumb::Key(key) => Step::Key((*key).into()),
            })
            .collect();
        error
    }

    /// Go's `UnmarshalTypeError`.
    fn mismatch_error(&self, found: Found, go_type: &str) -> DecodeError {
        DecodeError {
            message: Message::Mismatch {
                found,
                target: self.target(go_type),
            },
            path: PathBuf::default(),
            wanted: Wanted::GoType(go_type.to_owned()),
        }
    }

    /// The Go value or struct field that is decoded.
    fn target(&self, go_type: &str) -> String {
        let Some(holder) = self.holder else {
            return format!("value of type {go_type}");
        };
        let holder = &self.plan.node(holder).go_name;
        let holder = holder.rsplit('.').next().unwrap_or_default();
        let path: Vec<&str> = self
            .path
            .iter()
            .filter_map(|crumb| match crumb {
                Crumb::Field { embedded, name } => Some(embedded.iter().copied().chain([*name])),
                Crumb::Index(_) | Crumb::Key(_) => None,
            })
            .flatten()
            .collect();
        format!("struct field {holder}.{} of type {go_type}", path.join("."))
    }
}

fn time(layout: Layout, text: &str) -> Result<(), DecodeError> {
    match Time::parse(layout, text) {
        Ok(_) => Ok(()),
        Err(error) => Err(DecodeError::new(error.to_string(), Wanted::Time)),
    }
}
