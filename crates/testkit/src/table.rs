//! Tables of answers recorded from Go and the Kubernetes libraries: one case per line, fields separated by tabs, each
//! field a Go string literal.

use kindsmith_gostd::quote::unquote;

/// Reads a table whose fields may hold any bytes.
#[must_use]
pub fn byte_rows(table: &str) -> Vec<Vec<Vec<u8>>> {
    let field = |literal| unquote(literal).expect("every field is a Go string literal");
    table
        .lines()
        .map(|line| line.split('\t').map(field).collect())
        .collect()
}

/// Reads a table of texts.
#[must_use]
pub fn rows(table: &str) -> Vec<Vec<String>> {
    let text = |field| String::from_utf8(field).expect("this table holds only texts");
    byte_rows(table)
        .into_iter()
        .map(|row| row.into_iter().map(text).collect())
        .collect()
}

/// Collects differences, so that one run shows all of them.
#[derive(Default)]
pub struct Report {
    cases: usize,
    differences: Vec<String>,
}

impl Report {
    /// Compares an answer with the recorded one.
    pub fn compare<T: PartialEq + std::fmt::Debug + ?Sized>(&mut self, case: &str, got: &T, want: &T) {
        self.cases += 1;
        if got != want {
            self.differences
                .push(format!("{case}\n  got  {got:?}\n  want {want:?}"));
        }
    }

    /// Fails if anything differed, or if there were fewer cases than expected.
    pub fn finish(self, at_least: usize) {
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
pub fn outcome<T: ToString, E: ToString>(result: Result<T, E>) -> [String; 2] {
    match result {
        Ok(value) => ["ok".to_owned(), value.to_string()],
        Err(error) => ["error".to_owned(), error.to_string()],
    }
}
