//! The files of the page, in the binary: `web/page`, whose engine is this program instead of WebAssembly.

use super::http::Response;

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const TEXT: &str = "text/plain; charset=utf-8";

macro_rules! files {
    ($($name:literal as $media:ident,)*) => {
        &[$(($name, $media, include_str!(concat!("../../../web/", $name))),)*]
    };
}

/// Names, media types and contents.
const FILES: &[(&str, &str, &str)] = files![
    "index.html" as HTML,
    "style.css" as STYLE,
    "app.js" as SCRIPT,
    "asking.js" as SCRIPT,
    "editor.js" as SCRIPT,
    "editors.js" as SCRIPT,
    "engine.js" as SCRIPT,
    "examples.js" as SCRIPT,
    "results.js" as SCRIPT,
    "share.js" as SCRIPT,
    "worker.js" as SCRIPT,
    "LICENSES.txt" as TEXT,
    "examples/apply.txt" as TEXT,
    "examples/cost.txt" as TEXT,
    "examples/defaults.txt" as TEXT,
    "examples/first.txt" as TEXT,
    "examples/immutable.txt" as TEXT,
    "examples/kep.txt" as TEXT,
    "examples/lint.txt" as TEXT,
    "examples/null.txt" as TEXT,
    "examples/policy.txt" as TEXT,
    "examples/ratcheting.txt" as TEXT,
    "examples/release.txt" as TEXT,
    "examples/union.txt" as TEXT,
];

/// The file of a path.
pub(super) fn find(path: &str) -> Option<Response> {
    let name = match path.strip_prefix('/')? {
        "" => "index.html",
        name => name,
    };
    let (_, media, text) = FILES.iter().find(|(known, ..)| *known == name)?;
    let text = match name {
        "index.html" => text.replacen("data-engine=\"wasm\"", "data-engine=\"server\"", 1),
        _ => (*text).to_owned(),
    };
    Some(Response::new(200, media, text.into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_page_is_in_the_binary() {
        let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("web");
        let mut folders = vec![page.clone()];
        let mut count = 0;
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).expect("the page is there") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let name = path
                    .strip_prefix(&page)
                    .expect("it is below")
                    .to_string_lossy()
                    .into_owned();
                assert!(find(&format!("/{name}")).is_some(), "{name} is not listed");
                count += 1;
            }
        }
        assert_eq!(count, FILES.len());
    }

    #[test]
    fn the_served_page_asks_the_server() {
        let page = find("/").expect("a page");
        let text = String::from_utf8(page.body).expect("text");
        assert!(text.contains("data-engine=\"server\""));
        assert_eq!(find("/../Cargo.toml"), None);
    }
}
