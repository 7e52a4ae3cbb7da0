"""Stores: kills, disks without room, long histories."""

import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

from cluster import ETCD, free_ports
from server import MAPS, Server, config_map, scaled


def kills():
    """Servers killed under load, many of them while they recover or compact: a short history is compacted all the time."""
    with tempfile.TemporaryDirectory() as folder, Server(folder, ["--limit", "history=64Ki"]) as server:
        return killed(server, scaled(int(os.environ.get("HOSTILE_KILLS", "500")), 5))


def etcd_kills():
    """The same on etcd, which is killed too in each fourth round."""
    if not ETCD:
        return "skipped: there is no etcd", True
    with tempfile.TemporaryDirectory() as folder:
        member = Member(folder)
        try:
            with Server(member.url) as server:
                return killed(server, scaled(int(os.environ.get("HOSTILE_ETCD_KILLS", "200")), 5), member)
        finally:
            member.end()


class Member:
    """An etcd of one member."""

    def __init__(self, folder):
        client, peer = free_ports(2)
        self.port, self.url = client, f"etcd://127.0.0.1:{client}"
        self.command = [
            *(ETCD, "--data-dir", os.path.join(folder, "etcd"), "--log-level", "error"),
            *("--listen-client-urls", f"http://127.0.0.1:{client}", "--advertise-client-urls", f"http://127.0.0.1:{client}"),
            *("--listen-peer-urls", f"http://127.0.0.1:{peer}", "--initial-advertise-peer-urls", f"http://127.0.0.1:{peer}"),
            *("--initial-cluster", f"default=http://127.0.0.1:{peer}"),
        ]
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                assert time.monotonic() < end, "etcd does not start"
                time.sleep(0.1)

    def compact(self):
        """Compacts everything but the newest state, as a server does every five minutes."""

        def ask(what, body):
            request = urllib.request.Request(f"http://127.0.0.1:{self.port}/v3/kv/{what}", json.dumps(body).encode())
            return json.loads(urllib.request.urlopen(request, timeout=5).read())

        try:
            revision = ask("range", {"key": "AA=="})["header"]["revision"]
            ask("compaction", {"revision": revision, "physical": True})
        except OSError:
            pass

    def end(self):
        self.process.kill()
        self.process.wait()


def killed(server, count, member=None):
    """Kills a server under load, over HTTPS, and counts what it acknowledged and does not have afterwards."""
    lost, seen, versions = 0, {}, set()
    twice, recovering, compacting, members = 0, 0, 0, 0
    for kill in range(count):
        done, before = threading.Event(), max(versions, default=0)

        def write(writer):
            nonlocal twice
            try:
                client, number = server.client(timeout=10), 0
                while not done.is_set():
                    number += 1
                    name = f"map-{writer}-{number % 5}"
                    body = config_map(name, (number * 37) % 3000)
                    body["data"]["n"] = f"{kill:05}-{number:06}"
                    status, answer = client.ask("PUT", f"{MAPS}/{name}", body)
                    if status == 404:
                        status, answer = client.ask("POST", MAPS, body)
                    if status in (200, 201):
                        version = int(json.loads(answer)["metadata"]["resourceVersion"])
                        twice += version in versions
                        versions.add(version)
                        seen[name] = body["data"]["n"]
            except Exception:
                pass

        writers = [threading.Thread(target=write, args=(writer,)) for writer in range(4)]
        acknowledged = len(versions)
        [writer.start() for writer in writers]
        # Whatever happens, something is written in each round.
        end = time.monotonic() + 30
        while len(versions) == acknowledged and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(random.uniform(0, 0.3))
        if member and kill % 2 == 0:
            # It runs while the server, and each second time etcd too, is killed.
            threading.Thread(target=member.compact, daemon=True).start()
            time.sleep(random.uniform(0, 0.01))
        kills_member = member and kill % 4 == 0
        if kills_member:
            members += 1
            member.end()
        server.process.kill()
        server.process.wait()
        done.set()
        [writer.join() for writer in writers]
        if kills_member:
            member.start()
        if kill % 3 == 0:
            # Killed again while it recovers.
            recovering += 1
            again = subprocess.Popen(server.command, stdout=subprocess.DEVNULL, cwd=server.folder.name)
            time.sleep(random.uniform(0, 0.1))
            again.kill()
            again.wait()
        server.start()
        client = server.client()
        for name, number in seen.items():
            status, answer = client.get(f"{MAPS}/{name}")
            lost += status != 200 or json.loads(answer)["data"]["n"] < number
        # What was written before this round is gone from the history: it was compacted since.
        compacting += before > 0 and client.get(f"{MAPS}?resourceVersion={before}&resourceVersionMatch=Exact")[0] == 410
        if (kill + 1) % 25 == 0:
            print(f"{kill + 1} kills, {len(versions)} acknowledged, {lost} lost, {twice} versions twice", file=sys.stderr, flush=True)
    what = f"{count} kills ({recovering} also in recovery, {compacting} rounds with compaction"
    what += f", {members} of etcd too)" if member else ")"
    return f"{what}, {len(versions)} acknowledged, {lost} lost, {twice} versions twice", lost == 0 and twice == 0 and len(versions) > 0


