//! What Unix and Windows do differently: links, permissions, signals. Must not know any command.

#[cfg(unix)]
pub(crate) use unix::{
    directory_for_owner, file_for_owner, interrupt, is_same_owner, link, signal, terminate,
};
#[cfg(windows)]
pub(crate) use windows::{
    directory_for_owner, file_for_owner, interrupt, is_same_owner, link, signal, terminate,
};

#[cfg(unix)]
mod unix {
    use std::fs::{DirBuilder, Metadata, OpenOptions};
    use std::io;
    use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, symlink};
    use std::os::unix::process::ExitStatusExt;
    use std::path::Path;
    use std::process::ExitStatus;

    use tokio::signal::unix::{Signal, SignalKind};

    /// A link to a program.
    pub(crate) fn link(program: &Path, at: &Path) -> io::Result<()> {
        symlink(program, at)
    }

    /// A new directory is for its owner only.
    pub(crate) fn directory_for_owner(builder: &mut DirBuilder) -> &mut DirBuilder {
        builder.mode(0o700)
    }

    /// A new file is for its owner only.
    pub(crate) fn file_for_owner(options: &mut OpenOptions) -> &mut OpenOptions {
        options.mode(0o600)
    }

    pub(crate) fn is_same_owner(one: &Metadata, other: &Metadata) -> bool {
        one.uid() == other.uid()
    }

    /// The signal that ended a process.
    pub(crate) fn signal(status: ExitStatus) -> Option<i32> {
        status.signal()
    }

    /// Ctrl-C.
    pub(crate) fn interrupt() -> io::Result<Signal> {
        tokio::signal::unix::signal(SignalKind::interrupt())
    }

    /// Another process asks this one to end.
    pub(crate) fn terminate() -> io::Result<Signal> {
        tokio::signal::unix::signal(SignalKind::terminate())
    }
}

#[cfg(windows)]
mod windows {
    use std::fs::{DirBuilder, Metadata, OpenOptions};
    use std::io;
    use std::path::Path;
    use std::process::ExitStatus;

    use tokio::signal::windows::{CtrlBreak, CtrlC};

    /// A link to a program. Windows allows it to administrators, and to everybody in its developer mode.
    pub(crate) fn link(program: &Path, at: &Path) -> io::Result<()> {
        std::os::windows::fs::symlink_file(program, at)
    }

    /// Permissions are inherited from the folder above: a user's own folders are closed to others.
    pub(crate) fn directory_for_owner(builder: &mut DirBuilder) -> &mut DirBuilder {
        builder
    }

    /// Permissions are inherited, as those of directories.
    pub(crate) fn file_for_owner(options: &mut OpenOptions) -> &mut OpenOptions {
        options
    }

    /// Every user has a temporary folder of their own.
    pub(crate) fn is_same_owner(_: &Metadata, _: &Metadata) -> bool {
        true
    }

    /// There are no signals.
    pub(crate) fn signal(_: ExitStatus) -> Option<i32> {
        None
    }

    /// Ctrl-C.
    pub(crate) fn interrupt() -> io::Result<CtrlC> {
        tokio::signal::windows::ctrl_c()
    }

    /// Ctrl-Break, the only one that another process can send to a single process group.
    pub(crate) fn terminate() -> io::Result<CtrlBreak> {
        tokio::signal::windows::ctrl_break()
    }
}
