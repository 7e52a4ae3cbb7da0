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
    /// Lines of members that get this tag above them; then the marker itself goes.
    pub members: Vec<usize>,
    /// Lines of members' tags that go; then the marker is written above the line, which declares their type.
    pub tags: Vec<usize>,
}

/// Lines of one file that could be replaced.
#[must_use]
pub fn candidates(file: usize, text: &str, to: To) -> Vec<Candidate> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    if to == To::Kubebuilder {
        found.extend(gathered(file, &lines));
    }
    for (line, whole) in lines.iter().enumerate() {
        let Some(marker) = marker(whole) else { continue };
        if to == To::K8s
            && let Some(union) = union(file, line, marker, &lines)
        {
            found.push(union);
            continue;
        }
        let on_type = declares_type(&lines[line..]);
        let made = if to == To::Kubebuilder && marker == "+k8s:enum" {
            enumeration(&lines, line)
        } else {
            table::replaced(marker, to, on_type)
        };
        if let Some(to) = made {
            found.push(Candidate {
                file,
                line,
                from: marker.to_owned(),
                to,
                members: Vec::new(),
                tags: Vec::new(),
            });
        }
    }
    found
}

/// The marker with the constants of the type that this line of a comment is about.
fn enumeration(lines: &[&str], line: usize) -> Option<String> {
    let code = lines[line..]
        .iter()
        .find(|text| !text.trim_start().starts_with("//"))?;
    let name = code.strip_prefix("type ")?.split_whitespace().next()?;
    let values = lines.iter().filter_map(|text| {
        let (front, value) = text.split_once('=')?;
        let words = front.trim_start().trim_start_matches("const ").split_whitespace();
        (words.skip(1).eq([name])).then(|| table::text(value.trim()))?
    });
    let values: Vec<String> = values.collect();
    (!values.is_empty()).then(|| format!("+kubebuilder:validation:Enum={}", values.join(";")))
}

/// Markers on structs for the tags of their members.
fn gathered(file: usize, lines: &[&str]) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    let mut declared = None;
    let mut discriminated = false;
    let mut waiting: Vec<(usize, &str)> = Vec::new();
    // By marker and the tag as it is written, which may name the union: lines of tags, names of members.
    let mut groups: Vec<(&'static str, &str, Vec<usize>, Vec<&str>)> = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        if line.starts_with("type ") && line.ends_with("struct {") {
            declared = Some(number);
            waiting.clear();
        } else if line.starts_with('}') {
            let Some(start) = declared.take() else { continue };
            let has_discriminator = std::mem::take(&mut discriminated);
            let made = groups.drain(..);
            let made = made.filter(|(_, _, tags, _)| tags.len() > 1 && !has_discriminator);
            found.extend(made.map(|(marker, tag, tags, members)| Candidate {
                file,
                line: start,
                from: tag.to_owned(),
                to: format!("{marker}{}", members.join(";")),
                members: Vec::new(),
                tags,
            }));
        } else if let (Some(tag), true) = (marker(line), declared.is_some()) {
            // Which member a discriminator belongs to has no marker.
            discriminated |= tag.starts_with("+k8s:unionDiscriminator");
            waiting.push((number, tag));
        } else if let Some(name) = json_name(line).filter(|_| declared.is_some()) {
            for (number, tag) in waiting.drain(..) {
                let Some(marker) = table::gathered(tag) else {
                    continue;
                };
                match groups.iter_mut().find(|(_, known, ..)| *known == tag) {
                    Some((_, _, tags, members)) => {
                        tags.push(number);
                        members.push(name);
                    }
                    None => groups.push((marker, tag, vec![number], vec![name])),
                }
            }
        }
    }
    found
}

/// The name in JSON of the member that a line declares.
fn json_name(line: &str) -> Option<&str> {
    let (code, tag) = line.split_once("json:\"")?;
    let name = tag.split(['"', ',']).next()?;
    (!code.trim_start().starts_with("//") && !name.is_empty()).then_some(name)
}

