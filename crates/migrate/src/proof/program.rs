//! The Go program that runs hand-written functions: their packages with every call that makes an error marked, and a main package.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use kindsmith_schema::Schema;

use super::cases::switches;
use super::subjects::Subject;
use crate::validation::{FileId, Reading, Role, Span, Validator};

/// How objects of an API become those that functions take.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Conversion {
    /// The package with the conversion and the defaults, as an import path; none if functions take the types themselves.
    pub package: Option<String>,
    /// The functions that this package, or that of the types, declares.
    pub functions: BTreeSet<String>,
}

impl Conversion {
    /// The function that converts a type of a version to the internal one.
    #[must_use]
    pub fn from(&self, package: &str, name: &str) -> Option<&String> {
        let version = package.rsplit('/').next().unwrap_or_default();
        let front = format!("Convert_{version}_{name}_To_");
        let end = format!("_{name}");
        self.functions
            .iter()
            .find(|function| function.starts_with(&front) && function.ends_with(&end))
    }
}

/// A Go program: files that need not be on disk.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Program {
    /// By path: their texts, which replace what is on disk.
    pub files: BTreeMap<String, String>,
    /// The directory of its main package.
    pub main: String,
    /// Why a subject cannot be run, by its place in the list.
    pub left_out: BTreeMap<usize, String>,
}

const RECORD: &str = include_str!("record.go.txt");
const DIRECTORY: &str = "zz_kindsmith_proof";
const GATES: &str = "k8s.io/apiserver/pkg/util/feature";

/// The numbers of calls that make errors.
pub(super) fn sites(reading: &Reading) -> Vec<Span> {
    let all: BTreeSet<Span> = reading.rules.iter().map(|rule| rule.emit.site()).collect();
    all.into_iter().collect()
}

/// The program for some subjects. `conversion` knows how objects of a types' package become those of another package.
#[must_use]
pub fn program(
    schema: &Schema,
    reading: &Reading,
    subjects: &[Subject],
    conversion: &dyn Fn(&str, &str) -> Conversion,
) -> Program {
    let Some(package) = reading.packages.first() else {
        return Program::default();
    };
    let record = format!("{}/{DIRECTORY}/record", package.path);
    let mut texts = marked(reading, &record);
    let mut imports: BTreeMap<String, String> = BTreeMap::new();
    let mut entries = String::new();
    let mut left_out = BTreeMap::new();
    for (index, subject) in subjects.iter().enumerate() {
        let mut builder = Builder {
            schema,
            reading,
            record: &record,
            imports: &mut imports,
            texts: &mut texts,
        };
        match builder.subject(index, subject, conversion) {
            Ok(entry) => entries.push_str(&entry),
            Err(why) => {
                left_out.insert(index, why);
                entries.push_str("\t\t{},\n");
            }
        }
    }
    let has_gates = package.files.iter().any(|file| {
        let mut imports = file.imports.iter();
        imports.any(|import| file.import_path(import) == GATES)
    });
    let directory = format!("{}/{DIRECTORY}", package.directory);
    let mut files: BTreeMap<String, String> = texts
        .into_iter()
        .map(|(file, text)| (path_of(reading, file), text))
        .collect();
    files.insert(format!("{directory}/record/record.go"), RECORD.to_owned());
    let gates = has_gates.then(|| switches(reading));
    let main = main_text(&imports, &package.path, &record, &entries, gates);
    files.insert(format!("{directory}/main.go"), main);
    Program {
        files,
        main: directory,
        left_out,
    }
}

/// The path of a file.
fn path_of(reading: &Reading, file: FileId) -> String {
    let package = &reading.packages[file.package];
    format!("{}/{}", package.directory, package.file_names[file.file])
}

/// Every file with a call that makes an error, with the calls marked.
fn marked(reading: &Reading, record: &str) -> BTreeMap<FileId, String> {
    let mut by_file: BTreeMap<FileId, Vec<(usize, String)>> = BTreeMap::new();
    for (number, site) in sites(reading).into_iter().enumerate() {
        let edits = by_file.entry(site.file).or_default();
        edits.push((site.start, format!("kindsmithrecord.Mark({number}, ")));
        edits.push((site.end, ")".to_owned()));
    }
    let made = by_file.into_iter().map(|(file, mut edits)| {
        let source = reading.packages[file.package].files[file.file].source();
        edits.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
        let mut text = source.to_string();
        for (at, added) in edits {
            if text.is_char_boundary(at.min(text.len())) {
                text.insert_str(at.min(source.len()), &added);
            }
        }
        (file, with_import(&text, record))
    });
    made.collect()
}

