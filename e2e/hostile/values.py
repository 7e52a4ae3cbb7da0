"""Every way in which an expression makes a value or compares two, and patches that move a long list again and again."""

import json
import re
import time

from attacks import DEFINITIONS, case
from growth import BINDINGS, POLICIES, definition, policy
from server import scaled

# A string of ten characters, and what makes the next one of four.
TEXTS = {
    "join": "[{0}, {0}, {0}, {0}].join('-')",
    "replace": "'aaaa'.replace('a', {0})",
    "plus": "{0} + {0} + {0} + {0}",
    "split": "{0}.split('').join('123')",
    "format": "'%s%s%s%s'.format([{0}, {0}, {0}, {0}])",
}
# Two maps that share parts, 60 levels deep.
COMPARISONS = {
    "==": "{0} == {1}",
    "in": "{0} in [{1}]",
    "in keys": "[{0}].exists(a, a in [{1}])",
    "sets": "sets.equivalent([{0}], [{1}])",
    "sets.intersects": "sets.intersects([{0}], [{1}])",
    "indexOf": "[{0}].indexOf({1}) == 0",
    "inside": "{{'k': [{0}]}} == {{'k': [{1}]}}",
    "string": "string({0}) == ''",
}


def told(answers):
    """Statuses by name, and the slowest."""
    statuses = {name: re.sub(r" in .*", "", text) for name, text in answers.items()}
    slowest = max(float(re.search(r"in ([0-9.]+) s", text).group(1)) for text in answers.values())
    alike = {}
    [alike.setdefault(status, []).append(name) for name, status in statuses.items()]
    shown = "; ".join(f"{status}: {' '.join(names)}" for status, names in alike.items())
    assert slowest < 30, shown
    return f"{shown}; slowest {slowest:.1f} s"


def texts(server):
    """Strings and lists that double, made by every function, told in a message too."""
    answers = {}
    for name, step in TEXTS.items():
        steps = ["'0123456789'", *(step.format(f"variables.a{at}") for at in range(16))]
        answers[name] = policy(server, steps, "variables.a16.size() < 0")
    lists = ["[1]", *("{0} + {0} + {0} + {0}".format(f"variables.a{at}") for at in range(16))]
    answers["lists"] = policy(server, lists, "variables.a16.size() < 0")
    doubled = ["'0123456789'", *(TEXTS["plus"].format(f"variables.a{at}") for at in range(10))]
    answers["message"] = policy(server, doubled, "false", "variables.a10")
    return told(answers)


def comparisons(server):
    """Maps that hold the one before twice, compared in every way with maps made like them."""
    maps = [f"{{'a': variables.a{at}, 'b': variables.a{at}}}" for at in range(60)]
    others = ["{'a': 1}"] + [f"{{'a': variables.a{at}, 'b': variables.a{at}}}" for at in range(61, 121)]
    given = ["{'a': 1}", *maps, *others]
    pair = ("variables.a60", "variables.a121")
    return told({name: policy(server, given, text.format(*pair)) for name, text in COMPARISONS.items()})


# What is cheap in Kubernetes' measure and looks at a whole list or text each time.
SCANS = {
    "in": "object.spec.m.all(x, x in object.spec.l)",
    "in, elsewhere": "object.spec.m.exists(x, !(x in object.spec.l))",
    "!=": "object.spec.m.all(x, object.spec.s != 'another text')",
    "size": "object.spec.m.all(x, size(object.spec.s) > 1)",
    "endsWith": "object.spec.m.all(x, !object.spec.s.endsWith('another text'))",
    "filter": "object.spec.m.filter(x, x in object.spec.l).size() > 1",
    "levels": " || ".join(f"object.spec{'.d' * depth} == 1" for depth in range(1, 200, 2)),
}


def scans(server):
    """Policies that look at all of a large object for each item of a list."""
    admin, schema = server.client(), {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    assert admin.ask("POST", DEFINITIONS, definition("row", schema))[0] == 201
    time.sleep(1)
    rule = {"apiGroups": ["many.example.com"], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["rows"]}
    spec = {"l": ["a"] * scaled(200_000, 2_000) + ["z"], "m": ["z"] * scaled(180_000, 2_000), "s": "x" * scaled(1_000_000, 10_000)}
    deep = [1] * scaled(200_000, 2_000)
    for _ in range(200):
        deep = {"d": deep}
    spec |= deep
    item = {"apiVersion": "many.example.com/v1", "kind": "Row", "metadata": {"name": "r"}, "spec": spec}
    text, answers = json.dumps(item, separators=(",", ":")), {}
    for at, (name, expression) in enumerate(SCANS.items()):
        matched = {"matchConstraints": {"resourceRules": [rule]}, "validations": [{"expression": expression}] * (1 if name == "levels" else 20)}
        assert admin.ask("POST", POLICIES, {"metadata": {"name": f"p{at}"}, "spec": matched})[0] == 201
        bound = {"policyName": f"p{at}", "validationActions": ["Deny"]}
        assert admin.ask("POST", BINDINGS, {"metadata": {"name": f"p{at}"}, "spec": bound})[0] == 201
        time.sleep(1)
        start = time.monotonic()
        status = server.client("greedy").ask("POST", "/apis/many.example.com/v1/namespaces/default/rows?dryRun=All", text)[0]
        answers[name] = f"{status} in {time.monotonic() - start:.1f} s"
        [admin.ask("DELETE", f"{path}/p{at}") for path in (BINDINGS, POLICIES)]
    return told(answers)


def first_of_list(server):
    """Patches that add or remove the first item of a long list, 10,000 times."""
    client, schema = server.client("greedy", 120), {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    assert client.ask("POST", DEFINITIONS, definition("row", schema))[0] == 201
    time.sleep(1)
    rows, count = "/apis/many.example.com/v1/namespaces/default/rows", scaled(600_000, 10_000)
    item = {"apiVersion": "many.example.com/v1", "kind": "Row", "metadata": {"name": "r"}, "spec": {"l": [0] * count}}
    text = json.dumps(item, separators=(",", ":"))
    answers, start = [client.ask("POST", rows, text)[0]], time.monotonic()
    client.headers["Content-Type"] = "application/json-patch+json"
    for step in ({"op": "add", "path": "/spec/l/0", "value": 1}, {"op": "remove", "path": "/spec/l/0"}):
        answers.append(client.ask("PATCH", f"{rows}/r", [step] * 10_000)[0])
    answers.append(client.ask("PATCH", f"{rows}/r", [{"op": "move", "from": "/spec/l/0", "path": "/spec/l/9"}] * 10_000)[0])
    return f"{count} items: {answers} in {time.monotonic() - start:.1f} s"


CASES = [
    ("cel-texts", "others are served", case(texts, most=900)),
    ("cel-scans", "stop after 5 s", case(scans, most=900, arguments=("--limit", "request-time=5s"))),
    ("cel-comparisons", "others are served", case(comparisons, most=300)),
    ("patch-first-item", "others are served", case(first_of_list, most=700)),
]
