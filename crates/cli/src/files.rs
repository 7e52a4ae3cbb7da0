//! The disk as the Go reader sees it. Names that are not UTF-8 cannot be Go source and are passed over.

use std::fs;
use std::io;
use std::path::Path;

use kindsmith_go::package::{Entry, Files};

/// Files and folders on disk; relative paths start where the process runs.
#[derive(Debug, Clone, Copy, Default)]
pub struct Disk;

impl Files for Disk {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    fn list(&self, path: &str) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            if let Ok(name) = entry.file_name().into_string() {
                // Links count as what they lead to.
                let directory = entry.path().is_dir();
                entries.push(Entry { name, directory });
            }
        }
        Ok(entries)
    }

    fn exists(&self, path: &str) -> bool {
        Path::new(path).exists()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_files_and_folders() {
        let mut entries = Disk
            .list(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))
            .expect("it is there");
        entries.retain(|entry| entry.name == "command" || entry.name == "command.rs");
        entries.sort();
        let expected = [("command", true), ("command.rs", false)].map(|(name, directory)| Entry {
            name: name.to_owned(),
            directory,
        });
        assert_eq!(entries, expected);
    }

    #[test]
    fn says_why_it_cannot_read() {
        let missing = concat!(env!("CARGO_MANIFEST_DIR"), "/nothing");
        assert!(!Disk.exists(missing));
        assert_eq!(
            Disk.read(missing).expect_err("missing").kind(),
            io::ErrorKind::NotFound
        );
        assert_eq!(
            Disk.list(missing).expect_err("missing").kind(),
            io::ErrorKind::NotFound
        );
        let text = Disk.read(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
        assert!(text.expect("it is there").starts_with(b"[package]"));
    }
}
