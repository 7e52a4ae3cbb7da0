//! Random objects of a type, as JSON text that Go would decode into it.

use std::fmt::Write as _;

use kindsmith_schema::{Field, Scalar, Schema, Shape, TypeId, TypeRef, WellKnown};

/// How deep objects nest.
const DEPTH: usize = 9;

/// A simple random number generator (splitmix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len() as u64) as usize]
    }
}

/// A random object of a type, with a kind and an API version.
pub(crate) fn object(schema: &Schema, id: TypeId, random: &mut Random) -> String {
    let name = &schema.ty(id).name.name;
    let mut out = format!("{{\"kind\":\"{name}\",\"apiVersion\":\"v1\"");
    let mut sampler = Sampler {
        schema,
        random,
        out: &mut out,
        depth: 0,
    };
    sampler.members(id, &mut false);
    out.push('}');
    out
}

struct Sampler<'a> {
    schema: &'a Schema,
    random: &'a mut Random,
    out: &'a mut String,
    depth: usize,
}

impl Sampler<'_> {
    fn structure(&mut self, id: TypeId) {
        self.out.push('{');
        let mut first = true;
        self.members(id, &mut first);
        self.out.push('}');
    }

    fn members(&mut self, id: TypeId, first: &mut bool) {
        let schema = self.schema;
        for field in schema.ty(id).fields() {
            self.member(field, first);
        }
    }

    fn member(&mut self, field: &Field, first: &mut bool) {
        if field.protobuf.is_none() {
            return;
        }
        if field.is_inline() {
            if let TypeRef::Named(id) = self.schema.view().unalias(&field.ty) {
                self.members(*id, first);
            }
            return;
        }
        // The deeper, the fewer members.
        let rare = if self.depth < 3 { 2 } else { 3 + self.depth as u64 };
        let Some(name) = field.json_name().filter(|_| self.random.below(rare) == 0) else {
            return;
        };
        if !std::mem::replace(first, false) {
            self.out.push(',');
        }
        write!(self.out, "{name:?}:").expect("text can be written");
        self.value(&field.ty);
    }

    fn value(&mut self, ty: &TypeRef) {
        let view = self.schema.view();
        if let TypeRef::Named(id) = view.unalias(ty) {
            if let Some(known) = self.schema.ty(*id).well_known.filter(|known| known.is_opaque()) {
                return self.known(known);
            }
            if let Some(text) = self.several_forms(*id) {
                return self.out.push_str(&text);
            }
        }
        match view.underlying(ty) {
            TypeRef::Named(id) => self.nested(*id),
            TypeRef::Scalar(scalar) => self.scalar(*scalar),
            TypeRef::Pointer(inner) => self.value(inner),
            TypeRef::List(inner) => self.list(inner),
            TypeRef::Map(_, inner) => self.map(inner),
            _ => self.out.push_str("null"),
        }
    }

    /// A value of a union type of schemas.
    fn several_forms(&mut self, id: TypeId) -> Option<String> {
        let name = &*self.schema.ty(id).name.name;
        let choices: &[&str] = match name {
            "JSONSchemaPropsOrBool" => &["true", "false", r#"{"type":"string"}"#],
            "JSONSchemaPropsOrArray" => &[r#"{"type":"integer"}"#, r#"[{"type":"string"},{}]"#],
            "JSONSchemaPropsOrStringArray" => &[r#"["a","b"]"#, r#"{"format":"x"}"#],
            _ => return None,
        };
        Some(self.random.pick(choices).to_owned())
    }

    fn nested(&mut self, id: TypeId) {
        if self.depth >= DEPTH {
            return self.out.push_str("{}");
        }
        self.depth += 1;
        self.structure(id);
        self.depth -= 1;
    }

    fn list(&mut self, inner: &TypeRef) {
        if let TypeRef::Scalar(Scalar::Byte | Scalar::Uint8) = self.schema.view().underlying(inner) {
            let text = self
                .random
                .pick(&["\"\"", "\"AA==\"", "\"aGVsbG8=\"", "\"//79\""]);
            return self.out.push_str(text);
        }
        self.out.push('[');
        for index in 0..=self.random.below(2) {
            if index > 0 {
                self.out.push(',');
            }
            self.value(inner);
        }
        self.out.push(']');
    }

    fn map(&mut self, inner: &TypeRef) {
        self.out.push('{');
        for index in 0..=self.random.below(3) {
            if index > 0 {
                self.out.push(',');
            }
            let prefix = self.random.pick(&["b", "a", "é", "example.com/x"]);
            write!(self.out, "\"{prefix}{index}\":").expect("text can be written");
            self.value(inner);
        }
        self.out.push('}');
    }

    fn scalar(&mut self, scalar: Scalar) {
        let text = match scalar {
            Scalar::Bool => self.random.pick(&["true", "false"]),
            Scalar::String => {
                let long = self.random.below(20) == 0;
                if long {
                    let text = "long ".repeat(60);
                    return write!(self.out, "{text:?}").expect("text can be written");
                }
                self.random
                    .pick(&["\"\"", "\"a\"", "\"é\\u0000<&>\"", "\"some text\""])
            }
            Scalar::Float32 | Scalar::Float64 => self.random.pick(&["0", "1.5", "-3", "1e+30", "0.0001"]),
            Scalar::Int64 | Scalar::Int => self.random.pick(&[
                "0",
                "1",
                "-1",
                "300",
                "9223372036854775807",
                "-9223372036854775808",
            ]),
            _ => self
                .random
                .pick(&["0", "1", "-1", "127", "128", "2147483647", "-2147483648"]),
        };
        self.out.push_str(text);
    }

    fn known(&mut self, known: WellKnown) {
        let choices: &[&str] = match known {
            WellKnown::Time => &[
                "null",
                "\"2026-01-02T03:04:05Z\"",
                "\"1969-12-31T23:59:59Z\"",
                "\"2026-01-02T03:04:05+02:00\"",
            ],
            WellKnown::MicroTime => &[
                "null",
                "\"2026-01-02T03:04:05.000001Z\"",
                "\"1960-01-02T03:04:05.678900Z\"",
            ],
            WellKnown::Duration => &["\"0s\"", "\"1h0m0s\"", "\"-1.5s\""],
            WellKnown::Quantity => &[
                "\"0\"",
                "\"1\"",
                "\"100m\"",
                "\"1.5Gi\"",
                "5",
                "\"1e3\"",
                "\"0.5\"",
                "\"-3k\"",
            ],
            WellKnown::IntOrString => &["0", "80", "-1", "\"\"", "\"25%\""],
            WellKnown::FieldsV1 | WellKnown::RawExtension => &["{}", r#"{"f:a":{".":{}}}"#],
            WellKnown::Json => &["1", "\"x\"", "[true,null]", r#"{"a":{"b":1.5}}"#],
            _ => &["null"],
        };
        self.out.push_str(self.random.pick(choices));
    }
}

/// The kinds of a schema: structs that start with `TypeMeta`.
#[allow(dead_code, reason = "not every test needs all kinds")]
pub(crate) fn kinds(schema: &Schema) -> Vec<TypeId> {
    let is_kind = |id: TypeId| {
        let mut fields = schema.ty(id).fields().iter();
        fields.any(|field| &*field.name == "TypeMeta" && field.embedded)
            && matches!(schema.ty(id).shape, Shape::Struct(_))
            && !schema
                .ty(id)
                .options
                .markers
                .iter()
                .any(|(name, value)| &**name == "protobuf" && &**value == "false")
    };
    schema
        .types()
        .map(|(id, _)| id)
        .filter(|id| is_kind(*id))
        .collect()
}
