"""What a deployment costs besides its GPUs. All of it is off until the reader says so."""

from typing import Literal

from costmodel.inputs.asked import InputGroup, ask


class BillInputs(InputGroup):
    """Staff, storage, network, egress, support, set-up, and whether VAT is a cost."""

    staff_fte: float = ask(
        0,
        key="staff",
        label="People who operate it",
        unit="full-time equivalents",
        help="Engineers who keep it running, as full-time people. A quarter of one is 0.25. 0: not counted.",
        ge=0,
        le=1_000,
    )
    staff_usd_per_year: float | None = ask(
        None,
        key="staff_usd",
        label="Cost of one of them",
        unit="$ a year, all in",
        help="Salary with taxes, benefits and workplace. Bears no VAT. Empty: the assumption of the catalogue.",
        ge=0,
        le=10_000_000,
    )
    storage_gb: float = ask(
        0,
        key="storage",
        label="Storage for weights",
        unit="GB",
        help="Copies of the checkpoint, registry and images that are kept stored. 0: not counted.",
        ge=0,
        le=100_000_000,
    )
    storage_usd_per_gb_month: float | None = ask(
        None,
        key="storage_usd",
        label="Price of storage",
        unit="$ per GB and month",
        help="Empty: the assumption of the catalogue.",
        ge=0,
        le=100,
    )
    network_usd_per_gpu_month: float = ask(
        0,
        key="network",
        label="Network between racks",
        unit="$ per GPU and month",
        help="Fabric and switches that the rent does not include. 0: not counted.",
        ge=0,
        le=100_000,
    )
    egress_gb_per_month: float = ask(
        0,
        key="egress",
        label="Data egress",
        unit="GB a month",
        help="Traffic out of the data centre that the provider bills. 0: not counted.",
        ge=0,
        le=1_000_000_000,
    )
    egress_usd_per_gb: float | None = ask(
        None,
        key="egress_usd",
        label="Price of egress",
        unit="$ per GB",
        help="Empty: the assumption of the catalogue.",
        ge=0,
        le=100,
    )
    support_usd_per_gpu_month: float = ask(
        0,
        key="support",
        label="Support and licences",
        unit="$ per GPU and month",
        help="Support contracts and software licences. 0: not counted.",
        ge=0,
        le=100_000,
    )
    setup_usd: float = ask(
        0,
        key="setup",
        label="One-off set-up",
        unit="$",
        help="Paid once at the start, spread over the months of the term. 0: not counted.",
        ge=0,
        le=1_000_000_000,
    )
    vat_back: Literal["no", "yes"] = ask(
        "no",
        key="vat_back",
        label="VAT is recovered",
        help="yes: the tax office gives it back, so it is no cost. no: it is added to every line that bears VAT; "
        "salaries bear none.",
    )
