//! Runs hand-written functions in Go, so that proposals can be compared with them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use kindsmith_go::Read;
use kindsmith_migrate::edit::Edited;
use kindsmith_migrate::proof::{
    self, Answer, Case, Compared, Conversion, Judged, Program, ReadWith, Subject, Told, Verdict,
};
use kindsmith_migrate::validation::Reading;
use serde_json::{Value, json};

use super::super::files::Overlay;
use crate::input::Input;
use crate::progress::Progress;
use crate::terminal::Terminal;

/// How long one answer may take.
const PATIENCE: Duration = Duration::from_mins(1);

/// A directory that is removed with this.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> std::io::Result<Self> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("kindsmith-proof-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What was tried for a package of functions.
pub(super) struct Proof {
    /// By rule.
    pub(super) verdicts: Vec<Verdict>,
    pub(super) subjects: Vec<Subject>,
    pub(super) cases: Vec<Case>,
    pub(super) answers: Vec<Answer>,
}

impl Proof {
    /// Nothing was tried.
    pub(super) fn none(reading: &Reading, why: &str) -> Self {
        Self {
            verdicts: reading
                .rules
                .iter()
                .map(|_| Verdict::Untried(why.to_owned()))
                .collect(),
            subjects: Vec::new(),
            cases: Vec::new(),
            answers: Vec::new(),
        }
    }
}

/// Tries all proposals of a reading.
pub(super) fn prove(types: &Read, input: &Input, reading: &Reading, terminal: &Terminal) -> Proof {
    let subjects = proof::subjects(&types.schema, reading);
    let cases = proof::cases(&types.schema, reading, &subjects);
    if cases.is_empty() {
        return Proof::none(reading, "no function could be run");
    }
    let conversion = |types_package: &str, taken: &str| conversion(types, reading, types_package, taken);
    let program = proof::program(&types.schema, reading, &subjects, &conversion);
    let runner = match Runner::new(reading, &program, terminal) {
        Ok(runner) => runner,
        Err(why) => return Proof::none(reading, &why),
    };
    let answers = match runner.answers(&cases, terminal) {
        Ok(answers) => answers,
        Err(why) => return Proof::none(reading, &why),
    };
    let progress = Progress::count(terminal, "comparing", "objects");
    let mut read_with = |edited: &BTreeMap<String, Edited>| {
        let texts: HashMap<String, String> = edited
            .iter()
            .map(|(name, edited)| (name.clone(), edited.text.clone()))
            .collect();
        input.read_in(&Overlay(&texts))
    };
    let compared = Compared {
        types,
        reading,
        subjects: &subjects,
        cases: &cases,
        answers: &answers,
        step: &|| progress.step(),
    };
    let judged = proof::judge(&compared, Vec::new(), &mut read_with);
    let verdicts = confirmed(&compared, judged, &runner, terminal, &mut read_with);
    let verdicts = verdicts
        .into_iter()
        .enumerate()
        .map(|(index, verdict)| match verdict {
            Verdict::Untried(why) => {
                Verdict::Untried(left_out(reading, &subjects, &program, index).unwrap_or(why))
            }
            other => other,
        });
    Proof {
        verdicts: verdicts.collect(),
        subjects,
        cases,
        answers,
    }
}

/// The verdicts, once objects without what functions refused first were tried, too.
fn confirmed(
    compared: &Compared<'_>,
    judged: Judged,
    runner: &Runner,
    terminal: &Terminal,
    read_with: &mut ReadWith<'_>,
) -> Vec<Verdict> {
    if judged.besides.is_empty() {
        return judged.verdicts;
    }
    let Compared {
        types,
        reading,
        subjects,
        cases,
        answers,
        ..
    } = *compared;
    let repairs = proof::repairs(&types.schema, subjects, cases, answers, &judged.besides);
    let tried: Vec<Case> = repairs.iter().map(|repair| repair.case.clone()).collect();
    let said = match runner.answers(&tried, terminal) {
        Ok(said) => said,
        Err(why) => return Proof::none(reading, &why).verdicts,
    };
    let wrong = proof::unexplained(compared, &judged, &repairs, &said, read_with);
    let is_proven = |verdict: &Verdict| matches!(verdict, Verdict::Proven { .. });
    let mut pairs = judged.verdicts.iter().zip(&wrong);
    if pairs.all(|(verdict, wrong)| is_proven(verdict) == wrong.is_none()) {
        return judged.verdicts;
    }
    // Without the tags that are wrong others may report more, and some rules had no object that a function looks at.
    let (cases, answers) = ([cases, &tried].concat(), [answers, &said].concat());
    let all = Compared {
        cases: &cases,
        answers: &answers,
        ..*compared
    };
    proof::judge(&all, wrong, read_with).verdicts
}

