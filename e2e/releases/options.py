"""Sends requests with random options, headers and bodies to two servers, and prints the answers that differ.

    TOKEN=secret options.py REFERENCE OURS      COUNT=2000 SEED=1

Reads, watches, deletions and writes of a few kinds, custom resources among them, with parameters that fit and that do not, in media types
that are known and that are not. Numbers of versions are each server's own.
"""

import json
import os
import random
import re
import time
import urllib.parse

import verbs

CRD = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "wells.options.example.org"},
    "spec": {
        "group": "options.example.org",
        "scope": "Namespaced",
        "names": {"plural": "wells", "singular": "well", "kind": "Well", "listKind": "WellList"},
        "versions": [
            {
                "name": version, "served": True, "storage": version == "v1", "subresources": {"status": {}, "scale": {"specReplicasPath": ".spec.count", "statusReplicasPath": ".status.count"}},
                "selectableFields": [{"jsonPath": ".spec.color"}],
                "additionalPrinterColumns": [{"name": "Color", "type": "string", "jsonPath": ".spec.color"}],
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {
                    "spec": {"type": "object", "properties": {"color": {"type": "string"}, "count": {"type": "integer", "default": 1, "maximum": 5}}},
                    "status": {"type": "object", "properties": {"count": {"type": "integer"}}},
                }}},
            }
            for version in ("v1", "v2")
        ],
    },
}  # fmt: skip
DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
KINDS = {
    "/api/v1/namespaces/default/configmaps": {"apiVersion": "v1", "kind": "ConfigMap", "data": {"a": "b"}},
    "/api/v1/namespaces/default/secrets": {"apiVersion": "v1", "kind": "Secret", "type": "a", "stringData": {"a": "b"}},
    "/api/v1/namespaces/default/pods": {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{"name": "a", "image": "b"}], "serviceAccountName": "x"}},
    "/apis/apps/v1/namespaces/default/deployments": {
        "apiVersion": "apps/v1", "kind": "Deployment",
        "spec": {"selector": {"matchLabels": {"a": "b"}}, "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "a", "image": "b"}]}}},
    },
    "/apis/options.example.org/v1/namespaces/default/wells": {"apiVersion": "options.example.org/v1", "kind": "Well", "spec": {"color": "red"}},
    "/apis/options.example.org/v2/namespaces/default/wells": {"apiVersion": "options.example.org/v2", "kind": "Well", "spec": {"color": "red"}},
    "/apis/scheduling.k8s.io/v1/priorityclasses": {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "value": 5},
    "/apis/coordination.k8s.io/v1/namespaces/default/leases": {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "spec": {"holderIdentity": "x"}},
    "/api/v1/namespaces/default/events": {"apiVersion": "v1", "kind": "Event", "involvedObject": {"namespace": "default"}, "reason": "A", "type": "Normal"},
}  # fmt: skip
BOOLEANS = ("true", "false", "1", "0", "t", "T", "yes", "", "TRUE", "nope")
VERSIONS = ("0", "CURRENT", "OLD", "FUTURE", "1", "-1", "abc", "", "00", "1.5")
SELECTED = ("metadata.name=a", "metadata.name=b", "metadata.name!=a", "metadata.namespace=default", "metadata.name==a", "spec.color=red", "status.phase=Pending", "metadata.name=a,metadata.name=b",
    "metadata.name", "=a", "a=b=c", "metadata.name=", "metadata.name=a\\,b", ",", "metadata.name=a\\", "type=a", "spec.nodeName=", "reason=A", "involvedObject.name=x", "metadata.uid=x",
    "metadata.name in (a)", "spec.color=", "metadata.name=A_B", "metadata.namespace=other", "a\\=b=c", "spec.unschedulable=true", "metadata.labels=x", "metadata.name= a", " metadata.name=a")  # fmt: skip
LABELED = ("a=b", "a", "!a", "a!=b", "a in (b,c)", "a notin (b)", "a in ()", "a=", "a==b", "a in (b", "a>1", "a<x", "a gt 1", "=", ",", "a,,b", "a b", "a/b/c=d", "a=b,a=c", "!a=b", "a in (,)", " a = b ",
    "a" * 64, "a=" + "b" * 64, "a in b", "(a)", "x.y/a in (b),!z", "a=b!", "-a=b", "a=-b", "a=b,", "in=in", "a in (in)", "notin", "a>1.5", "a>-1")  # fmt: skip
