//! The installed Go toolchain, if there is one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use kindsmith_go::{Profile, Read};

use crate::tool::{self, Tool};
use crate::{GoPackages, entries, name, text};

/// The published modules that generated code is compiled against.
pub const VERSION: &str = "v0.37.2";

/// What a test may import of Kubernetes.
const MODULES: [&str; 6] = [
    "api",
    "apiextensions-apiserver",
    "apimachinery",
    "apiserver",
    "client-go",
    "kube-aggregator",
];

/// A directory in which Go commands run.
#[derive(Debug)]
pub struct Go {
    /// Where it is.
    pub directory: PathBuf,
}

impl Go {
    /// A directory for a test, emptied. Without Go or its modules: `None`, and a line that names the skipped
    /// test.
    ///
    /// # Panics
    ///
    /// If the directory cannot be made, or Go is required and missing.
    #[must_use]
    pub fn new(directory: PathBuf, left_out: &str) -> Option<Self> {
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(&directory).expect("a directory for the test");
        let go = Self { directory };
        if tool::download(&format!("k8s.io/code-generator@{VERSION}")).is_none() {
            tool::left_out(Tool::Go, left_out);
            return None;
        }
        Some(go)
    }

    /// Runs a Go command in the directory.
    ///
    /// # Panics
    ///
    /// If Go does not start.
    #[must_use]
    pub fn try_run(&self, arguments: &[&str]) -> Output {
        Command::new("go")
            .args(arguments)
            .current_dir(&self.directory)
            .env("GOFLAGS", "-mod=mod")
            .env("GOWORK", "off")
            .env("GOTOOLCHAIN", "local")
            .output()
            .expect("go starts")
    }

    /// Like `try_run`, for a command that must succeed.
    ///
    /// # Panics
    ///
    /// If it fails.
    pub fn run(&self, arguments: &[&str]) -> String {
        let output = self.try_run(arguments);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let complained = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "go {}\n{said}{complained}",
            arguments.join(" ")
        );
        assert!(
            !complained.contains("finding module"),
            "the go.mod names too few modules, so that Go takes the newest: {complained}"
        );
        said
    }

    /// Checks that gofmt would not change any generated file.
    ///
    /// # Panics
    ///
    /// If it would.
    pub fn gofmt(&self) {
        let output = Command::new("gofmt")
            .args(["-s", "-l", "."])
            .current_dir(&self.directory)
            .output()
            .expect("gofmt starts");
        let listed = String::from_utf8_lossy(&output.stdout).into_owned();
        let listed: Vec<&str> = listed
            .lines()
            .filter(|file| file.contains("zz_generated"))
            .collect();
        assert_eq!(listed, Vec::<&str>::new(), "gofmt would change these files");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }

    /// The directory of a published module in the module cache.
    ///
    /// # Panics
    ///
    /// If it cannot be downloaded.
    #[must_use]
    pub fn module(&self, path: &str) -> PathBuf {
        tool::download(&format!("{path}@{VERSION}")).expect("it could be downloaded")
    }

    /// Writes a file below the directory.
    ///
    /// # Panics
    ///
    /// If it cannot be written.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.directory.join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }

    /// Writes the `go.mod` of a module. It names the version of all that tests import: what it does not name, Go looks
    /// for, takes the newest, and asks for paths that are no modules.
    pub fn module_file(&self, name: &str) {
        let mut text = format!("module {name}\n\ngo 1.26\n\nrequire (\n");
        for module in MODULES {
            text += &format!("\tk8s.io/{module} {VERSION}\n");
        }
        self.write("go.mod", &(text + ")\n"));
    }

    /// Copies a directory of the project's own test data.
    pub fn copy(&self, from: &Path, to: &str) {
        for path in entries(from) {
            let to = format!("{to}/{}", name(&path));
            if path.is_dir() {
                self.copy(&path, &to);
            } else {
                self.write(&to, &text(&path));
            }
        }
    }

    /// Reads the packages a pattern names.
    #[must_use]
    pub fn read(&self, pattern: &str) -> Read {
        self.read_as(pattern, Profile::Upstream)
    }

    /// Like `read`, with a profile.
    #[must_use]
    pub fn read_as(&self, pattern: &str, profile: Profile) -> Read {
        let pattern = self.directory.join(pattern);
        self.packages().profile(profile).read(path(&pattern))
    }

    /// Reads packages in any directories.
    #[must_use]
    pub fn read_all(&self, directories: &[PathBuf]) -> Read {
        let directories: Vec<&str> = directories.iter().map(|directory| path(directory)).collect();
        self.packages().read_all(&directories)
    }

    fn packages(&self) -> GoPackages {
        GoPackages::default().module_cache(self.run(&["env", "GOMODCACHE"]).trim())
    }
}

fn path(path: &Path) -> &str {
    path.to_str().expect("text")
}
