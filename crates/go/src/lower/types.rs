//! Type expressions.

use std::sync::Arc;

use kindsmith_schema::{Owner, Part, Scalar, Shape, Type, TypeId, TypeName, TypeRef, WellKnown};
use kindsmith_source::{Diagnostic, Span};

use super::{At, Lower, comments};
use crate::finding;
use crate::package::{Imported, Package};
use crate::syntax::{self, File, Length, TypeKind};

/// How long the type arguments of an instance may be, written out. Those that people write are far shorter.
const LONGEST: usize = 2_000;
/// How deep the type arguments of an instance may be nested.
const DEEPEST: usize = 12;
/// How many instances of generic types a program may have.
const MOST_INSTANCES: usize = 10_000;

impl Lower<'_, '_> {
    /// The shape of a declared type.
    pub(super) fn shape(&mut self, at: At<'_>, owner: TypeId, ty: syntax::Type) -> Shape {
        match ty.kind {
            TypeKind::Struct(fields) => Shape::Struct(self.fields(at, owner, fields)),
            _ => Shape::Def(self.written(at, ty)),
        }
    }

    /// The use of a type.
    pub(super) fn type_ref(&mut self, at: At<'_>, id: syntax::TypeId) -> TypeRef {
        self.written(at, at.file.ty(id))
    }

    /// Like `type_ref`, for an expression that was already looked up.
    pub(super) fn written(&mut self, at: At<'_>, ty: syntax::Type) -> TypeRef {
        let text = at.file.text(ty.span);
        match ty.kind {
            TypeKind::Name => self.name(at, text, ty.span, Vec::new()),
            TypeKind::Qualified { package, name } => self.qualified(at, package, name, Vec::new()),
            TypeKind::Generic { base, args } => self.instance(at, base, args),
            TypeKind::Pointer(inner) => self.type_ref(at, inner).pointer(),
            TypeKind::Slice(inner) => self.type_ref(at, inner).list(),
            TypeKind::Array { len, elem } => {
                TypeRef::Array(self.length(at, len), Box::new(self.type_ref(at, elem)))
            }
            TypeKind::Map { key, value } => {
                let key = self.type_ref(at, key);
                self.type_ref(at, value).map(key)
            }
            TypeKind::Struct(fields) => self.anonymous(at, fields, ty.span),
            TypeKind::Unread(_) => {
                let (inside, ty) = self.opened(at, ty);
                self.written(inside, ty)
            }
            TypeKind::Interface { empty: true } => TypeRef::Any { spelled_out: true },
            TypeKind::Interface { empty: false } => TypeRef::Interface,
            TypeKind::Chan(_) => TypeRef::Unsupported {
                kind: "Chan",
                text: text.into(),
            },
            TypeKind::Func => TypeRef::Unsupported {
                kind: "Func",
                text: text.into(),
            },
        }
    }

    fn name(&mut self, at: At<'_>, name: &str, span: Span, args: Vec<TypeRef>) -> TypeRef {
        if let Some(bound) = at.params.get(name) {
            return bound.clone();
        }
        if at.package.type_decl(name).is_some() {
            return TypeRef::Named(self.want(at.package, name, args));
        }
        if let Some(builtin) = universe(name) {
            return builtin;
        }
        if let Some(package) = self.dot_imported(at.package, at.file, name) {
            return TypeRef::Named(self.want(&package, name, args));
        }
        self.undefined(at, name, span);
        TypeRef::Named(
            self.builder
                .declare(&TypeName::new(at.package.path.clone(), name)),
        )
    }

    fn undefined(&mut self, at: At<'_>, name: &str, span: Span) {
        if self.is_input(at.package) {
            self.diagnostics.push(
                Diagnostic::error(&finding::UNDEFINED_TYPE, span, format!("undefined: {name}"))
                    .label("not declared in this package")
                    .help(
                        "declare it, import its package, or name the whole directory instead of single files",
                    ),
            );
        }
    }

    /// Go rejects such types too ("instantiation cycle"). They have one finding, however often they grow.
    fn growing(&mut self, name: &str, span: Span) {
        let is_known = |known: &Diagnostic| known.span == span;
        if !self.diagnostics.iter().any(is_known) {
            let message = format!("instantiation cycle: {name} uses itself with ever larger type arguments");
            self.diagnostics.push(
                Diagnostic::error(&finding::GO_SYNTAX, span, message)
                    .help("use it with its own type parameters, or with a type that does not grow"),
            );
        }
    }

    /// The package behind a dot import that declares `name`.
    pub(super) fn dot_imported(
        &mut self,
        importer: &Package,
        file: &File,
        name: &str,
    ) -> Option<Arc<Package>> {
        file.dot_imports().find_map(|import| {
            match self
                .loader
                .import(importer, file.import_path(import), import.path)
            {
                Imported::Package(package) => package.type_decl(name).is_some().then_some(package),
                Imported::Standard | Imported::Missing => None,
            }
        })
    }

