"""nginx with the shipped configuration, in front of servers of this machine, for tests and benchmarks."""

import os
import re
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.browser import REPOSITORY, free_port

DEPLOY = REPOSITORY / ".deploy"
BASE_PATH = "self-host-or-api"
REMEDY = "nginx was not found: install it (Debian: `apt-get install nginx-light`, macOS: `brew install nginx`)"
_BESIDE_PATH = "/usr/sbin:/usr/local/sbin:/opt/homebrew/bin"


def find_nginx() -> str | None:
    """The program of nginx on this machine; None where there is none. It may lie where only root looks."""
    return shutil.which("nginx", path=f"{os.environ.get('PATH', '')}{os.pathsep}{_BESIDE_PATH}")


@contextmanager
def configured(program: str, ports: Iterable[int]) -> Iterator[tuple[list[str], str]]:
    """The command of nginx with the shipped configuration before servers at these ports, and the page's address."""
    own_port = free_port()
    with tempfile.TemporaryDirectory(prefix="nginx-") as name:
        folder = Path(name)
        folder.chmod(0o711)  # nginx that root started works as another user
        shutil.copy(DEPLOY / "nginx.conf", folder)
        shipped = (DEPLOY / "replicas.conf").read_text(encoding="utf-8")
        (line, *_) = re.findall(r"^ *server .*\n", shipped, re.MULTILINE)
        here = "".join(re.sub(r"server \S+?:\d+", f"server 127.0.0.1:{port}", line) for port in ports)
        without_servers = re.sub(r"^ *server .*\n", "", shipped, flags=re.MULTILINE)
        (folder / "replicas.conf").write_text(without_servers.replace("}", f"{here}}}"), encoding="utf-8")
        (folder / "listen.conf").write_text(f"listen 127.0.0.1:{own_port};\n", encoding="utf-8")
        command = [program, "-p", f"{folder}/", "-c", str(folder / "nginx.conf")]
        yield command, f"http://127.0.0.1:{own_port}/{BASE_PATH}"


@contextmanager
def proxy(program: str, ports: Iterable[int], *, start_seconds: float = 10) -> Iterator[tuple[str, Path]]:
    """The address of the page behind an nginx that ends with the block, and the file of its access log."""
    with configured(program, ports) as (command, url), tempfile.NamedTemporaryFile(prefix="nginx-log-") as log:
        nginx = subprocess.Popen([*command, "-g", "daemon off;"], stdout=log)
        try:
            deadline = time.monotonic() + start_seconds
            while status(f"{url.removesuffix(BASE_PATH)}healthz") != 200:
                if nginx.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError("nginx did not start, or reaches none of its servers")
                time.sleep(0.1)
            yield url, Path(log.name)
        finally:
            nginx.terminate()
            nginx.wait(timeout=10)


def status(url: str) -> int:
    """The HTTP status of an address; 0 where nobody answers."""
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0
