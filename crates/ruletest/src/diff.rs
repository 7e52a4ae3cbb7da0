//! A line diff of two short texts.

/// Lines around a change that are shown.
const CONTEXT: usize = 3;
/// Texts with more lines are not compared line by line, because the table of common lines would grow too large.
const MAX_LINES: usize = 4000;

/// Lines of the first text that are missing (`-`), of the second that are new (`+`), with a few lines around them.
#[must_use]
pub fn diff(expected: &str, got: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), got.lines().collect());
    let steps = steps(&old, &new);
    let is_near = |index: usize| {
        let around = index.saturating_sub(CONTEXT)..(index + CONTEXT + 1).min(steps.len());
        steps[around].iter().any(|(mark, _)| *mark != ' ')
    };
    let mut out = String::new();
    let mut is_gap = false;
    for (index, (mark, line)) in steps.iter().enumerate() {
        if is_near(index) {
            out.push_str(&format!("{mark} {line}\n"));
        } else if !is_gap {
            out.push_str("  ...\n");
        }
        is_gap = !is_near(index);
    }
    out
}

/// Both texts as one list of lines: kept, removed, added.
fn steps<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<(char, &'t str)> {
    if old.len() > MAX_LINES || new.len() > MAX_LINES {
        let removed = old.iter().map(|line| ('-', *line));
        return removed.chain(new.iter().map(|line| ('+', *line))).collect();
    }
    // Length of the longest common list of lines from each pair of positions on.
    let width = new.len() + 1;
    let mut common = vec![0u32; (old.len() + 1) * width];
    for left in (0..old.len()).rev() {
        for right in (0..new.len()).rev() {
            common[left * width + right] = if old[left] == new[right] {
                common[(left + 1) * width + right + 1] + 1
            } else {
                common[(left + 1) * width + right].max(common[left * width + right + 1])
            };
        }
    }
    let (mut left, mut right, mut steps) = (0, 0, Vec::new());
    while left < old.len() || right < new.len() {
        let is_same = left < old.len() && right < new.len() && old[left] == new[right];
        let removes = right == new.len()
            || (left < old.len() && common[(left + 1) * width + right] >= common[left * width + right + 1]);
        if is_same {
            steps.push((' ', old[left]));
            (left, right) = (left + 1, right + 1);
        } else if removes {
            steps.push(('-', old[left]));
            left += 1;
        } else {
            steps.push(('+', new[right]));
            right += 1;
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(expected: &str, got: &str, shown: &str) {
        assert_eq!(diff(expected, got), shown);
    }

    #[test]
    fn shows_changes_with_lines_around_them() {
        check("a\nb\nc\n", "a\nx\nc\n", "  a\n- b\n+ x\n  c\n");
        check("", "a\n", "+ a\n");
        check(
            "1\n2\n3\n4\n5\n6\n",
            "1\n2\n3\n4\n5\n",
            "  ...\n  3\n  4\n  5\n- 6\n",
        );
        check("a\n", "a\n", "  ...\n");
    }
}
