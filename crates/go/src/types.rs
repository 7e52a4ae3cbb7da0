//! Go's types as its compiler sees them, resolved on demand: declared types, their underlying types, fields. Checks
//! nothing: what cannot be resolved is [`GoType::Invalid`].

use std::sync::Arc;

use kindsmith_source::Span;

use crate::package::{FilePlace, Imported, Loader, Package};
use crate::syntax::{Field, List, TypeId, TypeKind};

/// Longer chains of declarations are circles.
const CHAIN: usize = 64;

/// A type.
#[derive(Debug, Clone)]
pub enum GoType {
    /// A predeclared type such as `string`.
    Basic(Arc<str>),
    /// A declared type, or another name for a type.
    Named(Named),
    /// `*T`
    Pointer(Arc<GoType>),
    /// `[]T`
    Slice(Arc<GoType>),
    /// `map[K]V`
    Map(Arc<GoType>, Arc<GoType>),
    /// `struct { … }`
    Struct(Struct),
    /// Any interface, as written.
    Interface(Arc<str>),
    /// An array, a channel or a function, as written.
    Other(Arc<str>),
    /// A type whose declaration was not found, as written.
    Invalid(Arc<str>),
}

/// The use of a declared type.
#[derive(Debug, Clone)]
pub struct Named {
    /// The package that declares it.
    pub package: Arc<Package>,
    /// Its name without type arguments.
    pub name: Arc<str>,
    /// Whether it is declared as `type A = B`.
    pub alias: bool,
    arguments: Arc<[GoType]>,
}

impl Named {
    /// Its type arguments.
    #[must_use]
    pub fn arguments(&self) -> &[GoType] {
        &self.arguments
    }
}

/// A struct.
#[derive(Debug, Clone)]
pub struct Struct {
    scope: Scope,
    fields: List<Field>,
    span: Span,
}

/// A field of a struct.
#[derive(Debug, Clone)]
pub struct GoField {
    /// Its name; that of its type if it is embedded.
    pub name: String,
    /// The place of its name.
    pub span: Span,
    /// Its type.
    pub ty: GoType,
}

/// Where a type expression is written.
#[derive(Debug, Clone)]
struct Scope {
    package: Arc<Package>,
    place: FilePlace,
    /// Type parameters and what they stand for.
    parameters: Arc<[(Arc<str>, GoType)]>,
}

/// Resolves types.
pub struct Types<'a, 'files> {
    loader: &'a mut Loader<'files>,
}

impl<'a, 'files> Types<'a, 'files> {
    /// Resolves types of the packages of a loader.
    pub fn new(loader: &'a mut Loader<'files>) -> Self {
        Self { loader }
    }

    /// The type of a name that a package declares.
    #[must_use]
    pub fn declared(package: &Arc<Package>, name: &str) -> GoType {
        named(package, name, Arc::default())
    }

    /// The type that a name stands for, through `type A = B`.
    pub fn unaliased(&mut self, ty: &GoType) -> GoType {
        let mut ty = ty.clone();
        for _ in 0..CHAIN {
            match &ty {
                GoType::Named(name) if name.alias => ty = self.right_side(name),
                _ => return ty,
            }
        }
        GoType::Invalid("circle".into())
    }

    /// The underlying type, which is never a name.
    pub fn underlying(&mut self, ty: &GoType) -> GoType {
        let mut ty = ty.clone();
        for _ in 0..CHAIN {
            match &ty {
                GoType::Named(name) => ty = self.right_side(name),
                _ => return ty,
            }
        }
        GoType::Invalid("circle".into())
    }

    /// The field of a struct at an index.
    pub fn field(&mut self, of: &Struct, index: usize) -> Option<GoField> {
        let package = Arc::clone(&of.scope.package);
        let file = package.file_at(of.scope.place);
        let field = file.fields(of.fields).get(index)?;
        Some(GoField {
            name: file.text(field.name).to_owned(),
            span: field.name,
            ty: self.resolve(&of.scope, field.ty),
        })
    }

