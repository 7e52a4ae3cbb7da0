//! Values of types: small, full and random ones, with values at the edge of rules where those are known.

use std::collections::HashMap;

use kindsmith_schema::{FieldId, Scalar, Schema, Shape, TypeId, TypeRef, WellKnown};
use serde_json::{Map, Value as Json, json};

use crate::validation::Step;

/// Structs inside each other.
const DEEPEST: usize = 7;

/// Numbers from a seed.
#[derive(Debug, Clone)]
pub(super) struct Draw(pub(super) u64);

impl Draw {
    /// A number below another.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let high = usize::try_from(self.0 >> 33).unwrap_or_default();
        high % limit.max(1)
    }

    /// Whether something happens that happens so often in a hundred.
    pub(super) fn percent(&mut self, often: usize) -> bool {
        self.below(100) < often
    }
}

/// How much of a value is filled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fill {
    /// Nothing that can be left out.
    Small,
    /// Every field once.
    Full,
    Random,
}

/// Values for a place: a field, then items and keys inside it.
pub(super) type Pools = HashMap<(FieldId, Vec<Step>), Vec<Json>>;

pub(super) struct Maker<'s> {
    pub(super) schema: &'s Schema,
    pub(super) pools: Pools,
    pub(super) draw: Draw,
}

impl Maker<'_> {
    /// A value of a type at a place.
    pub(super) fn value(
        &mut self,
        ty: &TypeRef,
        at: Option<&(FieldId, Vec<Step>)>,
        fill: Fill,
        depth: usize,
    ) -> Json {
        if fill == Fill::Random
            && let Some(pool) = at.and_then(|at| self.pools.get(at))
            && !pool.is_empty()
            && self.draw.percent(60)
        {
            return pool[self.draw.below(pool.len())].clone();
        }
        match ty {
            TypeRef::Pointer(inner) => self.value(inner, at, fill, depth),
            TypeRef::Named(id) => self.named(*id, at, fill, depth),
            TypeRef::Scalar(scalar) => self.scalar(*scalar, fill),
            TypeRef::List(of) | TypeRef::Array(_, of) => self.list(of, at, fill, depth),
            TypeRef::Map(key, of) => self.map(key, of, at, fill, depth),
            TypeRef::Any { .. } | TypeRef::Interface | TypeRef::Unsupported { .. } => Json::Null,
        }
    }

    fn named(&mut self, id: TypeId, at: Option<&(FieldId, Vec<Step>)>, fill: Fill, depth: usize) -> Json {
        let ty = self.schema.ty(id);
        if let Some(known) = WellKnown::named(&ty.name) {
            return self.known(known, fill);
        }
        let constants = self.constants(id);
        if !constants.is_empty() {
            return match fill {
                Fill::Random if self.draw.percent(15) => json!("Bogus"),
                Fill::Random => constants[self.draw.below(constants.len())].clone(),
                Fill::Small | Fill::Full => constants[0].clone(),
            };
        }
        match &ty.shape {
            Shape::Def(of) | Shape::Alias(of) => {
                let of = of.clone();
                self.value(&of, at, fill, depth)
            }
            Shape::Struct(_) => self.object(id, fill, depth + 1),
            Shape::Hole => Json::Null,
        }
    }

    /// The constants of a type of texts.
    pub(super) fn constants(&self, id: TypeId) -> Vec<Json> {
        let arena = kindsmith_json::Arena::new();
        let constants = self.schema.ty(id).constants.iter();
        let texts = constants.filter_map(|constant| {
            let text = constant.value.as_ref()?.value(&arena).as_str()?.to_owned();
            Some(json!(text))
        });
        texts.collect()
    }

    /// A struct.
    pub(super) fn object(&mut self, id: TypeId, fill: Fill, depth: usize) -> Json {
        let mut made = Map::new();
        self.members(id, fill, depth, &mut made);
        Json::Object(made)
    }

    fn members(&mut self, id: TypeId, fill: Fill, depth: usize, made: &mut Map<String, Json>) {
        if depth > DEEPEST {
            return;
        }
        let schema = self.schema;
        for (field_id, field) in schema.fields(id) {
            if field.is_inline() {
                if let Some(inner) = struct_of(schema, &field.ty)
                    && !is_meta(schema, inner)
                {
                    self.members(inner, fill, depth + 1, made);
                }
                continue;
            }
            let Some(name) = field.json_name() else { continue };
            if is_object_meta(schema, &field.ty) {
                if depth <= 1 {
                    made.insert(name.to_owned(), json!({"name": "sample", "namespace": "default"}));
                }
                continue;
            }
            let is_left_out = match fill {
                Fill::Small => true,
                Fill::Full => depth > 4,
                Fill::Random => self.draw.percent(35),
            };
            if is_left_out {
                continue;
            }
            let value = self.value(&field.ty, Some(&(field_id, Vec::new())), fill, depth);
            if !value.is_null() {
                made.insert(name.to_owned(), value);
            }
        }
    }

    fn list(&mut self, of: &TypeRef, at: Option<&(FieldId, Vec<Step>)>, fill: Fill, depth: usize) -> Json {
        if matches!(of, TypeRef::Scalar(Scalar::Byte | Scalar::Uint8)) {
            return json!("YQ==");
        }
        let count = match fill {
            Fill::Small => 0,
            Fill::Full => 1,
            Fill::Random => self.draw.below(3),
        };
        let at = at.map(|(field, steps)| (*field, inside(steps, Step::Item)));
        let items: Vec<Json> = (0..count)
            .map(|_| self.value(of, at.as_ref(), fill, depth))
            .collect();
        Json::Array(items.into_iter().filter(|item| !item.is_null()).collect())
    }

    fn map(
        &mut self,
        key: &TypeRef,
        of: &TypeRef,
        at: Option<&(FieldId, Vec<Step>)>,
        fill: Fill,
        depth: usize,
    ) -> Json {
        let count = match fill {
            Fill::Small => 0,
            Fill::Full => 1,
            Fill::Random => self.draw.below(3),
        };
        let keys = at.map(|(field, steps)| (*field, inside(steps, Step::Key)));
        let values = at.map(|(field, steps)| (*field, inside(steps, Step::Item)));
        let mut made = Map::new();
        for _ in 0..count {
            let key = match self.value(key, keys.as_ref(), fill, depth) {
                Json::String(text) => text,
                other => other.to_string(),
            };
            let value = self.value(of, values.as_ref(), fill, depth);
            if !value.is_null() {
                made.insert(key, value);
            }
        }
        Json::Object(made)
    }

    fn scalar(&mut self, scalar: Scalar, fill: Fill) -> Json {
        let is_random = fill == Fill::Random;
        match scalar {
            Scalar::Bool => json!(!is_random || self.draw.percent(50)),
            Scalar::String if is_random => json!(TEXTS[self.draw.below(TEXTS.len())]),
            Scalar::String => json!("abc"),
            Scalar::Float32 | Scalar::Float64 => json!(1.5),
            _ if is_random => json!([0, 1, 2, 3, 80][self.draw.below(5)]),
            _ => json!(1),
        }
    }

    fn known(&mut self, known: WellKnown, fill: Fill) -> Json {
        let is_other = fill == Fill::Random && self.draw.percent(40);
        match known {
            WellKnown::Time | WellKnown::MicroTime => json!("2026-01-02T03:04:05Z"),
            WellKnown::Duration => json!(if is_other { "0s" } else { "30s" }),
            WellKnown::Quantity => json!(if is_other { "0" } else { "1" }),
            WellKnown::IntOrString if is_other => json!("50%"),
            WellKnown::IntOrString => json!(1),
            WellKnown::RawExtension => json!({}),
            _ => Json::Null,
        }
    }
}

