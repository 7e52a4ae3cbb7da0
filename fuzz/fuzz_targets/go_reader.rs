//! Any bytes as a Go file: reading never panics or hangs, every span is inside the file, and no constant makes evaluation
//! panic.

#![no_main]

#[macro_use]
#[path = "shared/score.rs"]
mod score;

use kindsmith_go::constant::Constants;
use kindsmith_go::package::{Loader, MemoryFiles, Options};
use kindsmith_go::syntax::dump;

fuzz_target!(|data: &[u8]| {
    let files: MemoryFiles = [
        ("p/a.go", data),
        ("p/go.mod", data),
        (
            "p/other/o.go",
            b"package other\ntype T string\nconst C T = \"c\"\n".as_slice(),
        ),
    ]
    .into_iter()
    .collect();
    let mut loader = Loader::new(&files, Options::default());
    let Some(package) = loader.load_directory("p") else {
        return;
    };
    for file in &package.files {
        let _ = dump(file);
        for group in file.comments.groups() {
            for line in file.comment_lines(group) {
                assert_eq!(line.text, file.text(line.span));
            }
        }
    }
    let mut constants = Constants::default();
    for (file, decl) in package.consts() {
        constants.value(&mut loader, &package, file, decl);
    }
    for diagnostic in loader.diagnostics() {
        let _ = loader.sources().position(diagnostic.span);
        let _ = loader.sources().text(diagnostic.span);
    }
});
