"""Keeps what a release answers otherwise than the newest one, as the tests replay it.

    keep.py TOOLS NEWEST RECORDED PROJECT 1.34...

TOOLS has the players (builtin.py, record.py, policies.py, hooked.py), NEWEST the recordings of the newest release (api/, admission/,
builtin/, policy/), RECORDED/1.34/... what the servers of the releases answered to the same (`record`), PROJECT is conformance/ of this
project. Writes PROJECT/releases/builtin.jsonl and steps.jsonl: one line for each answer, with the releases that give it.
"""

import collections
import glob
import json
import os
import re
import sys

tools, newest, recorded, project, *releases = sys.argv[1:]
sys.path.insert(0, tools)

import builtin_player as builtin  # noqa: E402
import hooked  # noqa: E402
import policies  # noqa: E402
import record  # noqa: E402

# The name that a server gives itself is that of its file.
OWN_NAME = re.compile(r"kube-apiserver-1\.\d+")


# A scheme is named by the line of source that made it, which depends on how a server was built.
SCHEME = re.compile(r'(in scheme \\?")([^"\\]*/)?(\w+\.go:)(\d+)')
MADE = {}


def clean(value):
    text = OWN_NAME.sub("kube-apiserver", json.dumps(value, ensure_ascii=False))
    return json.loads(SCHEME.sub(lambda found: found[1] + MADE.get(found[3], found[0][len(found[1]) :]), text))


def learn_schemes():
    for path in glob.glob(os.path.join(newest, "a*", "*.json")):
        for found in SCHEME.finditer(open(path, encoding="utf-8").read()):
            MADE[found[3]] = found[0][len(found[1]) :]


def lines(answers):
    """Equal answers of one case as one line."""
    for key, found in sorted(answers.items()):
        groups = collections.OrderedDict()
        for release, answer in found:
            groups.setdefault(json.dumps(answer, sort_keys=True), []).append((release, answer))
        for group in groups.values():
            yield key, [release for release, _ in group], group[0][1]


def write(name, rows):
    with open(os.path.join(project, "releases", name), "w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")


def cases(folder):
    for path in sorted(glob.glob(os.path.join(folder, "builtin", "*.jsonl*"))):
        for case in builtin.read(path):
            yield case["id"], case


def keep_builtin():
    right = dict(cases(newest))
    known = {case["id"] for path in glob.glob(os.path.join(project, "builtin", "*.jsonl")) for case in builtin.read(path)}
    answers = collections.defaultdict(list)
    for release in releases:
        for name, case in cases(os.path.join(recorded, release)):
            given, expected = clean(case["response"]), right[name]["response"]
            if not builtin.same(expected, given, case.get("unordered")) and len(json.dumps(right[name])) < 40_000:
                answers[name].append((release, given))

    def rows():
        for name, of, response in lines(answers):
            request = {} if name in known else {key: value for key, value in right[name].items() if key not in ("id", "response")}
            yield {"id": name, "of": of, **request, "response": response}

    write("builtin.jsonl", rows())


def is_same(area, step, other):
    given = clean(other["response"])
    if area == "policy":
        right = [step["response"], *step.get("alternatives", [])]
        return any(policies.same(answer, given, None, step.get("compare")) for answer in right)
    if area == "admission":
        return hooked.differences(step, given, clean(other.get("calls", []))) is None
    return record.comparable(given) == record.comparable(step["response"])


def keep_steps():
    answers = collections.defaultdict(list)
    for area in ("api", "admission", "policy"):
        for path in sorted(glob.glob(os.path.join(project, area, "*.json"))):
            name = os.path.splitext(os.path.basename(path))[0]
            first = os.path.join(newest, area, name + ".json")
            if not os.path.exists(first):
                continue
            steps = json.load(open(first, encoding="utf-8"))["steps"]
            for release in releases:
                other = os.path.join(recorded, release, area, name + ".json")
                if not os.path.exists(other):
                    continue
                for index, (step, given) in enumerate(zip(steps, json.load(open(other, encoding="utf-8"))["steps"])):
                    if step.get("ignore") is True or is_same(area, step, given):
                        continue
                    answer = {"response": clean(given["response"])}
                    if given.get("calls"):
                        answer["calls"] = clean(given["calls"])
                    answers[f"{area}/{name}", index].append((release, answer))
    write("steps.jsonl", ({"scenario": key[0], "step": key[1], "of": of, **answer} for key, of, answer in lines(answers)))


os.makedirs(os.path.join(project, "releases"), exist_ok=True)
learn_schemes()
keep_builtin()
keep_steps()
