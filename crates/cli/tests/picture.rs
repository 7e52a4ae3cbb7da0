//! The picture of a terminal in the README is a real run. `UPDATE=1` draws it again.

use std::fmt::Write as _;

use crate::binary::{self, root};

/// What a terminal shows in one style.
struct Piece {
    text: String,
    color: Option<&'static str>,
    is_bold: bool,
}

/// The colors of the picture by SGR code.
const COLORS: [(u32, &str); 12] = [
    (31, "#ff9a92"),
    (32, "#86d6a4"),
    (33, "#f0c36d"),
    (34, "#8fc4f2"),
    (35, "#d7a4e8"),
    (36, "#7fd0d0"),
    (91, "#ff9a92"),
    (92, "#86d6a4"),
    (93, "#f0c36d"),
    (94, "#8fc4f2"),
    (95, "#d7a4e8"),
    (96, "#7fd0d0"),
];

/// The pieces of a line; the style goes on from the line before.
fn pieces(line: &str, style: &mut (Option<&'static str>, bool)) -> Vec<Piece> {
    let mut found = Vec::new();
    for (index, part) in line.split("\u{1b}[").enumerate() {
        let text = match part.split_once('m') {
            Some((codes, text)) if index > 0 => {
                for code in codes.split(';').map(|code| code.parse().unwrap_or(0)) {
                    match code {
                        0 => *style = (None, false),
                        1 => style.1 = true,
                        22 => style.1 = false,
                        39 => style.0 = None,
                        code => {
                            let known = COLORS.iter().find(|(known, _)| *known == code);
                            style.0 = known.map_or(style.0, |(_, color)| Some(color));
                        }
                    }
                }
                text
            }
            _ => part,
        };
        if !text.is_empty() {
            found.push(Piece {
                text: text.to_owned(),
                color: style.0,
                is_bold: style.1,
            });
        }
    }
    found
}

/// A terminal with these lines.
fn draw(lines: &[Vec<Piece>]) -> String {
    let count = |line: &Vec<Piece>| line.iter().map(|piece| piece.text.chars().count()).sum::<usize>();
    let columns = lines.iter().map(count).max().unwrap_or(0);
    let (width, height) = (columns * 8 + 32, lines.len() * 19 + 50);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n\
         <title>kindsmith check in a terminal</title>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1e2125\"/>\n\
         <g fill=\"#4a5058\"><circle cx=\"18\" cy=\"17\" r=\"5\"/><circle cx=\"36\" cy=\"17\" r=\"5\"/><circle cx=\"54\" cy=\"17\" r=\"5\"/></g>\n\
         <g font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"13.3\" fill=\"#e4e6e8\">\n"
    );
    for (row, line) in lines.iter().enumerate() {
        let _ = write!(out, "<text x=\"16\" y=\"{}\">", row * 19 + 48);
        for piece in line {
            let text = piece.text.replace('&', "&amp;").replace('<', "&lt;");
            // Renderers collapse other spaces, whatever an attribute says.
            let text = text.replace(' ', "\u{a0}");
            let color = piece
                .color
                .map_or_else(String::new, |color| format!(" fill=\"{color}\""));
            let weight = if piece.is_bold {
                " font-weight=\"bold\""
            } else {
                ""
            };
            let _ = write!(out, "<tspan{color}{weight}>{text}</tspan>");
        }
        out.push_str("</text>\n");
    }
    out.push_str("</g>\n</svg>\n");
    out
}

#[test]
fn the_picture_of_the_readme_is_a_real_run() {
    let words = "check fixtures/gate/wrong.yaml --crds fixtures/gate/crd.yaml";
    let run = binary::kindsmith(&format!("{words} --color always"));
    let text = format!("$ kindsmith {words}\n{}{}", run.stdout, run.stderr);
    let mut style = (None, false);
    let lines: Vec<Vec<Piece>> = text
        .trim_end()
        .lines()
        .map(|line| pieces(line, &mut style))
        .collect();
    assert!(
        lines.iter().flatten().any(|piece| piece.color.is_some()),
        "it has colors"
    );
    let picture = draw(&lines);
    let path = root().join("docs/images/check.svg");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &picture).expect("the picture can be written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == picture,
        "docs/images/check.svg is stale: run `UPDATE=1 cargo test -p kindsmith-cli --test it picture`"
    );
}
