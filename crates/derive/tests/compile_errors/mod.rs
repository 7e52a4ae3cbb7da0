//! Compile errors: where they are, and what they say.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The macros as they were built for this test.
fn macros() -> PathBuf {
    let program = std::env::current_exe().expect("a program");
    let built = program.parent().expect("a directory");
    let is_macros = |path: &PathBuf| {
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        let is_library = path
            .extension()
            .is_some_and(|extension| extension == std::env::consts::DLL_EXTENSION);
        name.starts_with(&format!("{}kindsmith_derive-", std::env::consts::DLL_PREFIX)) && is_library
    };
    let entries = std::fs::read_dir(built).expect("it is there");
    let found = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(is_macros);
    let newest = found.max_by_key(|path| std::fs::metadata(path).and_then(|meta| meta.modified()).ok());
    newest.expect("the macros are built")
}

#[test]
fn mistakes_are_told_at_their_attributes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compile_errors");
    let output = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .args([
            "--edition=2024",
            "--crate-type=lib",
            "--emit=metadata",
            "--error-format=short",
            "--out-dir",
        ])
        .arg(env!("CARGO_TARGET_TMPDIR"))
        .arg("--extern")
        .arg(format!("kindsmith_derive={}", macros().display()))
        .arg("errors.rs")
        .current_dir(&folder)
        .output()
        .expect("rustc starts");
    let told = String::from_utf8_lossy(&output.stderr);
    // The façade is not there, so errors of the compiler itself are about that.
    let is_own = |line: &&str| !line.contains("error[E") && !line.contains("aborting") && !line.is_empty();
    let told: Vec<&str> = told.lines().filter(is_own).collect();
    let told = format!("{}\n", told.join("\n"));
    let path = folder.join("errors.txt");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &told).expect("it can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(told, expected, "UPDATE=1 writes {}", path.display());
}