    fn right_side(&mut self, name: &Named) -> GoType {
        let package = Arc::clone(&name.package);
        let Some((file, decl)) = package.type_decl(&name.name) else {
            return GoType::Invalid(Arc::clone(&name.name));
        };
        let Some(place) = package.place_of(file) else {
            return GoType::Invalid(Arc::clone(&name.name));
        };
        let parameters = file.type_params(decl.type_params).iter();
        let parameters = parameters.map(|parameter| Arc::from(file.text(parameter.name)));
        let scope = Scope {
            place,
            parameters: parameters.zip(name.arguments.iter().cloned()).collect(),
            package: Arc::clone(&package),
        };
        self.resolve(&scope, decl.ty)
    }

    fn resolve(&mut self, scope: &Scope, id: TypeId) -> GoType {
        let package = Arc::clone(&scope.package);
        let file = package.file_at(scope.place);
        let ty = file.ty(id);
        let written = || Arc::from(file.text(ty.span));
        match ty.kind {
            TypeKind::Name => self.name(scope, file.text(ty.span), Arc::default()),
            TypeKind::Qualified { package, name } => {
                self.qualified(scope, file.text(package), file.text(name), Arc::default())
            }
            TypeKind::Generic { base, args } => {
                let arguments = file.type_args(args).iter();
                let arguments = arguments.map(|argument| self.resolve(scope, *argument)).collect();
                let base = file.ty(base);
                match base.kind {
                    TypeKind::Qualified { package, name } => {
                        self.qualified(scope, file.text(package), file.text(name), arguments)
                    }
                    _ => self.name(scope, file.text(base.span), arguments),
                }
            }
            TypeKind::Pointer(inner) => GoType::Pointer(Arc::new(self.resolve(scope, inner))),
            TypeKind::Slice(inner) => GoType::Slice(Arc::new(self.resolve(scope, inner))),
            TypeKind::Map { key, value } => {
                let key = self.resolve(scope, key);
                GoType::Map(Arc::new(key), Arc::new(self.resolve(scope, value)))
            }
            TypeKind::Struct(fields) => GoType::Struct(Struct {
                scope: scope.clone(),
                fields,
                span: ty.span,
            }),
            TypeKind::Unread(body) => {
                let scope = Scope {
                    place: scope.place.body(body),
                    ..scope.clone()
                };
                let read = file.body(body).1;
                match read.kind {
                    TypeKind::Struct(fields) => GoType::Struct(Struct {
                        scope,
                        fields,
                        span: read.span,
                    }),
                    _ => GoType::Invalid(written()),
                }
            }
            TypeKind::Interface { .. } => GoType::Interface(written()),
            TypeKind::Array { .. } | TypeKind::Chan(_) | TypeKind::Func => GoType::Other(written()),
        }
    }

    fn name(&mut self, scope: &Scope, name: &str, arguments: Arc<[GoType]>) -> GoType {
        let bound = scope.parameters.iter().find(|(known, _)| **known == *name);
        if let Some((_, ty)) = bound {
            return ty.clone();
        }
        if scope.package.type_decl(name).is_some() {
            return named(&scope.package, name, arguments);
        }
        match name {
            "any" | "error" | "comparable" => GoType::Interface(name.into()),
            _ if PREDECLARED.contains(&name) => GoType::Basic(name.into()),
            _ => self.dot_imported(scope, name, arguments),
        }
    }

    fn dot_imported(&mut self, scope: &Scope, name: &str, arguments: Arc<[GoType]>) -> GoType {
        let package = Arc::clone(&scope.package);
        let file = package.file_at(scope.place);
        for import in file.dot_imports() {
            let found = self
                .loader
                .import(&package, file.import_path(import), import.path);
            match found {
                Imported::Package(found) if found.type_decl(name).is_some() => {
                    return named(&found, name, arguments);
                }
                _ => {}
            }
        }
        GoType::Invalid(name.into())
    }

