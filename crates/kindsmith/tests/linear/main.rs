//! The memory that files take grows with their length, not faster: Go packages, CRDs and manifests may come from strangers.
//!
//! A program of its own, because it counts what the whole process allocates. `e2e/linear/run` counts instructions, too.

#![allow(
    clippy::disallowed_methods,
    reason = "a test reads its cases and starts what it needs"
)]

use std::alloc::System;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

use kindsmith::{Arena, Kinds, Write};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Allocations of all threads are counted.
static ALONE: Mutex<()> = Mutex::new(());

/// A text that grows along one axis.
type Case = (&'static str, fn(usize) -> String);

/// What is done with a text; errors are fine, they must only be cheap.
type Entry = fn(&str);

/// Checks the law for some size and four times as much: `most` bytes are allocated for each byte of the text, freed ones
/// included.
fn check(entry: Entry, cases: &[Case], size: usize, most: f64) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut faults = Vec::new();
    // The first run pays for what is made once.
    entry(&(cases[0].1)(1));
    for (name, text) in cases {
        let (few, many) = (text(size), text(4 * size));
        let [small, large] = [&few, &many].map(|text| {
            let region = Region::new(ALLOCATOR);
            entry(text);
            region.change().bytes_allocated
        });
        let growth = large as f64 / small as f64;
        let each = large.saturating_sub(small) as f64 / (many.len() - few.len()) as f64;
        if growth > 6.0 || each > most {
            faults.push(format!(
                "{name}: {growth:.1} times the memory for four times the size, {each:.0} bytes for each byte"
            ));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// `n` pieces, made from their numbers.
fn pieces(n: usize, piece: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for number in 0..n {
        write!(text, "{}", piece(number)).expect("strings take text");
    }
    text
}

/// A Go package with one kind, whose fields are these.
fn go(declarations: &str, fields: &str) -> String {
    format!(
        "// +groupName=park.example.org\npackage v1\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n{declarations}\n\
         // +kubebuilder:object:root=true\ntype Gate struct {{\n\tmetav1.TypeMeta `json:\",inline\"`\n\
         \tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n{fields}}}\n"
    )
}

fn field(number: usize) -> String {
    format!("\t// Field {number}.\n\tF{number} string `json:\"f{number}\"`\n")
}

/// Reads a Go package, compiles its kinds and makes its CRDs.
fn read_go(text: &str) {
    if let Ok(kinds) = Kinds::from_go([("types.go", text)]) {
        let types = kinds.go_types().expect("there are types");
        let _ = types.crds();
    }
}

const GO: [Case; 9] = [
    ("fields", |n| go("", &pieces(n, field))),
    ("types", |n| {
        let types = pieces(n, |number| {
            format!("type T{number} struct {{\n\tA string `json:\"a\"`\n}}\n")
        });
        go(
            &types,
            &pieces(n, |number| {
                format!("\tF{number} T{number} `json:\"f{number}\"`\n")
            }),
        )
    }),
    ("types, each in the one before", |n| {
        let depth = n / 20;
        let types = pieces(depth, |number| {
            format!(
                "type T{number} struct {{\n\tNext *T{} `json:\"next,omitempty\"`\n}}\n",
                number + 1
            )
        });
        go(
            &format!("{types}type T{depth} struct {{\n{}}}\n", pieces(n, field)),
            "\tFirst T0 `json:\"first\"`\n",
        )
    }),
    ("embedded types, each in the one before", |n| {
        let depth = n / 20;
        let types = pieces(depth, |number| {
            format!(
                "type T{number} struct {{\n\tT{} `json:\",inline\"`\n\tA{number} string `json:\"a{number}\"`\n}}\n",
                number + 1
            )
        });
        go(
            &format!("{types}type T{depth} struct {{\n{}}}\n", pieces(n, field)),
            "\tT0 `json:\",inline\"`\n",
        )
    }),
    ("lines of a comment", |n| {
        let comment = pieces(n, |number| format!("\t// Line {number} of a comment.\n"));
        go("", &format!("{comment}\tA string `json:\"a\"`\n"))
    }),
    ("tags of a field", |n| {
        let tags = pieces(n, |number| {
            format!("\t// +kubebuilder:validation:XValidation:rule=\"size(self) != {number}\"\n")
        });
        go(
            "",
            &format!("{tags}\t// +kubebuilder:validation:MaxLength=10\n\tA string `json:\"a\"`\n"),
        )
    }),
    ("tags that nobody knows", |n| {
        let tags = pieces(n, |number| format!("\t// +k8s:unknown{number}=3\n"));
        go("", &format!("{tags}\tA string `json:\"a\"`\n"))
    }),
    ("values of an enum", |n| {
        let values = pieces(n, |number| format!("\tV{number} Color = \"v{number}\"\n"));
        go(
            &format!("// +k8s:enum\ntype Color string\n\nconst (\n{values})\n"),
            "\t// +k8s:optional\n\tA Color `json:\"a,omitempty\"`\n",
        )
    }),
    ("syntax errors", |n| {
        go(&pieces(n, |_| "type = struct { ]\n".to_owned()), "")
    }),
];

#[test]
fn go_packages() {
    check(read_go, &GO, 500, 4_000.0);
}

/// A CRD whose schema has these properties.
fn crd(properties: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: gates.park.example.org}}\n\
         spec:\n  group: park.example.org\n  scope: Namespaced\n  names: {{plural: gates, singular: gate, kind: Gate}}\n  versions:\n\
         \x20 - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n\
         \x20       properties:\n          spec:\n            type: object\n            properties:\n{properties}"
    )
}

