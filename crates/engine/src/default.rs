//! Defaulting: fills in absent values of an object.
//!
//! [`Profile::Upstream`] behaves like the code that defaulter-gen emits: a value field that is zero counts as
//! absent, because Go cannot tell the two apart; typedef defaults reach pointers, list elements and map
//! values but not value fields; nothing below a map is filled. [`Profile::Kep`] follows KEP-1929: defaults reach any depth. Must not
//! know tags.

mod kep;

use kindsmith_gostd::budget::Batch;
use kindsmith_json::{Arena, Object, ObjectEdit, Path, Value};
use kindsmith_schema::TypeId;

use crate::plan::{
    DefaultIx, DefaultNode, DefaultValue, ElementDefault, MAX_DEPTH, MemberDefault, Plan, Slot,
};
use crate::value::get_near;
use kindsmith_checks::Profile;
use kindsmith_object::{Event, NoTrace, Trace};

/// Hand-written defaulting functions, by type. They run before the defaults of the type's own fields.
pub trait Hooks {
    /// Returns the changed value, or the given one when there is nothing to change.
    fn default<'a>(&self, ty: TypeId, arena: &'a Arena, value: Value<'a>) -> Value<'a>;
}

/// No hand-written functions.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoHooks;

impl Hooks for NoHooks {
    fn default<'a>(&self, _: TypeId, _: &'a Arena, value: Value<'a>) -> Value<'a> {
        value
    }
}

/// How an object is defaulted.
#[derive(Clone, Copy)]
pub struct Defaulting<'h> {
    /// Hand-written functions; called only for the types named when the plan was compiled.
    pub hooks: &'h dyn Hooks,
    /// The `DeclarativeDefaults` switch: whether defaults written as tags apply.
    pub declarative: bool,
}

impl Default for Defaulting<'_> {
    fn default() -> Self {
        Self {
            hooks: &NoHooks,
            declarative: true,
        }
    }
}

impl std::fmt::Debug for Defaulting<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Defaulting")
            .field("declarative", &self.declarative)
            .finish_non_exhaustive()
    }
}

impl Plan {
    /// Fills in defaults. The result may borrow from the plan.
    ///
    /// ```
    /// # use kindsmith_engine::Plan;
    /// # use kindsmith_json::{Arena, parse_str, to_string};
    /// # use kindsmith_schema::*;
    /// # let mut builder = Builder::default();
    /// # let name = TypeName::new("example.org/api", "Thing");
    /// # let id = builder.declare(&name);
    /// # let mut field = Field::new("Size", JsonTag::parse("size,omitempty"), TypeRef::Scalar(Scalar::Int32));
    /// # field.default = Some(Default::Value(Json::parse("3").unwrap()));
    /// # builder.define(id, Type::new(name, Shape::Struct(Struct { fields: vec![field] })));
    /// # let (schema, renumbering) = builder.finish();
    /// # let plan = Plan::compile(&schema, renumbering.ty(id));
    /// // type Thing struct {
    /// //     // +default=3
    /// //     Size int32 `json:"size,omitempty"`
    /// // }
    /// let arena = Arena::new();
    /// let object = plan.default(&arena, parse_str(&arena, r#"{"size": 0}"#)?);
    /// assert_eq!(to_string(object), r#"{"size":3}"#);
    /// # Ok::<(), kindsmith_json::ReadError>(())
    /// ```
    #[must_use]
    pub fn default<'a>(&'a self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        self.default_traced(arena, object, &Defaulting::default(), &mut NoTrace)
    }

    /// Fills in defaults with hand-written functions, and reports each step to the trace.
    pub fn default_traced<'a, T: Trace>(
        &'a self,
        arena: &'a Arena,
        object: Value<'a>,
        how: &Defaulting<'_>,
        trace: &mut T,
    ) -> Value<'a> {
        let mut fill = Fill {
            plan: self,
            arena,
            how,
            depth: 0,
            batch: Batch::default(),
            trace,
        };
        if self.profile == Profile::Kep {
            return if how.declarative { fill.kep(object) } else { object };
        }
        match self.defaults.root {
            Some(root) => fill.value(root, object, &Path::NIL),
            None => object,
        }
    }
}

