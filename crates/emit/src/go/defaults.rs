//! Files with defaulting functions, equivalent to defaulter-gen's output and in the same order.
//!
//! Must not know tags: the schema holds the defaults.

mod functions;
mod tree;
mod value;
mod write;

use std::collections::HashSet;

use kindsmith_checks::Types;
use kindsmith_schema::{GoKind, Package, Schema, Str, TypeId, TypeRef};

use super::file::file;
use super::text::{Code, identifier, literal};
use super::type_name::TypeNames;
use super::{File, Generated, Options, Problem};
use functions::Functions;
use tree::Tree;

const RUNTIME: &str = "k8s.io/apimachinery/pkg/runtime";

/// Defaulting functions for the packages with `+k8s:defaulter-gen`.
#[must_use]
pub fn defaults(schema: &Schema, options: &Options) -> Generated {
    let mut generated = Generated::default();
    let mut earlier = Functions::new(schema);
    for peer in options.peers.iter().filter_map(|path| schema.package(path)) {
        earlier.add(peer);
    }
    let mut all = earlier.clone();
    for package in options.selected(schema) {
        all.add(package);
    }
    generated.problems = all.duplicates();
    for package in options.selected(schema) {
        earlier.add(package);
        if package.options.defaulter.is_empty() {
            continue;
        }
        let reach = Reach {
            earlier: &earlier,
            all: &all,
        };
        let (text, problems) = write_package(schema, package, reach, options);
        generated.problems.extend(problems);
        generated.files.push(File {
            package: package.path.clone(),
            name: options.defaults.clone(),
            text,
        });
    }
    generated
}

/// The functions that a package's code can call. Upstream decides which types get code when it reaches the
/// package, knowing only the functions of packages up to it, and writes the code when it knows all
/// (generators/defaulter.go, `GetTargets`).
#[derive(Clone, Copy)]
struct Reach<'r, 's> {
    earlier: &'r Functions<'s>,
    all: &'r Functions<'s>,
}

fn write_package(
    schema: &Schema,
    package: &Package,
    reach: Reach<'_, '_>,
    options: &Options,
) -> (String, Vec<Problem>) {
    let types = Types::new(schema);
    let input = package.options.defaulter_input.as_ref().unwrap_or(&package.path);
    let mut tree = Tree::new(types, reach.earlier);
    tree.find_objects(&candidates(types, package, input, reach.earlier));
    let mut tree = Tree::with_objects(types, reach.all, tree.objects);
    let mut names = TypeNames::new(schema, package);
    let scheme = names.imports.of(RUNTIME, "Scheme");
    let mut objects: Vec<TypeId> = tree.objects.iter().copied().collect();
    objects.sort_by_key(|id| &schema.ty(*id).name);
    let mut declarations = vec![registration(&mut names, &scheme, &objects)];
    for id in objects {
        let Some(node) = tree.build(&TypeRef::Named(id), true) else {
            continue;
        };
        declarations.push(write::function(&mut names, id, &node));
    }
    let nameless = std::mem::take(&mut names.nameless).into_iter();
    let problems = nameless.map(|id| Problem {
        ty: schema.ty(id).name.clone(),
        message: "a struct without a name has defaults that Go code cannot write".to_owned(),
    });
    let problems = problems.chain(tree.problems).collect();
    let text = file(schema, package, &names.imports, options, &declarations);
    (text, problems)
}

/// Types that may get a function: exported ones with the tag, or structs with a member that the package's tag
/// names.
fn candidates(types: Types<'_>, package: &Package, input: &Str, functions: &Functions<'_>) -> Vec<TypeId> {
    let wanted: HashSet<&Str> = package.options.defaulter.iter().collect();
    let all = types.schema.types().filter(|(id, ty)| {
        let named = TypeRef::Named(*id);
        let is_own = ty.name.package == *input && ty.name.is_exported() && !ty.anonymous;
        if !is_own || types.unalias(&named) != named || functions.object(*id).is_some() {
            return false;
        }
        ty.options.defaulter.unwrap_or_else(|| {
            let members = types.members(&named).map_or(&[][..], |(_, fields)| fields);
            types.kind(&named) == GoKind::Struct && members.iter().any(|field| wanted.contains(&field.name))
        })
    });
    all.map(|(id, _)| id).collect()
}

fn registration(names: &mut TypeNames<'_>, scheme: &str, objects: &[TypeId]) -> String {
    let mut code = Code::default();
    code.line("// RegisterDefaults adds the defaulting functions of this package to a scheme. Each one fills everything below its");
    code.line("// object.");
    code.open(&format!("func RegisterDefaults(scheme *{scheme}) error {{"));
    for id in objects {
        let (ty, function) = (names.named(*id), object_function(names.types.schema, *id));
        let filler = literal("func(obj interface{})", &format!("{function}(obj.(*{ty}))"));
        code.line(&format!("scheme.AddTypeDefaultingFunc(&{ty}{{}}, {filler})"));
    }
    code.line("return nil");
    code.close("}");
    code.finish()
}

fn object_function(schema: &Schema, id: TypeId) -> String {
    format!("SetObjectDefaults_{}", identifier(&schema.ty(id).name.name))
}
