//! Evaluates constant expressions, following names through files and packages.

use std::sync::Arc;

use kindsmith_source::Span;
use rustc_hash::FxHashMap;

use super::types::{self, Basic};
use super::{Constant, TypeName, Value, arithmetic, literal, standard};
use crate::package::{Imported, Loader, Package};
use crate::syntax::{Const, ExprId, ExprKind, File, TypeId, TypeKind, char_value, string_value};

/// Deeper expressions, or longer chains of constants, have no value.
const MAX_DEPTH: u32 = 300;

/// Constants evaluated so far.
#[derive(Debug, Default)]
pub struct Constants {
    /// By the place of the name; `None` for constants without a value and those being evaluated.
    known: FxHashMap<Span, Option<Arc<Constant>>>,
}

impl Constants {
    /// The value of a constant of a package.
    pub fn named(&mut self, loader: &mut Loader<'_>, package: &Arc<Package>, name: &str) -> Option<Constant> {
        Evaluation::new(self, loader).named(package, name)
    }

    /// The value of a declared constant.
    pub fn value(
        &mut self,
        loader: &mut Loader<'_>,
        package: &Arc<Package>,
        file: &File,
        decl: &Const,
    ) -> Option<Arc<Constant>> {
        Evaluation::new(self, loader).decl(package, file, decl)
    }

    /// The value of an expression, such as the length of an array.
    pub fn expr(
        &mut self,
        loader: &mut Loader<'_>,
        package: &Arc<Package>,
        file: &File,
        expr: ExprId,
    ) -> Option<Constant> {
        Evaluation::new(self, loader).expr(
            Scope {
                package,
                file,
                iota: None,
            },
            expr,
        )
    }
}

struct Evaluation<'e, 'l> {
    constants: &'e mut Constants,
    loader: &'e mut Loader<'l>,
    depth: u32,
}

/// The place of an expression.
#[derive(Clone, Copy)]
struct Scope<'s> {
    package: &'s Arc<Package>,
    file: &'s File,
    /// The value of `iota`, in a constant declaration.
    iota: Option<u32>,
}

impl<'e, 'l> Evaluation<'e, 'l> {
    fn new(constants: &'e mut Constants, loader: &'e mut Loader<'l>) -> Self {
        Self {
            constants,
            loader,
            depth: 0,
        }
    }

    fn named(&mut self, package: &Arc<Package>, name: &str) -> Option<Constant> {
        let (file, decl) = package.constant(name)?;
        self.decl(package, file, decl).map(Arc::unwrap_or_clone)
    }

    fn decl(&mut self, package: &Arc<Package>, file: &File, decl: &Const) -> Option<Arc<Constant>> {
        if let Some(known) = self.constants.known.get(&decl.name) {
            return known.clone();
        }
        // A constant that depends on itself finds this and has no value.
        self.constants.known.insert(decl.name, None);
        let scope = Scope {
            package,
            file,
            iota: Some(decl.iota),
        };
        let value = self.declared(scope, decl).map(Arc::new);
        self.constants.known.insert(decl.name, value.clone());
        value
    }

    fn declared(&mut self, scope: Scope<'_>, decl: &Const) -> Option<Constant> {
        let constant = self.expr(scope, decl.value?)?;
        match decl.ty {
            Some(ty) => self.convert(scope, constant, ty),
            None => Some(constant),
        }
    }

    fn expr(&mut self, scope: Scope<'_>, expr: ExprId) -> Option<Constant> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let value = self.expr_here(scope, expr);
        self.depth -= 1;
        value
    }

    fn expr_here(&mut self, scope: Scope<'_>, expr: ExprId) -> Option<Constant> {
        let node = scope.file.expr(expr);
        let text = || scope.file.text(node.span);
        match node.kind {
            ExprKind::Int => literal::int(text()).map(Value::Int).map(Constant::untyped),
            ExprKind::Float => literal::float(text()).map(Value::Float).map(Constant::untyped),
            ExprKind::Char => char_value(text()).map(Value::Int).map(Constant::untyped),
            ExprKind::String => {
                let value = string_value(text())?;
                Some(Constant::untyped(Value::String(value.into_owned())))
            }
            ExprKind::Name => self.name(scope, text()),
            ExprKind::Qualified { package, name } => {
                self.qualified(scope, scope.file.text(package), scope.file.text(name))
            }
            ExprKind::Unary(op, operand) => {
                let Constant { value, ty } = self.expr(scope, operand)?;
                let value = arithmetic::unary(op, value)?;
                self.fit(scope, value, ty)
            }
            ExprKind::Binary(op, left, right) => {
                let left = self.expr(scope, left)?;
                let right = self.expr(scope, right)?;
                let value = arithmetic::binary(op, left.value, right.value)?;
                // A comparison gives an untyped boolean.
                let ty = if matches!(value, Value::Bool(_)) {
                    None
                } else {
                    left.ty.or(right.ty)
                };
                Some(Constant { value, ty })
            }
            ExprKind::Call { callee, args } => {
                let [arg] = scope.file.args(args) else {
                    return None;
                };
                self.call(scope, callee, *arg)
            }
            ExprKind::Other => None,
        }
    }

    /// Converts a value to a builtin type; a type that we cannot resolve keeps it unchanged.
    fn fit(&mut self, scope: Scope<'_>, value: Value, ty: Option<TypeName>) -> Option<Constant> {
        let basic = match &ty {
            Some(TypeName { package: None, name }) => types::basic(name),
            Some(TypeName {
                package: Some(path),
                name,
            }) if *path == scope.package.path => self.underlying(scope.package, name, 0),
            _ => None,
        };
        let value = match basic {
            Some(basic) => types::convert(value, basic)?,
            None => value,
        };
        Some(Constant { value, ty })
    }

