//! Logs that are written beside requests: the audit log.

use std::path::Path;

use kindsmith_server::{Audit, Lines};

use crate::error::Error;

/// Opens an audit log; `-` is standard error.
pub(crate) fn open(file: &Path) -> Result<Audit, Error> {
    if file.as_os_str() == "-" {
        return Ok(Audit::new(Box::new(lines(std::io::stderr())?)));
    }
    let mut options = std::fs::OpenOptions::new();
    let opened = crate::platform::file_for_owner(&mut options)
        .create(true)
        .append(true)
        .open(file);
    let opened = opened.map_err(|error| Error::reading(file, &error))?;
    Ok(Audit::new(Box::new(lines(opened)?)))
}

/// A log that holds nobody up.
pub(crate) fn lines(to: impl std::io::Write + Send + 'static) -> Result<Lines, Error> {
    Lines::new(to).map_err(|error| Error::environment(format!("cannot start threads: {error}")))
}
