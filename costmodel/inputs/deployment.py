"""The deployment that would be hosted: its pools, their prices, what they deliver, how far they are used."""

from costmodel.inputs.asked import InputGroup, ask


class DeploymentInputs(InputGroup):
    """The pools of one unit, how many units, and how far they are used."""

    gpu: str = ask(
        key="gpu",
        label="GPU rental",
        help="The rented GPU instance that generates the output (the decode pool, or the only pool).",
    )
    gpus: int = ask(
        key="gpus",
        label="GPUs",
        unit="per unit",
        help="GPUs of this pool in one unit, the smallest deployment rented as a whole. Part-filled instances are "
        "billed whole.",
        ge=1,
        le=100_000,
    )
    gpu_usd_per_hour: float | None = ask(
        None,
        key="gpu_usd",
        label="Own GPU price",
        unit="$ per GPU-hour",
        help="Your quote per GPU (not per node). Empty: the list price.",
        ge=0.01,
        le=1_000,
    )
    prefill_gpu: str | None = ask(
        None,
        key="prefill_gpu",
        label="Prefill GPU rental",
        help="A separate pool that reads the prompts. None: one pool does both.",
    )
    prefill_gpus: int | None = ask(
        None,
        key="prefill_gpus",
        label="Prefill GPUs",
        unit="per unit",
        help="GPUs of the prefill pool in one unit.",
        ge=1,
        le=100_000,
    )
    prefill_gpu_usd_per_hour: float | None = ask(
        None,
        key="prefill_gpu_usd",
        label="Own prefill GPU price",
        unit="$ per GPU-hour",
        help="Your quote per GPU of the prefill pool. Empty: the list price.",
        ge=0.01,
        le=1_000,
    )
    units: int = ask(
        1,
        key="units",
        label="Units",
        help="How many identical deployments are rented.",
        ge=1,
        le=10_000,
    )
    utilization_percent: float = ask(
        key="util",
        label="Utilization",
        unit="% of capacity",
        help="Output delivered divided by what the deployment can deliver, averaged over all hours paid for. "
        "Not what nvidia-smi shows.",
        ge=0,
        le=100,
    )
    output_tok_s_per_gpu: float = ask(
        key="tps",
        label="Throughput per GPU",
        unit="output tok/s per serving GPU",
        help="Output tokens per second of one serving GPU under full load. Not the speed of one stream, not the "
        "whole cluster, not input plus output.",
        ge=0.01,
        le=1_000_000,
    )
    input_tok_s_per_prefill_gpu: float | None = ask(
        None,
        key="prefill_tps",
        label="Prefill rate per GPU",
        unit="uncached input tok/s per GPU",
        help="How fast one GPU reads prompts that are not in its own cache. Empty: prefill is taken not to bind.",
        ge=0.01,
        le=100_000_000,
    )
    efficiency_percent: float = ask(
        100,
        key="eff",
        label="Load-balancing efficiency",
        unit="% of benchmark",
        help="What the serving pool keeps of its benchmark when requests are spread over many GPUs.",
        gt=0,
        le=100,
    )
    prefill_efficiency_percent: float = ask(
        100,
        key="prefill_eff",
        label="Prefill efficiency",
        unit="% of benchmark",
        help="The same for the prefill pool.",
        gt=0,
        le=100,
    )
