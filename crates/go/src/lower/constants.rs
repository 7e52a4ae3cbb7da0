//! Constants, which belong to the type that they are declared with.

use std::cell::RefCell;
use std::sync::Arc;

use kindsmith_schema::{Json, Owner, Part, Str, TypeId, TypeName};
use rustc_hash::FxHashMap;

use super::{At, Commented, Lower, comments, index_of};
use crate::constant::{Constant, Constants, Value};
use crate::package::{Loader, Package};
use crate::syntax::{Const, ExprId, ExprKind, File, TypeKind};

/// The constants of the packages of a schema, evaluated on demand.
pub(crate) struct Declared<'l, 'files> {
    packages: FxHashMap<Str, Arc<Package>>,
    reading: RefCell<(&'l mut Loader<'files>, Constants)>,
}

impl<'l, 'files> Declared<'l, 'files> {
    pub(crate) fn new(packages: Vec<Arc<Package>>, known: Constants, loader: &'l mut Loader<'files>) -> Self {
        let packages = packages.into_iter();
        Self {
            packages: packages.map(|package| (package.path.clone(), package)).collect(),
            reading: RefCell::new((loader, known)),
        }
    }
}

impl kindsmith_tags::Constants for Declared<'_, '_> {
    fn is_complete(&self, package: &str) -> bool {
        self.packages.contains_key(package)
    }

    fn get(&self, package: &str, name: &str) -> Option<Option<Json>> {
        let package = self.packages.get(package)?;
        let (file, decl) = package.constant(name)?;
        let (loader, constants) = &mut *self.reading.borrow_mut();
        let constant = constants.value(loader, package, file, decl);
        Some(constant.and_then(|constant| json(&constant.value)))
    }
}

impl Lower<'_, '_> {
    /// Adds the constants declared in packages of the schema to their types.
    pub(super) fn add_constants(&mut self) {
        // Packages have the same order here and in the builder.
        for (index, package) in self.entered.clone().into_iter().enumerate() {
            for (file, decl) in package.consts() {
                let names_group = file.text(decl.name) == "GroupName";
                if !names_group && !self.may_matter(&package, file, decl) {
                    continue;
                }
                let Some(constant) = self.constants.value(self.loader, &package, file, decl) else {
                    continue;
                };
                if names_group && let Value::String(group) = &constant.value {
                    self.builder.package_mut(index as u32).group_constant = Some(group.as_str().into());
                }
                if let Some(ty) = self.declared(&constant) {
                    self.add_constant(ty, &package, file, decl, json(&constant.value));
                }
            }
        }
    }

    /// Whether a constant may have a type of the schema. Most constants of large packages do not, so neither
    /// their value nor the package of their type is needed. (An alias of a schema type, in a package that
    /// nothing else refers to, counts as a type of its own.)
    fn may_matter(&self, package: &Package, file: &File, decl: &Const) -> bool {
        let is_untyped = |value| {
            matches!(
                file.expr(value).kind,
                ExprKind::String | ExprKind::Int | ExprKind::Float | ExprKind::Char
            )
        };
        let Some(ty) = decl.ty.map(|ty| file.ty(ty)) else {
            return decl.value.is_some_and(|value| !is_untyped(value));
        };
        match ty.kind {
            TypeKind::Name => match package.type_decl(file.text(ty.span)) {
                Some((file, of)) => of.alias || self.is_declared(&package.path, file.text(of.name)),
                None => false,
            },
            TypeKind::Qualified { package, name } => {
                let import = file.import_named(file.text(package));
                let path = import.map(|import| file.import_path(import));
                path.is_none_or(|path| {
                    self.entered_paths.contains(path) || self.is_declared(path, file.text(name))
                })
            }
            _ => true,
        }
    }

    fn is_declared(&self, package: &str, name: &str) -> bool {
        self.builder.find(&TypeName::new(package, name)).is_some()
    }

    /// The schema type of a constant.
    fn declared(&self, constant: &Constant) -> Option<TypeId> {
        let ty = constant.ty.as_ref()?;
        self.builder.find(&TypeName::new(ty.package.clone()?, &*ty.name))
    }

    fn add_constant(
        &mut self,
        ty: TypeId,
        package: &Arc<Package>,
        file: &File,
        decl: &Const,
        value: Option<Json>,
    ) {
        let literal = decl.value.is_some_and(|value| is_literal(file, value));
        let constants = &mut self.builder.ty_mut(ty).constants;
        let owner = Owner::Constant(ty, constants.len() as u32);
        constants.push(kindsmith_schema::Constant {
            name: file.text(decl.name).into(),
            package: package.path.clone(),
            value,
            literal: literal && !decl.implicit && decl.ty.is_some(),
            docs: comments::docs(file, &decl.comments),
            exclusions: Vec::new(),
        });
        self.origins.push((owner.part(Part::Name), decl.name));
        self.commented.push(Commented {
            owner,
            package: package.clone(),
            file: Some(index_of(package, file)),
            comments: decl.comments,
        });
    }

    /// The length of an array.
    pub(super) fn array_length(&mut self, at: At<'_>, expr: ExprId) -> Option<u64> {
        let constant = self.constants.expr(self.loader, at.package, at.file, expr)?;
        match constant.value {
            Value::Int(length) => u64::try_from(length).ok(),
            _ => None,
        }
    }
}

/// Whether an expression is just a string literal, without parentheses.
fn is_literal(file: &File, value: ExprId) -> bool {
    let expr = file.expr(value);
    let before = &file.source()[..expr.span.start as usize];
    matches!(expr.kind, ExprKind::String) && !before.trim_end().ends_with('(')
}

/// A constant's value in JSON; `None` for floats that are not numbers.
pub(crate) fn json(value: &Value) -> Option<Json> {
    match value {
        Value::String(text) => Some(Json::from(&**text)),
        Value::Int(number) => Some(Json::int(*number)),
        Value::Float(number) if number.is_finite() => Some(Json::from(*number)),
        Value::Float(_) => None,
        Value::Bool(value) => Some(Json::from(*value)),
    }
}
