"""A stand-alone Spark cluster on this machine, for tests: a master and workers, which can be killed. Needs Linux."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyspark

# Java starts with less work so.
SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
SPARK_CLASS = str(Path(pyspark.__file__).parent / "bin" / "spark-class")


class Cluster:
    """A master and workers of one core each, with all that they write in a folder."""

    def __init__(self, folder, workers):
        self.folder = folder
        others = {name: value for name, value in os.environ.items() if not name.startswith(("SPARK_", "PYSPARK_"))}
        self.environment = dict(others, SPARK_LOCAL_IP="127.0.0.1", SPARK_DAEMON_MEMORY="256m", SPARK_DAEMON_JAVA_OPTS=SHORT_LIVED, SPARK_LOCAL_DIRS=str(folder / "local"),
                                PYSPARK_PYTHON=sys.executable, PYSPARK_DRIVER_PYTHON=sys.executable)
        self.log = folder / "master.log"
        self.master, self.workers = None, []
        try:
            self.master = self.start(self.log, "master.Master", "--host", "127.0.0.1", "--port", "0", "--webui-port", "0")
            self.url = until(lambda: re.search(r"Starting Spark master at (spark://\S+)", self.log.read_text()), "the master").group(1)
            for k in range(workers):
                self.add_worker(k)
        except BaseException:
            self.stop()
            raise

    def start(self, log, name, *args):
        with open(log, "wb") as out:
            return subprocess.Popen([SPARK_CLASS, "org.apache.spark.deploy." + name, *args], env=self.environment,
                                    stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True)

    def add_worker(self, number):
        """Starts a worker, and waits until the master has it."""
        known = self.log.read_text().count("Registering worker")
        self.workers.append(self.start(self.folder / f"worker{number}.log", "worker.Worker", "--host", "127.0.0.1", "--webui-port", "0", "--cores", "1",
                                       "--memory", "1g", "--work-dir", str(self.folder / f"work{number}"), self.url))
        until(lambda: self.log.read_text().count("Registering worker") > known, "a worker")

    def stop(self):
        """Kills all that is left: each process that was started here leads a group with what it has started itself."""
        for p in [self.master, *self.workers]:
            if p:
                try:
                    os.killpg(p.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                p.wait()

    def processor_time(self, *names):
        """Returns the seconds of the processor that the processes of the cluster and of its drivers have used, with those that they have waited
        for: all of them, or those that have one of the names in their command."""
        ticks = 0
        for pid, command in processes():
            try:
                if (not names or any(name in command for name in names)) and f"SPARK_LOCAL_DIRS={self.folder}/" in Path(f"/proc/{pid}/environ").read_text(errors="replace"):
                    ticks += sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:15]))
            except OSError:
                pass  # it has ended
        return ticks / os.sysconf("SC_CLK_TCK")

    def stop_a_cell(self):
        """Stops the process of a cell that is under way, so that it stays so, and returns the worker, the executor and that process."""
        def look():
            executors = {os.readlink(f"/proc/{pid}/cwd"): pid for pid, command in processes() if "CoarseGrainedExecutorBackend" in command}
            for pid, command in processes():
                if "\0sweep\0cell\0" in command and "\0-apart\0" not in command:
                    executor = executors.get(os.readlink(f"/proc/{pid}/cwd"))
                    for worker in self.workers:
                        if executor and parent(executor) == worker.pid:
                            os.kill(pid, signal.SIGSTOP)
                            if not gone(pid):
                                return worker, executor, pid
        return until(look, "a cell under way")


def processes():
    """Yields the numbers and command lines of the processes of this machine."""
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                yield int(folder.name), (folder / "cmdline").read_text(errors="replace")
            except OSError:
                pass  # it has ended


def parent(pid):
    return int(re.search(r"^PPid:\s*(\d+)", Path(f"/proc/{pid}/status").read_text(), re.M).group(1))


def gone(pid):
    """Reports whether a process is no more, or waits to be buried."""
    try:
        return re.search(r"^State:\s*(\S)", Path(f"/proc/{pid}/status").read_text(), re.M).group(1) == "Z"
    except OSError:
        return True


def until(look, what, seconds=180):
    """Returns what look returns once that is something. A process that ends while it is looked at is no error."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            found = look()
        except (OSError, AttributeError):
            found = None
        if found:
            return found
        time.sleep(0.05)
    raise TimeoutError(f"{what} has not come within {seconds} s")