PARAMETERS = {
    "limit": ("0", "1", "2", "500", "-1", "x", "", "9223372036854775808"),
    "continue": ("CONTINUE", "abc", "", "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTEsInN0YXJ0IjoiYVx1MDAwMCJ9", "eyJ2IjoieCIsInJ2IjoxLCJzdGFydCI6ImEifQ", "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MCwic3RhcnQiOiJhIn0", "e30", "%ff",
        "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6NSwic3RhcnQiOiIifQ", "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6NSwic3RhcnQiOiIuLi8uLi94In0"),
    "resourceVersion": VERSIONS,
    "resourceVersionMatch": ("Exact", "NotOlderThan", "Nope", "", "exact"),
    "fieldSelector": SELECTED,
    "labelSelector": LABELED,
    "sendInitialEvents": BOOLEANS,
    "allowWatchBookmarks": BOOLEANS,
    "timeoutSeconds": ("1", "x", "-1", "", "1.5"),
    "pretty": ("true", "false", "x", ""),
    "dryRun": ("All", "None", "", "all", "All&dryRun=All", "All&dryRun=x"),
    "fieldManager": ("m", "", "x" * 128, "x" * 129, "a\nb", "é", "a b"),
    "fieldValidation": ("Strict", "Warn", "Ignore", "", "strict", "Nope"),
    "force": BOOLEANS,
    "gracePeriodSeconds": ("0", "1", "-1", "x", "", "5"),
    "propagationPolicy": ("Foreground", "Background", "Orphan", "Nope", ""),
    "orphanDependents": BOOLEANS,
    "ignoreStoreReadErrorWithClusterBreakingPotential": ("true", "false", "x"),
    "includeObject": ("None", "Metadata", "Object", "Nope", ""),
    "nope": ("1",),
    "watch": BOOLEANS,
    "shardSelector": ("x",),
    "uid": ("x",),
    "preconditions": ("x",),
    "kind": ("x",),
    "apiVersion": ("v1", "x"),
}  # fmt: skip
READ = ("limit", "continue", "resourceVersion", "resourceVersionMatch", "fieldSelector", "labelSelector", "sendInitialEvents", "allowWatchBookmarks", "timeoutSeconds", "pretty", "includeObject", "nope")
WRITTEN = ("dryRun", "fieldManager", "fieldValidation", "force", "pretty", "nope")
DELETED = ("gracePeriodSeconds", "propagationPolicy", "orphanDependents", "dryRun", "ignoreStoreReadErrorWithClusterBreakingPotential", "uid", "preconditions", "kind", "apiVersion", "resourceVersion")
ACCEPTED = verbs.ACCEPTED + (
    "application/json;q=0.1, application/yaml", "application/json, */*;q=0.1", "text/plain, application/json;q=0", "application/json;charset=utf-8", "APPLICATION/JSON", "application/json;", "nonsense", "application/json;as=Table;v=v1beta1;g=meta.k8s.io",
    "application/json;as=Table;v=v1", "application/json;as=Table;g=meta.k8s.io;v=v2", "application/json;as=Table;v=v1;g=meta.k8s.io,application/json", "application/json;as=Nope;v=v1;g=meta.k8s.io,application/json", "application/vnd.kubernetes.protobuf;stream=watch",
    "application/vnd.kubernetes.protobuf,application/json", "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json", "*/*;q=0", "application/json;stream=nope", "application/yaml;stream=watch",
    "application/apply-patch+yaml", "application/json-patch+json", "application/json;profile=nopeer", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList", "application/yaml, application/json", "text/*", "application/cbor-seq",
)  # fmt: skip
CONTENT = ("application/json", "application/yaml", "", "application/json; charset=utf-8", "text/plain", "application/vnd.kubernetes.protobuf", "application/cbor", "APPLICATION/JSON", "nonsense", "application/json;stream=watch", verbs.MERGE, "application/json, application/yaml", "application/json;")
PATCHED = (verbs.JSON, verbs.MERGE, verbs.STRATEGIC, verbs.APPLY, "application/apply-patch+cbor", "application/json", "", "application/merge-patch+json; charset=utf-8", "application/patch", "application/merge-patch+yaml", "application/apply-patch+json", "APPLICATION/merge-patch+json", "nonsense;")
BODIES = ("", "null", "{}", "[]", "x", "{", '{"a":1}{"b":2}', '{"a":1}]', "a: b", "a: b\n---\nc: d", "---\n", "\ufeff{}", '{"kind":"Status","apiVersion":"v1"}', '{"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":0}', '{"kind":"DeleteOptions","apiVersion":"meta.k8s.io/v1"}',
    '{"kind":"DeleteOptions","apiVersion":"apps/v1","propagationPolicy":"Foreground"}', '{"kind":"DeleteOptions","apiVersion":"options.example.org/v1"}', '{"preconditions":{"uid":null}}', '{"preconditions":{"resourceVersion":"CURRENT"}}', '{"dryRun":["All","All"]}', '{"dryRun":"All"}', '{"dryRun":["x"]}',
    '{"orphanDependents":false,"propagationPolicy":"Orphan"}', '{"gracePeriodSeconds":1.5}', '{"gracePeriodSeconds":"1"}', '{"propagationPolicy":"Orphan"}', '{"gracePeriodSeconds":0,"gracePeriodSeconds":1}', '"x"', "5", "true", '{"kind":"ConfigMap"}', '{"apiVersion":"v1"}')  # fmt: skip


class Run:
    def __init__(self, both, dice):
        self.both, self.dice = both, dice
        self.oldest = self.versions()

    def versions(self):
        return [server.json("/api/v1/namespaces/default/configmaps?limit=1")["metadata"]["resourceVersion"] for server in self.both.servers]

    def reset(self):
        for path, body in KINDS.items():
            if "/v2/" in path:
                continue
            for name, labels in (("a", {"a": "b"}), ("b", {"a": "c", "x.y/a": "b"}), ("c", {})):
                for server in self.both.servers:
                    made = {**body, "metadata": {"name": name, "labels": labels}}
                    server.ask("POST", path, made)
                    if server.ask("GET", f"{path}/{name}")[0] == 200 and self.dice is not None:
                        server.ask("PATCH", f"{path}/{name}", {"metadata": {"finalizers": None, "labels": {"a": labels.get("a")}}}, media=verbs.MERGE)

    def query(self, names):
        dice, made = self.dice, []
        for name in dice.sample(names, min(len(names), dice.choice((0, 1, 1, 2, 2, 3, 4)))):
            value = dice.choice(PARAMETERS[name])
            made.append((name, value))
        if dice.random() < 0.04:
            name = dice.choice(list(PARAMETERS))
            made.append((name, dice.choice(PARAMETERS[name])))
        return made

    def written(self, query, index, path):
        """A query with what the server of the index calls its versions."""
        parts = []
        for name, value in query:
            if value == "CURRENT":
                value = self.current[index]
            elif value == "OLD":
                value = self.oldest[index]
            elif value == "FUTURE":
                value = str(int(self.current[index]) + 1000000)
            elif value == "CONTINUE":
                answer = self.both.servers[index].ask("GET", path.split("?")[0] + "?limit=1")
                value = json.loads(answer[1]).get("metadata", {}).get("continue", "") if answer[1].startswith(b"{") else ""
            head, _, tail = value.partition("&")
            parts.append(f"{name}={urllib.parse.quote(head, safe='')}" + ("&" + tail if tail else ""))
        return "?" + "&".join(parts) if parts else ""

    def ask(self, what, method, path, query, body=None, **more):
        answers = []
        for index, server in enumerate(self.both.servers):
            target = path + self.written(query, index, path)
            own = body.replace("CURRENT", self.current[index]) if isinstance(body, str) else body
            answers.append(server.ask(method, target, own, **more))
        shown = body if isinstance(body, str) else json.dumps(body) if body is not None else ""
        self.both.compare(f"{what} {more} {shown[:600]}", f"{method} {path} {query}", answers)

    def one(self):
        dice = self.dice
        path, object = dice.choice(list(KINDS.items()))
        name = dice.choice(("a", "b", "c", "missing"))
        everywhere = path.replace("/namespaces/default", "") if dice.random() < 0.15 else path
        accept = dice.choice(ACCEPTED) if dice.random() < 0.3 else "application/json"
        self.current = self.versions()
        verb = dice.choice(("list", "list", "list", "watch", "get", "delete", "deletecollection", "create", "create", "update", "patch", "patch", "sub"))
        if verb == "list":
            self.ask("list", "GET", everywhere, self.query(READ), accept=accept)
        elif verb == "watch":
            query = [*self.query(READ), ("watch", dice.choice(("true", "1", "true", "yes")))]
            query = [each for each in query if each[0] != "timeoutSeconds"] + [("timeoutSeconds", "1")]
            if ("resourceVersion", "1") in query or ("resourceVersion", "OLD") in query:
                return
            self.ask("watch", "GET", everywhere + dice.choice(("", "", f"/{name}")), query, accept=accept)
        elif verb == "get":
            self.ask("get", "GET", f"{path}/{name}", self.query(("resourceVersion", "pretty", "resourceVersionMatch", "limit", "includeObject", "nope", "fieldSelector")), accept=accept)
        elif verb in ("delete", "deletecollection"):
            query = self.query((*DELETED, *READ) if verb == "deletecollection" else DELETED)
            if not any(key == "dryRun" for key, _ in query) and (verb == "deletecollection" or dice.random() < 0.7):
                query.append(("dryRun", "All"))
            body = dice.choice((None, None, dice.choice(BODIES)))
            self.ask(verb, "DELETE", everywhere if verb == "deletecollection" else f"{path}/{name}", query, body, accept=accept, media=dice.choice(CONTENT) if dice.random() < 0.2 else "application/json")
            for server in self.both.servers:
                server.ask("PATCH", f"{path}/{name}", {"metadata": {"finalizers": None}}, media=verbs.MERGE)
        elif verb in ("create", "update"):
            body = json.loads(json.dumps(object))
            body["metadata"] = dice.choice(({"name": name}, {"generateName": "x-"}, {"name": name, "namespace": "default"}, {"name": name, "namespace": "other"}, {}, {"name": ""}, {"name": "A B"}, {"name": name, "generateName": "y"}, {"name": name, "resourceVersion": "1"},
                {"name": name, "uid": "x"}, {"name": name, "selfLink": "x"}, {"name": name, "nope": 1}, {"name": name, "deletionTimestamp": "2020-01-01T00:00:00Z"}, {"name": name, "finalizers": ["a"]}, {"name": name, "labels": {"a": None}}, {"name": name, "annotations": {"a b": "c"}},
                {"name": name, "ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u", "controller": True}, {"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "v", "controller": True}]}, {"name": name, "creationTimestamp": "x"}, {"name": name, "generation": -1}))
            for _ in range(dice.choice((0, 0, 0, 1))):
                body |= dice.choice(({"apiVersion": "v2"}, {"kind": "Nope"}, {"apiVersion": ""}, {"kind": ""}, {"nope": 1}, {"spec": None}, {"spec": 5}, {"data": None}, {"data": {"a": 1}}, {"status": {}}, {"status": {"count": "x"}}))
            text = json.dumps(body)
            if dice.random() < 0.15:
                text = dice.choice((*BODIES, text + text, text.replace('"metadata"', '"metadata":{},"metadata"', 1), text.replace('"kind"', '"Kind"'), text.replace("{", "{\n", 1), text[:-1], "# x\n" + text))
            query = self.query(WRITTEN)
            if not any(key == "dryRun" for key, _ in query):
                query.append(("dryRun", "All"))
            media = dice.choice(CONTENT) if dice.random() < 0.25 else "application/json"
            if verb == "create":
                self.ask("create", "POST", everywhere, query, text, media=media, accept=accept)
            else:
                self.ask("update", "PUT", f"{path}/{name}", query, text, media=media, accept=accept)
        elif verb == "patch":
            media = dice.choice(PATCHED)
            body = dice.choice((*BODIES, *(body for _, body in verbs.PATCHES), '{"metadata":{"labels":{"a":"z"}}}', f'{{"apiVersion":"{object["apiVersion"]}","kind":"{object["kind"]}","metadata":{{"name":"{name}","labels":{{"q":"r"}}}}}}'))
            query = self.query(WRITTEN)
            if not any(key == "dryRun" for key, _ in query):
                query.append(("dryRun", "All"))
            self.ask("patch", "PATCH", f"{path}/{name}" + dice.choice(("", "", "", "/status", "/scale", "/nope")), query, body, media=media, accept=accept)
        else:
            sub = dice.choice(("status", "scale", "nope", "status/x", "log", "exec", "eviction", "ephemeralcontainers", "resize", ""))
            self.ask("sub", dice.choice(("GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE")), f"{path}/{name}/{sub}", [("dryRun", "All")], accept=accept)


def main():
    both, _ = verbs.both()
    verbs.MADE_UP += ((re.compile(r"\bx-[a-z0-9]{5}\b"), "<generated>"), (re.compile(r"\b(\d+\.){3}\d+:\d{5}\b"), "<address>"))
    dice, count = random.Random(int(os.environ.get("SEED", "1"))), int(os.environ.get("COUNT", "2000"))
    for server in both.servers:
        server.ask("POST", DEFINITIONS, CRD)
        server.ask("POST", "/api/v1/namespaces/default/serviceaccounts", {"metadata": {"name": "x"}})
        while server.ask("GET", "/apis/options.example.org/v1/wells")[0] != 200:
            time.sleep(0.05)
    run = Run(both, dice)
    run.reset()
    for number in range(count):
        if number % 25 == 0:
            run.reset()
        run.one()
    both.end()


if __name__ == "__main__":
    main()
