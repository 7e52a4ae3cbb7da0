//! Compiles the engine's tree to steps.

use regex_syntax::hir::{Class, Hir, HirKind, Repetition};

use super::{Program, Step};

pub(super) fn compile(hir: &Hir) -> Program {
    let mut compiler = Compiler {
        program: Program {
            steps: Vec::new(),
            classes: Vec::new(),
        },
    };
    compiler.emit(hir);
    compiler.push(Step::Match);
    compiler.program
}

struct Compiler {
    program: Program,
}

/// Recursion is as deep as the tree, which the parser bounds.
impl Compiler {
    fn emit(&mut self, hir: &Hir) {
        match hir.kind() {
            HirKind::Empty => {}
            HirKind::Literal(literal) => self.literal(&literal.0),
            HirKind::Class(class) => self.class(class),
            HirKind::Look(look) => self.push(Step::Look(*look)),
            HirKind::Repetition(repetition) => self.repetition(repetition),
            HirKind::Capture(capture) => self.emit(&capture.sub),
            HirKind::Concat(parts) => parts.iter().for_each(|part| self.emit(part)),
            HirKind::Alternation(branches) => self.alternation(branches),
        }
    }

    fn push(&mut self, step: Step) {
        self.program.steps.push(step);
    }

    fn here(&self) -> u32 {
        // Go's size limit keeps programs far below this.
        u32::try_from(self.program.steps.len()).unwrap_or(u32::MAX)
    }

    /// The parser builds literals of whole characters only.
    fn literal(&mut self, bytes: &[u8]) {
        for c in String::from_utf8_lossy(bytes).chars() {
            self.push(Step::Char(c));
        }
    }

    fn class(&mut self, class: &Class) {
        let ranges: Vec<(char, char)> = match class {
            Class::Unicode(class) => class.iter().map(|range| (range.start(), range.end())).collect(),
            Class::Bytes(class) => {
                let ascii = class.iter().filter(|range| range.end().is_ascii());
                ascii
                    .map(|range| (char::from(range.start()), char::from(range.end())))
                    .collect()
            }
        };
        if ranges.is_empty() {
            self.push(Step::Fail);
            return;
        }
        // A repeated class is emitted many times, so the last one is often the same.
        let classes = &mut self.program.classes;
        if classes.last() != Some(&ranges) {
            classes.push(ranges);
        }
        let index = u32::try_from(classes.len() - 1).unwrap_or(u32::MAX);
        self.push(Step::Class(index));
    }

    fn alternation(&mut self, branches: &[Hir]) {
        let mut ends = Vec::with_capacity(branches.len());
        for (index, branch) in branches.iter().enumerate() {
            let split = (index + 1 < branches.len()).then(|| self.reserve());
            self.emit(branch);
            if let Some(split) = split {
                ends.push(self.reserve());
                self.program.steps[split] = Step::Split(split as u32 + 1, self.here());
            }
        }
        for end in ends {
            self.program.steps[end] = Step::Jump(self.here());
        }
    }

    fn repetition(&mut self, repetition: &Repetition) {
        let Repetition {
            min,
            max,
            greedy,
            ref sub,
        } = *repetition;
        match max {
            None if min == 0 && sub.properties().minimum_len() == Some(0) => {
                // A part that can be empty must be tried once before it is skipped, or the wrong match is preferred.
                self.optional(greedy, |compiler| compiler.plus(sub, greedy));
            }
            None if min == 0 => self.star(sub, greedy),
            None => {
                (1..min).for_each(|_| self.emit(sub));
                self.plus(sub, greedy);
            }
            Some(max) => {
                (0..min).for_each(|_| self.emit(sub));
                self.at_most(sub, max - min, greedy);
            }
        }
    }

    fn star(&mut self, sub: &Hir, greedy: bool) {
        let split = self.reserve();
        self.emit(sub);
        self.push(Step::Jump(split as u32));
        self.set_split(split, split as u32 + 1, self.here(), greedy);
    }

    fn plus(&mut self, sub: &Hir, greedy: bool) {
        let start = self.here();
        self.emit(sub);
        let split = self.reserve();
        self.set_split(split, start, self.here(), greedy);
    }

    fn optional(&mut self, greedy: bool, emit: impl FnOnce(&mut Self)) {
        let split = self.reserve();
        emit(self);
        self.set_split(split, split as u32 + 1, self.here(), greedy);
    }

    /// Each copy may be the last one, so all of them exit to the same place.
    fn at_most(&mut self, sub: &Hir, times: u32, greedy: bool) {
        let mut splits = Vec::with_capacity(times as usize);
        for _ in 0..times {
            splits.push(self.reserve());
            self.emit(sub);
        }
        for split in splits {
            self.set_split(split, split as u32 + 1, self.here(), greedy);
        }
    }

    /// Reserves a step whose target is not known yet.
    fn reserve(&mut self) -> usize {
        self.push(Step::Fail);
        self.program.steps.len() - 1
    }

    fn set_split(&mut self, at: usize, again: u32, leave: u32, greedy: bool) {
        let (first, second) = if greedy { (again, leave) } else { (leave, again) };
        self.program.steps[at] = Step::Split(first, second);
    }
}
