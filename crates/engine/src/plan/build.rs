//! Turns types into nodes.

use std::collections::HashMap;

use kindsmith_schema::{Field, FieldId, GoKind, Scalar, Str, TypeId, TypeRef, WellKnown};

use super::{
    Check, FieldIx, FieldPlan, Node, NodeId, NodeShape, Program, Slot, Step, StructPlan, json_fields,
};
use kindsmith_checks::{Lowered, Types};

/// Lays out types and their calls as plan nodes.
pub(crate) struct Builder<'s> {
    pub(crate) types: Types<'s>,
    pub(super) lowered: &'s Lowered,
    /// The package whose generated code is imitated; its own types are named without a package.
    package: Str,
    pub(crate) nodes: Vec<Node>,
    pub(crate) fields: Vec<FieldPlan>,
    pub(crate) steps: Vec<Step>,
    pub(crate) checks: Vec<Check>,
    pub(crate) options: Vec<Str>,
    known: HashMap<(TypeRef, Vec<Vec<u32>>), NodeId>,
    pub(super) validated: HashMap<TypeId, bool>,
    /// Named types whose calls still have to be laid out.
    pub(super) pending: Vec<(NodeId, TypeId)>,
}

impl<'s> Builder<'s> {
    pub(super) fn new(types: Types<'s>, lowered: &'s Lowered, package: Str) -> Self {
        Self {
            types,
            lowered,
            package,
            nodes: Vec::new(),
            fields: Vec::new(),
            steps: Vec::new(),
            checks: Vec::new(),
            options: Vec::new(),
            known: HashMap::new(),
            validated: HashMap::new(),
            pending: Vec::new(),
        }
    }

    /// The node of a type without its pointers.
    pub(crate) fn node(&mut self, ty: &TypeRef) -> NodeId {
        let ty = self.types.non_pointer(ty);
        let lost = match self.types.kind(&ty) {
            GoKind::Struct => json_fields::lost(self.types, &ty),
            _ => Vec::new(),
        };
        self.node_losing(ty, lost)
    }

    pub(crate) fn slot(&mut self, ty: &TypeRef) -> Slot {
        Slot {
            node: self.node(ty),
            pointer: self.types.is_pointer(ty),
        }
    }

    /// A struct's node where the fields at `lost` have no name in JSON.
    fn node_losing(&mut self, ty: TypeRef, lost: Vec<Vec<u32>>) -> NodeId {
        let key = (ty, lost);
        if let Some(id) = self.known.get(&key) {
            return *id;
        }
        let id = NodeId(self.nodes.len() as u32);
        self.known.insert(key.clone(), id);
        let (ty, lost) = key;
        self.nodes.push(Node {
            shape: NodeShape::Unknown,
            plain: !matches!(ty, TypeRef::Named(_)),
            go_name: self.go_name(&ty).into(),
            program: Program::default(),
            keys: None,
            values: None,
            opaque: false,
        });
        let shape = self.shape(&ty, &lost);
        self.nodes[id.0 as usize].shape = shape;
        if let TypeRef::Named(type_id) = ty {
            self.pending.push((id, type_id));
        }
        id
    }

    fn shape(&mut self, ty: &TypeRef, lost: &[Vec<u32>]) -> NodeShape {
        if let Some(well_known) = self.well_known(ty) {
            return NodeShape::WellKnown(well_known);
        }
        if self.encodes_itself(ty) {
            return NodeShape::Unknown;
        }
        match self.types.underlying(ty) {
            TypeRef::Scalar(scalar) => NodeShape::Scalar(scalar),
            TypeRef::List(element) if self.is_byte(&element) => NodeShape::Bytes,
            TypeRef::List(element) => NodeShape::List(self.slot(&element)),
            TypeRef::Array(len, element) => NodeShape::Array {
                len: u32::try_from(len).unwrap_or(u32::MAX),
                element: self.slot(&element),
            },
            TypeRef::Map(key, value) => NodeShape::Map {
                key: self.node(&key),
                value: self.slot(&value),
            },
            TypeRef::Any { .. } | TypeRef::Interface => NodeShape::Any,
            TypeRef::Named(_) => match self.types.members(ty) {
                Some((owner, fields)) => match self.embedded_form(fields) {
                    Some(form) => form,
                    None => self.struct_shape(owner, fields, lost),
                },
                None => NodeShape::Unknown,
            },
            TypeRef::Pointer(_) | TypeRef::Unsupported { .. } => NodeShape::Unknown,
        }
    }

    /// Types with a wire form of their own. A new type declared over one keeps its members but not its
    /// methods, so only the type itself counts. Without its source only the name is known.
    fn well_known(&self, ty: &TypeRef) -> Option<WellKnown> {
        let TypeRef::Named(id) = ty else { return None };
        let known = self.types.schema.ty(*id).well_known?;
        let keeps_members = matches!(known, WellKnown::GoDuration);
        (known.is_opaque() && !keeps_members).then_some(known)
    }

    /// Whether hand-written code reads or writes values of the type, so that their form is unknown here.
    fn encodes_itself(&self, ty: &TypeRef) -> bool {
        let TypeRef::Named(id) = ty else { return false };
        let declared = self.types.schema.ty(*id);
        ["MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText"]
            .iter()
            .any(|method| declared.has_method(method))
    }

    /// The form of a struct whose methods for JSON come from an embedded type.
    fn embedded_form(&self, fields: &[Field]) -> Option<NodeShape> {
        fields.iter().filter(|field| field.embedded).find_map(|field| {
            let embedded = self.types.non_pointer(&field.ty);
            match self.well_known(&embedded) {
                Some(known) => Some(NodeShape::WellKnown(known)),
                None => self.encodes_itself(&embedded).then_some(NodeShape::Unknown),
            }
        })
    }

