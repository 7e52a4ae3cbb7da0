//! Pictures as SVG: a white card with texts, boxes and lines, readable on light and dark pages.

use std::fmt::Write as _;

pub(super) const INK: &str = "#1f2328";
pub(super) const FAINT: &str = "#5b636c";
pub(super) const LINE: &str = "#d9d7d0";
pub(super) const FINE: &str = "#d9f0e1";
pub(super) const BAD: &str = "#fbd5d1";
pub(super) const KEPT: &str = "#fbe7b4";
pub(super) const PLAIN: &str = "#f3f2ee";
const MONO: &str = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace";

pub(super) struct Drawing {
    width: usize,
    height: usize,
    title: &'static str,
    body: String,
}

impl Drawing {
    pub(super) fn new(width: usize, height: usize, title: &'static str) -> Self {
        Self {
            width,
            height,
            title,
            body: String::new(),
        }
    }

    pub(super) fn rect(&mut self, (x, y): (usize, usize), (width, height): (usize, usize), fill: &str) {
        let _ = writeln!(
            self.body,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"/>"
        );
    }

    pub(super) fn text(&mut self, (x, y): (usize, usize), text: &str) {
        self.styled((x, y), text, INK, "start", false);
    }

    pub(super) fn faint(&mut self, (x, y): (usize, usize), text: &str) {
        self.styled((x, y), text, FAINT, "start", false);
    }

    pub(super) fn centered(&mut self, (x, y): (usize, usize), text: &str) {
        self.styled((x, y), text, INK, "middle", false);
    }

    pub(super) fn code(&mut self, (x, y): (usize, usize), text: &str) {
        self.styled((x, y), text, INK, "start", true);
    }

    pub(super) fn centered_code(&mut self, (x, y): (usize, usize), text: &str) {
        self.styled((x, y), text, INK, "middle", true);
    }

    fn styled(&mut self, (x, y): (usize, usize), text: &str, color: &str, anchor: &str, is_code: bool) {
        let text = text
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace(' ', "\u{a0}");
        let font = if is_code {
            format!(" font-family=\"{MONO}\" font-size=\"12.5\"")
        } else {
            String::new()
        };
        let _ = writeln!(
            self.body,
            "<text x=\"{x}\" y=\"{y}\" fill=\"{color}\" text-anchor=\"{anchor}\"{font}>{text}</text>"
        );
    }

    pub(super) fn line(&mut self, points: &[(f64, f64)], color: &str, dash: &str) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            self.body,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.6\" stroke-dasharray=\"{dash}\"/>",
            points.join(" ")
        );
    }

    pub(super) fn svg(self) -> String {
        let Self {
            width,
            height,
            title,
            body,
        } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n\
             <title>{title}</title>\n\
             <rect x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\" fill=\"#ffffff\" stroke=\"{LINE}\"/>\n\
             <g font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif\" font-size=\"13\">\n{body}</g>\n</svg>\n",
            width - 1,
            height - 1
        )
    }
}
