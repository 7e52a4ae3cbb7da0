//! Tags whose rule or default has no effect, told once before a command uses the types: nothing that is declared is
//! silently not enforced.

use kindsmith_generate::controller_gen::{Generated, Problem};
use kindsmith_go::Read;
use kindsmith_source::{Diagnostic, Severity, Span};

use crate::error::Error;
use crate::input::Profile;
use crate::terminal::Terminal;

/// Codes of findings that mean: what stands there is not enforced, or not as it reads.
const CODES: &[&str] = &[
    "default-arguments",
    "default-null",
    "default-ref",
    "default-syntax",
    "default-type",
    "detached-tag",
    "go-import",
    "go-syntax",
    "kep-only",
    "misplaced-tag",
    "tag-misuse",
    "tag-scope",
    "tag-syntax",
    "tag-value",
    "trailing-tag",
    "type-default-syntax",
    "undefined-type",
    "unknown-nested-tag",
    "unknown-tag",
];

/// How many are listed one by one.
const MANY: usize = 20;

/// Tells them, one line each with its place.
///
/// # Errors
///
/// If there are any and they are fatal.
pub(crate) fn tell(read: &Read, profile: Profile, is_fatal: bool, terminal: &Terminal) -> Result<(), Error> {
    refuse(read, profile, terminal)?;
    let lost = read.diagnostics.iter().filter(|found| is_lost(found));
    let lines: Vec<String> = lost.map(|found| line(read, found)).collect();
    tell_lines(&lines, is_fatal, terminal)
}

/// Tells what the CRDs of custom resources leave out of the types: declarations that cannot be published, and rules that
/// no server enforces.
///
/// # Errors
///
/// If there are any and they are fatal.
pub(crate) fn tell_unpublished(
    read: &Read,
    generated: &Generated,
    is_fatal: bool,
    terminal: &Terminal,
) -> Result<(), Error> {
    let left_out = |problem: &Problem| {
        let place = match read.origins.span(&problem.place) {
            Some(span) => format!("{}: ", place(read, span)),
            None => String::new(),
        };
        format!("warning: {place}not enforced: {}", problem.message)
    };
    let problems = generated.problems.iter().chain(&generated.unenforced);
    let lines: Vec<String> = problems.map(left_out).collect();
    tell_lines(&lines, is_fatal, terminal)
}

fn tell_lines(lines: &[String], is_fatal: bool, terminal: &Terminal) -> Result<(), Error> {
    lines.iter().take(MANY).for_each(|line| terminal.warn(line));
    if lines.len() > MANY {
        terminal.warn(&format!("warning: and {} more like these", lines.len() - MANY));
    }
    if is_fatal && !lines.is_empty() {
        let count = lines.len();
        let tags = if count == 1 { "tag" } else { "tags" };
        return Err(Error::input(format!(
            "--strict: {count} {tags} of the packages would not be enforced as declared"
        ))
        .hint("`kindsmith lint` shows each with its place and how to fix it"));
    }
    Ok(())
}

/// Codes of findings about defaults that KEP-1929 forbids: on structs that are no pointers, on scalars that are always
/// written, of another type, with unknown members.
pub(crate) const REFUSED_BY_KEP: [&str; 3] = ["default-enforced", "default-type", "type-default-syntax"];

/// Under the KEP's profile the defaults that KEP-1929 forbids are errors.
fn refuse(read: &Read, profile: Profile, terminal: &Terminal) -> Result<(), Error> {
    if profile != Profile::Kep {
        return Ok(());
    }
    let is_refused = |found: &&Diagnostic| REFUSED_BY_KEP.contains(&found.finding.code());
    let refused: Vec<&Diagnostic> = read.diagnostics.iter().filter(is_refused).collect();
    refused.iter().for_each(|found| terminal.warn(&line(read, found)));
    match refused.len() {
        0 => Ok(()),
        _ => Err(Error::input("KEP-1929 forbids defaults of the packages")
            .hint("without `--profile kep` they do what Kubernetes does with them")),
    }
}

fn is_lost(found: &Diagnostic) -> bool {
    CODES.binary_search(&found.finding.code()).is_ok()
}

/// `warning[unknown-tag]: api/types.go:3:4: unknown tag "k8s:maxlength"; did you mean +k8s:maxLength?`
fn line(read: &Read, found: &Diagnostic) -> String {
    let severity = match found.severity {
        Severity::Error => "error",
        _ => "warning",
    };
    let help: String = found.help.iter().map(|help| format!("; {help}")).collect();
    format!(
        "{severity}[{}]: {}: {}{help}",
        found.finding.code(),
        place(read, found.span),
        found.message,
    )
}

/// `api/types.go:3:4`.
fn place(read: &Read, span: Span) -> String {
    let position = read.sources.position(span);
    let file = read.sources.file(span.file).name();
    format!("{file}:{}:{}", position.line, position.column)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    #[test]
    fn codes_are_sorted_and_known() {
        assert!(CODES.is_sorted());
        let known: Vec<&str> = registry::findings()
            .into_iter()
            .map(kindsmith_source::Finding::code)
            .collect();
        for code in CODES {
            assert!(known.contains(code), "{code}");
        }
    }
}
