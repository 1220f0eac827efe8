"""Coroutines in tests that are none themselves."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


def run_apart(work: Coroutine[Any, Any, Result]) -> Result:
    """What a coroutine returns, run in a thread of its own.

    Playwright's browser, once a test of this process has asked for one, keeps an event loop in the tests' thread, and
    a thread has no second.
    """
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()
