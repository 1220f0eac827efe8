"""A reader without a browser: a Streamlit session over a real websocket, in the protocol of Streamlit's frontend."""

import asyncio
import re
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState, ContextInfo
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Subprotocol

# What the frontend offers at a first visit, before it has a cookie whose token would come second.
_SUBPROTOCOLS = [Subprotocol("streamlit"), Subprotocol("PLACEHOLDER_AUTH_TOKEN")]
_KEPT_RUNS = 2
_MOST_SECONDS_TO_OPEN = 120
_MOST_SECONDS_AWAY = 30
_SECONDS_BETWEEN_TRIES = 0.2


@dataclass
class Run:
    """What one run of the script sent: its markdown texts and its errors, when it ended, and who it names."""

    texts: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    marks: set[bytes] = field(default_factory=set)
    ended: float = 0.0
    messages: int = 0
    size: int = 0


class Reader:
    """One session: opens a link, moves a slider, hears every run of the script, and reconnects as the page does.

    `on_run` is called after each run. `mark` finds marks of readers in the raw bytes of all that is received: a mark of
    another reader there is a leak. `cookie` is sent with each connection.
    """

    def __init__(
        self, url: str, query: str = "", *, mark: re.Pattern[bytes] | None = None, cookie: str | None = None
    ) -> None:
        parts = urlsplit(url)
        if parts.hostname not in ("127.0.0.1", "localhost"):
            raise ValueError(
                f"{url} is no server of this machine: readers without a browser load loopback servers only"
            )
        self.url = url
        self.query = query.removeprefix("?")
        self.is_open = False
        self.reconnections = 0
        self.on_run: Callable[[Run], None] = lambda run: None
        self._headers = {"Cookie": cookie} if cookie else {}
        self._mark = mark
        self._run = Run()
        self._elements: dict[str, Element] = {}
        self._fragments: dict[str, str] = {}
        self._values: dict[str, float] = {}
        self._hashes: list[set[str]] = [set()]
        self._page = ""
        self._first: asyncio.Future[Run] = asyncio.get_running_loop().create_future()

    async def __aenter__(self) -> "Reader":
        """Connects, opens the link and waits for the end of its first run."""
        await self._connect()
        self._listener = asyncio.create_task(self._listen())
        await self._send("")
        self.first_run = await asyncio.wait_for(asyncio.shield(self._first), _MOST_SECONDS_TO_OPEN)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listener.cancel()
        await self._socket.close()

    async def _connect(self) -> None:
        self._socket: ClientConnection = await connect(
            f"ws{self.url.removeprefix('http')}/_stcore/stream",
            subprotocols=_SUBPROTOCOLS,
            additional_headers=self._headers,
            max_size=None,
            compression=None,
            proxy=None,
        )
        self.is_open = True

    async def move(self, slider: str, value: float) -> None:
        """Moves the slider with this key; the run it starts is told to `on_run`.

        A move while the connection is away is sent with the next one.
        """
        self._values[slider] = value
        if self.is_open:
            with suppress(ConnectionClosed):
                await self._send(self._fragments[slider])

    async def _send(self, fragment: str) -> None:
        context = ContextInfo(
            timezone="UTC", timezone_offset=0, locale="en-US", url=f"{self.url}/", color_scheme="light"
        )
        state = ClientState(
            query_string=self.query,
            widget_states=WidgetStates(widgets=[*filter(None, map(self._state_of, self._elements.values()))]),
            page_script_hash=self._page,
            fragment_id=fragment,
            cached_message_hashes=set().union(*self._hashes),
            context_info=context,
        )
        await self._socket.send(BackMsg(rerun_script=state).SerializeToString())

    def _state_of(self, element: Element) -> WidgetState | None:
        """What the frontend reports of a widget in every message: its value. Buttons and the like report nothing."""
        kind = element.WhichOneof("type")
        widget = getattr(element, str(kind))
        state = WidgetState(id=widget.id)
        if kind == "slider":
            state.double_array_value.data.append(self._values.get(_key(widget.id), next(iter(widget.default))))
        elif kind == "text_input":
            state.string_value = widget.value if widget.set_value else widget.default
        elif kind == "selectbox" and widget.HasField("default"):
            state.string_value = widget.raw_value if widget.set_value else widget.options[widget.default]
        elif kind == "multiselect":
            state.string_array_value.data.extend(widget.options[index] for index in widget.default)
        elif kind == "button_group":
            state.string_array_value.data.extend(widget.options[index].content for index in widget.default)
        else:
            return None
        return state

    async def _listen(self) -> None:
        while self.is_open:
            with suppress(ConnectionClosed):
                async for frame in self._socket:
                    if isinstance(frame, bytes):
                        self._hear(frame)
            self.is_open = False
            if not self._first.done():
                self._first.set_exception(ConnectionError(f"{self.url} closed the connection before the first answer"))
                return
            await self._reconnect()

    async def _reconnect(self) -> None:
        """A new session with the address and the widgets of the old one, wherever there is a server for it."""
        deadline = time.perf_counter() + _MOST_SECONDS_AWAY
        while not self.is_open and time.perf_counter() < deadline:
            try:
                await self._connect()
                self._run = Run()
                await self._send("")
                self.reconnections += 1
            except (OSError, WebSocketException):
                self.is_open = False
                await asyncio.sleep(_SECONDS_BETWEEN_TRIES)

    def _hear(self, frame: bytes) -> None:
        message, run = ForwardMsg.FromString(frame), self._run
        run.messages += 1
        run.size += len(frame)
        if self._mark:
            run.marks.update(self._mark.findall(frame))
        if message.metadata.cacheable:
            self._hashes[-1].add(message.hash)
        kind = message.WhichOneof("type")
        if kind == "delta":
            self._hear_element(message.delta.new_element, message.delta.fragment_id)
        elif kind == "new_session":
            self._page = message.new_session.page_script_hash
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            if message.script_finished == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
                run.errors.append("the script does not compile")
            run.ended = time.perf_counter()
            self._run = Run()
            self._hashes = [*self._hashes[-_KEPT_RUNS + 1 :], set()]
            if not self._first.done():
                self._first.set_result(run)
            self.on_run(run)

    def _hear_element(self, element: Element, fragment: str) -> None:
        kind = element.WhichOneof("type")
        if kind == "markdown":
            self._run.texts.append(element.markdown.body)
        elif kind == "exception":
            self._run.errors.append(element.exception.message)
        elif kind in ("slider", "text_input", "selectbox", "multiselect", "button_group"):
            identifier = getattr(element, kind).id
            self._elements[identifier] = element
            self._fragments[_key(identifier)] = fragment


def _key(identifier: str) -> str:
    """The key that the script gave a widget, from its id.

    >>> _key("$$ID-ec585edf1f3832731473dc979a0cbe78-util")
    'util'
    """
    return identifier.split("-", maxsplit=2)[2]
