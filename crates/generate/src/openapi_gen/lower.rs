//! Turns Go types into schemas with references (kube-openapi `pkg/generators/openapi.go`).

mod members;

use kindsmith_json::Arena;
use kindsmith_schema::{FieldId, GoKind, Json, Owner, Part, Scalar, Str, Type, TypeId, TypeRef, WellKnown};

use super::node::{Node, array, text};
use super::select::Selection;
use super::{Elements, Problem, comment, declarative, default, enums, extensions, handwritten, keywords};

/// Types nested deeper are ignored.
const MAX_DEPTH: usize = 64;

/// Builds definitions, one at a time.
pub(super) struct Lower<'s> {
    pub(super) selection: &'s Selection<'s>,
    /// Whether declarative rules are published.
    pub(super) validation: bool,
    elements: Elements,
    /// Types that the definition refers to.
    pub(super) references: Vec<TypeId>,
    /// The current field.
    pub(super) field: Option<FieldId>,
    /// Whether the type is described by code that would have to run.
    unread: bool,
    problems: Vec<Problem>,
}

/// The definition of a struct.
pub(super) struct Made {
    pub(super) node: Node,
    /// The types that it refers to.
    pub(super) references: Vec<TypeId>,
    /// Whether it is described by code that would have to run.
    pub(super) unread: bool,
    pub(super) problems: Vec<Problem>,
}

/// Builds the definition of a struct.
pub(super) fn definition(
    selection: &Selection<'_>,
    id: TypeId,
    validation: bool,
    elements: Elements,
) -> Made {
    let mut lower = Lower {
        selection,
        validation,
        elements,
        references: Vec::new(),
        field: None,
        unread: false,
        problems: Vec::new(),
    };
    let node = lower.declared(id);
    lower.references.sort_by_key(|id| id.index());
    lower.references.dedup();
    Made {
        node,
        references: lower.references,
        unread: lower.unread,
        problems: lower.problems,
    }
}

impl Lower<'_> {
    fn declared(&mut self, id: TypeId) -> Node {
        let ty = self.selection.schema.ty(id);
        let of = TypeRef::Named(id);
        let described = match (
            returns(ty, "OpenAPISchemaType"),
            returns(ty, "OpenAPISchemaFormat"),
        ) {
            (Some(types), Some(format)) => Some(self.described(&of, types, format)),
            _ => None,
        };
        if let Some(node) = self.handwritten(ty, described.as_ref()) {
            return node;
        }
        if let Some(described) = described {
            let Some(one_of) = returns(ty, "OpenAPIV3OneOfTypes") else {
                return described;
            };
            let mut node = Node {
                one_of: one_of.iter().map(|ty| Node::typed(ty, "")).collect(),
                ..described.clone()
            };
            node.plain.remove("type");
            node.v2 = Some(Box::new(described));
            return node;
        }
        let mut node = Node::typed("object", "");
        self.of_struct(&of, &mut node);
        members::add(self, &of, &mut node);
        if self.validation {
            declarative::on_type(self.selection, &ty.rules, &of, &mut node);
        }
        node
    }

    /// A type with a definition written in Go: version 3, with version 2 for that version if there is one.
    fn handwritten(&mut self, ty: &Type, described: Option<&Node>) -> Option<Node> {
        let (v2, v3) = (
            ty.has_method("OpenAPIDefinition"),
            ty.has_method("OpenAPIV3Definition"),
        );
        let mut written = |method: &str| match handwritten::definition(self.selection, ty, method) {
            Some(written) => {
                self.references.extend(written.references);
                written.node
            }
            None => {
                self.unread = true;
                Node::default()
            }
        };
        let old = match described {
            Some(described) if v3 => Some(described.clone()),
            None if v3 && v2 => Some(written("OpenAPIDefinition")),
            None if v2 => return Some(written("OpenAPIDefinition")),
            _ => None,
        };
        let mut node = v3.then(|| written("OpenAPIV3Definition"))?;
        node.v2 = old.map(Box::new);
        Some(node)
    }

    /// A type with methods that give its published type and format.
    fn described(&self, of: &TypeRef, types: &[Str], format: &[Str]) -> Node {
        let mut node = Node::default();
        match types {
            [] => {}
            [only] => node.set_text("type", only),
            several => {
                let arena = Arena::new();
                let types = several.iter().map(|ty| text(&arena, ty));
                node.set("type", Json::from(array(&arena, types)));
            }
        }
        node.set_text("format", format.first().map_or("", |format| format));
        self.of_struct(of, &mut node);
        node
    }

    /// Adds keywords from the comment of a struct.
    fn of_struct(&self, of: &TypeRef, node: &mut Node) {
        if let Some(docs) = self.selection.docs_of(of) {
            node.set_text("description", &comment::description(comment::lines(docs)));
            extensions::apply(docs, node);
        }
        extensions::unions(self.selection, of, node);
        if let TypeRef::Named(id) = of {
            let rules = &self.selection.schema.ty(*id).rules;
            keywords::apply(self.selection.view, rules, of, node);
            keywords::apply_rules(self.selection.view, rules, of, node);
        }
    }

    /// The schema of a use of a type.
    pub(super) fn using(&mut self, of: &TypeRef) -> Node {
        self.inside(of, 0)
    }

    fn inside(&mut self, of: &TypeRef, depth: usize) -> Node {
        let selection = self.selection;
        let resolved = resolve(selection, of);
        if let Some((ty, format)) = simple(selection, resolved) {
            let mut node = Node::typed(ty, format);
            let found = enums::of(selection, of);
            node.is_enum = found.is_some();
            if let Some(values) = found.map(|found| found.values()).filter(|v| !v.is_empty()) {
                let arena = Arena::new();
                let values = values.iter().map(|value| value.value(&arena));
                node.set("enum", Json::from(array(&arena, values)));
            }
            return node;
        }
        if depth > MAX_DEPTH {
            return Node::default();
        }
        match selection.view.underlying(resolved) {
            TypeRef::Map(_, value) => Node {
                additional: Some(Box::new(self.element(value, depth + 1))),
                ..Node::typed("object", "")
            },
            TypeRef::List(item) | TypeRef::Array(_, item) => Node {
                items: Some(Box::new(self.element(item, depth + 1))),
                ..Node::typed("array", "")
            },
            _ => self.reference(resolved),
        }
    }

    /// The schema of an element of a list or map.
    fn element(&mut self, of: &TypeRef, depth: usize) -> Node {
        let mut node = self.inside(of, depth);
        let value = match self.elements {
            Elements::Plain => None,
            Elements::DefaultsOfTypes => default::of_element(self.selection, of),
            Elements::Defaults => default::of_present_element(self.selection, of),
        };
        if let Some(value) = value {
            node.set("default", value);
        }
        node
    }

    fn problem(&mut self, message: String) {
        if let Some(field) = self.field {
            let place = Owner::Field(field).part(Part::Type);
            self.problems.push(Problem { place, message });
        }
    }

    fn reference(&mut self, of: &TypeRef) -> Node {
        let is_struct = matches!(self.selection.view.kind(of), GoKind::Struct | GoKind::Unknown);
        if let TypeRef::Scalar(scalar) = of {
            self.problem(format!(
                "please add type {} to getOpenAPITypeFormat function",
                scalar.name()
            ));
        }
        let TypeRef::Named(id) = of else {
            return Node::default();
        };
        if !is_struct {
            return Node::default();
        }
        let ty = self.selection.schema.ty(*id);
        if ty.anonymous {
            // openapi-gen fails to format the code that it writes for a struct with members.
            if !ty.fields().is_empty() {
                self.problem("a struct without a name has no definition to refer to".to_owned());
            }
            return Node {
                is_nameless: true,
                ..Node::default()
            };
        }
        self.references.push(*id);
        Node {
            reference: Some(*id),
            ..Node::default()
        }
    }
}

