//! The logging flags of Kubernetes' tools (klog), which Makefiles pass. We log nothing, so they have no effect.

/// Options that are accepted and ignored.
#[derive(Debug, clap::Args)]
pub(crate) struct LogFlags {
    #[arg(short = 'v', long = "v", hide = true, value_name = "LEVEL")]
    verbosity: Option<String>,
    #[arg(long, hide = true)]
    vmodule: Option<String>,
    #[arg(long = "log_dir", hide = true)]
    log_dir: Option<String>,
    #[arg(long = "log_file", hide = true)]
    log_file: Option<String>,
    #[arg(long = "log_file_max_size", hide = true)]
    log_file_max_size: Option<String>,
    #[arg(long = "log_backtrace_at", hide = true)]
    log_backtrace_at: Option<String>,
    #[arg(long, hide = true)]
    stderrthreshold: Option<String>,
    #[arg(long, hide = true)]
    alsologtostderrthreshold: Option<String>,
    #[arg(long, hide = true, num_args = 0..=1, require_equals = true)]
    logtostderr: Option<Option<String>>,
    #[arg(long, hide = true, num_args = 0..=1, require_equals = true)]
    alsologtostderr: Option<Option<String>>,
    #[arg(long = "legacy_stderr_threshold_behavior", hide = true, num_args = 0..=1, require_equals = true)]
    legacy_stderr_threshold_behavior: Option<Option<String>>,
    #[arg(long = "add_dir_header", hide = true, num_args = 0..=1, require_equals = true)]
    add_dir_header: Option<Option<String>>,
    #[arg(long = "skip_headers", hide = true, num_args = 0..=1, require_equals = true)]
    skip_headers: Option<Option<String>>,
    #[arg(long = "skip_log_headers", hide = true, num_args = 0..=1, require_equals = true)]
    skip_log_headers: Option<Option<String>>,
    #[arg(long = "one_output", hide = true, num_args = 0..=1, require_equals = true)]
    one_output: Option<Option<String>>,
}
