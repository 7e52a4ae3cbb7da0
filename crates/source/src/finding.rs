//! The types of findings: one description per code, with its page and the tool that reports it. A [`Diagnostic`] can
//! only be built from a [`Finding`], so no code is printed without a page. Knows no rule: each crate declares its own.
//!
//! [`Diagnostic`]: crate::Diagnostic

use std::fmt;

/// Where the pages are published, each under its code.
const PAGES: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/rules.md#");

/// A code, the tool that reports it, and its page.
///
/// Declare it as a `static` in a file of its own, with its page beside it, and list it with [`findings!`].
///
/// [`findings!`]: crate::findings
pub struct Finding {
    code: &'static str,
    tool: Tool,
    also: &'static [Tool],
    page: &'static str,
}

impl Finding {
    /// Describes a code: kebab case, and it reads well after "allow".
    #[must_use]
    pub const fn new(code: &'static str, tool: Tool, page: &'static str) -> Self {
        Self {
            code,
            tool,
            also: &[],
            page,
        }
    }

    /// Adds tools that reject the same source with another message.
    #[must_use]
    pub const fn also(mut self, tools: &'static [Tool]) -> Self {
        self.also = tools;
        self
    }

    /// Its stable name.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// The tool that reports it.
    #[must_use]
    pub fn tool(&self) -> Tool {
        self.tool
    }

    /// Whether an error of this code means that the tool rejects the source.
    #[must_use]
    pub fn concerns(&self, tool: Tool) -> bool {
        self.tool == tool || self.also.contains(&tool)
    }

    /// All tools that reject the source, the reporting one first.
    pub fn tools(&self) -> impl Iterator<Item = Tool> {
        std::iter::once(self.tool).chain(self.also.iter().copied())
    }

    /// Its page, in Markdown.
    #[must_use]
    pub fn page(&self) -> &'static str {
        self.page
    }

    /// The first sentence of its page, up to a colon, on one line.
    #[must_use]
    pub fn summary(&self) -> String {
        let lines = self.page.lines().map(str::trim);
        let text = lines.skip_while(|line| line.is_empty() || line.starts_with('#'));
        let paragraph: Vec<&str> = text.take_while(|line| !line.is_empty()).collect();
        let paragraph = paragraph.join(" ");
        let ends = [". ", ": "].map(|end| paragraph.find(end));
        let end = ends.into_iter().flatten().min().unwrap_or(paragraph.len());
        paragraph[..end].trim_end_matches('.').to_owned()
    }

    /// Where its page is published.
    #[must_use]
    pub fn uri(&self) -> String {
        format!("{PAGES}{}", self.code)
    }
}

/// Codes are unique, so comparing them is enough.
impl PartialEq for Finding {
    fn eq(&self, other: &Self) -> bool {
        self.code == other.code
    }
}

impl Eq for Finding {}

impl fmt::Debug for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code)
    }
}

/// The tool that reports a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tool {
    /// Only Kindsmith.
    Kindsmith,
    /// The generator of validation code.
    ValidationGen,
    /// The generator of defaulting code.
    DefaulterGen,
    /// The generator of CRDs.
    ControllerGen,
    /// The generator of OpenAPI definitions.
    OpenApiGen,
    /// The generator of clients.
    ClientGen,
    /// The API server.
    KubeApiserver,
    /// The linter of API conventions that reviewers of Kubernetes use.
    KubeApiLinter,
}

impl Tool {
    /// All tools, in the order they are listed.
    pub const ALL: [Self; 8] = [
        Self::Kindsmith,
        Self::ValidationGen,
        Self::DefaulterGen,
        Self::ControllerGen,
        Self::OpenApiGen,
        Self::ClientGen,
        Self::KubeApiserver,
        Self::KubeApiLinter,
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Kindsmith => "kindsmith",
            Self::ValidationGen => "validation-gen",
            Self::DefaulterGen => "defaulter-gen",
            Self::ControllerGen => "controller-gen",
            Self::OpenApiGen => "openapi-gen",
            Self::ClientGen => "client-gen",
            Self::KubeApiserver => "kube-apiserver",
            Self::KubeApiLinter => "kube-api-linter",
        }
    }
}

/// Declares the findings of a crate: a module of each and the list of all. A line is `file::NAME,`.
#[macro_export]
macro_rules! findings {
    ($($module:ident::$name:ident,)*) => {
        $(
            mod $module;
            pub use $module::$name;
        )*

        /// All findings of this crate, by code.
        pub static FINDINGS: &[&$crate::Finding] = &[$(&$name,)*];
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(page: &'static str, expected: &str) {
        let finding = Finding::new("x", Tool::Kindsmith, page);
        assert_eq!(finding.summary(), expected);
    }

    #[test]
    fn the_summary_is_what_the_page_says_first() {
        check(
            "# x\n\n## What it does\nReports a\nthing. More.\n\nElse.",
            "Reports a thing",
        );
        check(
            "# x\n\n## What it does\nReports v1.2 things.\n",
            "Reports v1.2 things",
        );
        check(
            "# x\n\n## What it does\nReports things: a, b.\n",
            "Reports things",
        );
        check("", "");
    }
}