fn returns<'t>(ty: &'t Type, method: &str) -> Option<&'t [Str]> {
    let method = ty.methods.iter().find(|found| &*found.name == method)?;
    // `return nil` has no literals.
    Some(method.returns.as_deref().unwrap_or_default())
}

/// A type without pointers and typedefs; named structs and interfaces stay.
pub(super) fn resolve<'a>(selection: &Selection<'a>, of: &'a TypeRef) -> &'a TypeRef {
    let view = selection.view;
    let mut of = view.unalias(of);
    for _ in 0..MAX_DEPTH {
        of = match (view.kind(of), view.underlying(of)) {
            (GoKind::Pointer, TypeRef::Pointer(inner)) => view.unalias(inner),
            (GoKind::Alias, behind) => behind,
            _ => return of,
        };
    }
    of
}

/// Type and format of types without a definition (kube-openapi `common.OpenAPITypeFormat`).
fn simple(selection: &Selection<'_>, of: &TypeRef) -> Option<(&'static str, &'static str)> {
    match of {
        TypeRef::Scalar(scalar) => scalar_format(*scalar),
        // Only `byte` counts, not its alias `uint8`.
        TypeRef::List(item) if **item == TypeRef::Scalar(Scalar::Byte) => Some(("string", "byte")),
        TypeRef::Any { spelled_out: true } => Some(("object", "")),
        TypeRef::Named(id) if selection.schema.ty(*id).well_known == Some(WellKnown::GoTime) => {
            Some(("string", "date-time"))
        }
        _ => None,
    }
}

fn scalar_format(scalar: Scalar) -> Option<(&'static str, &'static str)> {
    Some(match scalar {
        Scalar::Bool => ("boolean", ""),
        Scalar::String => ("string", ""),
        Scalar::Int | Scalar::Int16 | Scalar::Int32 | Scalar::Uint | Scalar::Uint16 => ("integer", "int32"),
        Scalar::Int64 | Scalar::Uint32 | Scalar::Uint64 => ("integer", "int64"),
        Scalar::Int8 | Scalar::Uint8 | Scalar::Byte => ("integer", "byte"),
        Scalar::Float32 => ("number", "float"),
        Scalar::Float64 => ("number", "double"),
        Scalar::Rune | Scalar::Uintptr => return None,
    })
}
