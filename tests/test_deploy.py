"""Several processes behind nginx: the files in .deploy/ agree, and a killed process costs its readers a moment."""

import asyncio
import os
import re
import subprocess
import time
import tomllib
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from playwright.sync_api import Download, FilePayload, Page, expect

from costmodel.ui.inputs import box_key
from tests.bench.load import Tally, load
from tests.browser import REPOSITORY, open_page, serve_process, wait_idle
from tests.proxy import BASE_PATH, DEPLOY, REMEDY, configured, find_nginx, proxy, status

UPLOAD = Path(__file__).parent / "usage_samples" / "openai_completions_usage.csv"
VERDICT = "[data-testid=stMain] h2"
SLIDER = ".st-key-util input[type=range]"


# The files


def text(name: str) -> str:
    return (DEPLOY / name).read_text(encoding="utf-8")


def compose() -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load(text("compose.yaml"))
    return read


def kubernetes() -> dict[str, Any]:
    """The objects of the manifest by kind; of the two Services, that of the page."""
    return {each["kind"]: each for each in reversed([*yaml.safe_load_all(text("kubernetes.yaml"))])}


def pod() -> dict[str, Any]:
    read: dict[str, Any] = kubernetes()["Deployment"]["spec"]["template"]["spec"]
    return read


def image_settings() -> dict[str, str]:
    """The environment of the image."""
    lines = text("Containerfile").replace("\\\n", " ").splitlines()
    (set_here,) = (line.removeprefix("ENV ") for line in lines if line.startswith("ENV "))
    return dict(pair.split("=", maxsplit=1) for pair in set_here.split())


def replicas() -> list[str]:
    return re.findall(r"^\s*server (\S+)", text("replicas.conf"), re.MULTILINE)


def test_one_port_from_image_to_proxy() -> None:
    port = image_settings()["STREAMLIT_SERVER_PORT"]
    (container,) = pod()["containers"]
    assert f"EXPOSE {port}" in text("Containerfile").splitlines()
    assert f"http://127.0.0.1:{port}'" in text("Containerfile"), "the health check"
    assert {replica.rpartition(":")[2] for replica in replicas()} == {port}
    assert container["ports"] == [{"name": "http", "containerPort": int(port)}]
    assert [each["targetPort"] for each in kubernetes()["Service"]["spec"]["ports"]] == ["http"]


def test_one_base_path_everywhere() -> None:
    (container,) = pod()["containers"]
    in_kubernetes = {each["name"]: each.get("value") for each in container["env"]}
    settings = [image_settings(), in_kubernetes, *(each["environment"] for each in page_services())]
    assert {each["STREAMLIT_SERVER_BASE_URL_PATH"] for each in settings} == {BASE_PATH}
    paths = [container[f"{probe}Probe"]["httpGet"]["path"] for probe in ("startup", "readiness", "liveness")]
    (rule,) = kubernetes()["Ingress"]["spec"]["rules"]
    paths += [path["path"] for path in rule["http"]["paths"]]
    assert {path.split("/")[1] for path in paths} == {BASE_PATH}
    locations = re.findall(r"location (?:[=~] \^?)?(/[^ ]*)", text("nginx.conf"))
    assert {path.split("/")[1] for path in locations} == {"", BASE_PATH, "healthz"}


def page_services() -> list[dict[str, Any]]:
    return [service for service in compose()["services"].values() if "build" in service]


def test_compose_starts_the_replicas_that_nginx_knows() -> None:
    services = compose()["services"]
    names = [name for name, service in services.items() if "build" in service]
    assert names == [replica.partition(":")[0] for replica in replicas()]
    assert services["nginx"]["depends_on"] == {name: {"condition": "service_healthy"} for name in names}
    for mounted in services["nginx"]["volumes"]:
        assert (DEPLOY / mounted.split(":")[0]).is_file()
    (listens,) = re.findall(r"^listen (\d+);", text("listen.conf"), re.MULTILINE)
    assert services["nginx"]["ports"] == [f"{listens}:{listens}"]
    assert f":{listens}/healthz" in services["nginx"]["healthcheck"]["test"][-1]


def test_one_cookie_secret_for_all_replicas_and_none_in_the_repository() -> None:
    name = "STREAMLIT_SERVER_COOKIE_SECRET"
    given = {service["environment"][name] for service in page_services()}
    assert len(given) == 1
    assert re.fullmatch(r"\$\{COOKIE_SECRET:\?.+\}", given.pop()), "compose refuses to start without one"
    (container,) = pod()["containers"]
    (entry,) = (each for each in container["env"] if each["name"] == name)
    asked = entry["valueFrom"]["secretKeyRef"]
    created = f"kubectl create secret generic {asked['name']} --from-literal={asked['key']}="
    assert created in text("kubernetes.yaml")
    assert created in text("README.md")
    assert "Secret" not in kubernetes()
    assert name not in image_settings()


