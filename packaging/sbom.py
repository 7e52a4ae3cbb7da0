"""Prints a CycloneDX 1.5 document with every crate that is part of the binary: sbom.py VERSION"""

import json
import subprocess
import sys


def normal(dependency):
    """Whether a dependency is part of the binary; build scripts and tests are not."""
    return any(kind["kind"] is None for kind in dependency["dep_kinds"])


def main(version):
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", "x86_64-unknown-linux-musl"]
    metadata = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    root = next(id for id, package in packages.items() if package["name"] == "kindsmith-cli")
    used, waiting = set(), [root]
    while waiting:
        here = waiting.pop()
        if here not in used:
            used.add(here)
            waiting.extend(dependency["pkg"] for dependency in nodes[here]["deps"] if normal(dependency))
    components = []
    for package in sorted((packages[id] for id in used - {root}), key=lambda package: (package["name"], package["version"])):
        component = {
            "type": "library",
            "bom-ref": f"{package['name']}@{package['version']}",
            "name": package["name"],
            "version": package["version"],
            "purl": f"pkg:cargo/{package['name']}@{package['version']}",
        }
        if package["license"]:
            component["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
        components.append(component)
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {"type": "application", "name": "kindsmith", "version": version}},
        "components": components,
    }
    json.dump(document, sys.stdout, indent=2)
    print()


main(sys.argv[1])