/// Texts that formats take and refuse.
pub(super) const TEXTS: &[&str] = &[
    "",
    "a",
    "abc",
    "ABC",
    "a.b",
    "a_b",
    "-a",
    "a-",
    "a b",
    "a/b",
    "example.com/abc",
    "example.com/ABC",
    "example.com",
    "kubernetes.io/abc",
    "example.com/a/b",
    "123e4567-e89b-12d3-a456-426614174000",
    "123E4567-E89B-12D3-A456-426614174000",
    "10.0.0.1",
    "é",
    "a.b/c.d",
];

pub(super) fn inside(steps: &[Step], step: Step) -> Vec<Step> {
    let mut made = steps.to_vec();
    made.push(step);
    made
}

/// The struct behind names and pointers.
pub(super) fn struct_of(schema: &Schema, ty: &TypeRef) -> Option<TypeId> {
    let mut at = ty.clone();
    for _ in 0..32 {
        at = match at {
            TypeRef::Pointer(inner) => *inner,
            TypeRef::Named(id) => match &schema.ty(id).shape {
                Shape::Def(of) | Shape::Alias(of) => of.clone(),
                Shape::Struct(_) => return Some(id),
                Shape::Hole => return None,
            },
            _ => return None,
        };
    }
    None
}

fn is_meta(schema: &Schema, id: TypeId) -> bool {
    let known = WellKnown::named(&schema.ty(id).name);
    matches!(known, Some(WellKnown::TypeMeta | WellKnown::ListMeta))
}

fn is_object_meta(schema: &Schema, ty: &TypeRef) -> bool {
    struct_of(schema, ty)
        .is_some_and(|id| WellKnown::named(&schema.ty(id).name) == Some(WellKnown::ObjectMeta))
}
