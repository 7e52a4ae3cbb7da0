//! The form of `#[k8s(…)]` and its like: names, values, and lists of both. Knows no name.

use proc_macro2::{Delimiter, Span, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Ident, Lit, Token};

/// One part of an attribute: `name`, `name = value`, `name(parts)`, or a value alone.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    /// The name; `None` for a value alone.
    pub(crate) name: Option<String>,
    pub(crate) value: Value,
    pub(crate) span: Span,
    /// Whether it was said to kube.
    pub(crate) is_of_kube: bool,
}

#[derive(Debug, Clone)]
pub(crate) enum Value {
    None,
    Literal(Literal),
    List(Vec<Part>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Literal {
    Text(String),
    /// An integer or float as written.
    Number(String),
    Bool(bool),
    /// A list or object, in JSON.
    Json(String),
}

/// The parts of all attributes with this name.
pub(crate) fn parts(attributes: &[Attribute], name: &str) -> syn::Result<Vec<Part>> {
    let mut found = Vec::new();
    for attribute in attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident(name))
    {
        let parts = attribute.parse_args_with(Punctuated::<Part, Token![,]>::parse_terminated)?;
        found.extend(parts);
    }
    Ok(found)
}

/// The doc comment: its lines without the blank that follows the comment mark.
pub(crate) fn docs(attributes: &[Attribute]) -> String {
    let mut lines = Vec::new();
    for attribute in attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("doc"))
    {
        if let syn::Meta::NameValue(meta) = &attribute.meta
            && let syn::Expr::Lit(literal) = &meta.value
            && let Lit::Str(text) = &literal.lit
        {
            let text = text.value();
            lines.extend(
                text.lines()
                    .map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned()),
            );
            if text.is_empty() {
                lines.push(String::new());
            }
        }
    }
    lines.join("\n").trim().to_owned()
}

impl Part {
    pub(crate) fn is(&self, name: &str) -> bool {
        self.name.as_deref() == Some(name)
    }

    /// The value, if it is text.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Literal(Literal::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The value, which must be text.
    pub(crate) fn need_text(&self) -> syn::Result<String> {
        let wrong = || match &self.name {
            Some(name) => format!("`{name}` needs a text: `{name} = \"…\"`"),
            None => "expected a text in quotes".to_owned(),
        };
        self.text()
            .map(str::to_owned)
            .ok_or_else(|| syn::Error::new(self.span, wrong()))
    }

    /// Values of a list, or the only value: all text.
    pub(crate) fn need_texts(&self) -> syn::Result<Vec<String>> {
        let name = self.name.as_deref().unwrap_or_default();
        match &self.value {
            Value::List(parts) => parts.iter().map(Part::need_text).collect(),
            Value::Literal(Literal::Text(text)) => Ok(vec![text.clone()]),
            _ => Err(syn::Error::new(
                self.span,
                format!("`{name}` needs texts: `{name}(\"…\")`"),
            )),
        }
    }
}

impl Parse for Part {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let span = input.span();
        if !input.peek(Ident::peek_any) || input.peek(syn::LitBool) {
            return Ok(Self {
                name: None,
                value: Value::Literal(literal(input)?),
                span,
                is_of_kube: false,
            });
        }
        let mut name = input.call(Ident::parse_any)?.to_string();
        // Names of other macros may be paths; none of ours is.
        while input.peek(Token![::]) {
            input.parse::<Token![::]>()?;
            name = format!("{name}::{}", input.call(Ident::parse_any)?);
        }
        let value = if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            Value::Literal(literal(input)?)
        } else if input.peek(syn::token::Paren) {
            let inner;
            syn::parenthesized!(inner in input);
            let parts = Punctuated::<Part, Token![,]>::parse_terminated(&inner)?;
            Value::List(parts.into_iter().collect())
        } else {
            Value::None
        };
        Ok(Self {
            name: Some(name.trim_start_matches("r#").to_owned()),
            value,
            span,
            is_of_kube: false,
        })
    }
}

fn literal(input: ParseStream<'_>) -> syn::Result<Literal> {
    if input.peek(Token![-]) {
        input.parse::<Token![-]>()?;
        let number: Lit = input.parse()?;
        return match of_literal(&number)? {
            Literal::Number(text) => Ok(Literal::Number(format!("-{text}"))),
            _ => Err(syn::Error::new(number.span(), "a number must follow `-`")),
        };
    }
    if input.peek(Lit) {
        return of_literal(&input.parse()?);
    }
    let token: TokenTree = input.parse()?;
    match &token {
        TokenTree::Group(group) if matches!(group.delimiter(), Delimiter::Brace | Delimiter::Bracket) => {
            Ok(Literal::Json(json(&token)))
        }
        _ => {
            // What other macros take as values: paths and calls.
            let mut text = token.to_string();
            while !input.is_empty() && !input.peek(Token![,]) {
                text.push_str(&input.parse::<TokenTree>()?.to_string());
            }
            Ok(Literal::Json(text))
        }
    }
}

fn of_literal(literal: &Lit) -> syn::Result<Literal> {
    Ok(match literal {
        Lit::Str(text) => Literal::Text(text.value()),
        Lit::Char(letter) => Literal::Text(letter.value().to_string()),
        Lit::Int(number) => Literal::Number(number.base10_digits().to_owned()),
        Lit::Float(number) => Literal::Number(number.base10_digits().to_owned()),
        Lit::Bool(value) => Literal::Bool(value.value),
        other => return Err(syn::Error::new(other.span(), "this literal has no form in JSON")),
    })
}

/// Tokens as JSON: literals in their form there, everything else as it is.
fn json(token: &TokenTree) -> String {
    match token {
        TokenTree::Group(group) => {
            let inner: String = group.stream().into_iter().map(|token| json(&token)).collect();
            match group.delimiter() {
                Delimiter::Brace => format!("{{{inner}}}"),
                Delimiter::Bracket => format!("[{inner}]"),
                _ => inner,
            }
        }
        TokenTree::Literal(literal) => match of_literal(&Lit::new(literal.clone())) {
            Ok(literal) => literal.json(),
            Err(_) => literal.to_string(),
        },
        other => other.to_string(),
    }
}

impl Literal {
    /// The value in JSON.
    pub(crate) fn json(&self) -> String {
        match self {
            Self::Text(text) => kindsmith_json::to_string(kindsmith_json::Value::Str(text)),
            Self::Number(text) | Self::Json(text) => text.clone(),
            Self::Bool(value) => value.to_string(),
        }
    }
}
