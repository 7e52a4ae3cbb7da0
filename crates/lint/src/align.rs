//! Columns of struct fields after an edit, as gofmt has them: names, types, tags and comments of adjacent lines begin at
//! the same place.

use std::ops::Range;

/// Aligns the fields on and beside the lines that `places` touch; other lines stay as they are.
pub(crate) fn align(text: &str, places: &[Range<usize>]) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    let cells: Vec<Option<Vec<&str>>> = lines.iter().map(|line| cells(line)).collect();
    let mut aligned: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    for block in blocks(&cells) {
        if is_touched(&lines, &block, places) {
            let rows: Vec<&[&str]> = cells[block.clone()].iter().flatten().map(Vec::as_slice).collect();
            for (at, row) in block.clone().zip(drawn(&rows)) {
                let indent = lines[at].len() - lines[at].trim_start().len();
                aligned[at] = format!("{}{row}", &lines[at][..indent]);
            }
        }
    }
    aligned.join("\n")
}

/// Runs of adjacent fields.
fn blocks(cells: &[Option<Vec<&str>>]) -> Vec<Range<usize>> {
    let mut blocks: Vec<Range<usize>> = Vec::new();
    for (at, _) in cells.iter().enumerate().filter(|(_, cells)| cells.is_some()) {
        match blocks.last_mut().filter(|last| last.end == at) {
            Some(last) => last.end = at + 1,
            None => blocks.push(at..at + 1),
        }
    }
    blocks
}

/// A removed comment joins two blocks and an added one parts them, so lines beside an edit count too.
fn is_touched(lines: &[&str], block: &Range<usize>, places: &[Range<usize>]) -> bool {
    let length = |range: Range<usize>| lines[range].iter().map(|line| line.len() + 1).sum::<usize>();
    let start = length(0..block.start.saturating_sub(1));
    let end = length(0..(block.end + 1).min(lines.len()));
    places
        .iter()
        .any(|place| place.start <= end && start <= place.end)
}

/// The columns of a field's line, as gofmt counts them; `None` for other lines.
fn cells(line: &str) -> Option<Vec<&str>> {
    let content = line.trim();
    let is_field = content.starts_with(|first: char| first.is_alphabetic() || matches!(first, '*' | '_'));
    if !is_field || !line.starts_with('\t') || content.ends_with(['{', '(', ',']) {
        return None;
    }
    let (declared, tag, after) = match content.split_once('`') {
        Some((declared, rest)) => {
            let (tag, after) = rest.split_once('`')?;
            let start = declared.len();
            (
                declared.trim_end(),
                Some(&content[start..start + tag.len() + 2]),
                after,
            )
        }
        None => match content.split_once("//") {
            Some((declared, comment)) => (
                declared.trim_end(),
                None,
                &content[content.len() - comment.len() - 2..],
            ),
            None => (content, None, ""),
        },
    };
    let comment = after.trim();
    if !comment.is_empty() && !comment.starts_with("//") {
        return None;
    }
    let mut cells = match declared.split_once([' ', '\t']) {
        // Several names, or a statement: not the form of a field.
        Some((name, _)) if name.ends_with([',', ':', '=', ')']) || declared.contains('=') => return None,
        Some((name, ty)) => vec![name, ty.trim_start(), ""],
        None => vec![declared],
    };
    if let Some(tag) = tag {
        cells.push(tag);
    } else if cells.len() == 3 && comment.is_empty() {
        cells.pop();
    }
    if !comment.is_empty() {
        cells.push(comment);
    }
    Some(cells)
}

/// The rows with their columns padded: a column reaches over adjacent rows that have something behind it.
fn drawn(rows: &[&[&str]]) -> Vec<String> {
    let mut text = vec![String::new(); rows.len()];
    columns(rows, 0, 0..rows.len(), &mut text);
    text
}

fn columns(rows: &[&[&str]], column: usize, range: Range<usize>, text: &mut [String]) {
    let mut at = range.start;
    while at < range.end {
        let ends = |row: usize| rows[row].len() <= column + 1;
        if ends(at) {
            text[at].push_str(rows[at].get(column).copied().unwrap_or_default());
            at += 1;
            continue;
        }
        let end = (at..range.end).find(|row| ends(*row)).unwrap_or(range.end);
        let width = rows[at..end].iter().map(|row| row[column].chars().count()).max();
        // An empty column takes no place.
        let width = width.filter(|width| *width > 0).map_or(0, |width| width + 1);
        for row in at..end {
            let cell = rows[row][column];
            text[row].push_str(cell);
            let missing = width - cell.chars().count().min(width);
            text[row].push_str(&" ".repeat(missing));
        }
        columns(rows, column + 1, at..end, text);
        at = end;
    }
}

#[cfg(test)]
mod tests {
    use super::align;

    fn check(text: &str, expected: &str) {
        let everything = 0..text.len();
        assert_eq!(align(text, std::slice::from_ref(&everything)), expected);
        let everything = 0..expected.len();
        assert_eq!(align(expected, std::slice::from_ref(&everything)), expected);
    }

    #[test]
    fn columns_of_adjacent_fields_are_aligned() {
        check(
            "\tA *string `json:\"a\"`\n\tLonger int `json:\"b\"`\n",
            "\tA      *string `json:\"a\"`\n\tLonger int     `json:\"b\"`\n",
        );
        check(
            "\tmetav1.TypeMeta   `json:\",inline\"`\n\tmetav1.ListMeta `json:\"metadata\"`\n\tItems []Foo `json:\"items\"`\n",
            "\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ListMeta `json:\"metadata\"`\n\tItems           []Foo `json:\"items\"`\n",
        );
    }

    #[test]
    fn comments_and_empty_lines_part_blocks() {
        check(
            "\tA string `a`\n\t// b\n\tLonger int `b`\n\n\tC int `c`\n",
            "\tA string `a`\n\t// b\n\tLonger int `b`\n\n\tC int `c`\n",
        );
    }

    #[test]
    fn other_lines_stay() {
        let text = "\tx :=   3\n\tf(a,  b)\n\tB struct {\n";
        let everything = 0..text.len();
        assert_eq!(align(text, std::slice::from_ref(&everything)), text);
    }
}
