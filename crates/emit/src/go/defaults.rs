//! Files with defaulting functions, equivalent to defaulter-gen's output and in the same order.
//!
//! Must not know tags: the schema holds the defaults.

mod backend;
mod functions;
mod value;
mod write;

use std::collections::{HashMap, HashSet};

use kindsmith_checks::{DefaultTree, Profile, Types, default_candidates, kep_defaults};
use kindsmith_schema::{Package, Schema, TypeId, TypeRef};

use super::file::file;
use super::text::{Code, identifier, literal};
use super::type_name::TypeNames;
use super::{File, Generated, Options, Problem};
use backend::Go;
use functions::Functions;

const RUNTIME: &str = "k8s.io/apimachinery/pkg/runtime";

/// Defaulting functions for the packages with `+k8s:defaulter-gen`.
#[must_use]
pub fn defaults(schema: &Schema, options: &Options) -> Generated {
    match options.profile {
        Profile::Upstream => of(schema, options),
        // defaulter-gen ignores the default of a type on fields that are no pointers.
        Profile::Kep => of(&kep_defaults(schema), options),
    }
}

fn of(schema: &Schema, options: &Options) -> Generated {
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
    let mut candidates = default_candidates(types, Some(package), input);
    candidates.retain(|id| reach.earlier.object(*id).is_none());
    let mut tree =
        DefaultTree::new(types, Go::new(types, reach.earlier), HashSet::new()).profile(options.profile);
    tree.find_objects(&candidates);
    let DefaultTree {
        objects, recursive, ..
    } = tree;
    let mut tree = DefaultTree::new(types, Go::new(types, reach.all), objects).profile(options.profile);
    tree.recursive = recursive;
    let mut names = TypeNames::new(schema, package);
    let scheme = names.imports.of(RUNTIME, "Scheme");
    let sorted = |ids: &HashSet<TypeId>| {
        let mut sorted: Vec<TypeId> = ids.iter().copied().collect();
        sorted.sort_by_key(|id| &schema.ty(*id).name);
        sorted
    };
    let objects = sorted(&tree.objects);
    let functions: HashMap<TypeId, String> = objects
        .iter()
        .map(|id| (*id, object_function(schema, *id)))
        .chain(recursive_functions(schema, &sorted(&tree.recursive)))
        .collect();
    let mut declarations = vec![registration(&mut names, &scheme, &objects)];
    for id in objects.into_iter().chain(sorted(&tree.recursive)) {
        if let Some(inside) = tree.build(&TypeRef::Named(id), true) {
            declarations.push(write::function(&mut names, &functions, id, &inside));
        }
    }
    let nameless = std::mem::take(&mut names.nameless).into_iter();
    let problems = nameless.map(|id| Problem {
        ty: schema.ty(id).name.clone(),
        message: "a struct without a name has defaults that Go code cannot write".to_owned(),
    });
    let problems = problems.chain(tree.backend.problems).collect();
    let text = file(schema, package, &names.imports, options, &declarations);
    (text, problems)
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

/// Names for the functions of recursive types. Types of several packages may share theirs.
fn recursive_functions(schema: &Schema, types: &[TypeId]) -> Vec<(TypeId, String)> {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let named = |id: &TypeId| {
        let name = &schema.ty(*id).name.name;
        let number = seen.entry(name).or_default();
        *number += 1;
        let number = if *number == 1 {
            String::new()
        } else {
            number.to_string()
        };
        (*id, format!("setObjectDefaults{number}_{}", identifier(name)))
    };
    types.iter().map(named).collect()
}

fn object_function(schema: &Schema, id: TypeId) -> String {
    format!("SetObjectDefaults_{}", identifier(&schema.ty(id).name.name))
}
