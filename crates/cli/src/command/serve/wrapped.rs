//! `kindsmith serve -- COMMAND`: a server for as long as a command runs.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitStatus;

use tokio::process::Command;

use crate::Outcome;
use crate::error::Error;
use crate::launch::Stopped;

/// Runs the command with the server's kubeconfig and passes its exit code on.
pub(super) async fn run(
    command: &[OsString],
    kubeconfig: &Path,
    stopped: impl Future<Output = Stopped>,
) -> Result<Outcome, Error> {
    let Some((program, arguments)) = command.split_first() else {
        return Ok(Outcome::Clean);
    };
    let mut child = Command::new(program)
        .args(arguments)
        .env("KUBECONFIG", kubeconfig)
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| Error::environment(format!("cannot run {}: {error}", program.display())))?;
    let failed = |error| Error::environment(format!("cannot wait for {}: {error}", program.display()));
    let status = tokio::select! {
        status = child.wait() => status.map_err(failed)?,
        by = stopped => {
            if by == Stopped::Terminate {
                // Already gone is as good as killed.
                let _ = child.start_kill();
            }
            child.wait().await.map_err(failed)?
        }
    };
    Ok(Outcome::Exit(exit_code(status)))
}

/// The exit code as shells have it: 128 and the signal for a process that a signal ended.
fn exit_code(status: ExitStatus) -> u8 {
    let code = status
        .code()
        .or_else(|| Some(128 + crate::platform::signal(status)?))
        .unwrap_or(1);
    u8::try_from(code).unwrap_or(1)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;

    use super::*;

    #[test]
    fn exit_codes_are_those_of_a_shell() {
        for (raw, expected) in [(0, 0), (3 << 8, 3), (9, 137), (15, 143)] {
            assert_eq!(exit_code(ExitStatus::from_raw(raw)), expected);
        }
    }
}
