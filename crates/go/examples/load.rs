//! Loads Go packages by pattern, follows the imports their types use and evaluates their constants: `load
//! MODULE_CACHE PATTERN...`. With `--constants` first, prints every constant.

#![allow(clippy::disallowed_methods, reason = "an example reads what it shows")]
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::io;
use std::sync::Arc;
use std::time::Instant;

use kindsmith_go::constant::{Constant, Constants, Value};
use kindsmith_go::package::{Entry, Files, Loader, Options, Package};
use kindsmith_go::syntax::TypeKind;

struct Disk;

impl Files for Disk {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn list(&self, path: &str) -> io::Result<Vec<Entry>> {
        let entry = |entry: std::fs::DirEntry| {
            Ok(Entry {
                name: entry.file_name().to_string_lossy().into_owned(),
                directory: entry.file_type()?.is_dir(),
            })
        };
        std::fs::read_dir(path)?.map(|found| entry(found?)).collect()
    }

    fn exists(&self, path: &str) -> bool {
        std::fs::exists(path).unwrap_or(false)
    }
}

fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let print = args.first().is_some_and(|arg| arg == "--constants");
    args.drain(..usize::from(print));
    let options = Options {
        module_cache: args.first().cloned(),
        ..Options::default()
    };
    let started = Instant::now();
    let mut loader = Loader::new(&Disk, options);
    let packages: Vec<Arc<Package>> = args
        .iter()
        .skip(1)
        .flat_map(|pattern| loader.load(pattern))
        .collect();
    let loaded = started.elapsed();
    for package in &packages {
        follow(&mut loader, package);
    }
    let followed = started.elapsed();
    let mut constants = Constants::default();
    let mut values = 0;
    for package in &packages {
        for (file, decl) in package.consts() {
            let value = constants.value(&mut loader, package, file, decl);
            values += usize::from(value.is_some());
            if print && file.text(decl.name) != "_" {
                println!(
                    "{} {} {}",
                    package.path,
                    file.text(decl.name),
                    show(value.as_deref())
                );
            }
        }
    }
    let evaluated = started.elapsed();
    for diagnostic in loader.diagnostics().iter().filter(|_| !print) {
        let place = loader.sources().position(diagnostic.span);
        let name = loader.sources().file(diagnostic.span.file).name();
        println!("{name}:{}:{}: {}", place.line, place.column, diagnostic.message);
    }
    if !print {
        let files = loader.sources().files().count();
        println!(
            "{} packages ({files} files with imports), {values} constants; loaded after {loaded:?}, imports after {followed:?}, constants after {evaluated:?}",
            packages.len()
        );
    }
}

/// Loads the packages of the types in a package's fields.
fn follow(loader: &mut Loader<'_>, package: &Package) {
    for (file, decl) in package.types() {
        let (file, ty) = file.opened(decl.ty);
        let TypeKind::Struct(fields) = ty.kind else {
            continue;
        };
        for field in file.fields(fields) {
            let mut ty = field.ty;
            loop {
                match file.ty(ty).kind {
                    TypeKind::Pointer(inner) | TypeKind::Slice(inner) => ty = inner,
                    TypeKind::Map { value, .. } => ty = value,
                    TypeKind::Qualified {
                        package: qualifier, ..
                    } => {
                        loader.import_named(package, file, file.text(qualifier));
                        break;
                    }
                    _ => break,
                }
            }
        }
    }
}

fn show(constant: Option<&Constant>) -> String {
    let Some(constant) = constant else {
        return "?".to_owned();
    };
    let ty = constant.ty.as_ref().map_or("-".to_owned(), |ty| {
        let package = ty
            .package
            .as_ref()
            .map_or(String::new(), |path| format!("{path}."));
        format!("{package}{}", ty.name)
    });
    match &constant.value {
        Value::String(text) => format!("{ty} {text:?}"),
        Value::Int(value) => format!("{ty} {value}"),
        Value::Float(value) => format!("{ty} {value}"),
        Value::Bool(value) => format!("{ty} {value}"),
    }
}