    fn name(&mut self, scope: Scope<'_>, name: &str) -> Option<Constant> {
        if scope.package.constant(name).is_some() {
            return self.named(scope.package, name);
        }
        match name {
            "iota" => return scope.iota.map(|iota| Constant::untyped(Value::Int(iota.into()))),
            "true" => return Some(Constant::untyped(Value::Bool(true))),
            "false" => return Some(Constant::untyped(Value::Bool(false))),
            _ => {}
        }
        for import in scope.file.dot_imports() {
            let path = scope.file.import_path(import);
            let imported = self.loader.import(scope.package, path, import.path);
            if let Imported::Package(package) = imported
                && package.constant(name).is_some()
            {
                return self.named(&package, name);
            }
        }
        None
    }

    fn qualified(&mut self, scope: Scope<'_>, qualifier: &str, name: &str) -> Option<Constant> {
        match self.loader.import_named(scope.package, scope.file, qualifier)? {
            Imported::Package(package) => self.named(&package, name),
            Imported::Standard => {
                let import = scope.file.import_named(qualifier)?;
                standard::constant(scope.file.import_path(import), name)
            }
            Imported::Missing => None,
        }
    }

    fn call(&mut self, scope: Scope<'_>, callee: ExprId, arg: ExprId) -> Option<Constant> {
        let arg = self.expr(scope, arg)?;
        let node = scope.file.expr(callee);
        let text = |span| scope.file.text(span);
        match node.kind {
            ExprKind::Name if text(node.span) == "len" => match arg.value {
                Value::String(text) => Some(Constant {
                    value: Value::Int(text.len() as i128),
                    ty: Some(TypeName {
                        package: None,
                        name: "int".into(),
                    }),
                }),
                _ => None,
            },
            ExprKind::Name => self.convert_to_name(scope, arg, text(node.span)),
            ExprKind::Qualified { package, name } => {
                self.convert_to_qualified(scope, arg, text(package), text(name))
            }
            _ => None,
        }
    }

    fn convert(&mut self, scope: Scope<'_>, constant: Constant, ty: TypeId) -> Option<Constant> {
        let node = scope.file.ty(ty);
        let text = |span| scope.file.text(span);
        match node.kind {
            TypeKind::Name => self.convert_to_name(scope, constant, text(node.span)),
            TypeKind::Qualified { package, name } => {
                self.convert_to_qualified(scope, constant, text(package), text(name))
            }
            _ => None,
        }
    }

    /// A conversion to a type of this package or a builtin type.
    fn convert_to_name(&mut self, scope: Scope<'_>, constant: Constant, name: &str) -> Option<Constant> {
        if scope.package.type_decl(name).is_some() {
            return self.convert_to_declared(scope.package, constant, name);
        }
        let basic = types::basic(name)?;
        Some(Constant {
            value: types::convert(constant.value, basic)?,
            ty: Some(TypeName {
                package: None,
                name: name.to_owned(),
            }),
        })
    }

    fn convert_to_qualified(
        &mut self,
        scope: Scope<'_>,
        constant: Constant,
        qualifier: &str,
        name: &str,
    ) -> Option<Constant> {
        match self.loader.import_named(scope.package, scope.file, qualifier)? {
            Imported::Package(package) if package.type_decl(name).is_some() => {
                self.convert_to_declared(&package, constant, name)
            }
            Imported::Package(_) => None,
            // The type itself is not available, but its name is known.
            Imported::Standard | Imported::Missing => {
                let import = scope.file.import_named(qualifier)?;
                Some(Constant {
                    value: constant.value,
                    ty: Some(TypeName {
                        package: Some(scope.file.import_path(import).into()),
                        name: name.to_owned(),
                    }),
                })
            }
        }
    }

    fn convert_to_declared(
        &mut self,
        package: &Arc<Package>,
        constant: Constant,
        name: &str,
    ) -> Option<Constant> {
        // An alias is not a type of its own. The depth also ends a cycle of aliases.
        if let Some((file, decl)) = package.type_decl(name).filter(|(_, decl)| decl.alias)
            && self.depth < MAX_DEPTH
        {
            self.depth += 1;
            let scope = Scope {
                package,
                file,
                iota: None,
            };
            let converted = self.convert(scope, constant, decl.ty);
            self.depth -= 1;
            return converted;
        }
        let value = match self.underlying(package, name, 0) {
            Some(basic) => types::convert(constant.value, basic)?,
            None => constant.value,
        };
        Some(Constant {
            value,
            ty: Some(TypeName {
                package: Some(Arc::clone(&package.path)),
                name: name.to_owned(),
            }),
        })
    }

    /// The builtin type behind a declared type, if available.
    fn underlying(&mut self, package: &Arc<Package>, name: &str, steps: u32) -> Option<Basic> {
        let Some((file, decl)) = package.type_decl(name) else {
            return types::basic(name);
        };
        let node = file.ty(decl.ty);
        if steps > MAX_DEPTH {
            return None;
        }
        match node.kind {
            TypeKind::Name => self.underlying(package, file.text(node.span), steps + 1),
            TypeKind::Qualified {
                package: qualifier,
                name,
            } => match self.loader.import_named(package, file, file.text(qualifier))? {
                Imported::Package(other) => self.underlying(&other, file.text(name), steps + 1),
                _ => None,
            },
            _ => None,
        }
    }
}