/// Why no subject of a rule could be run.
fn left_out(reading: &Reading, subjects: &[Subject], program: &Program, rule: usize) -> Option<String> {
    let entry = &reading.rules[rule].emit.entry;
    let mut own = subjects
        .iter()
        .enumerate()
        .filter(|(_, subject)| subject.reached.contains(entry));
    own.find_map(|(index, _)| program.left_out.get(&index).cloned())
}

/// The program that runs the functions.
struct Runner {
    binary: PathBuf,
    /// Where it is.
    _directory: Scratch,
}

impl Runner {
    fn new(reading: &Reading, program: &Program, terminal: &Terminal) -> Result<Self, String> {
        let directory = Scratch::new().map_err(|error| format!("no temporary directory: {error}"))?;
        Ok(Self {
            binary: compiled(reading, program, &directory.0, terminal)?,
            _directory: directory,
        })
    }

    /// The answers of the functions, or why there are none.
    fn answers(&self, cases: &[Case], terminal: &Terminal) -> Result<Vec<Answer>, String> {
        let mut child = Command::new(&self.binary)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("the program does not start: {error}"))?;
        let stdin = child.stdin.take();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let Some(mut stdin) = stdin else { return };
                for case in cases {
                    if stdin.write_all(line(case).as_bytes()).is_err() {
                        return;
                    }
                }
            });
            let made = received(&mut child, cases.len(), terminal);
            // A program that hangs is ended; one that has answered everything ends by itself.
            let _ = child.kill();
            let _ = child.wait();
            made
        })
    }
}

/// A case as the program reads it. Objects are JSON already.
fn line(case: &Case) -> String {
    format!(
        "{{\"subject\":{},\"new\":{},\"old\":{},\"on\":{}}}\n",
        case.subject,
        case.new,
        case.old.as_deref().unwrap_or("null"),
        json!(case.on)
    )
}

fn received(child: &mut Child, wanted: usize, terminal: &Terminal) -> Result<Vec<Answer>, String> {
    let Some(stdout) = child.stdout.take() else {
        return Err("the program has no output".to_owned());
    };
    let (send, receive) = mpsc::sync_channel(64);
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines() {
            let Ok(line) = line else { return };
            if send.send(line).is_err() {
                return;
            }
        }
    });
    let progress = Progress::start(terminal, "trying", wanted);
    let mut made = Vec::with_capacity(wanted);
    while made.len() < wanted {
        match receive.recv_timeout(PATIENCE) {
            Ok(line) => made.push(answer(&line)),
            Err(mpsc::RecvTimeoutError::Timeout) => {
                return Err("a function did not answer in a minute".to_owned());
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => return Err("the program ended too early".to_owned()),
        }
        progress.step();
    }
    Ok(made)
}

fn answer(line: &str) -> Answer {
    let Ok(value) = serde_json::from_str::<Value>(line) else {
        return Answer {
            failed: Some("the program's answer is not JSON".to_owned()),
            ..Answer::default()
        };
    };
    let errors = |name: &str| {
        value[name]
            .as_array()
            .map_or_else(Vec::new, |all| all.iter().map(told).collect())
    };
    let object = |name: &str| {
        value
            .get(name)
            .filter(|object| object.is_object())
            .map(|object| object.to_string().into())
    };
    let on = value["on"].as_object().into_iter().flatten();
    Answer {
        on: on
            .filter_map(|(name, on)| Some((name.clone(), on.as_bool()?)))
            .collect(),
        new: object("new"),
        old: object("old"),
        created: errors("created"),
        updated: errors("updated"),
        before: errors("before"),
        failed: value["failed"].as_str().map(str::to_owned),
    }
}

fn told(value: &Value) -> Told {
    let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
    Told {
        site: value["site"].as_u64().and_then(|site| usize::try_from(site).ok()),
        kind: text("type"),
        field: text("field"),
        origin: text("origin"),
    }
}

