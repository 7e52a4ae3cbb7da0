//! Replays answers recorded from Go 1.26 and the Kubernetes libraries.
//!
//! Each file in `tests/data` is a table: one case per line, fields separated by tabs, each field a Go string
//! literal. The inputs are hand-written seeds and random edits of them; the answers are what Go printed.

mod base64;
mod cidr;
mod duration;
mod float;
mod format;
mod ip;
mod named;
mod quantity;
mod quote;
mod regexp;
mod semver;
mod strconv;
mod strfmt;
mod time;
mod url;

use kindsmith_scalar::quote::unquote;

/// Reads a table whose fields may hold any bytes.
fn byte_rows(table: &str) -> Vec<Vec<Vec<u8>>> {
    let field = |literal| unquote(literal).expect("every field is a Go string literal");
    table
        .lines()
        .map(|line| line.split('\t').map(field).collect())
        .collect()
}

/// Reads a table of texts.
fn rows(table: &str) -> Vec<Vec<String>> {
    let text = |field| String::from_utf8(field).expect("this table holds only texts");
    byte_rows(table)
        .into_iter()
        .map(|row| row.into_iter().map(text).collect())
        .collect()
}

/// Collects differences, so that one run shows all of them.
#[derive(Default)]
struct Report {
    cases: usize,
    differences: Vec<String>,
}

impl Report {
    fn compare<T: PartialEq + std::fmt::Debug + ?Sized>(&mut self, case: &str, got: &T, want: &T) {
        self.cases += 1;
        if got != want {
            self.differences
                .push(format!("{case}\n  got  {got:?}\n  want {want:?}"));
        }
    }

    fn finish(self, at_least: usize) {
        assert!(self.cases >= at_least, "only {} cases", self.cases);
        let shown = self
            .differences
            .iter()
            .take(25)
            .cloned()
            .collect::<Vec<_>>()
            .join("\n");
        assert!(
            self.differences.is_empty(),
            "{} of {} differ:\n{shown}",
            self.differences.len(),
            self.cases
        );
    }
}

/// Turns a result into the two last fields of a row.
fn outcome<T: ToString, E: ToString>(result: Result<T, E>) -> [String; 2] {
    match result {
        Ok(value) => ["ok".to_owned(), value.to_string()],
        Err(error) => ["error".to_owned(), error.to_string()],
    }
}
