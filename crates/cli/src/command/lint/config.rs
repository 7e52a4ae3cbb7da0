//! The settings of a run: the nearest `kindsmith.toml`, then the command line.

use kindsmith_lint::{Config, is_known_selector};

use super::Args;
use crate::error::Error;
use crate::project::{nearest, parse};
use crate::registry;

pub(super) fn read(args: &Args) -> Result<Config, Error> {
    let file = args.config.clone().or_else(nearest);
    let mut config = file.map_or_else(|| Ok(Config::default()), |path| parse(&path))?;
    for selector in args.select.iter().chain(&args.extend_select).chain(&args.ignore) {
        check(selector)?;
    }
    let in_file = [&config.select, &config.extend_select, &config.ignore];
    for selector in in_file.into_iter().flatten() {
        check(selector)?;
    }
    if !args.select.is_empty() {
        config.select.clone_from(&args.select);
    }
    config.extend_select.extend_from_slice(&args.extend_select);
    config.ignore.extend_from_slice(&args.ignore);
    config.kubernetes_version = Some(args.release.release()?.to_string());
    Ok(config)
}

fn check(selector: &str) -> Result<(), Error> {
    if is_known_selector(selector) || registry::find(selector).is_some() {
        return Ok(());
    }
    let hint = match registry::nearest(selector) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`kindsmith rules` lists all codes".to_owned(),
    };
    Err(Error::input(format!("no rule `{selector}`")).hint(hint))
}
