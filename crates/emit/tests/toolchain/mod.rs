//! The installed Go toolchain, if there is one.

#![allow(dead_code, reason = "every test binary uses its own part")]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use kindsmith_go::package::{Entry, Files, Loader, Options};
use kindsmith_go::{Profile, Read};

/// The published modules that generated code is compiled against.
pub(crate) const VERSION: &str = "v0.37.2";

/// A directory in which Go commands run.
pub(crate) struct Go {
    pub(crate) directory: PathBuf,
}

impl Go {
    /// An empty directory for a test. Without Go or its modules: `None`, and a line that names the skipped
    /// test.
    pub(crate) fn new(name: &str, left_out: &str) -> Option<Self> {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(&directory).expect("a directory for the test");
        let go = Self { directory };
        let said = match Command::new("go").arg("version").output() {
            Err(_) => "there is no Go on the PATH",
            Ok(_) if !go.has_modules() => "the modules of Kubernetes cannot be had",
            Ok(_) => return Some(go),
        };
        say(&format!("left out: {left_out} ({said})\n"));
        None
    }

    fn has_modules(&self) -> bool {
        let module = format!("k8s.io/code-generator@{VERSION}");
        self.try_run(&["mod", "download", &module]).status.success()
    }

    /// Runs a Go command in the directory.
    pub(crate) fn try_run(&self, arguments: &[&str]) -> Output {
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
    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        let output = self.try_run(arguments);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            output.status.success(),
            "go {}\n{said}{}",
            arguments.join(" "),
            String::from_utf8_lossy(&output.stderr)
        );
        said
    }

    /// Checks that gofmt would not change any generated file.
    pub(crate) fn gofmt(&self) {
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
    pub(crate) fn module(&self, path: &str) -> PathBuf {
        let module = format!("{path}@{VERSION}");
        let about = self.run(&["mod", "download", "-json", &module]);
        let line = about
            .lines()
            .find_map(|line| line.trim().strip_prefix("\"Dir\": \""));
        PathBuf::from(line.expect("a directory").trim_end_matches(['"', ',']))
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.directory.join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }

    /// Copies a directory of the project's own test data.
    pub(crate) fn copy(&self, from: &Path, to: &str) {
        for entry in fs::read_dir(from).unwrap_or_else(|error| panic!("{}: {error}", from.display())) {
            let entry = entry.expect("readable");
            let (path, name) = (entry.path(), entry.file_name().into_string().expect("text"));
            let to = format!("{to}/{name}");
            if path.is_dir() {
                self.copy(&path, &to);
            } else {
                self.write(&to, &text(&path));
            }
        }
    }

    /// Reads the packages a pattern names.
    pub(crate) fn read(&self, pattern: &str) -> Read {
        self.read_as(pattern, Profile::Upstream)
    }

    /// Like `read`, with a profile.
    pub(crate) fn read_as(&self, pattern: &str, profile: Profile) -> Read {
        self.load(&[self.directory.join(pattern)], profile)
    }

    /// Reads packages in any directories.
    pub(crate) fn read_all(&self, directories: &[PathBuf]) -> Read {
        self.load(directories, Profile::Upstream)
    }

    fn load(&self, patterns: &[PathBuf], profile: Profile) -> Read {
        let cache = self.run(&["env", "GOMODCACHE"]).trim().to_owned();
        let options = Options {
            module_cache: Some(cache),
            ..Options::default()
        };
        let mut loader = Loader::new(&Disk, options);
        let packages = patterns
            .iter()
            .flat_map(|pattern| loader.load(pattern.to_str().expect("text")))
            .collect();
        kindsmith_go::read(loader, packages, profile)
    }
}

/// Prints a line even if the test passes.
pub(crate) fn say(line: &str) {
    let _ = io::Write::write_all(&mut io::stderr(), line.as_bytes());
}

pub(crate) fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of this machine.
struct Disk;

impl Files for Disk {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    fn list(&self, path: &str) -> io::Result<Vec<Entry>> {
        let entries = fs::read_dir(path)?.map(|entry| {
            let entry = entry?;
            Ok(Entry {
                name: entry.file_name().to_string_lossy().into_owned(),
                directory: entry.file_type()?.is_dir(),
            })
        });
        entries.collect()
    }

    fn exists(&self, path: &str) -> bool {
        Path::new(path).exists()
    }
}