/// The file with the package of marks imported, in the line of the package clause so that lines keep their numbers.
fn with_import(text: &str, record: &str) -> String {
    let mut out = String::new();
    let mut is_done = false;
    for line in text.split_inclusive('\n') {
        if !is_done && line.starts_with("package ") {
            let clause = line.split("//").next().unwrap_or(line).trim_end();
            let _ = writeln!(out, "{clause}; import kindsmithrecord \"{record}\"");
            is_done = true;
        } else {
            out.push_str(line);
        }
    }
    out
}

struct Builder<'b> {
    schema: &'b Schema,
    reading: &'b Reading,
    record: &'b str,
    imports: &'b mut BTreeMap<String, String>,
    texts: &'b mut BTreeMap<FileId, String>,
}

impl Builder<'_> {
    /// The entry of a subject in the table of the main package.
    fn subject(
        &mut self,
        index: usize,
        subject: &Subject,
        conversion: &dyn Fn(&str, &str) -> Conversion,
    ) -> Result<String, String> {
        let name = &self.schema.ty(subject.ty).name;
        let functions = [subject.create, subject.update];
        let validators: Vec<&Validator> = functions
            .into_iter()
            .flatten()
            .filter_map(|index| self.reading.functions.get(index))
            .collect();
        let Some(first) = validators.first() else {
            return Err("no function takes it".to_owned());
        };
        let taken = self.package_of(first)?;
        let types = self.import(&name.package);
        let conversion = conversion(&name.package, &taken);
        let mut decode = format!(
            "func(text []byte) (any, []byte, error) {{\n\t\t\t\tvar in {types}.{0}\n\t\t\t\tif err := json.Unmarshal(text, &in); err != nil {{\n\t\t\t\t\treturn nil, nil, err\n\t\t\t\t}}\n",
            name.name
        );
        let defaults = format!("SetObjectDefaults_{}", name.name);
        if conversion.functions.contains(&defaults) {
            let package = conversion.package.as_deref().unwrap_or(&name.package).to_owned();
            let alias = self.import(&package);
            let _ = writeln!(decode, "\t\t\t\t{alias}.{defaults}(&in)");
        }
        decode.push_str("\t\t\t\tsent, err := json.Marshal(&in)\n\t\t\t\tif err != nil {\n\t\t\t\t\treturn nil, nil, err\n\t\t\t\t}\n");
        let object = if taken == *name.package {
            decode.push_str("\t\t\t\treturn &in, sent, nil\n");
            format!("{types}.{}", name.name)
        } else {
            let convert = conversion.from(&name.package, &name.name);
            let (Some(convert), Some(package)) = (convert, &conversion.package) else {
                return Err(format!("no function converts it to the type of {taken}"));
            };
            let (alias, internal) = (self.import(package), self.import(&taken));
            let _ = write!(
                decode,
                "\t\t\t\tout := &{internal}.{0}{{}}\n\t\t\t\tif err := {alias}.{convert}(&in, out, nil); err != nil {{\n\t\t\t\t\treturn nil, nil, err\n\t\t\t\t}}\n\t\t\t\treturn out, sent, nil\n",
                name.name
            );
            format!("{internal}.{}", name.name)
        };
        decode.push_str("\t\t\t}");
        let mut entry = format!("\t\t{{\n\t\t\tDecode: {decode},\n");
        for (which, validator) in [("Create", subject.create), ("Update", subject.update)] {
            let Some(validator) = validator.and_then(|index| self.reading.functions.get(index)) else {
                continue;
            };
            let call = self.wrapper(index, which, validator);
            let (params, args) = if which == "Create" {
                ("object any", format!("object.(*{object}), nil"))
            } else {
                ("object, old any", format!("object.(*{object}), old.(*{object})"))
            };
            let _ = write!(
                entry,
                "\t\t\t{which}: func({params}, on record.Settings) field.ErrorList {{\n\t\t\t\treturn functions.{call}({args}, on)\n\t\t\t}},\n"
            );
        }
        entry.push_str("\t\t},\n");
        Ok(entry)
    }

    /// The import path of the type that a function takes.
    fn package_of(&self, validator: &Validator) -> Result<String, String> {
        let package = &self.reading.packages[validator.file.package];
        let file = &package.files[validator.file.file];
        let text = object_type(validator).ok_or("it takes no object")?;
        let Some((qualifier, _)) = text.split_once('.') else {
            return Ok(package.path.to_string());
        };
        let import = file.import_named(qualifier);
        import
            .map(|import| file.import_path(import).to_owned())
            .ok_or_else(|| format!("`{qualifier}` is not imported"))
    }

    fn import(&mut self, path: &str) -> String {
        let next = format!("p{}", self.imports.len());
        self.imports.entry(path.to_owned()).or_insert(next).clone()
    }

    /// Adds an exported function that calls the validator with what it wants.
    fn wrapper(&mut self, index: usize, which: &str, validator: &Validator) -> String {
        let name = format!("Kindsmith{which}{index}");
        let mut args = Vec::new();
        for (role, text) in &validator.params {
            args.push(match role {
                Role::Path => "nil".to_owned(),
                Role::Other => format!("kindsmithrecord.Other[{text}](on)"),
                Role::Object { is_old, .. } => {
                    let which = if *is_old { "old" } else { "object" };
                    let star = if text.starts_with('*') { "" } else { "*" };
                    format!("{star}{which}")
                }
            });
        }
        let object = object_type(validator).unwrap_or_default();
        let package = &self.reading.packages[validator.file.package];
        let source = package.files[validator.file.file].source();
        let record = self.record;
        let text = self
            .texts
            .entry(validator.file)
            .or_insert_with(|| with_import(source, record));
        let _ = write!(
            text,
            "\nfunc {name}(object, old *{object}, on kindsmithrecord.Settings) field.ErrorList {{ return {}({}) }}\n",
            validator.name,
            args.join(", ")
        );
        name
    }
}

