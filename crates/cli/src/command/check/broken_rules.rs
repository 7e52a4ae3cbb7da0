//! The places of CEL rules that cannot be compiled or evaluated: in CRDs and in Go types. They are read again for it, but only if there is such
//! a rule.

use kindsmith_go::Read;
use kindsmith_json::Arena;

use super::Args;
use crate::crd_findings;
use crate::error::Error;
use crate::manifest::{CrdLines, Findings, Manifest};

/// Adds the places of the rules to the findings that are their fault.
pub(super) fn locate<'a>(
    args: &Args,
    (manifests, arena): (&[Manifest<'a>], &'a Arena),
    read: &mut Read,
    findings: &mut Findings,
) -> Result<(), Error> {
    let lines = CrdLines::read(manifests, &args.crds, arena, &mut read.sources)?;
    findings.blame_rules(|broken| {
        let (api_version, kind) = &broken.identity;
        let in_types = || crd_findings::rule(read, (api_version, kind), &broken.path, broken.index);
        lines.broken_rule(broken).or_else(in_types)
    });
    Ok(())
}
