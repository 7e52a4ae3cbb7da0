"""Compares what two servers say about themselves: discovery, roles, feature gates, OpenAPI and tables.

    TOKEN=secret surface.py REFERENCE OURS
"""

import json
import os
import re
import ssl
import sys
import urllib.error
import urllib.request

TLS = ssl._create_unverified_context()
TOKEN = os.environ.get("TOKEN", "secret")
VOLATILE = ("managedFields", "resourceVersion", "uid", "creationTimestamp", "generation", "description")
TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"


def get(server, path, accept="application/json"):
    request = urllib.request.Request(server + path, headers={"Authorization": "Bearer " + TOKEN, "Accept": accept})
    try:
        with urllib.request.urlopen(request, context=TLS, timeout=60) as answer:
            text = answer.read()
    except urllib.error.HTTPError as error:
        return f"{error.code}"
    try:
        return json.loads(text)
    except ValueError:
        return text.decode()


def bare(value):
    if isinstance(value, dict):
        return {key: bare(item) for key, item in value.items() if key not in VOLATILE or not isinstance(item, (str, list, int))}
    return [bare(item) for item in value] if isinstance(value, list) else value


def schema(value):
    """A document without what is ours: descriptions, so references need no `allOf` beside one, and shared parameters are written out."""
    parameters = value.get("parameters", {}) if isinstance(value, dict) else {}

    def plain(value):
        if isinstance(value, list):
            return [plain(item) for item in value]
        if not isinstance(value, dict):
            return value
        shared = str(value.get("$ref", ""))
        if shared.startswith("#/parameters/"):
            return plain(parameters[shared.removeprefix("#/parameters/")])
        value = {key: plain(item) for key, item in value.items() if key != "description" or not isinstance(item, str)}
        one = value.get("allOf")
        if isinstance(one, list) and len(one) == 1 and list(one[0]) == ["$ref"]:
            value = {**{key: item for key, item in value.items() if key != "allOf"}, **one[0]}
        return value

    if not isinstance(value, dict):
        return value
    return plain({key: item for key, item in value.items() if key != "parameters"})


def is_declared_default(place):
    """Defaults that tags declare are published; Kubernetes sets most of them in code, and publishes nothing."""
    return re.match(r"\.(components\.schemas|definitions)\..*\.default: null \| ", place) is not None


def places(left, right, path=""):
    """Where two values differ, at most one line for each place."""
    if isinstance(left, dict) and isinstance(right, dict):
        for key in sorted({*left, *right}):
            if left.get(key) != right.get(key):
                yield from places(left.get(key), right.get(key), f"{path}.{key}")
    elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        for index, (one, other) in enumerate(zip(left, right)):
            if one != other:
                yield from places(one, other, f"{path}[{index}]")
    elif left != right:
        yield f"{path}: {json.dumps(left)[:200]} | {json.dumps(right)[:200]}"


class Comparison:
    def __init__(self, servers):
        self.servers, self.equal, self.differing = servers, 0, 0

    def compare(self, name, change, *request):
        left, right = (change(get(server, *request)) for server in self.servers)
        found = [place for place in places(left, right) if not is_declared_default(place)]
        self.equal += not found
        self.differing += bool(found)
        if found:
            print(f"DIFFERS {name}: {len(found)} places")
            for place in found[: int(os.environ.get("SHOW", "4"))]:
                print("   ", place)
        return left


def gates(text):
    rows = re.findall(r'^kubernetes_feature_enabled\{name="(\w+)",stage="(\w*)"\} (\d)', str(text), re.M)
    return {name: [stage, value] for name, stage, value in rows}


def common_gates(servers):
    """Gates that both know: ours are those that switch something."""
    left, right = (gates(get(server, "/metrics", "text/plain")) for server in servers)
    wrong = {name: (left.get(name), right[name]) for name in right if left.get(name) != right[name]}
    print(f"gates: {len(left)} and {len(right)}, {len(wrong)} of ours differ {json.dumps(wrong)[:600]}")


def named(answer):
    if not isinstance(answer, dict):
        return answer
    return {f"{item['metadata'].get('namespace', '')}/{item['metadata']['name']}": bare(item) for item in answer.get("items", [])}


def main():
    servers = sys.argv[1:3]
    comparison = Comparison(servers)
    groups = comparison.compare("/apis", bare, "/apis")
    comparison.compare("/api/v1", bare, "/api/v1")
    resources = [("/api/v1", get(servers[0], "/api/v1"))]
    for group in groups["groups"]:
        for version in group["versions"]:
            path = "/apis/" + version["groupVersion"]
            if "example.com" not in path:
                resources.append((path, comparison.compare(path, bare, path)))
    for kind in ("clusterroles", "clusterrolebindings", "roles", "rolebindings"):
        comparison.compare(kind, named, f"/apis/rbac.authorization.k8s.io/v1/{kind}?labelSelector=kubernetes.io/bootstrapping=rbac-defaults")
    for path, found in resources:
        for resource in found.get("resources", []) if isinstance(found, dict) else []:
            if "/" not in resource["name"] and "list" in resource["verbs"]:
                columns = lambda answer: answer.get("columnDefinitions") if isinstance(answer, dict) else answer  # noqa: E731
                name = f"{path}/{resource['name']}"
                comparison.compare("columns of " + name, lambda answer: bare(columns(answer)), f"{name}?limit=1", TABLE)
    common_gates(servers)
    if os.environ.get("OPENAPI"):
        comparison.compare("/openapi/v2", schema, "/openapi/v2")
        for path in sorted(get(servers[0], "/openapi/v3")["paths"]):
            if "example.com" not in path:
                comparison.compare("/openapi/v3/" + path, schema, "/openapi/v3/" + path)
    print(f"{comparison.equal} equal, {comparison.differing} differ")
    sys.exit(comparison.differing > 0)


main()