def test_the_selectors_find_the_pods() -> None:
    objects = kubernetes()
    labels = objects["Deployment"]["spec"]["template"]["metadata"]["labels"]
    assert objects["Deployment"]["spec"]["selector"]["matchLabels"] == labels
    assert objects["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"] == labels
    assert objects["Service"]["spec"]["selector"] == labels
    (rule,) = objects["Ingress"]["spec"]["rules"]
    backends = [path["backend"]["service"]["name"] for path in rule["http"]["paths"]]
    assert backends == [objects["Service"]["metadata"]["name"], "nothing", "nothing"]
    assert objects["Deployment"]["spec"]["replicas"] >= 2


def test_images_come_from_no_named_registry() -> None:
    images = re.findall(r"^FROM (\S+)", text("Containerfile"), re.MULTILINE)
    images += [service["image"] for service in compose()["services"].values()]
    images += [container["image"] for container in pod()["containers"]]
    assert len(images) == 6
    assert [image for image in images if re.search(r"[./:]", image.partition("/")[0]) and "/" in image] == []


def test_nobody_runs_as_root_or_writes_outside_tmp() -> None:
    last = [line.split()[1] for line in text("Containerfile").splitlines() if line.startswith("USER ")][-1]
    user = pod()["securityContext"]
    assert last == f"{user['runAsUser']}:{user['runAsGroup']}"
    assert user["runAsUser"] > 0
    assert user["runAsNonRoot"] is True
    (container,) = pod()["containers"]
    assert container["securityContext"]["readOnlyRootFilesystem"] is True
    assert [mount["mountPath"] for mount in container["volumeMounts"]] == ["/tmp"]
    for service in compose()["services"].values():
        assert (service["read_only"], service["tmpfs"], service["cap_drop"]) == (True, ["/tmp"], ["ALL"])
    assert compose()["services"]["nginx"]["user"].split(":")[0] != "0"