/// The type of the object of a function, without its star.
fn object_type(validator: &Validator) -> Option<&str> {
    validator.params.iter().find_map(|(role, text)| match role {
        Role::Object { .. } => Some(text.trim_start_matches('*')),
        _ => None,
    })
}

fn main_text(
    imports: &BTreeMap<String, String>,
    functions: &str,
    record: &str,
    entries: &str,
    gates: Option<BTreeSet<String>>,
) -> String {
    let mut out = String::from(
        "// Command main runs validation functions on objects.\npackage main\n\nimport (\n\t\"encoding/json\"\n",
    );
    if gates.is_some() {
        out.push_str("\t\"fmt\"\n");
    }
    out.push_str("\n\t\"k8s.io/apimachinery/pkg/util/validation/field\"\n");
    if gates.is_some() {
        let _ = writeln!(out, "\tfeature \"{GATES}\"");
    }
    let _ = writeln!(out, "\tfunctions \"{functions}\"\n\trecord \"{record}\"");
    for (path, alias) in imports {
        let _ = writeln!(out, "\t{alias} \"{path}\"");
    }
    out.push_str(")\n\nvar (\n\t_ = json.Marshal\n\t_ field.ErrorList\n)\n\n");
    out.push_str("func main() {\n\tgates := map[string]record.Gate{}\n");
    if let Some(names) = gates {
        let names: Vec<String> = names.iter().map(|name| format!("\"{name}\": true")).collect();
        let _ = write!(
            out,
            "\tnamed := map[string]bool{{{}}}\n\tfor gate, spec := range feature.DefaultMutableFeatureGate.GetAll() {{\n\t\tif !named[string(gate)] {{\n\t\t\tcontinue\n\t\t}}\n\t\tgate, spec := gate, spec\n\t\tgates[string(gate)] = record.Gate{{Initial: feature.DefaultFeatureGate.Enabled(gate), Set: func(on bool) bool {{\n\t\t\tif !spec.LockToDefault && feature.DefaultFeatureGate.Enabled(gate) != on {{\n\t\t\t\t_ = feature.DefaultMutableFeatureGate.Set(fmt.Sprintf(\"%s=%v\", gate, on))\n\t\t\t}}\n\t\t\treturn feature.DefaultFeatureGate.Enabled(gate)\n\t\t}}}}\n\t}}\n",
            names.join(", ")
        );
    }
    let _ = write!(
        out,
        "\tsubjects := []record.Subject{{\n{entries}\t}}\n\trecord.Run(subjects, gates)\n}}\n"
    );
    out
}
