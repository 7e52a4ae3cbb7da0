//! Reading one package of a big module reads only what it refers to.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io;

use kindsmith_go::Profile;
use kindsmith_go::package::{Entry, Files, Loader, MemoryFiles, Options};

/// Files that record which were read.
#[derive(Default)]
struct Counted {
    files: MemoryFiles,
    read: RefCell<BTreeSet<String>>,
    listed: RefCell<BTreeSet<String>>,
}

impl Files for Counted {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let content = self.files.read(path)?;
        self.read.borrow_mut().insert(path.to_owned());
        Ok(content)
    }

    fn list(&self, path: &str) -> io::Result<Vec<Entry>> {
        self.listed.borrow_mut().insert(path.to_owned());
        self.files.list(path)
    }

    fn exists(&self, path: &str) -> bool {
        self.files.exists(path)
    }
}

/// A module of many packages; the type of each uses the type of the third package after it.
fn module(packages: usize) -> Counted {
    let mut counted = Counted::default();
    let files = &mut counted.files;
    files.add("m/go.mod", "module example.org/m\n\ngo 1.24\n");
    for number in 0..packages {
        let next = number + 3;
        let (import, field) = if next < packages {
            (
                format!("import \"example.org/m/api/p{next}\"\n"),
                format!("\tNext p{next}.T `json:\"next\"`\n"),
            )
        } else {
            Default::default()
        };
        let text = format!("package p{number}\n\n{import}\ntype T struct {{\n{field}}}\n");
        files.add(format!("m/api/p{number}/types.go"), text);
        files.add(
            format!("m/api/p{number}/types_test.go"),
            format!("package p{number}\n"),
        );
        files.add(format!("m/api/p{number}/notes.txt"), "no source");
        files.add(
            format!("m/internal/i{number}/code.go"),
            format!("package i{number}\n"),
        );
    }
    counted
}

#[test]
fn only_reachable_packages_are_read() {
    for (asked, reached) in [("p96", 2), ("p99", 1), ("p90", 4), ("p1", 33)] {
        let counted = module(100);
        let mut loader = Loader::new(&counted, Options::default());
        let packages = loader.load(&format!("m/api/{asked}"));
        let read = kindsmith_go::read(loader, packages, Profile::Upstream);
        assert_eq!(read.diagnostics, [], "{asked}");
        let files = counted.read.take();
        let sources: Vec<&String> = files.iter().filter(|path| path.ends_with(".go")).collect();
        assert_eq!(sources.len(), reached, "{asked}: {sources:?}");
        assert_eq!(files.len(), reached + 1, "{asked}: {files:?}");
        let listed = counted.listed.take();
        assert!(listed.len() <= reached + 3, "{asked}: {listed:?}");
    }
}
