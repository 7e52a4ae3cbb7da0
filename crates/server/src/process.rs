//! How the process does, under the names that every Prometheus client uses. Linux only: elsewhere there is nothing to read.

use std::fs;
use std::time::Duration;

use crate::metrics::head;

/// How long the kernel's unit of time is, which is the same on all machines as far as programs see.
const TICK: Duration = Duration::from_millis(10);

/// The metrics of this process.
pub(crate) fn text() -> String {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let open = fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
    let files = Files {
        stat: &read("/proc/self/stat"),
        status: &read("/proc/self/status"),
        limits: &read("/proc/self/limits"),
        machine: &read("/proc/stat"),
        open,
    };
    files.text()
}

/// What the kernel says.
struct Files<'f> {
    stat: &'f str,
    status: &'f str,
    limits: &'f str,
    machine: &'f str,
    open: usize,
}

impl Files<'_> {
    fn text(&self) -> String {
        let mut text = String::new();
        let mut add = |name: &str, kind: &str, help: &str, value: Option<f64>| {
            if let Some(value) = value {
                head(&mut text, name, kind, help);
                text.push_str(&format!("{name} {value}\n"));
            }
        };
        add(
            "process_cpu_seconds_total",
            "counter",
            "Time on a processor, of the process and in the kernel.",
            self.processor(),
        );
        add(
            "process_max_fds",
            "gauge",
            "How many files may be open.",
            self.limit("Max open files"),
        );
        let open = (!self.stat.is_empty()).then_some(self.open as f64);
        add("process_open_fds", "gauge", "How many files are open.", open);
        add(
            "process_resident_memory_bytes",
            "gauge",
            "Memory in use.",
            self.kilobytes("VmRSS:"),
        );
        add(
            "process_start_time_seconds",
            "gauge",
            "When the process started, in seconds since 1970.",
            self.start(),
        );
        add(
            "process_virtual_memory_bytes",
            "gauge",
            "Addresses in use.",
            self.kilobytes("VmSize:"),
        );
        text
    }

    /// A number of `stat`, counted as in proc(5). The name of the program may contain spaces and parentheses.
    fn number(&self, position: usize) -> Option<f64> {
        let (_, rest) = self.stat.rsplit_once(')')?;
        rest.split_whitespace()
            .nth(position.checked_sub(3)?)?
            .parse()
            .ok()
    }

    fn processor(&self) -> Option<f64> {
        Some((self.number(14)? + self.number(15)?) * TICK.as_secs_f64())
    }

    fn start(&self) -> Option<f64> {
        let mut lines = self.machine.lines();
        let booted: f64 = lines
            .find_map(|line| line.strip_prefix("btime "))?
            .trim()
            .parse()
            .ok()?;
        Some(booted + self.number(22)? * TICK.as_secs_f64())
    }

    fn kilobytes(&self, name: &str) -> Option<f64> {
        let line = self.status.lines().find_map(|line| line.strip_prefix(name))?;
        let number: f64 = line.split_whitespace().next()?.parse().ok()?;
        Some(number * 1024.0)
    }

    fn limit(&self, name: &str) -> Option<f64> {
        let line = self.limits.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_come_from_the_kernel() {
        let files = Files {
            stat: "7 (a) b) S 1 7 7 0 -1 4194304 1 0 0 0 150 50 0 0 20 0 1 0 300 1 1",
            status: "Name:\ta\nVmSize:\t   2048 kB\nVmRSS:\t    3 kB\n",
            limits: "Limit   Soft Limit  Hard Limit  Units\nMax open files            1024         4096         files\n",
            machine: "cpu 1 2\nbtime 1000\n",
            open: 5,
        };
        let values: Vec<String> = files
            .text()
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(str::to_owned)
            .collect();
        assert_eq!(
            values,
            [
                "process_cpu_seconds_total 2",
                "process_max_fds 1024",
                "process_open_fds 5",
                "process_resident_memory_bytes 3072",
                "process_start_time_seconds 1003",
                "process_virtual_memory_bytes 2097152",
            ]
        );
    }

    #[test]
    fn a_kernel_that_says_nothing_gives_no_metrics() {
        let files = Files {
            stat: "",
            status: "",
            limits: "",
            machine: "",
            open: 0,
        };
        assert_eq!(files.text(), "");
    }
}
