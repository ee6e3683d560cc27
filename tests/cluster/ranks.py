"""Runs the program under mpirun. Tests are skipped, with a word, where there is no MPI."""
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest

MACAW = os.environ["MACAW"]
SOURCE = os.environ["MACAW_SOURCE"]

ENVIRONMENT = dict(
    os.environ,
    OMPI_ALLOW_RUN_AS_ROOT="1",
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
    OMPI_MCA_rmaps_base_oversubscribe="1",
    OMPI_MCA_hwloc_base_binding_policy="none",
    # what Open MPI keeps until the end is not ours to free
    ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0",
)
TIMEOUT = 240


def run(*words, check=True):
    r = subprocess.run([MACAW, *map(str, words)], capture_output=True, text=True, env=ENVIRONMENT, timeout=TIMEOUT)
    if check and r.returncode:
        raise AssertionError(f"{words}: status {r.returncode}\n{r.stdout}{r.stderr}")
    return r


def command(ranks, words, recover=False):
    return ["mpirun", *(["--enable-recovery"] if recover else []), "--oversubscribe", "-n", str(ranks), MACAW,
            *map(str, words), "--mpi"]


def mpirun(ranks, *words, check=True):
    r = subprocess.run(command(ranks, words), capture_output=True, text=True, env=ENVIRONMENT, timeout=TIMEOUT)
    if check and r.returncode:
        raise AssertionError(f"{words} on {ranks} ranks: status {r.returncode}\n{r.stdout}{r.stderr}")
    return r


def start(ranks, *words):
    """In the background; the death of a rank does not end the others."""
    return subprocess.Popen(command(ranks, words, recover=True), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env=ENVIRONMENT)


def process_of(job, rank):
    """The number of the process that is this rank of a job; None: not there (yet)."""
    for name in os.listdir("/proc"):
        try:
            if not name.isdigit():
                continue
            with open(f"/proc/{name}/stat") as f:
                parent = int(f.read().rsplit(")", 1)[1].split()[1])
            with open(f"/proc/{name}/environ", "rb") as f:
                here = f"OMPI_COMM_WORLD_RANK={rank}".encode() in f.read().split(b"\0")
        except (OSError, ValueError, IndexError):
            continue
        if parent == job.pid and here:
            return int(name)
    return None


def wait_for(condition, what):
    until = time.monotonic() + TIMEOUT / 2
    while time.monotonic() < until:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError("waited in vain for " + what)


def finish(job):
    out, err = job.communicate(timeout=TIMEOUT)
    if job.returncode:
        raise AssertionError(f"status {job.returncode}\n{out}{err}")
    return out, err


def without(record, *keys):
    """A copy without what depends on the clock or on who counted."""
    if isinstance(record, dict):
        return {k: without(v, *keys) for k, v in record.items() if k not in keys}
    return [without(v, *keys) for v in record] if isinstance(record, list) else record


def main():
    r = run("simulate", "tictactoe", "-n", "1", "--mpi", check=False)
    if "built without MPI" in r.stderr:
        assert r.returncode == 3 and "openmpi-bin" in r.stderr and "libopenmpi-dev" in r.stderr, r.stderr
        print("skipped: the program was built without MPI, and says so")
        sys.exit(77)
    if not shutil.which("mpirun"):
        print("skipped: there is no mpirun")
        sys.exit(77)
    unittest.main(module="__main__", verbosity=2)
