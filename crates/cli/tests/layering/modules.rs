//! Which modules of a crate use which, read from the paths in their source. A name that a module only hands on is
//! followed to the module that defines it, so a façade ties no circle. Knows no Rust beyond paths and `use`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A path in the source, or of a module inside its crate: `["verb", "get"]`.
type Segments = Vec<String>;

/// A crate's modules, by path.
#[derive(Default)]
pub(crate) struct Modules(BTreeMap<Segments, Module>);

#[derive(Default)]
struct Module {
    /// The file, below `src`.
    file: String,
    imports: Vec<Import>,
    /// The code without comments, tests and `use`.
    code: String,
}

/// What `use` brings in.
struct Import {
    name: String,
    path: Segments,
    is_handed_on: bool,
}

impl Modules {
    /// Reads the modules below a `src` folder.
    pub(crate) fn read(source: &Path) -> Modules {
        let mut modules = Modules::default();
        modules.read_folder(source, source);
        modules
    }

    fn read_folder(&mut self, source: &Path, folder: &Path) {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let file = path.strip_prefix(source).expect("it is below");
            let file = file.display().to_string();
            let is_test = file.split(['/', '.']).any(|part| part == "tests");
            if path.is_dir() {
                self.read_folder(source, &path);
            } else if file.ends_with(".rs") && !is_test {
                let text = std::fs::read_to_string(&path).expect("sources are text");
                let name = file.trim_end_matches(".rs").split('/').map(str::to_owned);
                let name = name.filter(|part| !["mod", "lib", "main"].contains(&&**part));
                self.0.insert(name.collect(), module(file, &text));
            }
        }
    }

    /// Pairs of files of which the first uses the second.
    pub(crate) fn uses(&self) -> BTreeSet<(&str, &str)> {
        let modules = self.0.iter();
        let uses = modules.flat_map(|(at, module)| {
            let used = paths(module)
                .into_iter()
                .filter_map(|path| self.home(at, &path, 8));
            used.map(|used| (&*module.file, used))
        });
        uses.filter(|(file, used)| !file.starts_with(folder(used)))
            .collect()
    }

    /// The file that defines what a path means in a module; none for a module itself, and if another crate does.
    fn home(&self, at: &[String], path: &[String], hops: usize) -> Option<&str> {
        let (first, rest) = path.split_first()?;
        let module = self.0.get(at)?;
        let child: Segments = at.iter().chain([first]).cloned().collect();
        match &**first {
            "crate" => self.home(&[], rest, hops),
            "self" => self.home(at, rest, hops),
            "super" => self.home(&at[..at.len().saturating_sub(1)], rest, hops),
            _ if self.0.contains_key(&child) => self.home(&child, rest, hops),
            _ => match module.imports.iter().find(|import| import.name == *first) {
                None => Some(&module.file),
                Some(import) => {
                    let path: Segments = import.path.iter().chain(rest).cloned().collect();
                    self.is_inside(at, &path[0])
                        .then(|| self.home(at, &path, hops.checked_sub(1)?))?
                }
            },
        }
    }

    /// Whether a path that begins so stays inside the crate.
    fn is_inside(&self, at: &[String], first: &String) -> bool {
        let child: Segments = at.iter().chain([first]).cloned().collect();
        ["crate", "self", "super"].contains(&&**first) || self.0.contains_key(&child)
    }
}

/// A module's file without its ending: what its parts begin with.
fn folder(file: &str) -> &str {
    let file = file.trim_end_matches(".rs");
    file.strip_suffix("mod").unwrap_or(file)
}

/// Groups of files that use each other in a loop, each sorted.
pub(crate) fn circles<'m>(uses: &BTreeSet<(&'m str, &'m str)>) -> BTreeSet<BTreeSet<&'m str>> {
    let files: BTreeSet<&str> = uses.iter().map(|(file, _)| *file).collect();
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        files.iter().map(|file| (*file, reachable(uses, file))).collect();
    let circles = reached.iter().map(|(file, below)| {
        let back = below
            .iter()
            .filter(|other| reached.get(*other).is_some_and(|below| below.contains(file)));
        back.copied().collect()
    });
    circles
        .filter(|circle: &BTreeSet<&str>| !circle.is_empty())
        .collect()
}

fn reachable<'m>(uses: &BTreeSet<(&'m str, &'m str)>, from: &'m str) -> BTreeSet<&'m str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(file) = open.pop() {
        let used = uses.range((file, "")..).take_while(|(user, _)| *user == file);
        open.extend(used.map(|(_, used)| *used).filter(|used| reached.insert(*used)));
    }
    reached
}

fn module(file: String, text: &str) -> Module {
    let tests = ["#[cfg(test)]\nmod ", "#[cfg(test)]\npub(crate) mod "];
    let end = tests.iter().filter_map(|tests| text.find(tests)).min();
    let text = &text[..end.unwrap_or(text.len())];
    let lines = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    let mut module = Module {
        file,
        ..Module::default()
    };
    let mut lines = lines.peekable();
    while let Some(line) = lines.next() {
        let Some((visibility, tree)) = use_of(line) else {
            module.code.push_str(line);
            module.code.push('\n');
            continue;
        };
        let mut tree = tree.to_owned();
        while !tree.contains(';') && lines.peek().is_some() {
            tree.extend(lines.next());
        }
        let tree: String = tree.replace(" as ", "@").split_whitespace().collect();
        bring_in(
            &mut module.imports,
            &[],
            tree.trim_end_matches(';'),
            !visibility.is_empty(),
        );
    }
    module
}

/// Visibility and tree of a line that begins a `use`.
fn use_of(line: &str) -> Option<(&str, &str)> {
    let (visibility, tree) = line.trim_start().split_once("use ")?;
    let is_visibility = visibility.is_empty() || visibility.starts_with("pub") && visibility.ends_with(' ');
    is_visibility.then_some((visibility, tree))
}

/// Reads `a::{b, c::d as e}`, without spaces and with `@` for `as`.
fn bring_in(imports: &mut Vec<Import>, before: &[String], tree: &str, is_handed_on: bool) {
    let (head, group) = match tree.split_once('{') {
        Some((head, group)) => (head, group.strip_suffix('}')),
        None => (tree, None),
    };
    let (head, renamed) = head.split_once('@').unwrap_or((head, ""));
    let parts = head
        .split("::")
        .filter(|part| !part.is_empty())
        .map(str::to_owned);
    let mut path: Segments = before.iter().cloned().chain(parts).collect();
    if let Some(group) = group {
        for tree in split_group(group) {
            bring_in(imports, &path, tree, is_handed_on);
        }
        return;
    }
    path.pop_if(|last| last == "self" && !before.is_empty());
    let name = if renamed.is_empty() {
        path.last().cloned()
    } else {
        Some(renamed.to_owned())
    };
    imports.push(Import {
        name: name.unwrap_or_default(),
        path,
        is_handed_on,
    });
}

/// The members of a group, at the commas outside of inner groups.
fn split_group(group: &str) -> Vec<&str> {
    let (mut members, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                members.push(&group[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    members.push(&group[start..]);
    members.retain(|member| !member.is_empty());
    members
}

/// The paths in a module's code, and what it brings in for itself.
fn paths(module: &Module) -> BTreeSet<Segments> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
    let words = module.code.split(|letter: char| !is_word(letter));
    let words = words
        .map(|word| word.trim_matches(':'))
        .filter(|word| !word.is_empty());
    let named = words.map(|word| word.split("::").map(str::to_owned).collect());
    let own = module.imports.iter().filter(|import| !import.is_handed_on);
    named.chain(own.map(|import| import.path.clone())).collect()
}