/// A marker on a struct, or a rule of it, that says how many of its members are set.
fn union(file: usize, line: usize, marker: &str, lines: &[&str]) -> Option<Candidate> {
    let (tag, names) = table::union(marker)?;
    let start = line + lines[line..].iter().position(|text| text.starts_with("type "))?;
    let is_comment = |text: &&str| text.trim_start().starts_with("//");
    if !lines[line..start].iter().all(is_comment) || !lines[start].ends_with("struct {") {
        return None;
    }
    let end = start + lines[start..].iter().position(|text| text.starts_with('}'))?;
    let declares = |text: &str, name: &str| {
        let is_member = |quote: &str| text.contains(&format!("json:\"{name}{quote}"));
        is_member("\"") || is_member(",")
    };
    let members = names.iter().map(|name| {
        let at = lines[start..end].iter().position(|text| declares(text, name));
        at.map(|at| start + at)
    });
    Some(Candidate {
        file,
        line,
        from: marker.to_owned(),
        to: tag.to_owned(),
        members: members.collect::<Option<Vec<usize>>>()?,
        tags: Vec::new(),
    })
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
    let mut lines: Vec<Option<String>> = text.split('\n').map(|line| Some(line.to_owned())).collect();
    for candidate in chosen {
        let above = if candidate.tags.is_empty() {
            &candidate.members[..]
        } else {
            &[candidate.line][..]
        };
        for member in above {
            if let Some(Some(line)) = lines.get_mut(*member) {
                // The declaration may have other tags above it already.
                let last = line.rfind('\n').map_or(0, |at| at + 1);
                let indent = line[last..].len() - line[last..].trim_start().len();
                let tag = format!("{}// {}\n", &line[last..last + indent], candidate.to);
                line.insert_str(last, &tag);
            }
        }
        for tag in &candidate.tags {
            if let Some(line) = lines.get_mut(*tag) {
                *line = None;
            }
        }
        if !candidate.tags.is_empty() {
            continue;
        }
        let Some(whole) = lines.get_mut(candidate.line) else {
            continue;
        };
        if !candidate.members.is_empty() {
            *whole = None;
        } else if let Some(line) = whole
            && let Some(at) = line.find(&candidate.from)
        {
            line.replace_range(at..at + candidate.from.len(), &candidate.to);
        }
    }
    let lines: Vec<String> = lines.into_iter().flatten().collect();
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
    fn unions_become_tags_of_their_members() {
        let there = "type Light struct {\n\t// +k8s:unionMember\n\tGas *Gas `json:\"gas,omitempty\"`\n\t// +k8s:unionMember\n\tOil *Oil `json:\"oil\"`\n}\n";
        for marker in [
            "+kubebuilder:validation:ExactlyOneOf=gas;oil",
            "+kubebuilder:validation:XValidation:rule=\"[has(self.gas),has(self.oil)].filter(x,x==true).size() == 1\"",
            "+kubebuilder:validation:XValidation:rule=\"has(self.gas) != has(self.oil)\",message=\"one of both\"",
        ] {
            let text = format!(
                "// {marker}\ntype Light struct {{\n\tGas *Gas `json:\"gas,omitempty\"`\n\tOil *Oil `json:\"oil\"`\n}}\n"
            );
            let found = candidates(0, &text, To::K8s);
            assert_eq!(applied(&text, &found), there, "{marker}");
        }
        // A member that the struct does not have.
        let text = "// +kubebuilder:validation:AtMostOneOf=gas;oil\ntype Light struct {\n\tGas *Gas `json:\"gas\"`\n}\n";
        assert_eq!(candidates(0, text, To::K8s), []);
    }

    #[test]
    fn tags_of_members_become_markers_of_their_struct() {
        let text = "// Light is one.\ntype Light struct {\n\t// +k8s:unionMember\n\t// +optional\n\tGas *Gas `json:\"gas,omitempty\"`\n\t// +k8s:unionMember\n\tOil *Oil `json:\"oil\"`\n\t// +k8s:zeroOrOneOfMember(union: \"b\")\n\tA *A `json:\"a\"`\n\t// +k8s:zeroOrOneOfMember(union: \"b\")\n\tB *A `json:\"b\"`\n}\n";
        let found = candidates(0, text, To::Kubebuilder);
        assert_eq!(
            applied(text, &found),
            "// Light is one.\n// +kubebuilder:validation:ExactlyOneOf=gas;oil\n// +kubebuilder:validation:AtMostOneOf=a;b\ntype Light struct {\n\t// +optional\n\tGas *Gas `json:\"gas,omitempty\"`\n\tOil *Oil `json:\"oil\"`\n\tA *A `json:\"a\"`\n\tB *A `json:\"b\"`\n}\n"
        );
        // A member on its own is no union, and one with a discriminator has no marker.
        for text in [
            "type Light struct {\n\t// +k8s:unionMember\n\tGas *Gas `json:\"gas\"`\n}\n",
            "type Light struct {\n\t// +k8s:unionDiscriminator\n\tKind Kind `json:\"kind\"`\n\t// +k8s:unionMember\n\tGas *Gas `json:\"gas\"`\n\t// +k8s:unionMember\n\tOil *Gas `json:\"oil\"`\n}\n",
        ] {
            assert_eq!(candidates(0, text, To::Kubebuilder), [], "{text}");
        }
    }

    #[test]
    fn enums_list_the_constants_of_their_type() {
        let text = "// +k8s:enum\ntype Shift string\n\nconst (\n\tDay   Shift = \"Day\"\n\tNight Shift = \"At night\"\n)\n";
        let found = candidates(0, text, To::Kubebuilder);
        assert_eq!(found[0].to, "+kubebuilder:validation:Enum=Day;\"At night\"");
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
