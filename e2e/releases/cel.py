"""Sends the recorded expressions as rules of CRDs to two servers, and objects to those CRDs; prints every answer that differs.

    TOKEN=secret cel.py REFERENCE OURS [FILE...]

Each case of conformance/cel is a dry run of a CRD with its rule: what compiles, what it may cost and what is said. Rules that the
reference accepts are then served, several in one CRD, and the objects of their cases are sent: what they find, and what they cost in all.
"""

import copy
import json
import os
import re
import sys
from pathlib import Path

from compare import CRDS, comparable, create, send

CASES = Path(__file__).parents[2] / "conformance" / "cel"
TOGETHER = 20
# The type of a rule has a number that changes; here it is always `N`.
NUMBERED = re.compile(r"selfType(?:\d+|N)")
MEMBERS = ("rule", "message", "messageExpression", "reason", "fieldPath", "optionalOldSelf")


def node(schema, pointer):
    for part in pointer.split("/")[1:]:
        schema = schema[part.replace("~1", "/").replace("~0", "~")]
    return schema


def with_rules(schema, cases):
    schema = copy.deepcopy(schema)
    for case in cases:
        for rule in (case, *case.get("moreRules", [])):
            place = node(schema, rule.get("path", case["path"]))
            found = {key: rule[key] for key in MEMBERS if rule.get(key) not in (None, "")}
            place.setdefault("x-kubernetes-validations", []).append(found)
    return schema


def crd(schema, group):
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    names = {"plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList"}
    spec = {"group": group, "scope": "Namespaced", "names": names, "versions": [version]}
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": f"things.{group}"}, "spec": spec}


def is_slow(case):
    """Whether a rule does so much that many of them in one CRD exceed the time of a request."""
    used = case.get("budgetUsed") or case.get("runtimeCost") or 0
    return used > 20_000 or "budget" in json.dumps(case.get("result"))


def normal(answer):
    status, body, warnings = comparable(answer)
    return status, NUMBERED.sub("selfType", json.dumps(body, sort_keys=True)), warnings


class Comparison:
    def __init__(self, servers):
        self.servers, self.equal, self.differing = servers, 0, 0

    def both(self, name, method, path, body):
        answers = [normal(send(server, method, path, body)) for server in self.servers]
        self.equal += answers[0] == answers[1]
        if answers[0] != answers[1]:
            self.differing += 1
            print("DIFFERS", name, json.dumps(answers)[:3000], flush=True)
        return answers[0][0]

    def run(self, group, schema, cases):
        """Serves rules and sends their objects."""
        definition = crd(with_rules(schema, cases), group)
        create(self.servers, [definition])
        things = f"/apis/{group}/v1/namespaces/default/things"
        for number, case in enumerate(cases):
            old, new = (self.thing(case.get(key), group, number) for key in ("old", "obj"))
            if old and self.both(f"{case['id']} old", "POST", things, old) == 201:
                self.both(f"{case['id']} update", "PUT", f"{things}/t{number}?dryRun=All", new)
            elif new and not old:
                self.both(f"{case['id']} object", "POST", f"{things}?dryRun=All", new)
        for server in self.servers:
            send(server, "DELETE", f"{CRDS}/things.{group}")

    @staticmethod
    def thing(value, group, number):
        if not isinstance(value, dict):
            return None
        value = copy.deepcopy(value)
        metadata = value.get("metadata") if isinstance(value.get("metadata"), dict) else {}
        value.update(apiVersion=f"{group}/v1", kind="Thing", metadata={**metadata, "name": f"t{number}", "namespace": "default"})
        return value


def main():
    servers, names = sys.argv[1:3], sys.argv[3:]
    comparison = Comparison(servers)
    for file in sorted((CASES / "cases").glob("*.jsonl")):
        if names and file.stem not in names:
            continue
        schema = json.loads((CASES / "schemas" / f"{file.stem}.json").read_text())
        cases = [json.loads(line) for line in file.read_text().splitlines()]
        before = comparison.differing
        # Each is tried alone, as the first rule of its place.
        group = "corpus.example.com"
        tried = [comparison.both(case["id"], "POST", f"{CRDS}?dryRun=All", crd(with_rules(schema, [case]), group)) for case in cases]
        served = [case for case, status in zip(cases, tried) if status == 201 and not is_slow(case)]
        for start in range(0, len(served) if not os.environ.get("RULES_ONLY") else 0, TOGETHER):
            comparison.run(f"{file.stem}{start}.example.com", schema, served[start : start + TOGETHER])
        print(f"{file.stem}: {len(cases)} rules, {comparison.differing - before} answers differ", flush=True)
    print(f"{comparison.equal} equal, {comparison.differing} differ")
    sys.exit(comparison.differing > 0)


main()