    fn is_byte(&self, element: &TypeRef) -> bool {
        matches!(
            self.types.underlying(element),
            TypeRef::Scalar(Scalar::Byte | Scalar::Uint8)
        )
    }

    /// Forgets which structs fields come from; only errors about types name them.
    pub(super) fn hide_embedded(&mut self) {
        for node in &mut self.nodes {
            if let NodeShape::Struct(members) = &mut node.shape {
                members.embedded.clear();
            }
        }
    }

    fn struct_shape(&mut self, owner: TypeId, fields: &'s [Field], lost: &[Vec<u32>]) -> NodeShape {
        let first = self.fields.len() as u32;
        for (index, field) in fields.iter().enumerate() {
            let plan = self.field_plan(owner, index as u32, field, lost);
            self.fields.push(plan);
        }
        let mut keys = Vec::new();
        let mut embedded: Vec<(Str, Str)> = Vec::new();
        // Embedded structs add fields of their own, so slots are filled in a second pass.
        for (index, field) in fields.iter().enumerate() {
            let ix = first as usize + index;
            let merged = json_fields::is_merged(self.types, field);
            let slot = if merged {
                let inner: Vec<Vec<u32>> = lost
                    .iter()
                    .filter(|path| path.len() > 1 && path[0] == index as u32)
                    .map(|path| path[1..].to_vec())
                    .collect();
                Slot {
                    node: self.node_losing(self.types.non_pointer(&field.ty), inner),
                    pointer: self.types.is_pointer(&field.ty),
                }
            } else {
                self.slot(&field.ty)
            };
            self.fields[ix].slot = slot;
            if let Some(key) = &self.fields[ix].key {
                keys.push((key.clone(), FieldIx(ix as u32)));
            }
            if merged && let NodeShape::Struct(inner) = &self.nodes[slot.node.0 as usize].shape {
                keys.extend(inner.keys.iter().cloned());
                embedded.extend(inner.keys.iter().map(|(key, _)| {
                    let deeper = inner.embedded.iter().find(|(known, _)| known == key);
                    let through = match deeper {
                        Some((_, names)) => format!("{}.{names}", field.name).into(),
                        None => field.name.clone(),
                    };
                    (key.clone(), through)
                }));
            }
        }
        keys.sort_by(|left, right| left.0.cmp(&right.0));
        keys.dedup_by(|left, right| left.0 == right.0);
        NodeShape::Struct(StructPlan {
            first,
            len: fields.len() as u32,
            keys,
            embedded,
            active: Vec::new(),
            glance: false,
        })
    }

    fn field_plan(&self, owner: TypeId, index: u32, field: &Field, lost: &[Vec<u32>]) -> FieldPlan {
        let is_lost = lost.iter().any(|path| path[..] == [index]);
        let key = json_fields::key(self.types, field).filter(|_| !is_lost);
        FieldPlan {
            id: FieldId { owner, index },
            key: key.map(Into::into),
            name: field.json_name().unwrap_or_default().into(),
            root_name: self.root_name(&field.ty).into(),
            inline: json_fields::is_merged(self.types, field),
            slot: Slot {
                node: NodeId(0),
                pointer: false,
            },
            omit_empty: field.json.omitempty,
            omit_zero: field.json.omitzero,
            as_text: field.json.string,
            program: Program::default(),
            calls_type: false,
            keys: None,
            values: None,
        }
    }

    /// The type as generated code writes it. Paths use it for a root's member without a name.
    fn root_name(&self, ty: &TypeRef) -> String {
        match self.types.non_pointer(ty) {
            TypeRef::Named(id) => {
                let name = &self.types.schema.ty(id).name;
                if name.package == self.package {
                    return name.name.to_string();
                }
                format!("{}.{}", import_name(&name.package, &self.package), name.name)
            }
            TypeRef::List(element) => format!("[]{}", self.root_name(&element)),
            TypeRef::Map(key, value) => format!("map[{}]{}", self.root_name(&key), self.root_name(&value)),
            other => self.types.text(&other),
        }
    }

    /// The type as Go's reflection prints it.
    fn go_name(&self, ty: &TypeRef) -> String {
        let ty = self.types.unalias(ty);
        match &ty {
            TypeRef::Named(id) => {
                let name = &self.types.schema.ty(*id).name;
                let package = self.types.schema.package(&name.package);
                let short = package.map_or_else(
                    || name.package.rsplit('/').next().unwrap_or_default(),
                    |package| &*package.name,
                );
                format!("{short}.{}", name.name)
            }
            TypeRef::Scalar(Scalar::Byte) => "uint8".into(),
            TypeRef::Scalar(Scalar::Rune) => "int32".into(),
            TypeRef::Pointer(inner) => format!("*{}", self.go_name(inner)),
            TypeRef::List(element) => format!("[]{}", self.go_name(element)),
            TypeRef::Array(len, element) => format!("[{len}]{}", self.go_name(element)),
            TypeRef::Map(key, value) => format!("map[{}]{}", self.go_name(key), self.go_name(value)),
            TypeRef::Any { .. } => "interface {}".into(),
            other => self.types.text(other),
        }
    }
}

/// The name under which gengo imports a package: its last path element, joined with the one before if that
/// would clash with the package itself.
fn import_name(path: &str, own: &str) -> String {
    let clean = |part: &str| -> String { part.chars().filter(|c| !matches!(c, '_' | '.' | '-')).collect() };
    let mut parts = path.rsplit('/');
    let last = clean(parts.next().unwrap_or_default());
    let own = clean(own.rsplit('/').next().unwrap_or_default());
    match parts.next() {
        Some(before) if last == own => clean(before) + &last,
        _ => last,
    }
}