/// Loads the CRDs of a text, and reviews an object of the kind.
fn read_crd(text: &str) {
    if let Ok(kinds) = Kinds::from_crds(text) {
        review(
            &kinds,
            "apiVersion: park.example.org/v1\nkind: Gate\nmetadata: {name: a}\nspec: {}\n",
        );
    }
}

const CRDS: [Case; 6] = [
    ("properties", |n| {
        crd(&pieces(n, |number| {
            format!("              p{number}: {{type: string, maxLength: 5}}\n")
        }))
    }),
    ("defaults", |n| {
        crd(&pieces(n, |number| {
            format!("              p{number}: {{type: integer, default: {number}}}\n")
        }))
    }),
    ("rules", |n| {
        let rules = pieces(n, |number| {
            format!("              - rule: size(self) != {number}\n")
        });
        crd(&format!(
            "              p:\n                type: string\n                maxLength: 10\n                x-kubernetes-validations:\n{}",
            rules.replace("              - ", "                - ")
        ))
    }),
    ("values of an enum", |n| {
        let values = pieces(n, |number| format!("v{number}, "));
        crd(&format!("              p: {{type: string, enum: [{values}]}}\n"))
    }),
    ("unknown keywords", |n| {
        crd(&pieces(n, |number| {
            format!("              p{number}: {{type: string, unknown: 5}}\n")
        }))
    }),
    ("definitions", |n| {
        let one = crd("              p: {type: string}\n");
        pieces(n / 10, |number| {
            format!("---\n{}", one.replace("gates", &format!("gates{number}")))
        })
    }),
];

#[test]
fn definitions() {
    check(read_crd, &CRDS, 500, 4_000.0);
}

/// Reviews the objects of a manifest.
fn review(kinds: &Kinds, text: &str) {
    for document in text.split("---\n") {
        let arena = Arena::new();
        if let Ok(object) = kindsmith_json::yaml::parse(&arena, document.as_bytes()) {
            let _ = kinds.review(&arena, &Write::create(object));
        }
    }
}

fn map(data: &str) -> String {
    format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a}}\n{data}")
}

const MANIFESTS: [Case; 8] = [
    ("keys", |n| {
        map(&format!(
            "data:\n{}",
            pieces(n, |number| format!("  k{number}: v\n"))
        ))
    }),
    ("one key again and again", |n| {
        map(&format!("data:\n{}", "  k: v\n".repeat(n)))
    }),
    ("unknown fields", |n| {
        map(&pieces(n, |number| format!("k{number}: v\n")))
    }),
    ("documents", |n| {
        format!("{}---\n", map("data: {a: b}\n")).repeat(n)
    }),
    ("lines of a text", |n| {
        map(&format!("data:\n  k: |\n{}", "    some line\n".repeat(n)))
    }),
    ("aliases beyond what they may add", |n| {
        map(&format!(
            "x: &x {}\nz: [{}]\n",
            "y".repeat(10_000),
            "*x, ".repeat(n)
        ))
    }),
    ("wrong values", |n| {
        let ports = "  - {port: 99999999, protocol: NO}\n".repeat(n);
        format!("apiVersion: v1\nkind: Service\nmetadata: {{name: a}}\nspec:\n  ports:\n{ports}")
    }),
    ("nested lists", |n| {
        map(&format!("data: {}{}\n", "[".repeat(n / 10), "]".repeat(n / 10)))
    }),
];

#[test]
fn manifests() {
    check(|text| review(&Kinds::default(), text), &MANIFESTS, 1_000, 400.0);
}