def full_disk():
    """A file that may not grow, as on a full disk; then it may again."""
    with tempfile.TemporaryDirectory() as folder, Server(folder, ignores_size_signal=True) as server:
        client = server.client()
        size = os.path.getsize(os.path.join(folder, "store.redb"))
        limit = lambda size: subprocess.run(["prlimit", f"--pid={server.process.pid}", f"--fsize={size}:unlimited"], check=True)
        limit(size + (1 << 20))
        refused = None
        for number in range(200):
            status, answer = client.ask("POST", MAPS, config_map(f"map-{number}", 500_000))
            if status != 201:
                refused = status, json.loads(answer).get("message", "")
                break
        unwell, read = client.get("/readyz")[0], client.get(MAPS)[0]
        limit("unlimited")
        start = time.monotonic()
        while client.ask("POST", MAPS, config_map("after", 500_000))[0] != 201 and time.monotonic() < start + 20:
            time.sleep(0.1)
        took, well = time.monotonic() - start, client.get("/readyz")[0]
        stored = len(json.loads(client.get(MAPS)[1])["items"])
    seen = f"{refused}, readyz {unwell}, lists {read}, resumed after {took:.1f} s, readyz {well}, {stored} objects"
    is_right = refused and refused[0] == 507 and unwell == 500 and read == 200 and well == 200 and took < 10
    return seen[:160], bool(is_right)


def full_start():
    """A disk without a free byte, on which a server was killed: it starts, reads and deletes, and writes once there is room."""
    with tempfile.TemporaryDirectory() as folder:
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", folder], capture_output=True)
        if mounted.returncode:
            return "skipped: only root may mount a small disk", True
        try:
            return started_full(folder)
        finally:
            subprocess.run(["umount", "-l", folder], check=False)


def started_full(folder):
    filler = os.path.join(folder, "filler")

    def fill():
        with open(filler, "ab", buffering=0) as file:
            for size in (1 << 20, 4096, 1):
                try:
                    while file.write(b"x" * size) == size:
                        pass
                except OSError:
                    pass
        return os.statvfs(folder).f_bavail

    with Server(os.path.join(folder, "data")) as server:
        client, stored = server.client(), 0
        while client.ask("POST", MAPS, config_map(f"map-{stored}", 500_000))[0] == 201:
            stored += 1
        server.process.kill()
        server.process.wait()
        left = fill()
        server.start()
        client = server.client()
        listed = len(json.loads(client.get(MAPS)[1])["items"])
        refused = client.ask("POST", MAPS, config_map("new", 500_000))[0]
        deleted = sum(client.ask("DELETE", f"{MAPS}/map-{number}")[0] == 200 for number in range(stored))
        os.remove(filler)
        start, status = time.monotonic(), 0
        while status != 201 and time.monotonic() < start + 20:
            status = client.ask("POST", MAPS, config_map("after", 100_000))[0]
            time.sleep(0.1)
    seen = f"{stored} stored, {left} blocks left, started, {listed} listed, new {refused}, {deleted} deleted, after {status}"
    return seen, listed == stored > 0 and refused == 507 and deleted == stored and status == 201


def history():
    """One object written again and again: memory and file are bounded."""
    writes = scaled(40_000, 200)
    with tempfile.TemporaryDirectory() as folder, Server(folder) as server:

        def write(writer):
            client = server.client()
            client.ask("POST", MAPS, config_map(f"map-{writer}", 10))
            for number in range(writes // 4):
                client.ask("PUT", f"{MAPS}/map-{writer}", config_map(f"map-{writer}", 50_000 + number % 100))

        writers = [threading.Thread(target=write, args=(writer,)) for writer in range(4)]
        [writer.start() for writer in writers]
        [writer.join() for writer in writers]
        time.sleep(5)
        rss, size = server.rss(), os.path.getsize(os.path.join(folder, "store.redb")) >> 20
    written = writes * 50_000 >> 20
    return f"{writes} writes, {written} MiB: RSS {rss:.0f} MiB, file {size} MiB", rss < 900 and size < 1500


CASES = [
    ("kills", "nothing lost, no version twice", kills),
    ("etcd-kills", "nothing lost, no version twice", etcd_kills),
    ("full-disk", "507, reads go on, resumes", full_disk),
    ("full-start", "starts, reads, deletes, resumes", full_start),
    ("history", "256 MiB of old states", history),
]
