"""Packs a static binary as a Python wheel: wheel.py VERSION TARGET BINARY DIRECTORY

A wheel is a zip file; its scripts folder holds the binary, which pip puts on the path.
"""

import base64
import hashlib
import sys
import zipfile
from pathlib import Path

# A static binary runs with any libc.
PLATFORMS = {
    "x86_64-unknown-linux-musl": "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    "aarch64-unknown-linux-musl": "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
}
METADATA = """Metadata-Version: 2.1
Name: kindsmith
Version: {version}
Summary: Kubernetes-style APIs from types and tags: check manifests, generate CRDs, serve an API
Home-page: https://github.com/kindsmith/kindsmith
License: Apache-2.0
Requires-Python: >=3.7
"""
WHEEL = """Wheel-Version: 1.0
Generator: kindsmith
Root-Is-Purelib: false
"""


def main(version, target, binary, directory):
    platform = PLATFORMS[target]
    tags = "".join(f"Tag: py3-none-{one}\n" for one in platform.split("."))
    info = f"kindsmith-{version}.dist-info"
    files = {
        f"kindsmith-{version}.data/scripts/kindsmith": (Path(binary).read_bytes(), 0o755),
        f"{info}/METADATA": (METADATA.format(version=version).encode(), 0o644),
        f"{info}/WHEEL": ((WHEEL + tags).encode(), 0o644),
    }
    record = ""
    for name, (content, _) in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    record += f"{info}/RECORD,,\n"
    files[f"{info}/RECORD"] = (record.encode(), 0o644)
    wheel = Path(directory) / f"kindsmith-{version}-py3-none-{platform}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, (content, mode) in files.items():
            # The same input gives the same bytes.
            entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, content)


main(*sys.argv[1:])
