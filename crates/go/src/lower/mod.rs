//! Turns syntax into a schema: every type of the input packages, and everything they refer to. Gives types
//! their shape; tags are read afterwards.

mod comments;
mod constants;
mod embedding;
mod generics;
mod methods;
mod recursion;
mod struct_tag;
mod structs;
mod types;
mod versions;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use kindsmith_schema::{Builder, Owner, Part, Place, Shape, Str, Type, TypeId, TypeName, TypeRef};
use kindsmith_source::{Diagnostic, Span};
use kindsmith_tags::Declaration;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::constant::Constants;
use crate::package::{FilePlace, Loader, Package};
use crate::syntax::{self, Comments, File, TypeKind};

pub(crate) use comments::sites;
pub(crate) use constants::Declared;
pub(crate) use generics::unpublished;

/// Shapes of all types, and the comments still to be read.
pub(crate) struct Lowered {
    pub(crate) builder: Builder,
    pub(crate) origins: Vec<(Place, Span)>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Declarations with their comments.
    pub(crate) commented: Vec<Commented>,
    /// Places of the types and fields of input packages.
    pub(crate) declarations: Vec<Declaration>,
    /// The packages of the schema.
    pub(crate) packages: Vec<Arc<Package>>,
    /// Constants evaluated so far.
    pub(crate) constants: Constants,
}

/// A declaration with unread comments.
pub(crate) struct Commented {
    pub(crate) owner: Owner,
    pub(crate) package: Arc<Package>,
    /// The file; `None` for the package itself.
    pub(crate) file: Option<FilePlace>,
    pub(crate) comments: Comments,
}

/// Lowers the given packages.
///
/// For CRDs, other versions of their kinds are lowered too.
pub(crate) fn lower(inputs: &[Arc<Package>], loader: &mut Loader<'_>, definitions: bool) -> Lowered {
    let mut lower = Lower {
        loader,
        constants: Constants::default(),
        inputs: inputs.iter().map(|package| package.path.clone()).collect(),
        builder: Builder::default(),
        origins: Vec::new(),
        diagnostics: Vec::new(),
        commented: Vec::new(),
        declarations: Vec::new(),
        entered: Vec::new(),
        entered_paths: FxHashSet::default(),
        queue: VecDeque::new(),
        queued: FxHashSet::default(),
        instances: FxHashMap::default(),
    };
    for package in inputs {
        lower.enter_package(package);
        lower.declare_all(package);
        lower.drain();
    }
    if definitions {
        lower.other_versions();
    }
    lower.bound_recursion();
    lower.bound_embedding();
    lower.add_constants();
    Lowered {
        builder: lower.builder,
        origins: lower.origins,
        diagnostics: lower.diagnostics,
        commented: lower.commented,
        declarations: lower.declarations,
        packages: lower.entered,
        constants: lower.constants,
    }
}

/// State of lowering.
struct Lower<'a, 'files> {
    loader: &'a mut Loader<'files>,
    constants: Constants,
    inputs: FxHashSet<Str>,
    builder: Builder,
    origins: Vec<(Place, Span)>,
    diagnostics: Vec<Diagnostic>,
    commented: Vec<Commented>,
    declarations: Vec<Declaration>,
    /// Packages of the schema, in the order found.
    entered: Vec<Arc<Package>>,
    entered_paths: FxHashSet<Str>,
    queue: VecDeque<Pending>,
    queued: FxHashSet<TypeId>,
    /// Instances of generic types, with how deep their type arguments are nested.
    instances: FxHashMap<TypeId, usize>,
}

/// A type that was referenced and still has to be defined.
struct Pending {
    id: TypeId,
    package: Arc<Package>,
    /// The name of its declaration, without type arguments.
    name: Str,
    args: Vec<TypeRef>,
}

/// The place of a type expression.
#[derive(Clone, Copy)]
struct At<'a> {
    package: &'a Arc<Package>,
    file: &'a File,
    place: FilePlace,
    /// Type parameters in scope.
    params: &'a HashMap<&'a str, TypeRef>,
    /// The enclosing type, from which an anonymous struct gets its name.
    owner: &'a str,
    /// The enclosing member, if any.
    member: Option<&'a str>,
}

impl Lower<'_, '_> {
    fn is_input(&self, package: &Package) -> bool {
        self.inputs.contains(&package.path)
    }

