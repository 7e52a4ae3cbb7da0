//! `+k8s:validateTrueBeta`: like `+k8s:validateTrue`, at the stability level beta.

use kindsmith_schema::Level;

use super::validate_true::{ARGS, apply};
use crate::tag::{Kind, Payload, Tag};

pub(super) const TAG: Tag = Tag {
    stability: Level::Beta,
    args: ARGS,
    payload: Payload::Optional(Kind::String),
    docs: include_str!("validate_true_beta.md"),
    since: 36,
    ..Tag::declarative("k8s:validateTrueBeta", apply)
};
