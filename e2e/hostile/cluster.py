"""Two servers on an etcd of three members, which are killed and stopped (as if the network was cut) one after another."""

import collections
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

from server import MAPS, Server, config_map, scaled

ETCD = shutil.which(os.environ.get("ETCD", "etcd"))
WRITERS, READERS, NAMES = 4, 2, 5


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    [each.close() for each in sockets]
    return ports


class Members:
    """An etcd of three members."""

    def __init__(self, folder):
        ports = free_ports(6)
        self.clients, peers = ports[:3], ports[3:]
        together = ",".join(f"m{number}=http://127.0.0.1:{port}" for number, port in enumerate(peers))
        self.commands = [
            [
                *(ETCD, "--name", f"m{number}", "--data-dir", os.path.join(folder, f"m{number}")),
                *("--listen-client-urls", f"http://127.0.0.1:{self.clients[number]}"),
                *("--advertise-client-urls", f"http://127.0.0.1:{self.clients[number]}"),
                *("--listen-peer-urls", f"http://127.0.0.1:{peers[number]}"),
                *("--initial-advertise-peer-urls", f"http://127.0.0.1:{peers[number]}"),
                *("--initial-cluster", together, "--initial-cluster-state", "new", "--log-level", "error"),
            ]
            for number in range(3)
        ]
        self.processes = [self.run(command) for command in self.commands]
        end = time.monotonic() + 60
        while not all(self.is_there(port) for port in self.clients):
            assert time.monotonic() < end, "etcd does not start"
            time.sleep(0.2)

    def run(self, command):
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def is_there(self, port):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return True
        except OSError:
            return False

    def url(self, first):
        order = self.clients[first:] + self.clients[:first]
        return "etcd://" + ",".join(f"127.0.0.1:{port}" for port in order)

    def kill(self, number, pause):
        self.processes[number].kill()
        self.processes[number].wait()
        time.sleep(pause)
        self.processes[number] = self.run(self.commands[number])

    def stop(self, number, pause):
        self.processes[number].send_signal(signal.SIGSTOP)
        time.sleep(pause)
        self.processes[number].send_signal(signal.SIGCONT)

    def end(self):
        for process in self.processes:
            process.kill()
            process.wait()


class Record:
    """What was acknowledged and seen."""

    def __init__(self):
        self.lock = threading.Lock()
        self.newest, self.versions, self.events = {}, collections.Counter(), set()
        self.stale, self.reads, self.unanswered, self.is_over = [], 0, 0, threading.Event()

    def acknowledge(self, name, number, version):
        with self.lock:
            self.newest[name] = number
            self.versions[version] += 1


def write(record, servers, writer):
    """Writes its own objects with growing numbers, through one server."""
    client, number = None, 0
    while not record.is_over.is_set():
        number += 1
        name = f"map-{writer}-{number % NAMES}"
        body = config_map(name, 100)
        body["data"]["n"] = f"{number:08}"
        try:
            client = client or servers[writer % 2].client(timeout=15)
            status, answer = client.ask("PUT", f"{MAPS}/{name}", body)
            if status == 404:
                status, answer = client.ask("POST", MAPS, body)
            if status in (200, 201):
                record.acknowledge(name, number, int(json.loads(answer)["metadata"]["resourceVersion"]))
                continue
        except Exception:
            client = None
        with record.lock:
            record.unanswered += 1
        time.sleep(0.05)


def read(record, servers, reader):
    """Whoever asks one server sees what was acknowledged by any, and never something older than before."""
    clients, seen = [None, None], {}
    while not record.is_over.is_set():
        which = random.randrange(2)
        name = f"map-{random.randrange(WRITERS)}-{random.randrange(NAMES)}"
        with record.lock:
            least = max(record.newest.get(name, 0), seen.get(name, 0))
        try:
            clients[which] = clients[which] or servers[which].client(timeout=15)
            if random.randrange(4):
                status, answer = clients[which].get(f"{MAPS}/{name}")
                found = {name: json.loads(answer)} if status == 200 else None if status != 404 else {}
            else:
                status, answer = clients[which].get(MAPS)
                items = json.loads(answer)["items"] if status == 200 else None
                found = None if items is None else {each["metadata"]["name"]: each for each in items}
        except Exception:
            clients[which] = None
            time.sleep(0.05)
            continue
        if found is None:
            continue
        number = int(found[name]["data"]["n"]) if name in found else 0
        with record.lock:
            record.reads += 1
        if number < least:
            record.stale.append((name, number, least, which))
        seen[name] = max(number, seen.get(name, 0))


