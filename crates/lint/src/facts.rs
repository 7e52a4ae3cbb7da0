//! What is known about a rule without its check: its finding, its settings and the packages it is about.

use kindsmith_source::Finding;

use crate::PackageKind;

/// The facts about a rule.
#[derive(Debug)]
pub struct Facts {
    /// Its finding: code, page and tool.
    pub finding: Finding,
    /// The name of the same rule in kube-api-linter.
    pub alias: Option<&'static str>,
    /// The settings it reads.
    pub settings: &'static [Setting],
    /// Which packages it is about.
    pub(crate) about: About,
    /// Whether it is on without being selected.
    pub(crate) is_default: bool,
}

/// Which packages a rule is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum About {
    /// All that were read.
    All,
    /// Those with an API, native or custom.
    Api,
    /// Those compiled into a server.
    Native,
    /// Those of custom resources.
    Custom,
}

/// A setting of a rule in `kindsmith.toml`.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// Its key.
    pub name: &'static str,
    /// The values it takes.
    pub form: Form,
    /// Its value if it is not set, as written in the file; empty for an empty list.
    pub default: &'static str,
    /// What it changes, in one sentence.
    pub docs: &'static str,
}

/// The values of a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One of these words; the first is the default.
    Choice(&'static [&'static str]),
    /// Any text.
    Text,
    /// A list of texts.
    Texts,
    /// A list of tables with these keys.
    Tables(&'static [&'static str]),
}

impl Setting {
    /// A setting with a few values; the first is the default.
    pub(crate) const fn choice(
        name: &'static str,
        values: &'static [&'static str],
        docs: &'static str,
    ) -> Self {
        Self {
            name,
            form: Form::Choice(values),
            default: values[0],
            docs,
        }
    }

    /// A setting that is a text.
    pub(crate) const fn text(name: &'static str, default: &'static str, docs: &'static str) -> Self {
        Self {
            name,
            form: Form::Text,
            default,
            docs,
        }
    }

    /// A setting that is a list of texts, empty by default.
    pub(crate) const fn texts(name: &'static str, docs: &'static str) -> Self {
        Self {
            name,
            form: Form::Texts,
            default: "",
            docs,
        }
    }

    /// A setting that is a list of tables, empty by default.
    pub(crate) const fn tables(
        name: &'static str,
        keys: &'static [&'static str],
        docs: &'static str,
    ) -> Self {
        Self {
            name,
            form: Form::Tables(keys),
            default: "",
            docs,
        }
    }
}

impl Facts {
    /// Whether the rule is about packages of this kind.
    #[must_use]
    pub fn applies_to(&self, kind: PackageKind) -> bool {
        match self.about {
            About::All => true,
            About::Api => kind != PackageKind::Library,
            About::Native => kind == PackageKind::Native,
            About::Custom => kind == PackageKind::Custom,
        }
    }

    /// Whether the rule is on in packages of this kind without being selected.
    #[must_use]
    pub fn is_on(&self, kind: PackageKind) -> bool {
        self.is_default && self.applies_to(kind)
    }
}
