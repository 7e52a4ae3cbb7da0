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

/// Turns a result into the last two fields of a row.
pub fn outcome<T: ToString, E: ToString>(result: Result<T, E>) -> [String; 2] {
    match result {
        Ok(value) => ["ok".to_owned(), value.to_string()],
        Err(error) => ["error".to_owned(), error.to_string()],
    }
}
