//! Go types made at random, with tags, and objects of them: what laws about types are tried on.

/// Numbers from a seed.
#[derive(Debug, Clone)]
pub struct Draw(pub u64);

impl Draw {
    /// A number below another.
    pub fn next(&mut self, below: usize) -> usize {
        // Numerical Recipes' linear congruential generator; the high bits are good enough.
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below
    }

    /// One of several.
    pub fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
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

/// A struct type with random fields.
#[derive(Debug, Clone)]
pub struct RandomType {
    /// Its declaration in Go.
    pub declaration: String,
    /// JSON name and Go type of each field.
    fields: Vec<(&'static str, &'static str)>,
}

/// The types that fields of random types have.
pub const OTHER_TYPES: &str = OTHERS;

impl RandomType {
    /// A type of this name.
    #[must_use]
    pub fn new(draw: &mut Draw, name: &str) -> Self {
        let mut declaration = format!("\ntype {name} struct {{\n");
        let mut fields = Vec::new();
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
                declaration += &format!("\t// {tag}\n");
            }
            let name = ["a", "b", "c", "d"][index];
            let omit = if is_struct { "" } else { ",omitempty" };
            declaration += &format!("\t{} {} `json:\"{name}{omit}\"`\n", name.to_uppercase(), field.ty);
            fields.push((name, field.ty));
        }
        declaration += "}\n";
        Self { declaration, fields }
    }

    /// An object of the type.
    pub fn object(&self, draw: &mut Draw) -> String {
        let mut members = Vec::new();
        for (name, ty) in &self.fields {
            if draw.next(3) > 0 {
                members.push(format!("\"{name}\": {}", value(draw, ty)));
            }
        }
        format!("{{{}}}", members.join(", "))
    }
}

/// A value of a field's type.
fn value(draw: &mut Draw, ty: &str) -> String {
    let word = |draw: &mut Draw| format!("\"{}\"", draw.pick(&["a", "b", "ab", "abc", "A"]));
    let many = |draw: &mut Draw, one: &dyn Fn(&mut Draw) -> String| {
        let values: Vec<String> = (0..draw.next(4)).map(|_| one(draw)).collect();
        values.join(", ")
    };
    match ty {
        "string" | "*string" => word(draw),
        "int32" | "*int64" => draw.pick(&["-1", "0", "1", "2", "3"]).to_owned(),
        "*bool" => draw.pick(&["true", "false"]).to_owned(),
        "[]string" => format!("[{}]", many(draw, &word)),
        "[]Item" => {
            let items: Vec<String> = ["a", "b", "c"]
                .into_iter()
                .filter_map(|key| match draw.next(3) {
                    0 => Some(format!("{{\"k\": \"{key}\"}}")),
                    1 => Some(format!("{{\"k\": \"{key}\", \"v\": {}}}", word(draw))),
                    _ => None,
                })
                .collect();
            format!("[{}]", items.join(", "))
        }
        "map[string]string" => {
            let entries: Vec<String> = ["a", "b", "ab"]
                .into_iter()
                .filter_map(|key| match draw.next(2) {
                    0 => Some(format!("\"{key}\": {}", word(draw))),
                    _ => None,
                })
                .collect();
            format!("{{{}}}", entries.join(", "))
        }
        _ => match draw.next(3) {
            0 => "{}".to_owned(),
            1 => format!("{{\"s\": {}}}", word(draw)),
            _ => format!("{{\"i\": {}}}", draw.pick(&["0", "1", "2"])),
        },
    }
}
