//! `+kubebuilder:webhook:path=<path>,…`: a webhook, for manifests.

use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    aliases: &["kubebuilder:webhookconfiguration"],
    docs: include_str!("webhook.md"),
    ..Tag::kept("kubebuilder:webhook", &[Scope::Package, Scope::Type])
};
