//! The names an expression may use: variables, types, functions.

use crate::dialect::Dialect;
use crate::escape::RESERVED;
use crate::library::{self, Function};
use crate::types::decl::Declarations;
use crate::types::{DECLARED_VARS, Record, Type, patch_types, protobuf};

use super::Reference;

/// The variables and declared types of an expression; functions are the library's.
#[derive(Debug)]
pub struct Env<'d> {
    variables: Vec<(&'static str, Type)>,
    declarations: Option<&'d Declarations>,
    others: Vec<&'d Declarations>,
    records: Vec<&'d Record>,
    has_patch_types: bool,
    dialect: Dialect,
}

impl<'d> Env<'d> {
    /// An environment without variables, in the dialect of the declared types.
    pub fn new(declarations: Option<&'d Declarations>) -> Env<'d> {
        Env {
            variables: Vec::new(),
            declarations,
            others: Vec::new(),
            records: Vec::new(),
            has_patch_types: false,
            dialect: declarations.map(Declarations::dialect).unwrap_or_default(),
        }
    }

    /// Adds a variable.
    #[must_use]
    pub fn with(mut self, name: &'static str, ty: Type) -> Env<'d> {
        self.variables.push((name, ty));
        self
    }

    /// The same environment in a dialect.
    #[must_use]
    pub(crate) fn in_dialect(self, dialect: Dialect) -> Env<'d> {
        Env { dialect, ..self }
    }

    /// The dialect of its expressions.
    pub(crate) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Adds the types of a schema, which must have another name than those that are there.
    #[must_use]
    pub fn with_declarations(mut self, declarations: &'d Declarations) -> Env<'d> {
        self.others.push(declarations);
        self
    }

    /// Adds a type with named fields.
    #[must_use]
    pub(crate) fn with_record(mut self, record: &'d Record) -> Env<'d> {
        self.records.push(record);
        self
    }

    /// Adds the types of mutations: `Object` with all below it, and `JSONPatch`.
    #[must_use]
    pub(crate) fn with_patch_types(mut self) -> Env<'d> {
        self.has_patch_types = true;
        self
    }

    /// The declared types.
    pub fn declarations(&self) -> Option<&'d Declarations> {
        self.declarations
    }

    /// A function by name.
    pub(super) fn function(&self, name: &str) -> Option<&'static Function> {
        let name = without_dot(name);
        let is_hidden = library::is_for_patches(name) && !self.has_patch_types
            || library::feature_of(name).is_some_and(|feature| !self.dialect.has(feature));
        library::find(name).filter(|_| !is_hidden)
    }

    /// Whether there is a variable with this name.
    pub(super) fn is_variable(&self, name: &str) -> bool {
        self.variables.iter().any(|(variable, _)| *variable == name)
    }

    /// Whether a selection on a variable may be the name of another one, as in `authorizer.requestResource`.
    pub(super) fn is_prefix(&self, name: &str) -> bool {
        let mut variables = self.variables.iter();
        variables.any(|(variable, _)| {
            variable
                .strip_prefix(name)
                .is_some_and(|rest| rest.starts_with('.'))
        })
    }

    /// The type and meaning of a global name.
    pub(super) fn global(&self, name: &str) -> Option<(Type, Reference)> {
        if let Some((_, ty)) = self.variables.iter().find(|(variable, _)| *variable == name) {
            return Some((ty.clone(), Reference::Global(name.into())));
        }
        if let Some(ty) = self.type_named(name) {
            return Some((Type::type_of(ty), Reference::TypeName(name.into())));
        }
        (name == "google.protobuf.NullValue.NULL_VALUE").then_some((Type::Int, Reference::Enum(0)))
    }

    /// The type with this name.
    pub(super) fn type_named(&self, name: &str) -> Option<Type> {
        Some(match name {
            "bool" => Type::Bool,
            "bytes" => Type::Bytes,
            "double" => Type::Double,
            "duration" => Type::Duration,
            "int" => Type::Int,
            "list" => Type::list(Type::Var(DECLARED_VARS)),
            "map" => Type::map(Type::Var(DECLARED_VARS), Type::Var(DECLARED_VARS + 1)),
            "null_type" => Type::Null,
            "string" => Type::String,
            "timestamp" => Type::Timestamp,
            "type" => Type::Type(None),
            "uint" => Type::Uint,
            "optional_type" => Type::optional(Type::Dyn),
            "net.IP" | "net.CIDR" => Type::Opaque(name.into(), [].into()),
            _ if self.record(name).is_some() || self.is_patch_type(name) => Type::object(name),
            _ => {
                let declared = self.schemas().find_map(|declarations| declarations.named(name));
                return declared.or_else(|| protobuf::message(name));
            }
        })
    }

    fn schemas(&self) -> impl Iterator<Item = &'d Declarations> {
        self.declarations.into_iter().chain(self.others.iter().copied())
    }

    fn record(&self, name: &str) -> Option<&'d Record> {
        self.records.iter().copied().find(|record| record.name() == name)
    }

    fn is_patch_type(&self, name: &str) -> bool {
        self.has_patch_types && patch_types::is_one(name)
    }

    /// The type of an object's field.
    pub(super) fn field(&self, object: &str, field: &str) -> Option<Type> {
        if let Some(record) = self.record(object) {
            return record.field(field).cloned();
        }
        if self.is_patch_type(object) {
            return Some(patch_types::field(object, field));
        }
        let Some(node) = self
            .schemas()
            .find_map(|declarations| declarations.object(object))
        else {
            return protobuf::field(object, field);
        };
        if let Some(found) = node.field(field) {
            return found.ty(&format!("{object}.{field}"));
        }
        // Some reserved words parse as field names; they mean the escaped field.
        let escaped = RESERVED.contains(&field).then(|| format!("__{field}__"))?;
        node.field(&escaped)?.ty(&format!("{object}.{escaped}"))
    }
}

/// Whether a type exists at run time. Other type names pass the check, but programs cannot use them.
pub fn is_runtime_type(name: &str) -> bool {
    match name.strip_prefix("google.protobuf.") {
        Some(message) => matches!(message, "Duration" | "Empty" | "Timestamp"),
        None => !matches!(name, "duration" | "timestamp") && !name.starts_with("selfType"),
    }
}

/// A name without the leading dot, which marks names of the environment.
pub(super) fn without_dot(name: &str) -> &str {
    name.strip_prefix('.').unwrap_or(name)
}
