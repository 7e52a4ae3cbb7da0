//! kubebuilder's markers as `+k8s:` tags and the other way round, line by line in Go source.
//!
//! A replacement is only a candidate: whether it says the same is decided by generating CRDs with it ([`settle`]).

mod table;

use crate::difference::Difference;

/// Which markers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum To {
    /// `+k8s:` tags.
    K8s,
    /// `+kubebuilder:` markers.
    Kubebuilder,
}

/// A marker that could be replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The file, as the caller numbers them.
    pub file: usize,
    /// Its line, from 0.
    pub line: usize,
    /// The marker as written.
    pub from: String,
    /// What would be written instead.
    pub to: String,
}

/// Lines of one file that could be replaced.
#[must_use]
pub fn candidates(file: usize, text: &str, to: To) -> Vec<Candidate> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (line, whole) in lines.iter().enumerate() {
        let Some(marker) = marker(whole) else { continue };
        let on_type = declares_type(&lines[line..]);
        if let Some(to) = table::replaced(marker, to, on_type) {
            found.push(Candidate {
                file,
                line,
                from: marker.to_owned(),
                to,
            });
        }
    }
    found
}

/// The marker of a comment line.
fn marker(line: &str) -> Option<&str> {
    let text = line.trim_start().strip_prefix("//")?.trim();
    text.starts_with('+').then_some(text)
}

/// Whether the comment that begins here stands on a type.
fn declares_type(lines: &[&str]) -> bool {
    let mut code = lines
        .iter()
        .map(|line| line.trim_start())
        .filter(|line| !line.starts_with("//") && !line.is_empty());
    code.next().is_some_and(|line| line.starts_with("type "))
}

/// The text with some candidates applied. Everything else stays as it is, byte for byte.
#[must_use]
pub fn applied<'c>(text: &str, chosen: impl IntoIterator<Item = &'c Candidate>) -> String {
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    for candidate in chosen {
        if let Some(line) = lines.get_mut(candidate.line)
            && let Some(at) = line.find(&candidate.from)
        {
            line.replace_range(at..at + candidate.from.len(), &candidate.to);
        }
    }
    lines.join("\n")
}

/// What became of candidates.
#[derive(Debug, Clone, Default)]
pub struct Settled {
    /// Those after which the CRDs are equal, as places in the list of candidates.
    pub kept: Vec<usize>,
    /// The others, each with what it would change.
    pub refused: Vec<(usize, Vec<Difference>)>,
}

/// Finds the candidates that change nothing. `differences` generates CRDs with a set of them.
///
/// All are tried together first, then halves, so that a few bad ones cost few trials.
pub fn settle(count: usize, mut differences: impl FnMut(&[usize]) -> Vec<Difference>) -> Settled {
    let mut settled = Settled::default();
    let mut pending = vec![(0..count).collect::<Vec<usize>>()];
    while let Some(group) = pending.pop() {
        if group.is_empty() {
            continue;
        }
        let mut tried = settled.kept.clone();
        tried.extend(&group);
        let found = differences(&tried);
        match (found.is_empty(), &group[..]) {
            (true, _) => settled.kept = tried,
            (false, [only]) => settled.refused.push((*only, found)),
            (false, _) => {
                let (first, second) = group.split_at(group.len() / 2);
                // The first half is tried first.
                pending.push(second.to_vec());
                pending.push(first.to_vec());
            }
        }
    }
    settled.kept.sort_unstable();
    settled
}

#[cfg(test)]
mod tests {
    use super::{To, applied, candidates, settle};
    use crate::difference::Difference;

    #[test]
    fn markers_are_replaced_in_place() {
        let text = "type Spec struct {\n\t// +kubebuilder:validation:MaxLength=3\n\t// +optional\n\tName string `json:\"name\"` // +x\n}\n";
        let found = candidates(0, text, To::K8s);
        assert_eq!(found.len(), 2);
        let there = applied(text, &found);
        assert_eq!(
            there,
            "type Spec struct {\n\t// +k8s:maxLength=3\n\t// +k8s:optional\n\tName string `json:\"name\"` // +x\n}\n"
        );
        let back = candidates(0, &there, To::Kubebuilder);
        assert_eq!(applied(&there, &back), text);
    }

    #[test]
    fn only_what_changes_something_is_refused() {
        let bad = [3, 4, 11];
        let mut trials = 0;
        let settled = settle(16, |tried| {
            trials += 1;
            let is_bad = tried.iter().any(|one| bad.contains(one));
            let difference = Difference {
                crd: "a".into(),
                at: "v1".to_owned(),
                keyword: "maxLength".to_owned(),
                before: None,
                after: None,
            };
            is_bad.then_some(difference).into_iter().collect()
        });
        let refused: Vec<usize> = settled.refused.iter().map(|(one, _)| *one).collect();
        assert_eq!(refused, bad);
        assert_eq!(settled.kept.len(), 13);
        assert!(trials < 16 * 2, "{trials}");
    }
}
