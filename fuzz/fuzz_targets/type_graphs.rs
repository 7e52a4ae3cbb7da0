//! Types that refer to each other in every way that Go can write, and some that it refuses: embedded, recursive, generic,
//! aliases and definitions of each other. Each byte is a choice, so that every input is a package of types.

#![no_main]

#[macro_use]
#[path = "shared/score.rs"]
mod score;

#[path = "shared/outputs.rs"]
mod outputs;

fuzz_target!(|data: &[u8]| {
    let mut choices = Choices(data);
    let mut text = String::new();
    for tag in PACKAGE_TAGS {
        if choices.is_one_of(2) {
            text += &format!("// {tag}\n");
        }
    }
    text += "package v1\n";
    let count = 1 + choices.below(12);
    for index in 0..count {
        choices.declare(index, count, &mut text);
    }
    // SHOW=1 with the file of one input prints its package.
    if std::env::var_os("SHOW").is_some() {
        eprintln!("{text}");
    }
    outputs::check(&text);
});

const PACKAGE_TAGS: [&str; 6] = [
    "+groupName=example.org",
    "+k8s:openapi-gen=true",
    "+k8s:validation-gen=*",
    "+k8s:defaulter-gen=TypeMeta",
    "+kubebuilder:object:generate=true",
    "+kubebuilder:ac:generate=true",
];
const TYPE_TAGS: [&str; 4] = [
    "+kubebuilder:object:root=true",
    "+kubebuilder:resource:scope=Cluster",
    "+k8s:openapi-gen=true",
    "+enum",
];
const FIELD_TAGS: [&str; 10] = [
    "+optional",
    "+required",
    "+default={}",
    "+default=\"a\"",
    "+k8s:optional",
    "+k8s:listType=map",
    "+k8s:listMapKey=f0",
    "+k8s:eachVal=+k8s:minimum=1",
    "+k8s:immutable",
    "+kubebuilder:validation:XValidation:rule=\"self == oldSelf\"",
];
const JSON_TAGS: [&str; 8] = [
    "",
    " `json:\",inline\"`",
    " `json:\"\"`",
    " `json:\"-\"`",
    " `json:\"it's\"`",
    " `json:\",omitempty\"`",
    " `json:\"same\"`",
    " `json:\"same,omitempty\"`",
];
const SCALARS: [&str; 6] = ["string", "int32", "bool", "any", "float64", "error"];

struct Choices<'d>(&'d [u8]);

impl Choices<'_> {
    fn below(&mut self, limit: usize) -> usize {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                usize::from(*first) % limit
            }
            None => 0,
        }
    }

    fn is_one_of(&mut self, limit: usize) -> bool {
        self.below(limit) == 1
    }

    /// Every third type is generic.
    fn declare(&mut self, index: usize, count: usize, text: &mut String) {
        for tag in TYPE_TAGS {
            if self.is_one_of(4) {
                *text += &format!("// {tag}\n");
            }
        }
        let parameters = if index % 3 == 2 { "[T any]" } else { "" };
        *text += &format!("type T{index}{parameters} ");
        match self.below(8) {
            0 => *text += &format!("= {}\n", self.expression(index, count, 3)),
            1 => *text += &format!("{}\n", self.expression(index, count, 3)),
            _ => {
                *text += "struct {\n";
                for field in 0..self.below(6) {
                    self.member(index, field, count, text);
                }
                *text += "}\n";
            }
        }
    }

    fn member(&mut self, index: usize, field: usize, count: usize, text: &mut String) {
        if self.is_one_of(3) {
            let tag = FIELD_TAGS[self.below(FIELD_TAGS.len())];
            *text += &format!("\t// {tag}\n");
        }
        let is_embedded = self.is_one_of(2);
        let ty = if is_embedded {
            let pointer = if self.is_one_of(2) { "*" } else { "" };
            format!("{pointer}{}", self.named(index, count, 2))
        } else {
            self.expression(index, count, 3)
        };
        let name = if is_embedded {
            String::new()
        } else {
            format!("F{field} ")
        };
        let json = match self.below(JSON_TAGS.len() + 6) {
            known if known < JSON_TAGS.len() => JSON_TAGS[known].to_owned(),
            _ if is_embedded => JSON_TAGS[1].to_owned(),
            _ => format!(" `json:\"f{field}\"`"),
        };
        *text += &format!("\t{name}{ty}{json}\n");
    }

    fn expression(&mut self, index: usize, count: usize, depth: usize) -> String {
        match self.below(if depth == 0 { 4 } else { 9 }) {
            0 => SCALARS[self.below(SCALARS.len())].to_owned(),
            1..=3 => self.named(index, count, depth),
            4 => format!("[]{}", self.expression(index, count, depth - 1)),
            5 => format!("map[string]{}", self.expression(index, count, depth - 1)),
            6 => format!("[2]{}", self.expression(index, count, depth - 1)),
            7 => {
                let key = self.named(index, count, depth - 1);
                format!("map[{key}]{}", self.expression(index, count, depth - 1))
            }
            _ => format!("*{}", self.expression(index, count, depth - 1)),
        }
    }

    /// A type of the package, with type arguments where it has parameters.
    fn named(&mut self, index: usize, count: usize, depth: usize) -> String {
        let chosen = self.below(count + 1);
        if chosen == count {
            return if index % 3 == 2 {
                "T".to_owned()
            } else {
                "string".to_owned()
            };
        }
        match chosen % 3 {
            2 if depth == 0 => "string".to_owned(),
            2 => format!("T{chosen}[{}]", self.expression(index, count, depth - 1)),
            _ => format!("T{chosen}"),
        }
    }
}