/// State of one defaulting run.
struct Fill<'f, 'a, T> {
    plan: &'a Plan,
    arena: &'a Arena,
    how: &'f Defaulting<'f>,
    depth: usize,
    batch: Batch,
    trace: &'f mut T,
}

/// An object and the changes made to it so far.
struct Editing<'a> {
    base: Object<'a>,
    edit: Option<ObjectEdit<'a>>,
    near: usize,
}

impl<'a, T: Trace> Fill<'_, 'a, T> {
    /// Defaults a value; an absent struct is passed as null.
    fn value(&mut self, ix: DefaultIx, value: Value<'a>, path: &Path<'_>) -> Value<'a> {
        if self.depth >= MAX_DEPTH {
            return value;
        }
        self.depth += 1;
        let arena = self.arena;
        self.batch.spend_in(1, || arena.allocated_bytes());
        let node = &self.plan.defaults.nodes[ix.0 as usize];
        let value = self.hooks(node, value, path);
        let filled = match &node.element {
            None => self.object(node, value, path),
            Some(element) => self.elements(element, value, path),
        };
        self.depth -= 1;
        filled
    }

    fn hooks(&mut self, node: &'a DefaultNode, mut value: Value<'a>, path: &Path<'_>) -> Value<'a> {
        for ty in &node.hooks {
            let changed = self.how.hooks.default(*ty, self.arena, value);
            if T::ON && changed != value {
                self.trace.event(Event::Hooked { path });
            }
            value = changed;
        }
        value
    }

    fn object(&mut self, node: &'a DefaultNode, value: Value<'a>, path: &Path<'_>) -> Value<'a> {
        if node.members.is_empty() {
            return value;
        }
        let base = match value {
            Value::Object(object) => object,
            Value::Null => Object::EMPTY,
            // A value that is not an object does not fit the type; it stays as it is.
            other => return other,
        };
        let mut editing = Editing {
            base,
            edit: None,
            near: 0,
        };
        self.members(node, &mut editing, path);
        let filled = editing.now();
        if std::ptr::eq(filled.entries(), base.entries()) {
            return value;
        }
        Value::Object(filled)
    }

    fn members(&mut self, node: &'a DefaultNode, editing: &mut Editing<'a>, path: &Path<'_>) {
        for member in &node.members {
            let field = self.plan.field(member.field);
            if field.inline {
                self.inline(member, editing, path);
                continue;
            }
            let Some(key) = &field.key else { continue };
            let path = path.child(&field.name);
            let given = editing.get(key);
            let mut value = given;
            if field.as_text {
                value = value.and_then(|value| self.plan.nilable(field, Some(value)));
            }
            let mut changed = false;
            if let Some(default) = &member.value
                && self.is_open(default, field.slot, value)
            {
                value = Some(self.filled(default, &path));
                changed = true;
            }
            let absent = matches!(value, None | Some(Value::Null));
            if let Some(below) = member.below
                && !(absent && field.slot.pointer)
            {
                let before = value.unwrap_or_default();
                let filled = self.value(below, before, &path);
                if !is_same(before, filled) {
                    value = Some(filled);
                    changed = true;
                }
            }
            if let Some(value) = value.filter(|_| changed) {
                editing.set(self.arena, key, value);
            }
        }
    }

    fn inline(&mut self, member: &MemberDefault, editing: &mut Editing<'a>, path: &Path<'_>) {
        let field = self.plan.field(member.field);
        let holder = editing.now();
        if self.plan.member(field, Value::Object(holder)).is_none() {
            return;
        }
        let Some(below) = member.below else { return };
        let node = &self.plan.defaults.nodes[below.0 as usize];
        if !node.hooks.is_empty()
            && let Value::Object(changed) = self.hooks(node, Value::Object(holder), path)
        {
            *editing = Editing {
                base: changed,
                edit: Some(changed.edit(self.arena)),
                near: 0,
            };
        }
        if self.depth < MAX_DEPTH {
            self.depth += 1;
            self.members(node, editing, path);
            self.depth -= 1;
        }
    }

    fn elements(&mut self, element: &'a ElementDefault, value: Value<'a>, path: &Path<'_>) -> Value<'a> {
        match self.padded(element, value) {
            Value::Array(items) => {
                let mut edit = kindsmith_json::ArrayEdit::new(self.arena, items);
                for (index, &item) in items.iter().enumerate() {
                    let filled = self.element(element, item, &path.index(index));
                    if !is_same(item, filled) {
                        edit.set(index, filled);
                    }
                }
                Value::Array(edit.finish())
            }
            Value::Object(object) => {
                let mut edit = object.edit(self.arena);
                for (index, (key, entry)) in object.iter().enumerate() {
                    let filled = self.element(element, entry, &path.key(key));
                    if !is_same(entry, filled) {
                        edit.set(index, filled);
                    }
                }
                Value::Object(edit.finish())
            }
            other => other,
        }
    }

    /// An array of fixed length always has all its elements, however many were given.
    fn padded(&self, element: &ElementDefault, value: Value<'a>) -> Value<'a> {
        let given = value.as_array().unwrap_or(&[]);
        let missing = element.array_len.saturating_sub(given.len());
        if missing == 0 || !matches!(value, Value::Array(_) | Value::Null) {
            return value;
        }
        let all = given
            .iter()
            .copied()
            .chain(std::iter::repeat_n(Value::Null, missing));
        Value::Array(self.arena.alloc_slice_fill_iter(all.collect::<Vec<_>>()))
    }

    fn element(&mut self, element: &'a ElementDefault, item: Value<'a>, path: &Path<'_>) -> Value<'a> {
        let mut item = item;
        if let Some(default) = &element.value
            && self.is_open(default, element.slot, Some(item))
        {
            item = self.filled(default, path);
        }
        match element.below {
            Some(below) if !(item.is_null() && element.slot.pointer) => self.value(below, item, path),
            _ => item,
        }
    }

    /// Does the default apply: is there no value yet?
    fn is_open(&self, default: &DefaultValue, slot: Slot, value: Option<Value<'a>>) -> bool {
        if !self.how.declarative {
            return false;
        }
        match value {
            None | Some(Value::Null) => true,
            Some(_) if !default.replaces_zero => false,
            Some(Value::Str(text)) => text.is_empty(),
            Some(Value::Int(number)) => number == 0,
            Some(value) => self.plan.is_zero(slot.node, value),
        }
    }

    fn filled(&mut self, default: &'a DefaultValue, path: &Path<'_>) -> Value<'a> {
        let value = default.value(self.arena);
        if T::ON {
            self.trace.event(Event::Defaulted {
                path,
                source: default.source,
                value,
            });
        }
        value
    }
}

impl<'a> Editing<'a> {
    fn get(&mut self, key: &str) -> Option<Value<'a>> {
        match &mut self.edit {
            Some(edit) => edit.get(key),
            None => get_near(self.base, key, &mut self.near),
        }
    }

    fn set(&mut self, arena: &'a Arena, key: &'a str, value: Value<'a>) {
        let base = self.base;
        self.edit
            .get_or_insert_with(|| base.edit(arena))
            .insert(key, value);
    }

    /// The object with its changes. Values are immutable, so this builds a new one.
    fn now(&mut self) -> Object<'a> {
        if let Some(edit) = self.edit.take() {
            self.base = edit.finish();
            self.near = 0;
        }
        self.base
    }
}

/// Are both the very same value? Passes return their input where they change nothing.
fn is_same(left: Value<'_>, right: Value<'_>) -> bool {
    match (left, right) {
        (Value::Array(left), Value::Array(right)) => std::ptr::eq(left, right),
        (Value::Object(left), Value::Object(right)) => std::ptr::eq(left.entries(), right.entries()),
        (Value::Array(_) | Value::Object(_), _) | (_, Value::Array(_) | Value::Object(_)) => false,
        (left, right) => left == right,
    }
}
