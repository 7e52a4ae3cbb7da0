//! Topologies of published schemas, as the API server derives them for custom resources: the schema with the members
//! every object has (apiextensions `pkg/controller/openapi/builder/builder.go`), read as a merge schema (kube-openapi
//! `pkg/schemaconv/openapi.go`).

use kindsmith_schema::{JsonSchema, SchemaOrBool};

use super::{Atom, AtomId, Compiler, Field, KeyDefault, List, ListKind, Map, Scalar, Topology, sorted};

/// Schemas nested deeper count as untyped; the API server rejects such CRDs long before.
const MAX_DEPTH: usize = 256;

impl Topology {
    /// Compiles the schema of one version of a custom resource; `None` if the version has none.
    ///
    /// `preserve_unknown_fields` is the CRD's `spec.preserveUnknownFields`.
    #[must_use]
    pub fn of_published(schema: Option<&JsonSchema>, preserve_unknown_fields: bool) -> Self {
        let mut compiler = Compiler::default();
        let Some(schema) = schema else {
            let root = compiler.map_of(Topology::DEDUCED);
            return compiler.finish(root, "{}".into());
        };
        let meta = compiler.object_meta(preserve_unknown_fields);
        let mut reader = Reader { compiler, meta };
        let root = reader.object_root(schema, preserve_unknown_fields);
        reader.compiler.finish(root, "{}".into())
    }
}

struct Reader {
    compiler: Compiler,
    meta: AtomId,
}

impl Reader {
    fn object_root(&mut self, schema: &JsonSchema, open: bool) -> AtomId {
        let atom = self.atom(schema, open, true, 0);
        self.compiler.add(atom)
    }

    fn node(&mut self, schema: &JsonSchema, open: bool, depth: usize) -> AtomId {
        if depth > MAX_DEPTH {
            return Topology::UNTYPED;
        }
        let atom = self.atom(schema, open, false, depth);
        self.compiler.add(atom)
    }

    /// `open`: this node or one above it keeps unknown fields, and so do all nodes below.
    fn atom(&mut self, schema: &JsonSchema, open: bool, is_object: bool, depth: usize) -> Atom {
        let open = open || schema.preserves_unknown_fields();
        let is_object = is_object || schema.embedded_resource;
        match &*schema.ty {
            "" => Atom {
                scalar: Some(Scalar::Untyped),
                list: Some(self.list(schema, open, depth)),
                map: Some(self.map(schema, open, is_object, depth)),
            },
            "object" => Atom {
                map: Some(self.map(schema, open, is_object, depth)),
                ..Atom::default()
            },
            "array" => Atom {
                list: Some(self.list(schema, open, depth)),
                ..Atom::default()
            },
            scalar => Atom {
                scalar: Some(scalar_of(scalar, &schema.format)),
                ..Atom::default()
            },
        }
    }

    fn list(&mut self, schema: &JsonSchema, open: bool, depth: usize) -> List {
        let element = match schema.item() {
            Some(items) => self.node(items, open, depth + 1),
            None => Topology::UNTYPED,
        };
        let kind = match schema.list_type.as_deref() {
            Some("set") => ListKind::Set,
            Some("map") => ListKind::Map(schema.list_map_keys.to_vec()),
            _ => ListKind::Atomic,
        };
        self.compiler.list(element, kind)
    }

    fn map(&mut self, schema: &JsonSchema, open: bool, is_object: bool, depth: usize) -> Map {
        let mut fields: Vec<Field> = Vec::with_capacity(schema.properties.len());
        for (name, member) in &schema.properties {
            if is_object && matches!(&**name, "apiVersion" | "kind" | "metadata") {
                continue;
            }
            let ty = self.node(member, open, depth + 1);
            let default = member.default.as_ref().and_then(KeyDefault::of);
            fields.push(Field {
                name: name.clone(),
                ty,
                default,
            });
        }
        if is_object {
            let text = self.compiler.scalar(Scalar::String);
            for (name, ty) in [("apiVersion", text), ("kind", text), ("metadata", self.meta)] {
                fields.push(Field {
                    name: name.into(),
                    ty,
                    default: None,
                });
            }
        }
        let element = match schema.additional_properties.as_deref() {
            None => (open || fields.is_empty()).then_some(Topology::DEDUCED),
            Some(SchemaOrBool::Schema(members)) => Some(self.node(members, open, depth + 1)),
            Some(SchemaOrBool::Allowed(allowed)) => allowed.then_some(Topology::DEDUCED),
        };
        let atomic = schema.map_type.as_deref() == Some("atomic");
        Map {
            fields: sorted(fields),
            element,
            atomic,
        }
    }
}

/// kube-openapi `schemaconv.convertPrimitive`.
fn scalar_of(ty: &str, format: &str) -> Scalar {
    match (ty, format) {
        ("integer" | "number", _) => Scalar::Numeric,
        ("string", "" | "byte") => Scalar::String,
        ("boolean", _) => Scalar::Boolean,
        _ => Scalar::Untyped,
    }
}
