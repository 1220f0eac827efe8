"""The campaigns by name: seeded cases, each a description and what to run."""

import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from costmodel.catalog import catalog
from tests.fuzz.handbacks import hostile_handbacks, read_handback
from tests.fuzz.links import hostile_links, read_link
from tests.fuzz.prices import hostile_price_files, read_price_file
from tests.fuzz.uploads import hostile_uploads, read_upload
from tests.fuzz.watch import Watch

Case = tuple[str, Callable[[], str]]
EVERY = 50
"""Of so many links, one is asked for its uncertainty too, which takes longer."""


def links(count: int, seed: int) -> Iterator[Case]:
    prices = catalog()
    for number, text in enumerate(hostile_links(prices, count, seed)):
        yield f"{number}: {text!r}", partial(read_link, prices, text, with_risk=number % EVERY == 0)


def usage_files(count: int, seed: int) -> Iterator[Case]:
    for number, upload in enumerate(hostile_uploads(count, seed)):
        yield f"{number}: {upload.how}", partial(read_upload, upload)


def price_files(count: int, seed: int) -> Iterator[Case]:
    with tempfile.TemporaryDirectory() as folder:
        for number, file in enumerate(hostile_price_files(count, seed)):
            yield f"{number}: {file.how} in {file.path}", partial(read_price_file, Path(folder), file)


def exported_files(count: int, seed: int) -> Iterator[Case]:
    for number, file in enumerate(hostile_handbacks(count, seed)):
        yield f"{number}: {file.how}", partial(read_handback, file)


def pages(count: int, seed: int) -> Iterator[Case]:
    from tests.fuzz.pages import show_link  # here, because it loads Streamlit, whose memory is no link's doing

    for number, text in enumerate(hostile_links(catalog(), count, seed)):
        yield f"{number}: {text!r}", partial(show_link, text)


CAMPAIGNS: dict[str, Callable[[int, int], Iterator[Case]]] = {
    "links": links,
    "usage files": usage_files,
    "price files": price_files,
    "exported files": exported_files,
    "pages": pages,
}


def run(name: str, count: int, seed: int, watch: Watch) -> Watch:
    """Every case of a campaign, watched."""
    for described, case in CAMPAIGNS[name](count, seed):
        watch.run(f"{name}, seed {seed}, {described}", case)
    watch.finish()
    return watch
