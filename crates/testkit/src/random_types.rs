//! Go types made at random, with tags, and objects of them: what laws about types are tried on.

mod tables;

use crate::draw::Draw;
use kindsmith_go::Profile;
use tables::{BLOCKS, Block, FIELDS, Field, OTHERS, PRESENCE, RECURSIVE};

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

/// An object of a random type: members as JSON.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RandomObject(Vec<(&'static str, String)>);

impl std::fmt::Display for RandomObject {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let members: Vec<String> = self
            .0
            .iter()
            .map(|(name, value)| format!("\"{name}\": {value}"))
            .collect();
        write!(out, "{{{}}}", members.join(", "))
    }
}

impl RandomType {
    /// A type of this name, with tags that a profile knows.
    #[must_use]
    pub fn new(draw: &mut Draw, name: &str, profile: Profile) -> Self {
        let is_kep = profile == Profile::Kep;
        let blocks: Vec<&Block> = BLOCKS.iter().filter(|block| is_kep || !block.is_kep).collect();
        let block = (draw.next(3) == 0).then(|| blocks[draw.index(blocks.len())]);
        let head = block.map_or("", |block| block.head);
        let mut declaration = format!("\n{head}type {name} struct {{\n");
        let mut fields = Vec::new();
        for index in 0..=draw.index(4) {
            let from = if draw.next(24) == 0 { RECURSIVE } else { FIELDS };
            let field = &from[draw.index(from.len())];
            let name = ["a", "b", "c", "d"][index];
            declaration += &member(draw, field, name, is_kep);
            fields.push((name, field.ty));
        }
        if let Some(block) = block {
            declaration += block.text;
            fields.extend(block.fields);
        }
        declaration += "}\n";
        Self { declaration, fields }
    }

    /// A type that is written out.
    #[must_use]
    pub fn written(declaration: &str) -> Self {
        Self {
            declaration: declaration.to_owned(),
            fields: Vec::new(),
        }
    }

    /// Whether values of the type can hold values of the same type.
    #[must_use]
    pub fn is_recursive(&self) -> bool {
        self.fields.iter().any(|(_, ty)| ty.ends_with("Tree"))
    }

    /// An object of the type.
    pub fn object(&self, draw: &mut Draw) -> RandomObject {
        let drawn = self
            .fields
            .iter()
            .map(|(name, ty)| (*name, drawn(draw, ty)))
            .collect::<Vec<_>>();
        RandomObject(present(drawn))
    }

    /// The object with some members drawn again.
    pub fn changed(&self, draw: &mut Draw, old: &RandomObject) -> RandomObject {
        let drawn = self.fields.iter().map(|(name, ty)| {
            let kept = old.0.iter().find(|(known, _)| known == name);
            let kept = kept.map(|(_, value)| value.clone());
            (*name, if draw.next(5) < 3 { kept } else { drawn(draw, ty) })
        });
        RandomObject(present(drawn.collect()))
    }
}

fn present(members: Vec<(&'static str, Option<String>)>) -> Vec<(&'static str, String)> {
    let present = members
        .into_iter()
        .filter_map(|(name, value)| Some((name, value?)));
    present.collect()
}

/// A field's declaration with tags.
fn member(draw: &mut Draw, field: &Field, name: &str, is_kep: bool) -> String {
    // Structs that are not pointers are always there.
    let is_struct = matches!(field.ty, "Inner" | "Filled" | "Tree");
    let mut tags: Vec<&str> = field.always.to_vec();
    if !is_struct && !tags.contains(&"+k8s:optional") {
        tags.push(draw.pick(PRESENCE));
    }
    let mut some = field.some.to_vec();
    some.extend(field.kep.iter().filter(|_| is_kep));
    for _ in 0..draw.next(3) {
        let tag = draw.pick(&some);
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    if !field.defaults.is_empty() && draw.next(4) == 0 {
        tags.retain(|tag| *tag != "+k8s:forbidden");
        tags.push(draw.pick(field.defaults));
    }
    let mut text = String::new();
    for tag in tags.iter().filter(|tag| !tag.is_empty()) {
        text += &format!("\t// {tag}\n");
    }
    let omit = if is_struct { "" } else { ",omitempty" };
    text + &format!("\t{} {} `json:\"{name}{omit}\"`\n", name.to_uppercase(), field.ty)
}

/// A member's value; `None` if it is absent.
fn drawn(draw: &mut Draw, ty: &str) -> Option<String> {
    match draw.next(24) {
        0 => Some("null".to_owned()),
        1..8 => None,
        _ => Some(value(draw, ty)),
    }
}

/// A value of a field's type.
fn value(draw: &mut Draw, ty: &str) -> String {
    if let Some(element) = ty.strip_prefix("map[string]") {
        let entries = values(draw, &["a", "b", "ab"], |draw, key| {
            format!("\"{key}\": {}", value(draw, element))
        });
        return format!("{{{entries}}}");
    }
    if ty == "[]Item" {
        let items = values(draw, &["a", "b", "c"], |draw, key| match draw.next(2) {
            0 => format!("{{\"k\": \"{key}\"}}"),
            _ => format!("{{\"k\": \"{key}\", \"v\": {}}}", value(draw, "string")),
        });
        return format!("[{items}]");
    }
    if let Some(element) = ty.strip_prefix("[]") {
        let items: Vec<String> = (0..draw.next(4)).map(|_| value(draw, element)).collect();
        return format!("[{}]", items.join(", "));
    }
    match ty.trim_start_matches('*') {
        "string" | "Word" | "Mode" => format!("\"{}\"", draw.pick(&["a", "b", "ab", "abc", "A", ""])),
        "int32" | "int64" => draw.pick(&["-1", "0", "1", "2", "3"]).to_owned(),
        "bool" => draw.pick(&["true", "false"]).to_owned(),
        "Tree" => tree(draw),
        "Branch" => branch(draw),
        "Filled" => draw
            .pick(&["{}", "{\"w\": \"b\"}", "{\"n\": 1}", "{\"n\": 3, \"w\": \"ab\"}"])
            .to_owned(),
        _ => draw
            .pick(&[
                "{}",
                "{\"s\": \"a\"}",
                "{\"s\": \"b\"}",
                "{\"i\": 0}",
                "{\"i\": 1}",
                "{\"i\": 2}",
            ])
            .to_owned(),
    }
}

/// A value of a type that contains itself, directly and through another one.
fn tree(draw: &mut Draw) -> String {
    let mut members = Vec::new();
    for (name, ty, of) in [
        ("w", "string", 2),
        ("n", "*Tree", 3),
        ("l", "[]Branch", 5),
        ("m", "map[string]Branch", 5),
    ] {
        if draw.next(of) == 0 {
            members.push(format!("\"{name}\": {}", value(draw, ty)));
        }
    }
    format!("{{{}}}", members.join(", "))
}

fn branch(draw: &mut Draw) -> String {
    match draw.next(4) {
        0 => "{}".to_owned(),
        1 => format!("{{\"i\": {}}}", value(draw, "int32")),
        _ => format!("{{\"t\": {}}}", tree(draw)),
    }
}

/// Some of the keys, each with what is made of it.
fn values(draw: &mut Draw, keys: &[&str], one: impl Fn(&mut Draw, &str) -> String) -> String {
    let mut made = Vec::new();
    for key in keys {
        if draw.next(2) == 0 {
            made.push(one(draw, key));
        }
    }
    made.join(", ")
}
