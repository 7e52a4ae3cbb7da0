//! `kindsmith migrate crd`: Go types from CRDs.

use std::path::PathBuf;

use kindsmith_migrate::crd::{Types, types};
use kindsmith_migrate::difference::{Difference, Keyword};
use serde_json::json;

use super::files;
use crate::Outcome;
use crate::error::Error;
use crate::output::{TextOrJson, pretty};
use crate::schemas::CrdsArgs;
use crate::terminal::Terminal;

/// Make Go types from CRDs
///
/// Writes one package per group and version: types with controller-gen's markers, registration, DeepCopy methods. The CRDs
/// are then generated from these types again; what markers cannot say, such as `oneOf`, is listed.
///
/// The exit status is 1 if generated CRDs differ in more than words. Numbers with fractions become floats: generate with
/// `crd:allowDangerousTypes=true`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith migrate crd gate.yaml                       print the types
  kindsmith migrate crd ./crds --out ./api              write packages
  kindsmith migrate crd ./crds --out ./api -o json      and the report as JSON
  kindsmith gen crd ./api/... --out ./crds --allowDangerousTypes
                                                        generate the CRDs again")]
pub(super) struct Args {
    /// Files or directories with CRDs
    #[arg(value_name = "FILE", required = true)]
    paths: Vec<PathBuf>,
    /// Directory for the packages; without one, types are printed
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace files that exist with another text
    #[arg(long, requires = "out")]
    force: bool,
    /// How to print the report
    #[arg(short = 'o', long = "output", value_name = "FORMAT", default_value = "text")]
    format: TextOrJson,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let crds = CrdsArgs::of(self.paths.clone()).read(terminal)?;
        let definitions: Vec<_> = crds.definitions().collect();
        if definitions.is_empty() {
            return Err(Error::input("no CRDs found").hint("CRDs have kind: CustomResourceDefinition"));
        }
        let definitions: Vec<_> = definitions.iter().map(AsRef::as_ref).collect();
        let made = types(&definitions);
        let written = match &self.out {
            Some(directory) => {
                let files: Vec<_> = made
                    .files
                    .iter()
                    .map(|file| (directory.join(&file.path), file.text.clone()))
                    .collect();
                Some(files::write(&files, self.force)?)
            }
            None => None,
        };
        match self.format {
            TextOrJson::Json => terminal.print(&pretty(&document(&made, definitions.len())))?,
            TextOrJson::Text => {
                if written.is_none() {
                    terminal.print(&source(&made))?;
                }
                tell(&made, definitions.len(), written, terminal);
            }
        }
        let is_equal = made
            .differences
            .iter()
            .all(|difference| difference.about() == Keyword::Words);
        Ok(if is_equal {
            Outcome::Clean
        } else {
            Outcome::Findings
        })
    }
}

/// The types as one text.
fn source(made: &Types) -> String {
    let types = made.files.iter().filter(|file| file.path.ends_with("_types.go"));
    let texts: Vec<String> = types
        .map(|file| format!("// {}\n{}", file.path, file.text))
        .collect();
    texts.join("\n")
}

fn tell(made: &Types, crds: usize, written: Option<usize>, terminal: &Terminal) {
    let (words, rules): (Vec<&Difference>, Vec<&Difference>) = made
        .differences
        .iter()
        .partition(|difference| difference.about() == Keyword::Words);
    for difference in &rules {
        terminal.say(&format!("different: {difference}"));
    }
    for restated in &made.restated {
        terminal.say(&format!(
            "restated: {}: {}: `{}` by {}",
            restated.crd, restated.at, restated.keyword, restated.by
        ));
    }
    if !words.is_empty() {
        terminal.say(&format!(
            "note: {} descriptions differ in their words",
            words.len()
        ));
    }
    let equal = match rules.len() {
        0 if made.restated.is_empty() => "CRDs generated from them are equal".to_owned(),
        0 => format!(
            "CRDs generated from them say the same, in {} places in other words",
            made.restated.len()
        ),
        count => format!("CRDs generated from them differ in {count} places"),
    };
    let files = written.map_or(String::new(), |count| format!(", {count} files written"));
    let crds = if crds == 1 {
        "1 CRD".to_owned()
    } else {
        format!("{crds} CRDs")
    };
    terminal.say(&format!("{crds}, {} types; {equal}{files}", made.declared));
}

fn document(made: &Types, crds: usize) -> serde_json::Value {
    let differences = made.differences.iter().map(|difference| {
        json!({
            "crd": &*difference.crd,
            "at": difference.at,
            "keyword": difference.keyword,
            "before": difference.before,
            "after": difference.after,
            "words": difference.about() == Keyword::Words,
        })
    });
    let restated = made.restated.iter().map(|restated| {
        json!({
            "crd": &*restated.crd,
            "at": restated.at,
            "keyword": restated.keyword,
            "by": restated.by,
        })
    });
    json!({
        "crds": crds,
        "types": made.declared,
        "files": made.files.iter().map(|file| &file.path).collect::<Vec<_>>(),
        "differences": differences.collect::<Vec<_>>(),
        "restated": restated.collect::<Vec<_>>(),
    })
}
