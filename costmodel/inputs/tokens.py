"""The tokens of the traffic: input to output, and what a cache serves."""

from costmodel.inputs.asked import InputGroup, ask


class TokenInputs(InputGroup):
    """Input to output, and what a cache serves."""

    input_per_output: float = ask(
        key="ratio",
        label="Input : output",
        unit="input tokens per output token",
        help="4 means four input tokens for each output token. 0 prices the output alone.",
        ge=0,
        le=10_000,
    )
    cached_percent: float = ask(
        0,
        key="cached",
        label="Cached input (API)",
        unit="% of input",
        help="Share of the input the API bills at its cached price. A part of the input, never added to it.",
        ge=0,
        le=100,
    )
    own_cached_percent: float = ask(
        0,
        key="own_cached",
        label="Cached input (own)",
        unit="% of input",
        help="Share of the input your own deployment serves from its KV cache and need not prefill.",
        ge=0,
        le=100,
    )
    cache_write_percent: float = ask(
        0,
        key="cache_write",
        label="Cache writes (API)",
        unit="% of input",
        help="Share of the input billed at the API's cache-write price, where it has one.",
        ge=0,
        le=100,
    )
    request_input_tokens: int | None = ask(
        None,
        key="request",
        label="Typical request",
        unit="input tokens per request",
        help="Long-context prices apply by the size of one request, never by a month's total. Empty: below every tier.",
        ge=1,
        le=100_000_000,
    )
