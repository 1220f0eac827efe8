"""What decides besides money. The answers change the sentence of the verdict, never its arithmetic."""

from typing import Literal

from costmodel.inputs.asked import InputGroup, ask


class BeyondMoneyInputs(InputGroup):
    """Whether the text may leave the house, what users were promised, who operates it, what the trouble is."""

    may_leave: Literal["unasked", "yes", "no"] = ask(
        "unasked",
        key="leave",
        label="May the text leave the house?",
        help="no: a law, a contract or a secret forbids that an outside API reads it.",
    )
    identical_outputs: Literal["unasked", "no", "yes"] = ask(
        "unasked",
        key="identical",
        label="Must outputs be bit-identical?",
        help="yes: the same request must give the same tokens every time, which public APIs do not promise.",
    )
    faster_than_api: Literal["unasked", "no", "yes"] = ask(
        "unasked",
        key="faster",
        label="Is more speed promised than the API delivers?",
        help="Speed per user, measured on the API, not its advertisement.",
    )
    has_owner: Literal["unasked", "yes", "no"] = ask(
        "unasked",
        key="owner",
        label="Is there somebody who operates it?",
        help="A person who is called at night, updates the engine and can switch it off.",
    )
    trouble: Literal["unasked", "price", "keys"] = ask(
        "unasked",
        key="trouble",
        label="What is the trouble today?",
        help="price: the API bill is too high. keys: many keys, no quotas, nobody can say who spends what.",
    )
