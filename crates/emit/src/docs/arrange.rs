//! Changes to finished pages: what is left out, what is linked instead of copied, and all in one page.

use std::collections::{BTreeMap, BTreeSet};

use super::{Page, Piece, Section};

/// What is changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Arrangement {
    /// Names of types that are left out; `*` stands for any text.
    pub ignored_types: Vec<String>,
    /// Fields that are left out, as `Type.field`; `*` stands for any text.
    pub ignored_fields: Vec<String>,
    /// The release of Kubernetes whose published reference is linked, such as `1.34`; copies its types if `None`.
    pub linked: Option<String>,
    /// Whether all is in one page.
    pub single: bool,
}

impl Arrangement {
    /// Applies the changes.
    #[must_use]
    pub fn apply(&self, mut pages: Vec<Page>) -> Vec<Page> {
        for page in &mut pages {
            self.leave_out(page);
        }
        if self.single && pages.len() > 1 {
            pages = vec![merged(pages)];
        }
        pages
    }

    fn leave_out(&self, page: &mut Page) {
        let mut gone: BTreeMap<String, Option<String>> = BTreeMap::new();
        let is_ignored = |section: &Section| {
            self.ignored_types
                .iter()
                .any(|name| is_like(name, &section.title))
        };
        page.kinds.retain(|section| !is_ignored(section));
        for section in page.types.iter().filter(|section| is_ignored(section)) {
            gone.insert(section.anchor.clone(), None);
        }
        for section in &page.foreign {
            let url = self
                .linked
                .as_deref()
                .and_then(|release| published(section, release));
            if url.is_some() || is_ignored(section) {
                gone.insert(section.anchor.clone(), url);
            }
        }
        let stays = |section: &Section| !gone.contains_key(&section.anchor);
        page.types.retain(stays);
        page.foreign.retain(stays);
        // Types that only what is gone was made of are gone, too.
        page.foreign = used(page);
        for section in sections(page) {
            let title = section.title.clone();
            section.rows.retain(|row| {
                let name = format!("{title}.{}", row.name);
                !self.ignored_fields.iter().any(|field| is_like(field, &name))
            });
            section.used_by.retain(|piece| match piece {
                Piece::Link {
                    page: None, anchor, ..
                } => !gone.contains_key(anchor),
                _ => true,
            });
            each_piece(section, &mut |piece| relink(piece, &gone));
        }
    }
}

/// The foreign sections that the rest of a page still leads to.
fn used(page: &Page) -> Vec<Section> {
    let mut by_anchor: BTreeMap<&str, &Section> = BTreeMap::new();
    for section in &page.foreign {
        by_anchor.insert(&section.anchor, section);
    }
    let mut open: Vec<&Section> = page.kinds.iter().chain(&page.types).collect();
    let mut kept: BTreeSet<&str> = BTreeSet::new();
    while let Some(section) = open.pop() {
        for piece in section.rows.iter().flat_map(|row| &row.ty) {
            if let Piece::Link {
                page: None, anchor, ..
            } = piece
                && let Some(found) = by_anchor.get(anchor.as_str())
                && kept.insert(&found.anchor)
            {
                open.push(found);
            }
        }
    }
    let stays = |section: &&Section| kept.contains(section.anchor.as_str());
    page.foreign.iter().filter(stays).cloned().collect()
}

/// Where the published reference describes a type of another package.
fn published(section: &Section, release: &str) -> Option<String> {
    let package = section.package.as_deref()?;
    let path = package.strip_prefix("k8s.io/api/").or_else(|| {
        let meta = package.strip_prefix("k8s.io/apimachinery/pkg/apis/")?;
        meta.starts_with("meta/").then_some(meta)
    })?;
    let (group, version) = path.split_once('/')?;
    let name = section
        .title
        .rsplit('.')
        .next()
        .unwrap_or(&section.title)
        .to_lowercase();
    Some(format!(
        "https://kubernetes.io/docs/reference/generated/kubernetes-api/v{release}/#{name}-{version}-{group}"
    ))
}

fn relink(piece: &mut Piece, gone: &BTreeMap<String, Option<String>>) {
    let Piece::Link {
        text,
        page: None,
        anchor,
    } = piece
    else {
        return;
    };
    let text = text.clone();
    match gone.get(anchor) {
        Some(Some(url)) => {
            *piece = Piece::Web {
                text,
                url: url.clone(),
            };
        }
        Some(None) => *piece = Piece::Code(text),
        None => {}
    }
}

