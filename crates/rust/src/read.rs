//! From declarations to schema.

use kindsmith_go::package::{Loader, MemoryFiles, Options};
use kindsmith_go::{Profile, Read as GoRead};
use kindsmith_source::Span;

use crate::go_text::{self, GoText};
use crate::{Body, Package};

/// What was read: the schema with its findings, and where they are in Rust.
#[derive(Debug)]
pub struct Read {
    /// The schema, and the findings about the Go form.
    pub go: GoRead,
    /// By package: its Go form.
    pub texts: Vec<GoText>,
    /// By package: the places of its types' members.
    members: Vec<Vec<(String, Vec<String>)>>,
}

/// A place in Rust.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The type and, after a dot, the field or variant.
    pub name: String,
    /// The line of the Go form.
    pub line: go_text::Line,
}

/// Files of other packages that types may use, and the modules they belong to.
#[derive(Debug, Clone, Copy, Default)]
pub struct Library<'a> {
    /// Paths and contents.
    pub files: &'a [(&'a str, &'a str)],
    /// Import paths and directories.
    pub modules: &'a [(&'a str, &'a str)],
}

/// Reads all packages.
#[must_use]
pub fn read(packages: &[Package], library: Library<'_>, profile: Profile) -> Read {
    let texts: Vec<GoText> = packages.iter().map(go_text::write).collect();
    let mut files: MemoryFiles = library.files.iter().copied().collect();
    let mut modules = Vec::new();
    for (index, (package, text)) in packages.iter().zip(&texts).enumerate() {
        files.add(format!("{}/doc.go", directory(index)), text.text.clone());
        modules.push((package.path.clone(), directory(index)));
    }
    let others = library.modules.iter();
    modules.extend(others.map(|(module, folder)| ((*module).to_owned(), (*folder).to_owned())));
    let options = Options {
        modules,
        ..Options::default()
    };
    let mut loader = Loader::new(&files, options);
    let loaded = (0..packages.len())
        .flat_map(|index| loader.load(&directory(index)))
        .collect();
    let go = kindsmith_go::read(loader, loaded, profile);
    Read {
        go,
        texts,
        members: packages.iter().map(members).collect(),
    }
}

fn directory(index: usize) -> String {
    format!("rust/{index}")
}

impl Read {
    /// The place in Rust of a span in the Go form.
    #[must_use]
    pub fn place(&self, span: Span) -> Option<Place> {
        let file = self.go.sources.file(span.file).name();
        let index: usize = file.strip_prefix("rust/")?.split('/').next()?.parse().ok()?;
        let line = self.go.sources.position(span).line as usize;
        let line = self.texts.get(index)?.lines.get(line.checked_sub(1)?)?.clone()?;
        let (_, members) = self.members[index].iter().find(|(name, _)| *name == line.ty)?;
        let name = match line.member.and_then(|member| members.get(member)) {
            Some(member) => format!("{}.{member}", line.ty),
            None => line.ty.clone(),
        };
        Some(Place { name, line })
    }
}

fn members(package: &Package) -> Vec<(String, Vec<String>)> {
    let members = |body: &Body| match body {
        Body::Struct(fields) => fields.iter().map(|field| field.rust_name.to_string()).collect(),
        Body::Enum(variants) => variants
            .iter()
            .map(|variant| variant.rust_name.to_string())
            .collect(),
        Body::Wrapper(_) => Vec::new(),
    };
    package
        .types
        .iter()
        .map(|(name, declaration)| (name.to_owned(), members(&declaration.body)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Declaration, Field, GoType, Presence};

    #[test]
    fn findings_have_a_place_in_rust() {
        let mut package = Package::new("example.org", "v1");
        let ty = |types: &mut crate::Types| {
            let _ = types;
            Declaration::new(Body::Struct(vec![
                Field {
                    rust_name: "type_meta".into(),
                    name: "".into(),
                    docs: "".into(),
                    tags: Vec::new(),
                    ty: GoType::imported("k8s.io/apimachinery/pkg/apis/meta/v1", "TypeMeta"),
                    presence: Presence::Required,
                },
                Field {
                    rust_name: "rows".into(),
                    name: "rows".into(),
                    docs: "Rows of plants.".into(),
                    tags: vec!["k8s:maxLength=3".into()],
                    ty: GoType::Scalar("int32"),
                    presence: Presence::Required,
                },
            ]))
        };
        package.types.declare("Bed", "Bed", ty);
        let read = read(&[package], Library::default(), Profile::Upstream);
        let found: Vec<(String, String)> = read
            .go
            .diagnostics
            .iter()
            .map(|finding| {
                let place = read.place(finding.span).expect("a place");
                (place.name, finding.message.clone())
            })
            .collect();
        assert_eq!(
            found,
            [(
                "Bed.rows".to_owned(),
                "tag \"k8s:maxLength\": can only be used on string types (int32)".to_owned()
            )]
        );
    }
}
