//! Why a command could not run. Findings in sources are not errors: they are diagnostics and end in an
//! [`Outcome`](crate::Outcome).

use std::fmt;
use std::path::Path;
use std::process::ExitCode;

/// Why a command could not run, by who has to act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The command line is wrong.
    Usage,
    /// The input cannot be used: a missing directory, a file that is not text.
    Input,
    /// The system failed: permissions, full disk, no terminal.
    Environment,
    /// A bug in Kindsmith.
    Bug,
}

/// Why a command could not run, with a hint if we have one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    kind: Kind,
    message: String,
    hint: Option<String>,
}

impl Error {
    /// A command line that makes no sense.
    #[must_use]
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(Kind::Usage, message.into())
    }

    /// An input that cannot be used.
    #[must_use]
    pub fn input(message: impl Into<String>) -> Self {
        Self::new(Kind::Input, message.into())
    }

    /// A refusal by the operating system.
    #[must_use]
    pub fn environment(message: impl Into<String>) -> Self {
        Self::new(Kind::Environment, message.into())
    }

    /// A bug in Kindsmith.
    #[must_use]
    pub fn bug(message: impl Into<String>) -> Self {
        let repository = env!("CARGO_PKG_REPOSITORY");
        Self::new(Kind::Bug, message.into()).hint(format!(
            "this is a bug in kindsmith; please report the command and its input at {repository}/issues"
        ))
    }

    /// A file or directory that could not be read: the user's mistake if it does not exist, otherwise the system's
    /// refusal.
    #[must_use]
    pub fn reading(path: &Path, error: &std::io::Error) -> Self {
        use std::io::ErrorKind::{InvalidData, IsADirectory, NotADirectory, NotFound};
        let kind = match error.kind() {
            NotFound | NotADirectory | IsADirectory | InvalidData => Kind::Input,
            _ => Kind::Environment,
        };
        Self::new(kind, format!("cannot read {}: {error}", path.display()))
    }

    fn new(kind: Kind, message: String) -> Self {
        Self {
            kind,
            message,
            hint: None,
        }
    }

    /// Adds one sentence on how to fix it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The kind of error.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The exit code of the process.
    #[must_use]
    pub fn exit_code(&self) -> ExitCode {
        match self.kind {
            Kind::Usage | Kind::Input | Kind::Environment | Kind::Bug => ExitCode::from(2),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(hint) = &self.hint {
            write!(f, "\n  = help: {hint}")?;
        }
        if self.kind == Kind::Usage {
            f.write_str("\n\nFor more information, try '--help'.")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(error: &Error, kind: Kind, text: &str) {
        assert_eq!(error.kind(), kind);
        assert_eq!(error.to_string(), text);
        assert_eq!(
            format!("{:?}", error.exit_code()),
            format!("{:?}", ExitCode::from(2))
        );
    }

    #[test]
    fn hints_stand_below_the_message() {
        let error = Error::input("no Go files in api").hint("name a folder with types");
        check(
            &error,
            Kind::Input,
            "no Go files in api\n  = help: name a folder with types",
        );
    }

    #[test]
    fn usage_errors_point_to_help() {
        check(
            &Error::usage("nothing to do"),
            Kind::Usage,
            "nothing to do\n\nFor more information, try '--help'.",
        );
    }

    #[test]
    fn a_missing_file_is_the_users_mistake_and_a_refusal_the_machines() {
        let reading = |kind: std::io::ErrorKind| Error::reading(Path::new("a.go"), &kind.into());
        check(
            &reading(std::io::ErrorKind::NotFound),
            Kind::Input,
            "cannot read a.go: entity not found",
        );
        check(
            &reading(std::io::ErrorKind::PermissionDenied),
            Kind::Environment,
            "cannot read a.go: permission denied",
        );
    }
}
