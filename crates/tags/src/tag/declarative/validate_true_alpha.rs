//! `+k8s:validateTrueAlpha`: like `+k8s:validateTrue`, at the stability level alpha.

use kindsmith_schema::Level;

use super::validate_true::{ARGS, apply};
use crate::tag::{Kind, Payload, Tag};

pub(super) const TAG: Tag = Tag {
    stability: Level::Alpha,
    args: ARGS,
    payload: Payload::Optional(Kind::String),
    docs: include_str!("validate_true_alpha.md"),
    since: 36,
    ..Tag::declarative("k8s:validateTrueAlpha", apply)
};
