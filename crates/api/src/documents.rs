//! Documents built from the catalog on first use and cached until it changes. Of a document that depends on something else, too, only
//! the newest is kept.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};

use sha2::{Digest, Sha512};

use crate::Catalog;

/// A document with its `ETag`.
#[derive(Debug)]
pub(crate) struct Document {
    /// The SHA-512 of the text, or of its sources, in upper-case hexadecimal.
    pub(crate) tag: String,
    /// The document as compact JSON.
    pub(crate) text: String,
}

impl Document {
    /// A document tagged by its text.
    pub(crate) fn new(text: String) -> Self {
        Document {
            tag: tag(&[text.as_bytes()]),
            text,
        }
    }
}

/// The tag of some bytes.
pub(crate) fn tag(parts: &[&[u8]]) -> String {
    let mut hasher = Sha512::new();
    parts.iter().for_each(|part| hasher.update(part));
    let digest = hasher.finalize();
    let mut text = String::with_capacity(128);
    for byte in digest {
        let _ = write!(text, "{byte:02X}");
    }
    text
}

/// The documents of the current catalog.
#[derive(Debug, Default)]
pub(crate) struct Documents(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    catalog: Option<Arc<Catalog>>,
    /// With what else they depend on.
    documents: HashMap<String, (String, Arc<Document>)>,
}

impl Documents {
    /// Returns the document with this name; builds it if it is not cached.
    pub(crate) fn get(
        &self,
        catalog: &Arc<Catalog>,
        name: &str,
        make: impl FnOnce() -> Document,
    ) -> Arc<Document> {
        self.get_of(catalog, (name, ""), make)
    }

    /// The same for a document that depends on something else, too.
    pub(crate) fn get_of(
        &self,
        catalog: &Arc<Catalog>,
        (name, source): (&str, &str),
        make: impl FnOnce() -> Document,
    ) -> Arc<Document> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_current = kept
            .catalog
            .as_ref()
            .is_some_and(|kept| Arc::ptr_eq(kept, catalog));
        if !is_current {
            kept.catalog = Some(Arc::clone(catalog));
            kept.documents = HashMap::new();
        }
        if let Some((known, document)) = kept.documents.get(name)
            && known == source
        {
            return Arc::clone(document);
        }
        drop(kept);
        // Built outside the lock: it may take long, and building it twice does no harm.
        let document = Arc::new(make());
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept
            .catalog
            .as_ref()
            .is_some_and(|kept| Arc::ptr_eq(kept, catalog))
        {
            let made = (source.to_owned(), Arc::clone(&document));
            kept.documents.insert(name.to_owned(), made);
        }
        document
    }
}
