//! Generates CRDs from the types again.

use kindsmith_generate::controller_gen::{self, Options};
use kindsmith_generate::deepcopy;
use kindsmith_go::Profile;
use kindsmith_go::package::{self, Loader, MemoryFiles};
use kindsmith_openapi::crd::Definition;

use super::GoFile;

/// The CRDs of the packages, and the files with `DeepCopy` methods.
pub(super) fn generate(files: &[GoFile]) -> (Vec<GoFile>, Vec<Definition>) {
    let memory: MemoryFiles = files
        .iter()
        .map(|file| (format!("api/{}", file.path), file.text.clone()))
        .collect();
    let mut loader = Loader::new(&memory, package::Options::default());
    let packages = loader.load("api/...");
    let copies = deepcopy::methods(&mut loader, &packages, &deepcopy::Options::default());
    let copies = copies.files.into_iter().map(|copy| GoFile {
        path: format!(
            "{}/{}",
            copy.directory.trim_start_matches("api/"),
            deepcopy::FILE_NAME
        ),
        text: copy.text,
    });
    let copies = copies.collect();
    let options = kindsmith_go::Options {
        profile: Profile::Upstream,
        definitions: true,
        ..kindsmith_go::Options::default()
    };
    let read = kindsmith_go::read_with(loader, packages, &options);
    let options = Options {
        allow_dangerous_types: true,
        ..Options::default()
    };
    let made = controller_gen::definitions(&read.schema, &options);
    (
        copies,
        made.definitions.into_iter().map(|made| made.model).collect(),
    )
}
