"""Files for the command line: growing types, devices, many findings, many fields."""

import os
import subprocess
import tempfile
import threading
import time

from server import BINARY, scaled

GIGABYTE = 1024


def run(arguments, files, timeout=300):
    """Runs a command on files; returns the exit code, seconds of a processor (others may be busy), MiB and the end of standard error."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if text is None:
                os.mkfifo(path)
            elif isinstance(text, tuple):
                os.symlink(*text, path)
            else:
                with open(path, "wb") as file:
                    file.write(text if isinstance(text, bytes) else text.encode())
        before = time.monotonic()
        given = os.path.join(folder, "input")
        given = open(given, "rb") if os.path.exists(given) else subprocess.DEVNULL
        process = subprocess.Popen(
            [BINARY, *arguments], cwd=folder, stdin=given, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        end = threading.Timer(timeout, process.kill)
        end.start()
        error = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        end.cancel()
        took = time.monotonic() - before
        if took >= timeout:
            return None, took, 0, "hangs"
        took = usage.ru_utime + usage.ru_stime
        last = error.decode(errors="replace").strip().splitlines()[-1:] or [""]
        return os.waitstatus_to_exitcode(status), took, usage.ru_maxrss / 1024, last[0]


def case(arguments, files, codes, seconds=60, most=GIGABYTE):
    def check():
        code, took, memory, last = run(arguments, files())
        seen = f"exit {code}, {took:.1f} s, {memory:.0f} MiB; {last}"
        return seen[:110], code in codes and took < seconds and memory < most

    return check


MODULE = "module example.org/a\n\ngo 1.22\n"


def kind(lines):
    """A package with one kind that has these fields."""
    meta = 'import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"'
    start = "\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata\"`\n"
    tags = "// +groupName=a.example.org\n// +k8s:openapi-gen=true\n"
    return f"{tags}package v1\n\n{meta}\n\n// +kubebuilder:object:root=true\ntype A struct {{\n{start}{lines}}}\n"


def generics():
    return {"go.mod": MODULE, "v1/types.go": "package v1\n\ntype G[T any] struct {\n\tN *G[G[T]] `json:\"n\"`\n}\n\n// +kubebuilder:object:root=true\ntype A struct {\n\tX G[int] `json:\"x\"`\n}\n"}


def axes():
    text = generics()["v1/types.go"].replace("}", "\tM *G[[]T] `json:\"m\"`\n}", 1)
    return {"go.mod": MODULE, "v1/types.go": text}


def layers(tag):
    """Structs that use the two of the next layer, as members or embedded."""
    parts = [kind("\tL0 `json:\"l\"`\n")]
    for layer in range(25):
        for name in "LR":
            uses = (f"\t{'' if tag else inner} {inner}{layer + 1} `json:\"{tag or inner.lower()}\"`\n" for inner in "LR")
            below = "".join(uses) if layer < 24 else ""
            parts.append(f"type {name}{layer} struct {{\n{below}\tName string `json:\"name\"`\n}}\n")
    return {"go.mod": MODULE, "v1/types.go": "\n".join(parts)}


def embeds_itself():
    fields = "\t*A `json:\",inline\"`\n\t*B `json:\",inline\"`\n\tName string `json:\"name\"`\n"
    start = "// +groupName=a.example.org\n// +k8s:openapi-gen=true\npackage v1\n\n// +kubebuilder:object:root=true\n"
    return {"go.mod": MODULE, "v1/types.go": start + "".join(f"type {name} struct {{\n{fields}}}\n\n" for name in "AB")}


def fields():
    lines = "".join(f"\tF{number} string `json:\"f{number}\"`\n" for number in range(scaled(32_000, 500)))
    return {"go.mod": MODULE, "v1/types.go": kind(lines)}


def findings():
    labels = "".join(f"    k{number}-: a\n" for number in range(scaled(20_000, 500)))
    return {"a.yaml": f"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels:\n{labels}"}


def one_line():
    labels = ",".join(f'"k{number}-":"a"' for number in range(scaled(100_000, 500)))
    return {"a.json": '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","labels":{%s}}}' % labels}


def duplicates():
    keys = "  k: a\n" * scaled(500_000, 5_000)
    return {"a.yaml": f"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n{keys}"}


def crds():
    one = """---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: a%d.example.org}
spec:
  group: example.org
  scope: Namespaced
  names: {plural: a%d, singular: a%d, kind: A%d}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
"""
    return {"a.yaml": "".join(one % ((number,) * 4) for number in range(scaled(20_000, 300)))}


def lines():
    request = b'{"path":"","rule":"true","obj":{}}\n'
    return {"schema.json": '{"type":"object"}', "input": (request + b"\xff\xfe\n") * scaled(10_000, 10)}


def aliases():
    """A long string that aliases repeat."""
    text = f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a}}\nx: &x {'y' * 20_000}\nz: [{', '.join(['*x'] * 15_000)}]\n"
    return {"a.yaml": text}


def circles():
    """Links that lead back to the directory they are in, and out of it."""
    return {"a/map.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", "a/again": (".",), "a/root": ("/",)}


def mazes():
    """Sixty links back make millions of paths four levels deep."""
    return {f"a/l{number}": (".",) for number in range(60)}


CASES = [
    ("growing-generics", "a clear error, no hang", case(["gen", "crd", "./v1"], generics, (1, 2))),
    ("growing-on-two-axes", "a clear error, no hang", case(["gen", "crd", "./v1"], axes, (1, 2))),
    ("nested-layers", "a clear error, no hang", case(["gen", "crd", "./v1"], lambda: layers(""), (1, 2))),
    ("embedded-layers", "a clear error, no hang", case(["lint", "./v1"], lambda: layers(",inline"), (1, 2))),
    ("embeds-itself", "a clear error, no hang", case(["lint", "./v1"], embeds_itself, (1, 2))),
    ("many-fields", "linear", case(["gen", "crd", "./v1"], fields, (0, 1, 2))),
    ("fifo", "a clear error, no hang", case(["check", "a.yaml"], lambda: {"a.yaml": None}, (1, 2), 10)),
    ("circles", "no hang", case(["check", "a"], circles, (0,), 10)),
    ("mazes", "a clear error, no hang", case(["lint", "./a/..."], mazes, (1, 2), 10)),
    ("device", "a clear error, no hang", case(["check", "/dev/zero"], dict, (1, 2), 10)),
    ("many-findings", "linear", case(["check", "a.yaml"], findings, (0, 1))),
    ("one-line", "linear", case(["check", "a.json"], one_line, (0, 1))),
    ("duplicate-keys", "linear", case(["check", "a.yaml"], duplicates, (0, 1))),
    ("alias-files", "100 MiB", case(["check", "a.yaml"], aliases, (1, 2), 10, 100)),
    ("many-crds", "linear", case(["check", "a.yaml"], crds, (0, 1))),
    ("not-utf-8", "goes on after the line", case(["cel", "--batch", "--schema", "schema.json"], lines, (0,))),
]
