//! What is wrong with a value, as data and in Kubernetes' words.

use std::fmt;

use kindsmith_gostd::quote;
use kindsmith_schema::{Literal, Str};

/// What is wrong with a value.
#[derive(Debug, Clone, PartialEq)]
pub enum Detail {
    /// The kind of the error is enough.
    None,
    /// The message of a rule that has its own.
    Text(Str),
    /// Too many characters.
    AtMostCharacters(i64),
    /// Too few characters.
    AtLeastCharacters(i64),
    /// Too many bytes.
    AtMostBytes(i64),
    /// Too many elements.
    AtMostItems(i64),
    /// Too few elements.
    AtLeastItems(i64),
    /// Below a limit.
    AtLeast(Str),
    /// Above a limit.
    AtMost(Str),
    /// Not above an exclusive limit.
    Above(Str),
    /// Not below an exclusive limit.
    Below(Str),
    /// A value that is not allowed.
    NotEqual(Literal),
    /// The allowed values.
    Supported(Vec<Str>),
    /// Decreased from this value.
    Decreased(Str),
    /// The wrong number of union members is set.
    Union {
        /// How many may be set.
        verdict: UnionVerdict,
        /// All members, as named in messages.
        members: Vec<Str>,
    },
    /// A member that does not match the discriminator.
    OnlyWhen {
        /// The discriminator's name.
        discriminator: Str,
        /// Its value for the member.
        value: Str,
    },
    /// A member that the discriminator requires.
    MustWhen {
        /// The discriminator's name.
        discriminator: Str,
        /// Its value.
        value: Str,
    },
    /// Must be set when another field is.
    SetWhen(Str),
    /// May not be set when another field is.
    NotSetWhen(Str),
    /// An option that the request leaves undefined.
    UndefinedOption(Str),
    /// A check that always fails.
    Forced(Str),
    /// A request for a subresource that the type does not support.
    NoValidation {
        /// The Go type.
        ty: Str,
        /// Path of the subresource.
        subresource: Str,
    },
}

/// What is wrong with the number of members set in a union.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnionVerdict {
    /// None is set, one must be.
    None,
    /// Several are set, exactly one must be.
    Several,
    /// Several are set, at most one may be.
    MoreThanOne,
}

impl Detail {
    /// Whether the detail is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            Self::None => true,
            Self::Text(text) => text.is_empty(),
            Self::Supported(values) => values.is_empty(),
            _ => false,
        }
    }
}

impl fmt::Display for Detail {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => Ok(()),
            Self::Text(text) => out.write_str(text),
            Self::AtMostCharacters(n) => counted(out, "may not be more than", *n, "character"),
            Self::AtMostBytes(n) => counted(out, "may not be more than", *n, "byte"),
            Self::AtLeastCharacters(n) => counted(out, "must be at least", *n, "character"),
            Self::AtMostItems(n) => counted(out, "must have at most", *n, "item"),
            Self::AtLeastItems(n) => counted(out, "must have at least", *n, "item"),
            Self::AtLeast(limit) => write!(out, "must be greater than or equal to {limit}"),
            Self::AtMost(limit) => write!(out, "must be less than or equal to {limit}"),
            Self::Above(limit) => write!(out, "must be greater than {limit}"),
            Self::Below(limit) => write!(out, "must be less than {limit}"),
            Self::NotEqual(Literal::Str(text)) => write!(out, "must not be equal to {}", quote::quote(text)),
            Self::NotEqual(value) => write!(out, "must not be equal to {value}"),
            Self::Supported(values) => supported(out, values),
            Self::Decreased(old) => write!(out, "may not be decreased from {old}"),
            Self::Union { verdict, members } => {
                out.write_str(verdict.text())?;
                for (index, member) in members.iter().enumerate() {
                    write!(out, "{}`{member}`", if index > 0 { ", " } else { "" })?;
                }
                Ok(())
            }
            Self::OnlyWhen { discriminator, value } => {
                write!(
                    out,
                    "may only be specified when `{discriminator}` is {}",
                    quote::quote(value)
                )
            }
            Self::MustWhen { discriminator, value } => {
                write!(
                    out,
                    "must be specified when `{discriminator}` is {}",
                    quote::quote(value)
                )
            }
            Self::SetWhen(trigger) => write!(out, "must be set when {trigger} is set"),
            Self::NotSetWhen(trigger) => write!(out, "may not be set when {trigger} is set"),
            Self::UndefinedOption(name) => write!(out, "undefined validation option {}", quote::quote(name)),
            Self::Forced(message) => write!(out, "forced failure: {message}"),
            Self::NoValidation { ty, subresource } => {
                write!(out, "no validation found for {ty}, subresource: {subresource}")
            }
        }
    }
}

impl UnionVerdict {
    fn text(self) -> &'static str {
        match self {
            Self::None => "must specify one of: ",
            Self::Several => "must specify exactly one of: ",
            Self::MoreThanOne => "must specify at most one of: ",
        }
    }
}

fn counted(out: &mut fmt::Formatter<'_>, words: &str, count: i64, unit: &str) -> fmt::Result {
    write!(out, "{words} {count} {unit}{}", if count == 1 { "" } else { "s" })
}

fn supported(out: &mut fmt::Formatter<'_>, values: &[Str]) -> fmt::Result {
    if values.is_empty() {
        return Ok(());
    }
    out.write_str("supported values: ")?;
    for (index, value) in values.iter().enumerate() {
        write!(
            out,
            "{}{}",
            if index > 0 { ", " } else { "" },
            quote::quote(value)
        )?;
    }
    Ok(())
}
