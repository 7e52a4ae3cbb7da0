//! No input panics, and every reported place is inside the file.

use proptest::prelude::*;

use super::super::{dump, string_literals};
use super::read;

const SAMPLE: &str = r#"// Package v1.
// +groupName=x
package v1 // tail

import ( metav1 "k8s.io/x" )

// +k8s:validation

// Foo is a thing.
type Foo[T any, U ~int] struct {
	metav1.TypeMeta `json:",inline"` // t
	/* a */ A, B *pkg.Bar[T] "json:\"a\""
	C map[string][N + 1]struct { D int }
}

const ( // x
	A Phase = "a" + 'b'; B
	C = 1 << iota
)

func (f *Foo[T]) OpenAPISchemaType() []string { return []string{"x", `y`} }
"#;

fn survives(source: &str) {
    let file = read(source);
    // Dumping reads the text of every span.
    assert!(dump(&file).len() < 100 * source.len() + 10_000);
    for func in &file.funcs {
        if let Some(span) = func.returns {
            for (place, _) in string_literals(&file, span) {
                assert!(file.text(place).len() >= 2);
            }
        }
    }
}

#[test]
fn every_prefix_of_a_file() {
    for (end, _) in SAMPLE.char_indices() {
        survives(&SAMPLE[..end]);
        survives(&SAMPLE[end..]);
    }
}

proptest! {
    #[test]
    fn arbitrary_text(source in ".{0,200}") {
        survives(&source);
    }

    #[test]
    fn go_like_text(parts in prop::collection::vec(prop::sample::select(vec![
        "type ", "struct ", "{", "}", "(", ")", "[", "]", "\n", ";", ",", "A", "a.B", "// c\n", "/* d */", "/*", "\"s\"",
        "`t`", "'", "\"", "`", "func ", "const ", "var ", "=", "*", "map", "iota", "+", "interface", "chan ", "<-", "...",
        "~", "|", "return ", "package p\n", "import ", "1", "é", "\\", ".",
    ]), 0..60)) {
        survives(&parts.concat());
    }

    #[test]
    fn a_file_with_bytes_changed(at in 0..SAMPLE.len(), len in 0usize..20, put in "[ -~\\n]{0,5}") {
        let mut bytes = SAMPLE.as_bytes().to_vec();
        let end = (at + len).min(bytes.len());
        bytes.splice(at..end, put.bytes());
        survives(&String::from_utf8_lossy(&bytes));
    }
}