def watch(record, servers, which, start):
    """Follows all events, and goes on behind the last one after a cut."""
    version = start
    while not record.is_over.is_set():
        try:
            client = servers[which].client(timeout=3)
            client.start(f"{MAPS}?watch=1&resourceVersion={version}")
            answer = client.connection.getresponse()
            for line in answer:
                event = json.loads(line)
                if event["type"] in ("ADDED", "MODIFIED"):
                    version = int(event["object"]["metadata"]["resourceVersion"])
                    with record.lock:
                        record.events.add((which, version))
        except Exception:
            time.sleep(0.1)


def fault(members, servers):
    """One member or server fails for some time."""
    pause, number = random.uniform(0.5, 4), random.randrange(3)
    kind = random.choice(["kill", "kill", "stop", "stop", "stop", "server-stop", "server-kill"])
    if kind == "kill":
        members.kill(number, pause)
    elif kind == "stop":
        members.stop(number, pause)
    else:
        server = random.choice(servers)
        if kind == "server-stop":
            server.process.send_signal(signal.SIGSTOP)
            time.sleep(pause)
            server.process.send_signal(signal.SIGCONT)
        else:
            server.process.kill()
            server.process.wait()
            server.start()
    return kind


def settled(server):
    """A client of a server that is well again."""
    end = time.monotonic() + 60
    while True:
        try:
            client = server.client(timeout=15)
            if client.get("/readyz")[0] == 200:
                return client
        except Exception:
            pass
        assert time.monotonic() < end, "a server does not become ready"
        time.sleep(0.2)


def cluster():
    if not ETCD:
        return "skipped: there is no etcd", True
    seconds = scaled(120, 15)
    with tempfile.TemporaryDirectory() as folder:
        members = Members(folder)
        try:
            with Server(members.url(0)) as one, Server(members.url(1)) as other:
                return attack(members, [one, other], seconds)
        finally:
            members.end()


def attack(members, servers, seconds):
    record = Record()
    start = json.loads(servers[0].client().get(MAPS)[1])["metadata"]["resourceVersion"]
    work = [threading.Thread(target=write, args=(record, servers, number)) for number in range(WRITERS)]
    work += [threading.Thread(target=read, args=(record, servers, number)) for number in range(READERS)]
    work += [threading.Thread(target=watch, args=(record, servers, which, start)) for which in range(2)]
    [thread.start() for thread in work]
    end, faults = time.monotonic() + seconds, collections.Counter()
    while time.monotonic() < end:
        time.sleep(random.uniform(0.2, 2))
        faults[fault(members, servers)] += 1
    clients = [settled(server) for server in servers]
    # Watches get what came last.
    time.sleep(5)
    record.is_over.set()
    [thread.join() for thread in work]
    lost = 0
    for name, number in record.newest.items():
        for client in clients:
            status, answer = client.get(f"{MAPS}/{name}")
            lost += status != 200 or int(json.loads(answer)["data"]["n"]) < number
    twice = sum(count > 1 for count in record.versions.values())
    last = max(record.versions)
    missed = sum((which, version) not in record.events for version in record.versions if version < last - 50 for which in range(2))
    acknowledged = sum(record.versions.values())
    seen = f"{dict(faults)}: {acknowledged} acknowledged, {lost} lost, {twice} versions twice; {record.reads} reads, "
    seen += f"{len(record.stale)} stale; {missed} events missed; {record.unanswered} unanswered"
    if record.stale:
        seen += f" {record.stale[:3]}"
    return seen, not (lost or twice or record.stale or missed) and acknowledged > 0


CASES = [("cluster", "no loss, no stale read, none twice", cluster)]