    fn qualified(&mut self, at: At<'_>, package: Span, name: Span, args: Vec<TypeRef>) -> TypeRef {
        let (qualifier, text) = (at.file.text(package), at.file.text(name));
        let imported = self.loader.import_named(at.package, at.file, qualifier);
        if let Some(Imported::Package(package)) = &imported {
            return TypeRef::Named(self.want(package, text, args));
        }
        let path = at
            .file
            .import_named(qualifier)
            .map(|import| at.file.import_path(import));
        if path.is_none() {
            self.undefined(at, qualifier, package);
        }
        if let (Some(path), Some(Imported::Standard)) = (path, imported)
            && let Some(package) = self.standard(at, path, text)
        {
            return TypeRef::Named(self.want(&package, text, args));
        }
        // Only the name of this type is known; well-known types are recognized by it.
        let name = TypeName::new(path.unwrap_or(qualifier), text);
        let id = self.builder.declare(&name);
        self.describe_standard(id, &name);
        TypeRef::Named(id)
    }

    /// Reads the comment of a well-known type of the standard library where generators publish it.
    fn describe_standard(&mut self, id: TypeId, name: &TypeName) {
        let ty = self.builder.ty(id);
        let published = matches!(ty.well_known, Some(WellKnown::GoDuration | WellKnown::RawMessage));
        if !published || ty.docs.text.is_some() {
            return;
        }
        let installed = self.loader.standard_file(&name.package, &name.name);
        let docs = match &installed {
            Some(file) => file
                .type_decl(&name.name)
                .map(|decl| comments::docs(file, &decl.comments)),
            None => self.loader.standard(&name.package).and_then(|package| {
                let (file, decl) = package.type_decl(&name.name)?;
                Some(comments::docs(file, &decl.comments))
            }),
        };
        if let Some(docs) = docs {
            self.builder.ty_mut(id).docs = docs;
        }
    }

    /// The package of the standard library that declares a type, if its declaration matters: not for
    /// well-known types, and not for unexported members, which are not part of an API.
    fn standard(&mut self, at: At<'_>, path: &str, name: &str) -> Option<Arc<Package>> {
        let hidden = at
            .member
            .is_some_and(|member| !member.starts_with(char::is_uppercase));
        if hidden || WellKnown::named(&TypeName::new(path, name)).is_some() {
            return None;
        }
        let package = self.loader.standard(path)?;
        package.type_decl(name).is_some().then_some(package)
    }

    fn instance(&mut self, at: At<'_>, base: syntax::TypeId, args: syntax::List<syntax::TypeId>) -> TypeRef {
        let args: Vec<TypeRef> = at
            .file
            .type_args(args)
            .iter()
            .map(|arg| self.type_ref(at, *arg))
            .collect();
        let ty = at.file.ty(base);
        let length: usize = args.iter().map(|arg| self.builder.view().text(arg).len()).sum();
        let depth = 1 + args.iter().map(|arg| self.depth(arg)).max().unwrap_or(0);
        if length > LONGEST || depth > DEEPEST || self.instances.len() > MOST_INSTANCES {
            let text = at.file.text(ty.span);
            self.growing(text, ty.span);
            return TypeRef::Unsupported {
                kind: "Generic",
                text: text.into(),
            };
        }
        let instance = match ty.kind {
            TypeKind::Qualified { package, name } => self.qualified(at, package, name, args),
            _ => self.name(at, at.file.text(ty.span), ty.span, args),
        };
        if let TypeRef::Named(id) = instance {
            self.instances.insert(id, depth);
        }
        instance
    }

    /// How deep a type argument is nested.
    fn depth(&self, of: &TypeRef) -> usize {
        match of {
            TypeRef::Named(id) => self.instances.get(id).copied().unwrap_or(0),
            TypeRef::Pointer(inner) | TypeRef::List(inner) | TypeRef::Array(_, inner) => {
                1 + self.depth(inner)
            }
            TypeRef::Map(key, value) => 1 + self.depth(key).max(self.depth(value)),
            TypeRef::Scalar(_) | TypeRef::Any { .. } | TypeRef::Interface | TypeRef::Unsupported { .. } => 0,
        }
    }

    fn anonymous(&mut self, at: At<'_>, fields: syntax::List<syntax::Field>, span: Span) -> TypeRef {
        // A definition such as `type Set map[string]struct{}` has no member; its own name is taken.
        let own = format!("{}.{}", at.owner, at.member.unwrap_or("struct"));
        let name = TypeName::new(at.package.path.clone(), &*own);
        let id = self.builder.declare(&name);
        let inside = At {
            owner: &own,
            member: None,
            ..at
        };
        let members = self.fields(inside, id, fields);
        let mut ty = Type::new(name, Shape::Struct(members));
        ty.anonymous = true;
        self.builder.define(id, ty);
        self.origins.push((Owner::Type(id).part(Part::Name), span));
        TypeRef::Named(id)
    }

    fn length(&mut self, at: At<'_>, len: Length) -> u64 {
        match len {
            Length::Expr(expr) => self.array_length(at, expr).unwrap_or(0),
            Length::Ellipsis => 0,
        }
    }
}

/// The meaning of a name that no package declares.
fn universe(name: &str) -> Option<TypeRef> {
    match name {
        "any" => Some(TypeRef::Any { spelled_out: false }),
        "error" | "comparable" => Some(TypeRef::Interface),
        "complex64" | "complex128" => Some(TypeRef::Unsupported {
            kind: "Unsupported",
            text: name.into(),
        }),
        _ => Scalar::named(name).map(TypeRef::Scalar),
    }
}
