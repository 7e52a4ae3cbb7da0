#!/usr/bin/env node
// Runs the binary of this platform's package with the same arguments and exit code.
const { spawnSync } = require("child_process");

const name = `kindsmith-${process.platform}-${process.arch}`;
let binary;
try {
  binary = require.resolve(`${name}/bin/kindsmith`);
} catch {
  console.error(`error: the package ${name} is not installed: kindsmith has binaries for Linux on x64 and arm64`);
  console.error("  = help: install without --omit=optional, or build from source with `cargo install`");
  process.exit(2);
}
const run = spawnSync(binary, process.argv.slice(2), { stdio: "inherit" });
if (run.error) {
  console.error(`error: cannot run ${binary}: ${run.error.message}`);
  process.exit(2);
}
process.exit(run.status === null ? 1 : run.status);