/// Compiles the program. Its files are laid over those on disk, which stay as they are.
fn compiled(
    reading: &Reading,
    program: &Program,
    directory: &Path,
    terminal: &Terminal,
) -> Result<PathBuf, String> {
    let Some(package) = reading.packages.first() else {
        return Err("no function could be run".to_owned());
    };
    let denied = |error: std::io::Error| format!("the program cannot be written: {error}");
    let mut replaced = serde_json::Map::new();
    for (index, (path, text)) in program.files.iter().enumerate() {
        let file = directory.join(format!("file{index}.go"));
        std::fs::write(&file, text).map_err(denied)?;
        let path = std::path::absolute(path).map_err(denied)?;
        replaced.insert(path.display().to_string(), json!(file.display().to_string()));
    }
    let overlay = directory.join("overlay.json");
    std::fs::write(&overlay, json!({"Replace": replaced}).to_string()).map_err(denied)?;
    let binary = directory.join(if cfg!(windows) { "program.exe" } else { "program" });
    let progress = Progress::count(terminal, "compiling", "steps");
    progress.step();
    let main = Path::new(&program.main).file_name().unwrap_or_default();
    let build = |more: &[String]| {
        let mut command = Command::new("go");
        command
            .arg("build")
            .args(more)
            .arg("-overlay")
            .arg(&overlay)
            .arg("-o")
            .arg(&binary);
        command
            .arg(format!("./{}", main.to_string_lossy()))
            .current_dir(&package.directory);
        if !more.is_empty() {
            command.env("GOWORK", "off");
        }
        let made = command.stdin(Stdio::null()).output();
        match made {
            Err(_) => Err("no Go toolchain was found".to_owned()),
            Ok(output) if output.status.success() => Ok(()),
            Ok(output) => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        }
    };
    let Err(mut wrong) = build(&[]) else {
        return Ok(binary);
    };
    if wrong.contains("no Go toolchain") {
        return Err(wrong);
    }
    // A go.mod that lacks something is completed in a copy.
    let is_incomplete = ["go.mod", "go.sum", "no required module"]
        .iter()
        .any(|word| wrong.contains(word));
    if is_incomplete && let Some(module) = module_file(Path::new(&package.directory)) {
        let copy = directory.join("go.mod");
        let copied = std::fs::copy(&module, &copy);
        let _ = std::fs::copy(module.with_extension("sum"), directory.join("go.sum"));
        let more = [format!("-modfile={}", copy.display()), "-mod=mod".to_owned()];
        if copied.is_ok() {
            match build(&more) {
                Ok(()) => return Ok(binary),
                Err(other) => wrong = other,
            }
        }
    }
    let lines: Vec<&str> = wrong
        .lines()
        .filter(|line| !line.starts_with('#'))
        .take(3)
        .collect();
    Err(format!("the program does not compile: {}", lines.join("; ")))
}

/// The go.mod above a directory.
fn module_file(directory: &Path) -> Option<PathBuf> {
    let directory = std::path::absolute(directory).ok()?;
    directory
        .ancestors()
        .map(|above| above.join("go.mod"))
        .find(|file| file.exists())
}

/// How objects of one package become those of another: Kubernetes' generated functions, in the package of the version.
pub(super) fn conversion(types: &Read, reading: &Reading, types_package: &str, taken: &str) -> Conversion {
    if types_package == taken {
        let own = types
            .packages
            .iter()
            .find(|package| *package.path == *types_package);
        return Conversion {
            package: None,
            functions: own.map_or_else(BTreeSet::new, |package| declared(Path::new(&package.directory))),
        };
    }
    let version = types_package.rsplit('/').next().unwrap_or_default();
    let package = format!("{taken}/{version}");
    let directory = reading
        .packages
        .first()
        .and_then(|from| directory_of(&from.path, Path::new(&from.directory), &package));
    Conversion {
        functions: directory.map_or_else(BTreeSet::new, |directory| declared(&directory)),
        package: Some(package),
    }
}

/// The directory of a package of the same module.
fn directory_of(from: &str, directory: &Path, wanted: &str) -> Option<PathBuf> {
    let (from, wanted): (Vec<&str>, Vec<&str>) = (from.split('/').collect(), wanted.split('/').collect());
    let common = from
        .iter()
        .zip(&wanted)
        .take_while(|(one, two)| one == two)
        .count();
    let directory = std::path::absolute(directory).ok()?;
    let above = directory.ancestors().nth(from.len() - common)?;
    (common > 0).then(|| {
        wanted[common..]
            .iter()
            .fold(above.to_owned(), |path, part| path.join(part))
    })
}

/// The functions for conversion, defaults and validation that Kubernetes' generators have written into a directory.
fn declared(directory: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let Ok(entries) = std::fs::read_dir(directory) else {
        return found;
    };
    for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
        let is_go = path.extension().is_some_and(|extension| extension == "go");
        let Some(text) = is_go.then(|| std::fs::read_to_string(&path).ok()).flatten() else {
            continue;
        };
        for line in text.lines() {
            if let Some(rest) = line.strip_prefix("func ")
                && let Some((name, _)) = rest.split_once('(')
                && ["Convert_", "SetObjectDefaults_", "Validate_"]
                    .iter()
                    .any(|front| name.starts_with(front))
            {
                found.insert(name.to_owned());
            }
        }
    }
    found
}
