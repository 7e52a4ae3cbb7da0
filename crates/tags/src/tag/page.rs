//! The page of a tag: its text, and the facts from its descriptor.

use std::fmt::Write as _;

use super::{Family, Kind, Payload, Scope, Tag};

impl Tag {
    /// The page as Markdown, with a title and a table of places, types, arguments and value.
    #[must_use]
    pub fn page(&self) -> String {
        let mut page = format!("# `+{}`\n\n{}\n\n", self.name, self.summary());
        for (what, text) in self.facts() {
            writeln!(page, "- {what}: {text}").expect("writing to a string succeeds");
        }
        let rest = self.docs.split_once('\n').map_or("", |(_, rest)| rest);
        write!(page, "\n{}\n", rest.trim()).expect("writing to a string succeeds");
        page
    }

    /// What follows the name: the syntax of the tag's arguments and value.
    #[must_use]
    pub fn form(&self) -> String {
        let arguments = if self.args.is_empty() && !self.open_args {
            ""
        } else {
            "(...)"
        };
        match self.payload {
            Payload::None => arguments.to_owned(),
            Payload::Optional(kind) => format!("{arguments}[=<{}>]", kind.word()),
            Payload::Required(kind) => format!("{arguments}=<{}>", kind.word()),
        }
    }

    /// The usage of the tag, such as `+k8s:maxLength=<int>`.
    #[must_use]
    pub fn usage(&self) -> String {
        let mut usage = format!("+{}", self.name);
        let args: Vec<String> = self
            .args
            .iter()
            .filter(|arg| arg.required)
            .map(|arg| match arg.name {
                "" => format!("<{}>", arg.kind.word()),
                name => format!("{name}: <{}>", arg.kind.word()),
            })
            .collect();
        if !args.is_empty() {
            write!(usage, "({})", args.join(", ")).expect("writing to a string succeeds");
        }
        match self.payload {
            Payload::None => {}
            Payload::Optional(Kind::Raw) | Payload::Required(Kind::Raw) => usage.push_str("=<value>"),
            Payload::Optional(kind) | Payload::Required(kind) => {
                write!(usage, "=<{}>", kind.word()).expect("writing to a string succeeds");
            }
        }
        usage
    }

    /// The facts from the descriptor, line by line.
    #[must_use]
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        let mut facts = vec![("read by", self.family.reader().to_owned())];
        if matches!(self.family, Family::Declarative | Family::Kep) {
            facts.push(("stability", self.stability.name().to_owned()));
            facts.push(("types", self.types.to_owned()));
        }
        facts.push(("places", words(self.scopes)));
        if !self.kep_scopes.is_empty() {
            facts.push(("places in KEP-5073", words(self.kep_scopes)));
        }
        for arg in self.args {
            let name = if arg.name.is_empty() {
                "positional"
            } else {
                arg.name
            };
            let needed = if arg.required { "required" } else { "optional" };
            let kep = if arg.kep_only { ", only in KEP-5073" } else { "" };
            let text = format!("`{name}` ({}, {needed}{kep}): {}", arg.kind.word(), arg.docs);
            facts.push(("argument", text));
        }
        match self.payload {
            Payload::None => {}
            Payload::Optional(kind) => facts.push(("value", format!("{}, optional", kind.word()))),
            Payload::Required(kind) => facts.push(("value", kind.word().to_owned())),
        }
        if !self.aliases.is_empty() {
            let names: Vec<String> = self.aliases.iter().map(|name| format!("`+{name}`")).collect();
            facts.push(("other names", names.join(", ")));
        }
        facts
    }
}

fn words(scopes: &[Scope]) -> String {
    let words: Vec<&str> = scopes.iter().map(|scope| scope.words()).collect();
    words.join(", ")
}

impl Family {
    /// The tools that read tags of the family.
    #[must_use]
    pub fn reader(self) -> &'static str {
        match self {
            Self::Declarative => "validation-gen",
            Self::Kep => "no generator: KEP-5073 describes it",
            Self::Control => "generators, as a switch",
            Self::OpenApi => "openapi-gen",
            Self::Kubebuilder => "controller-gen",
            Self::Other => "other generators",
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::catalogue::{catalogue, find};

    #[test]
    fn pages_show_the_facts_of_the_descriptor() {
        let page = find("k8s:ifMode").map(crate::Tag::page).unwrap_or_default();
        for part in [
            "# `+k8s:ifMode`\n\nThe check applies while the discriminator",
            "- read by: validation-gen\n- stability: stable\n",
            "- places: struct fields\n",
            "- argument: `mode` (string, optional)",
            "- value: tag\n",
            "```go\n",
        ] {
            assert!(page.contains(part), "{part:?} in {page}");
        }
    }

    #[test]
    fn usage_shows_the_required_parts() {
        for (name, usage) in [
            ("k8s:required", "+k8s:required"),
            ("k8s:maxLength", "+k8s:maxLength=<int>"),
            ("k8s:subfield", "+k8s:subfield(<string>)=<tag>"),
            ("k8s:memberOf", "+k8s:memberOf(group: <string>)"),
            ("k8s:neq", "+k8s:neq=<value>"),
        ] {
            assert_eq!(find(name).map(crate::Tag::usage).as_deref(), Some(usage));
        }
    }

    #[test]
    fn every_page_is_rendered() {
        for tag in catalogue() {
            assert!(
                tag.page().ends_with('\n') && !tag.page().contains("\n\n\n"),
                "{}",
                tag.name
            );
        }
    }
}