/// All pages as one; sections say which page they are from.
fn merged(pages: Vec<Page>) -> Page {
    let mut one = Page {
        name: "index".to_owned(),
        title: "API reference".to_owned(),
        ..Page::default()
    };
    for mut page in pages {
        let (name, title) = (page.name.clone(), page.title.clone());
        for section in sections(&mut page) {
            section.anchor = format!("{name}-{}", section.anchor);
            if let Some(place) = &mut section.place {
                place.kind = format!("{name}-{}", place.kind);
            }
            section.title = format!("{} ({title})", section.title);
            each_piece(section, &mut |piece| {
                if let Piece::Link { page, anchor, .. } = piece {
                    let of = page.take().unwrap_or_else(|| name.clone());
                    *anchor = format!("{of}-{anchor}");
                }
            });
        }
        one.kinds.append(&mut page.kinds);
        one.types.append(&mut page.types);
        one.foreign.append(&mut page.foreign);
    }
    one
}

fn sections(page: &mut Page) -> impl Iterator<Item = &mut Section> {
    page.kinds
        .iter_mut()
        .chain(&mut page.types)
        .chain(&mut page.foreign)
}

/// Visits the links of a section.
fn each_piece(section: &mut Section, visit: &mut dyn FnMut(&mut Piece)) {
    section.used_by.iter_mut().for_each(&mut *visit);
    for (_, line) in &mut section.facts {
        line.iter_mut().for_each(&mut *visit);
    }
    for row in &mut section.rows {
        row.ty.iter_mut().for_each(&mut *visit);
        for (_, line) in &mut row.facts {
            line.iter_mut().for_each(&mut *visit);
        }
    }
}

/// Whether a name matches a pattern with `*`.
fn is_like(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = name.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::super::Row;
    use super::*;

    fn section(title: &str, package: Option<&str>, to: &[&str]) -> Section {
        let row = |to: &&str| Row {
            name: format!("to{to}"),
            ty: vec![Piece::Link {
                text: (*to).to_owned(),
                page: None,
                anchor: to.to_lowercase(),
            }],
            ..Row::default()
        };
        Section {
            anchor: title.to_lowercase(),
            title: title.to_owned(),
            package: package.map(str::to_owned),
            rows: to.iter().map(row).collect(),
            ..Section::default()
        }
    }

    fn page(name: &str) -> Page {
        let core = Some("k8s.io/api/core/v1");
        Page {
            name: name.to_owned(),
            title: format!("g/{name}"),
            kinds: vec![section("Gate", None, &["GateSpec", "PodSpec"])],
            types: vec![section("GateSpec", None, &[])],
            foreign: vec![
                section("PodSpec", core, &["Container"]),
                section("Container", core, &[]),
            ],
            ..Page::default()
        }
    }

    #[test]
    fn published_types_are_linked() {
        let arrangement = Arrangement {
            linked: Some("1.34".to_owned()),
            ..Arrangement::default()
        };
        let pages = arrangement.apply(vec![page("v1")]);
        assert!(pages[0].foreign.is_empty());
        let url = "https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#podspec-v1-core";
        let expected = Piece::Web {
            text: "PodSpec".to_owned(),
            url: url.to_owned(),
        };
        assert_eq!(pages[0].kinds[0].rows[1].ty, [expected]);
    }

    #[test]
    fn ignored_types_and_fields_are_left_out() {
        let arrangement = Arrangement {
            ignored_types: vec!["Pod*".to_owned()],
            ignored_fields: vec!["Gate.toGate*".to_owned()],
            ..Arrangement::default()
        };
        let pages = arrangement.apply(vec![page("v1")]);
        assert!(pages[0].foreign.is_empty(), "what only it used is gone too");
        let rows = &pages[0].kinds[0].rows;
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].ty, [Piece::Code("PodSpec".to_owned())]);
    }

    #[test]
    fn one_page_keeps_its_links_apart() {
        let arrangement = Arrangement {
            single: true,
            ..Arrangement::default()
        };
        let pages = arrangement.apply(vec![page("v1"), page("v2")]);
        assert_eq!(pages.len(), 1);
        let anchors: Vec<&str> = pages[0].kinds.iter().map(|kind| kind.anchor.as_str()).collect();
        assert_eq!(anchors, ["v1-gate", "v2-gate"]);
        assert_eq!(pages[0].kinds[1].title, "Gate (g/v2)");
    }

    #[test]
    fn patterns_match_names() {
        for (pattern, name, expected) in [
            ("A", "A", true),
            ("A", "AB", false),
            ("A*", "AB", true),
            ("*List", "GateList", true),
            ("A*C*E", "ABCDE", true),
            ("A*C*E", "ABDE", false),
        ] {
            assert_eq!(is_like(pattern, name), expected, "{pattern} {name}");
        }
    }
}
