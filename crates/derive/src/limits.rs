//! What a type of Rust cannot hold, as tags: an API would accept what no program can read. Knows types by their names.

use syn::spanned::Spanned;
use syn::{Expr, Lit, Type};

use crate::description::TagLine;
use crate::static_type::{Wrapper, last, wrapper};

/// Tags for the values of a field, unless its own tags say such limits.
pub(crate) fn limits(ty: &Type, given: &[TagLine]) -> Vec<TagLine> {
    let mut found = Vec::new();
    collect(ty, "", &mut found);
    let is_said = |what: &str| given.iter().any(|tag| tag.text.contains(what));
    found.retain(|text: &String| {
        let kinds = ["inimum", "Items", "Length"];
        !kinds.iter().any(|kind| text.contains(kind) && is_said(kind))
    });
    let line = |text| TagLine {
        text,
        span: ty.span(),
    };
    found.into_iter().map(line).collect()
}

fn collect(ty: &Type, each: &str, found: &mut Vec<String>) {
    match wrapper(ty) {
        Wrapper::Option(inner) | Wrapper::Box(inner) => collect(inner, each, found),
        Wrapper::List(inner) => {
            if let Some(length) = length(ty) {
                found.push(format!("{each}k8s:minItems={length}"));
                found.push(format!("{each}k8s:maxItems={length}"));
            }
            collect(inner, &format!("{each}k8s:eachVal=+"), found);
        }
        Wrapper::Map(_, value) => collect(value, &format!("{each}k8s:eachVal=+"), found),
        Wrapper::None => match last(ty).as_str() {
            "u8" | "u16" | "u32" | "u64" | "usize" => found.push(format!("{each}k8s:minimum=0")),
            "char" => {
                found.push(format!("{each}k8s:minLength=1"));
                found.push(format!("{each}k8s:maxLength=1"));
            }
            _ => {}
        },
    }
}

/// The length of an array, where it is written as a number.
fn length(ty: &Type) -> Option<u64> {
    match ty {
        Type::Array(array) => match &array.len {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Int(length) => length.base10_parse().ok(),
                _ => None,
            },
            _ => None,
        },
        Type::Group(group) => length(&group.elem),
        Type::Paren(paren) => length(&paren.elem),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(ty: &str, given: &[&str], expected: &[&str]) {
        let span = proc_macro2::Span::call_site();
        let given: Vec<TagLine> = given
            .iter()
            .map(|text| TagLine {
                text: (*text).to_owned(),
                span,
            })
            .collect();
        let found = limits(&syn::parse_str(ty).expect("a type"), &given);
        let found: Vec<&str> = found.iter().map(|tag| tag.text.as_str()).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn types_say_what_they_cannot_hold() {
        check("i32", &[], &[]);
        check("Option<u32>", &[], &["k8s:minimum=0"]);
        check("u32", &["k8s:minimum=1"], &[]);
        check("u32", &["kubebuilder:validation:Minimum=1"], &[]);
        check("Box<char>", &[], &["k8s:minLength=1", "k8s:maxLength=1"]);
        check("Vec<Vec<u8>>", &[], &["k8s:eachVal=+k8s:eachVal=+k8s:minimum=0"]);
        check(
            "BTreeMap<u8, usize>",
            &["k8s:maxProperties=3"],
            &["k8s:eachVal=+k8s:minimum=0"],
        );
        check("[String; 2]", &[], &["k8s:minItems=2", "k8s:maxItems=2"]);
        check("[String; SIZE]", &[], &[]);
    }
}
