"""What the tests of jobs of several processes share: data, and two machines on one."""

import os
import random
import subprocess


def mixture(path, shares, count, seed):
    draw = random.Random(seed)
    centres = [(0.0, 0.0), (6.0, 0.0), (0.0, 6.0)]
    with open(path, "w") as file:
        for _ in range(count):
            x, y = draw.choices(centres, shares)[0]
            file.write(f"{x + draw.gauss(0, 1)},{y + draw.gauss(0, 1)}\n")


def domain(path, shares, count, seed, shift=0.0):
    """Points of three classes with their labels, all moved by `shift`."""
    draw = random.Random(seed)
    corners = {"a": (0.0, 0.0), "b": (4.0, 0.0), "c": (2.0, 3.5)}
    with open(path, "w") as file:
        file.write("x,y,group\n")
        for _ in range(count):
            name = draw.choices("abc", shares)[0]
            x, y = corners[name]
            file.write(f"{draw.gauss(x + shift, 0.5)},{draw.gauss(y, 0.5)},{name}\n")


class TwoHosts:
    """Two network namespaces joined by a cable stand for two machines."""

    ADDRESSES = ["10.77.0.1", "10.77.0.2"]

    def __init__(self, test):
        self.names = [f"nw-test-{os.getpid()}-{i}" for i in range(2)]
        self.ends = ends = [f"nw{os.getpid() % 100000}{letter}" for letter in "ab"]
        try:
            for name in self.names:
                test.addCleanup(self.ip, "netns", "del", name, check=False)
                self.ip("netns", "add", name)
            self.ip("link", "add", ends[0], "type", "veth", "peer", "name", ends[1])
            for name, end, address in zip(self.names, ends, self.ADDRESSES):
                self.ip("link", "set", end, "netns", name)
                self.ip("-n", name, "addr", "add", f"{address}/24", "dev", end)
                self.ip("-n", name, "link", "set", end, "up")
                self.ip("-n", name, "link", "set", "lo", "up")
        except (OSError, subprocess.CalledProcessError) as problem:
            test.skipTest(f"no network namespaces here: {problem}")

    @staticmethod
    def ip(*arguments, check=True):
        subprocess.run(["ip", *arguments], check=check, capture_output=True)

    def mpirun(self, launcher, agent):
        """mpirun on the first host, which reaches the second without a remote shell."""
        cases = " ".join(f"{a}) name={n} ;;" for a, n in zip(self.ADDRESSES, self.names))
        agent.write_text(
            f'#!/bin/bash\nhost=$1; shift\ncase $host in {cases} esac\n'
            'exec ip netns exec "$name" bash -c "$*"\n'
        )
        agent.chmod(0o755)
        network = "10.77.0.0/24"
        return [
            "ip", "netns", "exec", self.names[0], launcher, "--allow-run-as-root",
            "--mca", "plm_rsh_agent", agent, "--mca", "btl", "tcp,self",
            "--mca", "btl_tcp_if_include", network, "--mca", "oob_tcp_if_include", network,
            "-n", "2", "--host", ",".join(f"{address}:1" for address in self.ADDRESSES),
        ]  # fmt: skip
