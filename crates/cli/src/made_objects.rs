//! Files that tools make objects of: templates of Helm charts, and kustomizations.

use std::path::{Path, PathBuf};

/// Whether a file has one of the names that kustomize looks for.
pub(crate) fn is_kustomization(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default();
    ["kustomization.yaml", "kustomization.yml", "Kustomization"]
        .iter()
        .any(|known| name == *known)
}

/// The outermost Helm chart at or below `top` that holds a file.
pub(crate) fn chart_of(top: &Path, file: &Path) -> Option<PathBuf> {
    let mut above: Vec<&Path> = file
        .ancestors()
        .skip(1)
        .take_while(|above| above.starts_with(top))
        .collect();
    above.reverse();
    let is_chart = |directory: &&Path| directory.join("Chart.yaml").is_file();
    above.into_iter().find(is_chart).map(Path::to_owned)
}

/// Whether a file of a chart holds plain objects: Helm does not fill in those of `crds`.
pub(crate) fn is_plain(chart: &Path, file: &Path) -> bool {
    file.strip_prefix(chart)
        .is_ok_and(|below| below.components().any(|part| part.as_os_str() == "crds"))
}

/// Whether a file that is open in an editor is something that objects are made of, rather than objects.
pub(crate) fn is_source(file: &Path) -> bool {
    let is_template = |chart: PathBuf| !is_plain(&chart, file);
    is_kustomization(file) || chart_of(Path::new(""), file).is_some_and(is_template)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kustomizations_are_known_by_their_names() {
        for (file, expected) in [
            ("a/kustomization.yaml", true),
            ("Kustomization", true),
            ("a/kustomization.json", false),
            ("deployment.yaml", false),
        ] {
            assert_eq!(is_source(Path::new(file)), expected, "{file}");
        }
    }
}