    /// Adds a package to the schema when the first of its types is defined.
    fn enter_package(&mut self, package: &Arc<Package>) {
        if !self.entered_paths.insert(package.path.clone()) {
            return;
        }
        self.entered.push(package.clone());
        let mut entry = kindsmith_schema::Package::new(package.path.clone(), &*package.name);
        entry.input = self.is_input(package);
        entry.functions = self.functions(package);
        if entry.input {
            entry.private_names = methods::private_names(package);
        }
        let owner = Owner::Package(self.builder.add_package(entry));
        for (index, name) in methods::places_of_package(package).enumerate() {
            self.origins
                .push((owner.part(Part::Function(index as u32)), name));
        }
        if let Some(name) = package.files.iter().find_map(|file| file.package) {
            self.origins.push((owner.part(Part::Name), name));
        }
        let comments = Comments::default();
        self.commented.push(Commented {
            owner,
            package: package.clone(),
            file: None,
            comments,
        });
    }

    /// Declares every type of an input package, in source order. Generic types are defined where they are
    /// used.
    fn declare_all(&mut self, package: &Arc<Package>) {
        for (file, decl) in package.types().filter(|(_, decl)| decl.type_params.is_empty()) {
            self.want(package, file.text(decl.name), Vec::new());
        }
    }

    /// The id of a type, which is defined later if its package declares it.
    fn want(&mut self, package: &Arc<Package>, name: &str, args: Vec<TypeRef>) -> TypeId {
        let full = self.instance_name(name, &args);
        let id = self.builder.declare(&TypeName::new(package.path.clone(), full));
        if self.queued.insert(id) {
            self.queue.push_back(Pending {
                id,
                package: package.clone(),
                name: name.into(),
                args,
            });
        }
        id
    }

    fn instance_name(&self, name: &str, args: &[TypeRef]) -> Str {
        if args.is_empty() {
            return name.into();
        }
        let args: Vec<String> = args.iter().map(|arg| self.builder.view().text(arg)).collect();
        format!("{name}[{}]", args.join(",")).into()
    }

    fn drain(&mut self) {
        while let Some(pending) = self.queue.pop_front() {
            self.define(&pending);
        }
    }

    fn define(&mut self, pending: &Pending) {
        let package = &pending.package;
        let Some((file, decl)) = package.type_decl(&pending.name) else {
            return;
        };
        self.enter_package(package);
        let names = file
            .type_params(decl.type_params)
            .iter()
            .map(|param| file.text(param.name));
        let params: HashMap<&str, TypeRef> = names.zip(pending.args.iter().cloned()).collect();
        let at = At {
            package,
            file,
            place: index_of(package, file),
            params: &params,
            owner: &pending.name,
            member: None,
        };
        let (inside, written) = self.opened(at, file.ty(decl.ty));
        let shape = if decl.alias {
            Shape::Alias(self.written(inside, written))
        } else {
            self.shape(inside, pending.id, written)
        };
        let mut ty = Type::new(self.builder.ty(pending.id).name.clone(), shape);
        ty.methods = self.methods_of_type(package, &pending.name);
        ty.docs = comments::docs(file, &decl.comments);
        self.builder.define(pending.id, ty);
        let owner = Owner::Type(pending.id);
        self.origins.push((owner.part(Part::Name), decl.name));
        self.origins.push((owner.part(Part::Type), written.span));
        self.declare(
            at,
            Declaration {
                owner,
                span: decl.span,
                doc: at.file.doc_span(&decl.comments),
                tag: None,
            },
        );
        self.comment(owner, at, decl.comments);
    }

    /// Where all types and fields say what they are.
    fn places(&self) -> FxHashMap<Place, Span> {
        let is_type = |(place, _): &&(Place, Span)| place.part == Part::Type;
        self.origins.iter().filter(is_type).copied().collect()
    }

    fn declare(&mut self, at: At<'_>, declaration: Declaration) {
        if self.is_input(at.package) {
            self.declarations.push(declaration);
        }
    }

    /// A type and the place of its parts; parses it now if it was skipped.
    fn opened<'a>(&mut self, at: At<'a>, ty: syntax::Type) -> (At<'a>, syntax::Type) {
        let TypeKind::Unread(body) = ty.kind else {
            return (at, ty);
        };
        let (file, ty) = at.file.body(body);
        self.diagnostics.extend_from_slice(&file.diagnostics);
        let place = at.place.body(body);
        (At { file, place, ..at }, ty)
    }

    fn comment(&mut self, owner: Owner, at: At<'_>, comments: Comments) {
        if self.is_input(at.package) {
            self.diagnostics
                .extend(comments::trailing_tags(at.file, &comments));
        }
        let (package, file) = (at.package.clone(), Some(at.place));
        self.commented.push(Commented {
            owner,
            package,
            file,
            comments,
        });
    }
}

fn index_of(package: &Package, file: &File) -> FilePlace {
    package.place_of(file).expect("the file is one of the package")
}
