//! Constants: members of the type they are declared with.

use std::sync::Arc;

use kindsmith_schema::{Json, Owner, Part, TypeId, TypeName};

use super::{At, Commented, Lower, comments, index_of};
use crate::constant::{Constant, Value};
use crate::package::Package;
use crate::syntax::{Const, ExprId, ExprKind, File};

impl Lower<'_, '_> {
    /// Gives every type of the schema the constants that packages of the schema declare with it.
    pub(super) fn add_constants(&mut self) {
        // Packages are entered here and in the builder in one order.
        for (index, package) in self.entered.clone().into_iter().enumerate() {
            self.all_constants.complete(package.path.clone());
            for (file, decl) in package.consts() {
                let constant = self.constants.value(self.loader, &package, file, decl);
                let value = constant.as_ref().and_then(|constant| json(&constant.value));
                if file.text(decl.name) == "GroupName"
                    && let Some(Value::String(group)) = constant.as_ref().map(|constant| &constant.value)
                {
                    self.builder.package_mut(index as u32).group_constant = Some(group.as_str().into());
                }
                self.all_constants
                    .declare(package.path.clone(), file.text(decl.name), value.clone());
                let Some(ty) = constant.as_ref().and_then(|constant| self.declared(constant)) else {
                    continue;
                };
                self.add_constant(ty, &package, file, decl, value);
            }
        }
    }

    /// The type of the schema a constant has.
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
        let literal = decl
            .value
            .is_some_and(|value| matches!(file.expr(value).kind, ExprKind::String));
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

/// A constant's value in JSON; floats that are no numbers have none.
pub(crate) fn json(value: &Value) -> Option<Json> {
    match value {
        Value::String(text) => Some(Json::from(&**text)),
        Value::Int(number) => Some(Json::int(*number)),
        Value::Float(number) if number.is_finite() => Some(Json::from(*number)),
        Value::Float(_) => None,
        Value::Bool(value) => Some(Json::from(*value)),
    }
}
