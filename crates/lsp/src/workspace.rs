//! The open documents, the packages and CRDs around them, and what is known about each.

use std::collections::{BTreeSet, HashMap};

use kindsmith_source::{Diagnostic, SourceMap};
use lsp_types::{DidChangeTextDocumentParams, Location, PublishDiagnosticsParams, TextDocumentItem, Uri};

use crate::documents::{Document, Documents, Language};
use crate::finding;
use crate::go::Package;
use crate::go::definition::foreign;
use crate::manifest::Crds;
use crate::overlay::{Cache, Overlay};
use crate::settings::Settings;
use crate::text::Text;
use crate::uri::{path, uri};

/// The open documents, and what is known about them.
pub struct Workspace {
    pub(crate) settings: Settings,
    pub(crate) documents: Documents,
    pub(crate) cache: Cache,
    /// By directory; removed when a file of the package changes.
    packages: HashMap<String, Package>,
    /// Read when a manifest first needs them.
    crds: Option<Crds>,
    /// Documents whose findings the editor does not know yet.
    unpublished: BTreeSet<String>,
}

impl std::fmt::Debug for Workspace {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Workspace")
            .field("documents", &self.documents)
            .finish_non_exhaustive()
    }
}

impl Workspace {
    /// A workspace without open documents.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            documents: Documents::default(),
            cache: Cache::default(),
            packages: HashMap::new(),
            crds: None,
            unpublished: BTreeSet::new(),
        }
    }

    /// A document was opened.
    pub fn open(&mut self, item: TextDocumentItem) {
        let Some(path) = path(&item.uri) else {
            return;
        };
        let document = Document {
            text: Text::new(item.text, self.settings.encoding),
            version: item.version,
            uri: item.uri,
        };
        self.documents.insert(path.clone(), document);
        self.cache.forget(&path);
        self.outdate(&path);
    }

    /// A document was changed.
    pub fn change(&mut self, params: &DidChangeTextDocumentParams) {
        let Some(path) = path(&params.text_document.uri) else {
            return;
        };
        if let Some(document) = self.documents.get_mut(&path) {
            for change in &params.content_changes {
                document.text.change(change);
            }
            document.version = params.text_document.version;
            self.outdate(&path);
        }
    }

    /// A document was closed. Its findings are removed from the editor.
    pub fn close(&mut self, uri: &Uri) -> Option<PublishDiagnosticsParams> {
        let path = path(uri)?;
        self.documents.remove(&path)?;
        self.cache.forget(&path);
        self.outdate(&path);
        self.unpublished.remove(&path);
        Some(PublishDiagnosticsParams::new(uri.clone(), Vec::new(), None))
    }

    /// A file changed on disk: everything that may depend on it is looked at again.
    pub fn disk_changed(&mut self, uri: &Uri) {
        let Some(path) = path(uri) else {
            return;
        };
        self.cache.forget(&path);
        match Language::of(&path) {
            Language::Manifest => self.crds = None,
            // Other packages may use this one.
            _ => self.packages.clear(),
        }
        self.unpublished.extend(self.documents.paths().map(str::to_owned));
    }

    /// Notes that what is known about a document is out of date, and so is what is known about its neighbors.
    fn outdate(&mut self, path: &str) {
        match Language::of(path) {
            Language::Go => {
                let directory = directory(path);
                self.packages.remove(directory);
                let neighbors = self
                    .documents
                    .paths()
                    .filter(|open| directory_of_go(open) == Some(directory));
                self.unpublished.extend(neighbors.map(str::to_owned));
            }
            Language::Manifest => {
                let is_crd = |text: &str| text.contains("CustomResourceDefinition");
                let text = self.documents.get(path).map(|document| document.text.as_str());
                if text.is_none_or(is_crd) {
                    self.crds = None;
                }
                self.unpublished.insert(path.to_owned());
            }
            Language::Other => {}
        }
    }

    /// Whether there are findings that the editor does not know yet.
    #[must_use]
    pub fn has_unpublished(&self) -> bool {
        !self.unpublished.is_empty()
    }

    /// The findings of one document that changed; `None` if the editor knows all findings.
    ///
    /// The document counts as known from then on, whatever happens, so that one whose findings cannot be found does not
    /// hold up the others.
    pub fn publish(&mut self) -> Option<PublishDiagnosticsParams> {
        loop {
            let path = self.unpublished.pop_first()?;
            if let Some(found) = self.findings_for_editor(&path) {
                return Some(found);
            }
        }
    }

    /// Drops everything that was worked out and can be worked out again. For after a panic, which may have left it half
    /// done.
    pub fn forget(&mut self) {
        self.cache = Cache::default();
        self.packages.clear();
        self.crds = None;
    }

    fn findings_for_editor(&mut self, path: &str) -> Option<PublishDiagnosticsParams> {
        let encoding = self.settings.encoding;
        self.with_findings(path, |findings, sources, document| {
            let found = findings
                .iter()
                .map(|found| finding::diagnostic(found, &document.text, sources, encoding));
            PublishDiagnosticsParams::new(document.uri.clone(), found.collect(), Some(document.version))
        })
    }

    /// Calls with the findings in an open document.
    pub(crate) fn with_findings<R>(
        &mut self,
        path: &str,
        read: impl FnOnce(&[&Diagnostic], &SourceMap, &Document) -> R,
    ) -> Option<R> {
        match Language::of(path) {
            Language::Go => {
                self.load(path);
                let document = self.documents.get(path)?;
                let package = self.packages.get(directory(path))?;
                let findings = package.findings_in(path);
                Some(read(&findings, &package.read.sources, document))
            }
            Language::Manifest => {
                self.load_crds();
                let document = self.documents.get(path)?;
                let crds = self.crds.as_ref()?;
                let checked = (self.settings.check_manifest)(path, document.text.as_str(), &crds.kinds);
                let is_here = |found: &&Diagnostic| checked.sources.file(found.span.file).name() == path;
                let findings: Vec<&Diagnostic> = checked.findings.iter().filter(is_here).collect();
                Some(read(&findings, &checked.sources, document))
            }
            Language::Other => None,
        }
    }

    /// The package of an open Go file, up to date.
    pub(crate) fn package(&mut self, path: &str) -> Option<(&Package, &Document)> {
        self.load(path);
        Some((self.packages.get(directory(path))?, self.documents.get(path)?))
    }

    /// The CRDs of the workspace, and an open document.
    pub(crate) fn crds(&mut self, path: &str) -> Option<(&Crds, &Document)> {
        self.load_crds();
        Some((self.crds.as_ref()?, self.documents.get(path)?))
    }

    /// Where a constant of another package is declared, as the package of a file imports it.
    pub(crate) fn foreign_constant(&self, path: &str, package: &str, name: &str) -> Option<Location> {
        let overlay = Overlay {
            documents: &self.documents,
            files: &*self.settings.files,
            cache: &self.cache,
        };
        let options = self.settings.packages.clone();
        let encoding = self.settings.encoding;
        foreign(&overlay, options, directory(path), (package, name), encoding)
    }

    fn load(&mut self, path: &str) {
        let directory = directory(path);
        if !self.packages.contains_key(directory) {
            let overlay = Overlay {
                documents: &self.documents,
                files: &*self.settings.files,
                cache: &self.cache,
            };
            let package = Package::load(
                directory,
                &overlay,
                self.settings.packages.clone(),
                &self.settings.lint,
                &*self.settings.check_crds,
            );
            self.packages.insert(directory.to_owned(), package);
        }
    }

    fn load_crds(&mut self) {
        if self.crds.is_none() {
            let overlay = Overlay {
                documents: &self.documents,
                files: &*self.settings.files,
                cache: &self.cache,
            };
            let open = self.documents.paths();
            self.crds = Some(Crds::find(&self.settings.roots, open, &overlay));
        }
    }
}

/// The directory of a path.
pub(crate) fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or(".", |(directory, _)| directory)
}

fn directory_of_go(path: &str) -> Option<&str> {
    (Language::of(path) == Language::Go).then(|| directory(path))
}

/// The address of a path, for answers about files that are not open.
pub(crate) fn address(path: &str) -> Option<Uri> {
    uri(path)
}