    fn qualified(&mut self, scope: &Scope, qualifier: &str, name: &str, arguments: Arc<[GoType]>) -> GoType {
        let package = Arc::clone(&scope.package);
        let file = package.file_at(scope.place);
        let found = match self.loader.import_named(&package, file, qualifier) {
            Some(Imported::Package(found)) => Some(found),
            Some(Imported::Standard) => {
                let import = file.import_named(qualifier);
                import.and_then(|import| self.loader.standard(file.import_path(import)))
            }
            Some(Imported::Missing) | None => None,
        };
        match found.filter(|found| found.type_decl(name).is_some()) {
            Some(found) => named(&found, name, arguments),
            None => GoType::Invalid(format!("{qualifier}.{name}").into()),
        }
    }
}

const PREDECLARED: &[&str] = &[
    "bool",
    "byte",
    "complex64",
    "complex128",
    "float32",
    "float64",
    "int",
    "int8",
    "int16",
    "int32",
    "int64",
    "rune",
    "string",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "uintptr",
];

fn named(package: &Arc<Package>, name: &str, arguments: Arc<[GoType]>) -> GoType {
    let alias = package.type_decl(name).is_some_and(|(_, decl)| decl.alias);
    GoType::Named(Named {
        package: Arc::clone(package),
        name: name.into(),
        alias,
        arguments,
    })
}

impl Struct {
    /// The place of the struct.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }
}

impl std::fmt::Display for GoType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Basic(text) | Self::Interface(text) | Self::Other(text) | Self::Invalid(text) => {
                f.write_str(text)
            }
            Self::Named(named) => write!(f, "{}.{}", named.package.path, named.name),
            Self::Pointer(inner) => write!(f, "*{inner}"),
            Self::Slice(inner) => write!(f, "[]{inner}"),
            Self::Map(key, value) => write!(f, "map[{key}]{value}"),
            Self::Struct(_) => f.write_str("struct"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::{MemoryFiles, Options};

    const SOURCE: &str = "\
package p

import (
\t\"example.org/m/lib\"
\tnone \"example.org/none\"
)

type Text string
type Alias = Other
type Other []lib.Part
type Box[T any] struct{ Inside T }
type Full struct {
\tA Alias
\tB Box[map[string]Text]
\tC none.Thing
\tD *[3]int
}
type Circle Circle
";

    fn with<R>(check: impl FnOnce(&mut Types<'_, '_>, &Arc<Package>) -> R) -> R {
        let files: MemoryFiles = [
            ("m/p/t.go", SOURCE),
            ("m/lib/t.go", "package lib\n\ntype Part struct{ Name string }\n"),
        ]
        .into_iter()
        .collect();
        let options = Options {
            modules: vec![("example.org/m".into(), "m".into())],
            ..Options::default()
        };
        let mut loader = Loader::new(&files, options);
        let package = loader.load("m/p").remove(0);
        check(&mut Types::new(&mut loader), &package)
    }

    #[test]
    fn types_are_resolved_through_names_and_packages() {
        with(|types, package| {
            let underlying = |types: &mut Types<'_, '_>, name: &str| {
                types.underlying(&Types::declared(package, name)).to_string()
            };
            assert_eq!(underlying(types, "Text"), "string");
            assert_eq!(underlying(types, "Alias"), "[]example.org/m/lib.Part");
            assert_eq!(underlying(types, "Circle"), "circle");
            let alias = types.unaliased(&Types::declared(package, "Alias"));
            assert_eq!(alias.to_string(), "example.org/m/p.Other");
        });
    }

    #[test]
    fn fields_have_types_with_their_arguments() {
        with(|types, package| {
            let GoType::Struct(full) = types.underlying(&Types::declared(package, "Full")) else {
                panic!("a struct");
            };
            let shown: Vec<String> = (0..)
                .map_while(|index| types.field(&full, index))
                .map(|field| format!("{} {}", field.name, field.ty))
                .collect();
            assert_eq!(
                shown,
                [
                    "A example.org/m/p.Alias",
                    "B example.org/m/p.Box",
                    "C none.Thing",
                    "D *[3]int"
                ]
            );
            let boxed = types.field(&full, 1).expect("a field").ty;
            let GoType::Struct(boxed) = types.underlying(&boxed) else {
                panic!("a struct");
            };
            let inside = types.field(&boxed, 0).expect("a field").ty;
            assert_eq!(inside.to_string(), "map[string]example.org/m/p.Text");
        });
    }
}
