//! What serde's attributes say about names and presence.

use proc_macro2::Span;
use syn::Attribute;

use crate::attribute::{Part, Value, parts};

/// The attributes of a struct, enum, field or variant that decide its form in JSON.
#[derive(Debug, Clone, Default)]
pub(crate) struct Serde {
    pub(crate) rename: Option<String>,
    pub(crate) rename_all: Option<Case>,
    /// Of an enum: for the fields of its variants.
    pub(crate) rename_all_fields: Option<Case>,
    pub(crate) has_default: bool,
    pub(crate) is_skipped: bool,
    /// Whether no client can send it.
    pub(crate) is_unread: bool,
    /// `skip_serializing_if`: the function.
    pub(crate) left_out_if: Option<String>,
    pub(crate) is_flat: bool,
    pub(crate) is_transparent: bool,
    pub(crate) tag: Option<String>,
    pub(crate) content: Option<String>,
    pub(crate) is_untagged: bool,
    /// Of a variant: takes what is none of the others.
    pub(crate) is_other: bool,
    /// `with` or `serialize_with`.
    pub(crate) with: Option<Span>,
    /// What says that a field is only read, or only written.
    pub(crate) half_skipped: Option<Span>,
}

impl Serde {
    pub(crate) fn read(attributes: &[Attribute]) -> syn::Result<Self> {
        let mut found = Self::default();
        let mut is_unwritten = false;
        for part in parts(attributes, "serde")? {
            match part.name.as_deref().unwrap_or_default() {
                "rename" => found.rename = name(&part)?,
                "rename_all" => found.rename_all = case(&part)?,
                "rename_all_fields" => found.rename_all_fields = case(&part)?,
                "default" => found.has_default = true,
                "skip" => (found.is_unread, is_unwritten) = (true, true),
                "skip_deserializing" => {
                    found.is_unread = true;
                    found.half_skipped = Some(part.span);
                }
                "skip_serializing" => {
                    is_unwritten = true;
                    found.half_skipped = Some(part.span);
                }
                "skip_serializing_if" => found.left_out_if = Some(part.need_text()?),
                "flatten" => found.is_flat = true,
                "transparent" => found.is_transparent = true,
                "tag" => found.tag = part.text().map(str::to_owned),
                "content" => found.content = part.text().map(str::to_owned),
                "untagged" => found.is_untagged = true,
                "other" => found.is_other = true,
                "with" | "serialize_with" => found.with = Some(part.span),
                "into" | "remote" => return Err(other_form(&part)),
                _ => {}
            }
        }
        found.is_skipped = found.is_unread && is_unwritten;
        Ok(found)
    }
}

fn other_form(part: &Part) -> syn::Error {
    let name = part.name.as_deref().unwrap_or_default();
    let message = format!(
        "`{name}` gives the type another form in JSON, which cannot be seen here; implement `kindsmith::Schema` for it, with the `go_type` of \
         that form"
    );
    syn::Error::new(part.span, message)
}

/// `rename = "x"`, or the same name for both directions.
fn name(part: &Part) -> syn::Result<Option<String>> {
    let Value::List(parts) = &part.value else {
        return Ok(part.text().map(str::to_owned));
    };
    let one = |name: &str| parts.iter().find(|part| part.is(name)).and_then(Part::text);
    if one("deserialize") != one("serialize") {
        let message = "what is read and what is written have one name in an API";
        return Err(syn::Error::new(part.span, message));
    }
    Ok(one("deserialize").map(str::to_owned))
}

fn case(part: &Part) -> syn::Result<Option<Case>> {
    let Some(text) = name(part)? else {
        return Ok(None);
    };
    let known = CASES.iter().find(|(name, _)| *name == text);
    known
        .map(|(_, case)| Some(*case))
        .ok_or_else(|| syn::Error::new(part.span, format!("unknown rename rule `{text}`")))
}

/// How names are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

const CASES: &[(&str, Case)] = &[
    ("lowercase", Case::Lower),
    ("UPPERCASE", Case::Upper),
    ("PascalCase", Case::Pascal),
    ("camelCase", Case::Camel),
    ("snake_case", Case::Snake),
    ("SCREAMING_SNAKE_CASE", Case::ScreamingSnake),
    ("kebab-case", Case::Kebab),
    ("SCREAMING-KEBAB-CASE", Case::ScreamingKebab),
];

impl Case {
    /// The name of a field, which is in snake case in Rust. serde changes no letter but those after underscores.
    pub(crate) fn field(self, name: &str) -> String {
        match self {
            Self::Lower | Self::Snake => name.to_owned(),
            Self::Upper | Self::ScreamingSnake => name.to_ascii_uppercase(),
            Self::Pascal => pascal(name),
            Self::Camel => first_lower(&pascal(name)),
            Self::Kebab => name.replace('_', "-"),
            Self::ScreamingKebab => name.to_ascii_uppercase().replace('_', "-"),
        }
    }

    /// The name of a variant, which is in Pascal case in Rust.
    pub(crate) fn variant(self, name: &str) -> String {
        match self {
            Self::Pascal => name.to_owned(),
            Self::Lower => name.to_ascii_lowercase(),
            Self::Upper => name.to_ascii_uppercase(),
            Self::Camel => first_lower(name),
            Self::Snake => snake(name),
            Self::ScreamingSnake => snake(name).to_ascii_uppercase(),
            Self::Kebab => snake(name).replace('_', "-"),
            Self::ScreamingKebab => snake(name).to_ascii_uppercase().replace('_', "-"),
        }
    }
}

fn pascal(name: &str) -> String {
    let mut out = String::new();
    let mut starts = true;
    for letter in name.chars() {
        if letter == '_' {
            starts = true;
        } else if starts {
            out.push(letter.to_ascii_uppercase());
            starts = false;
        } else {
            out.push(letter);
        }
    }
    out
}

fn snake(name: &str) -> String {
    let mut out = String::new();
    for (index, letter) in name.char_indices() {
        if index > 0 && letter.is_uppercase() {
            out.push('_');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}

fn first_lower(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|letter| letter.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}
