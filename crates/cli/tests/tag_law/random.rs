//! Types made at random: their CRD and the types themselves agree on every write, as Kubernetes and as the KEPs read tags.

use super::*;
use kindsmith_testkit::tool::say;
use proptest::strategy::ValueTree;

/// How many types are tried; `KINDSMITH_RANDOM_TYPES` asks for more.
const TYPES: usize = 150;

/// Numbers from a seed.
struct Draw(u64);

impl Draw {
    fn next(&mut self, below: usize) -> usize {
        // Numerical Recipes' linear congruential generator; the high bits are good enough.
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.next(from.len())]
    }
}

/// A kind of field: its Go type, tags that come first, and tags to draw from.
struct Field {
    ty: &'static str,
    always: &'static [&'static str],
    some: &'static [&'static str],
}

const PRESENCE: &[&str] = &[
    "",
    "",
    "+k8s:optional",
    "+k8s:optional",
    "+k8s:required",
    "+k8s:forbidden",
];

const FIELDS: &[Field] = &[
    Field {
        ty: "string",
        always: &[],
        some: &[
            "+k8s:maxLength=2",
            "+k8s:minLength=2",
            "+k8s:neq=\"ab\"",
            "+k8s:immutable",
            "+k8s:update=NoSet",
            "+k8s:update=NoUnset",
            "+k8s:update=NoModify",
            "+k8s:format=k8s-short-name",
        ],
    },
    Field {
        ty: "*string",
        always: &[],
        some: &[
            "+k8s:maxLength=2",
            "+k8s:minLength=1",
            "+k8s:immutable",
            "+k8s:update=NoModify",
        ],
    },
    Field {
        ty: "int32",
        always: &[],
        some: &[
            "+k8s:minimum=1",
            "+k8s:maximum=2",
            "+k8s:neq=2",
            "+k8s:immutable",
            "+k8s:monotonic",
        ],
    },
    Field {
        ty: "*int64",
        always: &[],
        some: &[
            "+k8s:minimum=-1",
            "+k8s:maximum=2",
            "+k8s:immutable",
            "+k8s:update=NoUnset",
        ],
    },
    Field {
        ty: "*bool",
        always: &[],
        some: &["+k8s:immutable", "+k8s:update=NoSet"],
    },
    Field {
        ty: "[]string",
        always: &["+k8s:listType=set"],
        some: &[
            "+k8s:minItems=1",
            "+k8s:maxItems=2",
            "+k8s:eachVal=+k8s:maxLength=1",
            "+k8s:immutable",
            "+k8s:update=NoAddItem",
            "+k8s:update=NoRemoveItem",
        ],
    },
    Field {
        ty: "[]Item",
        always: &["+k8s:listType=map", "+k8s:listMapKey=k", "+k8s:maxItems=3"],
        some: &[
            "+k8s:item(k: \"a\")=+k8s:immutable",
            "+k8s:item(k: \"a\")=+k8s:subfield(v)=+k8s:maxLength=1",
            "+k8s:eachVal=+k8s:update=NoModify",
            "+k8s:immutable",
            "+k8s:update=NoAddItem",
            "+k8s:update=NoRemoveItem",
        ],
    },
    Field {
        ty: "map[string]string",
        always: &[],
        some: &[
            "+k8s:maxProperties=2",
            "+k8s:eachKey=+k8s:maxLength=1",
            "+k8s:eachVal=+k8s:neq=\"b\"",
            "+k8s:immutable",
            "+k8s:update=NoAddItem",
            "+k8s:update=NoRemoveItem",
        ],
    },
    Field {
        ty: "Inner",
        always: &[],
        some: &["+k8s:immutable", "+k8s:subfield(i)=+k8s:maximum=1"],
    },
    Field {
        ty: "*Inner",
        always: &[],
        some: &[
            "+k8s:immutable",
            "+k8s:update=NoUnset",
            "+k8s:subfield(s)=+k8s:required",
        ],
    },
];

const OTHERS: &str = "
type Item struct {
	K string `json:\"k\"`
	// +k8s:optional
	V string `json:\"v,omitempty\"`
}

type Inner struct {
	// +k8s:optional
	// +k8s:immutable
	S *string `json:\"s,omitempty\"`
	I int32 `json:\"i,omitempty\"`
}
";

fn source(draw: &mut Draw) -> String {
    let mut text = String::from("\ntype T struct {\n");
    for index in 0..=draw.next(4) {
        let field = &FIELDS[draw.next(FIELDS.len())];
        let is_struct = field.ty == "Inner";
        let mut tags: Vec<&str> = field.always.to_vec();
        if !is_struct {
            tags.push(draw.pick(PRESENCE));
        }
        for _ in 0..draw.next(3) {
            let tag = draw.pick(field.some);
            if !tags.contains(&tag) {
                tags.push(tag);
            }
        }
        for tag in tags.iter().filter(|tag| !tag.is_empty()) {
            text += &format!("\t// {tag}\n");
        }
        let name = ["a", "b", "c", "d"][index];
        let omit = if is_struct { "" } else { ",omitempty" };
        text += &format!("\t{} {} `json:\"{name}{omit}\"`\n", name.to_uppercase(), field.ty);
    }
    text + "}\n" + OTHERS
}

/// Writes of a type that were compared.
fn compared(both: &Both, runner: &mut TestRunner, source: &str) -> usize {
    let mut count = 0;
    let told = |error: TestCaseError| panic!("{source}\n{error}");
    for _ in 0..4 {
        let object = objects(&both.schema, WORDS)
            .new_tree(runner)
            .expect("an object")
            .current();
        agree(both, &object, None).unwrap_or_else(told);
        count += 1;
    }
    for _ in 0..12 {
        let (new, old) = changes(&both.schema, WORDS)
            .new_tree(runner)
            .expect("two objects")
            .current();
        let arena = Arena::new();
        if both.published(both.stored(&arena, &old), None).is_empty() {
            agree(both, &new, Some(&old)).unwrap_or_else(told);
            count += 1;
        }
    }
    count
}

#[test]
fn random_types_agree() {
    let wanted = std::env::var("KINDSMITH_RANDOM_TYPES")
        .ok()
        .and_then(|text| text.parse().ok());
    let wanted: usize = wanted.unwrap_or(TYPES);
    let mut draw = Draw(7);
    let mut runner = runner(1);
    let (mut types, mut writes, mut unsaid) = (0, 0, 0);
    while types < wanted {
        let source = source(&mut draw);
        let Some(read) = super::clean(&source) else {
            continue;
        };
        types += 1;
        for profile in [checks::Profile::Upstream, checks::Profile::Kep] {
            match Both::of(&read, profile) {
                Some(both) => writes += compared(&both, &mut runner, &source),
                // A rule that a CRD cannot express is reported, not compared.
                None => unsaid += 1,
            }
        }
    }
    say(&format!(
        "{types} types, {writes} writes agree; {unsaid} times a CRD cannot say all"
    ));
    assert!(writes > 10 * wanted, "{writes} writes of {types} types");
    assert!(unsaid < types / 4, "{unsaid} of {types}");
}
