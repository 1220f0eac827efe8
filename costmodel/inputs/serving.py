"""What the hardware can do: the speed promised, the benchmark, memory, the own cache."""

from typing import Literal

from costmodel.inputs.asked import InputGroup, ask
from costmodel.machine.ownloads import LONGEST_LOADS


class ServingInputs(InputGroup):
    """The speed promised, the benchmark, memory, the own cache."""

    slo_tok_s_per_user: float | None = ask(
        None,
        key="slo",
        label="Speed promised",
        unit="tok/s per user",
        help="Least speed each user must get, the wait for the first token included. The throughput then follows from "
        "the benchmark. Empty: the throughput is as typed.",
        gt=0,
        le=100_000,
    )
    benchmark: str | None = ask(
        None,
        key="bench",
        label="Benchmark",
        help="Whose measured loads tell speed and throughput apart. Empty: the library's best match.",
        max_length=64,
    )
    own_loads: str | None = ask(
        None,
        key="loads",
        label="Own benchmark",
        unit="requests per GPU : tok/s per user",
        help="Loads you measured, in place of the library's, like 8:325,256:101.5.",
        max_length=LONGEST_LOADS,
    )
    draft_acceptance_percent: float | None = ask(
        None,
        key="accept",
        label="Draft acceptance",
        unit="% of drafted tokens",
        help="How many of the tokens drafted ahead your traffic accepts. Empty: as in the benchmark.",
        gt=0,
        le=100,
    )
    tables: Literal["gpu", "host"] = ask(
        "gpu",
        key="tables",
        label="Lookup tables",
        help="gpu: all of the model is in GPU memory. host: its lookup tables (Engram), where it has any, are kept in "
        "host memory.",
    )
    kv_store_tb_per_gpu: float = ask(
        0,
        key="kv_tb",
        label="KV cache store",
        unit="TB per GPU",
        help="Storage that keeps prompts already read, so that the own cache can serve them (view Prefill). 0: no "
        "store is paid for.",
        ge=0,
        le=10_000,
    )
    kv_store_usd_per_gb_month: float | None = ask(
        None,
        key="kv_usd",
        label="Price of that storage",
        unit="$ per GB and month",
        help="Empty: the assumption of the catalogue.",
        ge=0,
        le=100,
    )