def test_uploads_that_the_page_takes_pass_the_proxy() -> None:
    settings = tomllib.loads((REPOSITORY / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    allowed = f"{settings['server']['maxUploadSize'] + 1}m"
    assert f"client_max_body_size {allowed};" in text("nginx.conf")
    annotations = kubernetes()["Ingress"]["metadata"]["annotations"]
    assert annotations["nginx.ingress.kubernetes.io/proxy-body-size"] == allowed


def test_the_image_holds_what_the_package_is_built_from() -> None:
    build = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = build["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {
        *wheel["packages"],
        *wheel["force-include"],
        build["project"]["readme"],
        *build["project"]["license-files"],
    }
    copied = {
        word for line in re.findall(r"^COPY ([^-].*)$", text("Containerfile"), re.MULTILINE) for word in line.split()
    }
    assert needed <= copied
    assert f'CMD ["{next(iter(build["project"]["scripts"]))}"]' in text("Containerfile")


# The proof


def nginx_program() -> str:
    program = find_nginx()
    if program is None:
        if os.environ.get("REQUIRE_NGINX") == "1":
            pytest.fail(f"REQUIRE_NGINX=1, but {REMEDY}")
        pytest.skip(REMEDY)
    return program


def test_nginx_accepts_its_configuration() -> None:
    with configured(nginx_program(), [1, 2]) as (command, _):
        tested = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
    assert (tested.returncode, "warn" in tested.stderr) == (0, False), tested.stderr


@pytest.fixture(scope="module")
def servers() -> Iterator[dict[int, subprocess.Popen[bytes]]]:
    """Two processes of the page, by port, with one cookie secret."""
    nginx_program()
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        patch.setenv("STREAMLIT_SERVER_COOKIE_SECRET", os.urandom(32).hex())
        started = [stack.enter_context(serve_process(base_path=BASE_PATH)) for _ in range(2)]
        yield {urlsplit(url).port or 0: server for url, server in started}


@pytest.fixture(scope="module")
def proxied(servers: dict[int, subprocess.Popen[bytes]]) -> Iterator[tuple[str, Path]]:
    """The page's address behind nginx, and the access log."""
    with proxy(nginx_program(), servers) as found:
        yield found


@pytest.fixture
def url(proxied: tuple[str, Path]) -> str:
    return proxied[0]


def ports_of(log: Path, path: str) -> list[int]:
    """The port of the process that answered each request for a path, by the access log."""
    return [int(port) for port in re.findall(rf" GET \S*{path} .* 127\.0\.0\.1:(\d+)$", log.read_text(), re.MULTILINE)]


def says(page: Page, utilization: str) -> str:
    expect(page.locator(VERDICT)).to_contain_text(re.compile(rf"At {utilization}\s%"), timeout=20_000)
    wait_idle(page)
    return page.locator(VERDICT).inner_text()


def press(page: Page, key: str) -> None:
    page.locator(SLIDER).focus()
    page.keyboard.press(key)


def download(page: Page) -> Download:
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download CSV").click()
    return waiting.value


def test_only_what_a_page_needs_is_reachable(url: str) -> None:
    for path in ("metrics", "script-health-check", "agent/schema", "health/../metrics", "stream/metrics", "//metrics"):
        assert status(f"{url}/_stcore/{path}") == 404, path
    assert status(f"{url}/_stcore/health") == 200
    assert status(f"{url.removesuffix(BASE_PATH)}elsewhere") == 404
    long_link = f"{url}/?title={'%20x' * 2_600}"
    assert len(long_link) > 10_000
    assert status(long_link) == 200


def test_a_browser_is_told_once_which_replica_is_its_own(url: str) -> None:
    with urllib.request.urlopen(f"{url}/", timeout=5) as answer:
        cookie = answer.headers["Set-Cookie"]
    assert re.fullmatch(rf"replica=[0-9a-f]{{32}}; Path=/{BASE_PATH}; HttpOnly; SameSite=Lax", cookie)
    with urllib.request.urlopen(urllib.request.Request(f"{url}/", headers={"Cookie": cookie}), timeout=5) as answer:
        assert answer.headers["Set-Cookie"] is None


def test_scripts_are_compressed(url: str) -> None:
    with urllib.request.urlopen(f"{url}/", timeout=5) as answer:
        (script,) = re.findall(r'<script type="module" [^>]*src="\./(static/js/[^"]+)"', answer.read().decode())
    sizes = {}
    for accepted in ("identity", "gzip"):
        request = urllib.request.Request(f"{url}/{script}", headers={"Accept-Encoding": accepted})
        with urllib.request.urlopen(request, timeout=20) as answer:
            sizes[accepted] = len(answer.read())
    assert sizes["gzip"] < 0.5 * sizes["identity"], sizes


@pytest.mark.browser
def test_when_its_process_is_killed_under_load_an_open_page_goes_on_at_the_other(
    page: Page, proxied: tuple[str, Path], servers: dict[int, subprocess.Popen[bytes]]
) -> None:
    url, log = proxied
    open_page(page, url, "?scenario=deepinfer-16&util=40&title=Budget")
    says(page, "40")
    press(page, "ArrowRight")
    before = says(page, "40\\.5")
    press(page, "ArrowRight")
    next_one = says(page, "41")
    press(page, "ArrowLeft")
    assert says(page, "40\\.5") == before
    assert download(page).suggested_filename.startswith("budget-cost-")
    (serving,) = set(ports_of(log, "host-config"))
    page.evaluate("window.sameDocument = true")

    tally = Tally()
    with ThreadPoolExecutor(1) as pool:
        readers = pool.submit(asyncio.run, load(url, tally, sessions=6, movers=4, seconds=10))
        wait_for(lambda: len(tally.opening) == 6)
        servers[serving].kill()
        servers[serving].wait(timeout=10)
        wait_for(lambda: ports_of(log, "host-config")[-1] != serving)
        assert says(page, "40\\.5") == before
        assert page.locator("h1").inner_text() == "Budget"
        readers.result(timeout=60)
    # A websocket is in the log once it has ended: those of the killed process are this page's and some of the readers'.
    assert tally.reconnected == ports_of(log, "stream").count(serving) - 1
    assert (tally.lost, tally.dropped, tally.wrong, tally.leaks, tally.errors) == (0, 0, [], [], [])

    press(page, "ArrowRight")
    assert says(page, "41") == next_one
    assert "util=41&" in page.url
    assert "Budget" in download(page).path().read_text(encoding="utf-8-sig")
    upload(page)
    assert page.evaluate("window.sameDocument"), "all that without a reload"


def wait_for(is_so: Callable[[], bool], *, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def upload(page: Page) -> None:
    page.locator(f".st-key-{box_key('Your usage file')} summary").click()
    wait_idle(page)
    file: FilePayload = {"name": "usage.csv", "mimeType": "text/csv", "buffer": UPLOAD.read_bytes()}
    page.locator("[data-testid=stFileUploader] input[type=file]").set_input_files(file)
    wait_idle(page)
    page.locator(".st-key-use_usage button").click()
    page.wait_for_url("**ratio=9.636364**")
    wait_idle(page)
